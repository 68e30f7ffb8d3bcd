// Keeps the signals that the figures of a case need while it runs.
#pragma once
#include <string>
#include <vector>

#include "sinew/report/plot_signals.h"
#include "sinew/sim/cases.h"
#include "sinew/sim/run.h"
#include "sinew/sim/signals.h"

namespace sinew::validate {

class Tracer : public sim::Watcher {
 public:
  explicit Tracer(const Model& model);

  // Before the run. Throws InputError at `place`: the figure names signals that the robot does not have.
  void add(const sim::FigurePlan& figure, const std::string& place);

  void look(const World<double>& world) override;
  void keep() override;
  void drop() override;

  report::Traces traces() const;  // refers to this object

 private:
  std::vector<sim::Signal> signals_;
  std::vector<std::size_t> kept_signals_;    // positions in signals_; the first is t
  std::vector<std::vector<double>> values_;  // of these
  std::size_t sound_ = 0;                    // moments that stay
};

}  // namespace sinew::validate
