// How signals of pads that adhere are read: rows of the table in quantities.cpp.
#pragma once
#include <algorithm>
#include <cmath>

#include "sinew/sim/quantities.h"
#include "sinew/world/contacts.h"

namespace sinew::sim::quantity_table {

template <int entry>
inline double of_pad(const Moment& m, int index, int) {
  return m.world.state.pad[std::size_t(index) * pad::size + entry];
}
// Of its points: what the pull has more than what the load takes from it.
inline double pad_margin(const Moment& m, int index, int) {
  const Model& model = m.world.model();
  const State<double>& state = m.world.state;
  const double* memory = state.pad.data() + std::size_t(index) * pad::size;
  if (memory[pad::attached] == 0.0 || memory[pad::level] < 0.5 || !(state.dt > 0.0)) return INFINITY;
  double sum = 0.0;
  const auto holds = [&](int shape) {
    return shape >= 0 && std::ranges::count(model.pads_of[std::size_t(shape)], index) > 0;
  };
  for_each_slot(model, state, [&](const ShapePair& pair, int, const double* s) {
    if (s[slot::key] > 0.0 && (holds(pair.shape1) || holds(pair.shape2))) sum += s[slot::P] / state.dt;
  });
  return sum;
}

}  // namespace sinew::sim::quantity_table
