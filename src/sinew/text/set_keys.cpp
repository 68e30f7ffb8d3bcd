#include "sinew/text/set_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/model/glob.h"
#include "sinew/sim/nearest.h"
#include "sinew/sim/scenario.h"
#include "sinew/text/read_keys.h"
#include "sinew/text/renamed_keys.h"

namespace sinew::text {
namespace {

KeyLister keys_of(const Document& document) {
  sim::Scenario scenario;
  KeyReader reader(document);
  describe(reader, scenario);
  KeyLister lister;
  describe(lister, scenario);
  return lister;
}

// NAME of a new entry output.result.NAME
bool is_new_entry(const KeyLister& lister, std::string_view key) {
  return std::ranges::any_of(lister.open_ended, [&](const std::string& table) {
    return key.size() > table.size() + 1 && key.starts_with(table + ".") &&
           key.find('.', table.size() + 1) == std::string_view::npos;
  });
}

// A shorthand and the keys it stands for cannot both be given; the command line has the last word.
void relate(const KeyLister& lister, KeyTarget& target) {
  for (const KeyEntry& entry : lister.entries)
    for (const std::string& name : entry.stands_for) {
      const std::string dotted = entry.table + "." + name;
      if (entry.dotted() == target.key) target.replaces.push_back(dotted);
      if (dotted == target.key) target.shorthand = entry.dotted();
    }
}

}  // namespace

std::string key_called(const Document& document, const std::string& name) {
  std::string found;
  for (const KeyEntry& entry : keys_of(document).entries) {
    if (entry.dotted() == name) return name;
    if (found.empty() && entry.dotted().ends_with("." + name)) found = entry.dotted();
  }
  return found;
}

KeyTarget find_target(const KeyLister& lister, const std::string& key) {
  std::vector<std::string> all, matching;
  bool holds_text = false;
  for (const KeyEntry& entry : lister.entries) {
    for (const char* suffix : {"", "_deg"}) {
      if (*suffix && !entry.degrees) continue;
      const std::string dotted = entry.dotted() + suffix;
      if (!*suffix) all.push_back(dotted);
      if (dotted == key) return {dotted, entry.holds_text, ""};
      if (!dotted.ends_with("." + key)) continue;
      matching.push_back(dotted);
      holds_text = entry.holds_text;
    }
  }
  if (matching.size() == 1) return {matching[0], holds_text, ""};
  if (is_new_entry(lister, key)) return {key, true, ""};
  if (matching.size() > 1)
    return {"", false, fmt::format("{} keys end in {}: write one of {}", matching.size(), key, sim::join(matching))};
  return {"", false, fmt::format("unknown key {}: {}sinew show lists all keys", key, sim::did_you_mean(key, all))};
}

namespace {

// The shorthand's value, key by key, so that one of them can be changed.
void spell_out(const KeyLister& lister, const std::string& shorthand, Document& document) {
  if (!document.contains(shorthand)) return;
  const auto entry = std::ranges::find_if(lister.entries, [&](const auto& e) { return e.dotted() == shorthand; });
  const std::string place = document.place(shorthand);
  for (const KeyEntry& e : lister.entries)
    if (e.table == entry->table && std::ranges::find(entry->stands_for, e.name) != entry->stands_for.end())
      document.set(e.dotted(), e.value, false, place);
  document.erase(shorthand);
}

}  // namespace

namespace {

// Part by part: "joint.*.damping" means the damping of every joint, and "*.damping" that of whatever has one.
bool matches_parts(std::string_view pattern, std::string_view dotted) {
  while (true) {
    const auto p = pattern.rfind('.'), d = dotted.rfind('.');
    const bool last_pattern = p == pattern.npos, last_part = d == dotted.npos;
    if (!matches(pattern.substr(last_pattern ? 0 : p + 1), dotted.substr(last_part ? 0 : d + 1))) return false;
    if (last_pattern) return true;
    if (last_part) return false;
    pattern = pattern.substr(0, p);
    dotted = dotted.substr(0, d);
  }
}

// All keys that a name with * or ? means. Free joints hold nothing and are meant only where no others are: a damper on every joint is
// none on a robot's way through the world.
std::vector<KeyTarget> find_targets(const KeyLister& lister, const std::string& key) {
  std::vector<KeyTarget> targets, of_free_joints;
  std::string free_joint;
  for (const KeyEntry& entry : lister.entries) {
    if (entry.name == "kind" && entry.table.starts_with("joint.") && entry.value == "\"free\"")
      free_joint = entry.table;
    const bool is_free =
        !free_joint.empty() && (entry.table == free_joint || entry.table.starts_with(free_joint + "."));
    for (const char* suffix : {"", "_deg"})
      if ((!*suffix || entry.degrees) && matches_parts(key, entry.dotted() + suffix))
        (is_free ? of_free_joints : targets).push_back({entry.dotted() + suffix, entry.holds_text, ""});
  }
  if (targets.empty()) targets = of_free_joints;
  if (targets.empty())
    targets.push_back({"", false, fmt::format("no key is called {}: sinew show lists all keys", key)});
  return targets;
}

}  // namespace

std::vector<std::string> apply_sets(std::span<const std::string> sets, Document& document) {
  std::vector<std::string> problems;
  std::vector<std::string> pending(sets.begin(), sets.end());
  // robot.kind and joint kinds decide which keys there are: a key that is unknown now may exist after the others
  while (!pending.empty()) {
    std::vector<std::string> later, reasons;
    for (const std::string& set : pending) {
      const std::string place = "--set " + set;
      const auto equal = set.find('=');
      if (equal == std::string::npos || equal == 0) {
        problems.push_back(place + ": no value: write --set KEY=VALUE");
        continue;
      }
      const KeyLister lister = keys_of(document);
      const std::string wanted = set.substr(0, equal);
      std::vector<KeyTarget> targets =
          has_wildcard(wanted) ? find_targets(lister, wanted) : std::vector{find_target(lister, wanted)};
      const KeyTarget& target = targets.front();
      if (target.key.empty()) {
        const std::string old = set.substr(0, equal), is = new_key(document, old);
        later.push_back(set);
        reasons.push_back(
            is.empty() ? fmt::format("{}: {}", place, target.problem)
                       : fmt::format("{}: {} is called {} now: write {}{}", place, old, is, is, set.substr(equal)));
        continue;
      }
      for (KeyTarget& each : targets) {
        relate(lister, each);
        for (const std::string& other : each.replaces) document.erase(other);
        if (!each.shorthand.empty()) spell_out(lister, each.shorthand, document);
        document.set(each.key, std::string_view(set).substr(equal + 1), each.holds_text, place);
      }
    }
    if (later.size() == pending.size()) {
      problems.insert(problems.end(), reasons.begin(), reasons.end());
      break;
    }
    pending = std::move(later);
  }
  return problems;
}

}  // namespace sinew::text
