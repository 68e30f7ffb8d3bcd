// Keeps the signals that the figures of a case need while it runs.
#pragma once
#include <string>
#include <vector>

#include "sinew/io/cases.h"
#include "sinew/io/plot_signals.h"
#include "sinew/io/run.h"
#include "sinew/io/signals.h"

namespace sinew::validate {

class Tracer : public io::Watcher {
 public:
  explicit Tracer(const Model& model);

  // Before the run. Throws InputError at `place`: the figure names signals that the robot does not have.
  void add(const io::FigurePlan& figure, const std::string& place);

  void look(const World<double>& world) override;
  void keep() override;
  void drop() override;

  io::Traces traces() const;  // refers to this object

 private:
  std::vector<io::Signal> signals_;
  std::vector<std::size_t> kept_signals_;    // positions in signals_; the first is t
  std::vector<std::vector<double>> values_;  // of these
  std::size_t sound_ = 0;                    // moments that stay
};

}  // namespace sinew::validate
