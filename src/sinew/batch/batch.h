// Batch: many robots of one experiment, each with numbers of its own, stepped together.
//   Batch b(experiment, 4096);
//   b.set("contact.mu_long", values);    // one number a robot, or one for all
//   b.step(100);
//   b.q();                               // 4096 rows
// Four robots share a register, threads take whole registers: robot i has the bits of a sim::Simulation of its own with
// SimulationOptions::robot i, with any number of threads. Where the scenario has a controller, each robot has one of its own and steps are
// shared. Robots that cannot share a register (with equations of their own, models that differ, or clocks that differ) run one by one, with the
// same bits. One that fails is marked and left out; the others go on. A step allocates nothing, unless a robot fails in it. In lanes without a
// controller failures are numbers that are not finite and accounts of energy that do not close (world/diagnosis.h); bodies below the ground are
// looked for in the other robots alone.
#pragma once
#include <map>

#include "sinew/batch/group.h"
#include "sinew/batch/pool.h"

namespace sinew {

struct BatchOptions {
  int threads = 0;         // 0: one for each processor
  bool controller = true;  // the scenario's own, if it has one; else its robots are told what to do by command()
};

class Batch {
 public:
  // Throws InputError: it is a test bench, n is not from 1 to a million, or its commands are delayed and there is no controller.
  Batch(std::shared_ptr<const sim::Experiment> experiment, int n, const BatchOptions& options = {});
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch();

  int size() const { return n_; }
  int threads() const { return pool_.threads(); }
  int nq() const { return plan_.nq; }
  int nu() const { return plan_.nu; }
  int in_lanes() const;  // robots that share registers now
  const sim::Experiment& experiment() const { return *plan_.experiment; }

  // n steps of each robot that has not failed. Throws InputError if a command is not finite.
  void step(int n = 1);

  // Rows of numbers, robot by robot: they stay where they are. Of a robot that failed: from before.
  std::span<const double> q() const { return q_; }  // size() x nq()
  std::span<const double> u() const { return u_; }  // size() x nu()
  // What the robots are told, held until it is written over: the commands of sim::Channels. None where the scenario has a controller.
  std::span<double> command() { return command_; }
  int commands() const { return plan_.commands; }
  std::vector<std::string> command_names() const;
  std::span<const std::uint8_t> failed() const { return failed_; }
  std::span<const std::int64_t> uncertified() const { return uncertified_; }  // steps not solved to contact.tolerance
  double time(int robot) const;                                               // [s]
  std::uint64_t hash(int robot) const;
  std::string failure(int robot) const;  // why it was taken out; empty: it was not

  // A number of the scenario, by its key (sim/set_number.h): one for each robot, or one for all. Robots that are marked begin anew with it;
  // no mark at all: every robot. Throws InputError, and nothing has changed.
  void set(const std::string& key, std::span<const double> values, std::span<const std::uint8_t> marked = {});
  // Robots that are marked begin anew.
  void reset(std::span<const std::uint8_t> marked = {});

  // Signals NAME or NAME.*, as rows of all robots.
  std::vector<sim::Signal> find_signals(const std::string& name) const;
  void evaluate(std::span<const sim::Signal> signals, std::span<double> out);  // size() x signals

 private:
  std::shared_ptr<const sim::Experiment> experiment_of(int robot) const;
  std::shared_ptr<const RobotStart> start_of(const sim::Experiment& experiment) const;
  void share_model(std::shared_ptr<const sim::Experiment> experiment);
  void check_marks(std::span<const std::uint8_t> marked) const;

  BatchPlan plan_;
  bool is_controlled_ = false;  // by the scenario
  std::unique_ptr<Controller> nobody_;
  int n_;
  Pool pool_;
  std::vector<double> q_, u_, command_, failed_at_;
  std::vector<std::uint8_t> failed_;
  std::vector<std::int64_t> uncertified_, steps_;
  std::vector<Failure> failure_;
  std::map<std::string, std::vector<double>> numbers_;  // of the robots, where they differ from the scenario
  std::vector<std::shared_ptr<const RobotStart>> starts_;
  std::vector<std::unique_ptr<Lookout>> lookouts_;  // one a thread
  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace sinew
