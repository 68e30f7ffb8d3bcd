// Any number of a scenario, by its key: for robots that differ from one another (sinew/batch/batch.h).
#pragma once
#include <string>

#include "sinew/model/keys.h"
#include "sinew/sim/scenario.h"

namespace sinew::sim {

// The key of a number that a name means: dotted, with [i] behind it for the i-th of an array, or its last parts where these are unique; NAME_deg
// where it may be written in degrees. Throws InputError with the nearest ones.
std::string find_number(const Scenario& scenario, const std::string& name);

double number_of(const Scenario& scenario, const std::string& key);  // as the key's name says

std::string unit_of_number(const Scenario& scenario, const std::string& key);  // "deg" where the key's name says so
Range range_of_number(const Scenario& scenario, const std::string& key);       // as the key's name says

// Gives it another value, as if the scenario's file had it. key: of find_number(). Throws InputError; the scenario is then of no use.
void set_number(Scenario& scenario, const std::string& key, double value);

}  // namespace sinew::sim
