// Scenarios and keys as text for people: complete TOML, and tables for the documentation.
#pragma once
#include <string>

#include "sinew/sim/experiment.h"

namespace sinew::text {

// Every key with its value; a comment gives unit, meaning and default. Read back, it is the same scenario.
std::string show(const sim::Scenario& scenario);

// The same with paths that hold wherever it is read: for recordings and checkpoints.
std::string show_to_store(const sim::Scenario& scenario);

// The signals of an experiment, or what a test bench measures: name, unit, description.
std::string show_signals(const sim::Experiment& experiment);

// Every key there is, as Markdown tables.
std::string key_tables();

}  // namespace sinew::text
