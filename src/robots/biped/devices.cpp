#include "robots/biped/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/model/drives.h"

namespace sinew::robots {
namespace {

namespace six = legged::six;

struct BipedJoint {
  const char* name;
  int first, n;
  double lever;  // of its drives, about [m]
};
constexpr std::array<BipedJoint, 4> biped_joints{{{"yaw_", six::yaw, 1, 0.05},
                                                  {"hip_", six::roll, 2, 0.06},
                                                  {"knee_", six::knee, 1, 0.06},
                                                  {"ankle_", six::ankle_pitch, 2, 0.05}}};
constexpr std::array<std::string_view, six::count> axis_endings{"", "_roll", "_pitch", "", "_pitch", "_roll"};

// docs/theory/transmissions.md#check-values
TransmissionPlan rods_of(int joint) {
  TransmissionPlan t{.slider_mass = 0.01};
  switch (joint) {
    case 0:
      t.kind = Mechanism::Knee;
      t.along = Vec3d(1.0, 0.0, 0.0);
      t.radius = 0.05;
      t.angle = 0.0;
      t.offset = -0.05;
      t.rod = 0.12;
      return t;
    case 1:
      t.kind = Mechanism::Parallel;
      t.base = {0.07, 0.05, 0.16};
      t.moving = {0.07, 0.05, -0.02};
      t.rod = 0.18;
      return t;
    case 2:
      t.kind = Mechanism::Knee;
      return t;
    default:
      t.kind = Mechanism::Parallel;
      return t;
  }
}

constexpr double drive_force = 400.0;  // what the current of a usual drive is enough for [N]

std::string_view kind_of(const BipedJoint& joint) {  // without the ending
  const std::string_view name = joint.name;
  return name.substr(0, name.size() - 1);
}

void add_biped_drive(const BipedDevices& d, const std::string& joint, int which, Plan& plan) {
  if (has_drive(plan, joint)) return;
  const bool is_elastic = d.is_elastic(kind_of(biped_joints[std::size_t(which)]));
  DrivePlan drive = default_drive(is_elastic ? drive::Kind::SeriesElastic : drive::Kind::Linear);
  drive.name = drive.joint = joint;
  drive.transmission = rods_of(which);
  drive.level = drive::Level(d.level);
  drive.mechanism = MechanismModel(d.mechanism);
  drive.rod_mass = d.rod_mass;
  drive.transmission.slider_mass = d.slider_mass;
  drive.control = drive::Control::Torque;
  drive.current_limit *= std::max(d.force_limit / drive_force, 1.0);  // stronger ones have the current for it
  // The limit is one of the current. Driven back, a screw holds more with it, and walking needs that.
  const double of_an_ampere = drive_ratio(drive, JointKind::Prismatic) * drive.torque_constant * drive.efficiency;
  drive.current_limit = std::min(drive.current_limit, d.force_limit / of_an_ampere);
  drive.limit = d.force_limit / (drive.efficiency * drive.efficiency);
  drive.friction = d.friction;
  drive.thermal_current = d.thermal_current;
  if (is_elastic) drive.spring = d.stiffness;
  if (which == 2) {  // strokes of a knee count from where it is straight
    drive.lower_switch = -0.005;
    drive.upper_switch = 0.115;
  }
  plan.drives.push_back(drive);
}

// An absolute encoder on the axis, and one on the shaft of the motor, whose zero it finds.
void add_encoders(const BipedDevices& d, const std::string& joint, int axis, double lever, Plan& plan) {
  if (is_measured(plan, joint, axis)) return;
  SensorPlan absolute;
  const int which = joint.starts_with("hip_")     ? six::roll + axis
                    : joint.starts_with("ankle_") ? six::ankle_pitch + axis
                                                  : 0;
  const std::string name = joint + std::string(axis_endings[std::size_t(which)]);
  absolute.name = "absolute_" + name;
  absolute.kind = SensorKind::AbsoluteEncoder;
  absolute.joint = joint;
  absolute.axis = axis;
  absolute.lower = {-std::numbers::pi};
  absolute.upper = {std::numbers::pi};
  absolute.bits = int(d.encoder_bits);
  absolute.period = d.period;
  SensorPlan shaft;
  shaft.name = name;
  shaft.kind = SensorKind::IncrementalEncoder;
  shaft.joint = joint;
  shaft.axis = axis;
  shaft.counts = d.counts;
  shaft.gear_ratio = lever * 2.0 * std::numbers::pi * 2.0 / 0.006;  // belt 2, lead 6 mm
  shaft.absolute = absolute.name;
  shaft.fusion_time = d.fusion_time;
  shaft.rate_filter = d.rate_filter;
  shaft.period = d.period;
  plan.sensors.push_back(absolute);
  plan.sensors.push_back(shaft);
}

void add_foot_sensor(const BipedDevices& d, const std::string& side, Plan& plan) {
  SensorPlan s;
  s.name = "force_" + side;
  s.kind = SensorKind::Force6;
  s.joint = "ankle_" + side;
  s.body = "shank_" + side;
  s.around = MechanismModel(d.mechanism) == MechanismModel::Bodies;  // it is above the rods of the ankle
  s.orientation = Quatd{0.5, 0.5, 0.5, 0.5};                         // left, up, forward
  s.upper = {300.0, 400.0, 300.0, 10.0, 20.0, 10.0};
  s.lower = {-300.0, -400.0, -300.0, -10.0, -20.0, -10.0};
  s.bits = 12;
  s.noise.assign(8, d.force_noise);
  s.hysteresis.assign(8, d.hysteresis);
  s.cross_talk_spread = d.cross_talk;
  s.period = d.period;
  if (!has_sensor(plan, s.name)) plan.sensors.push_back(s);
}

void add_inertial_unit(const BipedDevices& d, Plan& plan) {
  SensorPlan s;
  s.name = "inertial";
  s.kind = SensorKind::Inertial;
  s.body = "trunk";
  s.noise = {d.gyro_noise, d.gyro_noise, d.gyro_noise, d.accel_noise, d.accel_noise, d.accel_noise};
  s.offset_spread = {d.gyro_offset, d.gyro_offset, d.gyro_offset, d.accel_offset, d.accel_offset, d.accel_offset};
  s.period = d.period;
  if (!has_sensor(plan, s.name)) plan.sensors.push_back(s);
}

void describe_gains(Keys& keys, const Key& key, std::vector<double>& gains) {
  keys.numbers(key, {.exactly = six::count}, gains);
  if (gains.size() == six::count && std::ranges::all_of(gains, [](double x) { return x >= 0.0 && std::isfinite(x); }))
    return;
  keys.reject(key.name, fmt::format("{} needs six numbers of at least 0", key.name),
              "give those of yaw, roll and pitch of the hip, knee, pitch and roll of the ankle");
  gains.assign(six::count, 100.0);
}

void describe_springs(Keys& keys, BipedDevices& d) {
  keys.flag({"elastic", "", "springs between the screws and the joints"}, d.elastic);
  keys.texts({"elastic_joints", "", "of elastic = true: which of yaw, hip, knee, ankle have them"}, d.elastic_joints);
  for (const std::string& name : d.elastic_joints)
    if (std::ranges::find(biped_joints, name, kind_of) == biped_joints.end()) {
      keys.reject("elastic_joints", fmt::format("elastic_joints: no joints are called \"{}\"", name),
                  "use yaw, hip, knee or ankle");
      d.elastic_joints = BipedDevices{}.elastic_joints;
      break;
    }
  keys.number({"stiffness", "N/m", "of these springs", positive}, d.stiffness);
  keys.number(
      {"ballistic",
       "1",
       "share of the torques of hip pitch and knee that a leg in the air is without, in the middle of its swing",
       {.low = 0.0, .high = 1.0}},
      d.ballistic);
  const BipedDevices stiff;
  const bool is_usual = d.kp == stiff.kp, is_usually_damped = d.kd == stiff.kd;
  for (const BipedJoint& joint : biped_joints)
    for (std::size_t i = std::size_t(joint.first);
         d.is_elastic(kind_of(joint)) && i < std::size_t(joint.first + joint.n); i++) {
      if (is_usual) d.kp[i] = BipedDevices::elastic_kp[i];
      if (is_usually_damped) d.kd[i] = BipedDevices::elastic_kd[i];
    }
}

// What says how drives are computed would be without effect, in silence.
void expect_drives(Keys& keys, const BipedDevices& d) {
  if (d.are_real()) return;
  const BipedDevices usual;
  const auto refuse = [&keys](bool is_other, std::string_view name) {
    if (is_other)
      keys.reject(name, fmt::format("{} is of linear drives, and devices is \"ideal\": there are none", name),
                  "give devices = \"real\", or leave it out");
  };
  refuse(d.level != usual.level, "level");
  refuse(d.mechanism != usual.mechanism, "mechanism");
  refuse(d.elastic, "elastic");
  refuse(d.ballistic > 0.0, "ballistic");
}

}  // namespace

void describe_devices(Keys& keys, BipedDevices& d) {
  keys.choice({"devices", "", "ideal: servos; real: linear drives with rods and cranks, noisy sensors"}, devices_names,
              d.kind);
  const Table table(keys, "device", "of devices = \"real\"; [drive.NAME] and [sensor.NAME] replace single ones");
  keys.choice({"level", "", "how much of the drives is computed"}, drive::level_names, d.level);
  keys.choice({"mechanism", "", "how rods are computed: by their Jacobian, or as real sliders and rods in loops"},
              mechanism_model_names, d.mechanism);
  keys.number({"rod_mass", "kg", "of each rod, where they are bodies", positive}, d.rod_mass);
  keys.number({"slider_mass", "kg", "of each slider", positive}, d.slider_mass);
  describe_springs(keys, d);
  keys.number({"force_limit", "N", "of a drive, by its current; driven back its screw holds 1 / 0.81 of it", positive},
              d.force_limit);
  keys.number({"friction", "N m", "Coulomb friction at a motor", not_negative}, d.friction);
  keys.number({"thermal_current",
               "A",
               "that a motor bears for ever; inf: any",
               {.low = 0.0, .above_low = true, .may_be_infinite = true}},
              d.thermal_current);
  describe_gains(keys, {"joint_kp", "N m/rad", "stiffness of yaw, hip roll and pitch, knee, ankle pitch and roll"},
                 d.kp);
  describe_gains(keys, {"joint_kd", "N m s/rad", "their damping"}, d.kd);
  keys.number({"counts", "1", "of an encoder, for a turn of the motor", positive}, d.counts);
  keys.number({"encoder_bits", "1", "of the absolute encoders on the axes", {.low = 4.0, .high = 30.0}},
              d.encoder_bits);
  keys.number({"fusion_time", "s", "in which encoders of motors find their zero by those", positive}, d.fusion_time);
  keys.number({"rate_filter", "s", "low pass of the encoders' rates", not_negative}, d.rate_filter);
  keys.number({"force_noise", "1", "of the bridges of the force sensors, over full scale", not_negative},
              d.force_noise);
  keys.number({"hysteresis", "1", "of these bridges", {.low = 0.0, .high = 1.0}}, d.hysteresis);
  keys.number({"cross_talk", "1", "of these bridges, at most", {.low = 0.0, .high = 1.0}}, d.cross_talk);
  keys.number({"gyro_noise", "rad/s", "of the inertial unit", not_negative}, d.gyro_noise);
  keys.number({"gyro_offset", "rad/s", "deviation of its null", not_negative}, d.gyro_offset);
  keys.number({"accel_noise", "m/s^2", "of the inertial unit", not_negative}, d.accel_noise);
  keys.number({"accel_offset", "m/s^2", "deviation of its null", not_negative}, d.accel_offset);
  keys.number({"period", "s", "of all sensors", positive}, d.period);
  expect_drives(keys, d);
}

void add_devices(const BipedDevices& d, Plan& plan) {
  if (!d.are_real()) return;
  for (const char* side : biped_sides) {
    for (int k = 0; k < 4; k++) {
      const BipedJoint& joint = biped_joints[std::size_t(k)];
      const std::string name = std::string(joint.name) + side;
      add_biped_drive(d, name, k, plan);
      for (int a = 0; a < joint.n; a++) add_encoders(d, name, a, joint.lever, plan);
    }
    add_foot_sensor(d, side, plan);
  }
  add_inertial_unit(d, plan);
}

BipedWiring biped_wiring(const Plan& plan) {
  BipedWiring out;
  int coord = 0, axis = 0;
  for (const JointPlan& j : plan.joints) {
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < 4; k++) {
        if (j.name != std::string(biped_joints[std::size_t(k)].name) + biped_sides[std::size_t(side)]) continue;
        BipedWiring::Joint& joint = out.leg[side].joint[std::size_t(k)];
        joint.first = biped_joints[std::size_t(k)].first;
        joint.n = joint::freedom_count(j.kind);
        for (int i = 0; i < joint.n; i++) {
          out.leg[side].q[std::size_t(joint.first + i)] = coord + i;
          out.leg[side].u[std::size_t(joint.first + i)] = axis + i;
        }
        const auto rods = std::ranges::find(plan.transmissions, j.name, &TransmissionPlan::joint);
        joint.has_rods = rods != plan.transmissions.end();
        if (joint.has_rods) joint.rods = make_transmission(*rods, j);
        for (const DrivePlan& d : plan.drives)
          if (d.moved == j.name) {
            joint.efficiency = d.efficiency;
            joint.rotor = d.has_own_motor() ? 0.0 : reflected_inertia(d, j.kind);
          }
      }
    coord += joint::coordinate_count(j.kind);
    axis += joint::freedom_count(j.kind);
  }
  int reading = 0;
  for (std::size_t k = 0; k < plan.sensors.size(); k++) {
    const SensorPlan& s = plan.sensors[k];
    for (int side = 0; side < 2; side++)
      if (s.kind == SensorKind::Force6 && s.name == std::string("force_") + biped_sides[std::size_t(side)]) {
        out.leg[side].force = reading;
        out.leg[side].force_sensor = int(k);
      }
    if (s.kind == SensorKind::Inertial && s.name == "inertial") out.inertial = reading;
    reading += reading_count(s);
  }
  return out;
}

