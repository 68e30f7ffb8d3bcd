// What a person reads after a run.
#pragma once
#include <string>

#include "sinew/sim/run.h"

namespace cli {

// recording: its path; empty: there is none
std::string summary(const sinew::sim::Scenario& scenario, const sinew::sim::RunResult& result, double wall_s,
                    const std::string& recording);

}  // namespace cli
