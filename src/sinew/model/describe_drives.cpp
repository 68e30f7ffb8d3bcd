// Keys of drives.
#include "sinew/model/describe.h"
#include "sinew/model/describe_tools.h"

namespace sinew {
namespace {

constexpr Range up_to_infinity{.low = 0.0, .above_low = true, .may_be_infinite = true};
constexpr Range perhaps_infinite{.may_be_infinite = true};

void describe_motor(Keys& keys, DrivePlan& d) {
  const bool has_phases = d.kind != drive::Kind::DcMotor;
  keys.number({"voltage", "V", "of the supply", positive}, d.voltage);
  keys.number(live({"resistance", "Ohm", "of a phase; of the winding of a dc-motor", positive}), d.resistance);
  keys.number({"torque_constant", "N m/A", "torque for an ampere; of three phases: for the amplitude of i_q", positive},
              d.torque_constant);
  if (has_phases) {
    choose(keys, {"level", "", "full: dq model with its current loop; fast: current with a lag; ideal: at once"},
           drive::level_names, d.level);
    keys.number({"inductance", "H", "of a phase", not_negative}, d.inductance);
    keys.integer({"pole_pairs", "1", "of the motor", {.low = 1.0}}, d.pole_pairs);
    keys.number({"rate", "Hz", "of the current loop", positive}, d.rate);
    keys.number({"current_bandwidth", "Hz", "of the current loop", positive}, d.current_bandwidth);
    keys.flag({"decouple", "", "the current loop adds the voltages of the rotation"}, d.decouple);
    choose(keys, {"align", "", "how the rotor is aligned before the drive works"}, drive::align_names, d.align);
    keys.number({"align_current", "A", "i_d while the rotor is aligned"}, d.align_current);
    keys.number({"align_time", "s", "for how long it is aligned", positive}, d.align_time);
  }
  keys.number({"inertia", "kg m^2", "of the rotor and all that turns with it, at the motor", not_negative}, d.inertia);
  keys.number({"friction", "N m", "Coulomb friction at the motor", not_negative}, d.friction);
  keys.number({"viscous", "N m s", "viscous friction at the motor", not_negative}, d.viscous);
  keys.number({"gear", "1", "turns of the motor for one behind the gear", positive}, d.gear);
  keys.number({"lead", "m", "of the screw of a sliding axis: way for one turn", positive}, d.lead);
  keys.number({"belt", "1", "of a sliding axis: turns of the motor for one of the screw", positive}, d.belt);
  keys.number(live({"efficiency", "1", "of the gear", {.low = 0.0, .high = 1.0, .above_low = true}}), d.efficiency);
  keys.number(live({"current_limit", "A", "most of i_q", up_to_infinity}), d.current_limit);
  keys.number({"thermal_current", "A", "that the windings bear for ever; warm ones get no more", up_to_infinity},
              d.thermal_current);
  keys.number({"thermal_time", "s", "with which their warmth follows the square of the current", positive},
              d.thermal_time);
  keys.number(
      live({"velocity_bandwidth", "Hz", "of the velocity loop; the position loop has a quarter of it", positive}),
      d.velocity_bandwidth);
  keys.number(live({"load_inertia", "kg m^2 or kg",
                    "of the load, at the axis: gains of velocity and position reckon with it", not_negative}),
              d.load_inertia);
}

void describe_play(Keys& keys, DrivePlan& d) {
  keys.number(
      {"spring", "N/m or N m/rad", "between motor and load: the spring, or the gear with play or slip", not_negative},
      d.spring);
  keys.number({"backlash", "m or rad", "whole play between motor and load", not_negative}, d.backlash);
  keys.number({"slip", "N or N m", "force at which the belt slips; inf: it does not", up_to_infinity}, d.slip);
  choose(keys, {"encoder", "", "of a drive with spring, play or slip: where loops measure the place"},
         drive::encoder_names, d.encoder);
}

void describe_force_loop(Keys& keys, DrivePlan& d) {
  keys.number(live({"force_frequency", "rad/s", "of the closed force loop", positive}), d.force_frequency);
  keys.number(live({"force_damping", "1", "of the closed force loop", positive}), d.force_damping);
  keys.number({"force_rate", "Hz", "of the force loop", positive}, d.force_rate);
  keys.number({"force_delay", "s", "age of the force that it measures", not_negative}, d.force_delay);
  keys.number(
      {"blind_from", "s", "from when on it has no force sensor, and takes the current for it", perhaps_infinite},
      d.blind_from);
  keys.number({"blind_until", "s", "until when", perhaps_infinite}, d.blind_until);
  keys.number(live({"grip", "N or N m", "most that \"position-force\" asks for", up_to_infinity}), d.grip);
}

void describe_sweep(Keys& keys, drive::Sweep& sweep) {
  const Table table(keys, "sweep",
                    "a sine that is added to the set-point of [..set], through frequencies: for sinew plot --bode");
  keys.number({"amplitude", "", "in the unit of what control follows; 0: no sweep"}, sweep.amplitude);
  keys.number({"from", "Hz", "first frequency", positive}, sweep.from);
  keys.number({"to", "Hz", "last frequency; it grows by equal factors in equal times", positive}, sweep.to);
  keys.number({"time", "s", "that it takes, from t = 0 on", positive}, sweep.time);
}

void describe_loops(Keys& keys, DrivePlan& d) {
  choose(keys, {"control", "", "what the set-point is of"}, drive::control_names, d.control);
  keys.number({"loop_rate", "Hz", "of the loops of position, velocity and impedance", positive}, d.loop_rate);
  keys.number(
      {"delay", "s", "age of what these loops measure; they compare it with the set-point of that time", not_negative},
      d.delay);
  keys.number(live({"shaper_speed", "rad/s or m/s", "most of the shaped set-point; inf: not shaped", up_to_infinity}),
              d.shaper_speed);
  keys.number(live({"shaper_accel", "rad/s^2 or m/s^2", "most of the shaped set-point", up_to_infinity}),
              d.shaper_accel);
  keys.number(
      live({"speed_limit", "rad/s or m/s", "of the axis, beyond which the drive pushes no more", up_to_infinity}),
      d.speed_limit);
  keys.number({"following_error", "rad or m", "set-point minus place at which the drive stops", up_to_infinity},
              d.following_error);
  keys.number({"lower_switch", "rad or m", "place of a limit switch that stops the drive", perhaps_infinite},
              d.lower_switch);
  keys.number({"upper_switch", "rad or m", "place of the other one", perhaps_infinite}, d.upper_switch);
  describe_sweep(keys, d.sweep);
  const Table table(keys, "set", "set-points from the start on, until others are commanded; inf: none");
  static constexpr std::string_view units[] = {"rad or m",       "rad/s or m/s",       "N m or N", "A", "V",
                                               "N m/rad or N/m", "N m s/rad or N s/m", "1",        "1", "1"};
  static constexpr std::string_view docs[] = {"place; none: the joint's motion",
                                              "velocity",
                                              "torque or force; of position, velocity and impedance: added",
                                              "current",
                                              "voltage",
                                              "of impedance, instead of kp",
                                              "of impedance, instead of kd",
                                              "1: the phases are shorted",
                                              "1: a fault is forgotten",
                                              "1: it has no force sensor"};
  for (std::size_t i = 0; i < d.set.size(); i++)
    keys.number(live({drive::command_names[i], units[i], docs[i], perhaps_infinite}), d.set[i]);
}

// Between drives and axes. A direct drive has none of the numbers.
void describe_transmission(Keys& keys, DrivePlan& d) {
  choose(keys, {"transmission", "", "direct; differential, parallel: two drives on two axes; knee: a crank"},
         mechanism_names, d.transmission.kind);
  if (d.is_direct()) return;
  describe_numbers(keys, d.transmission);
  choose(keys, {"mechanism", "", "how a transmission is computed: by its Jacobian, or as real sliders and rods"},
         mechanism_model_names, d.mechanism);
  keys.number({"slider_mass", "kg", "parallel, knee: what slides with each drive; rotor apart", not_negative},
              d.transmission.slider_mass);
  keys.number({"rod_mass", "kg", "of each rod, where the mechanism has bodies", positive}, d.rod_mass);
}

void describe_drive_table(Keys& keys, DrivePlan& d) {
  const drive::Kind before = d.kind;
  choose(keys, {"kind", "", "what moves the joint"}, drive::kind_names, d.kind);
  if (d.kind != before) {
    const std::string name = d.name;
    d = default_drive(d.kind);
    d.name = name;
  }
  keys.text({"joint", "", "joint that it moves; with * or ?: a drive for each joint that is meant"}, d.joint);
  describe_transmission(keys, d);
  keys.number(live({"limit", "N m or N", "most that it gives to the axis", up_to_infinity}), d.limit);
  keys.number(live({"kp", "N m/rad or N/m", "gain on the place, of servo, impedance, position-force", not_negative}),
              d.kp);
  keys.number(live({"kd", "N m s/rad or N s/m", "gain on the velocity, of the same", not_negative}), d.kd);
  if (d.kind == drive::Kind::Servo) {
    keys.number(live({"no_load_speed", "rad/s or m/s", "as of a joint with drive = \"servo\"", up_to_infinity}),
                d.no_load_speed);
    keys.number(live({"free_play", "rad or m", "as of a joint with drive = \"servo\"", not_negative}), d.free_play);
    return;
  }
  if (d.kind != drive::Kind::Ideal) {
    describe_motor(keys, d);
    describe_play(keys, d);
  }
  if (d.kind == drive::Kind::SeriesElastic) describe_force_loop(keys, d);
  describe_loops(keys, d);
}

}  // namespace

void describe_drives(Keys& keys, Plan& plan) {
  const Table table(keys, "drive", "motors with their electronics, each on an axis of a joint");
  static const DrivePlan fresh = default_drive(drive::Kind::Ideal);
  describe_named(keys, plan.drives, fresh, [&](DrivePlan& d) { describe_drive_table(keys, d); });
}

}  // namespace sinew
