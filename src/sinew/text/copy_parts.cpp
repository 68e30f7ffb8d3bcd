#include "sinew/text/copy_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew::text {
namespace {

using Numbers = std::vector<double>;

Vec3d turn_by(const Quatd& q, const Vec3d& v) { return to_matrix(q) * v; }

struct PartCopier {
  const CopyTo& to;
  toml::table& part;
  std::string& problem;
  bool hangs_on_copy = false;  // its parent is of the copy before

  bool fail(std::string what) {
    if (problem.empty()) problem = std::move(what);
    return false;
  }
  bool has(std::string_view key) const { return part.contains(key); }
  bool is_mirrored() const { return to.at.mirror >= 0; }
  std::string text(std::string_view key, const char* fallback = "") const {
    return part[key].value_or(std::string(fallback));
  }
  // "world", the parent of joints that name none, is outside.
  bool is_inside(std::string_view key) const { return to.bodies.contains(text(key, "world")); }

  // The numbers of a key; empty: wrong, and told.
  Numbers numbers(const toml::table& table, std::string_view key, std::size_t n) {
    std::string why;
    const auto values = numbers_of(*table.get(key), to.parameters, why);
    if (values && (n == 0 ? !values->empty() : values->size() == n)) return *values;
    fail(fmt::format("{} needs {} numbers{}", key, n, why));
    return {};
  }
  static void write(toml::table& table, std::string_view key, const Numbers& values) {
    toml::array array;
    for (const double x : values) array.push_back(x);
    table.insert_or_assign(key, std::move(array));
  }

  // map: of a vector
  template <class F>
  void vector(toml::table& table, std::string_view key, F map) {
    if (!table.contains(key)) return;
    const Numbers v = numbers(table, key, 3);
    if (v.empty()) return;
    const Vec3d mapped = map(Vec3d(v[0], v[1], v[2]));
    write(table, key, {mapped[0], mapped[1], mapped[2]});
  }
  template <class F>
  void vector_or(std::string_view key, const Vec3d& fallback, F map) {
    if (!has(key)) write(part, key, {fallback[0], fallback[1], fallback[2]});
    vector(part, key, map);
  }
  // An attitude O becomes before O after.
  void attitude(toml::table& table, std::string_view key, const Quatd& before, const Quatd& after) {
    Quatd q = Quatd::identity();
    if (table.contains(key)) {
      const Numbers v = numbers(table, key, 4);
      if (v.empty()) return;
      q = {v[0], v[1], v[2], v[3]};
    }
    const Quatd made = before * to.at.mirrored(q) * after;
    if (!table.contains(key) && made.w == 1.0) return;
    write(table, key, {made.w, made.x, made.y, made.z});
  }

  Vec3d S(const Vec3d& v) const { return to.at.mirrored(v); }

  void body() {
    const auto mirror = [this](const Vec3d& v) { return S(v); };
    if (!is_mirrored()) return;
    for (const char* key : {"com", "plate_normal", "drag_axis"}) vector(part, key, mirror);
    if (has("inertia")) {
      Numbers I = numbers(part, "inertia", 0);
      if (I.size() == 6) {  // xx, yy, zz, xy, xz, yz
        constexpr int rows[3][2] = {{0, 1}, {0, 2}, {1, 2}};
        for (int k = 0; k < 3; k++)
          if (rows[k][0] == to.at.mirror || rows[k][1] == to.at.mirror) I[std::size_t(3 + k)] = -I[std::size_t(3 + k)];
        write(part, "inertia", I);
      }
    }
    if (toml::table* shapes = part["shape"].as_table())
      for (auto&& [name, node] : *shapes)
        if (toml::table* shape = node.as_table()) mirror_shape(*shape);
  }

  void mirror_shape(toml::table& shape) {
    const auto mirror = [this](const Vec3d& v) { return S(v); };
    if (shape.contains("file")) {
      fail("the mesh of a file has no mirror image: write that body out");
      return;
    }
    vector(shape, "position", mirror);
    vector(shape, "along", mirror);
    attitude(shape, "orientation", Quatd::identity(), Quatd::identity());
    if (!shape.contains("points")) return;
    Numbers points = numbers(shape, "points", 0);
    for (std::size_t i = std::size_t(to.at.mirror); i < points.size(); i += 3) points[i] = -points[i];
    write(shape, "points", points);
  }

