// Rows of numbers for pages: what a world shows, gathered into binary messages.
#pragma once
#include <cstdint>

#include "sinew/sim/experiment.h"
#include "view/source.h"

namespace sinew::view {

class Readout {
 public:
  explicit Readout(const sim::Experiment& experiment);

  // What output.signals chooses, and all that is drawn. Of very many signals only the latter and those of the whole robot.
  const std::vector<sim::Signal>& signals() const { return signals_; }
  // More than so many rows a second would be a burden and show nothing new.
  double most_rows() const;  // [1/s]

  void add(const World<double>& world, const Observation<double>& seen);
  Rows take(std::uint32_t generation);  // what was added since the last time; nullptr: nothing

 private:
  std::vector<sim::Signal> signals_;
  std::vector<double> rows_;
};

}  // namespace sinew::view
