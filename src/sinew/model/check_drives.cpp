// The rules that drives must obey.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/model/drives.h"
#include "sinew/model/glob.h"

namespace sinew {
namespace {

using drive::Control;
using drive::Kind;

// A torque that is given as nothing: a controller commands the joint.
bool is_zero(const Motion<double>& m) { return m.offset == 0.0 && m.rate == 0.0 && m.amplitude == 0.0 && !m.table; }

struct DriveChecker {
  const Plan& plan;
  std::vector<Problem> problems = {};
  std::map<std::string, std::string> drive_of = {};  // by joint

  void fail(const DrivePlan& d, const char* key, std::string what) {
    problems.push_back(
        {fmt::format("drive.{}{}{}", d.is_made() ? d.table : d.name, *key ? "." : "", key), std::move(what)});
  }

  void positive(const DrivePlan& d, const char* key, double x) {
    if (!(x > 0.0) || !std::isfinite(x)) fail(d, key, fmt::format("must be finite and > 0, is {}", x));
  }
  void not_negative(const DrivePlan& d, const char* key, double x) {
    if (!(x >= 0.0) || !std::isfinite(x)) fail(d, key, fmt::format("must be finite and >= 0, is {}", x));
  }
  void limit(const DrivePlan& d, const char* key, double x) {
    if (!(x > 0.0)) fail(d, key, fmt::format("must be > 0, is {}", x));
  }

  void check_motor(const DrivePlan& d) {
    positive(d, "voltage", d.voltage);
    positive(d, "resistance", d.resistance);
    positive(d, "torque_constant", d.torque_constant);
    positive(d, "gear", d.gear);
    positive(d, "thermal_time", d.thermal_time);
    not_negative(d, "inertia", d.inertia);
    not_negative(d, "friction", d.friction);
    not_negative(d, "viscous", d.viscous);
    if (!(d.efficiency > 0.0 && d.efficiency <= 1.0))
      fail(d, "efficiency",
           fmt::format("a gear gives more than 0 and at most all that it gets, 0 to 1, is {}", d.efficiency));
    if (d.pole_pairs < 1)
      fail(d, "pole_pairs", fmt::format("a motor has at least one pair of poles, is {}", d.pole_pairs));
    if (d.kind != Kind::DcMotor && d.level == drive::Level::Full) {
      if (!(d.inductance > 0.0) || !std::isfinite(d.inductance))
        fail(d, "inductance",
             "the level \"full\" follows the current through the windings: give more than 0 H, or use \"fast\"");
      else if (d.resistance / (d.inductance * d.rate) > 25.0)
        fail(d, "rate",
             fmt::format("the windings forget a current within {:.3g} s, much faster than the loop ticks: use a higher "
                         "rate, or level = \"fast\"",
                         d.inductance / d.resistance));
    } else if (d.kind != Kind::DcMotor) {
      not_negative(d, "inductance", d.inductance);
    }
  }

  void check_loops(const DrivePlan& d) {
    for (const auto& [key, rate] :
         {std::pair{"rate", d.rate}, {"loop_rate", d.loop_rate}, {"force_rate", d.force_rate}})
      if (!(rate > 0.0 && rate <= 1e6)) fail(d, key, fmt::format("must be > 0 and at most 1e6 Hz, is {}", rate));
    for (const auto& [key, delay, rate] :
         {std::tuple{"delay", d.delay, d.loop_rate}, {"force_delay", d.force_delay, d.force_rate}})
      if (!(delay >= 0.0) || !(delay * rate <= 1000.0))
        fail(d, key, fmt::format("must be >= 0 s and at most 1000 periods of its loop, is {}", delay));
    limit(d, "current_limit", d.current_limit);
    limit(d, "limit", d.limit);
    limit(d, "speed_limit", d.speed_limit);
    limit(d, "thermal_current", d.thermal_current);
    limit(d, "following_error", d.following_error);
    limit(d, "grip", d.grip);
    limit(d, "shaper_speed", d.shaper_speed);
    limit(d, "shaper_accel", d.shaper_accel);
    not_negative(d, "kp", d.kp);
    not_negative(d, "kd", d.kd);
    positive(d, "align_time", d.align_time);
    if (std::isfinite(d.shaper_speed) != std::isfinite(d.shaper_accel))
      fail(d, std::isfinite(d.shaper_speed) ? "shaper_accel" : "shaper_speed",
           "a shaper needs both a speed and an acceleration: give both, or none");
    if (!(d.lower_switch < d.upper_switch)) fail(d, "lower_switch", "must be below upper_switch");
    if (d.kind != Kind::Ideal) {
      positive(d, "current_bandwidth", d.current_bandwidth);
      positive(d, "velocity_bandwidth", d.velocity_bandwidth);
    }
  }

