#include "sinew/imports/mjcf_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "sinew/files/errors.h"
#include "sinew/math/rotation.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

using pugi::xml_node;

constexpr double degree = 3.14159265358979323846 / 180.0;
constexpr int most_includes = 100;
const std::string main_class = "main";

// What is understood in an element, and what is accepted although it has no effect here: looks, groups of them, and numbers of
// MuJoCo's soft constraints.
struct Known {
  std::set<std::string> understood, accepted;
};

// long because it is the table of all elements
const std::map<std::string, Known>& known_elements() {
  static const std::set<std::string> place{"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"};
  static const auto with = [](std::set<std::string> more) {
    more.insert(place.begin(), place.end());
    return more;
  };
  static const std::set<std::string> soft{"solref", "solimp", "margin", "gap", "solmix", "user", "group"};
  static const auto with_soft = [](std::set<std::string> more) {
    more.insert(soft.begin(), soft.end());
    return more;
  };
  static const std::set<std::string> actuator{"name",      "class",     "joint",       "jointinparent", "gear",
                                              "dampratio", "ctrlrange", "ctrllimited", "forcerange",    "forcelimited",
                                              "kp",        "kv",        "gaintype",    "biastype",      "gainprm",
                                              "biasprm",   "dyntype",   "inheritrange"};
  static const std::map<std::string, Known> known{
      {"mujoco", {{"model"}, {}}},
      {"compiler",
       {{"angle", "eulerseq", "meshdir", "assetdir", "autolimits", "inertiafromgeom", "inertiagrouprange", "boundmass",
         "boundinertia", "settotalmass", "balanceinertia", "strippath", "coordinate", "exactmeshinertia"},
        {"texturedir", "discardvisual", "fusestatic", "usethread", "convexhull", "fitaabb", "alignfree",
         "saveinertial"}}},
      {"option",
       {{"timestep", "gravity"},
        {"integrator",     "cone",          "solver",         "iterations",        "tolerance",
         "jacobian",       "impratio",      "apirate",        "noslip_iterations", "noslip_tolerance",
         "ls_iterations",  "ls_tolerance",  "mpr_iterations", "mpr_tolerance",     "ccd_iterations",
         "ccd_tolerance",  "o_margin",      "o_solref",       "o_solimp",          "o_friction",
         "sdf_iterations", "sdf_initpoints"}}},
      {"body", {with({"name", "childclass", "gravcomp"}), {"user", "sleep"}}},
      {"frame", {with({"name", "childclass"}), {}}},
      {"inertial", {with({"mass", "diaginertia", "fullinertia"}), {}}},
      {"freejoint", {{"name"}, {"group", "align"}}},
      {"joint",
       {{"name", "class", "type", "pos", "axis", "range", "limited", "damping", "armature", "frictionloss", "stiffness",
         "springref", "ref", "actuatorfrcrange", "actuatorfrclimited"},
        {"solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin", "user", "group"}}},
      {"geom",
       {with({"name", "class", "type", "size", "fromto", "mesh", "hfield", "mass", "density", "friction", "condim",
              "contype", "conaffinity", "priority", "group"}),
        {"rgba", "material", "solref", "solimp", "margin", "gap", "solmix", "user"}}},
      {"mesh",
       {{"name", "class", "file", "scale", "vertex", "face", "inertia", "refpos", "refquat"},
        {"content_type", "smoothnormal", "maxhullvert", "normal", "texcoord"}}},
      {"hfield", {{"name", "file", "nrow", "ncol", "size", "elevation"}, {"content_type"}}},
      {"position", {actuator, {"user", "group"}}},
      {"velocity", {actuator, {"user", "group"}}},
      {"motor", {actuator, {"user", "group"}}},
      {"general", {actuator, {"user", "group"}}},
      {"key", {{"name", "qpos", "ctrl"}, {"time", "qvel", "act", "mpos", "mquat"}}},
      {"exclude", {{"name", "body1", "body2"}, {}}},
      {"equality/joint", {{"name", "class", "joint1", "joint2", "polycoef", "active"}, soft}},
      {"equality/tendon", {{"name", "class", "tendon1", "tendon2", "polycoef", "active"}, soft}},
      {"fixed",
       {{"name", "class"},
        {"solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin", "user", "group", "rgba",
         "width"}}},
      {"connect", {{"name", "class", "body1", "body2", "anchor", "site1", "site2", "active"}, soft}},
      {"weld",
       {{"name", "class", "body1", "body2", "anchor", "relpose", "site1", "site2", "active"},
        with_soft({"torquescale"})}},
      {"equality", {{}, soft}},  // among the defaults
      {"tendon",
       {{},
        {"solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin", "user", "group", "rgba",
         "width"}}},
      {"pair", {{"name", "class", "geom1", "geom2", "friction", "condim"}, soft}},
      {"default", {{"class"}, {}}},
  };
  return known;
}

