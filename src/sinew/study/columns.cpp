#include "sinew/study/columns.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sinew/files/place.h"
#include "sinew/files/shared_library.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"

namespace sinew::study {
namespace {

constexpr FileKind sqlite_file{"SQLite database", {"SQLite format 3", ""}};
constexpr std::size_t before_axes = 2, between = 3, after_results = 2;

std::size_t axes_in(const StudyFile& study) { return study.about.plan.vary.size(); }

std::string cell_text(const record::Cell& cell, bool exact) {
  if (const double* x = std::get_if<double>(&cell)) {
    if (std::isnan(*x)) return exact ? "" : "-";
    return exact ? fmt::format("{}", *x) : fmt::format("{:.6g}", *x);
  }
  if (const auto* n = std::get_if<std::uint64_t>(&cell)) return fmt::format("{}", *n);
  return std::get<std::string>(cell);
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string sql_text(const std::string& text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == '\0') break;
    if (c == quote) out += quote;
    out += c;
  }
  return out + quote;
}

// Columns that people look at first.
std::vector<std::size_t> shown_columns(const StudyFile& study) {
  const std::size_t axes = axes_in(study), n = study.table.fields.size();
  std::vector<std::size_t> out{0};
  for (std::size_t a = 0; a < axes; a++) out.push_back(before_axes + a);
  if (study.about.plan.repeat > 0) out.push_back(before_axes + axes);
  const std::size_t first = before_axes + axes + between;
  for (std::size_t c = first; c + after_results < n && c < first + 6; c++) out.push_back(c);
  out.push_back(before_axes + axes + 1);
  return out;
}

std::string insert_text(const record::TableRow& row) {
  std::string values;
  for (const record::Cell& cell : row) {
    if (!values.empty()) values += ",";
    if (const auto* text = std::get_if<std::string>(&cell)) {
      values += sql_text(*text, '\'');
      continue;
    }
    const auto* x = std::get_if<double>(&cell);
    values += x && !std::isfinite(*x) ? (std::isnan(*x) ? "NULL"
                                         : *x > 0       ? "9e999"
                                                        : "-9e999")
              : x                     ? fmt::format("{:.17g}", *x)
                                      : cell_text(cell, true);
  }
  return fmt::format("INSERT INTO study VALUES ({});", values);
}

}  // namespace

NumberColumn column_of(const StudyFile& study, const std::string& text, const std::string& place) {
  const auto& fields = study.table.fields;
  const auto is_number = [&](std::size_t i) { return fields[i].kind != record::FieldKind::Text; };
  const auto number_in = [&](const record::TableRow& row, std::size_t i) {
    const double* x = std::get_if<double>(&row[i]);
    return x ? *x : double(std::get<std::uint64_t>(row[i]));
  };
  NumberColumn out{text, "", {}};
  const auto named = [&](const std::string& name) {
    const auto found = std::ranges::find(fields, name, &record::Field::name);
    const auto i = std::size_t(found - fields.begin());
    if (found != fields.end() && is_number(i)) return i;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < fields.size(); k++)
      if (is_number(k)) names.push_back(fields[k].name);
    throw InputError(fmt::format("{}: {} is no column of numbers of the study: {}there are {}", place, name,
                                 sim::did_you_mean(name, names), sim::join(names)));
  };
  if (std::ranges::find(fields, text, &record::Field::name) !=
      fields.end()) {  // keys may hold what means something else
    const std::size_t i = named(text);
    out.unit = fields[i].unit;
    for (const record::TableRow& row : study.table.rows) out.values.push_back(number_in(row, i));
    return out;
  }
  const Expression expression(text, place);
  std::map<std::string, std::size_t> places;
  for (const std::string& name : expression.names()) places[name] = named(name);
  for (const record::TableRow& row : study.table.rows)
    out.values.push_back(expression.value([&](const std::string& name) { return number_in(row, places[name]); }));
  return out;
}

std::vector<std::string> axis_names(const StudyFile& study) {
  std::vector<std::string> out;
  for (std::size_t a = 0; a < axes_in(study); a++) out.push_back(study.table.fields[before_axes + a].name);
  return out;
}

