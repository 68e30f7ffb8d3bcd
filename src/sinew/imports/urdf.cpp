#include "sinew/imports/urdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/imports/urdf_link.h"
#include "sinew/imports/xml.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

struct UrdfReader {
  XmlFile& xml;
  const ModelFolders& folders;
  ImportedRobot robot = {};
  struct Link {
    RobotBody body;
    xml_node node;
  };
  struct Edge {
    std::string parent, child;
    RobotJoint joint;
    Posed X_PC;
    bool fixed = false;
    xml_node node;
  };
  std::vector<Link> links = {};
  std::vector<Edge> edges = {};

  std::string name_of(xml_node node, const char* what) {
    const std::string name = xml.text(node, "name");
    if (name.empty()) xml.fail(node, fmt::format("a {} needs a name", what));
    return name;
  }

  void read_link(xml_node node) {
    Link link{{.name = name_of(node, "link"), .joints = {}, .shapes = {}, .merged = {}}, node};
    RobotBody& body = link.body;
    body.line = xml.line(node);
    read_urdf_inertial(xml, node, body);
    for (const xml_node collision : xml.children(node, "collision")) {
      RobotShape shape{.name = xml.text(collision, "name"), .shape = {}};
      shape.line = xml.line(collision);
      if (const xml_node material = collision.child("material")) xml.use_all(material);
      if (read_urdf_geometry(xml, folders, collision, shape)) body.shapes.push_back(std::move(shape));
    }
    body.is_seen = node.child("collision") || node.child("visual");
    for (const xml_node visual : node.children("visual")) {
      xml.use_all(visual);
      robot.visuals++;
    }
    links.push_back(std::move(link));
  }

  void read_limit(xml_node node, const std::string& type, RobotJoint& joint) {
    const xml_node limit = xml.child(node, "limit");
    if (!limit) {
      if (type == "revolute" || type == "prismatic")
        xml.warn(node, fmt::format("joint {}: a {} joint needs <limit>: it has no ends then", joint.name, type),
                 NoteKind::Repair);
      return;
    }
    joint.effort = std::abs(xml.number(limit, "effort", 0.0));
    joint.speed = std::abs(xml.number(limit, "velocity", 0.0));
    const bool given = xml.has(limit, "lower") || xml.has(limit, "upper");
    const double lower = xml.number(limit, "lower", 0.0), upper = xml.number(limit, "upper", 0.0);
    if (type == "continuous") {
      if (given && (lower != 0.0 || upper != 0.0))
        xml.warn(limit,
                 fmt::format("joint {}: a continuous joint has no ends: lower and upper are left out", joint.name));
      return;
    }
    if (!(lower < upper)) {
      xml.warn(limit,
               fmt::format("joint {}: its range from {} to {} is empty: it has no ends then", joint.name, lower, upper),
               NoteKind::Repair);
      return;
    }
    joint.lower = lower;
    joint.upper = upper;
  }

  void read_dynamics(xml_node node, RobotJoint& joint) {
    const xml_node dynamics = xml.child(node, "dynamics");
    if (!dynamics) return;
    joint.damping = xml.number(dynamics, "damping", 0.0);
    joint.friction = xml.number(dynamics, "friction", 0.0);
    for (double* value : {&joint.damping, &joint.friction})
      if (*value < 0.0) {
        xml.warn(dynamics, fmt::format("joint {}: damping and friction must be >= 0: {} becomes 0", joint.name, *value),
                 NoteKind::Repair);
        *value = 0.0;
      }
  }

