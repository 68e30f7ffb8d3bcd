#include <memory>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/models.h"
#include "cli/web_view.h"

namespace cli {
namespace {

const char* const view_examples = R"(Examples:
  sinew view                               choose among the built-in scenarios
  sinew view sidewinding --set Ah_deg=20   compute it while you look, change it, push it
  sinew view run.h5                        play a recording
  sinew view study.h5                      the runs of a sweep; a click plays one
  sinew view run.h5 --listen 0.0.0.0       for others in the network; the address carries a token

The address is printed, and opened in the browser where there is one. Ctrl-C ends the program.
To look at a run at full speed: sinew run SCENARIO --live. For a page that needs no server:
sinew export RECORDING --html FILE.
Exit codes: 2 bad input, 4 a file cannot be read or the port is taken, 130 ended by Ctrl-C.)";

}  // namespace

Command add_view(CLI::App& program) {
  CLI::App& command = sub_command(
      program, "view", "See a scenario, a recording or the runs of a study move, in the browser", view_examples);
  const auto arguments = std::make_shared<ViewArguments>();
  ViewArguments& a = *arguments;
  argument(command, "SCENARIO or RECORDING or STUDY", a.what,
           "What to compute, to play or to choose from; without it the page lists the built-in scenarios", false);
  set_option(command, a.sets);
  value_option(command, "--port", a.port, "N", "Port of the page; otherwise 8420, or the next one that is free");
  value_option(command, "--listen", a.listen, "ADDRESS",
               "Listen there instead of on this machine only, as in 192.168.1.7; 0.0.0.0 is all of its addresses");
  model_options(command, a.model);
  trust_option(command, a.model);
  flag(command, "--no-open", a.no_open, "Only print the address");
  return {&command, [arguments] { return web_view->view(*arguments); }, [] { return true; }};
}

}  // namespace cli
