// The sub-commands. Each returns the exit code of the program; bad input and file errors come as exceptions.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

enum ExitCode { done = 0, internal_error = 1, bad_input = 2, failed = 3, file_error = 4, interrupted = 130 };

struct ListArguments {
  bool json = false;
};
int list(const ListArguments& arguments);

struct ShowArguments {
  std::string scenario;
  std::vector<std::string> sets;
  bool signals = false;  // what can be reported, instead of the scenario
  bool keys = false;     // all keys there are, as tables
};
int show(const ShowArguments& arguments);

struct RunArguments {
  std::string scenario;
  std::vector<std::string> sets;
  std::optional<double> until;
  std::optional<std::int64_t> seed;
  bool json = false, quiet = false;
};
int run(const RunArguments& arguments);

struct CheckArguments {
  std::string file;
};
int check(const CheckArguments& arguments);

// Folder of the built-in scenarios: SINEW_SCENARIOS, else beside an installed binary, else the source tree.
std::string scenario_folder();

}  // namespace cli
