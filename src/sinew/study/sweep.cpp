#include "sinew/study/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sinew/sim/errors.h"

namespace sinew::study {
namespace {

std::vector<Trial> part_of(const std::vector<Trial>& all, const Shard& shard) {
  const std::size_t n = all.size(), of = std::size_t(shard.of), i = std::size_t(shard.number);
  return {all.begin() + std::ptrdiff_t(n * (i - 1) / of), all.begin() + std::ptrdiff_t(n * i / of)};
}

About about_of(const Runner& runner, std::uint64_t rows) {
  About about;
  about.plan = runner.plan();
  about.source = runner.source();
  about.content = runner.content();
  about.rows = rows;
  return about;
}

bool is_there(const std::string& file) {
  std::error_code error;
  return std::filesystem::exists(file, error);
}

// The study's own file, if it is there, and its shards.
std::vector<std::string> files_of_study(const std::string& file) {
  std::vector<std::string> files = shard_files(file);
  if (is_there(file)) files.insert(files.begin(), file);
  return files;
}

[[noreturn]] void throw_another(const std::string& out, const std::string& file) {
  throw InputError(fmt::format("--out {}: another study is in {}: choose another name, or remove it", out, file));
}

// Rows of this part that other files of the study have: its shards, or for a shard the whole.
void take_over_rows(const std::string& out, const About& about, std::size_t axes, Store& store) {
  std::vector<std::string> others = shard_files(out);
  if (about.shard.of > 1) others = is_there(out) ? std::vector{out} : std::vector<std::string>{};
  const std::uint64_t n = about.rows, of = std::uint64_t(about.shard.of), i = std::uint64_t(about.shard.number);
  for (const std::string& other : others) {
    if (const int pid = worker_of(other); pid > 0)
      throw FileError(fmt::format(
          "{}: process {} works on this study: wait for it, or end it with sinew study cancel {}", other, pid, out));
    const StudyFile study = read_study(other);
    if (!is_same_study(study.about, about)) throw_another(out, other);
    for (const record::TableRow& cells : study.table.rows) {
      Row row = row_of(cells, axes);
      const bool is_of_this_part = row.trial.row >= n * (i - 1) / of && row.trial.row < n * i / of;
      if (is_of_this_part) store.take_over(std::move(row));
    }
  }
}

}  // namespace

void check_same_study(const Runner& runner, const std::string& file) {
  const About about = about_of(runner, rows_of(runner.plan(), runner.axes()).size());
  for (const std::string& name : files_of_study(file))
    if (!is_same_study(read_study(name).about, about)) throw_another(file, name);
}

SweepOutcome sweep(const Runner& runner, const SweepOptions& options) {
  const std::vector<Trial> all = rows_of(runner.plan(), runner.axes());
  About about = about_of(runner, all.size());
  about.shard = options.shard;
  SweepOutcome out;
  out.file = options.file.empty() ? shard_file(options.out, options.shard) : options.file;
  Store store(out.file, runner, about);
  if (options.file.empty()) take_over_rows(options.out, about, runner.axes().size(), store);
  const std::vector<Trial> part = part_of(all, options.shard);
  std::vector<Trial> missing;
  out.rows.total = part.size();
  for (const Trial& trial : part) {
    const Row* row = store.find(runner.key_of(trial));
    if (!row) {
      missing.push_back(trial);
      continue;
    }
    out.rows.done++;
    if (!is_good(row->status)) out.rows.bad++;
  }
  runner.run(missing, options.run, [&](const Row& row) {
    store.add(row);
    out.rows.done++;
    out.rows.ran++;
    if (!is_good(row.status)) out.rows.bad++;
    if (options.progress) options.progress(out.rows);
  });
  if (out.is_complete()) store.finish();
  const Row* first = nullptr;
  for (const auto& [key, row] : store.rows())
    if (!is_good(row.status) && (!first || row.trial.row < first->trial.row)) first = &row;
  if (first)
    out.first_bad = fmt::format("row {} {} {}: {}", first->trial.row, first->status == Status::Refused ? "was" : "is",
                                status_names[std::size_t(first->status)], first->reason);
  return out;
}

Collected collect(const std::string& file) {
  const std::vector<std::string> files = files_of_study(file);
  if (files.empty())
    throw FileError(fmt::format("{}: neither this file nor shards of it are there: give the name of --out", file));
  if (files.size() == 1 && files[0] == file) {  // a study in one file
    const StudyFile study = read_study(file);
    return {study.table.rows.size(), study.about.rows, 1};
  }
  const StudyLock lock(file);
  std::map<std::uint64_t, record::TableRow> rows;
  StudyFile first = read_study(files[0]);
  first.about.shard = {};
  for (const std::string& name : files) {
    StudyFile part = read_study(name);
    if (!is_same_study(part.about, first.about))
      throw InputError(fmt::format("{}: it is of another study than {}: remove one of them", name, files[0]));
    for (record::TableRow& row : part.table.rows) rows.emplace(std::get<std::uint64_t>(row[0]), std::move(row));
  }
  record::TableWriter writer(file, first.table.fields, to_json(first.about));
  for (const auto& [number, row] : rows) writer.append(row);
  writer.finish();
  return {rows.size(), first.about.rows, int(files.size())};
}

}  // namespace sinew::study
