#include "robots/softbot/planform.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/elementary.h"

namespace sinew::robots {
namespace {

double interpolate(const std::vector<double>& s, const std::vector<double>& w, double at) {
  const auto above = std::ranges::upper_bound(s, at);
  if (above == s.begin()) return w.front();
  if (above == s.end()) return w.back();
  const auto i = std::size_t(above - s.begin());
  return w[i - 1] + (w[i] - w[i - 1]) * (at - s[i - 1]) / (s[i] - s[i - 1]);
}

// Integral of ds/w over the part [a, b] of a link, whose width is linear.
double compliance(const SheetLink& link, double a, double b) {
  const double difference = link.w_b - link.w_a;
  if (std::abs(difference) <= 1e-9 * std::max(link.w_a, link.w_b))
    return (b - a) * link.l / (0.5 * (link.w_a + link.w_b));
  return link.l / difference * math::log((link.w_a + difference * b) / (link.w_a + difference * a));
}

SheetLink trapezoid(const Sheet& sheet, double l, double w_a, double w_b) {
  SheetLink link{};
  link.l = l;
  link.w_a = w_a;
  link.w_b = w_b;
  const double sum = w_a + w_b, sheet_mass = sheet.density * sheet.thickness;  // of a square metre
  link.A = 0.5 * l * sum;
  link.m = sheet_mass * link.A;
  link.lc = l * (w_a + 2.0 * w_b) / (3.0 * sum);
  const double in_thickness = link.m * sheet.thickness * sheet.thickness / 12.0;
  const double along = sheet_mass * l * l * l * (w_a * w_a + 4.0 * w_a * w_b + w_b * w_b) / (36.0 * sum);
  const double across = sheet_mass * l * sum * (w_a * w_a + w_b * w_b) / 48.0;
  link.I = along + in_thickness;
  link.I_long = across + in_thickness;
  link.I_normal = along + across;
  return link;
}

double of_joint(const std::vector<double>& given, std::size_t i) { return given[given.size() == 1 ? 0 : i]; }

double stiffness_of(const Sheet& sheet, const std::vector<SheetLink>& links, std::size_t i) {
  if (!sheet.k.empty()) return of_joint(sheet.k, i);
  const double bending =
      sheet.E * sheet.thickness * sheet.thickness * sheet.thickness / 12.0 / (1.0 - sheet.nu * sheet.nu);
  if (sheet.stiffness == StiffnessRule::Simple) return bending * links[i].w_a / links[i].l;
  const double inner = i > 0 ? compliance(links[i - 1], 0.5, 1.0) : 0.0;
  return bending / (inner + compliance(links[i], 0.0, 0.5));
}

double damping_of(const Sheet& sheet, const SheetLink& link, std::size_t i) {
  if (!sheet.c.empty()) return of_joint(sheet.c, i);
  if (sheet.damping == DampingRule::Material) return sheet.tau_v * link.k;
  return 2.0 * sheet.zeta * std::sqrt(link.k * (link.I + link.m * link.lc * link.lc));
}

}  // namespace

double width(const Planform& form, double s) {
  const double beyond = (s - form.sm) / (1.0 - form.sm);
  switch (form.kind) {
    case PlanformKind::Rectangle:
      return form.w0;
    case PlanformKind::Diamond:
      return s <= form.sm ? form.wr + (form.wm - form.wr) * s / form.sm : form.wm + (form.wt - form.wm) * beyond;
    case PlanformKind::Petal: {
      if (s > form.sm) return form.wm * std::sqrt(std::max(1.0 - beyond * beyond, 0.0));
      const double rise = math::sin(0.5 * std::numbers::pi * s / form.sm);
      return form.wr + (form.wm - form.wr) * rise * rise;
    }
    default:
      return interpolate(form.table_s, form.table_w, s);
  }
}

double usual_widest_place(PlanformKind kind) { return kind == PlanformKind::Diamond ? 0.5 : 0.6; }

std::vector<SheetLink> links_of(const Sheet& sheet) {
  const int n = sheet.lengths.empty() ? sheet.n : int(sheet.lengths.size());
  std::vector<double> end(std::size_t(n) + 1, 0.0);
  for (int i = 0; i < n; i++)
    end[i + 1] = sheet.lengths.empty() ? sheet.length * (i + 1) / n : end[i] + sheet.lengths[i];
  std::vector<SheetLink> links;
  for (int i = 0; i < n; i++) {
    // the last place is 1 exactly: a petal has no width there
    const double a = end[i] / end[n], b = i + 1 == n ? 1.0 : end[i + 1] / end[n];
    const double l = sheet.lengths.empty() ? sheet.length / n : sheet.lengths[i];
    links.push_back(trapezoid(sheet, l, width(sheet.form, a), width(sheet.form, b)));
  }
  for (std::size_t i = 0; i < links.size(); i++) {
    links[i].k = stiffness_of(sheet, links, i);
    links[i].c = damping_of(sheet, links[i], i);
  }
  return links;
}

}  // namespace sinew::robots
