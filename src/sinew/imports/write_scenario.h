// A robot as the text of a scenario, with a comment for every decision, and the places in its file of what it is made of.
#pragma once
#include <map>
#include <string>

#include "sinew/imports/robot.h"

namespace sinew::imports {

struct WrittenScenario {
  std::string text;
  std::map<std::string, std::string> places;  // dotted key -> "FILE:LINE"
};

// Paths of meshes are written as seen from `folder`; empty: absolute.
WrittenScenario write_scenario(const ImportedRobot& robot, const std::string& folder);

}  // namespace sinew::imports
