// What the files of GaitGenerator share: one tick of it.
#pragma once
#include "sinew/control/legs/gait_generator.h"

namespace sinew::legged {

// One tick.
struct GaitGenerator::Now {
  const GaitInput& in;
  GaitReport report{};
  const GaitTable& table;
  StepTiming timing;
  double stroke;                           // 0: marching
  std::array<double, most_legs> target{};  // of legs that are placed
  bool placing = false;
};

}  // namespace sinew::legged
