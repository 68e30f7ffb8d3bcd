// The numbers of a scenario that may be changed while it runs, as pages see them: one entry a number, angles in degrees.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "sinew/sim/scenario.h"

namespace sinew::view {

struct Parameter {
  std::string key;  // as --set takes it; with [i] behind it: the i-th number of the key
  double value;     // infinite: no limit
  double at_start;  // when the scenario was loaded
  std::string unit, doc;
  double low, high;     // infinite: none
  std::string written;  // the key without [i]
  int component = -1;   // i
};

// Live keys (model/keys.h) that have an effect in this scenario. at_start is the present value.
std::vector<Parameter> parameters_of(const sim::Scenario& scenario);

// Takes the present values; returns the numbers of those that have changed.
std::vector<std::size_t> update(const sim::Scenario& scenario, std::vector<Parameter>& parameters);

// "KEY=VALUE" that gives the parameter another value; one of several numbers keeps the others.
std::string set_text(std::span<const Parameter> all, const Parameter& parameter, double value);

}  // namespace sinew::view
