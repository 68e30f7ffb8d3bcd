#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "sinew/exchange/problem_file.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"
#include "sinew/sim/simulation.h"
#include "sinew/text/library.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/contact_problem.h"

namespace cli {
namespace {

namespace exchange = sinew::exchange;
namespace sim = sinew::sim;

constexpr int most_dense_rows = 6000;  // of the solver with a matrix of all rows: 300 MB

struct SolveArguments {
  std::string problem, out, solver = "auto";
  std::vector<std::string> sets;
  std::optional<double> at, tolerance;
  std::optional<std::int64_t> iterations;
  bool json = false;
};

struct SolverName {
  const char* name;
  sinew::ConeMethod method;
};
constexpr std::array<SolverName, 4> solvers{{{"auto", sinew::ConeMethod::Auto},
                                             {"proximal", sinew::ConeMethod::Proximal},
                                             {"sweep", sinew::ConeMethod::Sweep},
                                             {"dense", sinew::ConeMethod::Dense}}};

sinew::ConeMethod method_of(const std::string& name) {
  std::vector<std::string> names;
  for (const SolverName& solver : solvers) {
    if (name == solver.name) return solver.method;
    names.emplace_back(solver.name);
  }
  throw sinew::InputError(fmt::format("--solver {}: unknown: {}the solvers are {}", name,
                                      sinew::sim::did_you_mean(name, names), sinew::sim::join(names)));
}

sinew::ConeLimits limits_of(const SolveArguments& a) {
  sinew::ConeLimits limits;
  if (a.tolerance) limits.tolerance = *a.tolerance;
  if (!(limits.tolerance > 0.0 && limits.tolerance < 1.0))
    throw sinew::InputError(fmt::format("--tolerance {}: it must be between 0 and 1", limits.tolerance));
  if (a.iterations && (*a.iterations < 1 || *a.iterations > 1'000'000'000))
    throw sinew::InputError(fmt::format("--iterations {}: it must be between 1 and 1e9", *a.iterations));
  if (a.iterations) limits.iterations = int(*a.iterations);
  return limits;
}

// The contact problem that a scenario meets at a time.
sinew::ConeProblem problem_of_scenario(const SolveArguments& a) {
  if (!(*a.at >= 0.0 && std::isfinite(*a.at)))
    throw sinew::InputError(fmt::format("--at {}: not a time: it must be >= 0 s", *a.at));
  const auto found = sinew::text::find_scenario(a.problem, scenario_folder());
  const auto experiment =
      std::make_shared<const sim::Experiment>(sinew::text::load_experiment(found.file, found.name, a.sets));
  sim::SimulationOptions options;
  options.end = *a.at;
  sim::Simulation simulation(experiment, options);
  while (!simulation.is_over()) simulation.advance();
  if (simulation.diagnosis())
    throw sinew::InputError(fmt::format("--at {}: the run of {} fails before: see sinew run", *a.at, a.problem));
  const sinew::NextProblem next = sinew::next_contact_problem(simulation.world(), experiment->scenario.step);
  if (next.why_not.empty()) return next.problem;
  throw sinew::InputError(
      fmt::format("--at {}: {} has no contact problem of this form then: {}: choose another time or scenario", *a.at,
                  a.problem, next.why_not));
}

sinew::ConeProblem problem_of(const SolveArguments& a) {
  if (a.at) return problem_of_scenario(a);
  if (!a.sets.empty()) throw sinew::InputError("command line: --set is for scenarios: add --at, or leave --set out");
  return exchange::read_problem(a.problem);
}

struct Answer {
  sinew::ConeReport report;
  sinew::ConeStates states;
  double seconds;
  bool solved;
};

std::string json_of(const SolveArguments& a, const sinew::ConeProblem& problem, double tolerance,
                    const Answer& answer) {
  nlohmann::ordered_json json;
  json["problem"] = a.problem;
  json["contacts"] = problem.contacts();
  json["blocks"] = problem.W.column.size();
  json["solver"] = a.solver;
  json["solved"] = answer.solved;
  json["residual"] = answer.report.residual;
  json["tolerance"] = tolerance;
  json["iterations"] = answer.report.sweeps + answer.report.systems;
  json["sweeps"] = answer.report.sweeps;
  json["systems"] = answer.report.systems;
  json["time_s"] = answer.seconds;
  json["open"] = answer.states.open;
  json["stick"] = answer.states.stick;
  json["slide"] = answer.states.slide;
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string text_of(const SolveArguments& a, const sinew::ConeProblem& problem, double tolerance,
                    const Answer& answer) {
  const sinew::ConeReport& report = answer.report;
  return fmt::format(
      "{}: contacts {}, blocks of W {}\n"
      "  residual    {:.3g}, relative ({} at most {:.3g})\n"
      "  iterations  {}: {} sweeps, {} linear systems\n"
      "  time        {:.3g} s\n"
      "  contacts    {} open, {} stick, {} slide\n",
      a.problem, problem.contacts(), problem.W.column.size(), report.residual,
      answer.solved ? "solved:" : "NOT solved:", tolerance, report.sweeps + report.systems, report.sweeps,
      report.systems, answer.seconds, answer.states.open, answer.states.stick, answer.states.slide);
}

int solve(const SolveArguments& a) {
  const sinew::ConeMethod method = method_of(a.solver);
  const sinew::ConeLimits limits = limits_of(a);
  std::string replaced;
  if (!a.out.empty()) {
    const bool is_fclib = exchange::form_of(a.out) == exchange::Form::Fclib;
    replaced = check_output("--out", a.out, is_fclib ? sinew::fclib_file : sinew::siconos_file,
                            {{a.at ? "" : a.problem, "the problem"}});
  }
  const sinew::ConeProblem problem = problem_of(a);
  if (method == sinew::ConeMethod::Dense && 3 * problem.contacts() > most_dense_rows)
    throw sinew::InputError(fmt::format("--solver dense: {} has {} rows, and at most {} fit: choose another", a.problem,
                                        3 * problem.contacts(), most_dense_rows));
  std::vector<double> r(problem.q.size(), 0.0);
  const auto start = std::chrono::steady_clock::now();
  Answer answer{};
  answer.report = sinew::solve(problem, method, limits, r);
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  answer.states = sinew::states_of(problem, r);
  answer.solved = answer.report.residual <= limits.tolerance;
  if (!a.out.empty()) exchange::write_problem(problem, r, a.out);
  std::fputs(replaced.c_str(), stderr);
  write_out(a.json ? json_of(a, problem, limits.tolerance, answer) : text_of(a, problem, limits.tolerance, answer));
  if (answer.solved) return done;
  print_error(
      fmt::format("{}: not solved: the relative residual is {:.3g}, more than {:.3g}: try another --solver or a larger "
                  "--tolerance",
                  a.problem, answer.report.residual, limits.tolerance));
  return failed;
}

const char* const solve_examples = R"(Examples:
  sinew solve pile.dat                             residual, iterations, time
  sinew solve pile.dat --tolerance 1e-12 --json    more exactly; as one JSON object
  sinew solve pile.dat --solver sweep              block Gauss-Seidel alone, to compare
  sinew solve pile.dat --out pile.hdf5             with the solution, in FCLIB's layout
  sinew solve stacking --at 0.5 --out stack.hdf5   of a scenario: the step after 0.5 s

PROBLEM: u = W r + q with Coulomb friction in 3D, isotropic. FCLIB's HDF5 (local, or global, which
is reduced to its contacts) or Siconos' text (dense, or sparse blocks); known by its content.
Residual: |r - proj_K(r - (u_N + mu |u_T|, u_T))| / |q|, the natural map with de Saxce's correction;
Siconos' own error is the same over max(|q|, |r|, |u|) and never larger.
Solvers: auto (sweeps, proximal, dense, until one succeeds), proximal (Newton's method with proximal
points, sparse), sweep (block Gauss-Seidel), dense (Newton's method of the simulator's contacts).
Exit codes: 0 solved, 2 bad input or a damaged file, 3 not solved to the tolerance (the best is
reported and written), 4 file error.)";

}  // namespace

Command add_solve(CLI::App& program) {
  CLI::App& command =
      sub_command(program, "solve", "Solve a contact problem from a file, to compare solvers", solve_examples);
  const auto arguments = std::make_shared<SolveArguments>();
  SolveArguments& a = *arguments;
  argument(command, "PROBLEM", a.problem, "A file in FCLIB's layout (HDF5) or Siconos' text; with --at a scenario",
           true);
  value_option(command, "--at", a.at, "SECONDS", "Take the contact problem that the scenario meets at this time");
  set_option(command, a.sets);
  value_option(command, "--solver", a.solver, "NAME", "auto, proximal, sweep or dense; default auto");
  value_option(command, "--tolerance", a.tolerance, "X", "Largest relative residual of a solution; default 1e-8");
  value_option(command, "--iterations", a.iterations, "N",
               "Sweeps and linear systems at most; otherwise what is usual for the solver");
  value_option(command, "--out", a.out, "FILE",
               "Write the problem there: .hdf5 in FCLIB's layout, with the solution found; .dat as Siconos' text");
  flag(command, "--json", a.json, "Print exactly one JSON object");
  return {&command, [arguments] { return solve(*arguments); }};
}

}  // namespace cli
