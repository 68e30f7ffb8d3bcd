// The rules a plan must obey. Every rule that fails is reported, with the key it concerns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/math/principal.h"
#include "sinew/model/check_contacts.h"
#include "sinew/model/compile.h"
#include "sinew/model/compile_couplings.h"
#include "sinew/model/compile_loads.h"
#include "sinew/model/compile_sensors.h"
#include "sinew/model/drives.h"
#include "sinew/model/rods.h"

namespace sinew {
namespace {

struct Checker {
  const Plan& plan;
  Coordinates coordinates;
  std::vector<Problem> problems;
  std::map<std::string, int> body_index;

  void fail(std::string key, std::string what) { problems.push_back({std::move(key), std::move(what)}); }

  bool known(const std::string& name) const { return name == "world" || body_index.contains(name); }

  static std::string prefix(const JointPlan& j) { return (j.loop ? "loop." : "joint.") + j.name; }

  void check_body(const BodyPlan& b) {
    const std::string key = "body." + b.name;
    if (b.name == "world") fail(key, "the name 'world' is taken by the ground: choose another");
    if (!(b.mass >= 0.0) || !std::isfinite(b.mass))
      fail(key + ".mass", fmt::format("mass must be >= 0 kg, is {}", b.mass));
    if (!is_finite(b.com)) fail(key + ".com", "the centre of mass must be finite");
    const Sym3d& I = b.inertia;
    if (!is_finite({I.xx, I.yy, I.zz}) || !is_finite({I.xy, I.xz, I.yz})) {
      fail(key + ".inertia", "the inertia must be finite");
      return;
    }
    // principal moments of real matter: positive, and none larger than the sum of the other two
    const Vec3d p = principal_moments(I);
    const double slack = 1e-9 * std::abs(p[0]);
    if (p[2] < -slack || p[0] > p[1] + p[2] + slack)
      fail(key + ".inertia",
           fmt::format("no body has the principal moments {:.6g}, {:.6g}, {:.6g} kg m^2: each must be >= 0 and at "
                       "most the sum of the other two",
                       p[0], p[1], p[2]));
  }

  void check_sun() {
    const Sunlight<double>& sun = plan.sun;
    if (!(sun.pressure >= 0.0) || std::isinf(sun.pressure)) fail("sun.pressure", "must be finite and >= 0 N/m^2");
    if (!is_finite(sun.direction) || !(norm(sun.direction) > 0.0))
      fail("sun.direction", "must be finite and not zero: it points towards the Sun");
    if (!(sun.specular >= 0.0 && sun.diffuse >= 0.0 && sun.specular + sun.diffuse <= 1.0))
      fail("sun.specular", "specular and diffuse are parts of the light: both >= 0, together at most 1");
    for (const BodyPlan& b : plan.bodies)
      if (!(b.plate_area >= 0.0) || !std::isfinite(b.plate_area) || !is_finite(b.plate_normal) ||
          !(norm(b.plate_normal) > 0.0))
        fail("body." + b.name + ".plate_area", "a plate needs a finite area >= 0 m^2 and a normal that is not zero");
  }

  // The line starts at the limit, so there must be one.
  void check_torque_speed_line(const JointPlan& j) {
    for (std::size_t i = 0; i < j.no_load_speed.size(); i++) {
      const double speed = j.no_load_speed[i];
      if (!(speed > 0.0)) fail(prefix(j) + ".no_load_speed", fmt::format("must be > 0, is {}", speed));
      if (std::isfinite(speed) && !(i < j.limit.size() && std::isfinite(j.limit[i])))
        fail(prefix(j) + ".no_load_speed",
             "what a servo can give falls with speed from its limit, but that is infinite: give a finite limit");
    }
  }

