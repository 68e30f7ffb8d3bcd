// Joints of SDF. Poses of links are those with all coordinates at zero, so a joint's place follows from them; its axis is seen from its
// own frame (from its model before version 1.5, or where use_parent_model_frame or expressed_in say so). A link that several joints
// carry closes loops. A screw is a turn and a way along one axis, coupled: z = theta h / (2 pi), h the way of a turn [m], to the right
// where it is positive; thread_pitch = -2 pi / h [rad/m]. A gearbox couples two joints.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/imports/sdf_parts.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

constexpr double turn_of_sdf = 2.0 * 3.14159265358979323846;
constexpr double sdf_no_end = 1e16;  // what SDF writes where there is none

struct SdfJointReader {
  SdfRobot& r;
  XmlFile& xml = r.xml;

  // In the axes of the model; none: said already.
  std::optional<Vec3d> direction(xml_node axis, const SdfJoint& edge) {
    Vec3d v = sdf_vector(xml, axis, "xyz", Vec3d(0, 0, 1));
    const xml_node xyz = axis.child("xyz");
    if (!(norm(v) > 0.0)) {
      xml.warn(axis, fmt::format("joint {}: its axis is zero: z is taken", edge.name), NoteKind::Repair);
      v = Vec3d(0, 0, 1);
    }
    v = v * (1.0 / norm(v));
    const bool of_model = sdf_flag(xml, axis, "use_parent_model_frame", edge.version < 1.45);
    const std::string from = xml.text(xyz, "expressed_in");
    if (from.empty()) return of_model ? v : edge.X_M.R * v;
    const auto X = r.frames.pose(edge.scope, from);
    if (X) return X->R * v;
    xml.fail(axis, fmt::format("joint {}: there is no frame \"{}\"", edge.name, from));
    return {};
  }

  void read_ends(xml_node axis, RobotJoint& j, const std::string& type, bool& stands) {
    const xml_node limit = xml.child(axis, "limit");
    const double lower = sdf_number(xml, limit, "lower", -sdf_no_end),
                 upper = sdf_number(xml, limit, "upper", sdf_no_end);
    const double effort = sdf_number(xml, limit, "effort", -1.0), speed = sdf_number(xml, limit, "velocity", -1.0);
    r.accept(limit, {"stiffness", "dissipation"});
    if (effort > 0.0 && effort < sdf_no_end) j.effort = effort;
    if (speed > 0.0 && speed < sdf_no_end) j.speed = speed;
    if (type == "continuous") return;
    if (lower > upper) {
      xml.warn(limit,
               fmt::format("joint {}: its range from {} to {} is empty: it has no ends then", j.name, lower, upper),
               NoteKind::Repair);
      return;
    }
    if (lower == upper) {
      stands = true;
      j.position = lower;
    }
    if (lower > -sdf_no_end) j.lower = lower;
    if (upper < sdf_no_end) j.upper = upper;
  }

  // true: its range is a point
  bool read_axis(xml_node axis, SdfJoint& edge, const Posed& X_MC, RobotJoint& j) {
    bool stands = false;
    const auto along = direction(axis, edge);
    if (along) j.axis = transpose_times(X_MC.R, *along);
    read_ends(axis, j, edge.type, stands);
    const xml_node dynamics = xml.child(axis, "dynamics");
    j.damping = sdf_number(xml, dynamics, "damping", 0.0);
    j.friction = sdf_number(xml, dynamics, "friction", 0.0);
    j.rest = sdf_number(xml, dynamics, "spring_reference", 0.0);
    j.stiffness = sdf_number(xml, dynamics, "spring_stiffness", 0.0);
    for (double* value : {&j.damping, &j.friction, &j.stiffness})
      if (*value < 0.0) {
        xml.warn(dynamics,
                 fmt::format("joint {}: damping, friction and spring_stiffness must be >= 0: {} becomes 0", edge.name,
                             *value),
                 NoteKind::Repair);
        *value = 0.0;
      }
    if (axis.child("initial_position")) j.position = sdf_number(xml, axis, "initial_position", 0.0);
    return stands;
  }

  double way_of_turn(const SdfJoint& edge) {
    const xml_node node = edge.node;
    const double pitch = sdf_number(xml, node, "thread_pitch", 1.0);
    if (node.child("screw_thread_pitch")) return sdf_number(xml, node, "screw_thread_pitch", 1.0);
    if (pitch != 0.0) return -turn_of_sdf / pitch;
    xml.fail(node, fmt::format("joint {}: thread_pitch must not be zero", edge.name));
    return 1.0;
  }

