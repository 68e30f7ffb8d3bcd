// Scratch of impacts and of friction pyramids.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "sinew/model/model.h"
#include "sinew/solve/pyramid.h"

namespace sinew {

struct ImpactCandidate {
  int contact;  // of the problem
  double gap, restitution;
};

// Robots that touch one another, and the share of its restitution that each impact among them gets (step/rebound.h).
struct ImpactIsland {
  enum class Phase { First, Plastic, Search, Last, Done };
  Phase phase = Phase::First;
  double share = 1.0;                  // that is being tried
  double low = 0.0, high = 1.0;        // contacts take energy out; put it in
  double at_low = 0.0, at_high = 0.0;  // what they put in there, as the search sees it [J]
  int last_side = 0, tries = 0;        // -1: the last try was low, 1: high
  bool strikes = false;                // some contact comes in and has a restitution
  // of the present try: what contacts put in, how much of it the solver's tolerance explains, sum of |work| [J]
  double put_in = 0.0, tolerated = 0.0, turned = 0.0;
};

struct LaneImpacts {            // of one robot of a batch
  std::vector<int> parent;      // per link: union of robots
  std::vector<int> of_link;     // island of a root; -1: none
  std::vector<int> of_contact;  // of each row
  std::vector<ImpactIsland> islands;
};

template <Real S>
struct ImpactWork {
  std::vector<ImpactCandidate> order;
  PyramidSolver pyramid;
  std::vector<int> node;         // per link: the robot that it belongs to; -1: it is led, and as fixed as the world
  std::vector<S> bias;           // of each contact: without restitution [m/s]
  std::vector<S> kept_bias;      // of each contact: while it is struck [m/s]
  std::vector<S> u_free, cut_P;  // velocities and impulses of cut joints before the laws act
  std::array<LaneImpacts, std::size_t(lanes_of<S>)> lanes;

  explicit ImpactWork(const Model& model) {
    if (model.contact.response == Response::Penalty || model.n_slots == 0) return;
    u_free.resize(model.nu);
    cut_P.resize(model.n_rows);
    if (is_impulsive(model.contact.response)) {
      kept_bias.resize(model.n_slots);
      order.reserve(model.n_slots);
    }
    if (model.contact.impact == ImpactLaw::Newton) return;
    bias.resize(model.n_slots);
    std::vector<char> moves(model.links.size(), 0);
    for (int i = 0; i < model.link_count(); i++)
      if (!model.links[i].driven && joint::freedom_count(model.links[i].kind) > 0) moves[model.robot[i]] = 1;
    for (const int robot : model.robot) node.push_back(moves[robot] ? robot : -1);
    for (LaneImpacts& lane : lanes) {
      lane.parent.resize(model.links.size());
      lane.of_link.resize(model.links.size());
      lane.of_contact.resize(model.n_slots);
      lane.islands.reserve(std::min<std::size_t>(model.links.size(), model.n_slots));
    }
  }
};

}  // namespace sinew
