#include "sinew/sim/scenario_signals.h"

#include <algorithm>

#include "sinew/model/plan.h"
#include "sinew/world/crowd_contact.h"

namespace sinew::sim {
namespace {

constexpr std::string_view prefix = "contact.";

// Pairs "A:B" that a text of signals may mean: what follows each "contact.", cut at every dot after the colon.
std::vector<std::string> pairs_in(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(prefix); at != text.npos; at = text.find(prefix, at + 1)) {
    const std::size_t begin = at + prefix.size();
    const std::size_t end = std::min(text.find_first_of(", +*?", begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const std::size_t colon = word.find(':');
    if (colon == word.npos) continue;
    found.push_back(word);
    for (std::size_t dot = word.find('.', colon); dot != word.npos; dot = word.find('.', dot + 1))
      found.push_back(word.substr(0, dot));
  }
  return found;
}

// What a robot's own controller remembers and tells.
void add_memory_signals(const Scenario& scenario, std::vector<Signal>& all) {
  if (!scenario.robot_keys || scenario.robot_keys->memory_block().empty()) return;
  const Quantity& q = quantity_of(Part::Controller, "");
  const int block = memory_offset(scenario.plan, scenario.robot_keys->memory_block());
  for (const robots::MemorySignal& s : scenario.robot_keys->memory_signals())
    all.push_back({s.name, s.unit, s.description, &q, block + s.place, 0});
}

}  // namespace

std::vector<Signal> signals_of(const Scenario& scenario, const Model& model) {
  std::vector<Signal> all = signals_of(model);
  add_memory_signals(scenario, all);
  if (!model.crowd) return all;
  std::vector<std::string> texts = scenario.recorded;
  for (const ResultPlan& result : results_of(scenario)) texts.push_back(result.signal);
  std::vector<int> named;
  for (const std::string& text : texts)
    for (const std::string& word : pairs_in(text))
      if (const int pair = find_crowd_pair(model, word); pair >= 0) named.push_back(pair);
  std::ranges::sort(named);
  named.erase(std::unique(named.begin(), named.end()), named.end());
  for (const int pair : named) add_contact_signals(model, pair, all);
  return all;
}

}  // namespace sinew::sim
