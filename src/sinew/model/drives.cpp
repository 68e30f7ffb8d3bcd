#include "sinew/model/drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

#include "sinew/math/check.h"
#include "sinew/model/glob.h"

namespace sinew {
namespace {

constexpr double two_pi = 2.0 * std::numbers::pi;

// Infinite is what no number reaches inside a step.
double bounded(double x) { return std::clamp(x, -1e300, 1e300); }

void add_to(std::vector<double>& numbers, const JointPlan& j, int axis, double x) {
  if (x == 0.0) return;
  if (numbers.empty()) numbers.assign(std::size_t(joint::freedom_count(j.kind)), 0.0);
  numbers[std::size_t(axis)] += x;
}

void make_servo(const DrivePlan& d, JointPlan& j) {
  const auto n = std::size_t(joint::freedom_count(j.kind));
  j.drive = Drive::Servo;
  j.kp.assign(n, d.kp);
  j.kd.assign(n, d.kd);
  j.limit = std::isfinite(d.limit) ? std::vector<double>(n, d.limit) : std::vector<double>{};
  j.no_load_speed = std::isfinite(d.no_load_speed) ? std::vector<double>(n, d.no_load_speed) : std::vector<double>{};
  j.free_play = d.free_play > 0.0 ? std::vector<double>(n, d.free_play) : std::vector<double>{};
}

void make_device(const DrivePlan& d, JointPlan& j) {
  const double N = drive_ratio(d, j.kind);
  j.drive = Drive::Device;
  for (auto* list : {&j.kp, &j.kd, &j.limit, &j.no_load_speed, &j.free_play}) list->clear();
  if (d.has_own_motor()) return;  // it is behind its spring
  add_to(j.armature, j, d.axis, reflected_inertia(d, j.kind));
  add_to(j.dry_friction, j, d.axis, N * d.friction);
  add_to(j.damping, j, d.axis, N * N * d.viscous);
}

// Follows its motion by drives that act elsewhere, or on all its axes together.
void make_moved(JointPlan& j) {
  j.drive = Drive::Device;
  for (auto* list : {&j.kp, &j.kd, &j.limit, &j.no_load_speed, &j.free_play}) list->clear();
}

JointPlan& joint_named(Plan& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.joints, name, &JointPlan::name);
  SINEW_ASSERT(found != plan.joints.end());
  return *found;
}

drive::Setup setup_of(const DrivePlan& d, JointKind kind) {
  drive::Setup s;
  s.kind = d.kind;
  s.level = d.kind == drive::Kind::Ideal || d.kind == drive::Kind::DcMotor ? drive::Level::Ideal : d.level;
  s.control = d.control;
  s.sweep = d.sweep;
  s.align = d.align;
  s.rate = d.rate;
  s.loop_rate = d.loop_rate;
  s.force_rate = d.force_rate;
  s.delay = d.delay;
  s.force_delay = d.force_delay;
  s.align_time = d.align_time;
  s.decouple = d.decouple;
  s.is_shaped = std::isfinite(d.shaper_speed) && std::isfinite(d.shaper_accel);
  s.is_angle = d.stroke_kind(kind) != JointKind::Prismatic;
  s.has_play = d.has_play();
  s.rubs = !d.is_direct() && d.mechanism == MechanismModel::Jacobian && !d.has_own_motor();
  s.encoder = d.has_own_motor() ? d.encoder : drive::Encoder::Joint;
  s.blind_from = d.blind_from;
  s.blind_until = d.blind_until;
  if (d.inductance > 0.0)
    s.parts = int(std::clamp(std::ceil(d.resistance / (d.inductance * d.rate) / 0.25), 1.0, 100.0));
  return s;
}

drive::Numbers<double> numbers_of(const DrivePlan& d, JointKind kind) {
  drive::Numbers<double> n;
  const bool is_electric = d.kind != drive::Kind::Ideal, is_dc = d.kind == drive::Kind::DcMotor;
  n.motor.c = is_electric && !is_dc ? 1.5 : 1.0;
  if (is_electric) {
    n.motor.R = d.resistance;
    n.motor.L = is_dc ? 0.0 : d.inductance;
    n.motor.k_e = d.torque_constant / n.motor.c;
    n.motor.pairs = d.pole_pairs;
    n.V = is_dc ? d.voltage : d.voltage / std::numbers::sqrt3;
  }
  n.N = drive_ratio(d, kind);
  n.eta = d.efficiency;
  n.J = d.inertia;
  n.B = d.viscous;
  n.T_c = d.friction;
  n.i_max = bounded(d.current_limit);
  n.F_max = bounded(d.limit);
  n.v_max = bounded(d.speed_limit);
  n.i_thermal = std::min(d.thermal_current, 1e100);  // its square must not be infinite
  n.thermal_time = d.thermal_time;
  n.w_c = two_pi * d.current_bandwidth;
  n.w_v = two_pi * d.velocity_bandwidth;
  n.kp = d.kp;
  n.kd = d.kd;
  n.F_G = bounded(d.grip);
  n.shaper_v = d.shaper_speed;
  n.shaper_a = d.shaper_accel;
  n.following = bounded(d.following_error);
  n.switch_low = bounded(d.lower_switch);
  n.switch_high = bounded(d.upper_switch);
  n.align_current = d.align_current;
  n.load = d.load_inertia;
  if (d.has_own_motor()) {
    n.k_s = d.spring;
    n.play = 0.5 * d.backlash;
    n.F_slip = bounded(d.slip);
  }
  if (d.kind == drive::Kind::SeriesElastic) {
    const double m = reflected_inertia(d, kind);
    n.K_p = d.force_frequency * d.force_frequency * m / d.spring - 1.0;
    n.K_d = 2.0 * d.force_damping * d.force_frequency * m / d.spring;
  }
  for (std::size_t i = 0; i < d.set.size(); i++) n.set[i] = bounded(d.set[i]);
  n.derive();
  return n;
}

// Those that move one joint through a transmission: one for each of its axes. By the Jacobian they act on all axes together, and their rotors are
// the transmission's; as bodies they act on the strokes, and the transmission is only where set-points and rods are.
void make_transmission_drives(const DrivePlan& d, const std::string& joint, Plan& plan, std::vector<DrivePlan>& made) {
  const JointKind kind = joint_named(plan, joint).kind;
  const bool has_bodies = d.mechanism == MechanismModel::Bodies;
  DrivePlan one = d;
  one.table = d.name;
  one.joint = one.moved = joint;
  if (has_wildcard(d.joint)) one.name = d.name + "." + joint;
  TransmissionPlan t = d.transmission;
  t.name = one.name;
  t.joint = joint;
  if (has_bodies) {
    add_transmission_bodies(t, d.rod_mass, plan);
    t.slider_mass = 0.0;
  } else {
    t.reflected = d.has_own_motor() ? 0.0 : reflected_inertia(d, kind);
    if (!t.has_rods()) t.slider_mass = 0.0;
  }
  plan.transmissions.push_back(t);
  make_moved(joint_named(plan, joint));
  const int n = joint::freedom_count(kind);
  for (int i = 0; i < n; i++) {
    DrivePlan& drive = made.emplace_back(one);
    drive.axis = i;
    if (n > 1) drive.name += fmt::format(".{}", i + 1);
    int size = setup_of(drive, kind).memory_size();
    if (has_bodies) {
      drive.joint = fmt::format("{}.stroke{}", t.name, i + 1);
      DrivePlan direct = drive;
      direct.axis = 0;
      JointPlan& stroke = joint_named(plan, drive.joint);
      make_device(direct, stroke);
      stroke.drive = Drive::None;  // the motion to follow is that of the joint which is moved
    } else {
      size++;  // DriveInfo::axis_torque
    }
    plan.memory.push_back({"drive." + drive.name, size});
  }
}

// Those of one joint: one for each of its axes.
void make_drives(const DrivePlan& d, JointPlan& j, std::vector<DrivePlan>& made, std::vector<MemoryBlock>& memory) {
  DrivePlan one = d;
  one.table = d.name;
  one.joint = j.name;
  if (has_wildcard(d.joint)) one.name = d.name + "." + j.name;
  if (d.kind == drive::Kind::Servo) {
    make_servo(one, j);
    made.push_back(std::move(one));
    return;
  }
  const int n = joint::freedom_count(j.kind);
  for (int axis = 0; axis < n; axis++) {
    made.push_back(one);
    made.back().axis = axis;
    if (n > 1) made.back().name += fmt::format(".{}", axis);
    make_device(made.back(), j);
    memory.push_back({"drive." + made.back().name, setup_of(d, j.kind).memory_size()});
  }
}

}  // namespace

