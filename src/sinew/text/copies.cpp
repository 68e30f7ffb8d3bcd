// [copies.NAME]: the parts whose names are OF or begin with OF_ are written once more for each copy, called NAME or NAME_..., and placed
//   x' = c + R S (x - c) + d
// where they hang on parts outside of the group: R turns by `angle` about `axis` through c (center), S mirrors one coordinate, d is `shift`;
// copy k of `count` is turned and shifted k times. Inside of a mirrored group all vectors are S v in the axes of bodies that are mirrored as
// well, rotations S O S, and axes of turning -S a: the same coordinates mean the mirrored pose.
// What the file says about a part of a copy goes over the copy.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numbers>
#include <set>

#include "sinew/math/elementary.h"
#include "sinew/sim/nearest.h"
#include "sinew/text/copy_parts.h"
#include "sinew/text/expand.h"

namespace sinew::text {
namespace {

constexpr std::array<std::string_view, 10> part_tables{"body",  "joint",  "loop",   "rod",      "cable",
                                                       "drive", "sensor", "marker", "coupling", "load"};
constexpr int most_copies = 1000;

// One [copies.NAME], as it is written.
struct CopiesPlan {
  std::string name, of, parent;
  int count = 0;  // 0: one, called NAME itself
  int mirror = -1;
  double angle = 0.0;
  Vec3d axis{0, 0, 1}, center{0, 0, 0}, shift{0, 0, 0};
};

struct Copier {
  Document& document;
  std::vector<std::string>& problems;

  toml::table& root() { return document.content().root; }

  void complain(const std::string& key, const std::string& what) {
    problems.push_back(fmt::format("{}: {}: {}", document.place(key), key, what));
  }

  double number_of(const toml::table& table, const std::string& dotted, std::string_view key, double fallback) {
    const toml::node* node = table.get(key);
    if (!node) return fallback;
    std::string problem;
    const auto value = number_in(*node, document.content().parameters, problem);
    if (!value) complain(dotted + "." + std::string(key), "it needs a number" + problem);
    return value.value_or(fallback);
  }

  Vec3d vector_of(const toml::table& table, const std::string& dotted, std::string_view key, const Vec3d& fallback) {
    const toml::node* node = table.get(key);
    if (!node) return fallback;
    std::string problem;
    const auto values = numbers_of(*node, document.content().parameters, problem);
    if (values && values->size() == 3) return {(*values)[0], (*values)[1], (*values)[2]};
    complain(dotted + "." + std::string(key), "it needs 3 numbers" + problem);
    return fallback;
  }

  std::string text_of(const toml::table& table, const std::string& dotted, std::string_view key) {
    const toml::node* node = table.get(key);
    if (!node) return "";
    const auto text = node->value_exact<std::string>();
    if (!text) complain(dotted + "." + std::string(key), "it needs text in quotes");
    return text.value_or("");
  }

  // False: something is wrong, and told.
  bool read(const std::string& name, const toml::table& table, CopiesPlan& plan) {
    const std::size_t before = problems.size();
    const std::string dotted = "copies." + name;
    static const std::vector<std::string> allowed{"of",   "count",  "mirror", "angle", "angle_deg",
                                                  "axis", "center", "shift",  "parent"};
    for (const auto& [key, node] : table)
      if (const std::string word(key.str()); std::ranges::find(allowed, word) == allowed.end())
        complain(dotted + "." + word,
                 fmt::format("unknown key: {}allowed here: {}", sim::did_you_mean(word, allowed), sim::join(allowed)));
    plan.name = name;
    plan.of = text_of(table, dotted, "of");
    plan.parent = text_of(table, dotted, "parent");
    if (plan.of.empty())
      complain(dotted, "it must say what is copied: write of = \"NAME\", for all parts called NAME or NAME_...");
    const double count = number_of(table, dotted, "count", 0.0);
    if (table.contains("count") && (count < 1 || count > most_copies || count != double(int(count))))
      complain(dotted + ".count", fmt::format("it must be a whole number from 1 to {}", most_copies));
    plan.count = int(count);
    const std::string mirror = text_of(table, dotted, "mirror");
    plan.mirror = mirror == "x" ? 0 : mirror == "y" ? 1 : mirror == "z" ? 2 : -1;
    if (table.contains("mirror") && plan.mirror < 0)
      complain(dotted + ".mirror", "it must be one of \"x\", \"y\", \"z\": the coordinate whose sign changes");
    if (plan.mirror >= 0 && plan.count > 1)
      complain(dotted + ".mirror", "several mirrored copies would be the same one: leave out count");
    if (table.contains("angle") && table.contains("angle_deg"))
      complain(dotted + ".angle_deg", "angle and angle_deg are both given: keep one of them");
    plan.angle =
        number_of(table, dotted, "angle", number_of(table, dotted, "angle_deg", 0.0) * (std::numbers::pi / 180.0));
    plan.axis = vector_of(table, dotted, "axis", plan.axis);
    if (!(norm(plan.axis) > 0.0)) complain(dotted + ".axis", "the axis is zero: give a direction");
    plan.center = vector_of(table, dotted, "center", plan.center);
    plan.shift = vector_of(table, dotted, "shift", plan.shift);
    return problems.size() == before;
  }

