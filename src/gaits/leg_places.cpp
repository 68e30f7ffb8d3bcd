#include "gaits/leg_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/control/legs/gait_table.h"
#include "sinew/math/dense.h"
#include "sinew/math/elementary.h"
#include "sinew/math/rotation.h"
#include "sinew/parts/shape/shape.h"

namespace sinew::gaits {
namespace {

constexpr double near_ground = 0.2;  // feet end below this part of the robot's height

[[noreturn]] void refuse(const char* key, std::string what) { throw PlanError({{key, std::move(what)}}); }

double lowest_of(const BodyPlan& body, const Posed& X, const Vec3d& up) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const ShapePlan& s : body.shapes) {
    const Posed X_WS = X * Posed{to_matrix(s.orientation), s.position};
    lowest = std::min(lowest, dot(up, X_WS.p) - extent(s.shape, transpose_times(X_WS.R, -up)));
  }
  return lowest;
}

// Where a shape stands, in its own axes: what stays in its place when it rolls, or the middle of what touches. down: in its axes, a unit vector.
Vec3d standing_point(const Shape& shape, const Vec3d& down) {
  if (shape.kind == ShapeKind::Sphere) return Vec3d::zero();
  if (shape.kind == ShapeKind::Capsule) return {0.0, 0.0, std::copysign(shape.half_length, down[2])};
  if (!shape.mesh) return down * extent(shape, down);
  constexpr double level = 1e-3;  // vertices this close to the lowest count as its bottom [m]
  const double lowest = extent(shape, down);
  Vec3d sum = Vec3d::zero();
  int n = 0;
  for (const Vec3d& x : shape.mesh->vertex) {
    if (dot(x, down) < lowest - level) continue;
    sum += x;
    n++;
  }
  return n > 0 ? sum * (1.0 / n) : down * lowest;
}

bool is_driven(const JointPlan& j) {
  return (j.kind == JointKind::Revolute || j.kind == JointKind::Prismatic) && j.drive != Drive::None &&
         j.drive != Drive::Torque;
}

}  // namespace

LeggedPlan::LeggedPlan(const Plan& plan, std::span<const std::string> feet, double heading)
    : plan_(plan), places_(plan) {
  const std::vector<Posed> X = places_.bodies(places_.start());
  find_feet(feet);
  if (feet.empty()) choose_legs(X);
  const Vec3d up = places_.up();
  const Posed& trunk = X[std::size_t(trunk_)];
  Vec3d ahead = trunk.R.col(0) - up * dot(up, trunk.R.col(0));
  if (norm(ahead) < 0.1) refuse("gait.heading", "the x axis of the trunk points up: legs do not know what is ahead");
  ahead = ahead * (1.0 / norm(ahead));
  ahead = ahead * math::cos(heading) + cross(up, ahead) * math::sin(heading);
  const Vec3d left = cross(up, ahead);
  for (int k = 0; k < 3; k++) {
    X_WG_.R.c[0][k] = ahead[k];
    X_WG_.R.c[1][k] = left[k];
    X_WG_.R.c[2][k] = up[k];
  }
  X_WG_.p = trunk.p;
  for (Limb& limb : limbs_) limb.toe = toe_of(limb.body, X);
  const auto place = [&](const Limb& limb) { return to_G(X[std::size_t(limb.body)] * limb.toe); };
  if (feet.empty())
    std::ranges::sort(limbs_, [&](const Limb& a, const Limb& b) {
      const Vec3d p = place(a), q = place(b);
      return (p[1] > 0.0) != (q[1] > 0.0) ? p[1] > 0.0 : p[0] > q[0];
    });
  int lefts = 0;
  for (const Limb& limb : limbs_) {
    neutral_.push_back(place(limb));
    lefts += neutral_.back()[1] > 0.0;
  }
  if (2 * lefts != legs())
    refuse("gait.feet",
           fmt::format("{} of {} feet are on the left: legs come in pairs; name their feet: left ones from "
                       "front to rear, then right ones",
                       lefts, legs()));
}

// Bodies that carry no others, or those that are named; the trunk is the lowest body that carries all of them.
void LeggedPlan::find_feet(std::span<const std::string> names) {
  for (const std::string& name : names) {
    const int body = places_.body(name);
    if (body < 0) refuse("gait.feet", fmt::format("there is no body \"{}\"", name));
    limbs_.push_back({body, {}, Vec3d::zero()});
  }
  for (int b = 0; names.empty() && b < int(plan_.bodies.size()); b++) {
    bool carries = plan_.bodies[std::size_t(b)].shapes.empty();
    for (int other = 0; other < int(plan_.bodies.size()); other++) carries = carries || places_.parent(other) == b;
    if (!carries) limbs_.push_back({b, {}, Vec3d::zero()});
  }
  if (limbs_.empty()) refuse("gait.feet", "no leg is found: name the bodies of the feet");
  const auto above = [&](int body) {
    std::vector<int> chain;
    for (int b = body; b >= 0; b = places_.parent(b)) chain.push_back(b);
    return chain;
  };
  const std::vector<int> first = above(limbs_[0].body);
  for (const int candidate : first) {
    if (candidate == limbs_[0].body) continue;
    const bool carries_all = std::ranges::all_of(limbs_, [&](const Limb& limb) {
      const std::vector<int> chain = above(limb.body);
      return std::ranges::find(chain, candidate) != chain.end();
    });
    if (!carries_all) continue;
    trunk_ = candidate;
    break;
  }
  if (trunk_ < 0) refuse("gait.feet", "these feet have no trunk in common");
  for (Limb& limb : limbs_) find_joints(limb);
}

