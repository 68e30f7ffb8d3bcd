// Group: the robots of one register, or each by itself where they cannot share one. The same bits either way.
//   in lanes    World<Lanes>: one clock, so all begin together, unless nothing of the robot depends on the time
//   riding      a sim::Simulation each for a controller of the scenario and its sensors, and one step for all whose clocks agree (riders.h)
//   alone       a sim::Simulation each: robots with equations of their own, models that differ, clocks that differ
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sinew/batch/riders.h"
#include "sinew/model/lane_params.h"
#include "sinew/sim/simulation.h"
#include "sinew/world/sense.h"

namespace sinew {

// How a robot begins.
struct RobotStart {
  Params<double> params;
  State<double> state;
  EnergyWatch watch;
  bool shares = false;  // lanes with the others
};

// What is the same for all robots of a batch.
struct BatchPlan {
  std::shared_ptr<const sim::Experiment> experiment;
  std::shared_ptr<const sim::Experiment> shared;  // whose model registers have: that of the first robot
  std::function<std::shared_ptr<const sim::Experiment>(int robot)> experiment_of;  // with the robot's own numbers
  bool in_lanes = false;                                                           // the robot can run so
  bool riding = false;                                                             // or so
  Controller* controller = nullptr;                                                // in place of the scenario's own
  bool timeless = false;                                                           // nothing of it depends on the time
  int nq = 0, nu = 0, commands = 0;
};

// Why a robot was taken out.
enum class Failure : std::uint8_t { None, NotFinite, Energy, Diagnosed };

// Numbers of one robot, in arrays of all.
struct RobotRow {
  double *q, *u;
  const double* command;
  std::uint8_t* failed;
  std::int64_t *uncertified, *steps;
  Failure* failure;
  double* failed_at;  // [s]
};

// What a thread needs to step robots and to look at them: made once for each. Its world lends its scratch memory to all registers that the
// thread takes, so that it stays in the processor's cache.
struct Lookout {
  Lookout(const World<double>& of, bool in_lanes);
  std::optional<World<Lanes>> wide;
  World<double> one;  // for a robot's own work and state
  Observation<double> seen;
  std::optional<Observer<Lanes>> lanes;
  Observer<double> observer;
  std::vector<MemoryPart> memory;  // of steps, for riders
};

// Values of the robots of a register.
struct Register {
  Params<Lanes> params;
  State<Lanes> state;
  Input<Lanes> input;
};

class Group {
 public:
  // Robots first to first + rows.size() - 1, at most as many as there are lanes.
  Group(const BatchPlan& plan, int first, std::vector<RobotRow> rows);

  // Those robots of the group that are marked begin anew; all of them, if it has not begun yet. starts: of each robot.
  void restart(std::span<const std::uint8_t> marked, std::span<const std::shared_ptr<const RobotStart>> starts);
  void step(int n, Lookout& lookout);
  std::uint64_t hash(int i) const;
  std::string diagnosis(int i) const;  // of one that runs alone and has failed; else empty
  int in_lanes() const;                // robots
  void evaluate(int i, std::span<const sim::Signal> signals, Lookout& lookout, std::span<double> out);

 private:
  using Starts = std::span<const std::shared_ptr<const RobotStart>>;
  int size() const { return int(rows_.size()); }
  bool all_share() const;
  void begin_in_lanes(Starts starts);
  void begin_riding(std::span<const std::uint8_t> marked);
  void begin_alone(int i);
  void leave_lanes();
  void put_start(int lane, const RobotStart& start);
  void clear(int i);
  void step_lanes(int n, Lookout& lookout);
  void step_riding(int n, Lookout& lookout);
  void free_lane(int i);
  void step_alone(int i, int n);
  void go_alone(int i, std::int64_t n);
  std::int64_t common_clock() const;
  void exchange(World<Lanes>& world);
  void look(World<Lanes>& world, Lookout& lookout);
  void fail(World<Lanes>& world, int lane, Failure why);
  void give_commands();
  void show(int i, const std::vector<double>& q, const std::vector<double>& u);

  const BatchPlan& plan_;
  int first_;
  std::vector<RobotRow> rows_;
  std::vector<std::shared_ptr<const RobotStart>> starts_;
  std::optional<Register> wide_;
  bool riding_ = false;  // wide_ has the numbers of the robots, alone_ their states
  std::optional<Sensors<Lanes>> sensors_;
  std::int64_t k_ = 0, looked_k_ = 0;  // steps of the register's clock
  std::array<EnergyWatch, lane_count> watch_;
  std::vector<std::unique_ptr<sim::Simulation>> alone_;
};

}  // namespace sinew
