// modelDescription.xml of an exported FMU: what it is, its variables with units, and what it can do.
#pragma once
#include <span>
#include <string>

#include "sinew/fmi/variables.h"

namespace sinew::fmi {

struct Description {
  int version = 3;                    // 2 or 3
  std::string name, title, token;     // of the scenario; of its resources
  double step = 0.0, duration = 0.0;  // of the simulation [s]
  double cycle = 0.0;                 // communication step that importers begin with [s]
};

// "snake/sidewinding" -> "snake_sidewinding": the name of the library in the archive.
std::string identifier_of(const std::string& name);
std::string xml_text(std::string_view text);

std::string model_description(const Description& description, std::span<const Variable> variables);

}  // namespace sinew::fmi