  // The joints of the house, in the child's axes; none: it is fixed.
  std::vector<RobotJoint> joints_of(SdfJoint& edge, const Posed& X_MC) {
    const Posed X_CJ = X_MC.inverse() * edge.X_M;
    RobotJoint first{.name = edge.name, .anchor = X_CJ.p, .line = xml.line(edge.node)};
    const xml_node axis = xml.child(edge.node, "axis"), axis2 = xml.child(edge.node, "axis2");
    const std::string& type = edge.type;
    if (type == "fixed" || type == "ball") {
      if (axis) xml.use_all(axis);
      first.kind = JointKind::Ball;
      return type == "ball" ? std::vector{first} : std::vector<RobotJoint>{};
    }
    static const std::set<std::string> known{"revolute", "continuous", "prismatic", "screw", "universal", "revolute2"};
    if (!known.contains(type)) {
      xml.warn(edge.node, fmt::format("joint {}: the type \"{}\" is left out: it is fixed", edge.name, type));
      for (const xml_node unused : {axis, axis2})
        if (unused) xml.use_all(unused);
      return {};
    }
    first.kind = type == "prismatic" ? JointKind::Prismatic : JointKind::Revolute;
    if (read_axis(axis, edge, X_MC, first) && (type == "revolute" || type == "prismatic") && first.position == 0.0) {
      xml.warn(edge.node, fmt::format("joint {}: its range is from 0 to 0: it is fixed", edge.name),
               NoteKind::Decision);
      return {};
    }
    if (type == "universal" || type == "revolute2") {
      RobotJoint second{.name = edge.name + "_2", .anchor = X_CJ.p, .line = first.line};
      read_axis(axis2, edge, X_MC, second);
      first.name += "_1";
      return {first, second};
    }
    if (axis2) xml.use_all(axis2);
    if (type != "screw") return {first};
    RobotJoint way{.name = edge.name + "_way", .kind = JointKind::Prismatic, .anchor = X_CJ.p, .line = first.line};
    way.axis = first.axis;
    r.robot.couplings.push_back({.name = edge.name + "_thread",
                                 .terms = {{way.name, {1.0}}, {first.name, {-way_of_turn(edge) / turn_of_sdf}}},
                                 .line = first.line});
    return {first, way};
  }

  // Where `carrier`, a joint of the tree, turns its child about the gear's axis: 1, or -1 the other way round; 0: it does not.
  double turns_about(const SdfJoint* carrier, const Vec3d& gear) {
    if (!carrier || (carrier->type != "revolute" && carrier->type != "continuous")) return 0.0;
    const auto along = direction(carrier->node.child("axis"), *carrier);
    const double c = along ? dot(*along, gear) : 0.0;
    return std::abs(std::abs(c) - 1.0) < 1e-4 ? c : 0.0;
  }

  // theta_2 = -ratio theta_1, both from the reference body, which carries parent and child.
  void gear(SdfJoint& edge, const SdfJoint* input, const SdfJoint* output) {
    const xml_node axis = xml.child(edge.node, "axis"), axis2 = xml.child(edge.node, "axis2");
    const double ratio = sdf_number(xml, edge.node, "gearbox_ratio", 1.0);
    const std::string reference = sdf_text(xml, edge.node, "gearbox_reference_body");
    const auto first = direction(axis, edge), second = direction(axis2, edge);
    const double s1 = first ? turns_about(input, *first) : 0.0, s2 = second ? turns_about(output, *second) : 0.0;
    const bool from_one = input && output && input->parent == reference && output->parent == reference;
    if (s1 == 0.0 || s2 == 0.0 || !from_one)
      return xml.warn(edge.node,
                      fmt::format("joint {}: a gearbox whose ends do not turn about its axes on its reference body "
                                  "is left out",
                                  edge.name));
    r.robot.couplings.push_back({.name = edge.name,
                                 .terms = {{output->name, {1.0}}, {input->name, {s1 * s2 > 0.0 ? ratio : -ratio}}},
                                 .line = xml.line(edge.node)});
  }

  void close(SdfJoint& edge, int parent, int child) {
    const SdfLink& c = r.links[std::size_t(child)];
    const std::vector<RobotJoint> joints = joints_of(edge, c.X_M);
    const bool simple = joints.size() == 1 || edge.type == "fixed";
    if (!simple)
      return xml.warn(edge.node, fmt::format("joint {}: a {} that closes a loop is left out", edge.name, edge.type));
    const Posed X_WJ = c.X_W * (c.X_M.inverse() * edge.X_M);
    RobotLoop loop{.name = edge.name, .kind = joints.empty() ? JointKind::Weld : joints[0].kind};
    loop.line = xml.line(edge.node);
    const Posed X_WP = parent < 0 ? Posed::identity() : r.links[std::size_t(parent)].X_W;
    loop.bodies = {parent < 0 ? "world" : r.links[std::size_t(parent)].body.name, c.body.name};
    loop.X = {X_WP.inverse() * X_WJ, c.X_W.inverse() * X_WJ};
    if (!joints.empty()) loop.axis = transpose_times(loop.X[1].R, joints[0].axis);
    if (!joints.empty() && (joints[0].lower > -infinite || joints[0].upper < infinite))
      xml.warn(edge.node, fmt::format("joint {}: ends of a joint that closes a loop are left out", edge.name));
    r.robot.loops.push_back(std::move(loop));
  }
};