DrivePlan default_drive(drive::Kind kind) {
  DrivePlan d;
  d.kind = kind;
  if (kind == drive::Kind::DcMotor) {  // docs/theory/drives.md#numbers
    d.voltage = 12.0;
    d.torque_constant = 12.0 / (10000.0 * two_pi / 60.0);
    d.resistance = 12.0 * 12.0 / (4.0 * 8.68);
    d.gear = 251.0;
    d.efficiency = 0.65;
    d.inertia = 1.1e-6;
    d.friction = 0.25 / 251.0;
  }
  if (kind == drive::Kind::Pmsm || kind == drive::Kind::Linear || kind == drive::Kind::SeriesElastic) {
    d.voltage = 36.0;
    d.torque_constant = 0.0136;
    d.resistance = 0.25;
    d.inductance = 60e-6;
    d.pole_pairs = 2;
    d.inertia = 1.83e-6;
    d.friction = 3e-3;
    d.viscous = 1e-6;
    d.current_limit = 15.6;
  }
  if (kind == drive::Kind::Linear || kind == drive::Kind::SeriesElastic) {
    d.belt = 2.0;
    d.efficiency = 0.9;
    d.limit = 400.0;
    d.speed_limit = 0.72;
    d.thermal_current = 4.993;
    d.lower_switch = -0.06;
    d.upper_switch = 0.06;
  }
  if (kind == drive::Kind::SeriesElastic) {
    d.spring = 4e5;
    d.force_damping = 0.9054653182742487;
    d.force_frequency = 424.62175406592155;
  }
  return d;
}

