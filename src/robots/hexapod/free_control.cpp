#include "robots/hexapod/free_control.h"

#include <algorithm>
#include <cmath>

#include "sinew/control/legs/free_gait.h"
#include "sinew/math/elementary.h"

namespace sinew::robots {

using namespace legged;

namespace {

constexpr double remembered = 0.6;            // behind the middle of the robot [m]
constexpr double unknown_cost = 0.02;         // of ground that it has not seen, as a way [m]
constexpr double enough = 0.6, alike = 0.15;  // parts of a stroke: FreeGaitRules
constexpr double least_step = 0.1;            // part of a stroke that is worth a step
constexpr double look_time = 0.2;             // for which the margin is looked at ahead [s]
constexpr double look_every = 20.0;           // ticks: the sensor is no faster
constexpr int most_places = 32;

}  // namespace

void look_at_ground(const HexapodWiring& wiring, const SegmentedBody& body, const Readings& r, const Sight& see,
                    const HexapodMemory& m, FreeMemory& f) {
  if (wiring.eye < 0) return;
  f.way += (m.gait.travelled - f.travelled) * m.path.v_x;
  f.travelled = m.gait.travelled;
  if (m.path.omega != 0.0 || m.path.v_y != 0.0) f.strip.begun = 0.0;
  f.strip.move_to(f.way - remembered);
  if (r.lost[std::size_t(wiring.eye_sensor)] != 0.0 || (f.ticks -= 1.0) > 0.0) return;
  f.ticks = look_every;
  const Posed& B = see.X[0];
  const Vec3d from = see.o + see.R_GR * (B * Vec3d(body.head_ahead, 0.0, 0.0));
  const double ground = -(body.hip_height + body.foot_radius);
  for (int i = 0; i < wiring.eye_rays; i++) {
    const double angle = wiring.eye_fan * (double(i) / (wiring.eye_rays - 1) - 0.5);
    const double said = std::min(r.sensor[std::size_t(wiring.eye + i)], wiring.eye_most);
    const Vec3d d = see.R_GR * (B.R * Vec3d(math::cos(angle), 0.0, math::sin(angle))) * said;
    const SeenRay ray{f.way + from[0], from[2] - ground, d[0], d[2], said < 0.99 * wiring.eye_most};
    see_by_ray(f.strip, ray, m.gait.shape.height);
  }
}

// What does not change within a tick.
struct HexapodSteps::Plan {
  double stroke, v, air_time;
};

// On the stroke, as the ground is now. The leg comes down when the body has gone on by v T.
bool HexapodSteps::find_place(const GaitState& s, const Plan& p, int i, double& place) const {
  const double most = 0.5 * p.stroke + p.v * p.air_time, least = s.leg[i].along + least_step * p.stroke;
  if (!v_.ground || v_.path.omega != 0.0 || v_.path.v_y != 0.0) {
    place = most;
    return true;
  }
  std::array<FootholdCandidate, most_places> candidates;
  std::array<double, most_places> places;
  const double step = std::max(TerrainStrip::length, p.stroke / (most_places - 2));
  int n = 0;
  for (double at = most; at >= least && n < most_places; at -= step) {
    const Vec3d foot = along_path(v_.path, v_.body.neutral(i), at);
    const Footing kind = v_.ground->strip.around(v_.ground->way + foot[0], v_.control.edge_margin);
    places[std::size_t(n)] = at;
    candidates[std::size_t(n++)] = {Vec3d(at, 0.0, 0.0), kind == Footing::Bad       ? INFINITY
                                                         : kind == Footing::Unknown ? unknown_cost
                                                                                    : 0.0};
  }
  const int best = choose_foothold({candidates.data(), std::size_t(n)}, Vec3d(most, 0.0, 0.0));
  if (best < 0) return false;
  place = places[std::size_t(best)];
  return true;
}

FreeStep HexapodSteps::choose(const GaitState& s) const {
  const StepTiming t = timing_of(s.shape);
  const Plan plan{s.shape.marches() ? 0.0 : s.shape.stroke, t.v_body, t.t_transfer};
  const Vec3d ahead(v_.path.v_x, v_.path.v_y, 0.0);
  FreeGaitRules rules;
  rules.s_min = v_.control.clings ? -INFINITY : v_.control.s_guard;
  rules.hurry = alike * plan.stroke;
  rules.enough = enough * plan.stroke;
  rules.most_airborne = v_.table.most_airborne;
  rules.travel = ahead * (plan.v * plan.air_time);
  std::array<FreeGaitFoot, most_legs> feet;
  std::array<double, most_legs> place{};
  for (int i = 0; i < v_.body.legs(); i++) {
    FreeGaitFoot& foot = feet[std::size_t(i)];
    foot.point = v_.see.level[std::size_t(i)];
    foot.left = s.leg[i].along + 0.5 * plan.stroke;
    foot.usable = s.leg[i].lost == 0.0;
    if (foot.usable && s.leg[i].in_air == 0.0 && foot.left <= rules.enough)
      foot.has_place = find_place(s, plan, i, place[std::size_t(i)]);
  }
  const LegSet flying = s.airborne() & ~s.lost();
  const FreeGaitChoice choice =
      next_leg({feet.data(), std::size_t(v_.body.legs())}, flying, v_.table.neighbours, v_.see.com, rules);
  FreeStep out{choice.leg, choice.leg < 0 ? 0.0 : place[std::size_t(choice.leg)], choice.must_wait};
  if (choice.must_wait && choice.refused >= 0) v_.guard.refused |= leg_bit(choice.refused);
  if (flying != 0 && !v_.control.clings) {  // it does not leave its feet behind while others are in the air
    const SupportPolygon support = v_.guard.without(s.airborne());
    const double now = static_margin(support, v_.see.com);
    const double then = static_margin(support, v_.see.com + ahead * (plan.v * look_time));
    out.waits = out.waits || (then < rules.s_min && then < now);
  }
  return out;
}

}  // namespace sinew::robots
