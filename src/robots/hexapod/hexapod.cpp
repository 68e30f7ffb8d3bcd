// The hexapod (docs/theory/hexapod.md#robot): segments in a row, hinged by yaw and pitch, each with two legs of three hinges; a neck with a head.
// The root is the segment in the middle. Feet are spheres. Body axes: x forward, y left, z up; of the links of a leg: x along it.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "robots/catalog.h"
#include "robots/hexapod/body_keys.h"
#include "robots/hexapod/free_control.h"
#include "robots/hexapod/ground_follow.h"
#include "robots/hexapod/ground_sense.h"
#include "robots/hexapod/ledge_control.h"
#include "robots/hexapod/pad_control.h"
#include "robots/hexapod/press_control.h"
#include "robots/hexapod/walk_control.h"
#include "sinew/math/elementary.h"
#include "sinew/model/describe_tools.h"

namespace sinew::robots {
namespace {

using legged::YawLeg;

// A round rod along x, of a length, with its mass centre at a part of it. It is drawn, and touches what the robot falls on; of the last link of a leg
// only the foot does.
BodyPlan rod_link(const std::string& name, double mass, double length, double at, double link_radius, bool touches) {
  BodyPlan body;
  body.name = name;
  body.mass = mass;
  body.com = Vec3d(at * length, 0.0, 0.0);
  const double r2 = link_radius * link_radius, along = 0.5 * mass * r2;
  const double across = mass * (3.0 * r2 + length * length) / 12.0;
  body.inertia = {along, 0.0, 0.0, across, 0.0, across};
  ShapePlan drawn;
  drawn.name = "rod";
  drawn.shape.kind = ShapeKind::Capsule;
  drawn.shape.radius = link_radius;
  drawn.shape.half_length = 0.5 * length;
  drawn.position = Vec3d(0.5 * length, 0.0, 0.0);
  drawn.orientation = {std::sqrt(0.5), 0.0, std::sqrt(0.5), 0.0};  // a capsule lies along its z
  (touches ? body.shapes : body.drawn).push_back(drawn);
  return body;
}

// A ball at the end of a link, as part of it.
void add_foot(BodyPlan& tibia, double mass, double radius, double at) {
  const double sum = tibia.mass + mass, c = (tibia.mass * tibia.com[0] + mass * at) / sum;
  const double own = 0.4 * mass * radius * radius;
  const double moved = tibia.mass * (c - tibia.com[0]) * (c - tibia.com[0]) + mass * (at - c) * (at - c);
  tibia.inertia.xx += own;
  tibia.inertia.yy += own + moved;
  tibia.inertia.zz += own + moved;
  tibia.mass = sum;
  tibia.com = Vec3d(c, 0.0, 0.0);
  ShapePlan foot;
  foot.name = "foot";
  foot.shape.kind = ShapeKind::Sphere;
  foot.shape.radius = radius;
  foot.position = Vec3d(at, 0.0, 0.0);
  tibia.shapes.push_back(foot);
}

// With a servo that holds the pose of the start; a controller moves its aim.
JointPlan driven(const std::string& name, JointKind kind, const std::string& parent, const std::string& child,
                 std::array<double, 2> gains) {
  JointPlan j;
  j.name = name;
  j.kind = kind;
  j.parent = parent;
  j.child = child;
  j.drive = Drive::Servo;
  const int n = joint::freedom_count(kind);
  j.motion.assign(n, {});
  j.kp.assign(n, gains[0]);
  j.kd.assign(n, gains[1]);
  return j;
}

struct HexapodRobot : Robot {
  legged::SegmentedBody body;
  HexapodControl control;
  double neck_ahead = 0.06;
  double block_mass = 0.0;  // of a loose block to push; 0: none [kg]
  std::vector<double> block_at{0.33, 0.2116515, 0.05}, block_size{0.08, 0.16, 0.1};  // centre, edges [m]

