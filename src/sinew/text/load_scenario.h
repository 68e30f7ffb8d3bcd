// Scenario files: TOML -> Scenario, checked as a whole.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "sinew/sim/scenario.h"

namespace sinew::text {

// Reads a scenario and puts "KEY=VALUE" texts over it; KEY is dotted, or its last parts where these are unique.
// Throws InputError with every problem found, FileError if the file cannot be read.
sim::Scenario load_scenario(const std::string& file, const std::string& name, std::span<const std::string> sets = {},
                            sim::Purpose purpose = sim::Purpose::Start);
sim::Scenario parse_scenario(std::string_view text, const std::string& file, std::span<const std::string> sets = {},
                             sim::Purpose purpose = sim::Purpose::Start);

// The same without compiling the plan: enough for titles and names of results.
sim::Scenario read_header(const std::string& file, const std::string& name);

}  // namespace sinew::text
