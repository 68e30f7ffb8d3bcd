#include "sinew/sim/run_totals.h"

#include <algorithm>
#include <cmath>

namespace sinew::sim {
namespace {

// Of a crowd, whose pairs have no slots of their own: none.
double pair_of_slot(const Model& model, std::size_t slot) {
  for (std::size_t i = 0; i < model.pairs.size(); i++) {
    const auto first = std::size_t(model.pairs[i].slot);
    if (slot >= first && slot < first + std::size_t(model.pairs[i].n_slots)) return double(i + 1);
  }
  return 0.0;
}

void note_impacts(const Model& model, const State<double>& state, RunTotals& totals) {
  const double lost = state.work.impact + state.work.friction, loss = lost - totals.lost;
  totals.pushed.resize(state.contact.size() / slot::size, 0);
  const std::size_t none = totals.pushed.size();
  std::size_t first = none;
  for (std::size_t i = 0; i < totals.pushed.size(); i++) {
    const double* s = state.contact.data() + i * slot::size;
    const bool pushes = s[slot::key] > 0.0 && s[slot::P] > 0.0;
    if (pushes && !totals.pushed[i]) first = std::min(first, i);
    totals.pushed[i] = pushes;
  }
  if (first < none && loss > 1e-5 * totals.lost && totals.impact_times.size() < most_impacts) {
    totals.impact_times.push_back(state.t);
    totals.impact_losses.push_back(loss);
    totals.impact_points.push_back(model.crowd ? 0.0 : pair_of_slot(model, first));
  }
  totals.lost = lost;
}

}  // namespace

namespace {

// Sticking and sliding of penalty contacts, all together: one slides where some point does.
void add_sliding(const State<double>& state, RunTotals& totals) {
  double touching = 0.0, sliding = 0.0, deep = 0.0;
  for (const double* s = state.contact.data(); s < state.contact.data() + state.contact.size(); s += slot::size) {
    if (!(s[slot::key] > 0.0)) continue;
    touching = 1.0;
    const bool is_deep = s[slot::stick] > 1.5, sticks = s[slot::stick] - (is_deep ? 2.0 : 0.0) > 0.5;
    if (is_deep) deep++;
    if (!sticks) sliding = 1.0;
  }
  totals.deep = std::max(totals.deep, deep);
  if (touching == 0.0 || sliding == totals.sliding) return;
  if (totals.changed >= 0.0) {
    double& longest = totals.sliding > 0.0 ? totals.slip_time : totals.stick_time;
    longest = std::max(longest, state.t - totals.changed);
  }
  if (totals.sliding >= 0.0) totals.changed = state.t;
  if (sliding > 0.0) {
    totals.slide_before = totals.slide;
    totals.slide = state.t;
  }
  totals.sliding = sliding;
}

}  // namespace

void add_step(const Model& model, const StepReport& report, const State<double>& state, double dt, RunTotals& totals) {
  if (model.contact.response == Response::Penalty) add_sliding(state, totals);
  int touching = 0;
  double normal = 0.0;
  const double rate = state.dt > 0.0 ? 1.0 / state.dt : 0.0;  // impulses are those of the last part of the step
  for (const double* s = state.contact.data(); s < state.contact.data() + state.contact.size(); s += slot::size) {
    if (!(s[slot::key] > 0.0)) continue;
    touching++;
    normal += (s[slot::P] - s[slot::pull]) * rate;
    totals.penetration = std::max(totals.penetration, -s[slot::gap]);
  }
  if (!state.contact.empty()) note_impacts(model, state, totals);
  totals.normal += normal * dt;
  if (std::abs(normal - totals.weight) > 0.01 * totals.weight) totals.settled = state.t;
  totals.contacts += touching * dt;
  totals.outside = std::max(totals.outside, report.outside);
  totals.friction = std::max(totals.friction, report.friction);
  totals.torque = std::max(totals.torque, report.torque);
  for (const DriveInfo& d : model.drives)
    totals.through += std::abs(state.memory[std::size_t(d.memory + drive::memory::power)]) * dt;
  if (report.saturated) totals.saturated += dt;
}

}  // namespace sinew::sim
