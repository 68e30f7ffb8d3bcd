// Sensors: samples of a world, taken after every step (and once before the first). What a sensor remembers and what is on its way lies in its
// block of State::memory, so that snapshots, checkpoints and forks hold it; noise follows from the seed, the robot, the sensor's name and
// the number of the sample, so that nothing else changes it.
//   truth -> errors (parts/sensor/effects.h) -> sample -> delay (parts/sensor/timing.h) -> loss, stuck -> reading
// The first sample is there at once: the sensor was on before the run began.
#pragma once
#include "sinew/world/truth.h"

namespace sinew {

struct SensorRun {
  std::uint64_t seed = 0;
  std::uint32_t robot = 0;  // of a batch: of its first lane
  double step = 0.001;      // of the simulation [s]: times are met to within 1e-9 of it
};

template <Real S>
class Sensors {
 public:
  explicit Sensors(const Model& model);
  // Of the world as it is. Never allocates. frames: of this moment, if somebody has them already.
  void sample(const SensorRun& run, World<S>& world, const Frames<S>* frames = nullptr);
  bool always_ask_for_frames() const { return always_bodies_; }

 private:
  void look(const World<S>& world, double slack, bool has_frames);

  Frames<S> frames_;
  Prescribed<S> driven_;
  std::unique_ptr<Observer<S>> observer_;  // where a joint is measured that is cut
  const Observation<S>* seen_ = nullptr;
  struct Look {
    int sensor;
    bool bodies, cut, given;  // poses of bodies, coordinates of cut joints, given motions
  };
  std::vector<Look> looks_;     // what a sensor needs to be looked at when its sample is due
  bool always_bodies_ = false;  // force sensors, after every step
  std::vector<int> order_;      // of sensors: those that others are fused with first
  std::vector<double> memory_;  // of one lane
};

// What was delivered last, into arrays that are sized on the first call; joints with a sensor are read by it.
void read_samples(const Model& model, const State<double>& state, Readings& out);

}  // namespace sinew
