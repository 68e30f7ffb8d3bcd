#include "sinew/control/legs/ground_profile.h"

#include <algorithm>
#include <cmath>

#include "sinew/control/legs/climbing.h"
#include "sinew/math/elementary.h"

namespace sinew::legged {
namespace {

constexpr double heaviest = 2000.0;  // of all views of a cell together
constexpr int window = 4;            // cells on either side over which a slope is taken
constexpr int most_reach = 40;       // cells of a clearance

double profile_cell(double x) { return std::floor(x / GroundProfile::length); }
std::size_t profile_slot(double cell) {
  return std::size_t(cell - std::floor(cell / GroundProfile::cells) * GroundProfile::cells);
}

// Z of the middles of all cells; NaN where nothing is known.
struct RolledGround {
  double first = 0.0;
  std::array<double, GroundProfile::cells> Z;

  RolledGround(const GroundProfile& g, double c) : first(g.first) {
    std::array<double, most_reach + 1> drop;
    const int reach = std::min(most_reach, int(c / GroundProfile::length));
    for (int k = 0; k <= reach; k++)
      drop[std::size_t(k)] = std::sqrt(c * c - GroundProfile::length * GroundProfile::length * k * k);
    Z.fill(-INFINITY);
    for (int i = 0; i < GroundProfile::cells; i++) {
      const std::size_t at = profile_slot(first + i);
      if (g.weight[at] == 0.0) continue;
      for (int j = std::max(0, i - reach); j <= std::min(GroundProfile::cells - 1, i + reach); j++)
        Z[std::size_t(j)] = std::max(Z[std::size_t(j)], g.z[at] + drop[std::size_t(std::abs(j - i))]);
    }
    for (int i = 0; i < GroundProfile::cells; i++)
      if (g.weight[profile_slot(first + i)] == 0.0) Z[std::size_t(i)] = NAN;
  }
  // Of the cell in which x lies and the next: middles are at whole numbers of u.
  double place(double x, int& cell) const {
    const double u = x / GroundProfile::length - 0.5 - first;
    cell = int(std::floor(std::clamp(u, 0.0, GroundProfile::cells - 2.0)));
    return u - cell;
  }
  double height(double x) const {
    int i = 0;
    const double part = place(x, i);
    return (1.0 - part) * Z[std::size_t(i)] + part * Z[std::size_t(i) + 1];
  }
  double rate(int middle) const {
    double n = 0.0, x = 0.0, z = 0.0, xx = 0.0, xz = 0.0;
    for (int k = -window; k <= window; k++) {
      const int i = middle + k;
      if (i < 0 || i >= GroundProfile::cells || std::isnan(Z[std::size_t(i)])) continue;
      n += 1.0;
      x += k;
      z += Z[std::size_t(i)];
      xx += double(k) * k;
      xz += k * Z[std::size_t(i)];
    }
    if (n < window) return NAN;
    return (n * xz - x * z) / ((n * xx - x * x) * GroundProfile::length);
  }
  double slope(double x) const {
    int i = 0;
    const double part = place(x, i);
    return math::atan((1.0 - part) * rate(i) + part * rate(i + 1));
  }
};

}  // namespace

double Hump::z(double x) const {
  const double off = x - top, below = radius - height;
  const double square = radius * radius - off * off;
  return square > below * below ? std::sqrt(square) - below : 0.0;
}

void GroundProfile::move_to(double rear) {
  if (!std::isfinite(rear)) return;  // of a run that diverges
  const double now = profile_cell(rear);
  if (begun == 0.0 || now > first + cells || now < first - cells) {
    weight.fill(0.0);
    first = now;
    begun = 1.0;
  }
  for (; first < now; first += 1.0) weight[profile_slot(first)] = 0.0;  // becomes the foremost
  for (; first > now; first -= 1.0) weight[profile_slot(first - 1.0)] = 0.0;
}

void GroundProfile::see(double x, double height, double with_weight) {
  const double cell = profile_cell(x);
  if (begun == 0.0 || !(cell >= first && cell < first + cells) || !(with_weight > 0.0)) return;
  const std::size_t at = profile_slot(cell);
  const double old = std::min(weight[at], heaviest);
  z[at] = weight[at] == 0.0 ? height : z[at] + (height - z[at]) * (with_weight / (old + with_weight));
  weight[at] = old + with_weight;
}

void GroundProfile::put(double x, double height) {
  const double cell = profile_cell(x);
  if (begun == 0.0 || !(cell >= first && cell < first + cells)) return;
  z[profile_slot(cell)] = height;
  weight[profile_slot(cell)] = 1.0;
}

bool GroundProfile::height_at(double x, double& height) const {
  const double cell = profile_cell(x);
  if (begun == 0.0 || !(cell >= first && cell < first + cells)) return false;
  const std::size_t at = profile_slot(cell);
  if (weight[at] == 0.0) return false;
  height = z[at];
  return true;
}

bool lie_over_ground(const GroundProfile& ground, const SegmentedBody& body, double x, double clearance,
                     BodyOverGround& out) {
  if (ground.begun == 0.0 || !std::isfinite(x)) return false;
  const RolledGround rolled(ground, clearance);
  const int middle = body.middle();
  const double d = body.spacing();
  BodyOverGround seen;
  seen.rise = rolled.height(x) - clearance;
  seen.slope[std::size_t(middle)] = rolled.slope(x);
  for (const int side : {-1, 1}) {  // segments are counted from the front
    double from = x, z = rolled.height(x);
    for (int j = middle + side; j >= 0 && j < body.segments; j += side) {
      double to = from - side * d;
      for (int k = 0; k < 3; k++) {
        const double climb = rolled.height(to) - z;
        if (std::isnan(climb)) return false;
        to = from - side * std::sqrt(std::max(0.0, d * d - climb * climb));
      }
      from = to;
      z = rolled.height(to);
      const double here = rolled.slope(to), inner = seen.slope[std::size_t(j - side)];
      seen.slope[std::size_t(j)] = here;
      seen.hinge[std::size_t(j)] = side < 0 ? hinge_on_ground(here, inner) : hinge_on_ground(inner, here);
    }
  }
  double sum = seen.rise;
  for (int j = 0; j < body.segments; j++) sum += seen.slope[std::size_t(j)];
  if (!std::isfinite(sum)) return false;
  out = seen;
  return true;
}

}  // namespace sinew::legged
