// A quadruped with a tail (docs/theory/quadruped.md): a plate, four legs of three hinges, a tail, as a tree. Feet are
// ball joints to the world ("pinned"), points that touch the ground ("contact"), or nothing holds them ("free").
// The forward direction is +y. Legs: 1 front right, 2 front left, 3 rear left, 4 rear right.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "robots/catalog.h"
#include "robots/quadruped/closed_form.h"
#include "robots/quadruped/control.h"
#include "sinew/model/describe_tools.h"

namespace sinew::robots {
namespace {

using legged::LegAngles;
using legged::LegShape;

enum class FeetKind { Pinned, Contact, Free };
constexpr std::array<std::string_view, 3> feet_names{"pinned", "contact", "free"};
// Torque: tau + tau_sin sin(tau_omega t). Servo: holds the angles of the start. Locked: they do not change.
enum class JointDrive { Torque, Servo, Locked };
constexpr std::array<std::string_view, 3> drive_names{"torque", "servo", "locked"};

// A uniform bar from the origin along -z, or along -y.
BodyPlan bar(const std::string& name, double mass, double length, bool along_y) {
  BodyPlan body;
  body.name = name;
  body.mass = mass;
  const double I = mass * length * length / 12.0;
  body.com = along_y ? Vec3d(0, -0.5 * length, 0) : Vec3d(0, 0, -0.5 * length);
  body.inertia = along_y ? Sym3d{I, 0, 0, 0, 0, I} : Sym3d{I, 0, 0, I, 0, 0};
  return body;
}

// A capsule along a bar, which touches what the robot falls on, and a ball to look at.
ShapePlan drawn_bar(double length, double radius, bool along_y) {
  ShapePlan s;
  s.name = "bar";
  s.shape.kind = ShapeKind::Capsule;
  s.shape.radius = radius;
  s.shape.half_length = 0.5 * length;
  s.position = along_y ? Vec3d(0, -0.5 * length, 0) : Vec3d(0, 0, -0.5 * length);
  if (along_y) s.orientation = {std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0};  // a capsule lies along its z
  return s;
}
ShapePlan drawn_ball(const Vec3d& place, double radius) {
  ShapePlan s;
  s.name = "ball";
  s.shape.kind = ShapeKind::Sphere;
  s.shape.radius = radius;
  s.position = place;
  return s;
}

ShapePlan drawn_plate(const legged::Quadruped& robot) {
  ShapePlan s;
  s.name = "box";
  s.shape.kind = ShapeKind::Box;
  s.shape.half = Vec3d(0.08, 0.1, 0.045);
  for (const LegShape& leg : robot.leg) {
    s.shape.half[0] = std::max(s.shape.half[0], 0.8 * std::abs(leg.hip[0]));
    s.shape.half[1] = std::max(s.shape.half[1], 1.15 * std::abs(leg.hip[1]));
  }
  return s;
}

struct QuadrupedRobot : Robot {
  QuadrupedInput in;
  int feet = 0, legs = 0, tail = 0, formulation = 0, rate_map = 0;
  QuadrupedControl control;
  std::vector<double> tail_goal;
  std::vector<double> quat;
  std::string tau_file;

