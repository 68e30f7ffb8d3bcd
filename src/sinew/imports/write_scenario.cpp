#include "sinew/imports/write_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <vector>

#include "sinew/imports/prepare.h"
#include "sinew/imports/write_ground.h"

namespace sinew::imports {
namespace {

// A text of TOML, whatever a file's name holds.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (code < 32 || code == 127)
      out += fmt::format("\\u{:04x}", code);
    else
      out += c;
  }
  return out + "\"";
}

// One line of a comment, whatever the text holds.
std::string comment(const std::string& text) {
  std::string out = "# ";
  for (const char c : text) out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  return out + "\n";
}

Mat3d turn(const Vec3d& axis, double angle) { return to_matrix(quaternion_exp(axis * (angle / norm(axis)))); }

// A unit vector across.
Vec3d across(const Vec3d& axis) {
  const Vec3d other = std::abs(axis[0]) < 0.6 * norm(axis) ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0);
  const Vec3d c = cross(axis, other);
  return c * (1.0 / norm(c));
}

struct Writer {
  const ImportedRobot& robot;
  const std::string& folder;
  WrittenScenario out = {};
  std::vector<Surface> surfaces = {};

  void line(const std::string& key, const std::string& value, const std::string& remark = {}) {
    out.text += key + " = " + value + (remark.empty() ? "" : "  # " + remark) + "\n";
  }
  void table(const std::string& name, int at) {
    out.text += "\n[" + name + "]\n";
    if (at > 0) out.places[name] = fmt::format("{}:{}", robot.file, at);
  }

  std::string surface_of(const Surface& s) {
    if (!s.is_given()) return "default";
    const auto same = [&](const Surface& o) {
      return o.mu_long == s.mu_long && o.mu_trans == s.mu_trans && o.stiffness == s.stiffness &&
             o.drilling == s.drilling && o.rolling == s.rolling && o.restitution == s.restitution;
    };
    auto found = std::ranges::find_if(surfaces, same);
    if (found == surfaces.end()) {
      surfaces.push_back(s);
      found = surfaces.end() - 1;
    }
    return fmt::format("surface{}", found - surfaces.begin() + 1);
  }

  void write_head() {
    out.text += comment(fmt::format("{}: from {}", robot.name, std::filesystem::path(robot.file).filename().string()));
    out.text += comment("What follows was decided or left out on the way; numbers are those of sinew check.");
    int n = 0;
    for (const Note& note : robot.notes.list) out.text += comment(text_of(note, ++n));
    line("title", quoted(robot.name));
    line("source", quoted(std::filesystem::path(robot.file).filename().string()));
    table("integrator", 0);
    line("step", number(robot.step));
    const auto is_servo = [](const RobotJoint& j) { return j.drive == "servo"; };
    if (std::ranges::any_of(robot.bodies, [&](const RobotBody& b) { return std::ranges::any_of(b.joints, is_servo); }))
      line("actuator", "\"implicit\"", "stiff servos need no short steps");
    const Vec3d& g = robot.gravity;
    if (g[0] != 0.0 || g[1] != 0.0 || g[2] != -9.81) {
      table("gravity", 0);
      line("g", list_of(g));
    }
    out.text += ground_text(robot);
  }

  bool is_body(const std::string& name) const {
    return std::ranges::find(robot.bodies, name, &RobotBody::name) != robot.bodies.end();
  }

