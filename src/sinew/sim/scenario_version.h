// The version of the scenario language that a file is written for.
#pragma once
#include <string>
#include <string_view>

namespace sinew::sim {

// Version of the scenario language: that of the first release that reads it, MAJOR.MINOR. Raised whenever something gets a
// new name; a file may say `sinew = "0.1"`, one that does not is older than that.
inline constexpr std::string_view scenario_version = "0.1";

// What is wrong with a version that a file gives; empty: nothing.
std::string problem_of_version(std::string_view version);

}  // namespace sinew::sim
