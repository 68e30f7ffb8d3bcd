#include "sinew/imports/sdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sinew/imports/sdf_parts.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {

FoundFile SdfRobot::find(pugi::xml_node node, const std::string& uri) const {
  ModelFolders here = folders;
  here.folder = std::filesystem::path(xml.file_of(node)).parent_path().string();
  return find_model_file(here, uri);
}

void SdfRobot::accept(pugi::xml_node of, std::initializer_list<const char*> names) {
  for (const char* name : names)
    for (const pugi::xml_node node : of.children(name)) {
      xml.use_all(node);
      accepted.insert(fmt::format("<{}> of <{}>", name, of.name()));
    }
}

namespace {

using pugi::xml_node;

struct SdfReader {
  SdfRobot& r;
  XmlFile& xml = r.xml;
  std::vector<xml_node> link_nodes = {};  // by link

  std::string new_name(xml_node node, int scope, const char* what) {
    std::string name = xml.text(node, "name");
    if (name.empty()) xml.fail(node, fmt::format("a {} needs a name", what));
    const auto& taken = r.frames.scopes[std::size_t(scope)].frames;
    if (!taken.contains(name)) return name;
    const std::string before = name;
    for (int n = 2; taken.contains(name); n++) name = fmt::format("{}_{}", before, n);
    xml.warn(node, fmt::format("two things are named {}: this {} is called {}", before, what, name), NoteKind::Repair);
    return name;
  }

  void read_link(xml_node node, int scope, int model, bool is_static, bool self_collide) {
    SdfLink link{.body = {.name = {}, .joints = {}, .shapes = {}, .merged = {}}, .name = new_name(node, scope, "link")};
    link.scope = scope;
    link.model = model;
    link.is_static = is_static;
    link.self_collide = sdf_flag(xml, node, "self_collide", self_collide);
    SdfFrame frame;
    frame.X = read_sdf_pose(xml, node, frame.from);
    frame.link = int(r.links.size());
    SdfScope& s = r.frames.scopes[std::size_t(scope)];
    s.frames.emplace(link.name, frame);
    if (s.first_link < 0) s.first_link = frame.link;
    RobotBody& body = link.body;
    body.line = xml.line(node);
    read_sdf_inertial(r, node, body);
    if (!node.child("inertial") && !is_static)
      xml.warn(node,
               fmt::format("link {} has no <inertial>: 1 kg and 1 kg m^2 about each axis, as SDF has it", link.name),
               NoteKind::Decision);
    if (!sdf_flag(xml, node, "gravity", true)) body.gravcomp = 1.0;
    if (sdf_flag(xml, node, "kinematic", false)) xml.warn(node, "kinematic: the link moves by forces nevertheless");
    r.accept(node, {"light", "audio_source", "audio_sink", "must_be_base_link", "enable_wind", "projector", "battery"});
    body.is_seen = node.child("collision") || node.child("visual");
    for (const xml_node visual : node.children("visual")) {
      xml.use_all(visual);
      r.robot.visuals++;
    }
    r.links.push_back(std::move(link));
    link_nodes.push_back(node);
  }

  void read_frame(xml_node node, int scope) {
    SdfFrame frame;
    frame.attached = xml.text(node, "attached_to");
    frame.X = read_sdf_pose(xml, node, frame.from);
    if (frame.from.empty()) frame.from = frame.attached;
    r.frames.scopes[std::size_t(scope)].frames.emplace(new_name(node, scope, "frame"), frame);
  }

