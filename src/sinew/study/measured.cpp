#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "sinew/record/arrays.h"
#include "sinew/record/json_rows.h"
#include "sinew/record/mcap_reader.h"
#include "sinew/record/reader.h"
#include "sinew/record/tensor.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"
#include "sinew/study/identify.h"
#include "sinew/text/document.h"

namespace sinew::study {
namespace {

std::vector<std::string> cells_in(const std::string& line) {
  std::vector<std::string> out;
  std::string cell;
  for (const char c : line) {
    if (c == ',' || c == ';' || c == '\t') {
      out.push_back(std::exchange(cell, {}));
    } else if (c != '\r' && c != '"' && !(c == ' ' && cell.empty())) {
      cell += c;
    }
  }
  out.push_back(cell);
  for (std::string& one : out) one.erase(one.find_last_not_of(' ') + 1);
  return out;
}

bool is_number(const std::string& cell) {
  bool is_one = false;
  parse_number(cell, is_one);
  return is_one;
}

// The first line: names, or numbers: then columns are called 1, 2, ...
std::vector<std::string> names_in(const std::string& line, bool& has_names) {
  std::vector<std::string> names = cells_in(line);
  has_names = !std::ranges::all_of(names, is_number);
  for (std::size_t c = 0; !has_names && c < names.size(); c++) names[c] = fmt::format("{}", c + 1);
  return names;
}

std::size_t place_of_time(const Measured& data, const std::string& time) {
  const auto at = std::ranges::find(data.names, time);
  if (at == data.names.end())
    throw InputError(
        fmt::format("{}:1: no column {}: name the one of the times with --time, or give --rate; there are {}",
                    data.file, time, sim::join(data.names)));
  return std::size_t(at - data.names.begin());
}

Measured read_csv(const std::string& file, const MeasuredOptions& options) {
  std::istringstream lines(text::read_text(file));
  std::string line;
  std::getline(lines, line);
  bool has_names = true;
  Measured out{file, {}, names_in(line, has_names), {}};
  const std::size_t t = options.rate > 0.0 ? out.names.size() : place_of_time(out, options.time);
  out.values.resize(out.names.size());
  for (int number = has_names ? 2 : 1; number == 1 || std::getline(lines, line); number++) {
    if (line.empty() || line == "\r") continue;
    const std::vector<std::string> cells = cells_in(line);
    if (cells.size() != out.names.size())
      throw InputError(
          fmt::format("{}:{}: {} cells, the first line has {}", file, number, cells.size(), out.names.size()));
    for (std::size_t c = 0; c < cells.size(); c++) {
      bool is_one = false;
      double x = parse_number(cells[c], is_one);
      if (!is_one && (c == t || !(cells[c].empty() || cells[c] == "nan" || cells[c] == "NaN")))
        throw InputError(fmt::format("{}:{}: {} is no number: {} takes numbers, or nothing where one is missing", file,
                                     number, cells[c], out.names[c]));
      out.values[c].push_back(is_one ? x : std::numeric_limits<double>::quiet_NaN());
    }
  }
  if (t < out.names.size()) {
    out.t = out.values[t];
  } else {
    for (std::size_t i = 0; i < out.values[0].size(); i++) out.t.push_back(double(i) / options.rate);
  }
  return out;
}

Measured read_recording(const std::string& file) {
  const record::Reader reader(file);
  Measured out{file, {}, {}, {}};
  for (std::size_t c = 0; c < reader.columns().size(); c++) {
    out.names.push_back(reader.columns()[c].name);
    out.values.push_back(reader.read(c));
  }
  out.t = out.values[0];
  return out;
}

Measured measured(const std::string& file, record::TimedTable table) {
  return {file, std::move(table.t), std::move(table.names), std::move(table.values)};
}

// A row each, columns by number.
Measured read_pt(const std::string& file, const MeasuredOptions& options) {
  const record::Tensor tensor = record::read_tensor(file);
  Measured out{file, {}, {}, {}};
  for (std::size_t c = 0; c < tensor.columns; c++) {
    out.names.push_back(fmt::format("{}", c + 1));
    out.values.emplace_back();
    for (std::size_t i = 0; i < tensor.rows; i++) out.values[c].push_back(tensor.values[i * tensor.columns + c]);
  }
  if (options.rate > 0.0) {
    for (std::size_t i = 0; i < tensor.rows; i++) out.t.push_back(double(i) / options.rate);
  } else {
    out.t = out.values[place_of_time(out, options.time)];
  }
  return out;
}

Measured read_any(const std::string& file, const MeasuredOptions& options) {
  const bool hdf5 = file.ends_with(".h5") || file.ends_with(".hdf5"), own = hdf5 && record::is_recording(file);
  if (options.rate > 0.0 && (own || file.ends_with(".mcap")))
    throw InputError(fmt::format("--rate: {} has times of its own: it is for tables and logs without", file));
  if (own) return read_recording(file);
  if (hdf5) return measured(file, record::read_arrays(file, options.time, options.rate));
  if (file.ends_with(".pt")) return read_pt(file, options);
  if (file.ends_with(".mcap")) return measured(file, record::read_mcap(file));
  if (file.ends_with(".json")) return measured(file, record::read_json_log(file, options.time, options.rate));
  return read_csv(file, options);
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string parameter_rows(const Identified& found) {
  std::string out;
  for (std::size_t i = 0; i < found.unknowns.size(); i++) {
    const Unknown& u = found.unknowns[i];
    const double at = found.fit.at[i], deviation = found.fit.deviation[i];
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{:.6g}</td><td><b>{:.8g}</b></td><td>{:.3g}</td><td>{:.6g} to {:.6g}</td>"
        "<td>{:.4g} to {:.4g}{}</td></tr>\n",
        escaped(u.name), escaped(found.units[i]), u.start, at, deviation, at - 1.96 * deviation, at + 1.96 * deviation,
        u.low, u.high, found.fit.at_bound[i] ? ", <b>at it</b>" : "");
  }
  return out;
}

// A matrix over the parameters.
template <class Text>
std::string matrix_rows(const Identified& found, const Matrix& m, const Text& text) {
  std::string out = "<tr><th></th>";
  for (const Unknown& u : found.unknowns) out += fmt::format("<th>{}</th>", escaped(u.name));
  out += "</tr>\n";
  for (int i = 0; i < m.rows; i++) {
    out += fmt::format("<tr><th>{}</th>", escaped(found.unknowns[std::size_t(i)].name));
    for (int j = 0; j < m.cols; j++) out += fmt::format("<td>{}</td>", text(m(i, j)));
    out += "</tr>\n";
  }
  return out;
}

std::string correlation_rows(const Identified& found) {
  return matrix_rows(found, found.fit.correlation, [](double x) { return fmt::format("{:.3f}", x); });
}

std::string covariance_rows(const Identified& found) {
  return matrix_rows(found, found.fit.covariance, [](double x) { return fmt::format("{:.4g}", x); });
}

}  // namespace

bool has_numbers(const std::vector<double>& column) {
  return std::ranges::any_of(column, [](double y) { return std::isfinite(y); });
}

bool never_changes(const std::vector<double>& column) {
  const auto is_one = [](double y) { return std::isfinite(y); };
  const auto first = std::ranges::find_if(column, is_one);
  return std::all_of(first, column.end(), [&](double y) { return !is_one(y) || y == *first; });
}

double deviation_of(const std::vector<double>& column) {
  double sum = 0.0, squares = 0.0, n = 0.0;
  for (const double y : column) {
    if (!std::isfinite(y)) continue;
    sum += y;
    n += 1.0;
  }
  for (const double y : column)
    if (std::isfinite(y)) squares += (y - sum / n) * (y - sum / n);
  return n > 0.0 ? std::sqrt(squares / n) : 0.0;
}

bool is_own_account(const std::string& signal) {
  return signal.starts_with("energy.") || signal.starts_with("solver.") || signal.starts_with("contacts.") ||
         signal == "loops.gap";
}

Measured read_measured(const std::string& file, const MeasuredOptions& options) {
  Measured out = read_any(file, options);
  if (out.t.size() < 2) throw InputError(fmt::format("{}: {} rows: data has two or more", file, out.t.size()));
  for (std::size_t i = 0; i < out.t.size(); i++)
    if (!(out.t[i] >= 0.0) || (i > 0 && !(out.t[i] > out.t[i - 1])))
      throw InputError(fmt::format("{}: row {}: the time is {} s: times begin at 0, the start of a run, and grow", file,
                                   i + 1, out.t[i]));
  return out;
}

std::string report_page(const Identified& found, const Source& source, const Measured& data,
                        const std::string& picture) {
  std::string doubts, signals;
  for (const std::string& doubt : found.fit.doubts) doubts += fmt::format("<li>{}</li>\n", escaped(doubt));
  if (doubts.empty()) doubts = "<li>none: each parameter shows in the data by itself</li>\n";
  for (const FittedSignal& s : found.signals)
    signals += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.4g}</td></tr>\n", escaped(s.name),
                           escaped(s.unit), s.count, s.rms);
  for (const std::string& name : found.left_out)
    signals += fmt::format(
        "<tr><td>{}</td><td colspan=\"3\">not compared: it never changes, or is the simulation's own "
        "account</td></tr>\n",
        escaped(name));
  return fmt::format(R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>identify {0}</title>
<style>body{{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}}table{{border-collapse:collapse}}
td,th{{border:1px solid #bbb;padding:.2em .6em;text-align:left}}svg{{max-width:100%;height:auto}}</style></head><body>
<h1>{0}</h1>
<p>Fitted to {1}: {2} numbers, {3} iterations, {4}. The sum of squares is {5:.6g}, the variance of a residual {6:.4g}.</p>
<h2>Parameters</h2>
<table><tr><th>key</th><th>unit</th><th>start</th><th>found</th><th>deviation</th><th>95 %</th><th>range</th></tr>
{7}</table>
<h2>Correlation of their errors</h2>
<table>{8}</table>
<h2>Their covariance</h2>
<p>In products of the units above.</p>
<table>{12}</table>
<h2>What cannot be told apart</h2>
<ul>{9}</ul>
<h2>What the fit leaves</h2>
<table><tr><th>signal</th><th>unit</th><th>numbers</th><th>root of the mean square</th></tr>
{10}</table>
{11}
</body></html>
)",
                     escaped(source.name), escaped(data.file), found.fit.residuals, found.fit.iterations,
                     found.fit.converged ? "converged" : "not converged", found.fit.sum, found.fit.variance,
                     parameter_rows(found), correlation_rows(found), doubts, signals, picture, covariance_rows(found));
}

}  // namespace sinew::study
