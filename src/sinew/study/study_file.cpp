#include "sinew/study/study_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sinew/math/check.h"
#include "sinew/sim/errors.h"
#include "sinew/version.h"

namespace sinew::study {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using record::FieldKind;

constexpr int reason_bytes = 240, word_bytes = 48;
constexpr std::size_t first_axis = 2;  // after row and key

json plan_json(const About& about) {
  const StudyPlan& p = about.plan;
  json out{{"scenario", p.scenario},
           {"set", p.sets},
           {"vary", p.vary},
           {"results", p.results},
           {"sampling", sampling_names[std::size_t(p.sampling)]},
           {"samples", p.samples},
           {"repeat", p.repeat},
           {"stop_when", p.stop_when}};
  if (p.seed) out["seed"] = *p.seed;
  if (p.until) out["until"] = *p.until;
  return out;
}

StudyPlan plan_from(const json& j) {
  StudyPlan p;
  p.scenario = j.at("scenario");
  p.sets = j.at("set").get<std::vector<std::string>>();
  p.vary = j.at("vary").get<std::vector<std::string>>();
  p.results = j.at("results").get<std::vector<std::string>>();
  const auto* name = std::ranges::find(sampling_names, j.at("sampling").get<std::string>());
  if (name == sampling_names.end()) throw std::runtime_error("sampling");
  p.sampling = Sampling(name - sampling_names.begin());
  p.samples = j.at("samples");
  p.repeat = j.at("repeat");
  p.stop_when = j.at("stop_when");
  if (j.contains("seed")) p.seed = j.at("seed").get<std::int64_t>();
  if (j.contains("until")) p.until = j.at("until").get<double>();
  return p;
}

// So that who goes on from another folder finds what the scenario includes.
std::string absolute_path(const std::string& file) {
  std::error_code error;
  const fs::path path = fs::absolute(file, error);
  return error || file.empty() ? file : path.lexically_normal().string();
}

std::string lock_file(const std::string& file) { return file + ".lock"; }

// Drafts of programs that were killed before their first row.
void remove_drafts(const std::string& file) {
  std::error_code error;
  const fs::path path(file);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(path.filename().string() + ".") && name.ends_with(".part")) fs::remove(entry.path(), error);
  }
}

// Of the whole file, held by what has opened it. Unlike flock's, somebody may ask for it without holding it for a moment.
struct ::flock whole_file_lock() {
  struct ::flock out = {};
  out.l_type = F_WRLCK;
  out.l_whence = SEEK_SET;
  return out;
}

// Somebody who ends removes the file that he has locked: a lock on a file without a name keeps nobody out.
bool has_name(int descriptor, const std::string& name) {
  struct stat own, named;
  return fstat(descriptor, &own) == 0 && stat(name.c_str(), &named) == 0 && own.st_dev == named.st_dev &&
         own.st_ino == named.st_ino;
}

}  // namespace

StudyLock::StudyLock(const std::string& file) : name_(lock_file(file)) {
  const auto give_up = [&](const std::string& what) {
    if (descriptor_ >= 0) close(descriptor_);
    throw FileError(what);
  };
  while (descriptor_ < 0) {
    descriptor_ = open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      give_up(fmt::format("{}: cannot be made: {}: choose another place", name_, std::strerror(errno)));
    struct ::flock lock = whole_file_lock();
    if (fcntl(descriptor_, F_OFD_SETLK, &lock) < 0)
      give_up(fmt::format("{}: process {} works on this study: wait for it, or end it with sinew study cancel {}", file,
                          worker_of(file), file));
    if (has_name(descriptor_, name_)) break;
    close(descriptor_);
    descriptor_ = -1;
  }
  const std::string pid = fmt::format("{}\n", getpid());
  if (ftruncate(descriptor_, 0) < 0 || write(descriptor_, pid.data(), pid.size()) < 0)
    give_up(fmt::format("{}: cannot be written: {}", name_, std::strerror(errno)));
}

StudyLock::~StudyLock() {
  std::error_code error;
  fs::remove(name_, error);
  close(descriptor_);
}

