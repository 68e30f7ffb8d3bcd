// What stands in the resources of an exported FMU, beside meshes and tables.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "sinew/fmi/variables.h"

namespace sinew::fmi {

inline constexpr const char* scenario_resource = "scenario.toml";
inline constexpr const char* part_resource = "part.txt";

// part.txt: a line each.
struct PartFile {
  Part part = Part::Scenario;
  std::uint64_t seed = 0;
  std::string name;  // of the scenario
};
std::string write_part(const PartFile& part);
PartFile read_part(std::string_view text);  // throws InputError

}  // namespace sinew::fmi