  void describe(Keys& keys) override {
    describe_body(keys, body);
    keys.number({"neck_ahead", "m", "from the front shoulders to the neck", not_negative}, neck_ahead);
    if (neck_ahead > body.head_ahead) {
      keys.reject("neck_ahead", "the neck is ahead of the head", fmt::format("give at most {:g}", body.head_ahead));
      neck_ahead = body.head_ahead;
    }
    keys.number({"block_mass", "kg", "of a loose block that a leg can push; 0: there is none", not_negative},
                block_mass);
    keys.numbers({"block_position", "m", "of its centre"}, {}, block_at);
    keys.numbers({"block_size", "m", "its edges along x, y, z", positive}, {}, block_size);
    for (const auto& [key, numbers] : {std::pair{"block_position", &block_at}, std::pair{"block_size", &block_size}})
      if (numbers->size() != 3) {
        keys.reject(key, fmt::format("{} numbers are given", numbers->size()), "give 3 numbers");
        numbers->resize(3, 0.1);
      }
    describe_control(keys, body, control);  // the last: it ends with a table of its own
  }

  bool takes_commands() const override { return true; }
  void describe_commands(Keys& keys) override {
    robots::describe_commands(keys, control.commands);
    check_gaits(keys, body, control);
  }
  void equip(Plan& plan) const override {
    add_devices(control.devices, body, neck_ahead, plan);
    add_pads(control, body, plan);
  }
  std::string_view memory_block() const override { return hexapod_memory; }
  std::vector<MemorySignal> memory_signals() const override {
    std::vector<MemorySignal> out = hexapod_signals(body.segments);
    if (control.climbs) add_ledge_signals(out);
    if (control.clings) add_pad_signals(body.segments, out);
    if (control.senses_ground) add_sense_signals(control, body.segments, out);
    if (knows_ground(control)) add_follow_signals(control, body, out);
    return out;
  }
  std::vector<std::string> remarks(std::span<const double> memory) const override {
    HexapodMemory m;
    std::memcpy(static_cast<void*>(&m), memory.data(), sizeof m);
    std::vector<std::string> out = hexapod_remarks(m, body.segments);
    for (std::string& line : press_remarks(m, body.segments)) out.push_back(line);
    if (control.climbs)
      for (std::string& line : ledge_remarks(memory.subspan(std::size_t(hexapod_memory_size())))) out.push_back(line);
    return out;
  }

  static std::string segment_name(int j) { return fmt::format("segment{}", j + 1); }

  void add_segments(Plan& plan) const {
    for (int j = 0; j < body.segments; j++) {
      BodyPlan b;
      b.name = segment_name(j);
      b.mass = body.m_segment;
      const Vec3d h = body.block;
      const double m = body.m_segment / 3.0;
      b.inertia = {m * (h[1] * h[1] + h[2] * h[2]), 0.0, 0.0,
                   m * (h[0] * h[0] + h[2] * h[2]), 0.0, m * (h[0] * h[0] + h[1] * h[1])};
      ShapePlan block;
      block.name = "block";
      block.shape.kind = ShapeKind::Box;
      block.shape.half = h;
      b.shapes.push_back(block);
      plan.bodies.push_back(b);
    }
    JointPlan root;
    root.name = "root";
    root.kind = JointKind::Free;
    root.child = segment_name(body.middle());
    root.position = {0.0, 0.0, body.hip_height + body.foot_radius, 1.0, 0.0, 0.0, 0.0};
    plan.joints.push_back(root);
    const auto hinge = [&](int inner, int outer, double side) {
      JointPlan j = driven(fmt::format("hinge{}", outer + 1), JointKind::Universal, segment_name(inner),
                           segment_name(outer), {control.hinge_kp, control.hinge_kd});
      j.p_parent = Vec3d(side * body.a_m, 0.0, 0.0);
      j.p_child = Vec3d(-side * body.l_bs, 0.0, 0.0);
      j.axis = Vec3d(0.0, 0.0, side);
      j.axis2 = Vec3d(0.0, -side, 0.0);
      plan.joints.push_back(j);
    };
    for (int j = body.middle() - 1; j >= 0; j--) hinge(j + 1, j, 1.0);
    for (int j = body.middle() + 1; j < body.segments; j++) hinge(j - 1, j, -1.0);
  }

