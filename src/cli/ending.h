// What is left to say when a run for others (sinew bridge, sinew ethercat) is over.
#pragma once
#include "sinew/sim/run.h"

namespace cli {

// Says why it failed or where it was interrupted, unless quiet; the exit code.
int end_of_run(const sinew::sim::RunResult& result, bool quiet);

}  // namespace cli