  void check_control(const DrivePlan& d) {
    const bool is_cascade = d.control == Control::Position || d.control == Control::Velocity;
    const std::string_view word = drive::control_names[std::size_t(d.control)];
    if (is_cascade && (d.kind == Kind::Ideal || d.inertia + d.load_inertia <= 0.0))
      fail(d, "control",
           fmt::format("the gains of \"{}\" follow from the inertia of motor and load, which this drive does not have: "
                       "give inertia or load_inertia, or use \"impedance\" with kp and kd",
                       word));
    if (is_cascade && d.kind == Kind::SeriesElastic)
      fail(d, "control",
           fmt::format(
               "\"{}\" acts on the motor in front of the spring: use \"position-force\", \"impedance\" or \"torque\"",
               word));
    else if (is_cascade && d.has_play() && d.encoder == drive::Encoder::Joint)
      fail(d, "encoder",
           fmt::format("\"{}\" with play or slip between motor and joint would chase the joint through it: use "
                       "\"motor\", or control = \"impedance\"",
                       word));
    if (d.control == Control::PositionForce && d.kind != Kind::SeriesElastic)
      fail(d, "control", "\"position-force\" needs the force loop of kind = \"series-elastic\": use \"impedance\"");
    if ((d.control == Control::Current || d.control == Control::Voltage) && d.kind == Kind::Ideal)
      fail(d, "control", fmt::format("an ideal drive has no {}: use \"torque\" or \"impedance\"", word));
    if (d.align != drive::Align::None &&
        (d.kind == Kind::Ideal || d.kind == Kind::DcMotor || d.level != drive::Level::Full))
      fail(d, "align",
           "only the level \"full\" of a motor with three phases has an electrical angle to be found: use level = "
           "\"full\", or align = \"none\"");
    if (d.align != drive::Align::None) positive(d, "align_current", d.align_current);
  }

  void check_spring(const DrivePlan& d) {
    if (d.kind == Kind::Ideal) {
      if (d.backlash != 0.0 || std::isfinite(d.slip))
        fail(d, d.backlash != 0.0 ? "backlash" : "slip",
             "play and slip lie between a motor and its load, and an ideal drive has no motor: use another kind, or "
             "kind = \"servo\" with free_play");
      return;
    }
    not_negative(d, "backlash", d.backlash);
    limit(d, "slip", d.slip);
    not_negative(d, "load_inertia", d.load_inertia);
    if (d.has_play() && !(d.spring > 0.0 && std::isfinite(d.spring)))
      fail(d, "spring", "a gear with play or a belt that slips needs its stiffness: give more than 0");
    else if (d.has_play())
      positive(d, "inertia", d.inertia);
    if (d.encoder == drive::Encoder::Motor && !d.has_own_motor())
      fail(d, "encoder",
           "without spring, play or slip the motor is where the joint is: use \"joint\", or give backlash or slip");
    if (d.kind != Kind::SeriesElastic) return;
    positive(d, "spring", d.spring);
    positive(d, "inertia", d.inertia);
    positive(d, "force_frequency", d.force_frequency);
    positive(d, "force_damping", d.force_damping);
    if (!(d.blind_from <= d.blind_until)) fail(d, "blind_until", "must not be before blind_from");
  }

  // Of drives that are not made yet; those that are have been found right.
  void check_transmission(const DrivePlan& d, const JointPlan& j) {
    if (d.is_made()) return;
    for (const TransmissionProblem& p : sinew::problems_of(d.transmission, j)) fail(d, p.key.c_str(), p.what);
    const bool has_bodies = d.mechanism == MechanismModel::Bodies;
    if (has_bodies && !d.transmission.has_rods())
      fail(d, "mechanism", "gears of a differential are no rods that could be bodies: use \"jacobian\"");
    if (d.transmission.has_rods()) not_negative(d, "slider_mass", d.transmission.slider_mass);
    if (has_bodies && d.transmission.slider_mass == 0.0)
      fail(d, "slider_mass", "a slider that is a body has a mass: give more than 0 kg");
    if (has_bodies) positive(d, "rod_mass", d.rod_mass);
    if (std::ranges::find(plan.transmissions, j.name, &TransmissionPlan::joint) != plan.transmissions.end())
      fail(d, "joint", fmt::format("joint '{}' has a transmission already", j.name));
  }

