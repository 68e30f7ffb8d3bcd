// Islands of robots that touch, and the search for the share of restitution that makes no energy.
#include "sinew/step/rebound.h"

#include <cmath>

#include "sinew/math/check.h"

namespace sinew {
namespace {

constexpr double exact_enough = 1e-9;  // loss that is left where the root is, over the sum of |work|
constexpr int most_tries = 60;         // by then the bracket is as small as numbers are

int top_of(std::vector<int>& parent, int node) {
  SINEW_ASSERT(node >= 0 && node < int(parent.size()));
  while (parent[node] != node) node = parent[node] = parent[parent[node]];
  return node;
}

// A robot, all that its joints hold together, is one node. What is led along is none.
template <Real S>
void group(const Model& model, int k, const Rows<S>& rows, const std::vector<int>& node, LaneImpacts& l) {
  for (int i = 0; i < model.link_count(); i++) {
    l.parent[i] = i;
    l.of_link[i] = -1;
  }
  const auto node_of = [&node](int link) { return link < 0 ? -1 : node[link]; };
  for (int i = 0; i < rows.n_contacts; i++) {
    const ContactRow<S>& c = rows.contact[i];
    if (!lane(c.closed, k) || node_of(c.link1) < 0 || node_of(c.link2) < 0) continue;
    const int a = top_of(l.parent, node_of(c.link1)), b = top_of(l.parent, node_of(c.link2));
    if (a != b) l.parent[std::max(a, b)] = std::min(a, b);
  }
  l.islands.clear();
  for (int i = 0; i < rows.n_contacts; i++) {
    const ContactRow<S>& c = rows.contact[i];
    const int at = std::max(node_of(c.link1), node_of(c.link2));
    l.of_contact[i] = -1;
    if (!lane(c.closed, k) || at < 0) continue;
    int& island = l.of_link[top_of(l.parent, at)];
    if (island < 0) {
      island = int(l.islands.size());
      l.islands.push_back({});
    }
    l.of_contact[i] = island;
    if (lane(c.law.restitution, k) * lane(c.before[row::N], k) < -model.contact.tolerance)
      l.islands[island].strikes = true;
  }
}

// Work of the impulses with the mean velocity: of contacts, of ends of ranges and of dry friction, as book_laws has it.
template <Real S>
void measure(const Model& model, double span, int k, const Rows<S>& rows, LaneImpacts& l) {
  SINEW_ASSERT(span >= 0.0 && int(l.of_contact.size()) >= rows.n_contacts);
  for (ImpactIsland& island : l.islands) island.put_in = island.tolerated = island.turned = 0.0;
  const auto add = [](ImpactIsland& island, double P, double before, double gamma) {
    island.put_in += 0.5 * P * (before + gamma);
    island.turned += 0.5 * std::abs(P) * (std::abs(before) + std::abs(gamma));
  };
  for (int i = 0; i < rows.n_contacts; i++) {
    if (l.of_contact[i] < 0) continue;
    const ContactRow<S>& c = rows.contact[i];
    ImpactIsland& island = l.islands[l.of_contact[i]];
    for (int r = 0; r < row::count; r++) {
      const double P = lane(c.P[r], k) - (r == row::N ? lane(c.pull, k) * span : 0.0);
      add(island, P, lane(c.before[r], k), lane(c.gamma[r], k));
    }
    island.tolerated += lane(c.P[row::N], k) * model.contact.tolerance;
  }
  for (int i = 0; i < rows.n_axes; i++) {
    const AxisRow<S>& a = rows.axis[i];
    if (!lane(a.closed, k) || model.axis_rows[a.index].kind == AxisRowInfo::Kind::Servo) continue;
    const int island = l.of_link[top_of(l.parent, model.robot[a.link2 >= 0 ? a.link2 : a.link1])];
    if (island >= 0) add(l.islands[island], lane(a.P, k), lane(a.before, k), lane(a.gamma, k));
  }
  for (ImpactIsland& island : l.islands) island.tolerated += 1e-13 * island.turned;
}

// One more point of the search; false: the present share is the answer.
bool search(ImpactIsland& i) {
  SINEW_ASSERT(i.low <= i.high && i.share >= 0.0 && i.share <= 1.0);
  using Phase = ImpactIsland::Phase;
  const bool makes = i.put_in > i.tolerated;
  const auto answer = [&i] {
    i.phase = Phase::Done;
    return false;
  };
  const auto go_to = [&i](Phase phase, double share) {
    i.phase = phase;
    i.share = share;
    i.tries++;
    return true;
  };
  switch (i.phase) {
    case Phase::First:
      if (!i.strikes || !makes) return answer();
      i.at_high = i.put_in;
      return go_to(Phase::Plastic, 0.0);
    case Phase::Plastic:  // forces of the step, not the impact, may put in a little
      if (makes) return answer();
      i.at_low = i.put_in;
      break;
    case Phase::Search:
      if (makes) {
        if (i.last_side > 0) i.at_low *= 0.5;
        i.high = i.share;
        i.at_high = i.put_in;
        i.last_side = 1;
      } else {
        if (i.put_in >= -exact_enough * i.turned - i.tolerated) return answer();
        if (i.last_side < 0) i.at_high *= 0.5;
        i.low = i.share;
        i.at_low = i.put_in;
        i.last_side = -1;
      }
      break;
    case Phase::Last:
    case Phase::Done:
      return answer();
  }
  const double width = i.high - i.low;
  if (i.tries >= most_tries || !(width > 1e-14)) return i.share == i.low ? answer() : go_to(Phase::Last, i.low);
  double part = i.at_low / (i.at_low - i.at_high);  // at_low <= 0 < at_high
  if (!(part > 0.0 && part < 1.0) || i.tries > most_tries / 2) part = 0.5;
  return go_to(Phase::Search, i.low + part * width);
}

}  // namespace

template <Real S>
void find_impact_islands(const Model& model, Mask<S> which, Rows<S>& rows, ImpactWork<S>& work) {
  SINEW_ASSERT(int(work.bias.size()) >= rows.n_contacts && work.node.size() == model.links.size());
  for (int i = 0; i < rows.n_contacts; i++) {
    const ContactRow<S>& c = rows.contact[i];
    work.bias[i] = c.bias - c.law.restitution * min(c.before[row::N], S(0.0));
  }
  for (int k = 0; k < lanes_of<S>; k++)
    if (lane(which, k)) group(model, k, rows, work.node, work.lanes[k]);
}

template <Real S>
Mask<S> choose_shares(const Model& model, double span, Mask<S> which, Rows<S>& rows, ImpactWork<S>& work) {
  Mask<S> again = mask_of<S>(false);
  for (int k = 0; k < lanes_of<S>; k++) {
    if (!lane(which, k)) continue;
    LaneImpacts& l = work.lanes[k];
    measure(model, span, k, rows, l);
    bool some = false;
    for (ImpactIsland& island : l.islands)
      if (search(island)) some = true;
    set_lane(again, k, some);
    for (int i = 0; i < rows.n_contacts && some; i++) {
      if (l.of_contact[i] < 0) continue;
      ContactRow<S>& c = rows.contact[i];
      const double e = lane(c.law.restitution, k) * l.islands[l.of_contact[i]].share;
      set_lane(c.bias, k, lane(work.bias[i], k) + e * std::min(lane(c.before[row::N], k), 0.0));
    }
  }
  return again;
}

#define SINEW_INSTANTIATE_REBOUND(S)                                                  \
  template void find_impact_islands(const Model&, Mask<S>, Rows<S>&, ImpactWork<S>&); \
  template Mask<S> choose_shares(const Model&, double, Mask<S>, Rows<S>&, ImpactWork<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_REBOUND)

}  // namespace sinew
