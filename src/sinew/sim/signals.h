// Signals: everything of a world that can be reported, recorded or plotted, by name.
//   body.NAME.p.x   joint.NAME.q   contact.NAME.normal   energy.kinetic   com.p.x   momentum.linear.x   loops.gap   t   ...
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/sim/quantities.h"

namespace sinew::sim {

struct Signal {
  std::string name, unit, description;
  const Quantity* quantity;
  int index = 0;      // of the body, joint or contact
  int component = 0;  // of the vector
};

std::vector<Signal> signals_of(const Model& model);

Look look_for(const Signal& signal);  // what evaluate() reads of an observation
double evaluate(const Signal& signal, const World<double>& world, const Observation<double>& seen);
void evaluate(std::span<const Signal> signals, const World<double>& world, const Observation<double>& seen,
              std::span<double> values);

// Positions in the list of the signal of this name, or of all signals NAME.*; empty: there is none.
std::vector<int> find_signals(std::span<const Signal> signals, std::string_view name);

// Those of the list that are meant by names, groups or wildcards, in the list's order; the time is always among them.
// Throws InputError at `place`.
std::vector<Signal> select_signals(std::vector<Signal> all, std::span<const std::string> wanted,
                                   const std::string& place = "output.signals");

// "did you mean ...?" for a name that is none.
std::string suggest_signals(std::span<const Signal> signals, std::string_view name);

}  // namespace sinew::sim