bool is_looks(const std::string& element) {
  static const std::set<std::string> looks{"camera", "light", "site",   "material",  "texture", "skin",
                                           "rgba",   "size",  "visual", "statistic", "custom"};
  return looks.contains(element);
}

Quatd axis_turn(int axis, double a) {
  Vec3d v = Vec3d::zero();
  v[axis] = a;
  return quaternion_exp(v);
}

Vec3d unit_or(const Vec3d& v, const Vec3d& fallback) {
  const double n = norm(v);
  return n > 0.0 ? v * (1.0 / n) : fallback;
}

}  // namespace

MjcfDocument::MjcfDocument(XmlFile& file, const ModelFolders& where) : xml(file), folders(where) {
  included_.insert(xml.file());
  include(xml.root());
  xml.use(xml.root());
  accept(xml.root());
  for (const xml_node node : sections("compiler")) read_compiler(node);
  classes_[main_class];
  for (const xml_node node : sections("default")) read_defaults(node, "", true);
}

// An <include> is replaced by what its file has below its root.
void MjcfDocument::include(xml_node node) {
  for (xml_node child = node.first_child(); child;) {
    if (std::string_view(child.name()) != "include") {
      if (child.type() == pugi::node_element) include(child);
      child = child.next_sibling();
      continue;
    }
    const std::string name = xml.text(child, "file");
    const FoundFile found = find_model_file(folders, name);
    xml_node next = child.next_sibling();
    if (found.path.empty())
      xml.fail(child, fmt::format("included file {}: {}", name,
                                  found.outside ? "it is outside of the model's folders" : "no such file"));
    else if (!included_.insert(found.path).second || int(included_.size()) > most_includes)
      xml.fail(child, fmt::format("included file {}: a file is included once, and {} at most", name, most_includes));
    else if (const xml_node first = xml.insert_before(child, XmlFile(found.path)))
      next = first;  // what was put in may include others
    node.remove_child(child);
    child = next;
  }
}

void MjcfDocument::accept(xml_node node, const std::string& kind) {
  const auto known = known_elements().find(kind.empty() ? node.name() : kind);
  if (known == known_elements().end()) return;
  for (const pugi::xml_attribute a : node.attributes()) {
    const std::string name = a.name();
    const bool without_effect = known->second.accepted.contains(name);
    if (without_effect) accepted_[fmt::format("{} of <{}>", name, node.name())]++;
    if (without_effect || known->second.understood.contains(name)) xml.use_attribute(node, name.c_str());
  }
}

void MjcfDocument::accept_all(xml_node node, const std::string& why) {
  xml.use_all(node);
  accepted_[why]++;
}

void MjcfDocument::report_accepted() {
  if (accepted_.empty()) return;
  std::string list;
  for (const auto& [what, count] : accepted_) list += (list.empty() ? "" : ", ") + what;
  xml.notes.add(NoteKind::Decision, xml.file(), 0, "accepted without effect: " + list);
}

std::vector<xml_node> MjcfDocument::sections(const char* name) { return xml.children(xml.root(), name); }

