// The biped (docs/theory/biped.md#robot): a trunk on two legs of six joints with flat soles. Body axes x forward, y left, z up; the origin of a link lies
// on the joint that carries it. The hips' yaw is in the pelvis: what turns there is a small part of the trunk's 10 kg, at the hip's centre.
#include <fmt/format.h>

#include "robots/biped/body_keys.h"
#include "robots/biped/walk_control.h"
#include "robots/catalog.h"
#include "sinew/model/describe_tools.h"

namespace sinew::robots {
namespace {

namespace six = legged::six;

constexpr double link_side = 0.10, sole_thickness = 0.03;

Sym3d box_inertia(double mass, const Vec3d& edge) {
  const double m = mass / 12.0, x = edge[0] * edge[0], y = edge[1] * edge[1], z = edge[2] * edge[2];
  return {m * (y + z), 0.0, 0.0, m * (x + z), 0.0, m * (x + y)};
}

ShapePlan box_shape(const std::string& name, const Vec3d& edge, const Vec3d& at) {
  ShapePlan box;
  box.name = name;
  box.shape.kind = ShapeKind::Box;
  box.shape.half = edge * 0.5;
  box.position = at;
  return box;
}

// A link that hangs from its joint.
BodyPlan hanging_link(const std::string& name, double mass, double length) {
  BodyPlan body;
  body.name = name;
  body.mass = mass;
  body.com = Vec3d(0.0, 0.0, -0.5 * length);
  const Vec3d edge(link_side, link_side, length);
  body.inertia = box_inertia(mass, edge);
  body.shapes.push_back(box_shape("box", Vec3d(0.8 * link_side, 0.8 * link_side, 0.8 * length), body.com));
  return body;
}

struct BipedRobot : Robot {
  legged::BipedBody body;
  BipedControl control;
  double m_hip = 0.3;  // of what turns about the yaw's axis, part of m_trunk [kg]

  void describe(Keys& keys) override {
    describe_body(keys, body);
    keys.number({"m_hip", "kg", "part of the pelvis that turns with a hip's yaw, out of m_trunk", positive}, m_hip);
    if (!(2.0 * m_hip < body.m_trunk)) {
      keys.reject("m_hip", fmt::format("two of {:g} kg are not less than m_trunk", m_hip),
                  fmt::format("give less than {:g}", 0.5 * body.m_trunk));
      m_hip = 0.03 * body.m_trunk;
    }
    describe_upper_kind(keys, control.upper);
    describe_control(keys, body, control);
    describe_upper(keys, body, 2.0 * m_hip, control.upper);
  }

  bool takes_commands() const override { return control.is_told(); }
  void describe_commands(Keys& keys) override { describe_twists(keys, control.commands); }

  BodyPlan trunk() const {
    BodyPlan b;
    b.name = "trunk";
    b.mass = body.m_trunk - 2.0 * m_hip;
    const double above = body.trunk_above * body.m_trunk / b.mass;  // of all 10 kg together: trunk_above
    b.com = Vec3d(0.0, 0.0, above);
    const Vec3d edge(link_side, link_side, 2.0 * body.trunk_above);
    if (control.upper.is_jointed()) {
      const Vec3d rest = b.com * b.mass - upper_moment(control.upper);
      b.mass -= control.upper.mass();
      b.com = rest * (1.0 / b.mass);
      const Vec3d pelvis(link_side, 2.0 * body.hip_beside, 0.1);
      b.inertia = box_inertia(b.mass, pelvis);
      b.shapes.push_back(box_shape("box", pelvis, Vec3d(0.0, 0.0, 0.05)));
      return b;
    }
    b.inertia = box_inertia(b.mass, edge);
    b.shapes.push_back(box_shape("box", edge, Vec3d(0.0, 0.0, body.trunk_above)));
    return b;
  }