int worker_of(const std::string& file) {
  const int lock = open(lock_file(file).c_str(), O_RDONLY | O_CLOEXEC);
  if (lock < 0) return 0;
  char text[32] = {};
  struct ::flock held = whole_file_lock();
  const bool is_free = fcntl(lock, F_OFD_GETLK, &held) == 0 && held.l_type == F_UNLCK;
  const auto n = read(lock, text, sizeof text - 1);
  close(lock);
  return is_free || n <= 0 ? 0 : std::atoi(text);
}

std::string shard_file(const std::string& file, const Shard& shard) {
  if (shard.of == 1) return file;
  const fs::path path(file);
  const std::string name = fmt::format("{}.{}of{}.h5", path.stem().string(), shard.number, shard.of);
  return (path.parent_path() / name).string();
}

std::vector<std::string> shard_files(const std::string& file) {
  const fs::path path(file);
  const std::string stem = path.stem().string() + ".";
  std::vector<std::string> out;
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    int number = 0, of = 0, end = 0;
    if (!name.starts_with(stem) || std::sscanf(name.c_str() + stem.size(), "%dof%d.h5%n", &number, &of, &end) != 2 ||
        stem.size() + std::size_t(end) != name.size())
      continue;
    out.push_back(path.has_parent_path() ? entry.path().string() : name);
  }
  std::ranges::sort(out);
  return out;
}

std::vector<record::Field> fields_of(const Runner& runner) {
  std::vector<record::Field> fields{{"row", "1", "number of the run in the study", FieldKind::Count},
                                    {"key", "", "of scenario, what differs, version and seed", FieldKind::Text, 16}};
  for (std::size_t a = 0; a < runner.axes().size(); a++) {
    const Axis& axis = runner.axes()[a];
    const bool number = axis.is_number();
    fields.push_back({axis.key, runner.axis_unit(a), "varied", number ? FieldKind::Number : FieldKind::Text,
                      number ? 8 : word_bytes});
  }
  fields.push_back({"seed", "1", "of the run", FieldKind::Count});
  fields.push_back({"status", "", "done, stopped, uncertified, failed or refused", FieldKind::Text, 16});
  fields.push_back({"end", "s", "time reached", FieldKind::Number});
  for (const ResultColumn& c : runner.results()) fields.push_back({c.name, c.unit, "result", FieldKind::Number});
  fields.push_back({"hash", "", "of the last state", FieldKind::Text, 16});
  fields.push_back({"reason", "", "why it is not done", FieldKind::Text, reason_bytes});
  return fields;
}

record::TableRow cells_of(const Row& row) {
  record::TableRow cells{row.trial.row, row.key};
  for (const Value& v : row.trial.point) {
    if (v.text.empty())
      cells.emplace_back(v.number);
    else
      cells.emplace_back(v.text);
  }
  cells.emplace_back(row.seed);
  cells.emplace_back(std::string(status_names[std::size_t(row.status)]));
  cells.emplace_back(row.end);
  for (const double x : row.results) cells.emplace_back(x);
  cells.emplace_back(row.hash);
  cells.emplace_back(row.reason);
  return cells;
}

Row row_of(const record::TableRow& cells, std::size_t axes) {
  Row row;
  row.trial.row = std::get<std::uint64_t>(cells.at(0));
  row.key = std::get<std::string>(cells.at(1));
  for (std::size_t a = 0; a < axes; a++) {
    const record::Cell& cell = cells.at(first_axis + a);
    Value value;
    if (const double* number = std::get_if<double>(&cell))
      value.number = *number;
    else
      value.text = std::get<std::string>(cell);
    row.trial.point.push_back(value);
  }
  const std::size_t at = first_axis + axes;
  row.seed = std::get<std::uint64_t>(cells.at(at));
  const auto* status = std::ranges::find(status_names, std::get<std::string>(cells.at(at + 1)));
  row.status = status == status_names.end() ? Status::Failed : Status(status - status_names.begin());
  row.end = std::get<double>(cells.at(at + 2));
  for (std::size_t i = at + 3; i + 2 < cells.size(); i++) row.results.push_back(std::get<double>(cells[i]));
  row.hash = std::get<std::string>(cells[cells.size() - 2]);
  row.reason = std::get<std::string>(cells.back());
  return row;
}

