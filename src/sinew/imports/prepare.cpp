#include "sinew/imports/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sinew/math/elementary.h"
#include "sinew/math/principal.h"
#include "sinew/parts/shape/solid.h"

namespace sinew::imports {
namespace {

// Names that dotted keys can have.
std::string clean(const std::string& name, const std::string& fallback) {
  std::string out;
  for (const char c : name) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
    out += plain ? c : '_';
  }
  return out.empty() ? fallback : out;
}

std::string unique(const std::string& name, std::set<std::string>& taken) {
  std::string out = name;
  for (int number = 2; taken.contains(out); number++) out = fmt::format("{}_{}", name, number);
  taken.insert(out);
  return out;
}

struct Preparer {
  ImportedRobot& robot;
  const PrepareOptions& options;
  std::map<std::string, std::string> joint_names = {};  // as written -> as they are called now
  bool has_world_link = false;                          // its root is called world

  void note(NoteKind kind, int line, std::string what) { robot.notes.add(kind, robot.file, line, std::move(what)); }

  void clean_names() {
    std::set<std::string> bodies{"world"}, joints;
    std::map<std::string, std::string> body_names;
    int changed = 0;
    for (RobotBody& body : robot.bodies) {
      const std::string before = body.name;
      const bool is_world = before == "world";
      body.name = unique(is_world ? "world_link" : clean(before, "body"), bodies);
      has_world_link = has_world_link || is_world;
      body_names[before] = body.name;
      changed += body.name != before && !is_world;
      std::set<std::string> shapes;
      for (RobotShape& shape : body.shapes) {
        const std::string kind(shape_names[std::size_t(shape.shape.kind)]);
        shape.name = unique(clean(shape.name, kind), shapes);
      }
      for (RobotJoint& joint : body.joints) {
        const std::string written = joint.name;
        joint.name = unique(clean(written, body.name + "_joint"), joints);
        joint_names.emplace(written, joint.name);
        changed += joint.name != written && !written.empty();
      }
    }
    for (auto& pair : robot.apart)
      for (std::string& name : pair)
        if (body_names.contains(name)) name = body_names[name];
    for (RobotLoop& loop : robot.loops) {
      loop.name = unique(clean(loop.name, "loop"), joints);
      for (std::string& name : loop.bodies)
        if (body_names.contains(name)) name = body_names[name];
    }
    std::set<std::string> sensors;
    for (RobotSensor& sensor : robot.sensors) {
      sensor.name = unique(clean(sensor.name, "sensor"), sensors);
      if (body_names.contains(sensor.body)) sensor.body = body_names[sensor.body];
      if (joint_names.contains(sensor.joint)) sensor.joint = joint_names[sensor.joint];
    }
    std::set<std::string> couplings;
    for (RobotCoupling& coupling : robot.couplings) {
      coupling.name = unique(clean(coupling.name, "coupling"), couplings);
      for (RobotCoupling::Term& term : coupling.terms)
        if (joint_names.contains(term.joint)) term.joint = joint_names[term.joint];
    }
    if (changed > 0)
      note(NoteKind::Decision, 0,
           fmt::format("{} names have characters that keys of scenarios cannot have: these became _", changed));
  }

