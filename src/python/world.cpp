#include "python/world.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "python/interruption.h"
#include "sinew/recording.h"
#include "sinew/report/checkpoint.h"
#include "sinew/sim/nearest.h"
#include "sinew/version.h"

namespace python {
namespace {

namespace sim = sinew::sim;

[[noreturn]] void raise(const char* kind, const std::string& text) {
  const py::object error = py::module_::import("sinew._errors").attr(kind)(text);
  PyErr_SetObject(py::type::of(error).ptr(), error.ptr());
  throw py::error_already_set();
}

// An array over numbers that `owner` keeps alive; nobody writes into it.
py::array array_over(const std::vector<double>& numbers, std::vector<py::ssize_t> shape, const py::object& owner) {
  py::array out(py::dtype::of<double>(), std::move(shape), numbers.data(), owner);
  out.attr("setflags")(py::arg("write") = false);
  return out;
}

int size_of(const std::vector<sim::Channel>& channels) {
  return std::accumulate(channels.begin(), channels.end(), 0, [](int n, const sim::Channel& c) { return n + c.size; });
}

}  // namespace

World::World(const Scenario& scenario, const WorldOptions& options) : options_(options) {
  sim::SimulationOptions of_simulation;
  of_simulation.robot = options.robot;
  of_simulation.with_results = options.with_results;
  if (!options.controller) of_simulation.controller = &nobody_.emplace(scenario.experiment()->scenario);
  simulation_ = std::make_unique<sim::Simulation>(scenario.experiment(options.seed), of_simulation);
  q_ = simulation_->world().state.q;
  u_ = simulation_->world().state.u;
}

void World::check_free() const {
  if (unlocked_) raise("SinewError", "world: another thread is stepping it: wait until that has returned");
}

void World::ask(Asked& asked, const py::handle& function) {
  double* seen = asked.observation.mutable_data();
  for (const sim::Channel& c : asked.observed)
    for (int i = 0; i < c.size; i++) *seen++ = simulation_->get(c, i);
  function(simulation_->time(), asked.observation, asked.command);
  const double* given = asked.command.data();
  for (const sim::Channel& c : asked.commanded)
    for (int i = 0; i < c.size; i++) simulation_->set(c, *given++, i);
}

// Those whose time it is; then the next step that begins with one, at most target.
std::int64_t World::ask_all(const py::list& controllers, std::int64_t target) {
  if (controllers.empty()) return target;
  const double step = simulation_->scenario().step;
  std::vector<sim::Schedule> schedules;
  for (const py::handle pair : controllers) {
    const py::object mine = pair[py::int_(0)], function = pair[py::int_(1)];
    Asked& asked = mine.cast<Asked&>();
    schedules.push_back(asked.schedule);
    if (sim::is_tick(asked.schedule, steps(), step)) ask(asked, function);
  }
  const auto ticks = [&](std::int64_t k) {
    return std::ranges::any_of(schedules, [&](const sim::Schedule& s) { return sim::is_tick(s, k, step); });
  };
  for (std::int64_t k = steps() + 1; k < target; k++)
    if (ticks(k)) return k;
  return target;
}

// To the start of step k, without the lock; is_end: looks whether all is well there. False: a signal has come.
bool World::go_to(std::int64_t k, bool is_end) {
  Interruption interruption;
  unlocked_ = true;
  {
    const py::gil_scoped_release without_lock;
    sim::Simulation& s = *simulation_;
    const std::int64_t unsolved = uncertified();
    while (s.progress().k < k && !s.is_over() && !interruption.has_come()) {
      if (is_end && s.progress().k + 1 == k)
        s.step(1);
      else
        s.advance();
      if (options_.raises && uncertified() > unsolved) break;
      interruption.look();
    }
  }
  unlocked_ = false;
  if (!interruption.has_come()) return true;
  refresh();
  moving_ = false;
  interruption.raise();
  return false;
}

void World::step(std::int64_t n, const py::list& controllers) {
  check_free();
  if (n < 0) throw sinew::InputError(fmt::format("step({}): no number of steps: give 0 or more", n));
  if (moving_) raise("SinewError", "step: a controller cannot step the world that asks it: give commands only");
  moving_ = true;
  const std::int64_t target = steps() + n, unsolved = uncertified();
  try {
    while (steps() < target && !simulation_->is_over() && !(options_.raises && uncertified() > unsolved)) {
      const std::int64_t next = ask_all(controllers, target);
      go_to(next, next == target);
    }
  } catch (...) {
    moving_ = false;
    throw;
  }
  moving_ = false;
  refresh();
  if (const auto& d = simulation_->diagnosis()) raise("SinewError", text_of(*d, simulation_->scenario().name));
  if (options_.raises && uncertified() > unsolved)
    raise("NotCertified",
          fmt::format("{} at t = {:.6g} s: a step was not solved to contact.tolerance {:.3g} m/s: try a shorter "
                      "integrator.step, or a larger contact.tolerance",
                      simulation_->scenario().name, time(), simulation_->world().model().contact.tolerance));
}

std::string World::hash() const { return fmt::format("{:016x}", simulation_->hash()); }

void World::restore(const sim::Progress& progress) {
  check_free();
  if (progress.state.q.size() != q_.size() || progress.state.u.size() != u_.size() ||
      sinew::list_sizes(progress.state) != sinew::list_sizes(simulation_->world().state))
    throw sinew::InputError("restore: this checkpoint is of another robot: take one of a world of the same scenario");
  simulation_->restore(progress);
  refresh();
}

void World::reset() {
  check_free();
  simulation_->reset();
  refresh();
}

void World::set(const std::string& key, double value) {
  check_free();
  simulation_->set(std::vector<sim::Simulation::Change>{{key, value}});
  refresh();
}

py::dict World::results() {
  check_free();
  if (!options_.with_results)
    raise("SinewError", "results: this world gathers none: make it with sinew.World(scenario, results=True)");
  py::dict out;
  for (const sim::ResultValue& r : simulation_->results())
    out[py::str(r.name)] = r.is_vector ? py::object(py::cast(r.values)) : py::object(py::float_(r.values.at(0)));
  return out;
}

void World::save_checkpoint(const std::string& file) const {
  check_free();
  if (!options_.with_results)
    raise("SinewError",
          "checkpoint: a file holds what the results of a run are made of, which this world does not gather: "
          "make it with sinew.World(scenario, results=True)");
  sinew::report::write_checkpoint(
      file, sinew::report::make_checkpoint(simulation_->experiment(), simulation_->snapshot(), SINEW_VERSION));
}

void World::load_checkpoint(const std::string& file) {
  const auto checkpoint = sinew::report::read_checkpoint(file, SINEW_VERSION);
  sinew::report::check_resume(checkpoint, file, simulation_->experiment());
  restore(checkpoint.progress);
}

void World::record(const std::string& file, double seconds) {
  check_free();
  if (!(seconds >= 0.0 && seconds < 1e9))
    throw sinew::InputError(fmt::format("view: {} s: give a time >= 0 s", seconds));
  const sim::Experiment& experiment = simulation_->experiment();
  sinew::report::Recorder recorder(experiment, file, SINEW_VERSION);
  sim::Progress now = simulation_->snapshot();
  now.sampled_k = -1;
  const std::shared_ptr<const sim::Experiment> borrowed(std::shared_ptr<void>(), &experiment);
  sim::Simulation fork(borrowed, {time() + seconds, false, &recorder, &now, options_.robot});
  while (!fork.is_over()) fork.advance();
  fork.finish();
  recorder.finish("");
}

double World::time_loop(int n) {
  check_free();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < n; i++) simulation_->step(1);
  const auto end = std::chrono::steady_clock::now();
  refresh();
  return std::chrono::duration<double>(end - start).count();
}