  BodyPlan foot(const std::string& side) const {
    BodyPlan b;
    b.name = "foot_" + side;
    b.mass = body.m_foot;
    b.com = body.foot_com();
    const double length = body.heel + body.toe;
    b.inertia = box_inertia(b.mass, Vec3d(length, body.sole_width, body.ankle_height));
    const double thickness = std::min(sole_thickness, body.ankle_height);
    b.shapes.push_back(box_shape("sole", Vec3d(length, body.sole_width, thickness),
                                 Vec3d(b.com[0], 0.0, -body.ankle_height + 0.5 * thickness)));
    return b;
  }

  // With servos that hold the stand; `first` of the leg's six angles are its coordinates.
  JointPlan driven(const std::string& name, JointKind kind, int first, const legged::SixAngles& q) const {
    JointPlan j;
    j.name = name;
    j.kind = kind;
    j.drive = Drive::Servo;
    const int n = joint::freedom_count(kind);
    j.motion.assign(n, {});
    j.kp.assign(n, control.kp);
    j.kd.assign(n, control.kd);
    for (int i = 0; i < n; i++) {
      j.position.push_back(q[first + i]);
      j.motion[i].offset = q[first + i];
      j.lower.push_back(body.leg.low[first + i]);
      j.upper.push_back(body.leg.high[first + i]);
    }
    return j;
  }

  void add_leg(int s, const legged::SixAngles& q, Plan& plan) const {
    const std::string side = biped_sides[s];
    BodyPlan hip;
    hip.name = "pelvis_" + side;
    hip.mass = m_hip;
    hip.inertia = box_inertia(m_hip, Vec3d(link_side, link_side, link_side));
    hip.shapes.push_back(box_shape("box", Vec3d(link_side, link_side, link_side), Vec3d::zero()));
    JointPlan yaw = driven("yaw_" + side, JointKind::Revolute, six::yaw, q);
    JointPlan hips = driven("hip_" + side, JointKind::Universal, six::roll, q);
    JointPlan knee = driven("knee_" + side, JointKind::Revolute, six::knee, q);
    JointPlan ankle = driven("ankle_" + side, JointKind::Universal, six::ankle_pitch, q);
    const Vec3d x(1.0, 0.0, 0.0), y(0.0, 1.0, 0.0), z(0.0, 0.0, 1.0);
    yaw.parent = "trunk";
    yaw.child = hips.parent = hip.name;
    hips.child = knee.parent = "thigh_" + side;
    knee.child = ankle.parent = "shank_" + side;
    ankle.child = "foot_" + side;
    yaw.p_parent = body.hip(s);
    knee.p_parent = Vec3d(0.0, 0.0, -body.leg.thigh);
    ankle.p_parent = Vec3d(0.0, 0.0, -body.leg.shank);
    yaw.axis = z;
    hips.axis = ankle.axis2 = x;
    hips.axis2 = knee.axis = ankle.axis = y;
    plan.bodies.insert(plan.bodies.end(), {hip, hanging_link("thigh_" + side, body.m_thigh, body.leg.thigh),
                                           hanging_link("shank_" + side, body.m_shank, body.leg.shank), foot(side)});
    plan.joints.insert(plan.joints.end(), {yaw, hips, knee, ankle});
  }

  Plan plan() const override {
    Plan plan;
    plan.bodies.push_back(trunk());
    JointPlan root;
    root.name = "root";
    root.kind = JointKind::Free;
    root.child = "trunk";
    Vec3d p = Vec3d::zero();
    legged::BothLegs q{};
    plan_of(control, body, 9.81)->stand(p, q);
    p += plan.bodies.front().com;  // a free joint has the place of the mass centre
    root.position = {p[0], p[1], p[2], 1.0, 0.0, 0.0, 0.0};
    plan.joints.push_back(root);
    for (int s = 0; s < 2; s++) add_leg(s, q[s], plan);
    if (control.upper.is_jointed()) add_upper(control.upper, plan);
    plan.implicit_servos = true;
    plan.contact.options.between_bodies = false;
    plan.contact.options.activation_gap = 5e-5;  // soles rise a little: docs/theory/biped.md#walking
    plan.contact.law.mu_forward = plan.contact.law.mu_backward = plan.contact.law.mu_trans = 0.8;
    plan.ground.terrain.kind = TerrainKind::Plane;
    plan.memory = {{std::string(biped_memory), biped_memory_size() + (control.is_told() ? told_memory_size() : 0) +
                                                   (control.upper.is_jointed() ? upper_memory_size() : 0) +
                                                   (control.is_whole() ? whole_memory_size() : 0)}};
    return plan;
  }