  // Mass, shapes and children of a part become those of what carries it.
  void merge_into_parent(std::size_t i) {
    RobotBody& part = robot.bodies[i];
    RobotBody& parent = robot.bodies[std::size_t(part.parent)];
    if (const Sym3d& I = part.inertia; part.mass <= 0.0 && I.xx + I.yy + I.zz > 0.0)
      note(NoteKind::Repair, part.line, fmt::format("{}: it has inertia and no mass: both are 0", part.name));
    MassSum sum;
    sum.add(Posed::identity(), parent.mass, parent.com, parent.inertia);
    sum.add(part.X_PB, part.mass, part.com, part.inertia);
    if (part.mass > 0.0 || parent.mass <= 0.0) {
      if (part.gravcomp != parent.gravcomp && part.mass > 0.0 && parent.mass > 0.0)
        note(NoteKind::Decision, part.line,
             fmt::format("{} and {} are one body, of whose weight gravcomp carries the mean share", parent.name,
                         part.name));
      if (sum.mass > 0.0) parent.gravcomp = (parent.gravcomp * parent.mass + part.gravcomp * part.mass) / sum.mass;
      parent.mass = sum.mass;
      parent.com = sum.com();
      parent.inertia = sum.inertia_about_com();
    }
    parent.is_seen = parent.is_seen || part.is_seen;
    for (RobotShape& shape : part.shapes) {
      shape.name = part.name + "_" + shape.name;
      shape.X_BS = part.X_PB * shape.X_BS;
      shape.surface.along = part.X_PB.R * shape.surface.along;
      parent.shapes.push_back(std::move(shape));
    }
    parent.merged.push_back(part.name);
    parent.merged.insert(parent.merged.end(), part.merged.begin(), part.merged.end());
    for (RobotBody& body : robot.bodies)
      if (body.parent == int(i)) {
        body.parent = part.parent;
        body.X_PB = part.X_PB * body.X_PB;
      }
    for (auto& pair : robot.apart)
      for (std::string& name : pair)
        if (name == part.name) name = parent.name;
    for (RobotSensor& sensor : robot.sensors)
      if (sensor.body == part.name) {
        sensor.body = parent.name;
        sensor.X = part.X_PB * sensor.X;
      }
    for (RobotLoop& loop : robot.loops)
      for (std::size_t k = 0; k < 2; k++)
        if (loop.bodies[k] == part.name) {
          loop.bodies[k] = parent.name;
          loop.X[k] = part.X_PB * loop.X[k];
        }
    remove(i);
  }

  void remove(std::size_t i) {
    robot.bodies.erase(robot.bodies.begin() + std::ptrdiff_t(i));
    for (RobotBody& body : robot.bodies)
      if (body.parent > int(i)) body.parent--;
  }

  static bool is_fixed(const RobotBody& body) { return body.joints.empty() && !body.free; }

  // The last first: their own parts are in them then.
  void merge_fixed() {
    for (std::size_t i = robot.bodies.size(); i-- > 0;)
      if (is_fixed(robot.bodies[i]) && robot.bodies[i].parent >= 0) merge_into_parent(i);
  }

  // A root that is called world, or has neither mass nor shape, is the world itself.
  void drop_world_links() {
    for (std::size_t i = robot.bodies.size(); i-- > 0;) {
      const RobotBody& body = robot.bodies[i];
      if (body.parent >= 0 || !is_fixed(body) || body.mass > 0.0 || !body.shapes.empty()) continue;
      const bool has_children =
          std::ranges::any_of(robot.bodies, [&](const RobotBody& b) { return b.parent == int(i); });
      if (!has_children) continue;
      const Posed X = body.X_PB;
      const auto is_on_it = [&](const RobotSensor& s) { return s.body == body.name; };
      if (std::ranges::any_of(robot.sensors, is_on_it))
        note(NoteKind::Decision, body.line, fmt::format("sensors on {}, which is the world, are left out", body.name));
      std::erase_if(robot.sensors, is_on_it);
      for (RobotLoop& loop : robot.loops)
        for (std::size_t k = 0; k < 2; k++)
          if (loop.bodies[k] == body.name) {
            loop.bodies[k] = "world";
            loop.X[k] = X * loop.X[k];
          }
      for (RobotBody& child : robot.bodies)
        if (child.parent == int(i)) {
          child.parent = -1;
          child.X_PB = X * child.X_PB;
        }
      remove(i);
    }
  }

  void decide_base() {
    for (RobotBody& body : robot.bodies) {
      if (body.parent >= 0 || body.held || !is_fixed(body) || !robot.place_on_ground) continue;
      const bool free = options.base == "free" || (options.base == "auto" && body.mass > 0.0 && !has_world_link);
      body.free = free;
      note(NoteKind::Decision, body.line,
           free ? fmt::format("nothing holds {}: it floats and is put on the ground (robot.base = \"fixed\" holds it)",
                              body.name)
                : fmt::format("{} is fixed in the world (robot.base = \"free\" lets it float)", body.name));
    }
  }

