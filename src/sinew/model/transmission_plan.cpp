// Numbers of transmissions: their keys, what they must obey, and what they are in the axes of the joint's parent.
#include "sinew/model/transmission_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/model/plan.h"

namespace sinew {
namespace {

// Points of both drives.
std::array<Vec3d, 2> points(const std::vector<double>& p) {
  SINEW_ASSERT(p.size() == 3 || p.size() == 6);
  const Vec3d one{p[0], p[1], p[2]};
  if (p.size() == 6) return {one, Vec3d{p[3], p[4], p[5]}};
  return {one, Vec3d{p[0], -p[1], p[2]}};
}

bool has_points(const std::vector<double>& p) {
  return (p.size() == 3 || p.size() == 6) && std::ranges::all_of(p, [](double x) { return std::isfinite(x); });
}

JointAxes axes_of(const JointPlan& j) {
  const Mat3d R = to_matrix(normalized(j.orientation));
  const Vec3d first = R * normalized(j.axis);
  const Vec3d second = R * j.axis2 - first * dot(first, R * j.axis2);
  const int n = joint::freedom_count(j.kind);
  return {n, first, n == 2 ? normalized(second) : Vec3d(0, 0, 0)};
}

}  // namespace

bool TransmissionPlan::operator==(const TransmissionPlan& o) const {
  for (int i = 0; i < 3; i++)
    if (along[i] != o.along[i]) return false;
  return kind == o.kind && ratio == o.ratio && base == o.base && moving == o.moving && rod == o.rod &&
         radius == o.radius && angle == o.angle && offset == o.offset && name == o.name && joint == o.joint &&
         reflected == o.reflected && slider_mass == o.slider_mass;
}

void describe(Keys& keys, TransmissionPlan& plan) {
  int kind = int(plan.kind);
  keys.choice({"transmission", "", "direct: gear; differential: two drives on two axes; parallel, knee: rods"},
              mechanism_names, kind);
  plan.kind = Mechanism(kind);
  describe_numbers(keys, plan);
}

void describe_numbers(Keys& keys, TransmissionPlan& plan) {
  keys.number({"ratio", "1", "direct, differential: turns of a drive for one of the joint", positive}, plan.ratio);
  keys.numbers({"base", "m", "parallel: ball point of the first drive at stroke 0 in the parent's axes, or of both"},
               {.exactly = 3, .or_exactly = 6}, plan.base);
  keys.numbers({"moving", "m", "parallel: ball point of its rod on the child, or of both rods"},
               {.exactly = 3, .or_exactly = 6}, plan.moving);
  keys.vector({"along", "1", "parallel, knee: direction in which strokes count, in the parent's axes"}, plan.along);
  keys.number({"rod", "m", "parallel, knee: length of the rods", positive}, plan.rod);
  keys.number({"crank", "m", "knee: radius of the crank", positive}, plan.radius);
  keys.number({"crank_angle", "rad", "knee: of the crank at coordinate 0, from across the drive", any_number, true},
              plan.angle);
  keys.number({"offset", "m", "knee: distance of the drive's line from the axis"}, plan.offset);
  if (!(norm(plan.along) > 0.0)) {
    keys.reject("along", "the direction must not be zero", "give a vector of any length, such as [0.0, 0.0, 1.0]");
    plan.along = Vec3d(0, 0, 1);
  }
}

Transmission<double> make_transmission(const TransmissionPlan& plan, const JointAxes& axes) {
  Transmission<double> t;
  t.n = axes.n;
  t.ratio = plan.ratio;
  t.first = axes.first;
  t.second = axes.second;
  if (plan.kind == Mechanism::Differential) t.kind = transmission::Kind::Differential;
  if (!plan.has_rods()) return t;
  const Vec3d along = normalized(plan.along);
  if (plan.kind == Mechanism::Knee)
    return transmission::crank({plan.radius, plan.angle, plan.offset, plan.rod}, cross(axes.first, along), along);
  t.kind = transmission::Kind::Rods;
  const auto base = points(plan.base), moving = points(plan.moving);
  for (int i = 0; i < 2; i++) t.rod[i] = {base[i], moving[i], along, plan.rod};
  return t;
}

Transmission<double> make_transmission(const TransmissionPlan& plan, const JointPlan& joint) {
  return make_transmission(plan, axes_of(joint));
}

std::vector<TransmissionProblem> problems_of(const TransmissionPlan& plan, const JointPlan& joint) {
  std::vector<TransmissionProblem> out;
  const auto fail = [&](const char* key, std::string what) { out.push_back({key, std::move(what)}); };
  const auto must = [&](bool is, const char* key, const char* what) {
    if (!is) fail(key, what);
  };
  const int n = joint::freedom_count(joint.kind);
  const bool is_pair = plan.kind == Mechanism::Differential || plan.kind == Mechanism::Parallel;
  if (is_pair && joint.kind != JointKind::Universal)
    fail("transmission", fmt::format("\"{}\" moves the two axes of a universal joint, but joint '{}' is a {} one",
                                     mechanism_names[int(plan.kind)], joint.name, joint::name_of(joint.kind)));
  if (plan.kind == Mechanism::Knee && joint.kind != JointKind::Revolute)
    fail("transmission", fmt::format("\"knee\" is a crank on one axis that turns, but joint '{}' is a {} one",
                                     joint.name, joint::name_of(joint.kind)));
  if (plan.kind == Mechanism::Direct && (n == 0 || n > 2 || joint::coordinate_count(joint.kind) != n))
    fail("transmission", fmt::format("a {} joint has no one or two axes to be driven", joint::name_of(joint.kind)));
  must(plan.ratio > 0.0 && std::isfinite(plan.ratio), "ratio", "must be finite and > 0");
  must(plan.rod > 0.0 && std::isfinite(plan.rod), "rod", "must be finite and > 0 m");
  must(plan.radius > 0.0 && std::isfinite(plan.radius), "crank", "must be finite and > 0 m");
  must(std::isfinite(plan.angle), "crank_angle", "must be finite");
  must(std::isfinite(plan.offset), "offset", "must be finite");
  must(has_points(plan.base), "base", "must have 3 finite numbers, or 6 for both drives");
  must(has_points(plan.moving), "moving", "must have 3 finite numbers, or 6 for both rods");
  must(is_finite(plan.along) && norm(plan.along) > 0.0, "along", "must be finite and not zero");
  if (!out.empty() || !plan.has_rods()) return out;
  const Transmission<double> t = make_transmission(plan, joint);
  if (plan.kind == Mechanism::Knee && std::abs(dot(t.rod[0].along, axes_of(joint).first)) > 1e-9)
    fail("along", "the drive of a crank moves across the joint's axis: give a direction perpendicular to it");
  const double start[2] = {joint.position.empty() ? 0.0 : joint.position[0],
                           joint.position.size() < 2 ? 0.0 : joint.position[1]};
  const Strokes<double> at = transmission::strokes(t, start);
  if (!(at.room > 0.0))
    fail("rod",
         fmt::format("a rod of {} m does not reach from its drive to the joint in the pose of the start", plan.rod));
  else if (!(std::abs(transmission::determinant(t, at)) > 0.0))
    fail("transmission", "the drives cannot move the joint in the pose of the start: their Jacobian is singular");
  else if (at.upright < transmission::cos_most_tilt)
    fail("rod",
         fmt::format("a rod leans more than {} rad against its drive in the pose of the start, where its ball joints "
                     "stop",
                     transmission::most_tilt));
  return out;
}

}  // namespace sinew