  void write_contact() {
    table("contact", 0);
    line("between_bodies", robot.touches_itself ? "true" : "false",
         robot.touches_itself ? "" : "the robot touches the ground and not itself");
    // at the usual 1e-8 m/s a Cassie that lies creeps by 7e-11 m/s
    if (!robot.loops.empty()) line("tolerance", "1e-9", "robots with loops that stand or lie do not creep then");
    if (!robot.apart.empty()) {
      std::set<std::string> seen;
      std::string ignore;
      for (const auto& [a, b] : robot.apart)
        if (a != b && is_body(a) && is_body(b) && seen.insert(a < b ? a + ":" + b : b + ":" + a).second)
          ignore += (ignore.empty() ? "" : ", ") + quoted(a + ":" + b);
      line("ignore", "[" + ignore + "]");
    }
    for (std::size_t i = 0; i < surfaces.size(); i++) {
      const Surface& s = surfaces[i];
      table(fmt::format("contact.pair.surface{}", i + 1), 0);
      line("first", fmt::format("\"surface{}\"", i + 1));
      line("second", "\"ground\"");
      const double mu_long = s.mu_long >= 0 ? s.mu_long : 0.5, mu_trans = s.mu_trans >= 0 ? s.mu_trans : mu_long;
      line("mu_long", number(mu_long));
      line("mu_trans", number(mu_trans));
      if (s.drilling > 0) line("drilling", number(s.drilling));
      if (s.rolling > 0) line("rolling", number(s.rolling));
      if (s.restitution > 0) line("restitution", number(s.restitution));
      if (s.stiffness > 0) line("k", number(s.stiffness), "of contact.law = \"penalty\" alone");
    }
  }

  std::string path_of(const std::string& file) const {
    if (folder.empty()) return file;
    const auto from =
        std::filesystem::path(file).lexically_relative(std::filesystem::absolute(folder).lexically_normal());
    return from.empty() ? file : from.generic_string();
  }

  void write_hull(const RobotShape& s) {
    line("kind", "\"hull\"");
    const Vec3d& scale = s.scale;
    if (!s.file.empty() && !s.thinned && scale[0] > 0.0 && scale[0] == scale[1] && scale[0] == scale[2]) {
      line("file", quoted(path_of(s.file)));
      if (scale[0] != 1.0) line("scale", number(scale[0]));
      return;
    }
    std::string points;
    for (const Vec3d& x : s.shape.mesh->vertex)
      points += (points.empty() ? "" : ", ") + fmt::format("{}, {}, {}", number(x[0]), number(x[1]), number(x[2]));
    line("points", "[" + points + "]", fmt::format("the hull of {}", comment(s.written).substr(2, s.written.size())));
  }

  void write_shape(const RobotBody& body, const RobotShape& s) {
    const std::string material = surface_of(s.surface);
    table(fmt::format("body.{}.shape.{}", body.name, s.name), s.line);
    switch (s.shape.kind) {
      case ShapeKind::Sphere:
        line("kind", "\"sphere\"");
        line("radius", number(s.shape.radius));
        break;
      case ShapeKind::Capsule:
      case ShapeKind::Cylinder:
        line("kind", s.shape.kind == ShapeKind::Capsule ? "\"capsule\"" : "\"cylinder\"");
        line("radius", number(s.shape.radius));
        line("length", number(2.0 * s.shape.half_length));
        break;
      case ShapeKind::Box:
        line("kind", "\"box\"");
        line("size", list_of(s.shape.half * 2.0));
        break;
      case ShapeKind::Hull:
      case ShapeKind::Mesh:
        write_hull(s);
        break;
    }
    if (norm(s.X_BS.p) > 0.0) line("position", list_of(s.X_BS.p));
    const Quatd q = to_quaternion(s.X_BS.R);
    if (q.x != 0.0 || q.y != 0.0 || q.z != 0.0) line("orientation", list_of(q));
    const Vec3d& along = s.surface.along;
    if (along[0] != 1.0 || along[1] != 0.0 || along[2] != 0.0) line("along", list_of(along));
    if (material != "default") line("material", quoted(material));
  }

  void write_body(const RobotBody& body) {
    table("body." + body.name, body.line);
    if (!body.merged.empty()) {
      std::string names;
      for (const std::string& name : body.merged) names += (names.empty() ? "" : ", ") + name;
      out.text += comment("with what is fixed to it: " + names);
    }
    line("mass", number(body.mass));
    line("com", list_of(body.com));
    const Sym3d& I = body.inertia;
    line("inertia", list_of({I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}));
    if (body.gravcomp != 0.0) line("gravity_compensation", number(body.gravcomp));
    for (const RobotShape& shape : body.shapes) write_shape(body, shape);
  }

