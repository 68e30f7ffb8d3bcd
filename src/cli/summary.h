// What a person reads after a run.
#pragma once
#include <string>

#include "sinew/io/run.h"

namespace cli {

// recording: its path; empty: there is none
std::string summary(const sinew::io::Scenario& scenario, const sinew::io::RunResult& result, double wall_s,
                    const std::string& recording);

}  // namespace cli
