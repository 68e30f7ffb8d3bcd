// robot.file of a scenario: the robot of another program's file is put under the scenario, whose own keys have the last word.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "sinew/text/document.h"

namespace sinew::text {

struct ModelOptions {
  bool strict = false;           // warnings are errors
  bool without_meshes = false;   // shapes made of mesh files are left out
  bool trust = false;            // native code of others may run: [control] fmu
  bool meshes_may_miss = false;  // a body that needs a mesh that is not there is no error
};

// The scenario text that stands for a robot's file alone.
std::string scenario_around(const std::string& model_file);

// The --set texts that are left, once those have been taken that say which robot it is and how it is read.
std::vector<std::string> take_model_sets(std::span<const std::string> sets, Document& document);

// What there is to tell, numbered. Problems are added to `problems`.
std::vector<std::string> take_model(Document& document, const std::string& folder, const ModelOptions& options,
                                    std::vector<std::string>& problems);

}  // namespace sinew::text