void LeggedPlan::find_joints(Limb& limb) const {
  for (int b = limb.body; b != trunk_; b = places_.parent(b))
    if (is_driven(plan_.joints[std::size_t(places_.carrier(b))])) limb.joints.push_back(places_.carrier(b));
  std::ranges::reverse(limb.joints);
}

// Of those found: limbs that end near the ground and have joints enough to put a foot anywhere.
void LeggedPlan::choose_legs(const std::vector<Posed>& X) {
  const Vec3d up = places_.up();
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::vector<double> lowest;
  for (const Limb& limb : limbs_) {
    lowest.push_back(lowest_of(plan_.bodies[std::size_t(limb.body)], X[std::size_t(limb.body)], up));
    low = std::min(low, lowest.back());
  }
  for (const Posed& body : X) high = std::max(high, dot(up, body.p));
  std::vector<Limb> chosen;
  for (std::size_t i = 0; i < limbs_.size(); i++)
    if (limbs_[i].joints.size() >= 3 && lowest[i] < low + near_ground * (high - low)) chosen.push_back(limbs_[i]);
  if (chosen.size() < 2)
    refuse(
        "gait.feet",
        fmt::format("{} legs with three driven joints or more end near the ground at the start: give joints drives, a "
                    "start that stands, or name the bodies of the feet",
                    chosen.size()));
  if (int(chosen.size()) > legged::most_legs)
    refuse("gait.feet", fmt::format("{} legs are found, at most {} walk: name the bodies of the feet", chosen.size(),
                                    legged::most_legs));
  limbs_ = std::move(chosen);
}

// Of the shape that is lowest.
Vec3d LeggedPlan::toe_of(int body, const std::vector<Posed>& X) const {
  const Vec3d up = places_.up();
  double lowest = std::numeric_limits<double>::infinity();
  Vec3d toe = Vec3d::zero();
  for (const ShapePlan& s : plan_.bodies[std::size_t(body)].shapes) {
    const Posed X_BS{to_matrix(s.orientation), s.position}, X_WS = X[std::size_t(body)] * X_BS;
    const Vec3d down = transpose_times(X_WS.R, -up);
    const double height = dot(up, X_WS.p) - extent(s.shape, down);
    if (height >= lowest) continue;
    lowest = height;
    toe = X_BS * standing_point(s.shape, down);
  }
  return toe;
}

bool LeggedPlan::reach(int leg, const Vec3d& toe, std::span<double> q) const {
  constexpr int rounds = 60;
  constexpr double close = 1e-9, longest = 0.3, flat = 1e-9;  // [m, rad or m, 1]
  const Limb& l = limb(leg);
  const Vec3d goal = X_WG_ * toe;
  const std::vector<double>& start = places_.start();
  for (const int joint : l.joints) q[std::size_t(joint)] = start[std::size_t(joint)];
  for (int round = 0; round < rounds; round++) {
    const std::vector<Posed> X = places_.bodies(q);
    const Vec3d p = X[std::size_t(l.body)] * l.toe, error = goal - p;
    if (norm(error) < close) return true;
    Matrix J(3, int(l.joints.size())), e(3, 1);
    for (int c = 0; c < int(l.joints.size()); c++) {
      const int joint = l.joints[std::size_t(c)];
      const Vec3d axis = places_.axis(joint, X);
      const bool turns = plan_.joints[std::size_t(joint)].kind == JointKind::Revolute;
      const Vec3d column = turns ? cross(axis, p - places_.point(joint, X)) : axis;
      for (int r = 0; r < 3; r++) J(r, c) = column[r];
    }
    for (int r = 0; r < 3; r++) e(r, 0) = error[r];
    const Matrix step = least_norm(J, e, flat);
    double most = 0.0;
    for (int c = 0; c < int(l.joints.size()); c++) most = std::max(most, std::abs(step(c, 0)));
    const double share = most > longest ? longest / most : 1.0;
    for (int c = 0; c < int(l.joints.size()); c++) q[std::size_t(l.joints[std::size_t(c)])] += share * step(c, 0);
  }
  return false;
}

Vec3d LeggedPlan::mass_centre(std::span<const double> q) const { return to_G(places_.mass_centre(places_.bodies(q))); }

double LeggedPlan::weight() const {
  double mass = 0.0;
  for (const BodyPlan& b : plan_.bodies) mass += b.mass;
  return mass * norm(Vec3d(plan_.gravity.g));
}

std::vector<double> LeggedPlan::holding_torques(std::span<const double> q, std::span<const double> force) const {
  const std::vector<Posed> X = places_.bodies(q);
  const Vec3d up = places_.up(), g = plan_.gravity.g;
  std::vector<double> out(plan_.joints.size());
  const auto take = [&](int joint, const Vec3d& at, const Vec3d& f) {
    const Vec3d axis = places_.axis(joint, X);
    const bool turns = plan_.joints[std::size_t(joint)].kind == JointKind::Revolute;
    out[std::size_t(joint)] -= turns ? dot(axis, cross(at - places_.point(joint, X), f)) : dot(axis, f);
  };
  for (int i = 0; i < legs(); i++)
    for (const int joint : limb(i).joints) {
      const int carried = places_.body(plan_.joints[std::size_t(joint)].child);
      take(joint, X[std::size_t(limb(i).body)] * limb(i).toe, up * force[std::size_t(i)]);
      for (int b = 0; b < int(plan_.bodies.size()); b++) {
        int above = b;
        while (above >= 0 && above != carried) above = places_.parent(above);
        const BodyPlan& body = plan_.bodies[std::size_t(b)];
        if (above >= 0) take(joint, X[std::size_t(b)] * body.com, g * body.mass);
      }
    }
  return out;
}

}  // namespace sinew::gaits