void World::refresh() {
  const auto& state = simulation_->world().state;
  std::ranges::copy(state.q, q_.begin());
  std::ranges::copy(state.u, u_.begin());
  if (views_.empty()) return;
  std::erase_if(views_, [](const auto& view) { return view.expired(); });
  const auto& signals = simulation_->experiment().signals();
  for (const auto& weak : views_)
    if (const auto view = weak.lock())
      for (std::size_t i = 0; i < view->signals.size(); i++)
        view->values[i] =
            sim::evaluate(signals[std::size_t(view->signals[i])], simulation_->world(), simulation_->seen());
}

std::shared_ptr<SignalView> World::signal(const std::string& name) {
  check_free();
  const auto& signals = simulation_->experiment().signals();
  auto view = std::make_shared<SignalView>();
  view->signals = sim::find_signals(signals, name);
  if (view->signals.empty())
    throw sinew::InputError(fmt::format("{}: no signal has this name: {}", name, sim::suggest_signals(signals, name)));
  for (const int i : view->signals)
    view->values.push_back(sim::evaluate(signals[std::size_t(i)], simulation_->world(), simulation_->seen()));
  views_.push_back(view);
  return view;
}

py::list World::channels() {
  py::list out;
  for (const sim::Channel& c : simulation_->channels().all()) {
    py::dict entry;
    entry["name"] = c.name;
    entry["direction"] = std::string(name_of(c.direction));
    entry["unit"] = c.unit;
    entry["description"] = c.description;
    entry["size"] = c.size;
    out.append(entry);
  }
  return out;
}

