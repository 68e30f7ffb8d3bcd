#include "robots/biped/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::robots {
namespace {

using legged::WalkTwist;

struct TwistKey {
  double WalkTwist::*place;
  std::string_view name, unit, doc;
  double most;
};
constexpr std::array<TwistKey, 3> twist_keys{{
    {&WalkTwist::speed, "speed", "m/s", "forward; back if it is negative", 0.3},
    {&WalkTwist::left, "left", "m/s", "to the left", 0.05},
    {&WalkTwist::turn, "turn", "rad/s", "to the left; with speed: an arc of the radius speed / turn", 0.3},
}};

}  // namespace

void describe_twists(Keys& keys, BipedCommands& c) {
  for (const TwistKey& k : twist_keys)
    keys.number(live({k.name, k.unit, k.doc, {.low = -k.most, .high = k.most}}), c.first.*k.place);
  const Table table(keys, "change", "what changes at a time; what is not given stays as it is");
  std::vector<std::string> present;
  for (const TwistChange& change : c.changes) present.push_back(change.name);
  std::vector<TwistChange> read;
  for (const std::string& name : keys.names(present)) {
    const auto found = std::ranges::find(c.changes, name, &TwistChange::name);
    TwistChange change{name, 0.0, {INFINITY, INFINITY, INFINITY}};
    if (found != c.changes.end()) change = *found;
    const Table entry(keys, name);
    keys.number({"at", "s", "when", not_negative}, change.at);
    for (const TwistKey& k : twist_keys) {
      double& x = change.twist.*k.place;
      keys.number({k.name, k.unit, k.doc, {.low = -k.most, .high = INFINITY, .may_be_infinite = true}}, x);
      if (!std::isfinite(x) || x <= k.most) continue;
      keys.reject(k.name, fmt::format("{} of {:g} {} is too fast", k.name, x, k.unit),
                  fmt::format("give {:g} at most", k.most));
      x = INFINITY;
    }
    read.push_back(std::move(change));
  }
  std::ranges::stable_sort(read, {}, &TwistChange::at);
  c.changes = std::move(read);
}

WalkTwist told_at(const BipedCommands& c, double t, ToldMemory& m) {
  const auto take = [&](const WalkTwist& from, const WalkTwist& unless) {
    for (const TwistKey& k : twist_keys)
      if (std::isfinite(from.*k.place) && from.*k.place != unless.*k.place) m.now.*k.place = from.*k.place;
  };
  take(c.first, m.set);
  m.set = c.first;
  constexpr WalkTwist any{INFINITY, INFINITY, INFINITY};
  for (; std::size_t(m.done) < c.changes.size() && c.changes[std::size_t(m.done)].at <= t; m.done += 1.0)
    take(c.changes[std::size_t(m.done)].twist, any);
  return m.now;
}

}  // namespace sinew::robots
