#include "sinew/text/show.h"

#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/terminal.h"
#include "sinew/sim/errors.h"
#include "sinew/text/library.h"
#include "sinew/text/load_scenario.h"

namespace cli {

namespace {

struct ShowArguments {
  std::string scenario;
  std::vector<std::string> sets;
  bool signals = false;  // what can be reported, instead of the scenario
  bool keys = false;     // all keys there are, as tables
};

int show(const ShowArguments& arguments) {
  if (arguments.keys) {
    write_out(sinew::text::key_tables());
    return done;
  }
  if (arguments.scenario.empty())
    throw sinew::InputError("command line: no scenario is named: write sinew show SCENARIO (sinew list names all)");
  const auto found = sinew::text::find_scenario(arguments.scenario, scenario_folder());
  const auto experiment = sinew::text::load_experiment(found.file, found.name, arguments.sets);
  if (arguments.signals)
    write_out(sinew::text::show_signals(experiment));
  else
    write_out(fmt::format("# {}, complete: every key with its value, [unit], meaning and default\n\n{}", found.name,
                          sinew::text::show(experiment.scenario)));
  return done;
}

const char* const show_examples = R"(Examples:
  sinew show pendulum                            every key with value, unit, meaning and default
  sinew show pendulum > mine.toml                a complete scenario file to change and run
  sinew show spring-chain --set links=3           what a value would change
  sinew show pendulum --signals                  names for [output.result]
  sinew show --keys                              all keys of all scenarios, by table

What is printed is a valid scenario file: save it, change it, run it.)";

}  // namespace

Command add_show(CLI::App& program) {
  CLI::App& command = sub_command(
      program, "show", "Print a scenario in full: every key with its value, unit, meaning and default", show_examples);
  const auto arguments = std::make_shared<ShowArguments>();
  scenario_argument(command, arguments->scenario);
  set_option(command, arguments->sets);
  flag(command, "--signals", arguments->signals, "List instead what can be reported: names for [output.result]");
  flag(command, "--keys", arguments->keys, "List instead all keys of all scenarios, as Markdown tables");
  return {&command, [arguments] { return show(*arguments); }};
}

}  // namespace cli
