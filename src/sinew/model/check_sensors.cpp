// The rules for sensors. Every rule that fails is reported, with the key it concerns.
#include <algorithm>
#include <map>
#include <set>

#include "sinew/model/compile_sensors.h"
#include "sinew/model/number_checks.h"

namespace sinew {
namespace {

struct SensorChecker : NumberChecks {
  const Plan& plan;

  static std::string key_of(const SensorPlan& s, const char* key) { return "sensor." + s.name + "." + key; }

  template <class Part>
  const Part* find(const std::vector<Part>& parts, const std::string& name) const {
    const auto found = std::ranges::find(parts, name, &Part::name);
    return found == parts.end() ? nullptr : &*found;
  }

  template <class Part>
  static std::string names(const std::vector<Part>& parts) {
    std::string list;
    for (std::size_t i = 0; i < parts.size() && i < 12; i++) list += (i ? ", " : "") + parts[i].name;
    return parts.size() > 12 ? list + ", ..." : list;
  }

  const JointPlan* check_joint_name(const SensorPlan& s) {
    const JointPlan* j = find(plan.joints, s.joint);
    if (!j) fail(key_of(s, "joint"), fmt::format("no joint is named '{}': use one of {}", s.joint, names(plan.joints)));
    return j;
  }

  void check_axis(const SensorPlan& s) {
    if (plan.make_plant)
      return fail(key_of(s, "joint"), "this robot has equations of its own and no joints: measure one of its bodies");
    const JointPlan* j = check_joint_name(s);
    if (!j) return;
    const int axes = joint::freedom_count(j->kind);
    if (axes != joint::coordinate_count(j->kind))
      fail(key_of(s, "joint"), fmt::format("a {} joint turns freely in space and has no axis that an encoder could "
                                           "measure: use an inertial unit, or a joint with axes",
                                           joint::name_of(j->kind)));
    else if (s.axis < 0 || s.axis >= axes)
      fail(key_of(s, "axis"), axes == 0 ? fmt::format("a {} joint has no axis to measure", joint::name_of(j->kind))
                                        : fmt::format("a {} joint has the axes 0 to {}, not {}",
                                                      joint::name_of(j->kind), axes - 1, s.axis));
  }

  void check_body_name(const SensorPlan& s) {
    const BodyPlan* b = find(plan.bodies, s.body);
    if (!b)
      return fail(key_of(s, "body"), fmt::format("no body is named '{}': use one of {}", s.body, names(plan.bodies)));
    if (s.kind == SensorKind::Contact && !s.shape.empty() && !find(b->shapes, s.shape))
      fail(key_of(s, "shape"),
           fmt::format("the body '{}' has no shape '{}': it has {}", s.body, s.shape, names(b->shapes)));
    if (s.kind == SensorKind::Contact && b->shapes.empty())
      fail(key_of(s, "body"), fmt::format("the body '{}' has no shape that could touch something", s.body));
  }

  std::set<std::string> carried_by(const std::string& body) const {
    std::set<std::string> all{body};
    for (const JointPlan& j : plan.joints)
      if (!j.loop && j.parent == body && j.child != body && !j.child.empty()) all.merge(carried_by(j.child));
    return all;
  }

  // What acts beyond the cut must be weights, contacts and pushes, which are known.
  void check_cut(const SensorPlan& s) {
    if (plan.make_plant) return fail(key_of(s, "body"), "this robot has equations of its own, which cannot be cut");
    const JointPlan* j = s.joint.empty() ? nullptr : check_joint_name(s);
    if (s.joint.empty()) check_body_name(s);
    if (j && !s.body.empty() && s.body != j->parent && s.body != j->child)
      fail(key_of(s, "body"), fmt::format("must be a body of the joint '{}': {} or {}", s.joint, j->parent, j->child));
    if (j && s.body == "world") fail(key_of(s, "body"), "the world carries no sensor: use the child of the joint");
    if (j && j->loop)
      fail(key_of(s, "joint"), "a joint that closes a loop carries no part of the robot: use another joint");
    if ((!j && !s.joint.empty()) || (s.joint.empty() && !find(plan.bodies, s.body))) return;
    const std::set<std::string> beyond = carried_by(j ? j->child : s.body);
    for (const JointPlan& loop : plan.joints)
      if (loop.loop && !s.around && beyond.contains(loop.parent) != beyond.contains(loop.child))
        fail(key_of(s, "joint"), fmt::format("the loop '{}' goes round the cut, and what it carries is not known: cut "
                                             "where no loop goes round, or give around = true to measure both",
                                             loop.name));
    for (const CablePlan& c : plan.cables)
      if (std::ranges::any_of(c.bodies, [&](const std::string& b) { return beyond.contains(b); }))
        fail(key_of(s, "joint"),
             fmt::format("the cable '{}' pulls beyond the cut, which is not measured: cut elsewhere", c.name));
    for (const BodyPlan& b : plan.bodies)
      if (beyond.contains(b.name) &&
          (b.drag_length * (b.drag_along + b.drag_across) > 0.0 || (b.plate_area > 0.0 && plan.sun.pressure > 0.0)))
        fail(key_of(s, "joint"),
             fmt::format("drag or sunlight acts on '{}' beyond the cut, which is not measured: cut elsewhere", b.name));
  }

