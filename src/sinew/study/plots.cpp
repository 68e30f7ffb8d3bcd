#include "sinew/study/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "sinew/math/elementary.h"
#include "sinew/sim/errors.h"

namespace sinew::study {
namespace {

constexpr std::size_t most_fields = 40'000, most_curves = 24, most_lines = 5'000;

// What a picture does with runs that failed or were not certified.
enum class BadRuns { left_out, not_held };

figure::Figure begin_figure(const StudyFile& study, const std::string& title, BadRuns bad_runs = BadRuns::left_out) {
  figure::Figure out;
  out.title = title;
  const std::vector<bool> good = good_rows(study);
  const auto bad = std::ranges::count(good, false);
  out.subtitle = fmt::format("{}, {} runs", study.about.source.name, good.size());
  if (bad > 0 && bad_runs == BadRuns::left_out)
    out.subtitle += fmt::format(", without {} that failed or were not certified", bad);
  if (bad > 0 && bad_runs == BadRuns::not_held)
    out.subtitle += fmt::format(", {} of them failed or not certified: taken as not held", bad);
  return out;
}

// Rows that count: good, and with a number in every column.
std::vector<std::size_t> rows_with(const StudyFile& study, std::initializer_list<const NumberColumn*> columns) {
  const std::vector<bool> good = good_rows(study);
  std::vector<std::size_t> out;
  for (std::size_t r = 0; r < good.size(); r++) {
    const auto there = [&](const NumberColumn* c) { return std::isfinite(c->values[r]); };
    if (good[r] && std::ranges::all_of(columns, there)) out.push_back(r);
  }
  return out;
}

struct Mean {
  double sum = 0.0;
  int n = 0;
  void add(double x) {
    sum += x;
    n++;
  }
  double value() const { return sum / n; }
};

// Edges half way between neighbours.
std::vector<double> edges_of(const std::vector<double>& centres) {
  std::vector<double> out;
  const std::size_t n = centres.size();
  const double first = n > 1 ? centres[1] - centres[0] : 1.0, last = n > 1 ? centres[n - 1] - centres[n - 2] : 1.0;
  out.push_back(centres[0] - 0.5 * first);
  for (std::size_t i = 1; i < n; i++) out.push_back(0.5 * (centres[i - 1] + centres[i]));
  out.push_back(centres[n - 1] + 0.5 * last);
  return out;
}

std::vector<double> distinct(const std::set<double>& values) { return {values.begin(), values.end()}; }

void add_scale(double low, double high, const NumberColumn& z, figure::Panel& panel) {
  constexpr int entries = 7;
  for (int i = entries - 1; i >= 0; i--) {
    const double u = double(i) / (entries - 1);
    figure::Curve entry{fmt::format("{:.4g}{}", low + u * (high - low),
                                    i == entries - 1 && !z.unit.empty() && z.unit != "1" ? " " + z.unit : ""),
                        {},
                        {},
                        true,
                        shade_of(u)};
    panel.curves.push_back(std::move(entry));
  }
}

struct Span {
  double low = INFINITY, high = -INFINITY;
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  double share(double x) const { return high > low ? (x - low) / (high - low) : 0.5; }
};

std::string needs_rows(const char* option) { return fmt::format("{}: no run of the study has these numbers", option); }

// "mu_long = 0.1, n = 4" of all keys but some.
std::string others_of(const StudyFile& study, std::size_t row, const std::vector<std::string>& but) {
  std::string out;
  const std::vector<std::string> names = axis_names(study);
  const Row r = row_of(study.table.rows[row], names.size());
  for (std::size_t a = 0; a < names.size(); a++) {
    if (std::ranges::find(but, names[a]) != but.end()) continue;
    const Value& v = r.trial.point[a];
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", names[a],
                       v.text.empty() ? fmt::format("{:.6g}", v.number) : v.text);
  }
  return out;
}

}  // namespace

// Anchors of viridis (van der Walt and Smith, 2015), told apart by all eyes and in grey print.
std::string shade_of(double u) {
  static constexpr std::array<std::array<double, 3>, 6> anchors{
      {{68, 1, 84}, {65, 68, 135}, {42, 120, 142}, {34, 168, 132}, {122, 209, 81}, {253, 231, 37}}};
  const double at = std::clamp(std::isfinite(u) ? u : 0.0, 0.0, 1.0) * double(anchors.size() - 1);
  const std::size_t i = std::min(std::size_t(at), anchors.size() - 2);
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; c++)
    rgb[c] = int(std::lround(anchors[i][c] + (at - double(i)) * (anchors[i + 1][c] - anchors[i][c])));
  return fmt::format("#{:02X}{:02X}{:02X}", rgb[0], rgb[1], rgb[2]);
}