  void read_joint(xml_node node) {
    Edge edge{.parent = {},
              .child = {},
              .joint = {.name = name_of(node, "joint")},
              .X_PC = urdf_origin(xml, node),
              .node = node};
    RobotJoint& joint = edge.joint;
    joint.line = xml.line(node);
    const std::string type = xml.text(node, "type");
    edge.parent = xml.text(xml.child(node, "parent"), "link");
    edge.child = xml.text(xml.child(node, "child"), "link");
    const xml_node axis = xml.child(node, "axis");
    joint.axis = axis ? xml.vector(axis, "xyz", Vec3d(1, 0, 0)) : Vec3d(1, 0, 0);
    static const std::map<std::string, JointKind> kinds{
        {"revolute", JointKind::Revolute}, {"continuous", JointKind::Revolute}, {"prismatic", JointKind::Prismatic},
        {"floating", JointKind::Free},     {"planar", JointKind::Planar},       {"fixed", JointKind::Weld}};
    const auto kind = kinds.find(type);
    if (kind == kinds.end()) {
      xml.warn(node, fmt::format("joint {}: type \"{}\" is none of URDF's: it is fixed", joint.name, type));
      edge.fixed = true;
    } else {
      joint.kind = kind->second;
      edge.fixed = type == "fixed";
    }
    for (const char* told : {"safety_controller", "calibration"})
      if (const xml_node child = node.child(told)) {
        xml.use_all(child);
        xml.warn(child, fmt::format("<{}>, which is for a real robot's controller, has no effect", told),
                 NoteKind::Decision);
      }
    if (edge.fixed) {  // URDF lets a fixed joint have what only others use
      for (const char* unused : {"limit", "dynamics", "mimic"})
        if (const xml_node child = node.child(unused)) xml.use_all(child);
    } else {
      read_limit(node, type, joint);
      read_dynamics(node, joint);
      if (const xml_node mimic = xml.child(node, "mimic")) {
        const double ratio = xml.number(mimic, "multiplier", 1.0);
        robot.couplings.push_back({.name = joint.name,
                                   .terms = {{joint.name, {1.0}}, {xml.text(mimic, "joint"), {-ratio}}},
                                   .sum = xml.number(mimic, "offset", 0.0),
                                   .line = xml.line(mimic)});
      }
      if (!(norm(joint.axis) > 0.0)) {
        xml.warn(node, fmt::format("joint {}: its axis is zero: x is taken", joint.name), NoteKind::Repair);
        joint.axis = Vec3d(1, 0, 0);
      }
    }
    edges.push_back(std::move(edge));
  }

  static bool says_yes(std::string_view text) {
    return text.find('1') != std::string_view::npos || text.find("rue") != std::string_view::npos;
  }

  // mu1, mu2, fdir1, kp, selfCollide, gravity and turnGravityOff of <gazebo reference="LINK">; numbers are text or an attribute `value`.
  void read_gazebo(xml_node gazebo) {
    const std::string reference = xml.text(gazebo, "reference");
    const auto values = [&](const char* name) -> std::vector<double> {
      const xml_node node = xml.child(gazebo, name);
      if (!node) return {};
      const std::string written = xml.has(node, "value") ? xml.text(node, "value") : node.text().get();
      const auto read = xml.parse_numbers(written);
      if (!read) xml.fail(node, fmt::format("<{}> has \"{}\": give numbers", name, written));
      return read.value_or(std::vector<double>{});
    };
    for (const char* looks : {"material", "visual"})
      for (const xml_node node : gazebo.children(looks)) xml.use_all(node);
    const auto flag = [&](const char* name, bool fallback) {
      const xml_node node = xml.child(gazebo, name);
      if (!node) return fallback;
      return says_yes(xml.has(node, "value") ? xml.text(node, "value") : std::string(node.text().get()));
    };
    for (const char* name : {"selfCollide", "self_collide"})
      robot.touches_itself = flag(name, false) || robot.touches_itself;
    const bool weightless = flag("turnGravityOff", false) || !flag("gravity", true);
    const auto link = std::ranges::find_if(links, [&](const Link& l) { return l.body.name == reference; });
    const std::vector<double> mu1 = values("mu1"), mu2 = values("mu2"), along = values("fdir1"), kp = values("kp");
    if (link == links.end()) {
      const bool is_joint = std::ranges::any_of(edges, [&](const Edge& e) { return e.joint.name == reference; });
      if (!reference.empty() && !is_joint)
        xml.warn(gazebo, fmt::format("<gazebo reference=\"{}\">: there is no such link or joint", reference));
      return;
    }
    if (weightless) link->body.gravcomp = 1.0;
    for (RobotShape& shape : link->body.shapes) {
      Surface& s = shape.surface;
      if (mu1.size() == 1) s.mu_long = std::max(mu1[0], 0.0);
      if (mu2.size() == 1) s.mu_trans = std::max(mu2[0], 0.0);
      if (kp.size() == 1) s.stiffness = std::max(kp[0], 0.0);
      if (along.size() == 3 && norm(Vec3d(along[0], along[1], along[2])) > 0.0)
        s.along = Vec3d(along[0], along[1], along[2]);
    }
  }

