// Cases are prepared one after the other, so that all mistakes in files show before the first long run; then they
// run on several threads, each on its own world.
#include "sinew/validate/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "sinew/report/plot_boxes.h"
#include "sinew/report/report.h"
#include "sinew/sim/errors.h"
#include "sinew/text/document.h"
#include "sinew/text/load_scenario.h"
#include "sinew/validate/judge.h"
#include "sinew/validate/recording.h"
#include "sinew/validate/trace.h"

namespace sinew::validate {
namespace {

constexpr double moments = 1000.0;  // at which figures look: more than there are pixels

struct Job {
  text::ScenarioFile file;
  sim::Case plan;
  sim::Experiment experiment;  // with what the case sets
  bool is_recorded = false;
};

std::string place_of(const text::ScenarioFile& file, const std::string& key) {
  return text::Document(text::read_text(file.file), file.file).place(key);
}

// The scenario as the case wants it. Its settings are in the file, so that is where their mistakes are.
sim::Experiment load(const text::ScenarioFile& file, const sim::Case& plan) {
  try {
    return text::load_experiment(file.file, file.name, plan.sets);
  } catch (const InputError& e) {
    std::vector<std::string> problems = e.problems;
    const std::string option = "--set ";
    for (std::string& p : problems)
      if (p.starts_with(option))
        p = fmt::format("{}: in set: {}", place_of(file, fmt::format("validate.{}.set", plan.name)),
                        p.substr(option.size()));
    throw InputError(std::move(problems));
  }
}

std::string place_of(const Job& job, const sim::FigurePlan& figure) {
  return place_of(job.file, fmt::format("validate.{}.figure.{}.{}", job.plan.name, figure.name,
                                        figure.boxes.empty() ? "panels" : "boxes"));
}

Tracer tracer_of(const Job& job) {
  Tracer tracer(job.experiment.model());
  for (const sim::FigurePlan& f : job.plan.figures) tracer.add(f, place_of(job, f));
  return tracer;
}

figure::Figure draw(const Job& job, const sim::FigurePlan& f, const report::PlotPlan& plot,
                    const sim::RunResult& result, const Tracer& tracer) {
  if (f.boxes.empty()) return report::plot_signals(tracer.traces(), plot, place_of(job, f));
  return report::plot_boxes(result.results, f.boxes, plot, place_of(job, f));
}

// As it would be after no time at all.
sim::RunResult run_nothing(Job& job) {
  sim::Scenario& s = job.experiment.scenario;
  const double duration = std::exchange(s.duration, 0.0);
  const std::vector<double> at = std::exchange(s.at, std::vector<double>(s.at.size(), 0.0));
  sim::RunResult result = sim::run(job.experiment);
  s.duration = duration;
  s.at = at;
  return result;
}

// The shape of the outcome is known before the run: that of one that takes no time.
void check(Job& job) {
  std::vector<CaseProblem> found;
  const sim::RunResult result = run_nothing(job);
  judge(job.file.name, job.plan, report::to_json(result, 0.0, "", ""), found);
  std::vector<std::string> problems;
  for (const CaseProblem& p : found) problems.push_back(fmt::format("{}: {}", place_of(job.file, p.key), p.text));
  if (!problems.empty()) throw InputError(std::move(problems));
  const Tracer tracer = tracer_of(job);
  for (const sim::FigurePlan& f : job.plan.figures) draw(job, f, {f.title, "", f.panels, f.x}, result, tracer);
}

// Calls `act`; what is wrong goes to the end of the list.
template <class Act>
void collect_problems(std::vector<std::string>& problems, const Act& act) {
  try {
    act();
  } catch (const InputError& e) {
    problems.insert(problems.end(), e.problems.begin(), e.problems.end());
  }
}

bool has_wanted(const Options& options, const text::ScenarioFile& file, const sim::Case& plan) {
  std::vector<std::string> ids = ids_of(file.name, plan);
  if (ids.empty()) ids.push_back(fmt::format("{}/{}/", file.name, plan.name));  // figures only
  return std::ranges::any_of(ids, [&](const std::string& id) { return is_wanted(options.only, id); });
}

// Adds the cases of one scenario, and a run for its recording where no case is one.
void prepare(const Options& options, const text::ScenarioFile& file, std::vector<Job>& jobs,
             std::vector<std::string>& problems) {
  const sim::Scenario header = text::read_header(file.file, file.name);
  bool has_cases = false, needs_recording = !options.recordings.empty();
  for (sim::Case plan : header.cases) {
    if (plan.source.empty()) plan.source = header.source;
    if (!has_wanted(options, file, plan)) continue;
    has_cases = true;
    collect_problems(problems, [&] {
      jobs.push_back({file, plan, load(file, plan), needs_recording && plan.sets.empty()});
      if (plan.sets.empty()) needs_recording = false;
      check(jobs.back());
    });
  }
  if (has_cases && needs_recording) jobs.push_back({file, {}, load(file, {}), true});
}

std::vector<Job> prepare(const Options& options) {
  std::vector<Job> jobs;
  std::vector<std::string> problems;
  for (const text::ScenarioFile& file : text::built_in_scenarios(options.folder))
    collect_problems(problems, [&] { prepare(options, file, jobs, problems); });
  if (!problems.empty()) throw InputError(std::move(problems));
  if (jobs.empty() && !options.only.empty())
    throw InputError(
        fmt::format("--only {}: no number has such an id: sinew validate lists all of them", options.only));
  if (jobs.empty())
    throw InputError(fmt::format("{}: no scenario there has cases: write [validate.NAME] into one", options.folder));
  return jobs;
}

// Why the numbers of a run do not count; empty: they do.
std::string failure_of(const sim::RunResult& r) {
  if (r.ending == sim::Ending::Failed)
    return fmt::format("the run failed at t = {:.6g} s: {}", r.diagnosis->t, r.diagnosis->what);
  if (r.unsolved)
    return fmt::format("{} of {} steps were not solved to the tolerance", r.solver.unconverged_steps, r.steps);
  if (!r.drive_doubt.empty()) return r.drive_doubt;
  return "";
}

std::string subtitle_of(const Job& job) {
  std::string text = fmt::format("{}, case {}", job.file.name, job.plan.name);
  for (const std::string& set : job.plan.sets) text += ", " + set;
  return text;
}

Outcome run(Job& job, const Options& options, std::atomic<double>& time) {
  sim::Scenario& scenario = job.experiment.scenario;
  Outcome out{job.file.name, scenario.title, job.plan, {}, {}, ""};
  std::optional<Tracer> tracer;
  if (options.figures && !job.plan.figures.empty()) tracer = tracer_of(job);
  if (!job.is_recorded) scenario.every = std::max(scenario.step, scenario.duration / moments);
  sim::RunHooks hooks;
  hooks.progress = [&](double t) { time.store(t, std::memory_order_relaxed); };
  hooks.interrupted = options.interrupted;
  hooks.watcher = tracer ? &*tracer : nullptr;
  std::optional<Recording> recording;
  if (job.is_recorded)
    hooks.watcher = &recording.emplace(job.experiment, options.recordings, options.version, hooks.watcher);
  const sim::RunResult result = sim::run(job.experiment, hooks);
  if (recording) recording->finish(result);
  out.failure = failure_of(result);
  std::vector<CaseProblem> problems;  // none: check() has seen to that
  out.entries = out.failure.empty() ? judge(job.file.name, job.plan, report::to_json(result, 0.0, "", ""), problems)
                                    : all_failed(job.file.name, job.plan, out.failure);
  std::erase_if(out.entries, [&](const Entry& e) { return !is_wanted(options.only, e.id); });
  for (const sim::FigurePlan& f : tracer ? job.plan.figures : std::vector<sim::FigurePlan>{}) {
    const report::PlotPlan plot{f.title.empty() ? out.title : f.title, subtitle_of(job), f.panels, f.x};
    out.pictures.push_back({f, figure::draw(draw(job, f, plot, result, *tracer), figure::Format::Svg)});
  }
  return out;
}

// Cases in any order, outcomes in theirs.
class Team {
 public:
  Team(std::vector<Job>& jobs, const Options& options)
      : jobs_(jobs), options_(options), times_(jobs.size()), outcomes_(jobs.size()), errors_(jobs.size()) {}

