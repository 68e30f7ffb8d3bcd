// The keys of [sensor.NAME]. Which there are depends on the kind.
#include <numbers>

#include "sinew/model/describe.h"
#include "sinew/model/describe_tools.h"

namespace sinew {
namespace {

using Numbers = std::vector<double>;
constexpr Range also_infinite{.may_be_infinite = true};
constexpr Range share{.low = 0.0, .high = 1.0};
constexpr Range time_or_never{.low = 0.0, .may_be_infinite = true};

// One number for each channel; those that are all as by default stay empty.
void error_numbers(Keys& keys, const Key& key, int n, double fallback, Numbers& values) {
  Numbers full = values;
  if (full.size() == 1) full.resize(std::size_t(n), full[0]);
  const Numbers none(std::size_t(n), fallback);
  if (int(full.size()) != n) full = none;
  keys.numbers(key, {.exactly = n, .one_for_all = true}, full);
  values = full == none ? Numbers{} : full;
}

std::string units_of(const SensorPlan& s, bool is_linear, const char* after = "") {
  std::string list;
  bool same = true;
  const int m = channel_count(s);
  for (int i = 0; i < m; i++) {
    same = same && channel_unit(s, i, is_linear) == channel_unit(s, 0, is_linear);
    list += (i ? ", " : "") + std::string(channel_unit(s, i, is_linear)) + after;
  }
  return same ? std::string(channel_unit(s, 0, is_linear)) + after : list;
}

std::string load_units(const SensorPlan& s, bool is_linear) {
  if (s.kind == SensorKind::Force6) return "N, N, N, N m, N m, N m";
  return units_of(s, is_linear);
}

bool slides(const Plan& plan, const SensorPlan& s) {
  const auto drive = std::ranges::find(plan.drives, s.drive, &DrivePlan::name);
  const std::string& joint_name = measures_drive(s.kind) && drive != plan.drives.end() ? drive->joint : s.joint;
  const auto found = std::ranges::find(plan.joints, joint_name, &JointPlan::name);
  if (found == plan.joints.end() || s.axis < 0 || s.axis >= joint::freedom_count(found->kind)) return false;
  return joint::visit(found->kind, [&]<class J>() { return J::dirs[s.axis] == joint::Dir::Linear; });
}

void describe_place(Keys& keys, SensorPlan& s) {
  if (measures_drive(s.kind)) {
    keys.text({"drive", "", "that it measures"}, s.drive);
    return;
  }
  if (measures_joint(s.kind)) {
    keys.text({"joint", "", "whose axis is measured"}, s.joint);
    keys.integer({"axis", "", "which of its axes, from 0 on", {.low = 0, .high = 5}}, s.axis);
    return;
  }
  if (measures_force(s.kind)) {
    keys.text({"joint", "", "at which the robot is cut; empty: it is cut in the body"}, s.joint);
    keys.text({"body", "", "in whose axes it reads; empty: the child of the joint"}, s.body);
    keys.vector({"position", "m", "of the sensor in the body's axes, from the joint on if there is one"}, s.position);
    keys.flag({"around", "", "rods and loops that go round the cut count as part of it; false: there must be none"},
              s.around);
  } else {
    keys.text({"body", "", "that carries it"}, s.body);
    if (s.kind == SensorKind::Contact) {
      keys.text({"shape", "", "of the body; empty: all of them"}, s.shape);
      return;
    }
    keys.vector({"position", "m", "of the sensor in the body's axes"}, s.position);
  }
  keys.quaternion({"orientation", "1", "of its axes in the body's: quaternion w, x, y, z"}, s.orientation);
  normalise(keys, "orientation", s.orientation);
}

void describe_encoder(Keys& keys, SensorPlan& s) {
  keys.text({"drive", "", "drive of the joint, on whose motor's shaft it sits; empty: on the joint"}, s.drive);
  keys.number({"counts", "1", "in a turn of the motor's shaft", positive}, s.counts);
  keys.number({"gear_ratio", "1", "turns of the motor's shaft for one of the joint", positive}, s.gear_ratio);
  error_numbers(keys, {"resolution", "rad or m", "one count, of the joint; 0: by counts and gear_ratio", not_negative},
                1, 0.0, s.resolution);
  keys.text({"absolute", "", "sensor of the same axis that finds its zero; empty: 0 is where it was switched on"},
            s.absolute);
  keys.number({"fusion_time", "s", "in which the offset follows that sensor", positive}, s.fusion_time);
}

void describe_switch(Keys& keys, bool is_linear, SensorPlan& s) {
  static constexpr std::array<std::string_view, 2> sides{"below", "above"};
  const char* unit = is_linear ? "m" : "rad";
  keys.number({"at", unit, "where it closes", any_number, !is_linear}, s.limit.at);
  choose(keys, {"closed", "", "on which side of that place it is closed: 1"}, sides, s.limit.is_upper);
  keys.number({"width", unit, "way back until it opens again", not_negative}, s.limit.width);
}

void describe_contact_flag(Keys& keys, SensorPlan& s) {
  keys.number({"on", "N", "sum of the normal forces above which the flag is set", not_negative}, s.debounce.on);
  keys.number({"off", "N", "below which it is taken back", not_negative}, s.debounce.off);
  keys.number({"debounce", "s", "for how long before the flag changes", not_negative}, s.debounce.time);
}

void describe_rays(Keys& keys, SensorPlan& s) {
  keys.integer({"rays", "", "of a fan in the sensor's x-y plane, the middle along x", {.low = 1, .high = most_rays}},
               s.rays);
  keys.number({"fan", "rad", "angle between the first and the last ray", {.low = 0.0, .high = 6.3}, true}, s.fan);
}

void describe_bridges(Keys& keys, SensorPlan& s) {
  keys.number({"beam", "m", "length of its four beams, along x and z of its axes", positive}, s.beam);
  keys.numbers({"bridges", "1/N, 1/(N m)", "B: bridges of a load, 8 x 6, row by row; empty: of four ideal beams"},
               {.exactly = 48, .or_exactly = 0}, s.bridges);
  keys.numbers({"calibration", "N, N m", "C: loads of the bridges, 6 x 8, row by row; empty: that of B"},
               {.exactly = 48, .or_exactly = 0}, s.calibration);
}

// Ends of the range that a kind has by itself.
Numbers natural_upper(const SensorPlan& s, bool is_linear) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (s.kind == SensorKind::Force6) return {300.0, 400.0, 300.0, 10.0, 20.0, 10.0};
  if (s.kind == SensorKind::AbsoluteEncoder && !is_linear) return {std::numbers::pi};
  if (s.kind == SensorKind::Range) return Numbers(std::size_t(s.rays), 10.0);
  return Numbers(std::size_t(reading_count(s)), infinity);
}

void describe_range(Keys& keys, bool is_linear, SensorPlan& s) {
  const int n = reading_count(s);
  const std::string unit = load_units(s, is_linear);
  Numbers upper = int(s.upper.size()) == n ? s.upper : natural_upper(s, is_linear);
  const bool angle = unit == "rad";
  keys.numbers({"upper", unit, "upper end of the range of what it reports", also_infinite, angle},
               {.exactly = n, .one_for_all = true}, upper);
  Numbers lower = int(s.lower.size()) == n ? s.lower : upper;
  if (int(s.lower.size()) != n)
    for (double& x : lower) x = s.kind == SensorKind::Range ? 0.0 : -x;
  keys.numbers({"lower", unit, "lower end; without it: -upper, of distances 0", also_infinite, angle},
               {.exactly = n, .one_for_all = true}, lower);
  s.upper = upper;
  s.lower = lower;
}

// An encoder counts what it makes of the true value: its counts are those of describe_encoder.
void describe_errors(Keys& keys, bool is_linear, SensorPlan& s) {
  const int m = channel_count(s);
  const std::string unit = units_of(s, is_linear), per_second = units_of(s, is_linear, "/s");
  const bool counts = s.kind == SensorKind::IncrementalEncoder;
  error_numbers(keys, live({"gain", "1", "by which the true value is multiplied"}), m, 1.0, s.gain);
  if (m > 1 && s.kind != SensorKind::Range) {
    keys.numbers({"cross_talk", "1", "E: a channel says gain x + E x; row by row; empty: none"},
                 {.exactly = m * m, .or_exactly = 0}, s.cross_talk);
    keys.number({"cross_talk_spread", "1", "instead: entries drawn once for a run, evenly within +- this", share},
                s.cross_talk_spread);
  }
  error_numbers(keys, live({"offset", unit, "null: what is added"}), m, 0.0, s.offset);
  error_numbers(keys, {"offset_spread", unit, "deviation of a null that is drawn once for a run", not_negative}, m, 0.0,
                s.offset_spread);
  error_numbers(keys, live({"drift", per_second, "by which the null changes"}), m, 0.0, s.drift);
  error_numbers(keys, {"hysteresis", "1", "width of the loop as a share of upper - lower", share}, m, 0.0,
                s.hysteresis);
  error_numbers(keys, live({"noise", unit, "standard deviation of white noise on each sample", not_negative}), m, 0.0,
                s.noise);
  describe_range(keys, is_linear, s);
  if (counts) return;
  keys.integer({"bits", "", "2^bits codes over the range; 0: resolution counts", {.low = 0, .high = 32}}, s.bits);
  error_numbers(keys, {"resolution", unit, "one count; 0: as fine as a number is", not_negative}, m, 0.0, s.resolution);
}

void describe_sampling(Keys& keys, bool is_linear, SensorPlan& s) {
  const std::string unit =
      s.kind == SensorKind::LimitSwitch || s.kind == SensorKind::Contact ? std::string("1") : load_units(s, is_linear);
  keys.number({"period", "s", "between samples; 0: every step", not_negative}, s.period);
  keys.number({"phase", "s", "of the first sample", not_negative}, s.phase);
  keys.number({"delay", "s", "from a sample to its arrival", not_negative}, s.delay);
  keys.number(live({"loss", "1", "share of the samples that never arrive", share}), s.loss);
  keys.number(live({"lost_from", "s", "from when on nothing arrives: what was said last is held", time_or_never}),
              s.lost_from);
  keys.number(live({"lost_until", "s", "until when", time_or_never}), s.lost_until);
  keys.number(live({"stuck_from", "s", "from when on it says always the same", time_or_never}), s.stuck_from);
  keys.number(live({"stuck_until", "s", "until when", time_or_never}), s.stuck_until);
  keys.numbers({"stuck_at", unit, "what; empty: what it said last"}, {.one_for_all = true}, s.stuck_at);
}

void describe_sensor(Keys& keys, const Plan& plan, SensorPlan& s) {
  choose(keys, {"kind", "", "what it measures"}, sensor_kind_names, s.kind);
  describe_place(keys, s);
  const bool is_linear = (measures_joint(s.kind) || measures_drive(s.kind)) && slides(plan, s);
  if (s.kind == SensorKind::Range) describe_rays(keys, s);
  if (s.kind == SensorKind::Force6) describe_bridges(keys, s);
  if (s.kind == SensorKind::LimitSwitch) describe_switch(keys, is_linear, s);
  if (s.kind == SensorKind::Contact) describe_contact_flag(keys, s);
  if (s.kind == SensorKind::IncrementalEncoder) describe_encoder(keys, s);
  if (s.kind == SensorKind::LimitSwitch || s.kind == SensorKind::Contact) {
    const std::string unit(channel_unit(s, 0, is_linear)), per_second = unit + "/s";
    error_numbers(keys, live({"offset", unit, "added to what it measures, before it decides"}), 1, 0.0, s.offset);
    error_numbers(keys, {"offset_spread", unit, "deviation of an offset that is drawn once for a run", not_negative}, 1,
                  0.0, s.offset_spread);
    error_numbers(keys, live({"drift", per_second, "by which that changes"}), 1, 0.0, s.drift);
    error_numbers(keys, live({"noise", unit, "standard deviation of white noise on it", not_negative}), 1, 0.0,
                  s.noise);
  } else {
    describe_errors(keys, is_linear, s);
  }
  describe_sampling(keys, is_linear, s);
  if (!measures_position(s.kind)) return;
  keys.flag({"to_controller", "", "controllers read the axis by this sensor; false: as if it were not there"},
            s.to_controller);
  keys.number({"rate_filter", "s", "low pass of its rate: change from sample to sample over their time", not_negative},
              s.rate_filter);
}

}  // namespace

void describe_sensors(Keys& keys, Plan& plan) {
  const Table table(keys, "sensor", "instruments of the robot: what controllers read instead of the truth");
  static const SensorPlan fresh;
  describe_named(keys, plan.sensors, fresh, [&](SensorPlan& s) { describe_sensor(keys, plan, s); });
}

}  // namespace sinew