void count_losses(const BipedWiring::Leg& leg, const legged::SixAngles& q, const legged::SixAngles& rate,
                  legged::SixAngles& torque) {
  constexpr double slow = 0.005;  // m/s: below this the direction is not sure
  for (const BipedWiring::Joint& j : leg.joint) {
    if (!j.has_rods) continue;
    const Strokes<double> at = transmission::strokes(j.rods, q.data() + j.first);
    double F[2] = {0.0, 0.0}, v[2] = {0.0, 0.0};
    transmission::drive_forces(j.rods, at, torque.data() + j.first, F);
    transmission::stroke_rates(j.rods, at, rate.data() + j.first, v);
    for (int i = 0; i < j.n; i++)
      if (F[i] * v[i] < 0.0) F[i] *= 1.0 - (1.0 - j.efficiency * j.efficiency) * std::min(std::abs(v[i]) / slow, 1.0);
    transmission::torques(j.rods, at, F, torque.data() + j.first);
  }
}

legged::SixAngles rotor_inertia(const BipedWiring::Leg& leg, const legged::SixAngles& q) {
  legged::SixAngles out{};
  for (const BipedWiring::Joint& j : leg.joint) {
    if (!j.has_rods) continue;
    const Strokes<double> at = transmission::strokes(j.rods, q.data() + j.first);
    const double m[2] = {j.rotor, j.rotor};
    double A[4] = {0.0, 0.0, 0.0, 0.0}, bias[2] = {0.0, 0.0};
    transmission::reflected_inertia(j.rods, at, m, A, bias);
    for (int i = 0; i < j.n; i++) out[std::size_t(j.first + i)] = A[i * j.n + i];
  }
  return out;
}

}  // namespace sinew::robots