  void check_sizes(const JointPlan& j) {
    const int nq = joint::coordinate_count(j.kind), nu = joint::freedom_count(j.kind);
    const auto size = [&](const char* name, std::size_t have, int want, const char* what) {
      if (have != 0 && int(have) != want)
        fail(prefix(j) + "." + name,
             fmt::format("a {} joint has {} {}, but {} values are given", joint::name_of(j.kind), want, what, have));
    };
    size("position", j.position.size(), nq, "coordinates");
    size("rest", j.rest.size(), nq, "coordinates");
    size("velocity", j.velocity.size(), nu, "axes");
    size("stiffness", j.stiffness.size(), nu, "axes");
    size("damping", j.damping.size(), nu, "axes");
    size("armature", j.armature.size(), nu, "axes");
    size("kp", j.kp.size(), nu, "axes");
    size("kd", j.kd.size(), nu, "axes");
    size("limit", j.limit.size(), nu, "axes");
    size("no_load_speed", j.no_load_speed.size(), nu, "axes");
    size("free_play", j.free_play.size(), nu, "axes");
    size("motion", j.motion.size(), nu, "axes");
    const auto not_negative = [&](const char* name, const std::vector<double>& values) {
      for (double x : values)
        if (!(x >= 0.0)) fail(prefix(j) + "." + name, fmt::format("must be >= 0, is {}", x));
    };
    not_negative("stiffness", j.stiffness);
    not_negative("damping", j.damping);
    not_negative("armature", j.armature);
    not_negative("kp", j.kp);
    not_negative("kd", j.kd);
    not_negative("limit", j.limit);
    not_negative("free_play", j.free_play);
    check_torque_speed_line(j);
    if (nq != nu)  // the last four coordinates are a quaternion
      for (const auto* q : {&j.position, &j.rest})
        if (int(q->size()) == nq) {
          double n = 0;
          for (int i = nq - 4; i < nq; i++) n += (*q)[i] * (*q)[i];
          if (std::abs(n - 1) > 1e-3)
            fail(prefix(j) + (q == &j.rest ? ".rest" : ".position"),
                 fmt::format("the quaternion (w, x, y, z) must have length 1, has {:.6g}", std::sqrt(n)));
        }
  }

  // Its block of the mass matrix is that of a tree joint, and constant only along coordinates.
  void check_armature(const JointPlan& j) {
    if (std::ranges::none_of(j.armature, [](double a) { return a > 0.0; })) return;
    const std::string key = prefix(j) + ".armature";
    if (joint::coordinate_count(j.kind) != joint::freedom_count(j.kind))
      fail(key,
           fmt::format("a {} joint turns freely in space, where no rotor is geared to an axis: remove it, or use a "
                       "chain of joints with one axis each",
                       joint::name_of(j.kind)));
    if (j.loop)
      fail(key,
           "a loop is held by rows and has no freedom of its own on which a rotor could act: close the loop at a "
           "joint without a drive");
    else if (coordinates == Coordinates::Maximal && j.drive == Drive::Motion)
      fail(key,
           "with coordinates = \"maximal\" a joint with a given motion is held by a row, which feels no rotor: use "
           "coordinates = \"tree\", or another drive");
  }

  // One for each joint, in the tree.
  void check_transmissions() {
    std::map<std::string, int> times;
    for (const TransmissionPlan& t : plan.transmissions) {
      const std::string key = "transmission." + t.name;
      const auto joint = std::ranges::find(plan.joints, t.joint, &JointPlan::name);
      if (joint == plan.joints.end()) {
        fail(key + ".joint", fmt::format("no joint is named '{}'", t.joint));
        continue;
      }
      if (times[t.joint]++) fail(key + ".joint", fmt::format("joint '{}' has a transmission already", t.joint));
      if (joint->loop || (coordinates == Coordinates::Maximal && joint->drive == Drive::Motion))
        fail(key + ".joint",
             joint->loop
                 ? "a joint that closes a loop has no freedom on which inertia could act: use another joint of "
                   "the loop"
                 : "with coordinates = \"maximal\" a joint with a given motion is held by a row, which feels no "
                   "inertia: use coordinates = \"tree\", or another drive");
      if (!(t.reflected >= 0.0) || !std::isfinite(t.reflected)) fail(key + ".reflected", "must be finite and >= 0 kg");
      if (!(t.slider_mass >= 0.0) || !std::isfinite(t.slider_mass))
        fail(key + ".slider_mass", "must be finite and >= 0 kg");
      for (const TransmissionProblem& p : sinew::problems_of(t, *joint)) fail(key + "." + p.key, p.what);
    }
  }

  // A file cannot hold other numbers; a plan made in code can.
  void check_finite(const JointPlan& j) {
    const auto finite = [&](const char* name, bool is) {
      if (!is) fail(prefix(j) + "." + name, "must be finite");
    };
    const auto all = [](const std::vector<double>& values) {
      return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
    };
    const auto no_infinity = [](const std::vector<double>& values) {  // not a number: not >= 0 either
      return std::none_of(values.begin(), values.end(), [](double x) { return std::isinf(x) && x > 0; });
    };
    finite("p_parent", is_finite(j.p_parent));
    finite("p_child", is_finite(j.p_child));
    finite("axis2", is_finite(j.axis2));
    finite("position", all(j.position));
    finite("velocity", all(j.velocity));
    finite("rest", all(j.rest));
    finite("stiffness", no_infinity(j.stiffness));
    finite("damping", no_infinity(j.damping));
    finite("armature", no_infinity(j.armature));
    finite("kp", no_infinity(j.kp));
    finite("kd", no_infinity(j.kd));
    finite("free_play", no_infinity(j.free_play));
    for (const Motion<double>& m : j.motion)
      finite("motion", all({m.offset, m.rate, m.amplitude, m.frequency, m.phase, m.ramp, m.start}));
  }