  void describe(Keys& keys) override {
    robots::describe(keys, in);
    if (in.robot.tail.kind == legged::TailKind::Shared || in.robot.tail.kind == legged::TailKind::Arc) {
      keys.reject("tail", "the tree has a joint for each axis of the tail", "use \"pendulum\" or \"segments\"");
      in.robot.tail = {};
    }
    keys.choice({"feet", "", "pinned: ball joints to the world; contact: points on the ground; free: nothing"},
                feet_names, feet);
    keys.choice({"legs", "", "joints of the legs: given torques, servos that hold the start, or locked"}, drive_names,
                legs);
    keys.choice({"tail_joints", "", "the same for the tail"}, drive_names, tail);
    robots::describe(keys, control);
    keys.numbers({"tail_goal", "rad", "where servos pull the tail; empty: where it starts"}, {}, tail_goal);
    if (!tail_goal.empty() && int(tail_goal.size()) != in.tail_size()) {
      keys.reject("tail_goal",
                  fmt::format("{} numbers are given, the tail has {} angles", tail_goal.size(), in.tail_size()),
                  "give one for each, or none");
      tail_goal.clear();
    }
    keys.text({"tau_file", "", "CSV file instead of tau_table: times, then a column for each actuator"}, tau_file);
    if (!tau_file.empty() && !in.tau_t.empty()) {
      keys.reject("tau_file", "the table of torques is given twice", "leave out tau_t and tau_table, or the file");
      tau_file.clear();
    }
    keys.numbers({"quat", "1", "attitude of the plate at the start instead of phi: w, x, y, z"}, {}, quat);
    if (!quat.empty() && quat.size() != 4) {
      keys.reject("quat", "a quaternion has four numbers", "give w, x, y, z, or none");
      quat.clear();
    }
    if (!quat.empty() && !check_attitude(keys, "quat", quat)) quat.clear();
    describe_formulation(keys);
    const bool flies = control.kind == QuadrupedController::Flight;
    if (flies &&
        (JointDrive(legs) != JointDrive::Locked || tail != 0 || FeetKind(feet) != FeetKind::Free || !in.is_plain())) {
      keys.reject("controller", "\"flight\" moves a pendulum on a robot in the air whose legs are locked",
                  "use feet = \"free\", legs = \"locked\", tail_joints = \"torque\", tail = \"pendulum\"");
      control.kind = QuadrupedController::None;
    }
    if (!flies && control.kind != QuadrupedController::None &&
        (legs != 0 || tail != 0 || FeetKind(feet) == FeetKind::Free)) {
      keys.reject("controller", "a controller gives torques to joints of a robot that stands",
                  "leave legs and tail_joints at \"torque\", and feet \"pinned\" or \"contact\"");
      control.kind = QuadrupedController::None;
    }
    if (control.kind == QuadrupedController::Goal && !in.is_plain()) {
      keys.reject("controller", "\"goal\" knows a pendulum only", "use tail = \"pendulum\", or another controller");
      control.kind = QuadrupedController::None;
    }
    for (int i = 0; i < 4; i++)
      if (is_held(i) && legged::reach_for(in.robot.leg[i], hip_to_foot(i)).reach != legged::Reach::Good) {
        keys.reject("d", fmt::format("foot {} is out of reach of its leg", i + 1),
                    "move it, or the plate (robot.q), or free it (robot.stance)");
        in.feet[i] = Mat3d(attitude()) * (in.robot.leg[i].hip + Vec3d(0, 0, -0.4)) + Vec3d(in.q[0], in.q[1], in.q[2]);
      }
  }

  // The closed form is that of a pendulum on four pinned feet with torques, given or of a controller.
  void describe_formulation(Keys& keys) {
    static constexpr std::array<std::string_view, 2> names{"tree", "closed"};
    keys.choice({"formulation", "", "tree: bodies and joints; closed: equations of virtual work for four pinned feet"},
                names, formulation);
    keys.choice({"rate_map", "", "closed: phi' = E^-1 omega; paper: phi' = omega, as Liu and Ben-Tzvi 2018 have it"},
                legged::rate_map_names, rate_map);
    const bool stands = FeetKind(feet) == FeetKind::Pinned && in.stance == std::vector<double>(4, 1.0);
    const bool driven = legs == 0 && tail == 0;
    if (formulation == 1 && (!in.is_plain() || !stands || !driven || !quat.empty())) {
      keys.reject("formulation",
                  "\"closed\" is for a pendulum on four pinned feet with torques, given or of a controller",
                  "use \"tree\", or leave tail, feet, stance, legs, tail_joints and quat as they are");
      formulation = 0;
    }
    if (formulation == 1 && !tau_file.empty())
      keys.reject("tau_file", "\"closed\" reads no file", "give tau_t and tau_table");
    if (formulation == 0 && rate_map != 0)
      keys.reject("rate_map", "a tree of bodies turns as bodies do", "use formulation = \"closed\" with \"paper\"");
  }

  std::vector<std::string_view> methods() const override {
    if (formulation == 1) return {"rk4"};
    return {};
  }

  Plan closed_plan() const {
    Plan plan;
    plan.gravity.g = Vec3d(0, 0, -in.robot.g);
    plan.make_plant = [start = in, map = legged::RateMap(rate_map)](const Plan& final) {
      QuadrupedInput now = start;
      now.robot.g = gravity_along_z(final);
      legged::StanceProgram program;
      program.profile = now.profile();
      return make_stance_plant(now, program, map, now.q8(), now.u8());
    };
    return plan;
  }

  std::vector<std::string*> files() override { return {&tau_file}; }
  std::string table_key() const override { return "robot.tau_file"; }

  Mat3d attitude() const {
    if (quat.empty()) return legged::rotation_of({in.q[3], in.q[4], in.q[5]});
    return to_matrix(normalized(Quatd{quat[0], quat[1], quat[2], quat[3]}));
  }
  bool is_held(int i) const { return FeetKind(feet) != FeetKind::Free && in.stance[i] > 0.5; }
  Vec3d hip_to_foot(int i) const {
    return transpose_times(attitude(), in.feet[i] - Vec3d(in.q[0], in.q[1], in.q[2])) - in.robot.leg[i].hip;
  }