std::vector<std::string> result_names(const StudyFile& study) {
  std::vector<std::string> out;
  for (std::size_t c = before_axes + axes_in(study) + between; c + after_results < study.table.fields.size(); c++)
    out.push_back(study.table.fields[c].name);
  return out;
}

std::vector<bool> good_rows(const StudyFile& study) {
  std::vector<bool> out;
  for (const record::TableRow& row : study.table.rows) out.push_back(is_good(row_of(row, axes_in(study)).status));
  return out;
}

std::string text_table(const StudyFile& study, std::size_t most) {
  const std::vector<std::size_t> columns = shown_columns(study);
  std::vector<std::vector<std::string>> lines(1);
  for (const std::size_t c : columns) lines[0].push_back(study.table.fields[c].name);
  const std::size_t n = std::min(study.table.rows.size(), most);
  for (std::size_t r = 0; r < n; r++) {
    lines.emplace_back();
    for (const std::size_t c : columns) lines.back().push_back(cell_text(study.table.rows[r][c], false));
  }
  std::string out;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); i++) {
      std::size_t width = 0;
      for (const auto& other : lines) width = std::max(width, other[i].size());
      out += fmt::format("{}{:>{}}", i == 0 ? "" : "  ", line[i], width);
    }
    out += "\n";
  }
  if (study.table.rows.size() > n) out += fmt::format("... {} more rows\n", study.table.rows.size() - n);
  return out;
}

std::string csv_table(const StudyFile& study) {
  std::string out;
  for (const record::Field& f : study.table.fields) out += (out.empty() ? "" : ",") + csv_text(f.name);
  out += "\n";
  for (const record::TableRow& row : study.table.rows) {
    for (std::size_t i = 0; i < row.size(); i++) out += (i == 0 ? "" : ",") + csv_text(cell_text(row[i], true));
    out += "\n";
  }
  return out;
}

void write_sqlite(const StudyFile& study, const std::string& file) {
  const SharedLibrary library("libsqlite3.so.0");
  // Of sqlite3.h, whose interface is promised to stay.
  const auto open = reinterpret_cast<int (*)(const char*, void**)>(library.symbol("sqlite3_open"));
  const auto exec = reinterpret_cast<int (*)(void*, const char*, void*, void*, char**)>(library.symbol("sqlite3_exec"));
  const auto close = reinterpret_cast<int (*)(void*)>(library.symbol("sqlite3_close"));
  const auto message = reinterpret_cast<const char* (*)(void*)>(library.symbol("sqlite3_errmsg"));
  const std::string place = place_for(file, sqlite_file).file, draft = fmt::format("{}.{}.part", place, getpid());
  std::error_code error;
  std::filesystem::remove(draft, error);
  void* base = nullptr;
  const auto check = [&](int code) {
    if (code == 0) return;
    const std::string why = base ? message(base) : "out of memory";
    close(base);
    std::filesystem::remove(draft, error);
    throw FileError(fmt::format("{}: cannot be written: {}: choose another place", file, why));
  };
  check(open(draft.c_str(), &base));
  std::string columns;
  for (const record::Field& f : study.table.fields) {
    const char* type = f.kind == record::FieldKind::Number  ? "REAL"
                       : f.kind == record::FieldKind::Count ? "INTEGER"
                                                            : "TEXT";
    columns += fmt::format("{}{} {}", columns.empty() ? "" : ",", sql_text(f.name, '"'), type);
  }
  check(exec(base, fmt::format("BEGIN; CREATE TABLE study ({});", columns).c_str(), nullptr, nullptr, nullptr));
  for (const record::TableRow& row : study.table.rows)
    check(exec(base, insert_text(row).c_str(), nullptr, nullptr, nullptr));
  check(exec(base, "COMMIT;", nullptr, nullptr, nullptr));
  check(close(base));
  std::filesystem::rename(draft, place, error);
  if (error) throw FileError(fmt::format("{}: {}: choose another place", file, error.message()));
}

}  // namespace sinew::study
