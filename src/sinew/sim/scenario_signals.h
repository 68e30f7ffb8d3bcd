// The signals of a scenario: those of its model, and of a crowd those of the pairs that it names.
#pragma once
#include "sinew/sim/scenario.h"
#include "sinew/sim/signals.h"

namespace sinew::sim {

// Bodies of a crowd are too many for signals of all pairs. A pair has them if output.signals or a result names it in full:
// contact.ball1.ball:ball0.ball.normal.
std::vector<Signal> signals_of(const Scenario& scenario, const Model& model);

// All signals of the contact of this name and number, in signals.cpp.
void add_contact_signals(const Model& model, int pair, std::vector<Signal>& out);

}  // namespace sinew::sim