void MjcfDocument::read_compiler(xml_node node) {
  accept(node);
  MjcfCompiler& c = compiler;
  const auto is = [&](const char* name, bool& value) {
    const std::string text = xml.text(node, name);
    if (!text.empty()) value = text == "true";
  };
  if (const std::string angle = xml.text(node, "angle"); !angle.empty()) c.degrees = angle != "radian";
  if (xml.text(node, "coordinate") == "global")
    xml.fail(node, "coordinate=\"global\": only local coordinates are read");
  c.eulerseq = xml.text(node, "eulerseq", c.eulerseq);
  c.meshdir = xml.text(node, "assetdir", c.meshdir);
  c.meshdir = xml.text(node, "meshdir", c.meshdir);
  is("autolimits", c.autolimits);
  is("balanceinertia", c.balance_inertia);
  is("strippath", c.strip_path);
  is("exactmeshinertia", c.exact_meshes);
  c.inertia_from_geom = xml.text(node, "inertiafromgeom", c.inertia_from_geom);
  if (const auto range = xml.numbers(node, "inertiagrouprange"); range.size() == 2) {
    c.group_low = range[0];
    c.group_high = range[1];
  }
  c.bound_mass = xml.number(node, "boundmass", c.bound_mass);
  c.bound_inertia = xml.number(node, "boundinertia", c.bound_inertia);
  c.total_mass = xml.number(node, "settotalmass", c.total_mass);
  for (const xml_node child : node.children())
    if (child.type() == pugi::node_element) accept_all(child, fmt::format("<{}> of <compiler>", child.name()));
}

// The first <default> of the root is the class of all; nested ones, and further ones with a name of their own, are below it.
void MjcfDocument::read_defaults(xml_node node, const std::string& parent, bool top) {
  xml.use(node);
  accept(node);
  std::string name = xml.text(node, "class", top ? main_class : "");
  if (name.empty()) xml.fail(node, "a <default> inside of another needs a class");
  if (top && classes_.size() == 1 && classes_[main_class].elements.empty() && name != main_class)
    aliases_[name] = main_class;
  if (aliases_.contains(name)) name = aliases_[name];
  if (name != main_class) classes_[name].parent = parent.empty() ? main_class : parent;
  for (const xml_node child : node.children()) {
    if (child.type() != pugi::node_element) continue;
    const std::string element = child.name();
    if (element == "default") continue;
    if (is_looks(element)) {
      accept_all(child, fmt::format("<{}>", element));
      continue;
    }
    if (known_elements().contains(element)) xml.use(child);
    accept(child);
    for (const pugi::xml_attribute a : child.attributes()) classes_[name].elements[element][a.name()] = a.value();
  }
  for (const xml_node child : node.children("default")) read_defaults(child, name, false);
}

std::optional<std::string> MjcfDocument::text(xml_node node, const std::string& name, const std::string& childclass) {
  if (const pugi::xml_attribute own = node.attribute(name.c_str())) return own.value();
  std::string at = node.attribute("class").value();
  if (at.empty()) at = childclass.empty() ? main_class : childclass;
  if (aliases_.contains(at)) at = aliases_.at(at);
  if (!classes_.contains(at)) {
    if (unknown_.insert(at).second) xml.fail(node, fmt::format("there is no default class \"{}\"", at));
    return {};
  }
  for (std::size_t steps = 0; steps <= classes_.size(); steps++) {
    const Class& c = classes_.at(at);
    const auto element = c.elements.find(node.name());
    if (element != c.elements.end() && element->second.contains(name)) return element->second.at(name);
    if (at == main_class) break;
    at = c.parent;
  }
  return {};
}

std::string MjcfDocument::text(xml_node node, const std::string& name, const std::string& childclass,
                               const std::string& fallback) {
  return text(node, name, childclass).value_or(fallback);
}