  // A servo may be told to jump, a joint that follows exactly may not.
  void check_start(const std::string& key, const JointPlan& j) {
    if (j.drive != Drive::Motion && j.drive != Drive::Computed) return;
    for (const Motion<double>& m : j.motion)
      if (m.table && m.table->slope.empty() && m.table->t.size() > 1)
        return fail(key + ".motion.table",
                    "a joint that follows its motion exactly would change its velocity in jumps at the times of the "
                    "table: add interpolate = \"smooth\", or use drive = \"servo\"");
    if (j.drive != Drive::Motion) return;
    for (const Motion<double>& m : j.motion) {
      double at, rate, accel;
      m.evaluate(m.start, at, rate, accel);
      if (m.start > 0.0 && (at != 0.0 || rate != 0.0))
        fail(key + ".motion.start",
             "a joint that follows its motion exactly would jump there: use a ramp with offset and "
             "rate 0, or drive = \"servo\"");
    }
  }

  void check_joint(const JointPlan& j) {
    const std::string key = prefix(j);
    if (!known(j.parent)) fail(key + ".parent", fmt::format("no body is named '{}'", j.parent));
    if (j.child.empty())
      fail(key + ".child", "the joint must name the body it carries");
    else if (j.child == "world")
      fail(key + ".child", "the world cannot be carried: exchange parent and child");
    else if (!known(j.child))
      fail(key + ".child", fmt::format("no body is named '{}'", j.child));
    else if (j.child == j.parent)
      fail(key + ".child", "a joint needs two different bodies");
    if (j.kind == JointKind::Free && (j.parent != "world" || j.loop))
      fail(key + ".kind", j.loop ? "a free joint closes no loop: remove it" : "a free joint starts at the world");
    if (!(norm(j.axis) > 0) || !is_finite(j.axis)) fail(key + ".axis", "the axis must not be zero");
    const bool second_axis = joint::visit(j.kind, []<class J>() { return J::has_second_axis; });
    if (second_axis && !(norm(cross(j.axis, j.axis2)) > 1e-6 * norm(j.axis) * norm(j.axis2)))
      fail(key + ".axis2", "the second axis must not be parallel to the first");
    if (second_axis && std::abs(dot(j.axis, j.axis2)) > 1e-9 * norm(j.axis) * norm(j.axis2))
      fail(key + ".axis2", fmt::format("the axes of a {} joint must be perpendicular", joint::name_of(j.kind)));
    check_start(key, j);
    if (j.drive != Drive::None && joint::freedom_count(j.kind) == 0)
      fail(key + ".drive", fmt::format("a {} joint has no axis to drive", joint::name_of(j.kind)));
    const Quatd& o = j.orientation;
    if (!(std::abs(o.w * o.w + o.x * o.x + o.y * o.y + o.z * o.z - 1) <= 1e-3))
      fail(key + ".orientation", "the quaternion (w, x, y, z) must have length 1");
    check_finite(j);
    check_sizes(j);
    check_armature(j);
  }

  // Every body hangs on exactly one joint, and all chains end at the world.
  void check_topology() {
    std::map<std::string, const JointPlan*> carrier;
    for (const auto& j : plan.joints) {
      if (j.loop || !body_index.contains(j.child)) continue;
      const auto [it, fresh] = carrier.emplace(j.child, &j);
      if (!fresh)
        fail(prefix(j) + ".child",
             fmt::format("body '{}' is already carried by joint '{}': give one of them as a loop ([loop.{}])", j.child,
                         it->second->name, j.name));
    }
    for (const auto& b : plan.bodies) {
      if (!carrier.contains(b.name)) {
        fail("body." + b.name, "no joint carries this body: add one, of kind 'free' if it floats");
        continue;
      }
      std::string at = b.name;
      std::size_t hops = 0;
      while (at != "world" && carrier.contains(at) && hops++ <= plan.bodies.size()) at = carrier[at]->parent;
      if (hops > plan.bodies.size())
        fail("body." + b.name,
             "its chain of joints runs in a circle and never reaches the world: make one of these joints a loop");
    }
  }

