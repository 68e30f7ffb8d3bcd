#include "sinew/text/set_keys.h"

#include <fmt/format.h>

#include <algorithm>

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
      KeyTarget target = find_target(lister, set.substr(0, equal));
      relate(lister, target);
      if (target.key.empty()) {
        const std::string old = set.substr(0, equal), is = new_key(document, old);
        later.push_back(set);
        reasons.push_back(
            is.empty() ? fmt::format("{}: {}", place, target.problem)
                       : fmt::format("{}: {} is called {} now: write {}{}", place, old, is, is, set.substr(equal)));
        continue;
      }
      for (const std::string& other : target.replaces) document.erase(other);
      if (!target.shorthand.empty()) spell_out(lister, target.shorthand, document);
      document.set(target.key, std::string_view(set).substr(equal + 1), target.holds_text, place);
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