  // Axes of turning are -S a, so that the same angle gives the mirrored pose; those of sliding S a.
  void axes(const std::string& kind, const Quatd& child_turn) {
    const bool slides = kind == "prismatic" || kind == "distance", two = kind == "universal";
    const auto turned = [&](const Vec3d& v) { return turn_by(child_turn, S(v)); };
    const auto reversed = [&](const Vec3d& v) { return turn_by(child_turn, S(v)) * -1.0; };
    if (slides || !is_mirrored())
      vector_or("axis", Vec3d(0, 0, 1), turned);
    else
      vector_or("axis", Vec3d(0, 0, 1), reversed);
    if (two && is_mirrored())
      vector_or("axis2", Vec3d(0, 1, 0), reversed);
    else if (two || kind == "planar" || kind == "free" || kind == "ball" || kind == "flex" || kind == "distance")
      vector_or("axis2", Vec3d(0, 1, 0), turned);
  }

  // False: some of its numbers have no mirror image by the same numbers. About a mirrored axis what turns keeps its sign and what slides
  // changes it, so a right-handed screw becomes a left-handed one.
  bool mirror_joint(const std::string& kind) {
    const bool in_space = kind == "free" || kind == "ball" || kind == "flex" || kind == "distance";
    const bool is_screw = kind == "screw";
    if (in_space || is_screw || kind == "cylindrical")
      for (const char* key : {"position", "velocity", "rest", "motion", "lower", "upper"})
        if (has(key) && !(is_screw && (key[0] == 'p' || key[0] == 'v') && !part[key].is_array()))
          return fail(fmt::format("{} of a {} joint has no mirror image here: write that joint out", key, kind));
    if (!is_screw || !has("pitch")) return true;
    std::string why;
    const auto pitch = number_in(*part.get("pitch"), to.parameters, why);
    if (!pitch) return fail("pitch needs a number" + why);
    part.insert_or_assign("pitch", -*pitch);
    return true;
  }

  bool joint(bool is_loop) {
    const std::string kind = text("kind", "revolute");
    if (is_mirrored() && !mirror_joint(kind)) return false;
    const bool parent_inside = is_inside("parent"), child_inside = is_inside("child");
    if (!is_loop && !child_inside) return fail("its child is not a body of the group");
    const auto inner = [this](const Vec3d& v) { return S(v); };
    const auto outer = [this](const Vec3d& v) { return to.at.placed(v); };
    const bool moves_parent = !parent_inside && to.parent.empty();
    if (moves_parent)
      vector_or("p_parent", Vec3d::zero(), outer);
    else
      vector(part, "p_parent", inner);
    if (child_inside)
      vector(part, "p_child", inner);
    else
      vector_or("p_child", Vec3d::zero(), outer);
    const Quatd none = Quatd::identity(), R = to.at.turn;
    attitude(part, "orientation", moves_parent ? R : none, child_inside ? none : conjugate(R));
    if (is_mirrored() || !child_inside) axes(kind, child_inside ? none : R);
    hangs_on_copy = !parent_inside && !to.parent.empty();
    return true;
  }

  // A point and an attitude in the axes of the body that the key names.
  void mounted(std::string_view body, std::string_view point, std::string_view orientation, bool with_place) {
    const bool inside = is_inside(body);
    const auto inner = [this](const Vec3d& v) { return S(v); };
    const auto outer = [this](const Vec3d& v) { return to.at.placed(v); };
    if (inside || !with_place)
      vector(part, point, inner);
    else
      vector_or(point, Vec3d::zero(), outer);
    if (!orientation.empty()) attitude(part, orientation, inside ? Quatd::identity() : to.at.turn, Quatd::identity());
  }