// A command by its name, or by the part before its last word where that leaves one: joint.knee for joint.knee.torque.
sim::Channel World::find_command(const std::string& name) {
  std::vector<std::string> matching, all;
  for (const sim::Channel& c : simulation_->channels().all()) {
    if (c.direction != sim::Direction::Command) continue;
    if (c.name == name) return c;
    all.push_back(c.name);
    if (c.name.starts_with(name + ".") && c.name.find('.', name.size() + 1) == std::string::npos)
      matching.push_back(c.name);
  }
  if (matching.size() == 1) return simulation_->command(matching[0]);
  if (matching.size() > 1)
    throw sinew::InputError(
        fmt::format("{}: {} commands begin so: write one of {}", name, matching.size(), sim::join(matching)));
  if (all.empty()) throw sinew::InputError(fmt::format("{}: this robot takes no commands", name));
  throw sinew::InputError(
      fmt::format("{}: no command has this name: {}there are {}", name, sim::did_you_mean(name, all), sim::join(all)));
}

const sim::Channel& World::command_channel(const std::string& name) {
  const auto known = commands_.find(name);
  if (known != commands_.end()) return known->second;
  return commands_.emplace(name, find_command(name)).first->second;
}

py::object World::command(const std::string& name) {
  check_free();
  const sim::Channel& channel = command_channel(name);
  if (channel.size == 1) return py::float_(simulation_->get(channel));
  py::array_t<double> out(channel.size);
  for (int i = 0; i < channel.size; i++) out.mutable_at(i) = simulation_->get(channel, i);
  return out;
}

void World::give_command(const std::string& name, const std::vector<double>& values) {
  check_free();
  const sim::Channel& channel = command_channel(name);
  if (values.size() != std::size_t(channel.size))
    throw sinew::InputError(fmt::format("{}: it takes {} numbers, not {}", channel.name, channel.size, values.size()));
  for (int i = 0; i < channel.size; i++) simulation_->set(channel, values[std::size_t(i)], i);
}

// A reading of this name, or a signal, or all signals NAME.*
std::vector<sim::Channel> World::find_observed(const std::string& name) {
  const auto& all = simulation_->channels().all();
  const bool is_reading = std::ranges::any_of(
      all, [&](const sim::Channel& c) { return c.direction == sim::Direction::Reading && c.name == name; });
  const auto& signals = simulation_->experiment().signals();
  const std::vector<int> found = sim::find_signals(signals, name);
  if (is_reading || found.empty()) return {simulation_->reading(name)};  // throws where there is none
  std::vector<sim::Channel> out;
  for (const sim::Channel& c : all)
    if (c.direction == sim::Direction::Signal && std::ranges::find(found, c.offset) != found.end()) out.push_back(c);
  return out;
}