figure::Figure plot_heatmap(const StudyFile& study, const std::string& x, const std::string& y, const std::string& z) {
  const NumberColumn a = column_of(study, x, "--heatmap"), b = column_of(study, y, "--heatmap"),
                     c = column_of(study, z, "--heatmap");
  std::map<std::pair<double, double>, Mean> fields;
  std::set<double> xs, ys;
  for (const std::size_t r : rows_with(study, {&a, &b, &c})) {
    fields[{a.values[r], b.values[r]}].add(c.values[r]);
    xs.insert(a.values[r]);
    ys.insert(b.values[r]);
  }
  if (fields.empty()) throw InputError(needs_rows("--heatmap"));
  if (fields.size() > most_fields) throw InputError(fmt::format("--heatmap: more than {} fields", most_fields));
  Span span;
  for (const auto& [at, mean] : fields) span.add(mean.value());
  figure::Figure out = begin_figure(study, z);
  figure::Panel panel{{x, a.unit}, {y, b.unit}, {}};
  const std::vector<double> cx = distinct(xs), cy = distinct(ys), ex = edges_of(cx), ey = edges_of(cy);
  add_scale(span.low, span.high, c, panel);
  for (const auto& [at, mean] : fields) {
    const auto i = std::size_t(std::ranges::lower_bound(cx, at.first) - cx.begin());
    const auto k = std::size_t(std::ranges::lower_bound(cy, at.second) - cy.begin());
    panel.curves.push_back({"",
                            {ex[i], ex[i + 1], ex[i + 1], ex[i], ex[i]},
                            {ey[k], ey[k], ey[k + 1], ey[k + 1], ey[k]},
                            true,
                            shade_of(span.share(mean.value()))});
  }
  out.panels.push_back(std::move(panel));
  return out;
}

figure::Figure plot_lines(const StudyFile& study, const std::string& x, const std::string& y) {
  const NumberColumn a = column_of(study, x, "--lines"), b = column_of(study, y, "--lines");
  std::vector<std::string> order;
  std::map<std::string, std::map<double, Mean>> curves;
  for (const std::size_t r : rows_with(study, {&a, &b})) {
    const std::string label = others_of(study, r, {x});
    if (!curves.contains(label)) order.push_back(label);
    curves[label][a.values[r]].add(b.values[r]);
  }
  if (curves.empty()) throw InputError(needs_rows("--lines"));
  if (curves.size() > most_curves)
    throw InputError(
        fmt::format("--lines: {} curves, for the other keys vary as well: at most {}: take --heatmap or "
                    "--parallel",
                    curves.size(), most_curves));
  figure::Figure out = begin_figure(study, fmt::format("{} over {}", y, x));
  figure::Panel panel{{x, a.unit}, {y, b.unit}, {}};
  for (const std::string& label : order) {
    figure::Curve curve{label, {}, {}};
    for (const auto& [at, mean] : curves[label]) {
      curve.x.push_back(at);
      curve.y.push_back(mean.value());
    }
    panel.curves.push_back(std::move(curve));
  }
  out.panels.push_back(std::move(panel));
  return out;
}

namespace {

// Of one direction: radii, and whether all runs with them hold.
double largest_held(const std::map<double, bool>& held) {
  double out = 0.0;
  for (const auto& [radius, holds] : held) {
    if (!holds) break;
    out = radius;
  }
  return out;
}

// 1, 2 or 5 times a power of ten: two to five rings.
double ring_step(double largest) {
  double ten = 1.0;
  if (!(largest > 0.0) || !std::isfinite(largest)) return ten;
  while (ten > largest) ten *= 0.1;
  while (10.0 * ten <= largest) ten *= 10.0;
  return largest < 2.0 * ten ? 0.5 * ten : largest < 5.0 * ten ? ten : 2.0 * ten;
}

// A thin circle, so that the eye has a measure.
figure::Curve ring_of(double radius) {
  figure::Curve out{"", {}, {}, false, "#C8C8C8"};
  for (int k = 0; k <= 72; k++) {
    out.x.push_back(radius * math::cos(k * std::numbers::pi / 36.0));
    out.y.push_back(radius * math::sin(k * std::numbers::pi / 36.0));
  }
  return out;
}

}  // namespace

figure::Figure plot_polar(const StudyFile& study, const std::string& angle, const std::string& radius,
                          const std::string& condition) {
  const NumberColumn a = column_of(study, angle, "--polar"), r = column_of(study, radius, "--polar");
  const Condition holds(condition, "--polar");
  std::map<std::string, NumberColumn> used;
  for (const std::string& name : holds.names()) used[name] = column_of(study, name, "--polar");
  std::vector<std::string> order;
  std::map<std::string, std::map<double, std::map<double, bool>>> curves;
  const std::vector<bool> good = good_rows(study);
  for (std::size_t row = 0; row < good.size(); row++) {
    if (!std::isfinite(a.values[row]) || !std::isfinite(r.values[row])) continue;
    const bool is_held =
        good[row] && holds.missed_by([&](const std::string& name) { return used[name].values[row]; }) == 0.0;
    const std::string label = others_of(study, row, {angle, radius});
    if (!curves.contains(label)) order.push_back(label);
    auto [at, is_new] = curves[label][a.values[row]].try_emplace(r.values[row], is_held);
    if (!is_new) at->second = at->second && is_held;
  }
  if (curves.empty()) throw InputError(needs_rows("--polar"));
  if (curves.size() > most_curves) throw InputError(fmt::format("--polar: more than {} curves", most_curves));
  const double turn = angle.ends_with("_deg") || a.unit == "deg" ? std::numbers::pi / 180.0 : 1.0;
  figure::Figure out =
      begin_figure(study, fmt::format("largest {} with {}, by {}", radius, condition, angle), BadRuns::not_held);
  figure::Panel panel{
      {fmt::format("{} along 0", radius), r.unit}, {fmt::format("{} along 90 deg", radius), r.unit}, {}};
  panel.equal_axes = true;
  double largest = 0.0;
  for (const std::string& label : order) {
    figure::Curve curve{label.empty() ? "runs" : label, {}, {}};
    for (const auto& [at, held] : curves[label]) {
      const double far = largest_held(held);
      largest = std::max(largest, far);
      curve.x.push_back(far * math::cos(at * turn));
      curve.y.push_back(far * math::sin(at * turn));
    }
    curve.x.push_back(curve.x.front());
    curve.y.push_back(curve.y.front());
    panel.curves.push_back(std::move(curve));
  }
  for (double at = ring_step(largest); at < largest + 0.5 * ring_step(largest); at += ring_step(largest))
    panel.curves.push_back(ring_of(at));
  out.panels.push_back(std::move(panel));
  return out;
}