std::string to_json(const About& about) {
  const json out{
      {"sinew", SINEW_VERSION},
      {"kind", about.kind},
      {"plan", plan_json(about)},
      {"scenario",
       {{"name", about.source.name}, {"file", absolute_path(about.source.file)}, {"text", about.source.text}}},
      {"content", about.content},
      {"rows", about.rows},
      {"shard", {about.shard.number, about.shard.of}},
      {"search", about.search}};
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

StudyFile read_study(const std::string& file) {
  StudyFile out{{}, record::read_table(file)};
  try {
    const json j = json::parse(out.table.about);
    About& about = out.about;
    about.kind = j.at("kind");
    about.plan = plan_from(j.at("plan"));
    about.source = {j.at("scenario").at("name"), j.at("scenario").at("file"), j.at("scenario").at("text")};
    about.content = j.at("content");
    about.rows = j.at("rows");
    about.shard = {j.at("shard").at(0), j.at("shard").at(1)};
    about.search = j.at("search");
    const std::size_t axes = about.plan.vary.size();
    if (out.table.fields.size() < axes + 7) throw std::runtime_error("columns");
    for (const record::TableRow& row : out.table.rows) row_of(row, axes);
  } catch (const std::exception&) {
    throw record::Error(
        fmt::format("{}: what it says of its study cannot be read: make it again with sinew sweep", file));
  }
  return out;
}

bool is_same_study(const About& a, const About& b) {
  About left = a, right = b;
  left.shard = right.shard = {};
  if (a.kind == "optimize" && b.kind == "optimize") left.rows = right.rows;
  left.plan.scenario =
      right.plan.scenario;  // the words and the place by which it was found: its text, and what is in the files that
  left.source.name = right.source.name;  // it names, are compared
  left.source.file = right.source.file;
  return to_json(left) == to_json(right);
}

Store::Store(const std::string& file, const Runner& runner, const About& about)
    : lock_(file), file_(file), about_(to_json(about)), fields_(fields_of(runner)) {
  remove_drafts(file);
  std::error_code error;
  if (!fs::exists(file, error)) return;
  const StudyFile before = read_study(file);
  const bool same = is_same_study(before.about, about) && before.about.shard.number == about.shard.number &&
                    before.about.shard.of == about.shard.of &&
                    std::ranges::equal(before.table.fields, fields_, {}, &record::Field::name, &record::Field::name);
  if (!same)
    throw InputError(
        fmt::format("--out {}: another study is in it (other keys, another scenario, other contents of the files "
                    "that it names, or "
                    "another version of sinew): choose another name, or remove it",
                    file));
  sorted_ = true;
  for (std::uint64_t last = 0; const record::TableRow& cells : before.table.rows) {
    Row row = row_of(cells, runner.axes().size());
    sorted_ = sorted_ && row.trial.row >= last;
    last = row.trial.row;
    rows_.emplace(row.key, std::move(row));
  }
}

const Row* Store::find(const std::string& key) const {
  const auto found = rows_.find(key);
  return found == rows_.end() ? nullptr : &found->second;
}

// Rows of before are taken over into a new file, which takes the place of the old one in one move: a file of a killed program cannot be
// written on, and this one has every row at every moment.
void Store::begin() {
  writer_ = std::make_unique<record::TableWriter>(file_, fields_, about_);
  std::vector<const Row*> sorted;
  for (const auto& [key, row] : rows_) sorted.push_back(&row);
  std::ranges::sort(sorted, {}, [](const Row* r) { return r->trial.row; });
  for (const Row* row : sorted) writer_->append(cells_of(*row));
  writer_->flush();
}

void Store::take_over(Row row) {
  SINEW_CHECK(!writer_, "Store: rows of other files come before those that are run");
  const std::string key = row.key;
  if (rows_.emplace(key, std::move(row)).second) sorted_ = false;
}

void Store::add(const Row& row) {
  if (!writer_) begin();
  if (!rows_.emplace(row.key, row).second) return;
  writer_->append(cells_of(row));
  writer_->flush();
  sorted_ = false;
}

void Store::finish() {
  if (writer_) writer_->finish();
  if (sorted_ && !writer_) return;
  begin();
  writer_->finish();
  writer_.reset();
  sorted_ = true;
}

}  // namespace sinew::study