  bool in_group(const std::string& group, std::string_view name) const {
    return name == group || (name.starts_with(group) && name.size() > group.size() && name[group.size()] == '_');
  }

  // Names of the group's parts in a table, in their order.
  std::vector<std::string> members(std::string_view table, const std::string& group) {
    std::vector<std::pair<std::uint64_t, std::string>> found;
    if (const toml::table* parts = root()[table].as_table())
      for (const auto& [key, node] : *parts)
        if (in_group(group, key.str()) && node.is_table()) {
          const std::string name(key.str());
          found.emplace_back(document.rank(fmt::format("{}.{}", table, name)), name);
        }
    std::ranges::sort(found);
    std::vector<std::string> names;
    for (auto& [rank, name] : found) names.push_back(std::move(name));
    return names;
  }

  Placement placement(const CopiesPlan& plan, int k) const {
    Placement at;
    const double half = 0.5 * plan.angle * k;
    const Vec3d e = normalized(plan.axis);
    const double s = math::sin(half);
    at.turn = normalized(Quatd{math::cos(half), e[0] * s, e[1] * s, e[2] * s});
    at.mirror = plan.mirror;
    at.center = plan.center;
    at.shift = plan.shift * double(k);
    return at;
  }

  // Numbers go on from that at the end of the group's name: leg1 is followed by leg2.
  static std::string name_of(const CopiesPlan& plan, int k) {
    if (plan.count == 0) return plan.name;
    int first = 1;
    if (plan.of.starts_with(plan.name) && plan.of.size() > plan.name.size()) {
      const std::string digits = plan.of.substr(plan.name.size());
      if (digits.size() < 8 && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
        first = std::stoi(digits) + 1;
    }
    return fmt::format("{}{}", plan.name, first + k - 1);
  }

  static void put_table_under(const toml::table& from, toml::table& to) {
    for (const auto& [key, node] : from) {
      toml::node* present = to.get(key.str());
      if (present && present->is_table() && node.is_table())
        put_table_under(*node.as_table(), *present->as_table());
      else if (!present)
        to.insert(key.str(), node);
    }
  }

  void add_part(std::string_view table, const std::string& old_name, const std::string& name, const toml::table& part) {
    const std::string from = fmt::format("{}.{}", table, old_name), to = fmt::format("{}.{}", table, name);
    toml::table& parts = *root()[table].as_table();
    toml::node* present = parts.get(name);
    if (present && !present->is_table()) return;  // the reader of keys will say so
    auto& content = document.content();
    const auto place = [&](const std::string& key) {
      return fmt::format("{} (copied to {})", document.place(from + key.substr(to.size())), name);
    };
    std::vector<std::string> written;
    for (const std::string& key : document.keys())
      if (key.starts_with(to + ".")) written.push_back(key);
    if (!present) parts.insert(name, toml::table{});
    put_table_under(part, *parts.get(name)->as_table());
    content.order.insert_or_assign(to, copied_parts + content.order.size());
    if (!present) content.set_by.try_emplace(to, place(to));
    const auto note = [&](const auto& self, const toml::table& of, const std::string& prefix) -> void {
      for (const auto& [key, node] : of) {
        const std::string dotted = prefix + "." + std::string(key.str());
        if (std::ranges::find(written, dotted) == written.end()) content.set_by.try_emplace(dotted, place(dotted));
        if (const toml::table* inner = node.as_table()) self(self, *inner, dotted);
      }
    };
    note(note, part, to);
  }

  // Entries "A:B" of contact.ignore that name parts of the group hold for the copy as well.
  void copy_ignored(const std::string& group, const std::string& name) {
    toml::array* ignored = root().at_path("contact.ignore").as_array();
    if (!ignored) return;
    std::vector<std::string> more;
    for (const toml::node& node : *ignored) {
      const auto text = node.value_exact<std::string>();
      const auto colon = text ? text->find(':') : std::string::npos;
      if (colon == std::string::npos) continue;
      const auto renamed = [&](const std::string& side) {
        return in_group(group, side) ? name + side.substr(group.size()) : side;
      };
      const std::string other = renamed(text->substr(0, colon)) + ":" + renamed(text->substr(colon + 1));
      if (other != *text) more.push_back(other);
    }
    for (const std::string& text : more) ignored->push_back(text);
  }

  void copy(const CopiesPlan& plan) {
    std::map<std::string_view, std::vector<std::string>> parts;
    std::set<std::string> bodies;
    for (const std::string_view table : part_tables) parts[table] = members(table, plan.of);
    for (const std::string& name : parts["body"]) bodies.insert(name);
    const std::string key = "copies." + plan.name;
    if (std::ranges::all_of(parts, [](const auto& entry) { return entry.second.empty(); }))
      return complain(key + ".of", fmt::format("no part is called {} or {}_...", plan.of, plan.of));
    if (!plan.parent.empty() && !bodies.contains(plan.parent))
      return complain(key + ".parent",
                      fmt::format("it must be a body of the group {}, on which the next copy hangs", plan.of));
    std::string before = plan.of;
    for (int k = 1; k <= std::max(plan.count, 1); k++) {
      const std::string name = name_of(plan, k);
      if (name == plan.of) return complain(key, "a copy cannot have the name of what is copied");
      CopyTo to{plan.of, name, placement(plan, k), bodies, {}, document.content().parameters, {}};
      if (!plan.parent.empty()) to.parent = before + plan.parent.substr(plan.of.size());
      for (const auto& [table, names] : parts) to.names.insert(names.begin(), names.end());
      for (const std::string_view table : part_tables)
        for (const std::string& old_name : parts[table]) {
          std::string problem;
          toml::table part = *root()[table][old_name].as_table();
          if (!copy_part(table, to, part, problem))
            return complain(key, fmt::format("{}.{} cannot be copied: {}", table, old_name, problem));
          add_part(table, old_name, name + old_name.substr(plan.of.size()), part);
        }
      copy_ignored(plan.of, name);
      before = name;
    }
  }

  void run() {
    const toml::node* node = root().get("copies");
    if (!node) return;
    const toml::table* tables = node->as_table();
    if (!tables) return complain("copies", "it must hold tables: write [copies.NAME] on a line and its keys below");
    std::vector<std::pair<std::uint64_t, std::string>> ordered;
    for (const auto& [key, entry] : *tables) {
      const std::string name(key.str());
      if (entry.is_table())
        ordered.emplace_back(document.rank("copies." + name), name);
      else
        complain("copies." + name, "it must be a table: write [copies." + name + "] on a line and its keys below");
    }
    std::ranges::sort(ordered);
    for (const auto& [rank, name] : ordered) {
      CopiesPlan plan;
      if (read(name, *(*tables)[name].as_table(), plan)) copy(plan);
    }
    document.erase("copies");
  }
};

}  // namespace

void take_copies(Document& document, std::vector<std::string>& problems) { Copier{document, problems}.run(); }

}  // namespace sinew::text