  void write_joint_numbers(const RobotJoint& j) {
    if (j.position != 0.0) line("position", number(j.position));
    if (j.lower > -infinite) line("lower", number(j.lower));
    if (j.upper < infinite) line("upper", number(j.upper));
    if (j.stiffness > 0.0) {
      line("stiffness", number(j.stiffness));
      if (j.rest != 0.0) line("rest", number(j.rest));
    }
    if (j.damping > 0.0) line("damping", number(j.damping));
    if (j.friction > 0.0) line("dry_friction", number(j.friction));
    if (j.armature > 0.0) line("armature", number(j.armature));
    if (j.drive == "none") {
      if (j.effort > 0.0 && std::isfinite(j.effort))
        out.text +=
            comment(fmt::format("its drive could give {} at most, at up to {}", number(j.effort), number(j.speed)));
      return;
    }
    line("drive", quoted(j.drive));
    if (j.drive == "servo") {
      line("kp", number(j.kp));
      line("kd", number(j.kd));
      if (j.effort > 0.0 && std::isfinite(j.effort)) line("limit", number(j.effort));
    }
    if (j.target != 0.0) line("motion.offset", number(j.target));
    if (j.target_speed != 0.0) line("motion.rate", number(j.target_speed));
  }

  // X_PB: where the child is in the parent when the joint's coordinate is j.zero.
  void write_joint(const RobotJoint& j, const std::string& parent, const std::string& child, const Posed& X_PB) {
    table("joint." + j.name, j.line);
    line("kind", quoted(std::string(joint::name_of(j.kind))));
    if (parent != "world") line("parent", quoted(parent));
    line("child", quoted(child));
    Posed X = X_PB;
    const bool turns = j.kind == JointKind::Revolute, slides = j.kind == JointKind::Prismatic;
    if (turns && j.zero != 0.0) {  // about the anchor, back to where the coordinate is zero
      const Mat3d R = turn(j.axis, -j.zero);
      X = X_PB * Posed{R, j.anchor - R * j.anchor};
    }
    if (slides && j.zero != 0.0) X.p = X.p - X.R * (j.axis * (j.zero / norm(j.axis)));
    line("p_parent", list_of(X * j.anchor));
    if (norm(j.anchor) > 0.0) line("p_child", list_of(j.anchor));
    const Quatd q = to_quaternion(X.R);
    if (q.x != 0.0 || q.y != 0.0 || q.z != 0.0) line("orientation", list_of(q));
    if (turns || slides || j.kind == JointKind::Planar) line("axis", list_of(j.axis));
    if (j.kind == JointKind::Planar) line("axis2", list_of(across(j.axis)));
    if (turns || slides)
      write_joint_numbers(j);
    else if (j.kind != JointKind::Weld) {
      const int nu = joint::freedom_count(j.kind);
      const auto all = [&](double x) {
        std::string text;
        for (int i = 0; i < nu; i++) text += (i ? ", " : "") + number(x);
        return "[" + text + "]";
      };
      const Quatd& start = j.turned;
      if (j.kind == JointKind::Ball && (start.x != 0.0 || start.y != 0.0 || start.z != 0.0))
        line("position", list_of({start.w, start.x, start.y, start.z}));
      if (j.damping > 0.0) line("damping", all(j.damping));
      if (j.friction > 0.0) line("dry_friction", all(j.friction));
    }
  }

  void write_free(const RobotBody& body, const Posed& X_WB, const std::string& name) {
    table("joint." + name, body.line);
    line("kind", "\"free\"");
    line("child", quoted(body.name));
    const Vec3d p = X_WB * body.com;
    const Quatd q = to_quaternion(X_WB.R);
    line("position", list_of({p[0], p[1], p[2], q.w, q.x, q.y, q.z}), "of the centre of mass; quaternion w, x, y, z");
  }

