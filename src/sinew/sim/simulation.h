// Simulation: an experiment that runs. The one loop: runs, views, validations and programs of others are clients of it.
//   Simulation s(Experiment(scenario));
//   while (s.time() < 5.0) {
//     s.set("joint.knee.torque", -20.0 * s.get("joint.knee.q"));
//     s.step();
//   }
// No threads, clocks or files. Left alone it gives the bits of run().
#pragma once
#include <limits>
#include <optional>

#include "sinew/sim/channels.h"
#include "sinew/sim/experiment.h"
#include "sinew/sim/progress.h"
#include "sinew/sim/push.h"
#include "sinew/sim/results.h"
#include "sinew/sim/watcher.h"
#include "sinew/world/diagnosis.h"
#include "sinew/world/sense.h"

namespace sinew::sim {

struct SimulationOptions {
  double end = std::numeric_limits<double>::infinity();  // a last, shorter step ends exactly there [s]
  bool with_results = false;  // totals, statistics and snapshots, of which the results of a run are made
  Watcher* watcher = nullptr;
  const Progress* from = nullptr;  // where to go on; of the same experiment but for its end
  std::uint32_t robot = 0;         // its number among those with the same seed: noise of sensors follows from both
  // In place of the experiment's own, by the same schedule; it outlives the simulation. It may be a foreign one, which cannot go back:
  // it is asked once for each tick, and nobody goes back beyond the last one.
  Controller* controller = nullptr;
};

class Simulation {
 public:
  explicit Simulation(Experiment experiment);  // throws InputError if it is a test bench
  Simulation(std::shared_ptr<const Experiment> experiment, const SimulationOptions& options = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  const Experiment& experiment() const { return *experiment_; }
  const Scenario& scenario() const { return experiment_->scenario; }
  const World<double>& world() const { return world_; }
  double time() const { return world_.state.t; }
  bool has_controller() const { return controller_ != nullptr; }  // it writes over commands
  const Observation<double>& seen(Look look = Look::All);         // of the world as it is now
  double balance_error() { return seen().balance_error; }
  std::uint64_t hash() const { return sinew::hash(world_.state); }

  // So many steps, or up to the end. If one fails, all is left as it was in the last sound moment, and the answer says why; there is
  // no way on then but back, by restore() or reset(), or with other numbers.
  std::optional<Diagnosis> step(int n = 1);

  // One step without the look at the end, which costs more than a step; it is looked at now and then. After one that fails it goes back
  // to the last sound moment and from there step by step, until is_over().
  void advance() { advance(false); }
  // The same in two parts, for who steps several worlds in one register (batch/together.h): before_step() gives the length of the step [s];
  // then stepping() is moved by it, and after_step() gets the report.
  double before_step();
  void after_step(const StepReport& report) { after_step(report, false); }
  World<double>& stepping() { return world_; }
  bool is_over() const { return now_.k >= n_steps_ || diagnosis_; }
  bool is_last() const { return now_.k + 1 == n_steps_; }
  bool is_whole() const {
    return double(now_.k) * scenario().step == time();
  }                                                       // not in the middle of a step of its length
  bool is_sound() const { return good_.k == now_.k; }     // has been looked at, and all was in order
  bool check() { return check({}) == Account::InOrder; }  // looks now
  void finish();                                          // what is left to be seen at the end
  const std::optional<Diagnosis>& diagnosis() const { return diagnosis_; }
  const Progress& progress() const { return now_; }
  std::vector<ResultValue> results();  // with_results only

  // All that changes, to go back to it or to go on from it in another simulation of the same experiment.
  Progress snapshot() const;
  void restore(const Progress& progress);

  // By name or by channel, see channels.h. A name is that of a reading before that of a signal, and of a command before that of a
  // parameter. Commands are held until they are given again; where a controller is at work, it writes over them. Throws InputError.
  const Channels& channels();
  Channel reading(std::string_view name);
  Channel command(std::string_view name);
  double get(const Channel& channel, int i = 0);
  double get(std::string_view name);
  void set(const Channel& channel, double value, int i = 0);
  void set(std::string_view name, double value);

  // To the start, with the present parameters. Throws InputError if they allow none; then nothing has changed.
  void reset();

  struct Change {
    std::string key;
    double value;
  };
  const std::vector<Parameter>& parameters();
  // Goes on from the present state with other numbers; given motions pass over to the new ones smoothly, see go_on(). Whether a run
  // could start with them is not asked. Energy that the change itself brings or takes is no error of the simulation: the account begins
  // anew with it. Returns which of parameters() have another value now. Throws InputError; then nothing has changed.
  std::vector<std::size_t> set(std::span<const Change> changes);

  void push(const std::string& body, const Vec3d& point_B, const Vec3d& target);  // throws InputError
  void release();

 private:
  double time_of(std::int64_t k) const { return k >= n_steps_ ? end_ : double(k) * scenario().step; }
  Sight sight() {
    return {world_, [this](Look look) -> const Observation<double>& { return seen(look); }};
  }
  void begin();
  void advance(bool looks);
  double length_of_step() const;
  void after_step(const StepReport& report, bool looks);
  void control(double t);
  void sample_sensors();
  Controller* immediate_controller() const { return scenario().schedule.is_every_step() ? own_.get() : nullptr; }
  void let_watch();
  bool is_check_due() const;
  Account check(const StepReport& report);
  Sunk find_sunk(const World<double>& world, const Observation<double>& seen);
  void fail(const StepReport& report, Account found, double dt);
  void hold_to_input();
  void go_back(const Progress& to);
  std::vector<std::size_t> pass_over(std::shared_ptr<const Experiment> experiment, const std::string& change);
  void take(std::shared_ptr<const Experiment> experiment, World<double> world, std::unique_ptr<Controller> controller);
  std::span<double> delayed() { return std::span(world_.state.memory).subspan(delay_at_, delay_size_); }

  std::shared_ptr<const Experiment> experiment_;
  double end_;
  std::uint32_t robot_;
  Watcher* watcher_;
  World<double> world_;
  std::optional<Observer<double>> observer_;
  const Observation<double>* seen_ = nullptr;  // nullptr: of another moment
  Look looked_ = Look::Nothing;                // how much of it is known
  GroundWatch ground_;
  Controller* foreign_;                     // nullptr: the controller is the experiment's own
  std::int64_t asked_k_ = -1;               // steps done when a foreign one was asked last
  std::unique_ptr<Controller> own_;         // of the experiment
  Controller* controller_ = nullptr;        // one of these two, or none
  std::optional<Sensors<double>> sensors_;  // none: the robot has none
  Readings readings_;
  Input<double> commanded_;                    // by a controller whose commands are on their way
  std::vector<double> on_the_way_;             // commands as one list
  std::size_t delay_at_ = 0, delay_size_ = 0;  // of delay_block in State::memory
  std::optional<Results> results_;
  std::int64_t n_steps_;
  Progress now_, good_;                       // present; last one that passed the check
  bool is_told_ = false;                      // a command has come from outside since the last step
  bool every_step_ = false;                   // looking for the step that failed
  std::int64_t looked_k_ = 0, failed_k_ = 0;  // steps done at the last check; at the one that failed
  std::int64_t from_k_ = 0;                   // steps done when it began, or its numbers were changed
  std::optional<Diagnosis> diagnosis_;
  Hand hand_;
  std::optional<Push> push_;
  std::vector<Motion<double>> planned_;  // motions as the scenario has them; world_.params.motions are shifted
  std::vector<Parameter> parameters_;    // empty: nobody has asked yet
  std::optional<Channels> channels_;
};

// The motion `next` in place of `now`, from time t on. Another frequency changes how it goes on, not where it is: the phase
// is shifted so that 2 pi f t + phase stays the same, and the offset so that offset + rate t does. One that still waits starts at
// the angle 2 pi f t + phase at which next does. What is left between the two fades within passage_time(), so that neither
// position, velocity nor acceleration jumps. planned, next: as the scenario has them, without the shifts of earlier changes.
Motion<double> go_on(const Motion<double>& now, const Motion<double>& planned, const Motion<double>& next, double t);

// A quarter of the period, so that the passage is no faster than the motion itself; from 0.1 to 0.5 s, for a slider wants an
// answer.
double passage_time(const Motion<double>& next);

}  // namespace sinew::sim