  void decide_drives() {
    int plain = 0, passive = 0;
    for (RobotBody& body : robot.bodies)
      for (RobotJoint& joint : body.joints) {
        if (joint.kind != JointKind::Revolute && joint.kind != JointKind::Prismatic) continue;
        if (follows(joint)) continue;  // it needs no drive of its own
        passive += joint.drive == "none";
        if (options.drive == "file") continue;
        joint.drive = options.drive;
        joint.target = joint.position;
        if (options.drive != "servo" || joint.kp > 0.0) continue;
        // what it can give at most at an error of 0.1 rad, or 1 cm
        const double error = joint.kind == JointKind::Revolute ? 0.1 : 0.01;
        joint.kp = joint.effort > 0.0 ? joint.effort / error : 100.0;
        joint.kd = 0.1 * joint.kp;
        plain += joint.effort <= 0.0;
      }
    if (options.drive == "servo" && plain > 0)
      note(NoteKind::Decision, 0,
           fmt::format("{} joints do not say how strong their drive is: servos with kp = 100, without limit", plain));
    if (options.drive == "file" && passive > 0)
      note(NoteKind::Decision, 0,
           fmt::format("{} joints have no drive in the file and move freely (robot.drive = \"servo\" holds them)",
                       passive));
  }

  void place_in_range(RobotJoint& joint) {
    const double inside = std::clamp(joint.position, joint.lower, joint.upper);
    if (inside == joint.position) return;
    note(NoteKind::Decision, joint.line,
         fmt::format("joint {} starts at {}, the end of its range, because {} is outside", joint.name, inside,
                     joint.position));
    joint.position = inside;
    joint.target = std::clamp(joint.target, joint.lower, joint.upper);
  }

  RobotJoint* find_axis(const std::string& name) {
    for (RobotBody& body : robot.bodies)
      for (RobotJoint& joint : body.joints)
        if (joint.name == name)
          return joint.kind == JointKind::Revolute || joint.kind == JointKind::Prismatic ? &joint : nullptr;
    return nullptr;
  }

  // Joints that do not move, or are not there, hold nothing.
  void check_couplings() {
    std::erase_if(robot.couplings, [&](const RobotCoupling& c) {
      for (const RobotCoupling::Term& term : c.terms)
        if (!find_axis(term.joint)) {
          note(NoteKind::Warning, c.line,
               fmt::format("joint {} should follow \"{}\", which is no joint with one axis: it moves by itself",
                           c.terms[0].joint, term.joint));
          return true;
        }
      return false;
    });
  }

  // Each follower starts where the others want it; chains in any order.
  void place_followers() {
    for (std::size_t pass = 0; pass < robot.couplings.size(); pass++)
      for (const RobotCoupling& c : robot.couplings) {
        double sum = c.sum;
        for (std::size_t i = 1; i < c.terms.size(); i++) {
          const double q = find_axis(c.terms[i].joint)->position;
          const std::array<double, 4>& f = c.terms[i].factor;
          sum -= q * (f[0] + q * (f[1] + q * (f[2] + q * f[3])));
        }
        find_axis(c.terms[0].joint)->position = sum;
      }
    for (const RobotCoupling& c : robot.couplings) {
      const RobotJoint& j = *find_axis(c.terms[0].joint);
      constexpr double slack = 1e-9;
      if (j.position < j.lower - slack || j.position > j.upper + slack)
        note(NoteKind::Warning, c.line,
             fmt::format("joint {} starts at {} because it follows others, which is outside of its range", j.name,
                         j.position));
    }
  }

  bool follows(const RobotJoint& joint) const {
    return std::ranges::any_of(robot.couplings, [&](const RobotCoupling& c) { return c.terms[0].joint == joint.name; });
  }

  // A thing that moves has mass; a frame between two joints may do without.
  void repair_masses() {
    std::vector<double> carried(robot.bodies.size());
    for (std::size_t i = robot.bodies.size(); i-- > 0;) {
      RobotBody& body = robot.bodies[i];
      const bool moves = !is_fixed(body);
      if (!(body.mass >= 0.0)) {
        note(NoteKind::Repair, body.line, fmt::format("{}: a mass of {} kg becomes 0", body.name, body.mass));
        body.mass = 0.0;
        body.inertia = Sym3d::diagonal(0.0);
      }
      if (moves && body.mass <= 0.0 && (body.is_seen || carried[i] <= 0.0)) give_mass(body);
      carried[i] += body.mass;
      if (body.parent >= 0 && moves) carried[std::size_t(body.parent)] += carried[i];
    }
  }