  bool cable() {
    if (has("rod")) return is_mirrored() ? fail("a cable along a rod has no mirror image here: write it out") : true;
    if (!has("points") || !has("bodies")) return true;
    Numbers points = numbers(part, "points", 0);
    const toml::array* bodies = part["bodies"].as_array();
    if (!bodies || points.size() != 3 * bodies->size()) return fail("bodies and points do not fit each other");
    for (std::size_t i = 0; i < bodies->size(); i++) {
      const Vec3d p(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
      const Vec3d made = to.bodies.contains((*bodies)[i].value_or(std::string())) ? S(p) : to.at.placed(p);
      for (int k = 0; k < 3; k++) points[3 * i + std::size_t(k)] = made[k];
    }
    write(part, "points", points);
    return true;
  }

  bool rod() {
    if (is_mirrored()) return fail("a rod has no mirror image here: write it out");
    if (!to.parent.empty()) return fail("rods cannot hang on each other by copies: write them out");
    mounted("parent", "p_parent", "orientation", true);
    if (has("tip_on")) mounted("tip_on", "p_tip", "tip_orientation", true);
    return true;
  }

  // Forces that follow are in the body's axes; the others are in the world's, which the copy's place turns or mirrors. A couple turns.
  bool load() {
    const bool follows = part["follows"].value_or(false);
    if (is_mirrored() && has("rod")) return fail("a rod has no mirror image here, nor has its load: write it out");
    const auto placed = [&](const Vec3d& v) { return follows ? S(v) : to.at.turned(v); };
    vector(part, "force", placed);
    vector(part, "couple", [&](const Vec3d& v) { return placed(v) * (is_mirrored() ? -1.0 : 1.0); });
    if (has("body")) vector(part, "point", [this](const Vec3d& v) { return S(v); });
    return true;
  }

  // Texts that name a part of the group name that of the copy.
  void rename(toml::node& node) {
    if (toml::table* table = node.as_table()) {
      for (auto&& [key, entry] : *table) rename(entry);
    } else if (toml::array* array = node.as_array()) {
      for (toml::node& entry : *array) rename(entry);
    } else if (toml::value<std::string>* text = node.as_string()) {
      if (to.names.contains(text->get())) *text = to.name + text->get().substr(to.group.size());
    }
  }

  bool run(std::string_view table) {
    if (table == "body") body();
    if ((table == "joint" || table == "loop") && !joint(table == "loop")) return false;
    if (table == "sensor" && has("body")) mounted("body", "position", "orientation", !has("joint"));
    if (table == "marker") mounted("body", "position", "", true);
    if ((table == "cable" || table == "coupling") && !cable()) return false;
    if (table == "rod" && !rod()) return false;
    if (table == "load" && !load()) return false;
    rename(part);
    if (hangs_on_copy) part.insert_or_assign("parent", to.parent);
    return problem.empty();
  }
};

}  // namespace

Vec3d Placement::mirrored(const Vec3d& v) const {
  Vec3d out = v;
  if (mirror >= 0) out[mirror] = -out[mirror];
  return out;
}

// The axis of a rotation is a pseudovector: it goes to -S a.
Quatd Placement::mirrored(const Quatd& q) const {
  if (mirror < 0) return q;
  const Vec3d a = mirrored(Vec3d(q.x, q.y, q.z)) * -1.0;
  return {q.w, a[0], a[1], a[2]};
}

Vec3d Placement::turned(const Vec3d& v) const { return turn_by(turn, mirrored(v)); }
Vec3d Placement::placed(const Vec3d& x) const { return center + turned(x - center) + shift; }

bool copy_part(std::string_view table, const CopyTo& to, toml::table& part, std::string& problem) {
  return PartCopier{to, part, problem}.run(table);
}

std::optional<std::vector<double>> numbers_of(const toml::node& node, const Parameters& parameters,
                                              std::string& problem) {
  std::vector<double> values;
  const toml::array* array = node.as_array();
  if (!array) return {};
  for (const toml::node& entry : *array) {
    const auto value = number_in(entry, parameters, problem);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

}  // namespace sinew::text
