// Modes as functions of X, and values of drives.
#include "sinew/rod/soft_plan.h"

#include <numbers>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/math/ramp.h"

namespace sinew::rod {

double mode_value(const SoftMode& mode, double X) {
  SINEW_ASSERT(mode.begin <= mode.peak && mode.peak <= mode.end && mode.degree >= 0);
  if (X < mode.begin || X > mode.end) return 0.0;
  if (mode.shape == SoftMode::Shape::Hat) {
    if (X <= mode.peak) return mode.peak > mode.begin ? (X - mode.begin) / (mode.peak - mode.begin) : 1.0;
    return (mode.end - X) / (mode.end - mode.peak);
  }
  const double s = 2.0 * (X - mode.begin) / (mode.end - mode.begin) - 1.0;
  double before = 0.0, now = 1.0;
  for (int k = 0; k < mode.degree; k++) {
    const double next = ((2 * k + 1) * s * now - k * before) / (k + 1);
    before = now;
    now = next;
  }
  return now;
}

void add_legendre(std::vector<SoftMode>& modes, int component, const std::vector<double>& ends, int count) {
  SINEW_ASSERT(component >= 0 && component < 6 && count >= 1);
  double begin = 0.0;
  for (const double end : ends) {
    for (int k = 0; k < count; k++) modes.push_back({component, SoftMode::Shape::Legendre, k, begin, begin, end});
    begin = end;
  }
}

void add_pieces(std::vector<SoftMode>& modes, int component, const std::vector<double>& ends, int count) {
  SINEW_ASSERT(component >= 0 && component < 6 && count >= 1);
  double begin = 0.0;
  for (const double end : ends) {
    const double L = (end - begin) / count;
    for (int k = 0; k < count; k++)
      modes.push_back({component, SoftMode::Shape::Legendre, 0, begin + k * L, begin + k * L,
                       k + 1 == count ? end : begin + (k + 1) * L});
    begin = end;
  }
}

void add_hats(std::vector<SoftMode>& modes, int component, const std::vector<double>& ends, int count) {
  SINEW_ASSERT(component >= 0 && component < 6 && count >= 1);
  std::vector<double> nodes{0.0};
  double begin = 0.0;
  for (const double end : ends) {
    for (int k = 1; k <= count; k++) nodes.push_back(k == count ? end : begin + (end - begin) * k / count);
    begin = end;
  }
  const int last = int(nodes.size()) - 1;
  for (int k = 0; k <= last; k++)
    modes.push_back(
        {component, SoftMode::Shape::Hat, 0, nodes[k > 0 ? k - 1 : 0], nodes[k], nodes[k < last ? k + 1 : last]});
}

DriveValue drive_at(const SoftDrive& d, double t) {
  const auto [r, r1, r2] = ramp_at(t, d.ramp);
  if (d.swing == 0.0) return {r * d.value, r1 * d.value, r2 * d.value};
  const double w = 2.0 * std::numbers::pi * d.frequency;
  const double s = math::sin(w * t + d.phase), c = math::cos(w * t + d.phase);
  const double f = d.value + d.swing * s, f1 = d.swing * w * c, f2 = -d.swing * w * w * s;
  return {r * f, r1 * f + r * f1, r2 * f + 2.0 * r1 * f1 + r * f2};
}

}  // namespace sinew::rod
