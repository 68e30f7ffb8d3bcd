// MuJoCo 3 as npm has it, in a process of its own: mujoco.mjs beside this file.
#pragma once
#include <memory>
#include <string>

#include "tests/support/mujoco.h"

namespace sinew::models {

class Mujoco3 {
 public:
  // folder: where npm has installed @mujoco/mujoco. Throws std::runtime_error if it does not start.
  explicit Mujoco3(const std::string& folder);

  // None, and the reason in `error`, if it cannot read it. It keeps one model at a time.
  std::unique_ptr<support::MujocoModel> read(const std::string& file, std::string& error);

  struct Process;

 private:
  std::shared_ptr<Process> process_;
};

}  // namespace sinew::models