  // What the drive of a joint can be told; how strong it is stands in <limit>.
  void read_transmission(xml_node transmission) {
    for (const char* plain : {"type", "robotNamespace"})
      if (const xml_node node = transmission.child(plain)) xml.use_all(node);
    xml.use_attribute(transmission, "name");
    xml.use_attribute(transmission, "type");
    for (const xml_node joint : xml.children(transmission, "joint")) {
      const std::string name = xml.text(joint, "name");
      for (const xml_node interface : xml.children(joint, "hardwareInterface")) (void)interface;
      const bool known = std::ranges::any_of(edges, [&](const Edge& e) { return e.joint.name == name; });
      if (!known) xml.warn(joint, fmt::format("transmission of joint {}: there is no such joint", name));
    }
    for (const xml_node actuator : xml.children(transmission, "actuator")) {
      xml.use_attribute(actuator, "name");
      for (const xml_node interface : xml.children(actuator, "hardwareInterface")) (void)interface;
      if (const xml_node reduction = xml.child(actuator, "mechanicalReduction")) {
        const auto ratio = xml.parse_numbers(reduction.text().get());
        if (!ratio) xml.fail(reduction, "<mechanicalReduction>: give a number");
        if (ratio && ratio->size() == 1 && ratio->front() != 1.0)
          xml.warn(reduction, "<mechanicalReduction> has no effect: effort and velocity in <limit> are the joint's",
                   NoteKind::Decision);
      }
    }
  }

  template <class Items, class NameOf>
  void make_names_unique(Items& items, NameOf name_of_item, const char* what) {
    std::map<std::string, int> seen;
    for (auto& item : items) {
      std::string& name = name_of_item(item);
      if (seen[name]++ == 0) continue;
      const std::string before = name;
      int number = 2;
      while (seen.contains(fmt::format("{}_{}", before, number))) number++;
      name = fmt::format("{}_{}", before, number);
      seen[name]++;
      xml.warn(item.node, fmt::format("two {}s are named {}: this one is called {}", what, before, name),
               NoteKind::Repair);
    }
  }

  bool has_link(const std::string& name) const {
    return std::ranges::any_of(links, [&](const Link& l) { return l.body.name == name; });
  }

  // Files of parts hang on links of others.
  void add_missing_links() {
    std::erase_if(edges, [&](const Edge& edge) {
      const auto carries = [&](const Edge& e) { return e.child == edge.child && has_link(e.parent); };
      if (edge.parent.empty() || has_link(edge.parent) || std::ranges::none_of(edges, carries)) return false;
      xml.warn(edge.node,
               fmt::format("joint {}: no link is named \"{}\", and another joint carries {}: it is left out",
                           edge.joint.name, edge.parent, edge.child),
               NoteKind::Repair);
      return true;
    });
    for (const Edge& edge : edges)
      for (const std::string& end : {edge.parent, edge.child}) {
        if (has_link(end)) continue;
        if (end.empty()) {
          xml.fail(edge.node,
                   fmt::format("joint {}: it needs <parent link=...> and <child link=...>", edge.joint.name));
          continue;
        }
        xml.warn(edge.node,
                 fmt::format("joint {}: no link is named \"{}\": {}", edge.joint.name, end,
                             end == "world" ? "it is the world"
                                            : "an empty one takes its place. Is this a file of parts for another?"),
                 NoteKind::Repair);
        links.push_back(
            {{.name = end, .joints = {}, .shapes = {}, .merged = {}, .line = xml.line(edge.node)}, edge.node});
      }
  }

