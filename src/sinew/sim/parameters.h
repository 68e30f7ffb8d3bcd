// The numbers of a scenario that may be changed while it runs, as people see them: one entry a number, angles in degrees.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "sinew/sim/scenario.h"

namespace sinew::sim {

struct Parameter {
  std::string key;  // as --set takes it; with [i] behind it: the i-th number of the key
  double value;     // infinite: no limit
  double at_start;  // when the scenario was loaded
  std::string unit, doc;
  double low, high;  // infinite: none
};

// Live keys (model/keys.h) that have an effect in this scenario. at_start is the present value.
std::vector<Parameter> parameters_of(const Scenario& scenario);

// Takes the present values; returns the numbers of those that have changed.
std::vector<std::size_t> update(const Scenario& scenario, std::vector<Parameter>& parameters);

// Gives one of them another value, as if the scenario's file had it: what follows from it, follows. Throws InputError; the scenario is
// then of no use.
void set_parameter(Scenario& scenario, const std::string& key, double value);

}  // namespace sinew::sim
