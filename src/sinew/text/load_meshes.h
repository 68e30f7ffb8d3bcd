// Reads the files that shapes and ground of a plan name, and puts their meshes into it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sinew/sim/scenario.h"

namespace sinew::text {

// Paths start at `folder`. Every problem is added, said to be at place_of(key).
void load_meshes(Plan& plan, const std::string& folder, const std::function<std::string(std::string_view)>& place_of,
                 std::vector<std::string>& problems);

// A file that a plan names, seen from `folder`.
std::string path_beside(const std::string& folder, const std::string& file);
// All files that a scenario names, seen from its folder.
std::vector<std::string> files_of(const sim::Scenario& scenario);
// Paths of files that hold wherever the scenario is read again.
void make_paths_absolute(sim::Scenario& scenario);

}  // namespace sinew::text