  // Several joints of one body are a chain with bodies between them that have no mass.
  void write_joints(const RobotBody& body, const Posed& X_WB, std::set<std::string>& names) {
    const std::string parent = body.parent < 0 ? "world" : robot.bodies[std::size_t(body.parent)].name;
    const bool floats =
        body.free || std::ranges::any_of(body.joints, [](const RobotJoint& j) { return j.kind == JointKind::Free; });
    const auto fresh = [&](std::string name) {
      while (!names.insert(name).second) name += "_";
      return name;
    };
    if (floats) return write_free(body, X_WB, fresh(body.joints.empty() ? "root" : body.joints[0].name));
    if (body.joints.empty()) {
      const RobotJoint weld{.name = fresh(body.name + "_fixed"), .kind = JointKind::Weld, .line = body.line};
      return write_joint(weld, parent, body.name, body.X_PB);
    }
    std::string from = parent;
    for (std::size_t i = 0; i < body.joints.size(); i++) {
      RobotJoint j = body.joints[i];
      j.name = fresh(j.name);
      const bool last = i + 1 == body.joints.size();
      const std::string to = last ? body.name : fmt::format("{}__{}", body.name, i + 1);
      if (!last) {
        table("body." + to, body.line);
        line("mass", "0.0", "between two joints of one body");
      }
      write_joint(j, from, to, i == 0 ? body.X_PB : Posed::identity());
      from = to;
    }
  }

  // The world is the first, if it is one of them.
  void write_loop(const RobotLoop& loop) {
    const std::size_t first = loop.bodies[1] == "world" ? 1 : 0, second = 1 - first;
    if (loop.bodies[0] == loop.bodies[1]) return;
    table("loop." + loop.name, loop.line);
    line("kind", quoted(std::string(joint::name_of(loop.kind))));
    line("parent", quoted(loop.bodies[first]));
    line("child", quoted(loop.bodies[second]));
    line("p_parent", list_of(loop.X[first].p));
    line("p_child", list_of(loop.X[second].p));
    const Quatd q = to_quaternion((loop.X[first] * loop.X[second].inverse()).R);
    if (loop.kind != JointKind::Ball) line("orientation", list_of(q));
    if (loop.kind == JointKind::Revolute || loop.kind == JointKind::Prismatic)
      line("axis", list_of(loop.X[second].R * loop.axis));
  }

  void write_coupling(const RobotCoupling& c) {
    table("coupling." + c.name, c.line);
    std::string joints;
    for (const RobotCoupling::Term& term : c.terms) joints += (joints.empty() ? "" : ", ") + quoted(term.joint);
    line("joints", "[" + joints + "]");
    static constexpr const char* names[] = {"factors", "squares", "cubes", "fourths"};
    for (std::size_t k = 0; k < 4; k++) {
      std::string numbers;
      for (const RobotCoupling::Term& term : c.terms) numbers += (numbers.empty() ? "" : ", ") + number(term.factor[k]);
      const auto counts = [k](const RobotCoupling::Term& term) { return term.factor[k] != 0.0; };
      if (k == 0 || std::ranges::any_of(c.terms, counts)) line(names[k], "[" + numbers + "]");
    }
    if (c.sum != 0.0) line("sum", number(c.sum));
  }

  void write_sensor(const RobotSensor& s) {
    const bool marker = s.kind == "marker";
    table((marker ? "marker." : "sensor.") + s.name, s.line);
    if (!marker) line("kind", quoted(s.kind));
    if (!s.joint.empty()) return line("joint", quoted(s.joint));
    line("body", quoted(s.body));
    if (s.kind == "contact") return;
    if (norm(s.X.p) > 0.0) line("position", list_of(s.X.p));
    const Quatd q = to_quaternion(s.X.R);
    if (!marker && (q.x != 0.0 || q.y != 0.0 || q.z != 0.0)) line("orientation", list_of(q));
  }

  void run() {
    write_head();
    std::vector<Posed> poses = start_poses(robot);
    std::set<std::string> joint_names;
    for (const RobotBody& body : robot.bodies) write_body(body);
    for (std::size_t i = 0; i < robot.bodies.size(); i++) write_joints(robot.bodies[i], poses[i], joint_names);
    for (const RobotLoop& loop : robot.loops) write_loop(loop);
    for (const RobotCoupling& coupling : robot.couplings) write_coupling(coupling);
    for (const RobotSensor& sensor : robot.sensors) write_sensor(sensor);
    write_contact();
  }
};

}  // namespace

WrittenScenario write_scenario(const ImportedRobot& robot, const std::string& folder) {
  Writer writer{robot, folder};
  writer.run();
  return std::move(writer.out);
}

}  // namespace sinew::imports