Asked World::prepare(const sim::Schedule& schedule, const std::vector<std::string>& observed,
                     const std::vector<std::string>& commanded) {
  check_free();
  if (!(schedule.period >= 0.0 && schedule.phase >= 0.0) || !std::isfinite(schedule.period + schedule.phase))
    throw sinew::InputError("controller: period and phase must be times >= 0 s");
  Asked asked{schedule, {}, {}, {}, {}};
  for (const std::string& name : observed)
    for (sim::Channel& channel : find_observed(name)) asked.observed.push_back(std::move(channel));
  for (const std::string& name : commanded) asked.commanded.push_back(command_channel(name));
  asked.observation = py::array_t<double>(size_of(asked.observed));
  asked.command = py::array_t<double>(size_of(asked.commanded));
  double* given = asked.command.mutable_data();
  for (const sim::Channel& c : asked.commanded)
    for (int i = 0; i < c.size; i++) *given++ = simulation_->get(c, i);
  return asked;
}

namespace {

// What people call, beside what they look at.
void add_calls(py::class_<World>& world) {
  world
      .def("channels", &World::channels,
           "All that has a name: readings, commands, parameters and signals, with direction, unit, description and "
           "size.")
      .def("command", &World::command)
      .def("give_command", &World::give_command)
      .def("set", &World::set)
      .def("snapshot", &World::snapshot)
      .def("restore", &World::restore)
      .def("reset", &World::reset, "Back to the start, with the present parameters.")
      .def("hash", &World::hash, "Of the state: equal bits, equal text; what sinew run --json prints.")
      .def("results", &World::results, "The results of the scenario as of now, by name; of a world with results=True.")
      .def("save_checkpoint", &World::save_checkpoint)
      .def("load_checkpoint", &World::load_checkpoint)
      .def("record", &World::record)
      .def("time_loop", &World::time_loop)
      .def("prepare", [](World& w, double period, double phase, const std::vector<std::string>& observed,
                         const std::vector<std::string>& commanded) {
        return w.prepare({period, phase, 0.0}, observed, commanded);
      });
}

}  // namespace

void add_world(py::module_& module) {
  const py::class_<SignalView, std::shared_ptr<SignalView>> view(module, "SignalView");
  const py::class_<Asked> asked(module, "Asked");
  py::class_<sim::Progress>(module, "Progress").def_property_readonly("time", [](const sim::Progress& p) {
    return p.state.t;
  });
  py::class_<World> world(module, "World");
  world
      .def(py::init([](const Scenario& scenario, std::uint64_t seed, std::uint32_t robot, bool results, bool raises,
                       bool controller) {
        return std::make_unique<World>(scenario, WorldOptions{seed, robot, results, raises, controller});
      }))
      .def("step_with", &World::step)
      .def_property_readonly("time", &World::time, "Time of the world [s].")
      .def_property_readonly("steps", &World::steps, "Steps done.")
      .def_property_readonly(
          "dt", [](const World& w) { return w.simulation().scenario().step; }, "Length of a step [s].")
      .def_property_readonly("uncertified", &World::uncertified, "Steps that were not solved to contact.tolerance.")
      .def_property_readonly("has_own_controller", &World::has_own_controller,
                             "Whether the scenario has a controller, which writes over commands.")
      .def_property_readonly(
          "q",
          [](const py::object& self) {
            auto& q = self.cast<World&>().q();
            return array_over(q, {py::ssize_t(q.size())}, self);
          },
          "Coordinates [rad or m; of free joints m and a unit quaternion], read-only, as they are now.")
      .def_property_readonly(
          "u",
          [](const py::object& self) {
            auto& u = self.cast<World&>().u();
            return array_over(u, {py::ssize_t(u.size())}, self);
          },
          "Velocities [rad/s or m/s], read-only, as they are now.")
      .def(
          "signal",
          [](const py::object& self, const std::string& name) {
            World& world = self.cast<World&>();
            const auto view = world.signal(name);
            const auto n = py::ssize_t(view->values.size());
            const auto& first = world.simulation().experiment().signals()[std::size_t(view->signals[0])];
            const bool one = n == 1 && first.name == name;
            // holds the world as well: the view would live without it, but no longer move
            const py::object owner = py::make_tuple(view, self);
            return array_over(view->values, one ? std::vector<py::ssize_t>{} : std::vector<py::ssize_t>{n}, owner);
          },
          "A signal, or all NAME.*, as an array that follows the world while it is held; signals() has the units.",
          py::arg("name"));
  add_calls(world);
}

}  // namespace python
