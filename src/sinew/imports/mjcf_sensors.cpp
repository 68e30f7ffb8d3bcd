// <sensor> of MJCF. Instruments that are there become [sensor.NAME]; places and velocities of points become [marker.NAME]; what is a signal of
// every run is named in a note. Several elements of one site or joint are one instrument, as a gyro with an accelerometer.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sinew/imports/mjcf_parts.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

const std::map<std::string, std::string>& instruments() {
  static const std::map<std::string, std::string> kinds{
      {"gyro", "inertial"},          {"accelerometer", "inertial"}, {"jointpos", "potentiometer"},
      {"jointvel", "potentiometer"}, {"framequat", "camera"},       {"framepos", "marker"},
      {"framelinvel", "marker"},     {"touch", "contact"},          {"rangefinder", "range"},
      {"velocimeter", "marker"},     {"framexaxis", "camera"},      {"frameyaxis", "camera"},
      {"framezaxis", "camera"}};
  return kinds;
}

// Signals that there are in any case.
const std::map<std::string, std::string>& signals_instead() {
  static const std::map<std::string, std::string> names{{"frameangvel", "body.NAME.w"},
                                                        {"actuatorpos", "joint.NAME.q"},
                                                        {"actuatorvel", "joint.NAME.u"},
                                                        {"actuatorfrc", "joint.NAME.torque"},
                                                        {"jointactuatorfrc", "joint.NAME.torque"},
                                                        {"subtreecom", "com.p"},
                                                        {"subtreelinvel", "com.v"},
                                                        {"subtreeangmom", "momentum.angular"},
                                                        {"clock", "t"},
                                                        {"e_kinetic", "energy.kinetic"},
                                                        {"e_potential", "energy.potential"},
                                                        {"framelinacc", "body.NAME.a"},
                                                        {"frameangacc", "body.NAME.alpha"},
                                                        {"force", "joint.NAME.force"},
                                                        {"torque", "joint.NAME.couple"},
                                                        {"ballquat", "joint.NAME.q"},
                                                        {"ballangvel", "joint.NAME.u"}};
  return names;
}

struct SensorReader {
  MjcfRobot& m;
  MjcfDocument& doc = m.document;
  XmlFile& xml = doc.xml;
  std::set<std::string> made = {};  // "inertial:imu": kind and what it is at

  const MjcfSite* site_named(const std::string& name) const {
    const auto found = std::ranges::find(m.sites, name, &MjcfSite::name);
    return found == m.sites.end() ? nullptr : &*found;
  }

  // Where it is. False: not on a body of the robot, and told.
  bool place(xml_node node, RobotSensor& s, std::string& at) {
    std::string type = "site";
    at = xml.text(node, "site");
    if (at.empty()) {
      type = xml.text(node, "objtype");
      at = xml.text(node, "objname");
    }
    if (type == "site") {
      const MjcfSite* site = site_named(at);
      if (site && site->body >= 0) {
        s.body = m.robot.bodies[std::size_t(site->body)].name;
        s.X = site->X_BS;
        return true;
      }
    } else if (type == "body" || type == "xbody") {
      const auto body = std::ranges::find(m.robot.bodies, at, &RobotBody::name);
      if (body != m.robot.bodies.end()) {
        s.body = at;
        if (type == "body") s.X.p = body->com;  // of its inertial frame
        return true;
      }
    }
    xml.warn(node, fmt::format("<{}> at {} \"{}\", which is no part of the robot, is left out", node.name(), type, at));
    return false;
  }

  bool find_joint(xml_node node, RobotSensor& s, std::string& at) {
    at = s.joint = xml.text(node, "joint");
    for (const RobotBody& body : m.robot.bodies)
      for (const RobotJoint& j : body.joints)
        if (j.name == at && (j.kind == JointKind::Revolute || j.kind == JointKind::Prismatic)) return true;
    xml.warn(node, fmt::format("<{}> of joint \"{}\", which has no single axis, is left out", node.name(), at));
    return false;
  }

  void read(xml_node node) {
    const std::string element = node.name();
    if (const auto signal = signals_instead().find(element); signal != signals_instead().end()) {
      xml.use_all(node);
      return xml.warn(node, fmt::format("<{}> is the signal {} here", element, signal->second), NoteKind::Decision);
    }
    const auto kind = instruments().find(element);
    if (kind == instruments().end()) {
      xml.use_all(node);
      return xml.warn(node, fmt::format("a sensor <{}> is left out", element));
    }
    for (const char* name : {"name", "noise", "cutoff", "user", "reftype", "refname"}) xml.use_attribute(node, name);
    if (xml.has(node, "refname")) {
      xml.use_all(node);
      return xml.warn(node, fmt::format("<{}> as seen from {} is left out", element, xml.text(node, "refname")));
    }
    if (xml.number(node, "noise", 0.0) > 0.0)
      xml.warn(node, "noise of sensors, which MuJoCo does not add by itself, is left out", NoteKind::Decision);
    RobotSensor s{.kind = kind->second, .line = xml.line(node)};
    std::string at;
    if (s.kind == "potentiometer" ? !find_joint(node, s, at) : !place(node, s, at)) return;
    if (s.kind == "range") {  // a ray along z there, along x here
      const Mat3d R = s.X.R;
      s.X.R.c[0] = R.col(2);
      s.X.R.c[1] = R.col(0);
      s.X.R.c[2] = R.col(1);
    }
    if (s.kind == "contact")
      xml.warn(node, fmt::format("<touch> tells of all of {}, and not of its site alone", s.body), NoteKind::Decision);
    if (element == "velocimeter")
      xml.warn(node, "<velocimeter> is marker.NAME.v here, in world axes", NoteKind::Decision);
    if (element.ends_with("axis"))
      xml.warn(node, fmt::format("<{}> is an axis of the turn that a camera tells here", element), NoteKind::Decision);
    if (!made.insert(s.kind + ":" + at).second) return;  // the same instrument has it
    s.name = xml.text(node, "name", at);
    m.robot.sensors.push_back(std::move(s));
  }
};

}  // namespace

void read_mjcf_sensors(MjcfRobot& m) {
  SensorReader reader{m};
  for (const xml_node section : m.document.sections("sensor"))
    for (const xml_node node : section.children())
      if (node.type() == pugi::node_element) {
        m.document.xml.use(node);
        reader.read(node);
      }
}

}  // namespace sinew::imports
