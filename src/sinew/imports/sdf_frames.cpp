#include "sinew/imports/sdf_frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/imports/urdf_link.h"
#include "sinew/math/rotation.h"

namespace sinew::imports {
namespace {

constexpr int most_sdf_steps = 128;  // from frame to frame

}  // namespace

std::string trimmed_sdf(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::optional<Posed> SdfFrames::pose(int scope, const std::string& name, int depth) const {
  if (name.empty() || name == "__model__" || (name == "world" && scope == 0)) return Posed::identity();
  if (depth > most_sdf_steps) return {};
  const SdfScope& s = scopes[std::size_t(scope)];
  const auto colons = name.find("::");
  const auto found = s.frames.find(name.substr(0, colons));
  if (found == s.frames.end()) return {};
  const SdfFrame& f = found->second;
  const auto from = pose(scope, f.from, depth + 1);
  if (!from) return {};
  Posed X = *from * f.X;
  if (f.scope >= 0) {
    const auto placement = pose(f.scope, f.placement, depth + 1);
    if (!placement) return {};
    X = X * placement->inverse();
  }
  if (colons == std::string::npos) return X;
  if (f.scope < 0) return {};
  const auto inside = pose(f.scope, name.substr(colons + 2), depth + 1);
  if (!inside) return {};
  return X * *inside;
}

std::optional<Posed> SdfFrames::scope_in_world(int scope) const {
  Posed X = Posed::identity();
  for (int s = scope; s > 0; s = scopes[std::size_t(s)].parent) {
    const auto here = pose(scopes[std::size_t(s)].parent, scopes[std::size_t(s)].name);
    if (!here) return {};
    X = *here * X;
  }
  return X;
}

int SdfFrames::link(int scope, const std::string& name, int depth) const {
  if (depth > most_sdf_steps) return sdf_nothing;
  if (name == "world") return sdf_world;
  const SdfScope& s = scopes[std::size_t(scope)];
  if (name.empty() || name == "__model__") {
    if (scope == 0) return sdf_world;
    if (!s.canonical.empty()) return link(scope, s.canonical, depth + 1);
    if (s.first_link >= 0) return s.first_link;
    for (const auto& [inner, f] : s.frames)
      if (f.scope >= 0)
        if (const int found = link(f.scope, "", depth + 1); found >= 0) return found;
    return sdf_nothing;
  }
  const auto colons = name.find("::");
  const auto found = s.frames.find(name.substr(0, colons));
  if (found == s.frames.end()) return sdf_nothing;
  const SdfFrame& f = found->second;
  if (colons != std::string::npos) return f.scope < 0 ? sdf_nothing : link(f.scope, name.substr(colons + 2), depth + 1);
  if (f.link >= 0) return f.link;
  if (f.scope >= 0) return link(f.scope, "", depth + 1);
  return link(scope, f.attached, depth + 1);
}

Posed read_sdf_pose(XmlFile& xml, pugi::xml_node of, std::string& from) {
  const pugi::xml_node node = xml.child(of, "pose");
  if (!node) return Posed::identity();
  from = xml.text(node, "relative_to", xml.text(node, "frame"));
  const bool quaternion = xml.text(node, "rotation_format", "euler_rpy") == "quat_xyzw";
  const std::string degrees = xml.text(node, "degrees", "false");
  const auto numbers = xml.parse_numbers(node.text().get());
  const std::size_t wanted = quaternion ? 7 : 6;
  if (!numbers || (!numbers->empty() && numbers->size() != wanted)) {
    xml.fail(node,
             fmt::format("<pose> of <{}> has \"{}\": give {} finite numbers", of.name(), node.text().get(), wanted));
    return Posed::identity();
  }
  const std::vector<double>& x = *numbers;
  if (x.empty()) return Posed::identity();
  const Vec3d p(x[0], x[1], x[2]);
  if (quaternion) {
    const Quatd q{x[6], x[3], x[4], x[5]};
    if (!(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z > 0.0)) {
      xml.fail(node, "a quaternion must not be zero");
      return Posed::identity();
    }
    return {to_matrix(normalized(q)), p};
  }
  const double unit = degrees == "true" || degrees == "1" ? 3.14159265358979323846 / 180.0 : 1.0;
  return {rotation_of_rpy(Vec3d(x[3], x[4], x[5]) * unit), p};
}

std::string sdf_text(XmlFile& xml, pugi::xml_node of, const char* name) {
  return trimmed_sdf(xml.child(of, name).text().get());
}

double sdf_number(XmlFile& xml, pugi::xml_node of, const char* name, double fallback) {
  const pugi::xml_node node = xml.child(of, name);
  if (!node) return fallback;
  const std::string text = sdf_text(xml, of, name);
  if (text == "inf" || text == "+inf" || text == "-inf") return text[0] == '-' ? -1e16 : 1e16;
  const auto numbers = xml.parse_numbers(text);
  if (numbers && numbers->size() == 1) return numbers->front();
  xml.fail(node, fmt::format("<{}> of <{}> has \"{}\": give a finite number", name, of.name(), text));
  return fallback;
}

Vec3d sdf_vector(XmlFile& xml, pugi::xml_node of, const char* name, const Vec3d& fallback) {
  const pugi::xml_node node = xml.child(of, name);
  if (!node) return fallback;
  const auto numbers = xml.parse_numbers(node.text().get());
  if (numbers && numbers->size() == 3) return {(*numbers)[0], (*numbers)[1], (*numbers)[2]};
  xml.fail(node, fmt::format("<{}> of <{}> has \"{}\": give three finite numbers", name, of.name(), node.text().get()));
  return fallback;
}

bool sdf_flag(XmlFile& xml, pugi::xml_node of, const char* name, bool fallback) {
  if (!of.child(name)) return fallback;
  const std::string text = sdf_text(xml, of, name);
  return text == "1" || text == "true" || text == "True";
}

}  // namespace sinew::imports
