// The built-in scenarios: all .toml files under one folder; the path inside it, without .toml, is the name.
#pragma once
#include <string>
#include <vector>

namespace sinew::text {

struct ScenarioFile {
  std::string name;  // "basics/pendulum"; for a file that is not built in: the path as given
  std::string file;
};

// Sorted by name; empty when the folder does not exist.
std::vector<ScenarioFile> built_in_scenarios(const std::string& folder);

// A built-in name, a unique last part of one, or a path to a .toml file. Throws InputError, FileError.
ScenarioFile find_scenario(const std::string& wanted, const std::string& folder);

}  // namespace sinew::text
