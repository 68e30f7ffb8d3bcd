// The outcome of a run as one JSON object.
#pragma once
#include <string>

#include "sinew/sim/run.h"

namespace sinew::report {

// wall_s: time the run took on the clock [s]; recording: its path, empty if there is none. Numbers that are not finite
// become null.
std::string to_json(const sim::RunResult& result, double wall_s, const std::string& version,
                    const std::string& recording);

}  // namespace sinew::report