figure::Figure plot_parallel(const StudyFile& study, std::vector<std::string> names) {
  if (names.empty()) {
    for (const std::string& axis : axis_names(study))
      if (std::ranges::find(study.table.fields, axis, &record::Field::name)->kind == record::FieldKind::Number)
        names.push_back(axis);
    for (const std::string& result : result_names(study)) {
      names.push_back(result);
      break;
    }
  }
  if (names.size() < 2) throw InputError("--parallel: it needs two columns or more: name them, separated by commas");
  std::vector<NumberColumn> columns;
  for (const std::string& name : names) columns.push_back(column_of(study, name, "--parallel"));
  std::vector<Span> spans(columns.size());
  const std::vector<std::size_t> rows = rows_with(study, {&columns.back()});
  for (std::size_t c = 0; c < columns.size(); c++)
    for (const std::size_t r : rows)
      if (std::isfinite(columns[c].values[r])) spans[c].add(columns[c].values[r]);
  if (rows.empty()) throw InputError(needs_rows("--parallel"));
  if (rows.size() > most_lines) throw InputError(fmt::format("--parallel: more than {} runs", most_lines));
  figure::Figure out = begin_figure(study, fmt::format("{} by all that varies", names.back()));
  figure::Panel panel{{"", ""}, {"share of its range", "1"}, {}};
  for (std::size_t c = 0; c < columns.size(); c++)
    panel.x_names.push_back(fmt::format("{} {:.3g} to {:.3g}", names[c], spans[c].low, spans[c].high));
  add_scale(spans.back().low, spans.back().high, columns.back(), panel);
  for (const std::size_t r : rows) {
    figure::Curve curve{"", {}, {}, false, shade_of(spans.back().share(columns.back().values[r]))};
    for (std::size_t c = 0; c < columns.size(); c++) {
      curve.x.push_back(double(c) + 1.0);
      curve.y.push_back(spans[c].share(columns[c].values[r]));
    }
    panel.curves.push_back(std::move(curve));
  }
  out.panels.push_back(std::move(panel));
  return out;
}

figure::Figure plot_points(const StudyFile& study, const std::string& x, const std::string& y) {
  const NumberColumn a = column_of(study, x, "--points"), b = column_of(study, y, "--points");
  figure::Figure out = begin_figure(study, fmt::format("{} against {}", y, x));
  figure::Panel panel{{x, a.unit}, {y, b.unit}, {}};
  figure::Curve curve{"runs", {}, {}, false, {}, true};
  for (const std::size_t r : rows_with(study, {&a, &b})) {
    curve.x.push_back(a.values[r]);
    curve.y.push_back(b.values[r]);
  }
  if (curve.x.empty()) throw InputError(needs_rows("--points"));
  panel.curves.push_back(std::move(curve));
  out.panels.push_back(std::move(panel));
  return out;
}

figure::Figure plot_study(const StudyFile& study, const std::string& result) {
  const std::vector<std::string> axes = axis_names(study), results = result_names(study);
  if (result.empty() && results.empty()) throw InputError("plot: the study has no result");
  const std::string z = result.empty() ? results[0] : result;
  std::vector<std::string> numbers;
  for (const std::string& axis : axes)
    if (std::ranges::find(study.table.fields, axis, &record::Field::name)->kind == record::FieldKind::Number)
      numbers.push_back(axis);
  if (axes.empty()) return plot_points(study, "row", z);
  if (numbers.size() == 1 && axes.size() <= 2) return plot_lines(study, numbers[0], z);
  if (numbers.size() == 2 && axes.size() == 2 && study.about.plan.sampling == Sampling::Grid)
    return plot_heatmap(study, numbers[0], numbers[1], z);
  if (numbers.empty()) return plot_points(study, "row", z);
  numbers.push_back(z);
  return plot_parallel(study, numbers);
}

}  // namespace sinew::study
