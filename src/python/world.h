// World: a simulation with arrays that show it. What Python is given as an array lies in vectors of the world, or of a SignalView, that never
// move; it is written anew whenever the world has moved, and whoever holds an array holds the world.
#pragma once
#include <pybind11/numpy.h>

#include <map>
#include <optional>

#include "python/bind.h"
#include "python/scenario.h"
#include "sinew/sim/no_controller.h"

namespace python {

// Numbers of a signal, or of all signals NAME.*; renewed after each step as long as somebody holds it.
struct SignalView {
  std::vector<int> signals;  // in Experiment::signals()
  std::vector<double> values;
};

// What a controller in Python is shown and gives, at times of its own (sim/schedule.h). The function itself, f(t, observation, command), is held
// by the World of Python alone, whose collector of garbage sees it: it often holds the world that asks it.
struct Asked {
  sinew::sim::Schedule schedule;
  std::vector<sinew::sim::Channel> observed, commanded;
  py::array_t<double> observation, command;
};

struct WorldOptions {
  std::uint64_t seed = 0;
  std::uint32_t robot = 0;
  bool with_results = false;  // gathers what the results of a run are made of
  bool raises = false;        // NotCertified, where a step is not solved to the tolerance
  bool controller = true;     // the scenario's own
};

class World {
 public:
  World(const Scenario& scenario, const WorldOptions& options);

  // The lock of the interpreter is given back meanwhile. controllers: pairs of an Asked and its function.
  void step(std::int64_t n, const py::list& controllers);
  double time() const { return simulation_->time(); }
  std::int64_t steps() const { return simulation_->progress().k; }
  std::int64_t uncertified() const { return simulation_->progress().solver.unconverged_steps; }
  std::string hash() const;
  sinew::sim::Progress snapshot() const { return simulation_->snapshot(); }
  void restore(const sinew::sim::Progress& progress);
  void reset();
  void set(const std::string& key, double value);
  py::dict results();
  void save_checkpoint(const std::string& file) const;
  void load_checkpoint(const std::string& file);
  void record(const std::string& file,
              double seconds);  // what would come next, with commands as they are: the world stays where it is
  double time_loop(int n);      // seconds of the clock for n calls of step(1) in C++, for bench/python.py

  std::vector<double>& q() { return q_; }
  std::vector<double>& u() { return u_; }
  std::shared_ptr<SignalView> signal(const std::string& name);
  py::list channels();
  py::object command(const std::string& name);
  void give_command(const std::string& name, const std::vector<double>& values);
  Asked prepare(const sinew::sim::Schedule& schedule, const std::vector<std::string>& observed,
                const std::vector<std::string>& commanded);
  bool has_own_controller() const { return options_.controller && simulation_->has_controller(); }
  const sinew::sim::Simulation& simulation() const { return *simulation_; }

 private:
  const sinew::sim::Channel& command_channel(const std::string& name);
  sinew::sim::Channel find_command(const std::string& name);
  std::vector<sinew::sim::Channel> find_observed(const std::string& name);
  void ask(Asked& asked, const py::handle& function);
  std::int64_t ask_all(const py::list& controllers, std::int64_t target);
  bool go_to(std::int64_t k, bool is_end);
  void check_free() const;
  void refresh();

  std::optional<sinew::sim::NoController> nobody_;
  std::unique_ptr<sinew::sim::Simulation> simulation_;
  WorldOptions options_;
  std::vector<double> q_, u_;
  std::vector<std::weak_ptr<SignalView>> views_;
  std::map<std::string, sinew::sim::Channel, std::less<>> commands_;  // found so far
  bool moving_ = false;                                               // inside step()
  bool unlocked_ = false;  // another thread may be here while the library works
};

}  // namespace python
