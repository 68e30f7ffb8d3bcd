#include "robots/biped/upper_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "robots/biped/devices.h"
#include "sinew/math/elementary.h"
#include "sinew/model/describe_tools.h"

namespace sinew::robots {
namespace {

constexpr double legs_smooth_time = 0.005;  // of the legs' momentum [s]
Vec3d chest_edge() { return {0.14, 0.30, 0.30}; }
constexpr double arm_side = 0.06;

Sym3d box_inertia_of(double mass, const Vec3d& edge) {
  const double m = mass / 12.0, x = edge[0] * edge[0], y = edge[1] * edge[1], z = edge[2] * edge[2];
  return {m * (y + z), 0.0, 0.0, m * (x + z), 0.0, m * (x + y)};
}

// A box with its middle at `com`.
BodyPlan upper_box(const std::string& name, double mass, const Vec3d& com, const Vec3d& edge) {
  BodyPlan body;
  body.name = name;
  body.mass = mass;
  body.com = com;
  body.inertia = box_inertia_of(mass, edge);
  ShapePlan box;
  box.name = "box";
  box.shape.kind = ShapeKind::Box;
  box.shape.half = edge * 0.5;
  box.position = com;
  body.shapes.push_back(box);
  return body;
}

struct UpperJointPlan {
  std::string name, parent, child;
  Vec3d at, axis, axis2 = Vec3d::zero();
  double rest = 0.0;
};

void add_upper_joint(const BipedUpper& u, const UpperJointPlan& from, Plan& plan) {
  JointPlan j;
  j.name = from.name;
  j.parent = from.parent;
  j.child = from.child;
  const bool is_pair = dot(from.axis2, from.axis2) > 0.0;
  j.kind = is_pair ? JointKind::Universal : JointKind::Revolute;
  j.p_parent = from.at;
  j.axis = from.axis;
  if (is_pair) j.axis2 = from.axis2;
  const int n = is_pair ? 2 : 1;
  j.drive = Drive::Servo;
  j.position.assign(n, 0.0);
  j.position[0] = from.rest;
  j.motion.assign(n, {});
  j.motion[0].offset = from.rest;
  j.kp.assign(n, u.kp);
  j.kd.assign(n, u.kd);
  plan.joints.push_back(j);
}

void add_biped_arm(const BipedUpper& u, int side, Plan& plan) {
  const std::string s = biped_sides[std::size_t(side)];
  const Vec3d x(1.0, 0.0, 0.0), y(0.0, 1.0, 0.0), z(0.0, 0.0, 1.0), none = Vec3d::zero();
  const double beside = side == 0 ? u.shoulder_beside : -u.shoulder_beside;
  // shoulders have three axes: two of them at a small part, as hips have
  const double m_small = 0.25 * u.m_upper_arm;
  plan.bodies.push_back(upper_box("shoulder_" + s, m_small, none, Vec3d(arm_side, arm_side, arm_side)));
  plan.bodies.push_back(upper_box("upper_arm_" + s, u.m_upper_arm - m_small, Vec3d(0.0, 0.0, -0.5 * u.upper_arm),
                                  Vec3d(arm_side, arm_side, u.upper_arm)));
  plan.bodies.push_back(
      upper_box("forearm_" + s, u.m_forearm, Vec3d(0.0, 0.0, -0.5 * u.forearm), Vec3d(arm_side, arm_side, u.forearm)));
  plan.bodies.push_back(upper_box("hand_" + s, u.m_hand, Vec3d(0.0, 0.0, -0.5 * u.hand), Vec3d(0.05, 0.04, 0.08)));
  add_upper_joint(
      u, {"shoulder_" + s, "chest", "shoulder_" + s, Vec3d(0.0, beside, u.shoulder_above - u.waist_above), y, x}, plan);
  add_upper_joint(u, {"arm_" + s, "shoulder_" + s, "upper_arm_" + s, none, z}, plan);
  add_upper_joint(u, {"elbow_" + s, "upper_arm_" + s, "forearm_" + s, Vec3d(0.0, 0.0, -u.upper_arm), y, none, u.elbow},
                  plan);
  add_upper_joint(u, {"wrist_" + s, "forearm_" + s, "hand_" + s, Vec3d(0.0, 0.0, -u.forearm), y, x}, plan);
}

}  // namespace

void describe_upper_kind(Keys& keys, BipedUpper& u) {
  keys.choice({"upper_body", "", "rigid: one with the pelvis; jointed: a waist of three joints, two arms of six"},
              upper_names, u.kind);
}

void describe_upper(Keys& keys, const legged::BipedBody& body, double m_hips, BipedUpper& u) {
  const Table table(keys, "upper", "of upper_body = \"jointed\"; its masses are part of m_trunk");
  keys.choice({"swing", "", "cancel: waist and arms take the yaw moment of the legs; still: they hang"},
              arm_swing_names, u.swing);
  keys.number({"waist_above", "m", "waist over the hips", positive}, u.waist_above);
  keys.number({"shoulder_above", "m", "shoulders over the hips", positive}, u.shoulder_above);
  keys.number({"shoulder_beside", "m", "of a shoulder beside the middle", positive}, u.shoulder_beside);
  keys.number({"upper_arm", "m", "from shoulder to elbow", positive}, u.upper_arm);
  keys.number({"forearm", "m", "from elbow to wrist", positive}, u.forearm);
  keys.number({"m_chest", "kg", "mass of the chest, between waist and shoulders", positive}, u.m_chest);
  keys.number({"m_upper_arm", "kg", "mass of an upper arm", positive}, u.m_upper_arm);
  keys.number({"m_forearm", "kg", "mass of a forearm", positive}, u.m_forearm);
  keys.number({"m_hand", "kg", "mass of a hand", positive}, u.m_hand);
  keys.number({"servo_kp", "N m/rad", "of the servos of waist and arms", positive}, u.kp);
  keys.number({"servo_kd", "N m s/rad", "of these servos", not_negative}, u.kd);
  keys.number({"forget", "s", "in which waist and arms come back to their middle", positive}, u.forget);
  keys.number({"most_waist", "rad", "by which the waist turns to either side", not_negative}, u.most_waist);
  keys.number({"most_arm", "rad", "by which a shoulder swings to either side", not_negative}, u.most_arm);
  const double left = body.m_trunk - m_hips - u.mass();
  if (u.is_jointed() && !(left > 0.0)) {
    keys.reject("m_chest",
                fmt::format("chest, waist and arms of {:g} kg leave nothing of m_trunk for the pelvis", u.mass()),
                "give less, or a larger m_trunk");
    const int kind = u.kind;
    u = BipedUpper{};
    u.kind = left > 0.0 ? kind : 0;
  }
}

UpperInertia upper_inertia(const BipedUpper& u) {
  double sine, cosine;
  sincos(u.elbow, sine, cosine);
  const double m_small = 0.25 * u.m_upper_arm;
  const double beyond = u.m_forearm * 0.5 * u.forearm + u.m_hand * (u.forearm + 0.5 * u.hand);
  UpperInertia out;
  out.arm_x = -beyond * sine;
  out.arm_z =
      -((u.m_upper_arm - m_small) * 0.5 * u.upper_arm + (u.m_forearm + u.m_hand) * u.upper_arm + beyond * cosine);
  const double chest = u.m_chest / 12.0 * (chest_edge()[0] * chest_edge()[0] + chest_edge()[1] * chest_edge()[1]);
  const double far = u.shoulder_beside * u.shoulder_beside;
  out.about_waist = chest + 2.0 * u.m_arm() * far;
  return out;
}

Vec3d upper_moment(const BipedUpper& u) {
  const UpperInertia arm = upper_inertia(u);
  const double chest_at = 0.5 * (u.waist_above + u.shoulder_above);
  return {2.0 * arm.arm_x, 0.0,
          u.m_waist * u.waist_above + u.m_chest * chest_at + 2.0 * (u.m_arm() * u.shoulder_above + arm.arm_z)};
}

void add_upper(const BipedUpper& u, Plan& plan) {
  const Vec3d x(1.0, 0.0, 0.0), y(0.0, 1.0, 0.0), z(0.0, 0.0, 1.0), none = Vec3d::zero();
  const double up = u.shoulder_above - u.waist_above;
  plan.bodies.push_back(upper_box("waist", u.m_waist, none, Vec3d(0.08, 0.08, 0.08)));
  plan.bodies.push_back(upper_box("chest", u.m_chest, Vec3d(0.0, 0.0, 0.5 * up), chest_edge()));
  add_upper_joint(u, {"waist", "trunk", "waist", Vec3d(0.0, 0.0, u.waist_above), z}, plan);
  add_upper_joint(u, {"torso", "waist", "chest", none, x, y}, plan);
  for (int side = 0; side < 2; side++) add_biped_arm(u, side, plan);
}

UpperWiring upper_wiring(const Plan& plan) {
  UpperWiring out;
  int axis = 0;
  for (const JointPlan& j : plan.joints) {
    if (j.name == "waist") out.waist = axis;
    if (j.name == "shoulder_L") out.shoulder[0] = axis;
    if (j.name == "shoulder_R") out.shoulder[1] = axis;
    axis += joint::freedom_count(j.kind);
  }
  return out;
}

// A left shoulder that pitches by s about y takes its arm back, the right one by -s forward: together L = -2 y_shoulder arm_z cos(s) s' in the axes of the
// chest. What elbows have ahead of them cancels.
void swing_upper(const BipedUpper& u, std::span<const legged::MassPoint> now, double period, UpperMemory& m) {
  const bool is_first = m.begun == 0.0;
  m.begun = 1.0;
  std::array<legged::MassPoint, 7> before{};
  for (std::size_t i = 0; i < before.size(); i++) {
    before[i] = {now[i].m, m.point[i]};
    m.point[i] = now[i].p;
  }
  if (is_first || ArmSwing(u.swing) == ArmSwing::Still) return;
  const double L = legged::yaw_momentum(before, now, period);
  m.L += (L - m.L) * std::min(1.0, period / legs_smooth_time);
  const UpperInertia inertia = upper_inertia(u);
  m.waist.inertia = inertia.about_waist;
  m.waist.most = u.most_waist;
  m.arms.inertia = -2.0 * u.shoulder_beside * inertia.arm_z * math::cos(m.arms.s);
  m.arms.most = u.most_arm;
  std::array<legged::YawPart, 2> parts{m.waist, m.arms};
  legged::turn_against(m.L, u.forget, period, parts);
  m.waist = parts[0];
  m.arms = parts[1];
}

void command_upper(const BipedUpper& u, const UpperWiring& w, const UpperMemory& m, std::span<double> torque) {
  const auto follow = [&](int axis, double s, double rate) { torque[std::size_t(axis)] = u.kp * s + u.kd * rate; };
  follow(w.waist, m.waist.s, m.waist.rate);
  follow(w.shoulder[0], m.arms.s, m.arms.rate);
  follow(w.shoulder[1], -m.arms.s, -m.arms.rate);
}

}  // namespace sinew::robots