struct SdfTree {
  SdfRobot& r;
  SdfJointReader reader{r};
  std::vector<int> carrier = {}, above = {};  // by link: joint, parent; -1 none

  bool hangs_on(int link, int on) const {
    for (int at = link; at >= 0; at = above[std::size_t(at)])
      if (at == on) return true;
    return false;
  }

  // Link of an end; the world for a link that does not move.
  int end_of(const SdfJoint& edge, const std::string& name) {
    const int link = r.frames.link(edge.scope, name);
    if (link == sdf_nothing)
      r.xml.fail(edge.node, fmt::format("joint {}: no link or frame is named \"{}\"", edge.name, name));
    return link >= 0 && r.links[std::size_t(link)].is_static ? sdf_world : link;
  }

  void hang() {
    carrier.assign(r.links.size(), -1);
    above.assign(r.links.size(), -1);
    std::vector<std::array<int, 3>> closing;
    for (std::size_t e = 0; e < r.joints.size(); e++) {
      SdfJoint& edge = r.joints[e];
      int parent = end_of(edge, edge.parent), child = end_of(edge, edge.child);
      if (parent == sdf_nothing || child == sdf_nothing) continue;
      if (parent == child) {
        r.xml.warn(edge.node, fmt::format("joint {}: both ends are one body: it is left out", edge.name));
        continue;
      }
      if (child < 0) {
        r.xml.fail(edge.node, fmt::format("joint {}: its child must be a link that moves", edge.name));
        continue;
      }
      if (carrier[std::size_t(child)] >= 0 || edge.type == "gearbox" || hangs_on(parent, child)) {
        closing.push_back({int(e), parent, child});
        continue;
      }
      carrier[std::size_t(child)] = int(e);
      above[std::size_t(child)] = parent;
    }
    const auto carrier_of = [&](int link) {
      const int e = link < 0 ? -1 : carrier[std::size_t(link)];
      return e < 0 ? nullptr : &r.joints[std::size_t(e)];
    };
    for (const auto& [e, parent, child] : closing) {
      SdfJoint& edge = r.joints[std::size_t(e)];
      if (edge.type == "gearbox")
        reader.gear(edge, carrier_of(parent), carrier_of(child));
      else
        reader.close(edge, parent, child);
    }
  }

  // Parents first.
  void list_bodies() {
    std::vector<int> placed(r.links.size(), -1);
    for (bool progress = true; progress;) {
      progress = false;
      for (std::size_t i = 0; i < r.links.size(); i++) {
        const int up = above[i];
        if (placed[i] >= 0 || (up >= 0 && placed[std::size_t(up)] < 0)) continue;
        progress = true;
        const SdfLink& link = r.links[i];
        if (link.is_no_body()) {
          placed[i] = 0;  // nothing hangs on what does not move
          continue;
        }
        placed[i] = int(r.robot.bodies.size());
        RobotBody body = link.body;
        body.parent = up < 0 ? -1 : placed[std::size_t(up)];
        const Posed X_WP = up < 0 ? Posed::identity() : r.links[std::size_t(up)].X_W;
        body.X_PB = X_WP.inverse() * link.X_W;
        if (carrier[i] >= 0) body.joints = reader.joints_of(r.joints[std::size_t(carrier[i])], link.X_M);
        body.held = up < 0 && (link.is_static || carrier[i] >= 0);
        body.free = r.is_world && up < 0 && !body.held;
        r.robot.bodies.push_back(std::move(body));
      }
    }
  }

  void run() {
    hang();
    if (r.xml.problems.empty()) list_bodies();
  }
};

}  // namespace

void read_sdf_joint(SdfRobot& r, xml_node node, int scope, double version) {
  XmlFile& xml = r.xml;
  SdfJoint edge;
  edge.name = xml.text(node, "name");
  edge.type = xml.text(node, "type");
  edge.scope = scope;
  edge.version = version;
  edge.node = node;
  edge.parent = sdf_text(xml, node, "parent");
  edge.child = sdf_text(xml, node, "child");
  r.accept(node, {"physics"});
  SdfFrame frame;
  frame.X = read_sdf_pose(xml, node, frame.from);
  if (frame.from.empty()) frame.from = edge.child;
  frame.attached = edge.child;
  // before version 1.7 links and joints may have the same names
  auto& names = r.frames.scopes[std::size_t(scope)].frames;
  edge.frame = edge.name;
  while (!names.emplace(edge.frame, frame).second) edge.frame += "'";
  r.joints.push_back(std::move(edge));
}

void build_sdf_tree(SdfRobot& r) { SdfTree{r}.run(); }

}  // namespace sinew::imports
