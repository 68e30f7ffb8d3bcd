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

}  // namespace

SweepOutcome sweep(const Runner& runner, const SweepOptions& options) {
  const std::vector<Trial> all = rows_of(runner.plan(), runner.axes());
  About about;
  about.plan = runner.plan();
  about.source = runner.source();
  about.content = runner.content();
  about.rows = all.size();
  about.shard = options.shard;
  SweepOutcome out;
  out.file = options.file.empty() ? shard_file(options.out, options.shard) : options.file;
  Store store(out.file, runner, about);
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
  return out;
}

Collected collect(const std::string& file) {
  std::vector<std::string> files = shard_files(file);
  std::error_code error;
  if (files.empty() && std::filesystem::exists(file, error)) {  // a study in one file
    const StudyFile study = read_study(file);
    return {study.table.rows.size(), study.about.rows, 1};
  }
  if (files.empty())
    throw FileError(fmt::format("{}: neither this file nor shards of it are there: give the name of --out", file));
  std::map<std::uint64_t, record::TableRow> rows;
  StudyFile first = read_study(files[0]);
  first.about.shard = {};
  const std::string about = to_json(first.about);
  for (const std::string& name : files) {
    StudyFile shard = read_study(name);
    shard.about.shard = {};
    if (to_json(shard.about) != about)
      throw InputError(fmt::format("{}: it is of another study than {}: remove one of them", name, files[0]));
    for (record::TableRow& row : shard.table.rows) rows.emplace(std::get<std::uint64_t>(row[0]), std::move(row));
  }
  record::TableWriter writer(file, first.table.fields, about);
  for (const auto& [number, row] : rows) writer.append(row);
  writer.finish();
  return {rows.size(), first.about.rows, int(files.size())};
}

}  // namespace sinew::study
