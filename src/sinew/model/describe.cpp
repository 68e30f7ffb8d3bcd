#include "sinew/model/describe.h"

#include "sinew/model/describe_tools.h"
#include "sinew/parts/device/torque_table.h"

namespace sinew {
namespace {

using Numbers = std::vector<double>;

// A vector that a plan may leave empty. Values equal to the default are left empty, so that a scenario written out in
// full compiles to the very same model as the short one.
void numbers_or(Keys& keys, const Key& key, const Count& count, const Numbers& fallback, Numbers& values) {
  Numbers full = values.size() == fallback.size() ? values : fallback;
  keys.numbers(key, count, full);
  values = full == fallback ? Numbers{} : full;
}

Numbers neutral_coordinates(JointKind kind) {
  Numbers q(joint::coordinate_count(kind));
  joint::visit(kind, [&]<class J>() { J::neutral(q.data()); });
  return q;
}

bool is_angular(JointKind kind, int axis) {
  return joint::visit(kind, [&]<class J>() { return J::dirs[axis] == joint::Dir::Angular; });
}
bool all_angular(JointKind kind) {
  for (int i = 0; i < joint::freedom_count(kind); i++)
    if (!is_angular(kind, i)) return false;
  return joint::freedom_count(kind) > 0;
}

// "rad", or "m, m, rad" where the entries differ
std::string units(int n, auto&& unit_of) {
  std::string list;
  bool same = true;
  for (int i = 0; i < n; i++) {
    same = same && unit_of(i) == unit_of(0);
    list += (i ? ", " : "") + std::string(unit_of(i));
  }
  return n > 0 && same ? std::string(unit_of(0)) : list;
}

// One motion per axis is written as one array per quantity.
void motion_field(Keys& keys, const Key& key, int n_axes, double Motion<double>::*field,
                  std::vector<Motion<double>>& motion) {
  Numbers values;
  for (const auto& m : motion) values.push_back(m.*field);
  keys.numbers(key, {.exactly = n_axes, .one_for_all = true}, values);
  for (int i = 0; i < n_axes; i++) motion[i].*field = values[i];
}

bool is_still(const Motion<double>& m) {
  return m.offset == 0 && m.rate == 0 && m.amplitude == 0 && m.frequency == 0 && m.phase == 0 && m.ramp == 0 &&
         m.start == 0 && !m.table;
}

// Times, and row by row one number for each axis; a file has the same as columns, and is read by text/load_tables.cpp.
void describe_table(Keys& keys, const std::string& unit, JointPlan& j) {
  static constexpr std::array<std::string_view, 2> ways{"linear", "smooth"};
  const std::size_t nu = j.motion.size();
  Numbers t, values;
  const bool written = j.table_file.empty() && nu > 0 && j.motion[0].table;
  if (written) t = j.motion[0].table->t;
  for (std::size_t i = 0; i < t.size(); i++)
    for (const Motion<double>& m : j.motion) values.push_back(m.table->value[i]);
  choose(keys, {"interpolate", "", "table: straight lines, or a spline; that of a motion starts and ends at rest"},
         ways, j.table_smooth);
  keys.numbers({"table_t", "s", "times of a table that is added to the motion; it stays before and after"}, {}, t);
  keys.numbers({"table", unit, "its numbers: for each time one for each axis"}, {}, values);
  keys.text({"table_file", "", "CSV file instead: times, then a column for each axis"}, j.table_file);
  const std::string wrong = table_problem(t, values, nu);
  const bool twice = !j.table_file.empty() && (keys.is_given("table") || keys.is_given("table_t"));
  if (twice) keys.reject("table_file", "the table is given twice", "leave out table and table_t, or the file");
  const bool wrong_times = values.size() == t.size() * nu;
  if (!wrong.empty())
    keys.reject(wrong_times ? "table_t" : "table", wrong, "give times that increase, and for each one number per axis");
  for (Motion<double>& m : j.motion) m.table = {};
  if (twice || !wrong.empty() || t.empty()) return;
  for (std::size_t c = 0; c < nu; c++) {
    Numbers column;
    for (std::size_t i = 0; i < t.size(); i++) column.push_back(values[i * nu + c]);
    j.motion[c].table = j.drive == Drive::Torque ? make_torque_table(t, std::move(column), j.table_smooth)
                                                 : make_table(t, std::move(column), j.table_smooth);
  }
}

void describe_motion(Keys& keys, JointPlan& j) {
  const int nu = joint::freedom_count(j.kind);
  const bool torque = j.drive == Drive::Torque;
  const bool angular = all_angular(j.kind) && !torque;
  const std::string angle = units(nu, [&](int i) {
    return torque ? std::string(force_unit(j.kind, i)) : std::string(is_angular(j.kind, i) ? "rad" : "m");
  });
  const std::string rate = units(nu, [&](int i) {
    return torque ? std::string(force_unit(j.kind, i)) + "/s" : std::string(velocity_unit(j.kind, i));
  });
  using M = Motion<double>;
  j.motion.resize(nu);
  Table table(keys, "motion", "offset + rate t + amplitude sin(2 pi frequency t + phase), of a drive");
  const auto field = [&](const Key& key, double M::*member) { motion_field(keys, key, nu, member, j.motion); };
  field(live({"offset", angle, "mean of the motion", any_number, angular}), &M::offset);
  field(live({"rate", rate, "constant velocity", any_number, angular}), &M::rate);
  field(live({"amplitude", angle, "of the oscillation", any_number, angular}), &M::amplitude);
  field(live({"frequency", "Hz", "of the oscillation"}), &M::frequency);
  field(live({"phase", "rad", "of the oscillation at t = 0", any_number, true}), &M::phase);
  field({"ramp", "s", "time over which the amplitude rises smoothly from 0", not_negative}, &M::ramp);
  field({"start", "s", "time before which the motion is 0", not_negative}, &M::start);
  describe_table(keys, angle, j);
  if (std::all_of(j.motion.begin(), j.motion.end(), is_still)) j.motion.clear();
}

void describe_drive(Keys& keys, JointPlan& j) {
  static constexpr std::array<std::string_view, 6> drives{"none", "motion", "servo", "computed", "torque", "device"};
  const int nu = joint::freedom_count(j.kind);
  const Count per_axis{.exactly = nu, .one_for_all = true};
  const std::string force = units(nu, [&](int i) { return force_unit(j.kind, i); });
  const std::string stiff = units(nu, [&](int i) { return is_angular(j.kind, i) ? "N m/rad" : "N/m"; });
  const std::string viscous = units(nu, [&](int i) { return is_angular(j.kind, i) ? "N m s/rad" : "N s/m"; });
  const Numbers zero(nu, 0.0), none(nu, std::numeric_limits<double>::infinity());
  choose(keys,
         {"drive", "",
          "motion: follows [..motion] exactly; servo: is pulled towards it; computed: see [control]; torque: "
          "[..motion] is "
          "the torque itself, in N m or N; device: see [drive]"},
         drives, j.drive);
  const bool servo_keys = keys.is_given("kp") || keys.is_given("kd") || keys.is_given("limit") ||
                          keys.is_given("no_load_speed") || keys.is_given("free_play") ||
                          keys.is_given("free_play_deg");
  if (!keys.is_given("drive") && (keys.is_given("motion") || servo_keys))
    keys.reject("drive", "the drive of this joint is described but not switched on",
                "add drive = \"motion\", \"servo\", \"computed\" or \"torque\" (or \"none\" to keep it off)");
  numbers_or(keys, live({"kp", stiff, "gain of a servo on the position", not_negative}), per_axis, zero, j.kp);
  numbers_or(keys, live({"kd", viscous, "gain of a servo on the velocity", not_negative}), per_axis, zero, j.kd);
  const std::string angle = units(nu, [&](int i) { return is_angular(j.kind, i) ? "rad" : "m"; });
  const std::string rate = units(nu, [&](int i) { return velocity_unit(j.kind, i); });
  numbers_or(keys, live({"limit", force, "most a servo can give", {.low = 0.0, .may_be_infinite = true}}), per_axis,
             none, j.limit);
  numbers_or(keys,
             live({"no_load_speed",
                   rate,
                   "speed at which a servo with a limit can drive no more; what it can give falls linearly up to there",
                   {.low = 0.0, .above_low = true, .may_be_infinite = true}}),
             per_axis, none, j.no_load_speed);
  numbers_or(keys,
             live({"free_play", angle, "of a servo, to either side: so far the joint moves before it is pushed",
                   not_negative, all_angular(j.kind)}),
             per_axis, zero, j.free_play);
}

// A kind by name is a kind of the list, or one with a tie.
void describe_kind(Keys& keys, JointPlan& j) {
  constexpr int n_kinds = int(joint::all_kinds.size());
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (JointKind kind : joint::all_kinds) all.push_back(joint::name_of(kind));
    for (JointTie tie : {JointTie::Screw, JointTie::Distance}) all.push_back(name_of(tie));
    return all;
  }();
  int chosen = j.tie.is_there() ? n_kinds - 1 + int(j.tie.kind) : int(j.kind);
  keys.choice({"kind", "", "what the joint lets the child do"}, names, chosen);
  j.tie.kind = chosen < n_kinds ? JointTie::None : JointTie(chosen - n_kinds + 1);
  j.kind = chosen < n_kinds ? JointKind(chosen) : kind_of(j.tie.kind);
}

void describe_tie(Keys& keys, JointPlan& j) {
  const auto only = [&](JointTie tie, const char* key) {
    if (j.tie.kind == tie) return true;
    if (keys.is_given(key))
      keys.reject(key, fmt::format("{} belongs to joints of kind \"{}\"", key, name_of(tie)),
                  "remove it, or choose another kind");
    return false;
  };
  if (only(JointTie::Screw, "pitch"))
    keys.number({"pitch", "m", "of a screw: way along the axis of one turn; below 0: left-handed"}, j.tie.pitch);
  if (only(JointTie::Distance, "length"))
    keys.number({"length", "m", "of a distance: between the joint's points on the two bodies", positive}, j.tie.length);
}

// The number of turns says where a screw is: one number is enough.
void follow_screw(const JointPlan& j, Numbers& values) {
  if (j.tie.kind == JointTie::Screw && values.size() == 2 && values[0] == values[1])
    values[1] = values[0] * j.tie.slope();
}

void describe_state(Keys& keys, JointPlan& j) {
  const int nq = joint::coordinate_count(j.kind), nu = joint::freedom_count(j.kind);
  const std::string q_unit = units(nq, [&](int i) { return coordinate_unit(j.kind, i); });
  const std::string u_unit = units(nu, [&](int i) { return velocity_unit(j.kind, i); });
  const bool angles = nq == nu && all_angular(j.kind);
  const Count coordinates{.exactly = nq, .one_for_all = nq == nu};
  if (j.loop) {
    for (const char* name : {"position", "position_deg", "velocity", "velocity_deg"})
      if (keys.is_given(name))
        keys.reject(name, fmt::format("{} of a loop follows from the other joints", name), "remove it");
  } else {
    numbers_or(keys, {"position", q_unit, "coordinates at the start", any_number, angles}, coordinates,
               neutral_coordinates(j.kind), j.position);
    follow_screw(j, j.position);
    numbers_or(keys, {"velocity", u_unit, "velocities at the start", any_number, all_angular(j.kind)},
               {.exactly = nu, .one_for_all = true}, Numbers(nu, 0.0), j.velocity);
    follow_screw(j, j.velocity);
  }
  const std::string stiff = units(nu, [&](int i) { return is_angular(j.kind, i) ? "N m/rad" : "N/m"; });
  const std::string viscous = units(nu, [&](int i) { return is_angular(j.kind, i) ? "N m s/rad" : "N s/m"; });
  const Count per_axis{.exactly = nu, .one_for_all = true};
  const Numbers zero(nu, 0.0);
  numbers_or(keys, live({"stiffness", stiff, "of a spring on each axis", not_negative}), per_axis, zero, j.stiffness);
  numbers_or(keys, live({"damping", viscous, "of a damper on each axis", not_negative}), per_axis, zero, j.damping);
  const std::string inertia = units(nu, [&](int i) { return is_angular(j.kind, i) ? "kg m^2" : "kg"; });
  numbers_or(keys, live({"armature", inertia, "inertia of a geared rotor, as each axis feels it", not_negative}),
             per_axis, zero, j.armature);
  numbers_or(keys, {"rest", q_unit, "coordinates at which the spring is relaxed", any_number, angles}, coordinates,
             neutral_coordinates(j.kind), j.rest);
}

// Ends of the range and dry friction. Only a joint whose coordinates are those of its axes has a range.
void describe_limits(Keys& keys, JointPlan& j) {
  const int nu = joint::freedom_count(j.kind);
  const bool has_range = joint::coordinate_count(j.kind) == nu;
  const std::string unit = units(nu, [&](int i) { return is_angular(j.kind, i) ? "rad" : "m"; });
  const std::string force = units(nu, [&](int i) { return force_unit(j.kind, i); });
  const Count per_axis{.exactly = nu, .one_for_all = true};
  constexpr Range with_infinity{.may_be_infinite = true};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (has_range) {
    const bool angles = all_angular(j.kind);
    numbers_or(keys, {"lower", unit, "lower end of the range of each axis, a hard stop", with_infinity, angles},
               per_axis, Numbers(nu, -infinity), j.lower);
    numbers_or(keys, {"upper", unit, "upper end of the range", with_infinity, angles}, per_axis, Numbers(nu, infinity),
               j.upper);
  } else {
    for (const char* name : {"lower", "lower_deg", "upper", "upper_deg"})
      if (keys.is_given(name))
        keys.reject(name, fmt::format("a {} joint turns freely in space and has no range", joint::name_of(j.kind)),
                    "remove it, or use a chain of joints with one axis each");
  }
  const std::string rate = units(nu, [&](int i) { return velocity_unit(j.kind, i); });
  law::each_axis_law(j, [&]<class L>(law::AxisLawKind, const char* key, Numbers& numbers) {
    const std::string_view unit_of[] = {force, unit, rate, "1"};  // as AxisUnit
    numbers_or(keys, live({key, unit_of[int(L::unit)], L::doc, {.low = L::low, .high = L::high}}), per_axis,
               Numbers(nu, 0.0), numbers);
  });
  const Numbers forward = j.dry_friction.empty() ? Numbers(nu, 0.0) : j.dry_friction;
  numbers_or(keys,
             live({"dry_friction_backward", force, "the same against motion backward; as dry_friction if not given",
                   not_negative}),
             per_axis, forward, j.dry_friction_backward);
  numbers_or(keys,
             live({"friction_static_ratio", "1", "friction of an axis at rest over friction in motion", {.low = 1.0}}),
             per_axis, Numbers(nu, 1.0), j.friction_static_ratio);
  numbers_or(
      keys, live({"friction_stribeck_speed", rate, "at which most of that excess is gone; 0: no excess", not_negative}),
      per_axis, Numbers(nu, 0.0), j.friction_stribeck_speed);
  numbers_or(
      keys,
      live({"friction_load", "1", "share of the drive's torque that adds to dry friction", {.low = 0.0, .high = 1.0}}),
      per_axis, Numbers(nu, 0.0), j.friction_load);
}

void describe_joints(Keys& keys, bool loops, std::vector<JointPlan>& joints) {
  std::vector<JointPlan> of_this_sort;
  for (const JointPlan& j : joints)
    if (j.loop == loops) of_this_sort.push_back(j);
  std::erase_if(joints, [&](const JointPlan& j) { return j.loop == loops; });
  const auto table = loops ? Table(keys, "loop", "joints that close a loop of the tree")
                           : Table(keys, "joint", "joints; each carries its child body");
  for (const std::string& name : keys.names(names_of(of_this_sort))) {
    const auto found = std::ranges::find(of_this_sort, name, &JointPlan::name);
    JointPlan j = found == of_this_sort.end() ? JointPlan{} : *found;
    j.name = name;
    j.loop = loops;
    const Table entry(keys, name);
    describe(keys, j);
    joints.push_back(std::move(j));
  }
}

// What is not given follows from the shapes.
void describe_filling(Keys& keys, BodyPlan& body) {
  keys.number({"density", "kg/m^3", "of the shapes' filling, which gives mass, com and inertia; 0: mass is given",
               not_negative},
              body.density);
  body.inertia_of_shapes = !keys.is_given("inertia");
  body.com_of_shapes = body.inertia_of_shapes && !keys.is_given("com");
  body.mass_of_shapes = body.density > 0.0;
  if (!body.mass_of_shapes) return;
  if (keys.is_given("mass")) keys.reject("density", "mass and density are both given", "leave one of them out");
  if (keys.is_given("density") && !keys.is_given("shape"))
    keys.reject("density", "the body has no shapes that could be filled", "give [..shape.NAME], or mass and inertia");
}

}  // namespace

