// Simulation: a scenario that runs without an end, can be pushed, and whose live parameters can be changed on the way. No
// threads and no clocks: see session.h for those.
#pragma once
#include <functional>
#include <optional>

#include "sinew/sim/scenario.h"
#include "sinew/world/diagnosis.h"
#include "view/parameters.h"
#include "view/push.h"

namespace sinew::view {

class Simulation {
 public:
  using Load =
      std::function<sim::Scenario(const std::string& name, const std::vector<std::string>& sets, sim::Purpose)>;

  // Throws as load does.
  Simulation(const std::string& name, const std::vector<std::string>& sets, Load load);

  const sim::Scenario& scenario() const { return scenario_; }
  const World<double>& world() const { return world_; }
  const Observation<double>& seen() { return observer_->observe(world_); }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  double balance_error() { return seen().balance_error; }

  // So many steps. If one fails, the world is left as before that step, and the answer says why. A run that is left alone gives
  // the same bits as sim::run().
  std::optional<Diagnosis> advance(int steps);

  // To the start, with the present parameters. Throws InputError if they allow none; then nothing has changed.
  void reset();

  struct Change {
    std::string key;
    double value;
  };
  // Goes on from the present state with other numbers; given motions pass over to the new ones smoothly, see go_on().
  // Whether a run could start with them is not asked. Energy that the change itself brings or takes is no error of the
  // simulation: the account begins anew with it. Returns which of parameters() have another value now. Throws
  // InputError; then nothing has changed.
  std::vector<std::size_t> set(std::span<const Change> changes);

  void push(const std::string& body, const Vec3d& point_B, const Vec3d& target);  // throws InputError
  void release();

 private:
  void begin();
  StepReport step();
  std::optional<Diagnosis> try_steps(int steps);
  Account judge(const StepReport& report, int steps);  // steps: since the last time
  std::vector<std::string> sets_with(std::span<const Change> changes) const;
  void take(sim::Scenario scenario, World<double> world);

  std::string name_;
  std::vector<std::string> sets_;  // the user's, then one for each live key that was changed
  std::size_t own_sets_;           // so many of them are the user's
  Load load_;
  sim::Scenario scenario_;
  World<double> world_;
  std::vector<Motion<double>> planned_;  // motions as the scenario has them; world_.params.motions are shifted
  std::optional<Observer<double>> observer_;
  std::unique_ptr<Controller> controller_;
  Readings readings_;
  Hand hand_;
  std::optional<Push> push_;
  std::vector<Parameter> parameters_;
  EnergyWatch watch_;
  struct Sound {
    State<double> state;
    std::vector<double> torque;  // given by the controller
    EnergyWatch watch;
    std::int64_t k = 0;
  } sound_;               // the last moment at which the account was in order
  std::int64_t k_ = 0;    // steps done
  int since_change_ = 0;  // of them, since the last change of parameters; no more than 64
};

// The motion `next` in place of `now`, from time t on. Another frequency changes how it goes on, not where it is: the phase
// is shifted so that 2 pi f t + phase stays the same, and the offset so that offset + rate t does. One that still waits starts at
// the angle 2 pi f t + phase at which next does. What is left between the two fades within passage_time(), so that neither
// position, velocity nor acceleration jumps. planned, next: as the scenario has them, without the shifts of earlier changes.
Motion<double> go_on(const Motion<double>& now, const Motion<double>& planned, const Motion<double>& next, double t);

// A quarter of the period, so that the passage is no faster than the motion itself; from 0.1 to 0.5 s, for a slider wants an
// answer.
double passage_time(const Motion<double>& next);

}  // namespace sinew::view