  static MassSum solids_of(const RobotBody& body) {
    MassSum sum;
    for (const RobotShape& shape : body.shapes) {
      const Solid s = solid_of(shape.shape);
      Sym3d I = s.inertia;
      for (double* x : {&I.xx, &I.xy, &I.xz, &I.yy, &I.yz, &I.zz}) *x *= water;
      if (s.volume > 0.0) sum.add(shape.X_BS, water * s.volume, s.centre, I);
    }
    return sum;
  }

  void give_mass(RobotBody& body) {
    const MassSum sum = solids_of(body);
    if (sum.mass > 0.0) {
      body.mass = sum.mass;
      body.com = sum.com();
      body.inertia = sum.inertia_about_com();
      note(NoteKind::Repair, body.line,
           fmt::format("{} moves and has no mass: that of its shapes filled with water, {:.4g} kg", body.name,
                       body.mass));
      return;
    }
    Shape ball{.kind = ShapeKind::Sphere, .radius = 0.05};
    const Solid s = solid_of(ball);
    body.mass = water * s.volume;
    body.com = Vec3d::zero();
    body.inertia = Sym3d::diagonal(water * s.inertia.xx);
    note(NoteKind::Repair, body.line,
         fmt::format(
             "{} moves and has neither mass nor a shape to take it from: a ball of water of radius 5 cm, {:.4g} kg",
             body.name, body.mass));
  }

  // The least multiple of the unit matrix that makes the principal moments those of matter: positive, none larger than the sum of
  // the other two.
  void repair_inertia(RobotBody& body) {
    if (body.mass <= 0.0) return;
    const Vec3d p = principal_moments(body.inertia);
    if (!(p[0] > 0.0)) return give_inertia(body);
    double reach = 0.0;
    for (const RobotShape& s : body.shapes) reach = std::max(reach, norm(s.X_BS.p - body.com) + s.shape.reach());
    if (options.inertia == "shapes" && reach > 0.0 && p[0] > body.mass * reach * reach * (1.0 + 1e-9)) {
      note(NoteKind::Repair, body.line,
           fmt::format("{}: a moment of {:.4g} kg m^2 is larger than {:.4g} kg within {:.4g} m can have", body.name,
                       p[0], body.mass, reach));
      return give_inertia(body);
    }
    const double least = 1e-6 * p[0];
    const double add = std::max({0.0, least - p[2], p[0] - p[1] - p[2]});
    if (add <= 1e-9 * p[0]) return;
    body.inertia += Sym3d::diagonal(add * (1.0 + 1e-12));
    note(NoteKind::Repair, body.line,
         fmt::format("{}: no body has the principal moments {:.4g}, {:.4g}, {:.4g} kg m^2: {:.4g} is added to each",
                     body.name, p[0], p[1], p[2], add));
  }

  void give_inertia(RobotBody& body) {
    const MassSum sum = solids_of(body);
    if (sum.mass > 0.0) {
      const double scale = body.mass / sum.mass;
      body.inertia = sum.inertia_about_com();
      Sym3d& I = body.inertia;
      for (double* x : {&I.xx, &I.xy, &I.xz, &I.yy, &I.yz, &I.zz}) *x *= scale;
    } else {
      constexpr double pi = 3.14159265358979323846;
      const double r = math::cbrt(3.0 * body.mass / (4.0 * pi * water));
      body.inertia = Sym3d::diagonal(0.4 * body.mass * r * r);
    }
    note(NoteKind::Repair, body.line,
         fmt::format("{} has {:.4g} kg and no inertia that counts: that of {} of this mass", body.name, body.mass,
                     sum.mass > 0.0 ? "its shapes" : "a ball of water"));
  }

  void run() {
    clean_names();
    if (!options.keep_fixed) merge_fixed();
    decide_base();
    drop_world_links();
    for (RobotBody& body : robot.bodies)
      for (RobotJoint& joint : body.joints) place_in_range(joint);
    check_couplings();
    place_followers();
    decide_drives();
    repair_masses();
    for (RobotBody& body : robot.bodies) repair_inertia(body);
  }
};

}  // namespace

void prepare(ImportedRobot& robot, const PrepareOptions& options) { Preparer{robot, options}.run(); }

}  // namespace sinew::imports