std::vector<double> MjcfDocument::numbers(xml_node node, const std::string& name, const std::string& childclass) {
  const auto written = text(node, name, childclass);
  if (!written) return {};
  const auto values = xml.parse_numbers(*written);
  if (!values) xml.fail(node, fmt::format("{}=\"{}\" of <{}>: give finite numbers", name, *written, node.name()));
  return values.value_or(std::vector<double>{});
}

double MjcfDocument::number(xml_node node, const std::string& name, const std::string& childclass, double fallback) {
  const auto values = numbers(node, name, childclass);
  return values.empty() ? fallback : values[0];
}

Vec3d MjcfDocument::vector(xml_node node, const std::string& name, const std::string& childclass,
                           const Vec3d& fallback) {
  const auto values = numbers(node, name, childclass);
  if (values.empty()) return fallback;
  if (values.size() != 3) {
    xml.fail(node, fmt::format("{} of <{}> has {} numbers: give three", name, node.name(), values.size()));
    return fallback;
  }
  return {values[0], values[1], values[2]};
}

bool MjcfDocument::flag(xml_node node, const std::string& name, const std::string& childclass, bool fallback) {
  const auto written = text(node, name, childclass);
  return !written || *written == "auto" ? fallback : *written == "true";
}

double MjcfDocument::angle(double x) const { return compiler.degrees ? x * degree : x; }

// Small letters: about axes that turn along; capital ones: about axes that stay.
Mat3d MjcfDocument::euler(const std::vector<double>& e) const {
  Quatd q = Quatd::identity();
  for (std::size_t i = 0; i < 3; i++) {
    const char c = compiler.eulerseq[i];
    const bool turns_along = std::islower(static_cast<unsigned char>(c)) != 0;
    const Quatd step = axis_turn(std::tolower(static_cast<unsigned char>(c)) - 'x', angle(e[i]));
    q = turns_along ? q * step : step * q;
  }
  return to_matrix(q);
}

Mat3d MjcfDocument::orientation(xml_node node, const std::string& childclass) {
  const auto read = [&](const char* name, std::size_t count) {
    auto values = numbers(node, name, childclass);
    if (!values.empty() && values.size() != count) {
      xml.fail(node, fmt::format("{} of <{}> has {} numbers: give {}", name, node.name(), values.size(), count));
      values.clear();
    }
    return values;
  };
  const auto q = read("quat", 4), a = read("axisangle", 4), e = read("euler", 3), xy = read("xyaxes", 6),
             z = read("zaxis", 3);
  if (!a.empty()) return to_matrix(quaternion_exp(unit_or({a[0], a[1], a[2]}, {0, 0, 1}) * angle(a[3])));
  if (!e.empty()) {
    const std::string& s = compiler.eulerseq;
    if (s.size() == 3 && s.find_first_not_of("xyzXYZ") == std::string::npos) return euler(e);
    xml.fail(node, fmt::format("eulerseq=\"{}\": give three of x, y, z, X, Y, Z", s));
  }
  if (!xy.empty()) {
    const Vec3d x = unit_or({xy[0], xy[1], xy[2]}, {1, 0, 0}), given(xy[3], xy[4], xy[5]);
    const Vec3d y = unit_or(given - x * dot(x, given), {0, 1, 0});
    return {x, y, cross(x, y)};
  }
  if (!z.empty()) {  // the least turn that brings z there
    const Vec3d to = unit_or({z[0], z[1], z[2]}, {0, 0, 1});
    if (to[2] < -1.0 + 1e-15) return to_matrix(Quatd{0, 1, 0, 0});
    return to_matrix(normalized(Quatd{1.0 + to[2], -to[1], to[0], 0.0}));
  }
  if (!q.empty() && q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.0)
    return to_matrix(normalized(Quatd{q[0], q[1], q[2], q[3]}));
  return Mat3d::identity();
}

Posed MjcfDocument::pose(xml_node node, const std::string& childclass) {
  return {orientation(node, childclass), vector(node, "pos", childclass, Vec3d::zero())};
}

}  // namespace sinew::imports
