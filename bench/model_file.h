// A robot of a file in every simulator: what SINEW_BENCH_MODEL names, MJCF with position actuators.
#pragma once
#include <functional>
#include <memory>
#include <string>

namespace sinew::bench {

inline constexpr double model_step = 2e-3;  // [s]

class ModelPeer {
 public:
  virtual ~ModelPeer() = default;
  virtual void step(double t) = 0;
  virtual double ahead() = 0;                 // of the trunk [m]
  virtual double height() = 0;                // of it [m]
  virtual int unsolved() const { return 0; }  // steps that it did not solve, as far as it says so
};

std::string model_file();  // empty: none is named
// What the drive of a joint aims at, at a time: the same for all simulators.
double model_target(const std::string& joint, double t, bool walks);

using MakeModelPeer = std::function<std::unique_ptr<ModelPeer>(bool walks)>;
void add_model_peer(const char* name, const MakeModelPeer& make);

}  // namespace sinew::bench
