// The outcome of a run as one JSON object.
#pragma once
#include <string>

#include "sinew/io/run.h"

namespace sinew::io {

// wall_s: time the run took on the clock [s]. Numbers that are not finite become null.
std::string to_json(const RunResult& result, double wall_s, const std::string& version);

}  // namespace sinew::io
