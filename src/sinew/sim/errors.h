// What can be wrong with a user's input, for programs that must tell the kinds apart (exit codes 2 and 4).
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace sinew {

// Bad input: every problem found, each as "PLACE: WHAT: HOW TO FIX".
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<std::string> list)
      : std::runtime_error(list.empty() ? "bad input" : list.front()), problems(std::move(list)) {}
  explicit InputError(std::string problem) : InputError(std::vector<std::string>{std::move(problem)}) {}
  std::vector<std::string> problems;
};

}  // namespace sinew
