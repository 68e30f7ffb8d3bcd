#include "robots/hexapod/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "robots/hexapod/body_keys.h"
#include "sinew/math/elementary.h"

namespace sinew::robots {
namespace {

constexpr std::string_view leg_joints[3] = {"hip_", "femur_", "knee_"};

void add_drive(const HexapodDevices& d, const JointPlan& joint, bool knee, Plan& plan) {
  if (has_drive(plan, joint.name)) return;
  DrivePlan drive = default_drive(drive::Kind::DcMotor);
  drive.name = drive.joint = joint.name;
  drive.control = drive::Control::Torque;
  const double gear = knee ? d.knee_gear : d.gear;
  drive.voltage = d.voltage;
  drive.torque_constant = d.voltage / d.no_load;
  drive.resistance = d.voltage * d.voltage / (4.0 * (knee ? d.knee_power : d.power));
  drive.gear = gear;
  drive.efficiency = d.efficiency;
  drive.inertia = knee ? d.knee_inertia : d.inertia;
  drive.friction = d.friction / gear;
  if (joint.kind == JointKind::Universal) drive.transmission.kind = Mechanism::Differential;
  plan.drives.push_back(drive);
}

// A potentiometer on the axis and an encoder on the shaft of the motor, which finds its zero by it.
void add_angle_sensors(const HexapodDevices& d, const JointPlan& joint, int axis, double gear, Plan& plan) {
  if (is_measured(plan, joint.name, axis)) return;
  const bool two = joint::freedom_count(joint.kind) > 1;
  const std::string name = two ? fmt::format("{}_{}", joint.name, axis == 0 ? "yaw" : "pitch") : joint.name;
  SensorPlan pot;
  pot.name = "pot_" + name;
  pot.kind = SensorKind::Potentiometer;
  pot.joint = joint.name;
  pot.axis = axis;
  pot.lower = {-2.62};
  pot.upper = {2.62};
  pot.bits = 12;
  pot.noise = {d.pot_noise};
  pot.offset_spread = {d.pot_offset};
  pot.period = d.period;
  SensorPlan shaft;
  shaft.name = name;
  shaft.kind = SensorKind::IncrementalEncoder;
  shaft.joint = joint.name;
  shaft.axis = axis;
  shaft.counts = d.counts;
  shaft.gear_ratio = gear;
  shaft.absolute = pot.name;
  shaft.fusion_time = d.fusion_time;
  shaft.rate_filter = d.rate_filter;
  shaft.period = d.period;
  plan.sensors.push_back(pot);
  plan.sensors.push_back(shaft);
}

void add_force_sensors(const HexapodDevices& d, const legged::SegmentedBody& body, Plan& plan) {
  for (int i = 0; i < body.legs(); i++) {
    SensorPlan force;
    force.name = "force_" + leg_name(i, body.segments);
    force.kind = SensorKind::Force3;
    force.body = "tibia_" + leg_name(i, body.segments);
    force.position = Vec3d(0.5 * body.leg.l3, 0.0, 0.0);
    force.period = d.period;
    if (d.are_real()) {
      force.upper = {d.force_range, d.force_range, d.force_range};
      force.bits = 12;
      force.noise = {d.force_noise, d.force_noise, d.force_noise};
      force.cross_talk_spread = d.cross_talk;
    }
    if (!has_sensor(plan, force.name)) plan.sensors.push_back(force);
  }
  SensorPlan level;
  level.name = "level";
  level.kind = SensorKind::Inclination;
  level.body = fmt::format("segment{}", body.middle() + 1);
  level.period = d.period;
  if (d.are_real()) level.noise = {d.level_noise, d.level_noise};
  if (!has_sensor(plan, level.name)) plan.sensors.push_back(level);
}

// Rays from far below to far above straight ahead: the sensor's y is up.
void add_eye(const HexapodDevices& d, const legged::SegmentedBody& body, double neck_ahead, Plan& plan) {
  SensorPlan eye;
  eye.name = "eye";
  eye.kind = SensorKind::Range;
  eye.body = "head";
  eye.position = Vec3d(body.head_ahead - neck_ahead, 0.0, 0.0);
  eye.orientation = {std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0};
  eye.rays = eye_rays;
  eye.fan = eye_fan;
  eye.upper.assign(std::size_t(eye_rays), eye_range);
  eye.lower.assign(std::size_t(eye_rays), 0.0);
  eye.period = eye_period;
  if (d.are_real()) eye.noise.assign(std::size_t(eye_rays), d.eye_noise);
  if (!has_sensor(plan, eye.name)) plan.sensors.push_back(eye);
}

// What measures the angles of a leg, and what else does.
void wire_angles(const SensorPlan& s, int number, int reading, const std::string& leg, HexapodWiring::Leg& out) {
  if (!measures_position(s.kind)) return;
  for (int a = 0; a < 3; a++) {
    if (s.joint != fmt::format("{}{}", leg_joints[a], leg)) continue;
    if (s.name.starts_with("pot_"))
      out.pot[std::size_t(a)] = reading;
    else
      out.angle_sensor[std::size_t(a)] = number;
  }
}

}  // namespace

double HexapodDevices::stall(bool knee) const {
  const double k = voltage / no_load, R = voltage * voltage / (4.0 * (knee ? knee_power : power));
  return efficiency * (knee ? knee_gear : gear) * k * voltage / R;
}

void describe_devices(Keys& keys, HexapodDevices& d) {
  keys.choice({"devices", "", "ideal: servos, sensors without errors; real: DC motors, noisy sensors"}, devices_names,
              d.kind);
  keys.flag({"feels", "", "force sensors in the shanks and an inclination sensor"}, d.feels);
  const Table table(keys, "device", "of devices = \"real\"; [drive.NAME] and [sensor.NAME] replace single ones");
  keys.number({"voltage", "V", "of the supply", positive}, d.voltage);
  keys.number({"power", "W", "most mechanical power of a motor", positive}, d.power);
  keys.number({"knee_power", "W", "of those in the knees", positive}, d.knee_power);
  keys.number({"no_load", "rad/s", "speed of the motors without load", positive}, d.no_load);
  keys.number({"gear", "1", "turns of a motor for one of its axis", positive}, d.gear);
  keys.number({"knee_gear", "1", "of those in the knees", positive}, d.knee_gear);
  keys.number({"efficiency", "1", "of the gears", {.low = 0.0, .high = 1.0, .above_low = true}}, d.efficiency);
  keys.number({"inertia", "kg m^2", "of a rotor", not_negative}, d.inertia);
  keys.number({"knee_inertia", "kg m^2", "of those in the knees", not_negative}, d.knee_inertia);
  keys.number({"friction", "N m", "of a gear, as its axis feels it", not_negative}, d.friction);
  keys.number({"counts", "1", "of an encoder, for a turn of the motor", positive}, d.counts);
  keys.number({"fusion_time", "s", "in which encoders find their zero by the potentiometers", positive}, d.fusion_time);
  keys.number({"rate_filter", "s", "low pass of the encoders' rates", not_negative}, d.rate_filter);
  keys.number({"pot_noise", "rad", "of the potentiometers", not_negative}, d.pot_noise);
  keys.number({"pot_offset", "rad", "deviation of their zeros", not_negative}, d.pot_offset);
  keys.number({"force_range", "N", "of the force sensors, each axis", positive}, d.force_range);
  keys.number({"force_noise", "N", "of the force sensors", not_negative}, d.force_noise);
  keys.number({"cross_talk", "1", "of the force sensors, at most", not_negative}, d.cross_talk);
  keys.number({"level_noise", "rad", "of the inclination sensor", not_negative}, d.level_noise);
  keys.number({"eye_noise", "m", "of the range sensor in the head", not_negative}, d.eye_noise);
  keys.number({"period", "s", "of all other sensors", positive}, d.period);
}

void add_devices(const HexapodDevices& d, const legged::SegmentedBody& body, double neck_ahead, Plan& plan) {
  if (d.are_real())
    for (const JointPlan& joint : plan.joints) {
      if (joint.kind == JointKind::Free) continue;
      const bool knee = joint.name.starts_with("knee_");
      add_drive(d, joint, knee, plan);
      for (int a = 0; a < joint::freedom_count(joint.kind); a++)
        add_angle_sensors(d, joint, a, knee ? d.knee_gear : d.gear, plan);
    }
  if (d.feels) add_force_sensors(d, body, plan);
  if (d.looks) add_eye(d, body, neck_ahead, plan);
}

HexapodWiring wiring_of(const legged::SegmentedBody& body, const Plan& plan) {
  HexapodWiring out;
  out.leg.resize(std::size_t(body.legs()));
  out.hinge.resize(std::size_t(body.segments));
  int coord = 0, axis = 0;
  for (const JointPlan& j : plan.joints) {
    for (int i = 0; i < body.legs(); i++)
      for (int a = 0; a < 3; a++) {
        if (j.name != fmt::format("{}{}", leg_joints[a], leg_name(i, body.segments))) continue;
        out.leg[std::size_t(i)].q[a] = coord;
        out.leg[std::size_t(i)].u[a] = axis;
        out.leg[std::size_t(i)].rest[a] = j.motion[0].offset;
      }
    for (int s = 0; s < body.segments; s++)
      if (j.name == fmt::format("hinge{}", s + 1)) out.hinge[std::size_t(s)] = {coord, axis};
    if (j.name == "neck") out.neck = {coord, axis};
    coord += joint::coordinate_count(j.kind);
    axis += joint::freedom_count(j.kind);
  }
  const auto is_device = [](const DrivePlan& d) { return d.kind != drive::Kind::Servo; };
  const int first_switch = drive::command::size * int(std::ranges::count_if(plan.drives, is_device));
  const AdhesionPlan& adhesion = plan.contact.adhesion;
  for (std::size_t g = 0; adhesion.kind != Adhesion::None && g < adhesion.groups.size(); g++)
    for (int i = 0; i < body.legs(); i++)
      if (adhesion.groups[g].name == leg_name(i, body.segments)) out.leg[std::size_t(i)].pad = first_switch + int(g);
  int reading = 0;
  for (std::size_t k = 0; k < plan.sensors.size(); k++) {
    const SensorPlan& s = plan.sensors[k];
    for (int i = 0; i < body.legs(); i++)
      wire_angles(s, int(k), reading, leg_name(i, body.segments), out.leg[std::size_t(i)]);
    for (int i = 0; i < body.legs(); i++)
      if (s.name == "force_" + leg_name(i, body.segments) && s.kind == SensorKind::Force3) {
        out.leg[std::size_t(i)].force = reading;
        out.leg[std::size_t(i)].force_sensor = int(k);
      }
    if (s.name == "level" && s.kind == SensorKind::Inclination) out.level = reading;
    if (s.name == "eye" && s.kind == SensorKind::Range && s.rays > 1) {
      out.eye = reading;
      out.eye_sensor = int(k);
      out.eye_rays = reading_count(s);
      out.eye_fan = s.fan;
      out.eye_most = s.upper.empty() ? eye_range : s.upper[0];
    }
    reading += reading_count(s);
  }
  return out;
}

Vec3d from_shank(const Vec3d& q, const Vec3d& f) {
  const double c = math::cos(q[1] + q[2]), s = math::sin(q[1] + q[2]);
  const double out = c * f[0] - s * f[2], up = s * f[0] + c * f[2];  // the shank's x points along it: up by q2 + q3
  const double c1 = math::cos(q[0]), s1 = math::sin(q[0]);
  return {c1 * out - s1 * f[1], s1 * out + c1 * f[1], up};
}

Vec3d up_of(double roll, double pitch) {
  const double cp = math::cos(pitch);
  return {-math::sin(pitch), math::sin(roll) * cp, math::cos(roll) * cp};
}

}  // namespace sinew::robots