  void drive(int kind, double kp, double kd, std::vector<int> actuators, JointPlan& j) const {
    const int n = int(actuators.size());
    j.motion.assign(n, {});
    for (int c = 0; c < n; c++) {
      Motion<double>& m = j.motion[c];
      const int at = actuators[c];
      if (JointDrive(kind) == JointDrive::Torque) {
        m = in.torque(at);
      } else {
        m.offset = j.position[c];
      }
    }
    j.kp.assign(n, 0.0);
    j.kd.assign(n, 0.0);
    if (JointDrive(kind) == JointDrive::Torque && !tau_file.empty()) {
      j.table_file = tau_file;
      j.table_smooth = in.tau_smooth;
      for (const int at : actuators) j.table_columns.push_back(at + 1);
    }
    if (JointDrive(kind) == JointDrive::Torque) j.drive = Drive::Torque;
    if (JointDrive(kind) == JointDrive::Locked) {
      j.drive = Drive::Motion;
      j.velocity.assign(n, 0.0);
    }
    if (JointDrive(kind) == JointDrive::Servo) {
      j.drive = Drive::Servo;
      j.kp.assign(n, kp);
      j.kd.assign(n, kd);
    }
  }

  void add_leg(int i, Plan& plan) const {
    const LegShape& leg = in.robot.leg[i];
    LegAngles at{in.swing[i][0], in.swing[i][1], in.swing[i][2]};
    double rate[3] = {0, 0, 0};
    const legged::WalkerState start = in.state();
    if (is_held(i)) {
      legged::PlateMotion plate;
      plate.R = attitude();
      plate.p = start.p;
      plate.lift = Vec3d::zero();
      plate.v = transpose_times(plate.R, start.v);
      plate.w = transpose_times(plate.R, start.w);
      legged::HeldLeg held;
      legged::hold_leg(leg, plate, in.feet[i], held);
      at = legged::angles_of(leg, held.pose);
      if (FeetKind(feet) == FeetKind::Pinned) std::copy_n(held.rate, 3, rate);
    } else {
      for (int c = 0; c < 3; c++) rate[c] = start.theta_rate[i][c];
    }
    const std::string n = std::to_string(i + 1);
    BodyPlan thigh = bar("thigh" + n, leg.m_th, leg.l_th, false), shank = bar("shank" + n, leg.m_sh, leg.l_sh, false);
    ShapePlan point;
    point.name = "foot";
    point.shape.kind = ShapeKind::Sphere;
    point.shape.radius = 0.0;
    point.position = Vec3d(0, 0, -leg.l_sh);
    if (FeetKind(feet) != FeetKind::Pinned) shank.shapes.push_back(point);
    thigh.shapes.push_back(drawn_bar(leg.l_th, 0.028, false));
    thigh.drawn.push_back(drawn_ball(Vec3d::zero(), 0.04));
    shank.drawn.push_back(drawn_bar(leg.l_sh, 0.02, false));
    shank.drawn.push_back(drawn_ball(Vec3d::zero(), 0.03));
    plan.bodies.push_back(thigh);
    plan.bodies.push_back(shank);
    JointPlan hip, knee;
    hip.name = "hip" + n;
    hip.kind = JointKind::Universal;
    hip.parent = "plate";
    hip.child = thigh.name;
    hip.p_parent = leg.hip;
    hip.axis = Vec3d(0, 1, 0);
    hip.axis2 = Vec3d(-1, 0, 0);
    hip.position = {at.ha, at.hb};
    hip.velocity = {rate[0], rate[1]};
    knee.name = "knee" + n;
    knee.parent = thigh.name;
    knee.child = shank.name;
    knee.p_parent = Vec3d(0, 0, -leg.l_th);
    knee.axis = Vec3d(leg.knee, 0, 0);
    knee.orientation = {0.0, -leg.knee, 0.0, 0.0};  // folded at 0: half a turn about -sigma x
    knee.position = {at.k};
    knee.velocity = {rate[2]};
    drive(legs, control.leg_kp, control.leg_kd, {in.actuator(i, 0), in.actuator(i, 1)}, hip);
    drive(legs, control.leg_kp, control.leg_kd, {in.actuator(i, 2)}, knee);
    plan.joints.push_back(hip);
    plan.joints.push_back(knee);
    if (FeetKind(feet) == FeetKind::Pinned && is_held(i)) pin_foot(i, shank.name, plan);
  }

  void pin_foot(int i, const std::string& shank, Plan& plan) const {
    JointPlan foot;
    foot.name = "foot" + std::to_string(i + 1);
    foot.kind = JointKind::Ball;
    foot.loop = true;
    foot.child = shank;
    foot.p_parent = in.feet[i];
    foot.p_child = Vec3d(0, 0, -in.robot.leg[i].l_sh);
    plan.joints.push_back(foot);
  }

