#include "sinew/imports/mjcf.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/imports/mjcf_parts.h"
#include "sinew/math/principal.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

struct MjcfReader {
  MjcfRobot& m;
  MjcfDocument& doc = m.document;
  XmlFile& xml = doc.xml;

  void read_inertial(xml_node node, RobotBody& body) {
    doc.accept(node);
    const Posed X = doc.pose(node, "");
    body.mass = xml.number(node, "mass", 0.0);
    body.com = X.p;
    const auto full = xml.numbers(node, "fullinertia"), diagonal = xml.numbers(node, "diaginertia");
    if (full.size() == 6)
      body.inertia = rotate(X.R, Sym3d{full[0], full[3], full[4], full[1], full[5], full[2]});
    else if (diagonal.size() == 3)
      body.inertia = rotate(X.R, Sym3d{diagonal[0], 0, 0, diagonal[1], 0, diagonal[2]});
    else
      xml.fail(node, "<inertial> needs diaginertia with three numbers or fullinertia with six");
    const MjcfCompiler& c = doc.compiler;
    body.mass = std::max(body.mass, c.bound_mass);
    if (c.bound_inertia > 0.0 && body.inertia.xy == 0.0 && body.inertia.xz == 0.0 && body.inertia.yz == 0.0)
      for (double* x : {&body.inertia.xx, &body.inertia.yy, &body.inertia.zz}) *x = std::max(*x, c.bound_inertia);
  }

  void read_limits(xml_node node, const std::string& cls, RobotJoint& j) {
    const auto range = doc.numbers(node, "range", cls);
    const bool turns = j.kind == JointKind::Revolute;
    const bool limited = doc.flag(node, "limited", cls, doc.compiler.autolimits && range.size() == 2);
    if (!limited || range.size() != 2) return;
    const double low = turns ? doc.angle(range[0]) : range[0], high = turns ? doc.angle(range[1]) : range[1];
    if (low < high) {
      j.lower = low;
      j.upper = high;
    } else {
      xml.warn(node, fmt::format("joint {}: its range from {} to {} is empty: it has no ends then", j.name, low, high),
               NoteKind::Repair);
    }
  }

  void read_joint(xml_node node, const std::string& cls, const Posed& X_BF, RobotBody& body) {
    xml.use(node);
    doc.accept(node);
    RobotJoint j;
    j.name = xml.text(node, "name");
    j.line = xml.line(node);
    const bool freejoint = std::string_view(node.name()) == "freejoint";
    const std::string type = freejoint ? "free" : doc.text(node, "type", cls, "hinge");
    if (type == "free") {
      body.free = true;
      body.joints.push_back({.name = j.name, .kind = JointKind::Free, .line = j.line});
      return;
    }
    j.kind = type == "slide" ? JointKind::Prismatic : type == "ball" ? JointKind::Ball : JointKind::Revolute;
    if (type != "slide" && type != "ball" && type != "hinge")
      xml.fail(node, fmt::format("type=\"{}\" of <joint>", type));
    const bool turns = j.kind == JointKind::Revolute;
    j.anchor = X_BF * doc.vector(node, "pos", cls, Vec3d::zero());
    const Vec3d axis = doc.vector(node, "axis", cls, Vec3d(0, 0, 1));
    if (!(norm(axis) > 0.0)) xml.fail(node, "the axis of a joint must not be zero");
    j.axis = X_BF.R * axis * (norm(axis) > 0.0 ? 1.0 / norm(axis) : 1.0);
    const auto coordinate = [&](const char* name) {
      const double x = doc.number(node, name, cls, 0.0);
      return turns ? doc.angle(x) : x;
    };
    j.zero = j.position = coordinate("ref");
    j.rest = coordinate("springref");
    if (j.kind != JointKind::Ball) read_limits(node, cls, j);
    j.damping = doc.number(node, "damping", cls, 0.0);
    j.friction = doc.number(node, "frictionloss", cls, 0.0);
    j.armature = doc.number(node, "armature", cls, 0.0);
    j.stiffness = doc.number(node, "stiffness", cls, 0.0);
    const auto force = doc.numbers(node, "actuatorfrcrange", cls);
    if (force.size() == 2 && doc.flag(node, "actuatorfrclimited", cls, doc.compiler.autolimits))
      j.effort = std::min(std::abs(force[0]), std::abs(force[1]));
    if (j.kind == JointKind::Ball && (j.armature > 0.0 || j.stiffness > 0.0))
      xml.warn(node, fmt::format("joint {}: armature and stiffness of ball joints are left out", j.name));
    body.joints.push_back(std::move(j));
  }