  void check_memory() {
    std::map<std::string, int> names;
    for (const MemoryBlock& block : plan.memory) {
      if (names[block.name]++) fail("memory." + block.name, "two blocks have this name");
      if (block.size < 0 || block.size > 1'000'000) fail("memory." + block.name, "a block has 0 to 1000000 numbers");
    }
  }

  void run() {
    if (plan.bodies.empty()) fail("body", "a plan needs at least one body");
    for (std::size_t i = 0; i < plan.bodies.size(); i++)
      if (!body_index.emplace(plan.bodies[i].name, int(i)).second)
        fail("body." + plan.bodies[i].name, "two bodies have this name");
    std::map<std::string, int> joint_names;
    for (const auto& j : plan.joints)
      if (joint_names[j.name]++) fail(prefix(j), "two joints have this name");
    for (const auto& b : plan.bodies) check_body(b);
    for (const auto& j : plan.joints) check_joint(j);
    check_topology();
    check_transmissions();
    const Gravity<double>& gravity = plan.gravity;
    if (!(gravity.GM >= 0.0) || std::isinf(gravity.GM)) fail("gravity.GM", "must be finite and >= 0 m^3/s^2");
    if (!is_finite(gravity.g)) fail("gravity.g", "must be finite");
    if (!is_finite(gravity.centre)) fail("gravity.centre", "must be finite");
    if (!is_finite(gravity.spin)) fail("gravity.spin", "must be finite");
    if (!is_finite(gravity.axes) || !(std::min({gravity.axes[0], gravity.axes[1], gravity.axes[2]}) > 0.0))
      fail("gravity.axes", "must be finite and > 0 m");
    check_sun();
    check_memory();
    if (!std::isfinite(plan.incline)) fail("gravity.incline", "must be finite");
    if (!std::isfinite(plan.downhill_azimuth)) fail("gravity.downhill_azimuth", "must be finite");
    if (plan.incline != 0.0 && gravity.kind != GravityKind::Uniform)
      fail("gravity.incline", "only a uniform field can be inclined: use gravity.kind = \"uniform\", or incline = 0");
  }
};

// What a robot with equations of its own touches is described by its own keys; these would be ignored.
void check_plant(const Plan& plan, std::vector<Problem>& problems) {
  if (!plan.make_plant) return;
  const auto refuse = [&](const char* key, std::string_view value, const char* fix) {
    problems.push_back(
        {key, fmt::format("\"{}\" has no meaning for this robot, which has equations of its own and touches nothing "
                          "but what its own keys describe: {}",
                          value, fix)});
  };
  const TerrainKind ground = plan.ground.terrain.kind;
  if (ground != TerrainKind::None)
    refuse("ground.kind", terrain_names[int(ground)],
           "use \"none\", or a rod of segments, [rod.NAME], which lies on any ground");
  const Response law = plan.contact.options.response;
  if (law != Response::Rigid) refuse("contact.law", response_names[int(law)], "leave it out");
  const Adhesion adhesion = plan.contact.adhesion.kind;
  if (adhesion != Adhesion::None) refuse("contact.adhesion", adhesion_names[int(adhesion)], "use \"none\"");
}

std::string first_line(const std::vector<Problem>& problems) {
  return problems.empty() ? "plan error" : problems[0].key + ": " + problems[0].what;
}

}  // namespace

PlanError::PlanError(std::vector<Problem> list) : std::runtime_error(first_line(list)), problems(std::move(list)) {}

std::vector<Problem> problems_of(const Plan& plan, Coordinates coordinates) {
  if (has_unmade_rods(plan)) {
    auto problems = problems_of_rods(plan);
    return problems.empty() ? problems_of(with_rods(plan), coordinates) : problems;
  }
  auto of_drives = problems_of_drives(plan);
  if (!of_drives.empty()) return of_drives;
  if (has_unmade_drives(plan)) return problems_of(with_drives(plan), coordinates);
  Checker checker{plan, coordinates, {}, {}};
  checker.run();
  check_contacts(plan, coordinates, checker.problems);
  check_couplings(plan, checker.problems);
  check_loads(plan, checker.problems);
  check_sensors(plan, checker.problems);
  check_plant(plan, checker.problems);
  if (plan.projection == Projection::Head &&
      (std::ranges::any_of(plan.joints, [](const JointPlan& j) { return j.loop || j.tie.is_there(); }) ||
       !plan.couplings.empty()))
    checker.problems.push_back(
        {"integrator.projection",
         "\"head\" places bodies from parents to children, but the plan has loops or couplings, which have no such "
         "order: use \"mass\""});
  return std::move(checker.problems);
}

}  // namespace sinew
