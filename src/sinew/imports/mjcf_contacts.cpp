// What may touch what, by MuJoCo's masks: two geoms touch if contype of one and conaffinity of the other have a bit in common, unless
// their bodies are excluded, fixed to each other, or neighbours at a joint. Friction of two is the larger, coefficient by coefficient,
// or that of the higher priority; condim 1, 3, 4, 6: no friction, sliding, drilling as well, rolling as well.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sinew/imports/mjcf_parts.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

struct ContactReader {
  MjcfRobot& m;
  XmlFile& xml = m.document.xml;
  MjcfGeom ground = {.shape = {.name = "", .shape = {}}};  // what MuJoCo takes where nothing is said
  std::set<std::pair<std::string, std::string>> paired = {};

  bool are_paired(const MjcfGeom& a, const MjcfGeom& b) const {
    const std::string &x = a.shape.name, &y = b.shape.name;
    return !x.empty() && !y.empty() && (paired.contains({x, y}) || paired.contains({y, x}));
  }
  bool may_touch(const MjcfGeom& a, const MjcfGeom& b) const {
    return (a.contype & b.conaffinity) != 0 || (b.contype & a.conaffinity) != 0 || are_paired(a, b);
  }

  // The body that carries it, with all that is fixed to it; -1: the world
  int group_of(int body) const {
    while (body >= 0 && m.robot.bodies[std::size_t(body)].joints.empty())
      body = m.robot.bodies[std::size_t(body)].parent;
    return body;
  }

  void read_sections() {
    for (const xml_node contact : m.document.sections("contact")) {
      for (const xml_node node : xml.children(contact, "exclude")) {
        m.document.accept(node);
        m.robot.apart.push_back({xml.text(node, "body1"), xml.text(node, "body2")});
      }
      for (const xml_node node : xml.children(contact, "pair")) {
        m.document.accept(node);
        paired.insert({xml.text(node, "geom1"), xml.text(node, "geom2")});
        if (xml.has(node, "friction") || xml.has(node, "condim"))
          xml.warn(node, "friction and condim of a <pair>: those of its geoms are taken");
      }
    }
  }

  void find_ground() {
    const auto is_ground = [](const MjcfGeom& g) { return g.plane && g.body < 0; };
    const MjcfGeom* found = nullptr;  // a field of heights rather than a plane
    for (const MjcfGeom& g : m.geoms)
      if (is_ground(g) && (!found || (found->field.empty() && !g.field.empty()))) found = &g;
    for (const MjcfGeom& g : m.geoms) {
      if (!g.plane) continue;
      if (&g != found) {
        xml.notes.add(NoteKind::Warning, xml.file(), g.shape.line,
                      "a second plane or height field, or one on a body, is left out: there is one ground");
        continue;
      }
      ground = g;
      m.robot.has_ground = true;
      if (!g.field.empty()) {
        const MjcfField& field = m.fields.at(g.field);
        set_ground(m.robot, field.heights, field.radius_x, field.radius_y, g.shape.X_BS);
        continue;
      }
      m.robot.ground_normal = g.shape.X_BS.R.col(2);
      m.robot.ground_height = dot(m.robot.ground_normal, g.shape.X_BS.p);
    }
  }

  Surface surface_of(const MjcfGeom& g) const {
    const bool mine = g.priority > ground.priority, theirs = g.priority < ground.priority;
    const auto choose = [&](double a, double b) { return mine ? a : theirs ? b : std::max(a, b); };
    const int condim = int(choose(g.condim, ground.condim));
    Surface s;
    s.mu_long = s.mu_trans = condim >= 3 ? choose(g.friction[0], ground.friction[0]) : 0.0;
    if (condim >= 4) s.drilling = choose(g.friction[1], ground.friction[1]);
    if (condim >= 6) s.rolling = choose(g.friction[2], ground.friction[2]);
    return s;
  }

  // Static things of the world are a body that does not move.
  int world_things() {
    RobotBody body;
    body.name = "scene";
    body.line = 0;
    m.robot.bodies.push_back(std::move(body));
    m.has_inertial.push_back(false);
    return int(m.robot.bodies.size()) - 1;
  }

  void give_shapes() {
    int only_bodies = 0, scene = -1;
    for (const MjcfGeom& g : m.geoms) {
      if (g.plane) continue;
      const bool with_ground = g.body >= 0 && may_touch(g, ground);
      const bool with_others = std::ranges::any_of(m.geoms, [&](const MjcfGeom& o) {
        return &o != &g && !o.plane && group_of(o.body) != group_of(g.body) && may_touch(g, o);
      });
      if (!with_ground && !with_others) {
        m.robot.visuals++;
        continue;
      }
      only_bodies += !with_ground && g.body >= 0;
      if (g.body < 0 && scene < 0) scene = world_things();
      RobotShape shape = g.shape;
      shape.surface = surface_of(g);
      if (shape.name.empty() && !shape.written.empty()) shape.name = "hull";
      m.robot.bodies[std::size_t(g.body < 0 ? scene : g.body)].shapes.push_back(std::move(shape));
    }
    if (only_bodies > 0)
      xml.notes.add(NoteKind::Decision, xml.file(), 0,
                    fmt::format("{} geoms touch other bodies and not the ground by their masks: here they touch it",
                                only_bodies));
  }

  // Bodies are kept apart, not geoms.
  void keep_apart() {
    const std::size_t n = m.robot.bodies.size();
    std::vector<std::vector<const MjcfGeom*>> of(n + 1);  // the last: fixed in the world
    for (const MjcfGeom& g : m.geoms)
      if (!g.plane) of[std::size_t(group_of(g.body) < 0 ? int(n) : group_of(g.body))].push_back(&g);
    const auto any = [&](std::size_t a, std::size_t b) {
      for (const MjcfGeom* x : of[a])
        for (const MjcfGeom* y : of[b])
          if (may_touch(*x, *y)) return true;
      return false;
    };
    bool some = false;
    std::vector<std::array<std::string, 2>> apart;
    for (std::size_t a = 0; a < n; a++) {
      if (of[a].empty()) continue;
      const RobotBody& body = m.robot.bodies[a];
      const int parent = group_of(body.parent);
      // bodies between its joints stand between it and its parent
      if (parent >= 0 && body.joints.size() > 1) apart.push_back({body.name, m.robot.bodies[std::size_t(parent)].name});
      some = some || any(a, n);
      for (std::size_t b = a + 1; b < n; b++) {
        if (of[b].empty() || group_of(m.robot.bodies[b].parent) == int(a) || parent == int(b)) continue;
        if (any(a, b))
          some = true;
        else
          apart.push_back({body.name, m.robot.bodies[b].name});
      }
    }
    m.robot.touches_itself = some;
    if (some) m.robot.apart.insert(m.robot.apart.end(), apart.begin(), apart.end());
  }

  void run() {
    read_sections();
    find_ground();
    keep_apart();
    give_shapes();
  }
};

}  // namespace

void read_mjcf_contacts(MjcfRobot& m) { ContactReader{m}.run(); }

}  // namespace sinew::imports
