#include "sinew/control/legs/gait_table.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sinew/control/legs/step_cycle.h"
#include "sinew/math/check.h"

namespace sinew::legged {

int count_legs(LegSet set) { return std::popcount(set); }

std::array<LegSet, most_legs> neighbours_of(Neighbours graph, int rows) {
  SINEW_CHECK(rows >= 1 && 2 * rows <= most_legs, "neighbours_of: ", rows, " rows of legs of at most ", most_legs / 2);
  std::array<LegSet, most_legs> out{};
  const auto join = [&](int i, int k) {
    out[i] |= leg_bit(k);
    out[k] |= leg_bit(i);
  };
  for (int side = 0; side < 2; side++)
    for (int r = 0; r + 1 < rows; r++) join(side * rows + r, side * rows + r + 1);
  if (graph == Neighbours::Ring) {
    join(0, rows);
    join(rows - 1, 2 * rows - 1);
  }
  return out;
}

GaitTable gait_table(Gait gait, int rows) {
  GaitTable t;
  t.name = gait_names[int(gait)];
  t.legs = 2 * rows;
  t.neighbours = neighbours_of(gait == Gait::Gallop ? Neighbours::Chain : Neighbours::Ring, rows);
  for (int side = 0; side < 2; side++)
    for (int r = 0; r < rows; r++) {
      double& offset = t.offset[side * rows + r];
      const int from_rear = rows - 1 - r;
      switch (gait) {
        case Gait::Wave:
          offset = double(from_rear + side * rows) / (2 * rows);
          break;
        case Gait::Gallop:
          offset = double(from_rear) / rows;
          break;
        case Gait::Tripod:
          offset = (r + side) % 2 == 0 ? 0.0 : 0.5;
          break;
        case Gait::Ripple:
          offset = cycle_phase(double(from_rear) / rows + 0.5 * side);
          break;
        case Gait::Amble:
          offset = double(side == 0 ? r : from_rear) / rows;
          break;
      }
    }
  const int together = gait == Gait::Wave ? 1 : gait == Gait::Tripod ? rows : 2;
  t.tau = gait == Gait::Wave ? 1.0 / (2 * rows) : gait == Gait::Tripod ? 0.5 : 1.0 / rows;
  t.most_airborne = together;
  return t;
}

GaitTable free_gait_table(int rows) {
  GaitTable t = gait_table(Gait::Wave, rows);
  t.name = "free";
  t.free = true;
  t.most_airborne = std::max(1, rows - 1);
  t.tau = double(t.most_airborne) / (2 * rows);
  return t;
}

GaitTable gait_table(const GaitCounts& c, Neighbours graph) {
  const int legs = int(c.offset_multiplier.size());
  SINEW_CHECK(legs >= 2 && legs % 2 == 0 && legs <= most_legs && c.stance > 0 && c.swing > 0,
              "gait_table: stance and swing are above 0, and legs are pairs, at most ", most_legs, "; given: ", legs);
  GaitTable t;
  t.name = "own";
  t.legs = legs;
  const int period = c.stance + c.swing;
  t.tau = double(c.swing) / period;
  t.neighbours = neighbours_of(graph, legs / 2);
  for (int i = 0; i < legs; i++) {
    const int begin = c.phase_offset * c.offset_multiplier[i] % period;
    t.offset[i] = double(begin < 0 ? begin + period : begin) / period;
  }
  t.most_airborne = 1;
  for (int k = 0; k < 2 * period; k++)
    t.most_airborne = std::max(t.most_airborne, count_legs(airborne_at(t, (k + 0.5) / (2 * period))));
  return t;
}

LegSet airborne_at(const GaitTable& t, double Phi) {
  LegSet out = 0;
  for (int i = 0; i < t.legs; i++)
    if (cycle_phase(Phi - t.offset[i]) < t.tau - 1e-9) out |= leg_bit(i);
  return out;
}

std::string problem_of(const GaitTable& t) {
  if (t.legs < 2 || t.legs > most_legs) return "a gait is for 2 to 12 legs";
  if (!(t.tau > 0.0 && t.tau <= 0.5)) return "swing is a part of the period above 0 and at most 1/2";
  for (int i = 0; i < t.legs; i++) {
    if (!(t.offset[i] >= 0.0 && t.offset[i] < 1.0)) return "phase offsets are at least 0 and below 1";
    for (int k = 0; k < i && !t.free; k++) {
      if (!has_leg(t.neighbours[i], k)) continue;
      const double apart = cycle_phase(t.offset[i] - t.offset[k]), other = apart == 0.0 ? 0.0 : 1.0 - apart;
      if (std::min(apart, other) < t.tau - 1e-9)
        return "legs " + std::to_string(k + 1) + " and " + std::to_string(i + 1) +
               " are neighbours and in the air together";
    }
  }
  return {};
}

}  // namespace sinew::legged