  // above: the scope that holds it; model: the outermost model, of which it is a part
  void read_model(xml_node node, int above, int model, bool is_static, double version) {
    xml.use(node);
    const auto put_in = r.included.find(node.internal_object());
    const xml_node include = put_in == r.included.end() ? xml_node{} : put_in->second.node;
    if (include) version = put_in->second.version;
    if (!xml.has(node, "name")) xml.fail(node, "a model needs a name");
    SdfFrame frame;
    frame.X = read_sdf_pose(xml, node, frame.from);
    frame.placement = xml.text(node, "placement_frame");
    std::string name = xml.text(node, "name");
    if (include) {
      std::string from;
      const Posed X = read_sdf_pose(xml, include, from);
      if (include.child("pose")) {
        frame.X = X;
        frame.from = from;
      }
      if (include.child("placement_frame")) frame.placement = sdf_text(xml, include, "placement_frame");
      if (include.child("name")) name = sdf_text(xml, include, "name");
    }
    const auto& taken = r.frames.scopes[std::size_t(above)].frames;
    const std::string before = name;
    for (int n = 2; taken.contains(name); n++) name = fmt::format("{}_{}", before, n);
    if (name != before)
      xml.warn(node, fmt::format("two things are named {}: this model is called {}", before, name), NoteKind::Repair);
    is_static = is_static || sdf_flag(xml, node, "static", false);
    if (include) is_static = sdf_flag(xml, include, "static", is_static);
    const int scope = int(r.frames.scopes.size());
    frame.scope = scope;
    r.frames.scopes[std::size_t(above)].frames.emplace(name, frame);
    r.frames.scopes.push_back({.name = name, .parent = above, .canonical = xml.text(node, "canonical_link")});
    read_contents(node, scope, model < 0 ? scope : model, is_static, version);
  }

  void read_contents(xml_node node, int scope, int model, bool is_static, double version) {
    const bool self_collide = sdf_flag(xml, node, "self_collide", false);
    r.accept(node, {"allow_auto_disable", "enable_wind"});
    for (const xml_node link : xml.children(node, "link")) read_link(link, scope, model, is_static, self_collide);
    for (const xml_node frame : xml.children(node, "frame")) read_frame(frame, scope);
    for (const xml_node inner : node.children("model")) read_model(inner, scope, model, is_static, version);
    for (const xml_node joint : xml.children(node, "joint")) {
      if (is_static)
        xml.use_all(joint);
      else
        read_sdf_joint(r, joint, scope, version);
    }
  }

  void read_world(xml_node world, double version) {
    xml.use(world);
    r.is_world = true;
    r.robot.place_on_ground = false;
    r.robot.name = xml.text(world, "name", "world");
    const xml_node physics = xml.child(world, "physics");
    for (const char* name : {"name", "default", "type"}) xml.use_attribute(physics, name);
    r.robot.gravity = sdf_vector(xml, physics, "gravity", Vec3d(0, 0, -9.8));
    r.robot.gravity = sdf_vector(xml, world, "gravity", r.robot.gravity);
    r.robot.step = sdf_number(xml, physics, "max_step_size", 0.001);
    if (!(r.robot.step > 0.0)) xml.fail(physics, "max_step_size must be > 0");
    r.accept(physics,
             {"real_time_factor", "real_time_update_rate", "max_contacts", "ode", "bullet", "simbody", "dart"});
    r.accept(world, {"light", "scene", "gui", "audio", "wind", "atmosphere", "magnetic_field", "spherical_coordinates",
                     "state"});
    for (const xml_node frame : xml.children(world, "frame")) read_frame(frame, 0);
    for (const xml_node model : world.children("model")) read_model(model, 0, -1, false, version);
  }

  // Where links and joints are, when all names are known.
  void place() {
    for (std::size_t i = 0; i < r.links.size() && xml.problems.empty(); i++) {
      SdfLink& link = r.links[i];
      const auto X = r.frames.pose(link.scope, link.name), X_WM = r.frames.scope_in_world(link.scope);
      if (!X || !X_WM) {
        xml.fail(link_nodes[i],
                 fmt::format("link {}: its pose is seen from a frame that is not there, or in a circle", link.name));
        continue;
      }
      link.X_M = *X;
      link.X_W = *X_WM * *X;
      for (const xml_node collision : xml.children(link_nodes[i], "collision")) read_shape(collision, link);
    }
    for (SdfJoint& edge : r.joints) {
      const auto X = r.frames.pose(edge.scope, edge.frame);
      if (X)
        edge.X_M = *X;
      else
        xml.fail(edge.node, fmt::format("joint {}: its child \"{}\", or the frame of its pose, is not there", edge.name,
                                        edge.child));
    }
  }

