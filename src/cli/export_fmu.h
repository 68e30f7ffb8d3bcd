// sinew export SCENARIO --fmu FILE.fmu.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

struct FmuArguments {
  std::string scenario, file, as;  // as: empty, robot or controller
  std::vector<std::string> sets;
  std::optional<std::int64_t> version;
};

// Throws InputError, FileError.
void export_fmu(const FmuArguments& arguments);

}  // namespace cli
