#include "sinew/io/tally.h"

#include <algorithm>
#include <cmath>

namespace sinew::io {
namespace {

// Of a crowd, whose pairs have no slots of their own: none.
double pair_of_slot(const Model& model, std::size_t slot) {
  for (std::size_t i = 0; i < model.pairs.size(); i++) {
    const auto first = std::size_t(model.pairs[i].slot);
    if (slot >= first && slot < first + std::size_t(model.pairs[i].n_slots)) return double(i + 1);
  }
  return 0.0;
}

void note_impacts(const Model& model, const State<double>& state, Tally& tally) {
  const double lost = state.work.impact + state.work.friction, loss = lost - tally.lost;
  tally.pushed.resize(state.contact.size() / slot::size, 0);
  const std::size_t none = tally.pushed.size();
  std::size_t first = none;
  for (std::size_t i = 0; i < tally.pushed.size(); i++) {
    const double* s = state.contact.data() + i * slot::size;
    const bool pushes = s[slot::key] > 0.0 && s[slot::P] > 0.0;
    if (pushes && !tally.pushed[i]) first = std::min(first, i);
    tally.pushed[i] = pushes;
  }
  if (first < none && loss > 1e-5 * tally.lost && tally.impact_times.size() < most_impacts) {
    tally.impact_times.push_back(state.t), tally.impact_losses.push_back(loss);
    tally.impact_points.push_back(model.crowd ? 0.0 : pair_of_slot(model, first));
  }
  tally.lost = lost;
}

}  // namespace

namespace {

// Sticking and sliding of penalty contacts, all together: one slides where some point does.
void add_sliding(const State<double>& state, Tally& tally) {
  double touching = 0.0, sliding = 0.0, deep = 0.0;
  for (const double* s = state.contact.data(); s < state.contact.data() + state.contact.size(); s += slot::size) {
    if (!(s[slot::key] > 0.0)) continue;
    touching = 1.0;
    const bool is_deep = s[slot::stick] > 1.5, sticks = s[slot::stick] - (is_deep ? 2.0 : 0.0) > 0.5;
    if (is_deep) deep++;
    if (!sticks) sliding = 1.0;
  }
  tally.deep = std::max(tally.deep, deep);
  if (touching == 0.0 || sliding == tally.sliding) return;
  if (tally.changed >= 0.0) {
    double& longest = tally.sliding > 0.0 ? tally.slip_time : tally.stick_time;
    longest = std::max(longest, state.t - tally.changed);
  }
  if (tally.sliding >= 0.0) tally.changed = state.t;
  if (sliding > 0.0) tally.slide_before = tally.slide, tally.slide = state.t;
  tally.sliding = sliding;
}

}  // namespace

void add_step(const Model& model, const StepReport& report, const State<double>& state, double dt, Tally& tally) {
  if (model.contact.response == Response::Penalty) add_sliding(state, tally);
  int touching = 0;
  double normal = 0.0;
  const double rate = state.dt > 0.0 ? 1.0 / state.dt : 0.0;  // impulses are those of the last part of the step
  for (const double* s = state.contact.data(); s < state.contact.data() + state.contact.size(); s += slot::size) {
    if (!(s[slot::key] > 0.0)) continue;
    touching++;
    normal += (s[slot::P] - s[slot::pull]) * rate;
    tally.penetration = std::max(tally.penetration, -s[slot::gap]);
  }
  if (!state.contact.empty()) note_impacts(model, state, tally);
  tally.normal += normal * dt;
  if (std::abs(normal - tally.weight) > 0.01 * tally.weight) tally.settled = state.t;
  tally.contacts += touching * dt;
  tally.outside = std::max(tally.outside, report.outside);
  tally.friction = std::max(tally.friction, report.friction);
  tally.torque = std::max(tally.torque, report.torque);
  if (report.saturated) tally.saturated += dt;
}

}  // namespace sinew::io