  // Elements of a body or frame. X_BF: the frame's axes in the body's.
  void read_contents(xml_node node, const std::string& childclass, const Posed& X_BF, int index) {
    for (const xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      const std::string name = child.name();
      if (name == "geom") {
        read_mjcf_geom(m, child, childclass, X_BF, index);
      } else if (name == "body") {
        read_body(child, childclass, X_BF, index);
      } else if (name == "frame") {
        xml.use(child);
        doc.accept(child);
        read_contents(child, xml.text(child, "childclass", childclass), X_BF * doc.pose(child, ""), index);
      } else if ((name == "joint" || name == "freejoint") && index >= 0) {
        read_joint(child, childclass, X_BF, m.robot.bodies[std::size_t(index)]);
      } else if (name == "inertial" && index >= 0) {
        xml.use(child);
        m.has_inertial[std::size_t(index)] = true;
        if (doc.compiler.inertia_from_geom != "true")
          read_inertial(child, m.robot.bodies[std::size_t(index)]);
        else
          xml.use_all(child);
      } else if (name == "site") {
        m.sites.push_back({xml.text(child, "name"), index, X_BF * doc.pose(child, childclass)});
        doc.accept_all(child, "<site>, but where sensors are");
      } else if (name == "camera" || name == "light") {
        doc.accept_all(child, fmt::format("<{}>", name));
      }
    }
  }

  void read_body(xml_node node, const std::string& above, const Posed& X_PF, int parent) {
    xml.use(node);
    doc.accept(node);
    const int index = int(m.robot.bodies.size());
    RobotBody body;
    body.name = xml.text(node, "name", fmt::format("body{}", index + 1));
    body.parent = parent;
    body.X_PB = X_PF * doc.pose(node, "");
    body.line = xml.line(node);
    body.gravcomp = xml.number(node, "gravcomp", 0.0);
    m.robot.bodies.push_back(std::move(body));
    m.has_inertial.push_back(false);
    read_contents(node, xml.text(node, "childclass", above), Posed::identity(), index);
    RobotBody& made = m.robot.bodies[std::size_t(index)];
    if (made.free && (parent >= 0 || made.joints.size() > 1))
      xml.fail(node, fmt::format("body {}: a free joint stands alone, in a body of the world", made.name));
    for (std::size_t i = 0; i < made.joints.size(); i++)
      if (made.joints[i].name.empty())
        made.joints[i].name =
            made.joints.size() > 1 ? fmt::format("{}_joint{}", made.name, i + 1) : made.name + "_joint";
  }

  void read_options() {
    for (const xml_node node : doc.sections("option")) {
      doc.accept(node);
      m.robot.step = xml.number(node, "timestep", m.robot.step);
      m.robot.gravity = xml.vector(node, "gravity", m.robot.gravity);
      for (const xml_node flag : node.children("flag")) {
        if (std::string_view(flag.attribute("gravity").value()) == "disable") m.robot.gravity = Vec3d::zero();
        if (std::string_view(flag.attribute("contact").value()) == "disable")
          xml.warn(flag, "contact=\"disable\": bodies touch nevertheless");
        doc.accept_all(flag, "<flag> of <option>");
      }
    }
    for (const char* name : {"visual", "statistic", "size", "custom"})
      for (const xml_node node : doc.sections(name)) doc.accept_all(node, fmt::format("<{}>", name));
  }

  // compiler balanceinertia: moments that no matter has become their mean.
  void balance() {
    if (!doc.compiler.balance_inertia) return;
    for (RobotBody& body : m.robot.bodies) {
      const Vec3d p = principal_moments(body.inertia);
      if (!(p[0] > p[1] + p[2])) continue;
      const double mean = (p[0] + p[1] + p[2]) / 3.0;
      body.inertia = Sym3d::diagonal(mean);
      m.document.xml.notes.add(NoteKind::Repair, xml.file(), body.line,
                               fmt::format("{}: no body has its moments: each is their mean, {:.4g} kg m^2, as "
                                           "balanceinertia wants it",
                                           body.name, mean));
    }
  }

  void scale_mass() {
    if (!(doc.compiler.total_mass > 0.0)) return;
    double all = 0.0;
    for (const RobotBody& body : m.robot.bodies) all += body.mass;
    if (!(all > 0.0)) return;
    for (RobotBody& body : m.robot.bodies) {
      const double s = doc.compiler.total_mass / all;
      Sym3d& I = body.inertia;
      body.mass *= s;
      for (double* x : {&I.xx, &I.xy, &I.xz, &I.yy, &I.yz, &I.zz}) *x *= s;
    }
  }

  void run() {
    m.robot.name = xml.text(xml.root(), "model", "robot");
    m.robot.place_on_ground = false;
    m.robot.touches_itself = true;
    read_options();
    read_mjcf_assets(m);
    read_mjcf_heights(m);
    for (const xml_node node : doc.sections("worldbody"))
      read_contents(node, xml.text(node, "childclass"), Posed::identity(), -1);
    if (m.robot.bodies.empty() && xml.problems.empty())
      xml.fail(xml.root(), "there is no <body> in it: a file of parts for others, or a scene without a robot");
    weigh_mjcf_bodies(m);
    balance();
    scale_mass();
    read_mjcf_drives(m);
    read_mjcf_sensors(m);
    read_mjcf_contacts(m);
    doc.report_accepted();
    xml.report_unread();
  }
};

}  // namespace

ImportedRobot read_mjcf(XmlFile& xml, const ModelFolders& folders) {
  MjcfDocument document(xml, folders);
  MjcfRobot m{document};
  if (xml.problems.empty()) MjcfReader{m}.run();
  if (!xml.problems.empty()) throw InputError(xml.problems);
  m.robot.notes = xml.notes;
  m.robot.file = xml.file();
  return std::move(m.robot);
}

}  // namespace sinew::imports
