#include "python/scenario.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>

#include "python/bind.h"
#include "python/interruption.h"
#include "sinew/recording.h"
#include "sinew/report/report.h"
#include "sinew/scenario.h"
#include "sinew/text/document.h"
#include "sinew/text/library.h"
#include "sinew/text/list_keys.h"
#include "sinew/text/set_keys.h"
#include "sinew/text/show.h"
#include "sinew/version.h"

namespace python {
namespace {

namespace sim = sinew::sim;
namespace text = sinew::text;
using Clock = std::chrono::steady_clock;

Scenario load(const std::string& wanted, const std::string& folder, const std::vector<std::string>& sets) {
  const text::ScenarioFile found = text::find_scenario(wanted, folder);
  return {text::read_text(found.file), found.file, found.name, sets};
}

std::vector<std::string> built_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const text::ScenarioFile& file : text::built_in_scenarios(folder)) names.push_back(file.name);
  return names;
}

text::KeyLister list_keys(const Scenario& scenario) {
  sim::Scenario copy = scenario.experiment()->scenario;
  text::KeyLister lister;
  describe(lister, copy);
  return lister;
}

// One key as Python sees it: its dotted name, its value as TOML, and what sinew show says about it.
py::dict entry(const text::KeyEntry& e) {
  py::dict out;
  out["key"] = e.dotted();
  out["value"] = e.value;
  out["unit"] = e.unit;
  out["doc"] = e.doc;
  out["type"] = e.type;
  out["range"] = e.range;
  out["degrees"] = e.degrees;
  out["live"] = e.live;
  out["stands_for"] = e.stands_for;
  return out;
}

py::list keys(const Scenario& scenario) {
  py::list out;
  for (const text::KeyEntry& e : list_keys(scenario).entries) out.append(entry(e));
  return out;
}

// The key that is meant by a name as --set takes it, perhaps with _deg behind it.
std::string find_key(const Scenario& scenario, const std::string& name) {
  const text::KeyTarget target = text::find_target(list_keys(scenario), name);
  if (target.key.empty()) throw sinew::InputError(fmt::format("{}: {}", name, target.problem));
  return target.key;
}

struct RunAnswer {
  std::string json, failure, unsolved;
};

RunAnswer run(const Scenario& scenario, std::uint64_t seed, std::optional<double> until, const std::string& recording) {
  const auto experiment = scenario.experiment(seed, until);
  Interruption interruption;
  RunAnswer out;
  {
    const py::gil_scoped_release unlocked;
    sim::RunHooks hooks;
    hooks.interrupted = interruption.flag();
    hooks.progress = [&](double) { interruption.look(); };
    std::optional<sinew::report::Recorder> recorder;
    if (!recording.empty()) hooks.watcher = &recorder.emplace(*experiment, recording, SINEW_VERSION);
    const Clock::time_point start = Clock::now();
    const sim::RunResult result = sim::run(*experiment, hooks);
    const double wall_s = std::chrono::duration<double>(Clock::now() - start).count();
    out.json = sinew::report::to_json(result, wall_s, SINEW_VERSION, recording);
    if (recorder) recorder->finish(out.json);
    if (result.diagnosis) out.failure = text_of(*result.diagnosis, result.scenario);
    if (result.unsolved)
      out.unsolved = fmt::format(
          "{}: {} of {} steps were not solved to contact.tolerance {:.3g} m/s, the first at t = {:.6g} s",
          result.unsolved_where, result.solver.unconverged_steps, result.steps, result.tolerance, result.unsolved->t);
  }
  interruption.raise();
  return out;
}

}  // namespace

Scenario::Scenario(std::string text, std::string file, std::string name, std::vector<std::string> sets)
    : text_(std::move(text)), file_(std::move(file)), name_(std::move(name)), sets_(std::move(sets)) {
  sim::Experiment compiled = text::parse_experiment(text_, file_, sets_);
  compiled.scenario.name = name_;
  experiment_ = std::make_shared<const sim::Experiment>(std::move(compiled));
}

std::shared_ptr<const sim::Experiment> Scenario::experiment(std::uint64_t seed, std::optional<double> until) const {
  if (until && !(*until >= 0.0 && *until < 1e300))
    throw sinew::InputError(fmt::format("until = {}: not a time: it must be >= 0 s", *until));
  if (seed == experiment_->scenario.seed && !until) return experiment_;
  sim::Experiment compiled = text::parse_experiment(text_, file_, sets_);
  compiled.scenario.name = name_;
  compiled.scenario.seed = seed;
  if (until) compiled.scenario.duration = *until;
  return std::make_shared<const sim::Experiment>(std::move(compiled));
}

Scenario Scenario::with(const std::vector<std::string>& sets) const {
  const auto key_of = [](const std::string& set) { return set.substr(0, set.find('=')); };
  std::vector<std::string> all = sets_;
  for (const std::string& set : sets) {
    std::erase_if(all, [&](const std::string& before) { return key_of(before) == key_of(set); });
    all.push_back(set);
  }
  return {text_, file_, name_, std::move(all)};
}

void add_scenario(py::module_& module) {
  py::class_<Scenario>(module, "Scenario")
      .def(py::init<std::string, std::string, std::string, std::vector<std::string>>())
      .def_property_readonly("name", &Scenario::name)
      .def_property_readonly("sets", &Scenario::sets)
      .def_property_readonly("title", [](const Scenario& s) { return s.experiment()->scenario.title; })
      .def_property_readonly("source", [](const Scenario& s) { return s.experiment()->scenario.source; })
      .def_property_readonly("step", [](const Scenario& s) { return s.experiment()->scenario.step; })
      .def_property_readonly("duration", [](const Scenario& s) { return s.experiment()->scenario.duration; })
      .def("given", &Scenario::with)
      .def("keys", &keys)
      .def("find_key", &find_key)
      .def("show", [](const Scenario& s) { return text::show(s.experiment()->scenario); })
      .def("show_to_store", [](const Scenario& s) { return text::show_to_store(s.experiment()->scenario); });
  py::class_<RunAnswer>(module, "RunAnswer")
      .def_readonly("json", &RunAnswer::json)
      .def_readonly("failure", &RunAnswer::failure)
      .def_readonly("unsolved", &RunAnswer::unsolved);
  module.def("load", &load);
  module.def("built_in", &built_in);
  module.def("run", &run);
}

}  // namespace python
