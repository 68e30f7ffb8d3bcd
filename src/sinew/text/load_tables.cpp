#include "sinew/text/load_tables.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <sstream>

#include "sinew/files/errors.h"
#include "sinew/parts/device/torque_table.h"
#include "sinew/sim/errors.h"
#include "sinew/text/document.h"
#include "sinew/text/load_meshes.h"

namespace sinew::text {
namespace {

// The numbers of a line; false: something else stands there.
bool numbers_of(std::string_view line, std::vector<double>& out) {
  out.clear();
  while (true) {
    const std::size_t comma = line.find(',');
    std::string_view word = line.substr(0, comma);
    while (!word.empty() && (word.front() == ' ' || word.front() == '\t' || word.front() == '+')) word.remove_prefix(1);
    while (!word.empty() && (word.back() == ' ' || word.back() == '\t')) word.remove_suffix(1);
    double x = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(x)) return false;
    out.push_back(x);
    if (comma == line.npos) return true;
    line.remove_prefix(comma + 1);
  }
}

[[noreturn]] void fail(const std::string& file, int line, const std::string& what) {
  throw InputError(fmt::format("{}:{}: {}", file, line, what));
}

std::string text_of(const std::string& file) {
  try {
    return read_text(file);
  } catch (const FileError& e) {
    throw InputError(fmt::format("{}: give the path of a CSV file, seen from the scenario", e.what()));
  }
}

struct TableLoader {
  const std::string& folder;
  const std::string& robot_key;
  const std::function<std::string(std::string_view)>& place_of;
  std::vector<std::string>& problems;
  std::map<std::string, TableFile> read = {};  // one file may serve many joints

  void load(JointPlan& j) {
    const std::string own = fmt::format("{}.{}.motion.table_file", j.loop ? "loop" : "joint", j.name);
    const std::string key = robot_key.empty() ? own : robot_key;
    const std::size_t n = std::size_t(joint::freedom_count(j.kind));
    const std::string path = path_beside(folder, j.table_file);
    try {
      if (!read.contains(path)) read[path] = read_table(path);
    } catch (const InputError& e) {
      for (const std::string& problem : e.problems)
        problems.push_back(fmt::format("{}: {}: {}", place_of(key), key, problem));
      read[path] = {};
    }
    const TableFile& table = read[path];
    if (table.t.empty()) return;
    j.motion.resize(n);
    for (std::size_t c = 0; c < n; c++) {
      const std::size_t column = j.table_columns.empty() ? c : std::size_t(j.table_columns[c] - 1);
      if (column >= table.columns.size()) {
        problems.push_back(fmt::format("{}: {}: column {} is needed, but {} has {} after the times: add it",
                                       place_of(key), key, column + 1, j.table_file, table.columns.size()));
        return;
      }
      j.motion[c].table = j.drive == Drive::Torque ? make_torque_table(table.t, table.columns[column], j.table_smooth)
                                                   : make_table(table.t, table.columns[column], j.table_smooth);
    }
  }
};

}  // namespace

TableFile read_table(const std::string& file) {
  std::istringstream text(text_of(file));
  TableFile table;
  std::vector<double> row;
  std::string line;
  bool named = false;
  for (int at = 1; std::getline(text, line); at++) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.find_first_not_of(" \t") == line.npos || line[line.find_first_not_of(" \t")] == '#') continue;
    if (!numbers_of(line, row)) {
      if (!table.t.empty() || named) fail(file, at, "no row of numbers parted by commas: correct it");
      named = true;
      continue;
    }
    if (row.size() < 2) fail(file, at, "a row is a time and at least one number: add a column");
    if (table.t.empty()) table.columns.resize(row.size() - 1);
    if (row.size() != table.columns.size() + 1)
      fail(file, at,
           fmt::format("{} numbers where the first row has {}: give as many", row.size(), table.columns.size() + 1));
    if (!table.t.empty() && !(row[0] > table.t.back()))
      fail(file, at, "the time is not later than the one before: sort the rows");
    table.t.push_back(row[0]);
    for (std::size_t c = 0; c < table.columns.size(); c++) table.columns[c].push_back(row[c + 1]);
  }
  if (table.t.empty())
    throw InputError(fmt::format("{}: there are no numbers: give rows of a time and its numbers", file));
  return table;
}

void load_tables(Plan& plan, const std::string& folder, const std::string& robot_key,
                 const std::function<std::string(std::string_view)>& place_of, std::vector<std::string>& problems) {
  TableLoader loader{folder, robot_key, place_of, problems};
  for (JointPlan& j : plan.joints)
    if (!j.table_file.empty()) loader.load(j);
}

}  // namespace sinew::text