  // Parents first.
  void build_tree() {
    std::map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < links.size(); i++) index.emplace(links[i].body.name, i);
    std::vector<int> carrier(links.size(), -1), placed(links.size(), -1);
    for (std::size_t e = 0; e < edges.size(); e++) {
      const Edge& edge = edges[e];
      int& at = carrier[index[edge.child]];
      if (at >= 0)
        xml.fail(edge.node, fmt::format("joint {}: link {} is carried by joint {} already: URDF has trees only",
                                        edge.joint.name, edge.child, edges[std::size_t(at)].joint.name));
      at = int(e);
    }
    if (!xml.problems.empty()) return;
    bool progress = true;
    while (progress) {
      progress = false;
      for (std::size_t i = 0; i < links.size(); i++) {
        if (placed[i] >= 0) continue;
        const int e = carrier[i];
        const int parent = e < 0 ? -1 : placed[index[edges[std::size_t(e)].parent]];
        if (e >= 0 && parent < 0) continue;
        placed[i] = int(robot.bodies.size());
        progress = true;
        RobotBody body = std::move(links[i].body);
        body.parent = parent;
        if (e >= 0) {
          body.X_PB = edges[std::size_t(e)].X_PC;
          if (!edges[std::size_t(e)].fixed) body.joints.push_back(edges[std::size_t(e)].joint);
        }
        robot.bodies.push_back(std::move(body));
      }
    }
    for (std::size_t i = 0; i < links.size(); i++)
      if (placed[i] < 0)
        xml.fail(links[i].node,
                 fmt::format("link {}: its joints run in a circle and reach no root", links[i].body.name));
    check_roots(carrier);
  }

  void check_roots(const std::vector<int>& carrier) {
    int roots = 0;
    for (std::size_t i = 0; i < links.size(); i++)
      if (carrier[i] < 0 && roots++ > 0)
        xml.warn(links[i].node, "a second link that no joint carries: it is a body of its own", NoteKind::Repair);
  }

  void run() {
    const xml_node root = xml.root();
    xml.use(root);
    robot.name = xml.text(root, "name", "robot");
    xml.use_attribute(root, "version");
    for (const xml_node material : root.children("material")) xml.use_all(material);
    for (const xml_node node : xml.children(root, "link")) read_link(node);
    for (const xml_node node : xml.children(root, "joint")) read_joint(node);
    make_names_unique(
        links, [](Link& l) -> std::string& { return l.body.name; }, "link");
    make_names_unique(
        edges, [](Edge& e) -> std::string& { return e.joint.name; }, "joint");
    for (const xml_node node : xml.children(root, "gazebo")) read_gazebo(node);
    for (const xml_node node : xml.children(root, "transmission")) read_transmission(node);
    if (links.empty()) xml.fail(root, "there is no <link> in it: a file of parts, or xacro that was not expanded");
    add_missing_links();
    if (xml.problems.empty()) build_tree();
    xml.report_unread();
  }
};

}  // namespace

ImportedRobot read_urdf(XmlFile& xml, const ModelFolders& folders) {
  UrdfReader reader{xml, folders};
  reader.run();
  if (!xml.problems.empty()) throw InputError(xml.problems);
  reader.robot.notes = xml.notes;
  reader.robot.file = xml.file();
  return std::move(reader.robot);
}

}  // namespace sinew::imports
