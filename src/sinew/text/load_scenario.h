// Scenario files: TOML -> Experiment, checked as a whole.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/sim/experiment.h"
#include "sinew/text/load_model.h"

namespace sinew::text {

// How robots of other programs are read, and what there is to tell about them: docs/import.md.
struct LoadOptions {
  ModelOptions model = {};
  std::vector<std::string>* notes = nullptr;
};

// What a scenario's file says; a robot's file stands for a scenario with that robot on a plane. Throws FileError.
std::string scenario_text(const std::string& file);

// Reads a scenario, or the file of a robot, which is a scenario with that robot on a plane; puts "KEY=VALUE" texts over it and compiles it; KEY is dotted, or its last parts where these are unique.
// Throws InputError with every problem found, FileError if the file cannot be read.
sim::Experiment load_experiment(const std::string& file, const std::string& name,
                                std::span<const std::string> sets = {}, const LoadOptions& options = {});
sim::Experiment parse_experiment(std::string_view text, const std::string& file, std::span<const std::string> sets = {},
                                 const LoadOptions& options = {});

// The scenario alone, to be changed before it is compiled again; checked as above.
sim::Scenario load_scenario(const std::string& file, const std::string& name, std::span<const std::string> sets = {});
sim::Scenario parse_scenario(std::string_view text, const std::string& file, std::span<const std::string> sets = {});

// The same without compiling it: enough for titles and names of results.
sim::Scenario read_header(const std::string& file, const std::string& name);
sim::Scenario parse_header(std::string_view text, const std::string& file);

}  // namespace sinew::text
