// The programs `sinew` and sinew-view: read the command line, call one sub-command, turn exceptions into messages and codes.
#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/terminal.h"
#include "cli/web_view.h"
#include "sinew/exchange/problem_file.h"
#include "sinew/files/errors.h"
#include "sinew/record/errors.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"
#include "sinew/version.h"

namespace cli {
namespace {

// All commands, in the order of the help.
constexpr Command (*all_commands[])(CLI::App&) = {add_list,   add_show,     add_run,      add_check,    add_new,
                                                  add_import, add_upgrade,  add_replay,   add_view,     add_plot,
                                                  add_export, add_sweep,    add_optimize, add_identify, add_study,
                                                  add_solve,  add_validate, add_bridge,   add_ethercat, add_python};

const char* const examples = R"(Examples:
  sinew list                                 what there is to run
  sinew run pendulum                         run it and read a summary
  sinew run pendulum --set mass=2 --until 5  with another mass [kg], for 5 s
  sinew view sidewinding                     see it move, in the browser
  sinew new walker > mine.toml               a short scenario to change; show pendulum: a complete one
  sinew check mine.toml                      is everything right in it?
  sinew run mine.toml
  sinew run robot.urdf                       a robot of another program, on a plane

SCENARIO is a built-in name (basics/pendulum), its last part (pendulum), or the path of a .toml,
.urdf, .xml or .sdf file.
sinew COMMAND --help has the options of a command and more examples.
Exit codes: 0 done, 2 bad input, 3 numerical failure, 4 file error, 130 interrupted.)";

// CLI11 would only say that an argument was not expected.
void check_command_name(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::ranges::find(names, argv[1]) != names.end()) return;
  throw sinew::InputError(fmt::format("command line: unknown command {}: {}the commands are {}", argv[1],
                                      sinew::sim::did_you_mean(argv[1], names), sinew::sim::join(names)));
}

int main(int argc, char** argv) {
  CLI::App app("sinew: a robot simulator. Scenarios are TOML files; SI units and radians everywhere.", "sinew");
  use_our_help(app);
  app.footer(examples);
  app.set_version_flag("--version", "sinew " SINEW_VERSION, "Print the version");
  app.require_subcommand(0, 1);
  std::vector<Command> commands;
  for (const auto& add : all_commands) commands.push_back(add(app));
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
    throw sinew::InputError(fmt::format("command line: {}: see sinew {}--help", e.what(), command));
  }
  for (const Command& command : commands) {
    if (!command.app->parsed()) continue;
    if (!web_view && command.needs_server && command.needs_server()) continue_in_view_program(argv);
    return command.run();
  }
  write_out(app.help());
  return done;
}

}  // namespace
}  // namespace cli

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a write that fails
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is a write that fails: exit code 4, not death by signal
  try {
    return cli::main(argc, argv);
  } catch (const sinew::InputError& e) {
    for (const std::string& problem : e.problems) cli::print_error(problem);
    return cli::bad_input;
  } catch (const sinew::record::Error& e) {
    cli::print_error(e.what());
    return cli::bad_input;
  } catch (const sinew::exchange::Error& e) {
    cli::print_error(e.what());
    return cli::bad_input;
  } catch (const sinew::FileError& e) {
    cli::print_error(e.what());
    return cli::file_error;
  } catch (const std::exception& e) {
    cli::print_error(fmt::format("sinew: unexpected: {}: please report this with the command you used", e.what()));
    return cli::internal_error;
  }
}