std::string_view coordinate_unit(JointKind kind, int coordinate) {
  const int nq = joint::coordinate_count(kind), nu = joint::freedom_count(kind);
  if (nq != nu) return coordinate < nq - 4 ? "m" : "1";  // the last four are a quaternion
  return is_angular(kind, coordinate) ? "rad" : "m";
}
std::string_view velocity_unit(JointKind kind, int axis) { return is_angular(kind, axis) ? "rad/s" : "m/s"; }
std::string_view force_unit(JointKind kind, int axis) { return is_angular(kind, axis) ? "N m" : "N"; }

void describe(Keys& keys, BodyPlan& body) {
  keys.number(live({"mass", "kg", "mass", not_negative}), body.mass);
  keys.vector({"com", "m", "centre of mass in the body's axes; given neither com nor inertia: that of the shapes"},
              body.com);
  Sym3d& I = body.inertia;
  Numbers values{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  if (I.xy == 0 && I.xz == 0 && I.yz == 0) values.resize(3);
  keys.numbers({"inertia", "kg m^2",
                "about the centre of mass: xx, yy, zz, or xx, yy, zz, xy, xz, yz; not given: that of the shapes, "
                "filled evenly"},
               {.exactly = 3, .or_exactly = 6}, values);
  values.resize(6, 0.0);
  I = {values[0], values[3], values[4], values[1], values[5], values[2]};
  describe_filling(keys, body);
  keys.number(
      {"gravity_compensation", "1", "share of its weight that is carried at its centre of mass, as if by ideal drives"},
      body.gravity_compensation);
  keys.number({"plate_area", "m^2", "of the plate on which sunlight presses, see [sun]", not_negative},
              body.plate_area);
  keys.vector({"plate_normal", "1", "of that plate, in the body's axes"}, body.plate_normal);
  keys.number({"drag_length", "m", "of a slender body in a viscous fluid", not_negative}, body.drag_length);
  keys.number({"drag_along", "N s/m^2", "viscous drag on a metre of it that moves along itself", not_negative},
              body.drag_along);
  keys.number({"drag_across", "N s/m^2", "viscous drag on a metre of it that moves across itself", not_negative},
              body.drag_across);
  keys.vector({"drag_axis", "1", "its long axis, in the body's axes"}, body.drag_axis);
  const Table shapes(keys, "shape", "surfaces with which the body touches the ground and other bodies");
  static const ShapePlan fresh;  // not a temporary: GCC 12 thinks that parts of one are read before they are made
  describe_named(keys, body.shapes, fresh, [&](ShapePlan& shape) { describe(keys, shape); });
}

void describe(Keys& keys, JointPlan& j) {
  describe_kind(keys, j);
  keys.text({"parent", "", "body that carries the joint, or \"world\""}, j.parent);
  keys.text({"child", "", j.loop ? "body that the loop holds" : "body that the joint carries"}, j.child);
  keys.vector({"p_parent", "m", "place of the joint in the parent's axes"}, j.p_parent);
  keys.vector({"p_child", "m", "place of the joint in the child's axes"}, j.p_child);
  keys.quaternion({"orientation", "1", "child's axes in the parent's at zero coordinates: quaternion w, x, y, z"},
                  j.orientation);
  normalise(keys, "orientation", j.orientation);
  keys.vector({"axis", "1", "axis of the joint, normal of a planar one; in the child's axes"}, j.axis);
  keys.vector({"axis2", "1", "second axis of a universal joint; y of planar, ball, free and flex ones"}, j.axis2);
  describe_tie(keys, j);
  if (joint::freedom_count(j.kind) == 0) return;  // a weld has nothing to set, spring or drive
  describe_state(keys, j);
  describe_limits(keys, j);
  describe_drive(keys, j);
  describe_motion(keys, j);
}

void describe_gravity(Keys& keys, Plan& plan) {
  Gravity<double>& gravity = plan.gravity;
  choose(keys, {"kind", "", "uniform field, point mass, point mass or ellipsoid in turning axes"}, gravity_names,
         gravity.kind);
  keys.vector(live({"g", "m/s^2", "uniform field"}), gravity.g);
  keys.number(live({"incline", "rad", "tilts the uniform field as on a slope: 0 level, pi/2 a wall", any_number, true}),
              plan.incline);
  keys.number(live({"downhill_azimuth", "rad", "direction in which the slope falls: 0 along x, pi/2 along y",
                    any_number, true}),
              plan.downhill_azimuth);
  keys.number(live({"GM", "m^3/s^2", "of the attracting body (point, spinning, ellipsoid)", not_negative}), gravity.GM);
  keys.vector({"centre", "m", "of the attracting body (point, spinning, ellipsoid)"}, gravity.centre);
  keys.vector({"spin", "rad/s", "angular velocity of the turning axes (spinning, ellipsoid)"}, gravity.spin);
  keys.vector({"axes", "m", "semi-axes of the ellipsoid, along x, y, z", positive}, gravity.axes);
}

void describe_sun(Keys& keys, Sunlight<double>& sun) {
  keys.number(live({"pressure", "N/m^2", "of sunlight where the robot is; 4.56e-6 at 1 au; 0: none", not_negative}),
              sun.pressure);
  keys.vector({"direction", "1", "towards the Sun"}, sun.direction);
  keys.number({"specular", "1", "part of the light that is reflected like by a mirror", {.low = 0.0, .high = 1.0}},
              sun.specular);
  keys.number({"diffuse", "1", "part that is reflected to all sides", {.low = 0.0, .high = 1.0}}, sun.diffuse);
}

void describe_parts(Keys& keys, Plan& plan) {
  {
    const Table table(keys, "body", "rigid bodies");
    describe_named(keys, plan.bodies, BodyPlan{}, [&](BodyPlan& body) { describe(keys, body); });
  }
  describe_joints(keys, false, plan.joints);
  describe_joints(keys, true, plan.joints);
}

}  // namespace sinew
