// Frames, mass centre, forces, climbing.
#include "robots/hexapod/measure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "robots/hexapod/thesis_axes.h"
#include "sinew/control/legs/climbing.h"
#include "sinew/control/legs/com_shift.h"
#include "sinew/control/legs/support_polygon.h"
#include "sinew/control/legs/vertical_forces.h"

namespace sinew::robots {

using namespace legged;

BodyPose HexapodBenchInput::pose() const {
  BodyPose out;
  out.o = from_thesis(0.0, body.foot_radius + body.hip_height, 0.0);
  out.heading = heading;
  out.pitch_up = pitch_up;
  out.roll = roll;
  if (body.middle() > 0) out.hinge[body.middle() - 1] = {front[0], front[1]};
  if (body.middle() + 1 < body.segments) out.hinge[body.middle() + 1] = {rear[0], rear[1]};
  return out;
}

namespace {

std::vector<double> list_of(const Vec3d& q) { return {q[0], q[1], q[2]}; }

// Joint angles of feet at neutral points + shift, all in R; false: one is out of reach.
bool stand_on(const HexapodBenchInput& in, const std::array<Vec3d, most_legs>& shift, std::array<Vec3d, most_legs>& q) {
  BodyPose pose = in.pose();
  const Vec3d to_ground = pose.o;
  for (int i = 0; i < in.legs(); i++) {
    const Vec3d p = to_ground + in.body.neutral(i) + shift[i];
    if (reach_for(in.body.leg_of(i), world_to_leg(in.body, pose, i, p), q[i]) != Reach::Good) return false;
  }
  return true;
}

double weight_of(const HexapodBenchInput& in) { return in.body.mass() * in.g; }

}  // namespace

void measure_leg(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const YawLeg& leg = in.body.leg;
  Vec3d q(NAN, NAN, NAN);
  const Reach reach = reach_for(leg, from_thesis(in.p[0], in.p[1], in.p[2]), q);
  out.push_back({"q", "rad", list_of(q), true});
  out.push_back({"detJ", "m^3", {reach == Reach::Good ? jacobian_determinant(leg, q) : NAN}, true});
  out.push_back({"reach", "1", {double(int(reach))}});
  out.push_back({"within_limits", "1", {within_limits(leg, q) ? 1.0 : 0.0}});
}

void measure_frames(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const BodyPose pose = in.pose();
  const Vec3d neutral = in.body.neutral(in.leg);
  const Vec3d p_W(neutral[0] + in.z, neutral[1], in.body.foot_radius + in.y);
  const Vec3d p = world_to_leg(in.body, pose, in.leg, p_W);
  Vec3d q(NAN, NAN, NAN);
  const Reach reach = reach_for(in.body.leg_of(in.leg), p, q);
  out.push_back({"p_leg", "m", to_thesis(p), true});
  out.push_back({"q", "rad", list_of(q), true});
  out.push_back({"reach", "1", {double(int(reach))}});
}

void measure_com(const HexapodBenchInput& in, HexapodMeasurements& out) {
  std::array<Vec3d, most_legs> shift, q;
  shift.fill(Vec3d::zero());
  for (int i = 0; i < in.legs() && !in.offsets.empty(); i++)
    shift[i] = from_thesis(in.offsets[3 * i], in.offsets[3 * i + 1], in.offsets[3 * i + 2]);
  const bool reached = stand_on(in, shift, q);
  const Vec3d com = reached ? mass_centre(in.body, in.pose(), q) : Vec3d(NAN, NAN, NAN);
  out.push_back({"mass", "kg", {in.body.mass()}, true});
  out.push_back({"weight", "N", {weight_of(in)}, true});
  out.push_back({"com", "m", to_thesis(com), true});
}

void measure_foot_forces(const HexapodBenchInput& in, HexapodMeasurements& out) {
  std::vector<Vec3d> feet;
  for (const int i : in.feet) feet.push_back(in.body.neutral(i));
  SmallQp qp;
  const VerticalForces forces = share_weight(feet, from_thesis(in.com[0], 0.0, in.com[1]), weight_of(in), qp);
  out.push_back({"F", "N", {forces.F.begin(), forces.F.begin() + long(feet.size())}, true});
  out.push_back({"margin", "m", {forces.margin}, true});
  out.push_back({"balanced", "1", {forces.balanced ? 1.0 : 0.0}});
}

void measure_walk_forces(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const GaitTable table = in.table(in.gait);
  const StepShape shape = in.shape_of(table);
  const StepTiming timing = timing_of(shape);
  std::array<double, most_legs> sum{}, most{}, least;
  std::array<int, most_legs> count{};
  least.fill(INFINITY);
  int unbalanced = 0;
  double min_margin = INFINITY;
  SmallQp qp;
  for (int k = 0; k < in.samples; k++) {
    std::array<Vec3d, most_legs> shift, q;
    std::vector<Vec3d> feet;
    std::vector<int> which;
    for (int i = 0; i < table.legs; i++) {
      const StepPoint p = step_point(shape, timing, cycle_phase((k + 0.5) / in.samples - table.offset[i]));
      shift[i] = Vec3d(p.along, 0.0, p.up);
      if (is_airborne(p.phase)) continue;
      which.push_back(i);
      feet.push_back(in.body.neutral(i) + shift[i]);
    }
    const Vec3d com = stand_on(in, shift, q) ? mass_centre(in.body, BodyPose{}, q) : Vec3d(NAN, NAN, NAN);
    const VerticalForces forces = share_weight(feet, com, weight_of(in), qp);
    min_margin = std::min(min_margin, forces.margin);
    if (!forces.balanced) {
      unbalanced++;
      continue;
    }
    for (std::size_t n = 0; n < which.size(); n++) {
      const int i = which[n];
      sum[i] += forces.F[n];
      most[i] = std::max(most[i], forces.F[n]);
      least[i] = std::min(least[i], forces.F[n]);
      count[i]++;
    }
  }
  Measurement mean{"mean_stance", "N", {}, true}, largest{"max", "N", {}, true}, smallest{"min", "N", {}, true};
  for (int i = 0; i < table.legs; i++) {
    mean.values.push_back(sum[i] / count[i]);
    largest.values.push_back(most[i]);
    smallest.values.push_back(least[i]);
  }
  out.insert(out.end(), {mean, largest, smallest});
  out.push_back({"min_margin", "m", {min_margin}, true});
  out.push_back({"infeasible_fraction", "1", {double(unbalanced) / in.samples}, true});
}

// Along the body alone; the mass centre stays where it is in the neutral stance.
void measure_com_correction(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const GaitTable table = in.table(in.gait);
  const StepShape shape = in.shape_of(table);
  const StepTiming timing = timing_of(shape);
  const int n = 10 * in.samples;
  std::vector<double> rear(n), front(n), shift(n);
  for (int k = 0; k < n; k++) {
    rear[k] = INFINITY;
    front[k] = -INFINITY;
    for (int i = 0; i < table.legs; i++) {
      const StepPoint p = step_point(shape, timing, cycle_phase(double(k) / n - table.offset[i]));
      if (is_airborne(p.phase)) continue;
      const double at = in.body.neutral(i)[0] + p.along - in.com[1];
      rear[k] = std::min(rear[k], at);
      front[k] = std::max(front[k], at);
    }
  }
  const std::vector<double> rear_edge = rear, front_edge = front;
  const double dt = timing.period / n;
  const ShiftForecast forecast = forecast_shift({in.s_min, in.v, dt}, rear, front, shift);
  double before = INFINITY, after = INFINITY, rate = 0.0;
  for (int k = 0; k < n; k++) {
    before = std::min({before, front_edge[k], -rear_edge[k]});
    after = std::min({after, front_edge[k] - shift[k], shift[k] - rear_edge[k]});
    rate = std::max(rate, std::abs(shift[(k + 1) % n] - shift[k]) / dt);
  }
  out.push_back({"feasible", "1", {forecast.possible ? 1.0 : 0.0}, true});
  out.push_back({"dmin", "m", {forecast.lowest}, true});
  out.push_back({"dmax", "m", {forecast.highest}, true});
  out.push_back({"margin", "m", {after}, true});
  out.push_back({"margin0", "m", {before}, true});
  out.push_back({"rate", "m/s", {rate}});
  out.push_back({"period", "s", {timing.period}});
  out.push_back({"V_st", "m/s", {timing.v_body}});
  out.push_back({"pause", "s", {forecast.pause}});
}

void measure_climbing(const HexapodBenchInput& in, HexapodMeasurements& out) {
  out.push_back({"h_max", "m", {ledge_height(in.body, in.alpha)}, true});
  out.push_back({"hinge_torque", "N m", {lifted_segment_torque(in.body, in.alpha, in.g)}, true});
  out.push_back({"com_to_front_articulated", "m", {com_to_front_articulated(in.body, in.alpha)}, true});
  out.push_back({"com_to_front_rigid", "m", {com_to_front_rigid(in.body, in.alpha)}, true});
  const double phi = hump_angle(in.R, in.clearance, in.spacing);
  out.push_back({"phi_deg", "1", {phi * 180.0 / std::numbers::pi}, true});
}

void measure_torque(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const YawLeg leg = in.body.leg_of(in.leg);
  Vec3d q(NAN, NAN, NAN);
  reach_for(leg, to_leg(leg, Vec3d(0.0, in.body.neutral(in.leg)[1], -in.body.hip_height)), q);
  out.push_back({"tau", "N m", list_of(force_torques(leg, q, from_thesis(0.0, in.load, 0.0))), true});
}

}  // namespace sinew::robots
