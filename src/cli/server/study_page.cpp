#include "cli/server/study_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "sinew/sim/errors.h"
#include "sinew/study/columns.h"

namespace cli {
namespace {

namespace study = sinew::study;
namespace record = sinew::record;
using OrderedJson = nlohmann::ordered_json;

std::vector<std::string> parts_of(const std::string& file) {
  std::error_code error;
  if (std::filesystem::exists(file, error)) return {file};
  return study::shard_files(file);
}

// What a column is for the page; empty: nothing.
std::string role_of(const study::StudyFile& file, const std::string& name) {
  const auto is_in = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (is_in(study::axis_names(file))) return "key";
  if (is_in(study::result_names(file))) return "result";
  if (name == "key" || name == "hash") return "";
  return name;  // row, seed, status, end, reason
}

OrderedJson json_of(const record::Cell& cell) {
  if (const double* x = std::get_if<double>(&cell)) return std::isfinite(*x) ? OrderedJson(*x) : OrderedJson(nullptr);
  if (const auto* n = std::get_if<std::uint64_t>(&cell)) return *n;
  return std::get<std::string>(cell);
}

// Results that a search is about; none: it is a sweep, or made of formulas alone.
OrderedJson aims_of(const study::StudyFile& file) {
  OrderedJson out = OrderedJson::array();
  const nlohmann::json search = nlohmann::json::parse(file.about.search, nullptr, false);
  if (!search.is_object() || !search.contains("aims") || !search["aims"].is_array()) return out;
  const std::vector<std::string> results = study::result_names(file);
  for (const nlohmann::json& aim : search["aims"]) {
    if (!aim.is_array() || aim.empty() || !aim[0].is_string()) continue;
    if (std::ranges::find(results, aim[0].get<std::string>()) != results.end())
      out.push_back(aim[0].get<std::string>());
  }
  return out;
}

}  // namespace

bool is_study(const std::string& file) {
  const std::vector<std::string> parts = parts_of(file);
  return !parts.empty() && std::ranges::all_of(parts, record::is_table);
}

StudyPage::StudyPage(std::string file) : file_(std::move(file)), study_(read()) {}

study::StudyFile StudyPage::read() const {
  const std::vector<std::string> parts = parts_of(file_);
  if (parts.empty()) throw sinew::FileError(fmt::format("{}: the study is gone: start sinew view again", file_));
  study::StudyFile whole = study::read_study(parts[0]);
  std::map<std::uint64_t, record::TableRow> rows;
  for (const std::string& part : parts)
    for (record::TableRow& row : study::read_study(part).table.rows) {
      if (row.size() != whole.table.fields.size())
        throw record::Error(
            fmt::format("{}: its columns are not those of {}: they are shards of two studies: remove "
                        "those of the older one",
                        part, parts[0]));
      rows.emplace(std::get<std::uint64_t>(row[0]), std::move(row));
    }
  whole.table.rows.clear();
  for (auto& [number, row] : rows) whole.table.rows.push_back(std::move(row));
  return whole;
}

std::string StudyPage::json() {
  const std::lock_guard lock(mutex_);
  study_ = read();
  const auto& fields = study_.table.fields;
  OrderedJson columns = OrderedJson::array(), rows = OrderedJson::array();
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < fields.size(); i++) {
    const std::string role = role_of(study_, fields[i].name);
    if (role.empty()) continue;
    shown.push_back(i);
    columns.push_back({{"name", fields[i].name}, {"unit", fields[i].unit}, {"role", role}});
  }
  for (const record::TableRow& cells : study_.table.rows) {
    OrderedJson row = OrderedJson::array();
    for (const std::size_t i : shown) row.push_back(json_of(cells[i]));
    rows.push_back(std::move(row));
  }
  const std::vector<std::string> parts = parts_of(file_);
  const bool at_work = std::ranges::any_of(parts, [](const std::string& p) { return study::worker_of(p) > 0; });
  const OrderedJson out{{"name", std::filesystem::path(file_).filename().string()},
                        {"scenario", study_.about.source.name},
                        {"kind", study_.about.kind},
                        {"total", study_.about.rows},
                        {"at_work", at_work},
                        {"aims", aims_of(study_)},
                        {"columns", columns},
                        {"rows", rows}};
  return out.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

sinew::sim::Experiment StudyPage::experiment(const std::string& name) {
  const std::lock_guard lock(mutex_);
  std::uint64_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + 1, end, number);
  const auto is_it = [&](const record::TableRow& row) { return std::get<std::uint64_t>(row[0]) == number; };
  const auto found = std::ranges::find_if(study_.table.rows, is_it);
  if (error != std::errc() || rest != end || found == study_.table.rows.end())
    throw sinew::InputError(fmt::format("{}: {} has no such row: choose one of its table", name, file_));
  if (!runner_) {
    auto runner = std::make_unique<const study::Runner>(study_.about.plan, study_.about.source);
    if (runner->content() != study_.about.content)
      throw sinew::InputError(
          fmt::format("{}: its runs cannot be seen: files that the scenario names have changed since, or sinew has: "
                      "make the study again",
                      file_));
    runner_ = std::move(runner);
  }
  const study::Row row = study::row_of(*found, runner_->axes().size());
  study::Trial trial = row.trial;
  trial.seed = row.seed;
  sinew::sim::Experiment experiment = runner_->experiment_of(trial);
  if (sinew::sim::is_bench(experiment.scenario))
    throw sinew::InputError(fmt::format("{}: {}", name, sinew::sim::no_motion_of(experiment.scenario)));
  experiment.scenario.name = fmt::format("{} #{}", study_.about.source.name, number);
  return experiment;
}

}  // namespace cli
