// A controller that is somebody else's FMU for co-simulation. The core opens no file and loads no library: what has read the archive gives
// here what it says about itself, and a function that starts it.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/control/controller.h"

namespace sinew {

// One that keeps what it remembers to itself, so that nobody can go back with it: it is asked once a tick (sim/simulation.h).
class ForeignController : public Controller {};

struct FmuVariable {
  std::string name;
  bool is_input = false, is_output = false;
};

// Which number of the robot an FMU's variable is: the offset of a reading or command (sim/channels.h).
struct FmuWire {
  int variable;  // in FmuPlan::variables
  int channel;
};
struct FmuWires {
  std::vector<FmuWire> inputs, outputs;
};

// wires, period [s]: from one tick to the next. Throws InputError, FileError.
using StartFmu = std::function<std::unique_ptr<ForeignController>(const FmuWires&, double period)>;

struct FmuPlan {
  std::string file;
  std::vector<std::string> inputs, outputs,
      parameters;                      // "VARIABLE = READING", "VARIABLE = COMMAND", "VARIABLE = NUMBER"
  std::vector<FmuVariable> variables;  // of the file
  StartFmu start;                      // none: it has not been read
  bool is_trusted = false;             // else it does not start
};

// "VARIABLE = NAME" without spaces around both; empty: it is no such text.
struct FmuPair {
  std::string_view variable, name;
};
inline FmuPair fmu_pair(std::string_view text) {
  const auto trimmed = [](std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return s;
  };
  const std::size_t at = text.find('=');
  if (at == text.npos) return {};
  const FmuPair pair{trimmed(text.substr(0, at)), trimmed(text.substr(at + 1))};
  return pair.variable.empty() || pair.name.empty() ? FmuPair{} : pair;
}

}  // namespace sinew