  void add_head(Plan& plan) const {
    BodyPlan head;
    head.name = "head";
    head.mass = body.m_head;
    head.com = Vec3d(body.head_ahead - neck_ahead, 0.0, 0.0);
    head.inertia = Sym3d::diagonal(0.4 * body.m_head * body.head_radius * body.head_radius);
    ShapePlan ball;
    ball.name = "ball";
    ball.shape.kind = ShapeKind::Sphere;
    ball.shape.radius = body.head_radius;
    ball.position = head.com;
    head.shapes.push_back(ball);
    plan.bodies.push_back(head);
    JointPlan neck = driven("neck", JointKind::Universal, segment_name(0), "head", {control.neck_kp, control.neck_kd});
    neck.p_parent = Vec3d(neck_ahead, 0.0, 0.0);
    neck.axis = Vec3d(0.0, 0.0, 1.0);
    neck.axis2 = Vec3d(0.0, -1.0, 0.0);
    plan.joints.push_back(neck);
  }

  void add_leg(int i, Plan& plan) const {
    const YawLeg leg = body.leg_of(i);
    const std::string name = leg_name(i, body.segments);
    Vec3d q = Vec3d::zero();
    legged::reach_for(leg, legged::to_leg(leg, body.neutral(i) - body.shoulder(i)), q);
    BodyPlan coxa = rod_link("coxa_" + name, leg.m_coxa, leg.l1, leg.at_coxa, body.link_radius, true);
    BodyPlan femur = rod_link("femur_" + name, leg.m_femur, leg.l2, leg.at_femur, body.link_radius, true);
    BodyPlan tibia = rod_link("tibia_" + name, leg.m_tibia, leg.l3, leg.at_tibia, body.link_radius, false);
    add_foot(tibia, leg.m_foot, body.foot_radius, leg.l3);
    const std::array gains{control.kp, control.kd};
    JointPlan joints[3] = {
        driven("hip_" + name, JointKind::Revolute, segment_name(body.segment_of(i)), coxa.name, gains),
        driven("femur_" + name, JointKind::Revolute, coxa.name, femur.name, gains),
        driven("knee_" + name, JointKind::Revolute, femur.name, tibia.name, gains),
    };
    joints[0].p_parent = leg.hip;
    joints[0].orientation = {math::cos(0.5 * leg.outward), 0.0, 0.0, math::sin(0.5 * leg.outward)};
    joints[1].p_parent = Vec3d(leg.l1, 0.0, 0.0);
    joints[2].p_parent = Vec3d(leg.l2, 0.0, 0.0);
    joints[1].axis = joints[2].axis = Vec3d(0.0, -1.0, 0.0);
    for (int a = 0; a < 3; a++) {
      joints[a].position = {q[a]};
      joints[a].motion[0].offset = q[a];
      joints[a].lower = {leg.low[a]};
      joints[a].upper = {leg.high[a]};
      plan.joints.push_back(joints[a]);
    }
    plan.bodies.insert(plan.bodies.end(), {coxa, femur, tibia});
  }

  void add_block(Plan& plan) const {
    BodyPlan block;
    block.name = "block";
    block.mass = block_mass;
    ShapePlan box;
    box.name = "box";
    box.shape.kind = ShapeKind::Box;
    box.shape.half = Vec3d(block_size[0], block_size[1], block_size[2]) * 0.5;
    const Vec3d s = box.shape.half;
    const double m = block_mass / 3.0;
    block.inertia = {m * (s[1] * s[1] + s[2] * s[2]), 0.0, 0.0,
                     m * (s[0] * s[0] + s[2] * s[2]), 0.0, m * (s[0] * s[0] + s[1] * s[1])};
    block.shapes.push_back(box);
    plan.bodies.push_back(block);
    JointPlan free;
    free.name = "block";
    free.kind = JointKind::Free;
    free.child = "block";
    free.position = {block_at[0], block_at[1], block_at[2], 1.0, 0.0, 0.0, 0.0};
    plan.joints.push_back(free);
    plan.contact.options.between_bodies = true;
    for (const char* link : {"coxa_*", "femur_*"})  // which are there for the ground
      for (const char* other : {"segment*", "head", "coxa_*", "femur_*", "tibia_*"})
        plan.contact.ignore.push_back(fmt::format("{}:{}", link, other));
  }

