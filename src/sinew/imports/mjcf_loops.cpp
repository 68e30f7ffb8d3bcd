// <connect> and <weld> of MJCF: a loop between two bodies, or two sites, that holds what coincides when all joints are at their ref.
#include <fmt/format.h>

#include <algorithm>

#include "sinew/imports/mjcf_parts.h"
#include "sinew/imports/prepare.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

struct LoopReader {
  MjcfRobot& m;
  MjcfDocument& doc = m.document;
  XmlFile& xml = doc.xml;
  std::vector<Posed> poses = start_poses(m.robot);

  // Of a body: -1 the world. False: there is none of this name, and told.
  bool find_body(xml_node node, const char* which, int& index) {
    const std::string name = xml.text(node, which);
    const auto found = std::ranges::find(m.robot.bodies, name, &RobotBody::name);
    index = found == m.robot.bodies.end() ? -1 : int(found - m.robot.bodies.begin());
    const bool is_world = name == "world" || (name.empty() && std::string_view(which) == "body2");
    if (index < 0 && !is_world) xml.fail(node, fmt::format("<{}>: there is no body \"{}\"", node.name(), name));
    return index >= 0 || is_world;
  }

  bool find_site(xml_node node, const char* which, int& body, Posed& X) {
    const std::string name = xml.text(node, which);
    const auto found = std::ranges::find(m.sites, name, &MjcfSite::name);
    if (found == m.sites.end()) {
      xml.fail(node, fmt::format("<{}>: there is no site \"{}\"", node.name(), name));
      return false;
    }
    body = found->body;
    X = found->X_BS;
    return true;
  }

  Posed place_of(int body) const { return body < 0 ? Posed::identity() : poses[std::size_t(body)]; }

  // Sites that miss each other by what digits were cut off are put together, at ref: joints that close a loop twice leave no such gap open.
  void meet(xml_node node, int a, int b, RobotLoop& loop) {
    constexpr double cut_off = 1e-6;  // [m]
    const Posed wanted = place_of(b).inverse() * place_of(a) * loop.X[1];
    const double gap = norm(wanted.p - loop.X[0].p);
    if (!(gap > 0.0) || gap > cut_off) return;
    loop.X[0].p = wanted.p;
    if (gap > 1e-9)
      xml.warn(node, fmt::format("<{}>: its sites are {:.1e} m apart, and are put together", node.name(), gap),
               NoteKind::Repair);
  }

  static bool is_turn(const Quatd& q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z > 0.0; }

  std::string name_of(int body) const { return body < 0 ? "world" : m.robot.bodies[std::size_t(body)].name; }

  void read(xml_node node) {
    xml.use(node);
    doc.accept(node);
    const std::string kind = node.name();
    if (doc.text(node, "active", "", "true") == "false")
      return xml.warn(node, fmt::format("a <{}> that is not active is left out", kind), NoteKind::Decision);
    RobotLoop loop;
    loop.name = xml.text(node, "name", fmt::format("{}{}", kind, m.robot.loops.size() + 1));
    loop.kind = kind == "connect" ? JointKind::Ball : JointKind::Weld;
    loop.line = xml.line(node);
    int a = -1, b = -1;
    if (xml.has(node, "site1")) {
      if (!find_site(node, "site1", a, loop.X[1]) || !find_site(node, "site2", b, loop.X[0])) return;
      meet(node, a, b, loop);
    } else {
      if (!find_body(node, "body1", a) || !find_body(node, "body2", b)) return;
      const Posed X_W1 = place_of(a), X_W2 = place_of(b);
      // the anchor of <connect> is a point of the first body; that of <weld>, of the second, is where MuJoCo measures, and changes nothing here
      loop.X[1] = {Mat3d::identity(), kind == "connect" ? xml.vector(node, "anchor", Vec3d::zero()) : Vec3d::zero()};
      loop.X[0] = X_W2.inverse() * X_W1 * loop.X[1];
      if (const auto x = xml.numbers(node, "relpose"); x.size() == 7 && is_turn({x[3], x[4], x[5], x[6]}))
        loop.X = {Posed::identity(), {to_matrix(normalized(Quatd{x[3], x[4], x[5], x[6]})), {x[0], x[1], x[2]}}};
    }
    loop.bodies = {name_of(b), name_of(a)};
    if (a == b) return xml.warn(node, fmt::format("a <{}> of {} with itself is left out", kind, name_of(a)));
    m.robot.loops.push_back(std::move(loop));
  }
};

}  // namespace

void read_mjcf_loops(MjcfRobot& m) {
  LoopReader reader{m};
  for (const xml_node section : m.document.sections("equality"))
    for (const char* kind : {"connect", "weld"})
      for (const xml_node node : section.children(kind)) reader.read(node);
}

}  // namespace sinew::imports
