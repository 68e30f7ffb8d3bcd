#include "sinew/figure/layout.h"

#include <algorithm>
#include <cmath>

#include "sinew/figure/text.h"

namespace sinew::figure {
namespace {

constexpr double box_width = 620.0, edge = 14.0;
constexpr double title_row = 24.0, subtitle_row = 18.0;
constexpr double axis_room = 52.0;  // below a box, for ticks and name of its axis

Extent x_data(const Panel& panel) {
  Extent data;
  for (const Curve& c : panel.curves)
    for (std::size_t i = 0; i < std::min(c.x.size(), c.y.size()); i++)
      if (is_drawn(c.y[i])) data.add(c.x[i]);
  return data;
}

Extent y_data(const Panel& panel) {
  Extent data;
  for (const Curve& c : panel.curves)
    for (std::size_t i = 0; i < std::min(c.x.size(), c.y.size()); i++)
      if (is_drawn(c.x[i])) data.add(c.y[i]);
  return data;
}

bool share_x(const Figure& figure) {
  return std::ranges::all_of(figure.panels, [&](const Panel& p) {
    return !p.equal_axes && p.x_names.empty() && p.x.label == figure.panels[0].x.label &&
           p.x.unit == figure.panels[0].x.unit;
  });
}

void widen(Extent& range, double span) {
  const double middle = 0.5 * (range.low + range.high);
  range = {middle - 0.5 * span, middle + 0.5 * span, false};
}

// The box is as high as the data is, within limits; what is left over widens a range.
void equalise(PanelLayout& panel) {
  panel.height = std::clamp(panel.width * panel.y.span() / panel.x.span(), 0.35 * panel.width, 0.9 * panel.width);
  const double per_pixel = std::max(panel.x.span() / panel.width, panel.y.span() / panel.height);
  widen(panel.x, per_pixel * panel.width);
  widen(panel.y, per_pixel * panel.height);
}

int legend_rows(const Panel& panel) {
  return int(std::ranges::count_if(panel.curves, [](const Curve& c) { return !c.label.empty(); }));
}

double legend_width(const Panel& panel) {
  double widest = 0.0;
  for (const Curve& curve : panel.curves) widest = std::max(widest, width_of(clean(curve.label), text_size));
  return widest > 0.0 ? edge + sample_width + 8.0 + widest : 0.0;
}

void name_ticks(const std::vector<std::string>& names, PanelLayout& out) {
  out.x = {0.5, double(names.size()) + 0.5, false};
  out.x_ticks = {};
  for (std::size_t i = 0; i < names.size(); i++) out.x_ticks.list.push_back({double(i) + 1.0, names[i]});
}

// The first name stands at the top.
void name_rows(const std::vector<std::string>& names, PanelLayout& out) {
  const double n = double(names.size());
  out.y = {0.5, n + 0.5, false};
  out.y_ticks = {};
  for (std::size_t i = 0; i < names.size(); i++) out.y_ticks.list.push_back({n - double(i), names[i]});
}

PanelLayout lay_out(const Panel& panel, const Extent& x, double height) {
  PanelLayout out;
  out.width = box_width;
  out.x = shown(x, panel.equal_axes ? 0.06 : 0.0);
  out.y = shown(y_data(panel), 0.06);
  out.height = std::max(height, legend_rows(panel) * row_height + 6.0);
  if (panel.equal_axes) equalise(out);
  out.x_ticks = panel.x.is_logarithm ? decade_ticks(out.x, 8) : ticks_of(out.x, 8);
  if (!panel.x_names.empty()) name_ticks(panel.x_names, out);
  out.y_ticks = ticks_of(out.y, std::max(3, int(out.height / 27.0)));
  if (!panel.y_names.empty()) name_rows(panel.y_names, out);
  out.x_text = axis_text(clean(panel.x.label), clean(panel.x.unit), out.x_ticks.exponent);
  out.y_text = axis_text(clean(panel.y.label), clean(panel.y.unit), out.y_ticks.exponent);
  // its name is written along the axis and must not be longer
  const double needed = width_of(out.y_text, text_size) + 6.0;
  if (needed > out.height && !panel.equal_axes) return lay_out(panel, x, needed);
  return out;
}

}  // namespace

Layout lay_out(const Figure& figure) {
  const bool shared = share_x(figure);
  Extent all_x;
  for (const Panel& p : figure.panels) {
    const Extent x = x_data(p);
    if (!x.empty) {
      all_x.add(x.low);
      all_x.add(x.high);
    }
  }
  Layout out;
  double left = 0.0, right = 24.0;  // half of a last tick's text hangs over
  for (const Panel& p : figure.panels) {
    PanelLayout panel = lay_out(p, shared ? all_x : x_data(p), figure.panels.size() == 1 ? 300.0 : 180.0);
    double tick = 0.0;
    for (const Tick& t : panel.y_ticks.list) tick = std::max(tick, width_of(t.text, tick_size));
    left = std::max(left, edge + text_size + 12.0 + tick + 8.0);
    right = std::max(right, legend_width(p) + edge);
    if (shared && &p != &figure.panels.back()) panel.x_text.clear();
    out.panels.push_back(std::move(panel));
  }
  out.width = std::ceil(left + box_width + right);
  out.title = wrap(clean(figure.title), title_size * 1.1, out.width - 2 * edge);  // bold is wider
  out.subtitle = wrap(clean(figure.subtitle), text_size, out.width - 2 * edge);
  double y = edge + double(out.title.size()) * title_row + double(out.subtitle.size()) * subtitle_row;
  for (PanelLayout& panel : out.panels) {
    panel.left = left;
    panel.top = y + 8.0;
    y = panel.top + panel.height + (panel.x_text.empty() && &panel != &out.panels.back() ? 6.0 : axis_room);
  }
  out.height = std::ceil(y + 4.0);
  return out;
}

}  // namespace sinew::figure