  Plan plan() const override {
    Plan plan;
    add_segments(plan);
    add_head(plan);
    for (int i = 0; i < body.legs(); i++) add_leg(i, plan);
    plan.implicit_servos = true;
    plan.contact.options.between_bodies = false;
    if (block_mass > 0.0) add_block(plan);
    plan.contact.law.mu_forward = plan.contact.law.mu_backward = plan.contact.law.mu_trans = 0.6;
    plan.ground.terrain.kind = TerrainKind::Plane;
    const int size = follow_place(control) + (knows_ground(control) ? follow_memory_size() : 0);
    plan.memory = {{std::string(hexapod_memory), size}};
    if (control.looks) plan.memory.push_back({std::string(free_memory), free_memory_size()});
    return plan;
  }

  std::unique_ptr<Controller> controller(const Plan& plan, double period) const override {
    return make_hexapod_controller(control, body, plan, period);
  }

  // Of the motors of hips and femora, by their currents: what an axis would feel through a gear that they drive [N m].
  ResultPlan motor_peak() const {
    const HexapodDevices& d = control.devices;
    std::string currents;
    for (int i = 0; i < body.legs(); i++)
      for (const char* joint : {"hip", "femur"})
        currents += fmt::format("{}{:.17g} * drive.{}_{}.current", currents.empty() ? "" : ", ",
                                d.efficiency * d.gear * d.voltage / d.no_load, joint, leg_name(i, body.segments));
    return {.name = "motor_peak", .signal = currents, .take = Take::Peak, .from = 0.1, .over = Over::Largest};
  }

  // Fallen: something else than a foot touches, or nothing at all. Slip and margin: after it has come to stand.
  std::vector<ResultPlan> results() const override {
    std::string touched = "com.aloft, body.head.contact.count", slips, torques;
    for (int j = 0; j < body.segments; j++) touched += fmt::format(", body.{}.contact.count", segment_name(j));
    for (int i = 0; i < body.legs(); i++) {
      const std::string name = leg_name(i, body.segments), comma = i > 0 ? ", " : "";
      slips += fmt::format("{}body.tibia_{}.contact.slip", comma, name);
      const std::string_view of = control.devices.are_real() ? "drive" : "joint";
      torques += fmt::format("{0}{2}.hip_{1}.torque, {2}.femur_{1}.torque, {2}.knee_{1}.torque", comma, name, of);
    }
    const std::string middle = "body." + segment_name(body.middle());
    const double from = 0.1;
    std::vector<ResultPlan> out{
        {.name = "fallen", .signal = touched, .take = Take::Ever, .from = from, .over = Over::Largest},
        {.name = "max_slip", .signal = slips, .take = Take::Stretch, .from = from, .over = Over::Largest},
        {.name = "min_margin",
         .signal = block_mass > 0.0 ? "walk.margin" : "com.margin",
         .take = Take::Min,
         .from = from},
        {.name = "distance", .signal = "run.distance"},
        {.name = "com_dx", .signal = "com.p.x", .take = Take::Change},
        {.name = "com_dy", .signal = "com.p.y", .take = Take::Change},
        {.name = "com_speed", .signal = "run.speed"},
        {.name = "work_actuators", .signal = "energy.work_actuators"},
        {.name = "cost_of_transport", .signal = "run.cost_of_transport"},
        {.name = "drift", .signal = middle + ".p.y", .take = Take::Change},
        {.name = "tilt", .signal = middle + ".rpy.x, " + middle + ".rpy.y", .take = Take::Peak, .over = Over::Largest},
        {.name = "torque_peak", .signal = torques, .take = Take::Peak, .from = from, .over = Over::Largest}};
    if (control.devices.are_real()) out.push_back(motor_peak());
    return out;
  }
};

}  // namespace

std::unique_ptr<Robot> make_hexapod() { return std::make_unique<HexapodRobot>(); }

}  // namespace sinew::robots
