// The command `sinew`: reads the command line, calls one sub-command, turns exceptions into messages and exit codes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "sinew/io/errors.h"
#include "sinew/io/nearest.h"
#include "sinew/version.h"

namespace cli {
namespace {

const char* const examples = R"(Examples:
  sinew list                                 what there is to run
  sinew run pendulum                         run it and read a summary
  sinew run pendulum --set mass=2 --until 5  with another mass, for 5 s
  sinew run pendulum --json                  one JSON object, for scripts
  sinew show pendulum > mine.toml            a complete scenario to change
  sinew check mine.toml                      is everything right in it?
  sinew run mine.toml

SCENARIO is a built-in name (basics/pendulum), its last part (pendulum), or the path of a .toml file.
Exit codes: 0 done, 2 bad input, 3 numerical failure, 4 file error, 130 interrupted.)";

const char* const set_help =
    "Change a key: its dotted name as in `sinew show`, or the last part where that is unique; the value as in TOML";

struct Arguments {
  ListArguments list;
  ShowArguments show;
  RunArguments run;
  CheckArguments check;
};

void add_list(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("list", "List the built-in scenarios");
  command->add_flag("--json", a.list.json, "As JSON, with the names of the results");
}

void add_show(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("show", "Print a scenario in full: every key, value, unit and default");
  command->add_option("SCENARIO", a.show.scenario, "Built-in name, its last part, or a .toml file")->type_name("");
  command->add_option("--set", a.show.sets, set_help)->allow_extra_args(false)->type_name("KEY=VALUE");
  command->add_flag("--signals", a.show.signals, "List instead what can be reported: names for [output.result]");
  command->add_flag("--keys", a.show.keys, "List instead all keys of all scenarios, as Markdown tables");
  command->footer("What is printed is a valid scenario file: save it, change it, run it.");
}

void add_run(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("run", "Simulate a scenario");
  command->add_option("SCENARIO", a.run.scenario, "Built-in name, its last part, or a .toml file")
      ->type_name("")
      ->required();
  command->add_option("--set", a.run.sets, set_help)->allow_extra_args(false)->type_name("KEY=VALUE");
  command->add_option("--until", a.run.until, "End at this time instead of the scenario's duration")
      ->type_name("SECONDS");
  command->add_option("--seed", a.run.seed, "Seed of random numbers")->type_name("N");
  command->add_flag("--json", a.run.json, "Print exactly one JSON object");
  command->add_flag("--quiet", a.run.quiet, "Print nothing but errors (and the JSON, if asked for)");
  command->footer(R"(Examples:
  sinew run double-pendulum --set method=rk4 --set step=0.0005
  sinew run pendulum --set joint.pivot.damping=0.1 --set output.result.speed=body.bob.v
  sinew run pendulum --set 'output.at=[1, 2.5]' --json)");
}

void add_check(CLI::App& app, Arguments& a) {
  CLI::App* command = app.add_subcommand("check", "Check a scenario file; all problems, each with file and line");
  command->add_option("FILE", a.check.file, "A .toml file, or the name of a built-in scenario")
      ->type_name("")
      ->required();
}

// CLI11 would only say that an argument was not expected.
void check_command_name(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::ranges::find(names, argv[1]) != names.end()) return;
  throw sinew::io::InputError(fmt::format("command line: unknown command {}: {}the commands are {}", argv[1],
                                          sinew::io::did_you_mean(argv[1], names), sinew::io::join(names)));
}

int dispatch(const CLI::App& app, const Arguments& a) {
  if (app.got_subcommand("list")) return list(a.list);
  if (app.got_subcommand("show")) return show(a.show);
  if (app.got_subcommand("run")) return run(a.run);
  if (app.got_subcommand("check")) return check(a.check);
  write_out(app.help());
  return done;
}

int main(int argc, char** argv) {
  CLI::App app("sinew: a robot simulator. Scenarios are TOML files; SI units and radians everywhere.", "sinew");
  app.footer(examples);
  app.set_version_flag("--version", "sinew " SINEW_VERSION, "Print the version");
  app.require_subcommand(0, 1);
  Arguments arguments;
  add_list(app, arguments);
  add_show(app, arguments);
  add_run(app, arguments);
  add_check(app, arguments);
  check_command_name(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    for (const CLI::App* command : app.get_subcommands()) {
      write_out(command->help("sinew"));
      return done;
    }
    write_out(app.help());
    return done;
  } catch (const CLI::CallForVersion& e) {
    write_out(std::string(e.what()) + "\n");
    return done;
  } catch (const CLI::ParseError& e) {
    const std::string command = argc > 1 && argv[1][0] != '-' ? std::string(argv[1]) + " " : "";
    throw sinew::io::InputError(fmt::format("command line: {}: see sinew {}--help", e.what(), command));
  }
  return dispatch(app, arguments);
}

}  // namespace
}  // namespace cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is a write that fails: exit code 4, not death by signal
  try {
    return cli::main(argc, argv);
  } catch (const sinew::io::InputError& e) {
    for (const std::string& problem : e.problems) cli::print_error(problem);
    return cli::bad_input;
  } catch (const sinew::io::FileError& e) {
    cli::print_error(e.what());
    return cli::file_error;
  } catch (const std::exception& e) {
    cli::print_error(fmt::format("sinew: unexpected: {}: please report this with the command you used", e.what()));
    return cli::internal_error;
  }
}
