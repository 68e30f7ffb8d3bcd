// What a person reads after a run.
#pragma once
#include <string>

#include "sinew/io/run.h"

namespace cli {

std::string summary(const sinew::io::Scenario& scenario, const sinew::io::RunResult& result, double wall_s);

}  // namespace cli