  void equip(Plan& plan) const override { add_devices(control.devices, plan); }
  std::string_view memory_block() const override { return biped_memory; }
  std::vector<MemorySignal> memory_signals() const override {
    std::vector<MemorySignal> out;
    if (control.devices.are_real()) out = biped_signals();
    if (control.is_told())
      for (MemorySignal& s : told_signals()) out.push_back(std::move(s));
    if (control.is_whole()) {
      const int place = biped_memory_size() + (control.is_told() ? told_memory_size() : 0) +
                        (control.upper.is_jointed() ? upper_memory_size() : 0);
      for (MemorySignal& s : whole_signals(place)) out.push_back(std::move(s));
    }
    return out;
  }

  std::unique_ptr<Controller> controller(const Plan& plan, double period) const override {
    BipedRobot rigid = *this;
    rigid.control.upper.kind = int(UpperKind::Rigid);
    return make_biped_controller(control, body, plan, rigid.plan(), period);
  }

  // Fallen: something else than a foot has touched the ground.
  std::vector<ResultPlan> results() const override {
    std::string touched = "body.trunk.contact.count", slips, torques, forces;
    for (int s = 0; s < 2; s++) {
      const std::string side = biped_sides[s], comma = s > 0 ? ", " : "";
      touched += fmt::format(", body.thigh_{0}.contact.count, body.shank_{0}.contact.count", side);
      slips += fmt::format("{}body.foot_{}.contact.slip", comma, side);
      torques += fmt::format("{0}joint.knee_{1}.torque", comma, side);
      for (const char* drive : {"yaw_{}", "hip_{}.1", "hip_{}.2", "knee_{}", "ankle_{}.1", "ankle_{}.2"})
        forces += fmt::format("{}drive.{}.force", forces.empty() ? "" : ", ", fmt::format(fmt::runtime(drive), side));
    }
    if (control.upper.is_jointed())
      touched += ", body.chest.contact.count, body.hand_L.contact.count, body.hand_R.contact.count";
    const double from = 0.1;
    std::vector<ResultPlan> out{
        {.name = "fallen", .signal = touched, .take = Take::Ever, .over = Over::Largest},
        {.name = "max_slip", .signal = slips, .take = Take::Stretch, .from = from, .over = Over::Largest},
        {.name = "min_margin", .signal = "com.margin", .take = Take::Min, .from = from},
        {.name = "min_zmp_margin", .signal = "zmp.margin", .take = Take::Min, .from = from},
        {.name = "distance", .signal = "run.distance"},
        {.name = "com_dx", .signal = "com.p.x", .take = Take::Change},
        {.name = "com_dy", .signal = "com.p.y", .take = Take::Change},
        {.name = "yaw", .signal = "body.trunk.rpy.z", .take = Take::Change},
        {.name = "tilt", .signal = "body.trunk.rpy.x, body.trunk.rpy.y", .take = Take::Peak, .over = Over::Largest},
        {.name = "work_actuators", .signal = "energy.work_actuators"}};
    if (!control.devices.has_rods())  // a rod pushes beside the joint, which then has no torque
      out.push_back(
          {.name = "knee_torque", .signal = torques, .take = Take::Peak, .from = from, .over = Over::Largest});
    if (control.upper.is_jointed()) {
      out.push_back({.name = "yaw_moment", .signal = "zmp.moment", .take = Take::Rms, .from = from});
      out.push_back({.name = "yaw_moment_peak", .signal = "zmp.moment", .take = Take::Peak, .from = from});
    }
    if (control.devices.are_real())
      out.push_back({.name = "force_peak", .signal = forces, .take = Take::Peak, .from = from, .over = Over::Largest});
    return out;
  }
};

}  // namespace

std::unique_ptr<Robot> make_biped() { return std::make_unique<BipedRobot>(); }

}  // namespace sinew::robots