  void check_joint(const DrivePlan& d, const JointPlan& j) {
    if (const auto [it, is_new] = drive_of.emplace(d.is_made() ? fmt::format("{}.{}", j.name, d.axis) : j.name,
                                                   d.is_made() ? d.table : d.name);
        !is_new)
      return fail(d, "joint",
                  fmt::format("joint '{}' has the drive '{}' already: a joint has one drive", j.name, it->second));
    if (joint::freedom_count(j.kind) == 0)
      return fail(d, "joint", fmt::format("joint '{}' has no axis to drive", j.name));
    if (d.kind == Kind::Servo) {
      if (!d.is_direct()) fail(d, "transmission", "a servo acts on the axis itself: use another kind of drive");
      return;
    }
    if (j.kind != JointKind::Revolute && j.kind != JointKind::Prismatic && j.kind != JointKind::Universal)
      return fail(
          d, "joint",
          fmt::format("joint '{}' is {}, and drives act on single axes: use revolute, prismatic or universal joints",
                      j.name, joint::name_of(j.kind)));
    if (j.loop)
      return fail(
          d, "joint",
          fmt::format("'{}' closes a loop and has no freedom of its own: drive another joint of the loop", j.name));
    const bool is_given_torque =
        j.drive == Drive::Torque && (!std::ranges::all_of(j.motion, is_zero) || !j.table_file.empty());
    if (j.drive == Drive::Motion || j.drive == Drive::Computed || is_given_torque)
      fail(d, "joint",
           fmt::format("joint '{}' follows its motion exactly, by a controller or as a given torque, which this drive "
                       "does not replace: use drive = "
                       "\"device\", or leave it out",
                       j.name));
    if (!d.is_direct()) check_transmission(d, j);
    const bool is_sliding = d.stroke_kind(j.kind) == JointKind::Prismatic;
    if (d.kind == Kind::Linear && !d.is_direct() && !is_sliding)
      fail(d, "transmission",
           fmt::format("a linear drive pushes, but the drives of \"{}\" turn: use kind = \"pmsm\" or \"dc-motor\"",
                       mechanism_names[std::size_t(d.transmission.kind)]));
    else if (d.kind == Kind::Linear && !is_sliding)
      fail(d, "joint",
           fmt::format(
               "a linear drive pushes along an axis, but joint '{}' turns: use a prismatic joint, or kind = \"pmsm\"",
               j.name));
    if (d.kind == Kind::Ideal) return;
    if (is_sliding) {
      positive(d, "lead", d.lead);
      positive(d, "belt", d.belt);
    }
    if (const double I = reflected_inertia(d, j.kind); std::isfinite(d.gear * d.inertia) && !(I < 1e12))
      fail(d, is_sliding ? "lead" : "gear",
           fmt::format("with this ratio the rotor counts as {:g} {} at the axis: give less", I,
                       is_sliding ? "kg" : "kg m^2"));
  }

  void check(const DrivePlan& d) {
    bool is_found = false;
    for (const JointPlan& j : plan.joints)
      if (matches(d.joint, j.name)) {
        is_found = true;
        check_joint(d, j);
      }
    if (!is_found)
      fail(d, "joint",
           d.joint.empty() ? std::string("a drive must name the joint that it moves")
                           : fmt::format("no joint is named '{}'", d.joint));
    if (d.kind == Kind::Servo) return;
    check_loops(d);
    check_control(d);
    check_spring(d);
    if (d.kind != Kind::Ideal) check_motor(d);
  }
};

}  // namespace

std::vector<Problem> problems_of_drives(const Plan& plan) {
  DriveChecker checker{plan};
  for (const DrivePlan& d : plan.drives) checker.check(d);
  if (!plan.drives.empty() && plan.make_plant)
    checker.problems.push_back(
        {"drive", "this robot has equations of its own, on whose joints no drive acts: remove it"});
  return std::move(checker.problems);
}

}  // namespace sinew