  std::vector<Outcome> work(int size) {
    std::vector<std::jthread> threads;
    working_ = size;
    for (int i = 0; i < size; i++)
      threads.emplace_back([this] {
        take_jobs();
        working_--;
      });
    while (working_ > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      tell();
    }
    threads.clear();
    for (const std::exception_ptr& error : errors_)
      if (error) std::rethrow_exception(error);
    return std::move(outcomes_);
  }

 private:
  void take_jobs() {
    for (std::size_t i = next_++; i < jobs_.size(); i = next_++) try {
        outcomes_[i] = run(jobs_[i], options_, times_[i]);
      } catch (...) {
        errors_[i] = std::current_exception();
      }
  }

  void tell() const {
    if (!options_.progress) return;
    double done = 0.0, all = 0.0;
    for (std::size_t i = 0; i < jobs_.size(); i++) {
      done += times_[i];
      all += jobs_[i].experiment.scenario.duration;
    }
    options_.progress(done, all);
  }

  std::vector<Job>& jobs_;
  const Options& options_;
  std::vector<std::atomic<double>> times_;
  std::vector<Outcome> outcomes_;
  std::vector<std::exception_ptr> errors_;
  std::atomic<std::size_t> next_{0};
  std::atomic<int> working_{0};
};

}  // namespace

std::vector<Outcome> validate(const Options& options) {
  std::vector<Job> jobs = prepare(options);
  const int wanted = options.threads > 0 ? options.threads : int(std::thread::hardware_concurrency());
  std::vector<Outcome> outcomes = Team(jobs, options).work(std::clamp(wanted, 1, int(jobs.size())));
  std::erase_if(outcomes, [](const Outcome& o) { return o.plan.name.empty() && o.failure.empty(); });
  return outcomes;
}

void check_cases(const text::ScenarioFile& file, sim::Experiment as_written) {
  std::vector<std::string> problems;
  Job plain{file, {}, std::move(as_written)};
  for (const sim::Case& plan : text::read_header(file.file, file.name).cases)
    collect_problems(problems, [&] {
      if (plan.sets.empty()) {
        plain.plan = plan;
        check(plain);
      } else {
        Job job{file, plan, load(file, plan)};
        check(job);
      }
    });
  if (!problems.empty()) throw InputError(std::move(problems));
}

std::string to_json(const std::vector<Outcome>& outcomes) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const Outcome& outcome : outcomes)
    for (const Entry& e : outcome.entries) {
      all.push_back({{"id", e.id},
                     {"source", e.source},
                     {"expected", e.expected},
                     {"tolerance", e.tolerance},
                     {"measured", e.measured},  // null where it is not finite
                     {"pass", e.pass}});
      if (!outcome.plan.reference.empty()) all.back()["case"] = outcome.plan.reference;
      if (!e.reason.empty()) all.back()["reason"] = e.reason;
    }
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Count count(const std::vector<Outcome>& outcomes) {
  Count n;
  for (const Outcome& outcome : outcomes)
    for (const Entry& e : outcome.entries) {
      n.all++;
      n.pass += e.pass ? 1 : 0;
    }
  return n;
}

}  // namespace sinew::validate