double drive_ratio(const DrivePlan& d, JointKind joint) {
  if (d.kind == drive::Kind::Ideal || d.kind == drive::Kind::Servo) return 1.0;
  return d.stroke_kind(joint) == JointKind::Prismatic ? two_pi * d.belt * d.gear / d.lead : d.gear;
}

double reflected_inertia(const DrivePlan& d, JointKind joint) {
  const double N = drive_ratio(d, joint);
  return N * N * d.inertia;
}

bool has_unmade_drives(const Plan& plan) {
  return std::ranges::any_of(plan.drives, [](const DrivePlan& d) { return !d.is_made(); });
}

Plan with_drives(Plan plan) {
  if (!has_unmade_drives(plan)) return plan;
  auto problems = problems_of_drives(plan);
  if (!problems.empty()) throw PlanError(std::move(problems));
  std::vector<DrivePlan> made;
  for (const DrivePlan& d : plan.drives) {
    std::vector<std::string> joints;  // before there are those of rods
    for (const JointPlan& j : plan.joints)
      if (matches(d.joint, j.name)) joints.push_back(j.name);
    for (const std::string& name : joints)
      if (d.is_direct())
        make_drives(d, joint_named(plan, name), made, plan.memory);
      else
        make_transmission_drives(d, name, plan, made);
  }
  plan.drives = std::move(made);
  return plan;
}

void compile_drives(const Plan& plan, Model& model, Params<double>& params) {
  for (const DrivePlan& d : plan.drives) {
    const int joint = model.joint(d.joint);
    if (d.kind == drive::Kind::Servo) {
      model.servo_drives.push_back({d.name, joint});
      continue;
    }
    SINEW_ASSERT(joint >= 0);
    JointInfo& info = model.joints[joint];
    const bool has_bodies = !d.is_direct() && d.joint != d.moved;
    const int axis = has_bodies ? 0 : d.axis;
    if (axis == 0) info.drive = int(model.drives.size());
    const auto first_of = [&](const JointInfo& j) {
      return j.link >= 0 ? std::pair{model.links[j.link].q, model.links[j.link].u} : std::pair{j.axis, j.axis};
    };
    const auto [q, u] = first_of(info);
    DriveInfo drive{d.name,
                    joint,
                    info.axis + axis,
                    q + axis,
                    u + axis,
                    memory_offset(plan, "drive." + d.name),
                    info.motion + axis,
                    setup_of(d, info.kind)};
    if (!d.is_direct()) {
      JointInfo& moved = model.joints[model.joint(d.moved)];
      const auto at = std::ranges::find(plan.transmissions, d.moved, &TransmissionPlan::joint);
      SINEW_ASSERT(at != plan.transmissions.end());
      drive.transmission = int(at - plan.transmissions.begin());
      drive.row = d.axis;
      drive.by_jacobian = !has_bodies;
      std::tie(drive.moved_q, drive.moved_u) = first_of(moved);
      drive.moved_axis = moved.axis;
      drive.motion = moved.motion;
      if (d.axis == 0) moved.drive = int(model.drives.size());  // torques that it is given are set-points of its drives
    }
    model.drives.push_back(std::move(drive));
    params.drives.push_back(numbers_of(d, info.kind));
  }
}

}  // namespace sinew