  // Of drives with a motor; a hall sensor reads a spring.
  void check_drive(const SensorPlan& s) {
    const DrivePlan* d = find(plan.drives, s.drive);
    if (!d)
      return fail(key_of(s, "drive"),
                  fmt::format("no drive is named '{}': use one of [{}]", s.drive, names(plan.drives)));
    if (d->kind == drive::Kind::Servo || d->kind == drive::Kind::Ideal)
      fail(key_of(s, "drive"),
           fmt::format("the drive '{}' has no motor that could be measured: use another kind", d->name));
    else if (s.kind == SensorKind::Hall && d->kind != drive::Kind::SeriesElastic)
      fail(key_of(s, "drive"),
           fmt::format("a hall sensor reads a spring, and the drive '{}' has none: use one of kind series-elastic",
                       d->name));
  }

  // Of an encoder on a motor's shaft: the drive moves the axis that it tells of.
  void check_shaft(const SensorPlan& s) {
    check_drive(s);
    const DrivePlan* d = find(plan.drives, s.drive);
    if (d && (!d->is_direct() || d->joint != s.joint || d->axis != s.axis))
      fail(key_of(s, "drive"), fmt::format("the motor of '{}' does not turn axis {} of joint '{}' by itself: name the "
                                           "drive of that axis, or leave it out",
                                           s.drive, s.axis, s.joint));
  }

  void check_list(const SensorPlan& s, const char* key, const std::vector<double>& values, int n, bool positive) {
    if (!values.empty() && values.size() != 1 && int(values.size()) != n)
      fail(key_of(s, key), fmt::format("needs 1 or {} numbers, has {}", n, values.size()));
    for (const double x : values)
      if (!std::isfinite(x) || (positive && x < 0.0))
        return fail(key_of(s, key), fmt::format("must be finite{}, is {}", positive ? " and >= 0" : "", x));
  }

  // Ends in order, and codes that have something to divide.
  void check_range(const SensorPlan& s) {
    const int n = reading_count(s);
    for (const auto& [key, ends] : {std::pair{"lower", &s.lower}, std::pair{"upper", &s.upper}})
      if (!ends->empty() && ends->size() != 1 && int(ends->size()) != n)
        return fail(key_of(s, key), fmt::format("needs 1 or {} numbers, has {}", n, ends->size()));
    const auto end = [](const std::vector<double>& v, int i, double otherwise) {
      return v.empty() ? otherwise : v[v.size() == 1 ? 0 : std::size_t(i)];
    };
    bool finite = true;
    for (int i = 0; i < n; i++) {
      const double upper = end(s.upper, i, std::numeric_limits<double>::infinity()), lower = end(s.lower, i, -upper);
      if (!(lower < upper))
        return fail(key_of(s, "upper"), fmt::format("must be above lower, but the range is {} to {}", lower, upper));
      finite = finite && std::isfinite(lower) && std::isfinite(upper);
    }
    const bool own = s.kind == SensorKind::Force6;
    if (own && !finite) fail(key_of(s, "upper"), "a six-component force sensor needs a finite range for each load");
    if (s.bits < 0 || s.bits > 32) fail(key_of(s, "bits"), fmt::format("must be 0 to 32, is {}", s.bits));
    if (s.bits > 0 && !finite)
      fail(key_of(s, "bits"), "codes divide a range, and this one is infinite: give upper (and lower), or resolution");
    if (s.bits > 0 && std::ranges::any_of(s.resolution, [](double x) { return x > 0.0; }))
      fail(key_of(s, "resolution"), "bits already say what one count is: give one of the two");
    if (!finite && std::ranges::any_of(s.hysteresis, [](double x) { return x > 0.0; }))
      fail(key_of(s, "hysteresis"), "is a share of the range, and this one is infinite: give upper (and lower)");
    if (s.kind == SensorKind::Range && !finite) fail(key_of(s, "upper"), "a range sensor needs a finite range");
    if (s.kind == SensorKind::Range && std::ranges::any_of(s.lower, [](double x) { return x < 0.0; }))
      fail(key_of(s, "lower"), "a distance is never below 0 m");
  }

