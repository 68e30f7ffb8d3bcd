#include "gaits/places.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/rotation.h"

namespace sinew::gaits {
namespace {

bool has_one_axis(const JointPlan& j) { return j.kind == JointKind::Revolute || j.kind == JointKind::Prismatic; }

Vec3d unit(const Vec3d& a) { return a * (1.0 / norm(a)); }

}  // namespace

Places::Places(const Plan& plan) : plan_(plan), carrier_(plan.bodies.size(), -1) {
  for (std::size_t k = 0; k < plan.joints.size(); k++) {
    const JointPlan& j = plan.joints[k];
    parent_.push_back(body(j.parent));
    start_.push_back(has_one_axis(j) && !j.position.empty() ? j.position[0] : 0.0);
    if (const int child = body(j.child); child >= 0 && !j.loop) carrier_[std::size_t(child)] = int(k);
  }
  std::vector<bool> known(plan.bodies.size());
  for (bool found = true; found;) {
    found = false;
    for (std::size_t b = 0; b < plan.bodies.size(); b++) {
      const int above = parent(int(b));
      if (known[b] || (above >= 0 && !known[std::size_t(above)])) continue;
      known[b] = found = true;
      order_.push_back(int(b));
    }
  }
}

int Places::parent(int body) const {
  const int joint = carrier(body);
  return joint < 0 ? -1 : parent_[std::size_t(joint)];
}

int Places::body(std::string_view name) const {
  const auto at = std::ranges::find(plan_.bodies, name, &BodyPlan::name);
  return at == plan_.bodies.end() ? -1 : int(at - plan_.bodies.begin());
}

// X_PC of a joint. The child's axes are those of `orientation` when the coordinate is zero, and axes are given in them.
Posed Places::step(int joint, double q) const {
  const JointPlan& j = plan_.joints[std::size_t(joint)];
  Mat3d R = to_matrix(j.orientation);
  Vec3d p = j.p_parent;
  if (j.kind == JointKind::Revolute) R = R * to_matrix(quaternion_exp(unit(j.axis) * q));
  if (j.kind == JointKind::Prismatic) p += R * (unit(j.axis) * q);
  if (j.kind == JointKind::Free && j.position.size() == 7) {
    const std::vector<double>& at = j.position;
    R = R * to_matrix(normalized(Quatd{at[3], at[4], at[5], at[6]}));
    const int child = body(j.child);
    return {R, p + Vec3d(at[0], at[1], at[2]) - R * plan_.bodies[std::size_t(child)].com};
  }
  return {R, p - R * j.p_child};
}

std::vector<Posed> Places::bodies(std::span<const double> q) const {
  std::vector<Posed> X(plan_.bodies.size(), Posed::identity());
  for (const int b : order_) {
    const int joint = carrier(b), above = parent(b);
    if (joint < 0) continue;
    const Posed step_here = step(joint, q[std::size_t(joint)]);
    X[std::size_t(b)] = above < 0 ? step_here : X[std::size_t(above)] * step_here;
  }
  return X;
}

Vec3d Places::axis(int joint, const std::vector<Posed>& bodies) const {
  const JointPlan& j = plan_.joints[std::size_t(joint)];
  return bodies[std::size_t(body(j.child))].R * unit(j.axis);
}

Vec3d Places::point(int joint, const std::vector<Posed>& bodies) const {
  const JointPlan& j = plan_.joints[std::size_t(joint)];
  return bodies[std::size_t(body(j.child))] * j.p_child;
}

Vec3d Places::mass_centre(const std::vector<Posed>& bodies) const {
  Vec3d sum = Vec3d::zero();
  double mass = 0.0;
  for (std::size_t b = 0; b < bodies.size(); b++) {
    sum += bodies[b] * plan_.bodies[b].com * plan_.bodies[b].mass;
    mass += plan_.bodies[b].mass;
  }
  return mass > 0.0 ? sum * (1.0 / mass) : sum;
}

Vec3d Places::up() const {
  const Vec3d g = plan_.gravity.g;
  return norm(g) > 0.0 ? g * (-1.0 / norm(g)) : Vec3d(0, 0, 1);
}

void tell_alternating(const Places& places, std::span<JointPlan* const> driven, const Plan& plan) {
  constexpr double right = 0.1, same = 0.99;  // cosines: at a right angle, along one line
  if (driven.size() < 4) return;
  const auto number = [&](const JointPlan* j) { return int(j - plan.joints.data()); };
  const std::vector<Posed> X = places.bodies(std::vector<double>(plan.joints.size()));
  std::vector<Vec3d> axes;
  for (std::size_t k = 0; k < driven.size(); k++) {
    const JointPlan& j = *driven[k];
    const bool goes_on = k == 0 || j.parent == driven[k - 1]->child || places.body(j.parent) < 0;
    if (j.kind != JointKind::Revolute || j.loop || j.second_of_pair || !goes_on) return;
    axes.push_back(places.axis(number(driven[k]), X));
    if (k > 0 && std::abs(dot(axes[k], axes[k - 1])) > right) return;
    if (k > 1 && std::abs(dot(axes[k], axes[k - 2])) < same) return;
  }
  const Vec3d up = places.up();
  const bool first_is_upright = std::abs(dot(axes[0], up)) >= std::abs(dot(axes[1], up));
  const Vec3d ahead = places.point(number(driven.front()), X) - places.point(number(driven.back()), X);
  for (std::size_t k = 0; k < driven.size(); k++) {
    // as on the snake of the catalogue: to the sides about the upward axis, up and down about that to the right
    const bool is_upright = (k % 2 == 0) == first_is_upright;
    driven[k]->wave_axis = is_upright ? 0 : 1;
    driven[k]->wave_sign = dot(axes[k], is_upright ? up : cross(ahead, up)) < 0.0 ? -1.0 : 1.0;
  }
}

}  // namespace sinew::gaits