  void add_tail(Plan& plan) const {
    const legged::TailShape& t = in.robot.tail;
    const int n = t.segments();
    for (int i = 0; i < n; i++) {
      const std::string name = n == 1 ? "tail" : "tail" + std::to_string(i + 1);
      BodyPlan body = bar(name, t.mass[i], t.length[i], true);
      if (i == n - 1 && t.tip > 0.0) {  // bar and point mass together
        const double m = t.mass[i], l = t.length[i], sum = m + t.tip, c = (0.5 * m * l + t.tip * l) / sum;
        const double I = m * l * l / 12.0 + m * (c - 0.5 * l) * (c - 0.5 * l) + t.tip * (l - c) * (l - c);
        body.mass = sum;
        body.com = Vec3d(0, -c, 0);
        body.inertia = {I, 0, 0, 0, 0, I};
      }
      if (body.mass > 1e-6) body.shapes.push_back(drawn_bar(t.length[i], n == 1 ? 0.01 : 0.018, true));
      if (i == n - 1 && t.tip > 1e-6) body.drawn.push_back(drawn_ball(Vec3d(0, -t.length[i], 0), 0.045));
      JointPlan joint;
      joint.name = name;
      joint.kind = JointKind::Universal;
      joint.child = name;
      joint.parent = i == 0 ? "plate" : plan.bodies.back().name;
      joint.p_parent = i == 0 ? t.root : Vec3d(0, -t.length[i - 1], 0);
      joint.axis = Vec3d(1, 0, 0);
      joint.axis2 = Vec3d(0, 0, 1);
      joint.position = {in.q[6 + 2 * i], in.q[7 + 2 * i]};
      joint.velocity = {in.u[6 + 2 * i], in.u[7 + 2 * i]};
      drive(tail, control.tail_kp, control.tail_kd, {6 + 2 * i, 7 + 2 * i}, joint);
      if (JointDrive(tail) == JointDrive::Servo && !tail_goal.empty())
        for (int c = 0; c < 2; c++) joint.motion[c].offset = tail_goal[2 * i + c];
      plan.bodies.push_back(body);
      plan.joints.push_back(joint);
    }
  }

  Plan plan() const override {
    if (formulation == 1) return closed_plan();
    Plan plan;
    BodyPlan plate;
    plate.name = "plate";
    plate.mass = in.robot.m_b;
    plate.inertia = in.robot.I_b;
    plate.shapes.push_back(drawn_plate(in.robot));
    JointPlan air;
    air.name = air.child = "plate";
    air.kind = JointKind::Free;
    const Quatd Q = to_quaternion(attitude());
    const Vec3d w = transpose_times(attitude(), Vec3d(in.u[3], in.u[4], in.u[5]));
    air.position = {in.q[0], in.q[1], in.q[2], Q.w, Q.x, Q.y, Q.z};
    air.velocity = {w[0], w[1], w[2], in.u[0], in.u[1], in.u[2]};
    plan.bodies = {plate};
    plan.joints = {air};
    for (int i = 0; i < 4; i++) add_leg(i, plan);
    add_tail(plan);
    plan.gravity.g = Vec3d(0, 0, -in.robot.g);
    plan.contact.options.between_bodies = false;
    plan.memory = memory_of(control);
    return plan;
  }

  std::unique_ptr<Controller> controller(const Plan& plan, double period) const override {
    return make_controller(control, in, plan, period);
  }

  // q and u as the closed form has them.
  std::vector<ResultPlan> results() const override {
    std::string q =
        "body.plate.p.x, body.plate.p.y, body.plate.p.z, body.plate.rpy.x, body.plate.rpy.y, body.plate.rpy.z";
    std::string u = "body.plate.v.x, body.plate.v.y, body.plate.v.z, body.plate.w.x, body.plate.w.y, body.plate.w.z";
    const int n = in.robot.tail.segments();
    for (int i = 0; i < n; i++) {
      const std::string name = n == 1 ? "tail" : "tail" + std::to_string(i + 1);
      q += fmt::format(", joint.{0}.q.0, joint.{0}.q.1", name);
      u += fmt::format(", joint.{0}.u.0, joint.{0}.u.1", name);
    }
    std::vector<ResultPlan> all{{"pose", q}, {"speeds", u}};
    for (int i = 1; i <= 4; i++)
      all.push_back(
          {fmt::format("theta_{}", i), fmt::format("joint.hip{0}.q.0, joint.hip{0}.q.1, joint.knee{0}.q", i)});
    all.push_back({"T", "energy.kinetic"});
    all.push_back({"V", "energy.potential"});
    all.push_back({"work", "energy.work_actuators"});
    all.push_back({"com", "com.p"});
    return all;
  }
};

}  // namespace

std::unique_ptr<Robot> make_quadruped() { return std::make_unique<QuadrupedRobot>(); }

}  // namespace sinew::robots