  void check_errors(const SensorPlan& s) {
    const int m = channel_count(s);
    check_list(s, "gain", s.gain, m, false);
    check_list(s, "offset", s.offset, m, false);
    check_list(s, "offset_spread", s.offset_spread, m, true);
    check_list(s, "drift", s.drift, m, false);
    check_list(s, "hysteresis", s.hysteresis, m, true);
    check_list(s, "noise", s.noise, m, true);
    check_list(s, "resolution", s.resolution, m, true);
    if (!s.cross_talk.empty() && int(s.cross_talk.size()) != m * m)
      fail(key_of(s, "cross_talk"), fmt::format("needs {} x {} numbers, has {}", m, m, s.cross_talk.size()));
    if (!s.cross_talk.empty() && s.cross_talk_spread > 0.0)
      fail(key_of(s, "cross_talk_spread"), "cross_talk already says what it is: give one of the two");
    for (const auto& [key, matrix] : {std::pair{"bridges", &s.bridges}, std::pair{"calibration", &s.calibration}})
      if (!matrix->empty() && matrix->size() != 48)
        fail(key_of(s, key), fmt::format("needs 48 numbers, has {}", matrix->size()));
    check_range(s);
  }

  void check_times(const SensorPlan& s) {
    check_not_negative(key_of(s, "period"), s.period, "s");
    check_not_negative(key_of(s, "phase"), s.phase, "s");
    check_not_negative(key_of(s, "delay"), s.delay, "s");
    if (s.period > 0.0 && s.delay > most_on_the_way * s.period)
      fail(key_of(s, "delay"), fmt::format("more than {:g} samples would be on their way: at most {} s",
                                           most_on_the_way, most_on_the_way * s.period));
    if (!(s.loss >= 0.0 && s.loss <= 1.0)) fail(key_of(s, "loss"), fmt::format("must be 0 to 1, is {}", s.loss));
    if (!s.stuck_at.empty() && int(s.stuck_at.size()) != reading_count(s))
      fail(key_of(s, "stuck_at"), fmt::format("needs {} numbers, has {}", reading_count(s), s.stuck_at.size()));
  }

  void check_encoder(const SensorPlan& s) {
    check_positive(key_of(s, "counts"), s.counts, "1");
    check_positive(key_of(s, "gear_ratio"), s.gear_ratio, "1");
    if (s.absolute.empty()) return;
    check_positive(key_of(s, "fusion_time"), s.fusion_time, "s");
    const SensorPlan* a = find(plan.sensors, s.absolute);
    if (!a || a->kind > SensorKind::AbsoluteEncoder || a->joint != s.joint || a->axis != s.axis)
      fail(key_of(s, "absolute"),
           fmt::format(
               "'{}' is no potentiometer or absolute encoder of axis {} of joint '{}': name one, or leave it out",
               s.absolute, s.axis, s.joint));
  }

  void check_kind(const SensorPlan& s) {
    if (measures_joint(s.kind)) {
      check_axis(s);
      if (!s.drive.empty()) check_shaft(s);
    } else if (measures_drive(s.kind))
      check_drive(s);
    else if (measures_force(s.kind))
      check_cut(s);
    else
      check_body_name(s);
    if (s.kind == SensorKind::IncrementalEncoder) check_encoder(s);
    if (s.kind == SensorKind::Force6) check_positive(key_of(s, "beam"), s.beam, "m");
    if (s.kind == SensorKind::Contact && !(s.debounce.off <= s.debounce.on))
      fail(key_of(s, "off"), fmt::format("must be at most on = {} N, is {} N", s.debounce.on, s.debounce.off));
    if (s.kind == SensorKind::Range && (s.rays < 1 || s.rays > most_rays))
      fail(key_of(s, "rays"), fmt::format("must be 1 to {}, is {}", most_rays, s.rays));
  }

  // Controllers read an axis by one sensor. Those that only help another to its zero are not asked.
  void check_readers() {
    std::set<std::string> helpers;
    for (const SensorPlan& s : plan.sensors) helpers.insert(s.absolute);
    std::map<std::pair<std::string, int>, std::string> reader;
    for (const SensorPlan& s : plan.sensors) {
      if (!measures_position(s.kind) || !s.to_controller || helpers.contains(s.name)) continue;
      const auto [it, fresh] = reader.emplace(std::pair{s.joint, s.axis}, s.name);
      if (!fresh)
        fail(key_of(s, "to_controller"),
             fmt::format("controllers already read this axis by the sensor '{}': set to_controller = false in one of "
                         "them, or fuse them with absolute",
                         it->second));
    }
  }

  void run() {
    std::map<std::uint32_t, std::string> devices;
    for (const SensorPlan& s : plan.sensors) {
      const auto [it, fresh] = devices.emplace(device_of(s.name), s.name);
      if (!fresh)
        fail("sensor." + s.name,
             it->second == s.name ? "two sensors have this name"
                                  : fmt::format("its noise would be that of '{}': give it another name", it->second));
      check_kind(s);
      check_errors(s);
      check_times(s);
    }
    check_readers();
  }
};

}  // namespace

void check_sensors(const Plan& plan, std::vector<Problem>& problems) { SensorChecker{{problems}, plan}.run(); }

}  // namespace sinew