  void read_shape(xml_node collision, SdfLink& link) {
    std::string from;
    Posed X_BS = read_sdf_pose(xml, collision, from);
    if (!from.empty() && from != link.name) {
      const auto X = r.frames.pose(link.scope, from);
      if (!X) return xml.fail(collision, fmt::format("there is no frame \"{}\"", from));
      X_BS = link.X_M.inverse() * *X * X_BS;
    }
    read_sdf_collision(r, collision, link, X_BS);
  }

  // Things that only carry the ground are no bodies.
  bool is_only_ground(std::size_t i) const { return r.links[i].is_no_body(); }

  // NAME, or MODEL_NAME where there are several models; parts of models in a model have the names of these before theirs.
  void give_names() {
    std::set<int> models;
    for (std::size_t i = 0; i < r.links.size(); i++)
      if (!is_only_ground(i)) models.insert(r.links[i].model);
    const auto full = [&](int scope, const std::string& name) {
      std::string out = name;
      for (int s = scope; s > 0; s = r.frames.scopes[std::size_t(s)].parent)
        if (r.frames.scopes[std::size_t(s)].parent > 0 || models.size() > 1)
          out = r.frames.scopes[std::size_t(s)].name + "_" + out;
      return out;
    };
    for (SdfLink& link : r.links) link.body.name = full(link.scope, link.name);
    for (SdfJoint& joint : r.joints) joint.name = full(joint.scope, joint.name);
    if (models.size() == 1) r.robot.name = r.frames.scopes[std::size_t(*models.begin())].name;
  }

  // Links of one model touch each other if both may; links of two models always.
  void part_bodies() {
    std::vector<const SdfLink*> touching;
    for (const SdfLink& link : r.links)
      if (!link.body.shapes.empty()) touching.push_back(&link);
    std::vector<std::array<std::string, 2>> apart;
    for (std::size_t a = 0; a < touching.size(); a++)
      for (std::size_t b = a + 1; b < touching.size(); b++) {
        const SdfLink &x = *touching[a], &y = *touching[b];
        if (x.is_static && y.is_static) continue;
        if (x.model != y.model || (x.self_collide && y.self_collide))
          r.robot.touches_itself = true;
        else
          apart.push_back({x.body.name, y.body.name});
      }
    if (r.robot.touches_itself) r.robot.apart = std::move(apart);
  }

  void run() {
    const xml_node root = xml.root();
    xml.use(root);
    xml.use_attribute(root, "version");
    const double version = root.attribute("version").as_double(1.6);
    r.frames.scopes.push_back({.name = "world"});
    put_in_sdf_includes(r, root);
    const xml_node world = root.child("world");
    if (world) {
      put_in_sdf_includes(r, world);
      read_world(world, version);
    }
    for (const xml_node model : root.children("model")) read_model(model, 0, -1, false, version);
    if (xml.problems.empty()) place();
    if (r.links.empty() && xml.problems.empty()) xml.fail(root, "there is no <link> of a <model> in it");
    if (xml.problems.empty()) finish();
    xml.report_unread();
  }

  void finish() {
    give_names();
    rub_sdf_ground(r);
    part_bodies();
    build_sdf_tree(r);
    if (r.robot.bodies.empty()) xml.fail(xml.root(), "there is no body in it: ground alone is no robot");
    std::string names;
    for (const std::string& name : r.accepted) names += (names.empty() ? "" : ", ") + name;
    if (!names.empty())
      xml.notes.add(NoteKind::Decision, xml.file(), 0, fmt::format("accepted without effect: {}", names));
  }
};

}  // namespace

ImportedRobot read_sdf(XmlFile& xml, const ModelFolders& folders) {
  SdfRobot r{xml, folders};
  SdfReader{r}.run();
  if (!xml.problems.empty()) throw InputError(xml.problems);
  r.robot.notes = xml.notes;
  r.robot.file = xml.file();
  return std::move(r.robot);
}

}  // namespace sinew::imports
