#include <memory>
#include <utility>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/models.h"
#include "cli/terminal.h"
#include "sinew/imports/import.h"
#include "sinew/model/section_plant.h"
#include "sinew/report/health.h"
#include "sinew/report/health_start.h"
#include "sinew/sim/experiment.h"
#include "sinew/text/library.h"
#include "sinew/text/load_scenario.h"
#include "sinew/validate/validate.h"

namespace cli {
namespace {

struct CheckArguments {
  std::string file;
  bool health = false;
  sinew::text::ModelOptions model;
};

int check(const CheckArguments& arguments) {
  const auto found = sinew::text::find_scenario(arguments.file, scenario_folder());
  std::vector<std::string> notes;
  sinew::text::LoadOptions options{arguments.model, &notes};
  options.model.meshes_may_miss = true;
  sinew::sim::Experiment experiment =
      sinew::text::load_experiment(found.file, found.name, {}, options);  // throws with every problem
  for (const std::string& line : notes) write_out(line + "\n");
  if (arguments.health || !notes.empty() || sinew::imports::is_model_file(arguments.file))
    write_out(sinew::report::health(experiment) + sinew::report::health_of_start(experiment));
  const double duration = experiment.scenario.duration;
  const auto plant = experiment.scenario.plan.plant;
  sinew::validate::check_cases(found, std::move(experiment));
  if (plant) {
    const std::string note = plant->foresee(duration);
    if (!note.empty()) write_out("note: " + note + "\n");
  }
  write_out("ok\n");
  return done;
}

const char* const check_examples = R"(Examples:
  sinew check mine.toml         ok, or every problem with its line and how to repair it
  sinew check pendulum          a built-in scenario
  sinew check mine.toml && sinew run mine.toml
  sinew check robot.urdf        what was decided, repaired and left out, numbered
  sinew check robot.urdf --strict

Exit codes: 0 all is right, 2 something is not, 4 the file cannot be read.)";

}  // namespace

Command add_check(CLI::App& program) {
  CLI::App& command =
      sub_command(program, "check", "Check a scenario file: all its problems, each with file and line", check_examples);
  const auto arguments = std::make_shared<CheckArguments>();
  argument(command, "FILE", arguments->file, "A .toml, .urdf, .xml or .sdf file, or the name of a built-in scenario",
           true);
  flag(command, "--health", arguments->health,
       "Print masses, inertia against shapes, ranges, what touches and overlaps, and whether it stands; a robot's "
       "file has it anyway");
  model_options(command, arguments->model);
  return {&command, [arguments] { return check(*arguments); }};
}

}  // namespace cli
