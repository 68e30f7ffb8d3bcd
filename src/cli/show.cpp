#include "sinew/io/show.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "sinew/io/errors.h"
#include "sinew/io/library.h"

namespace cli {

int show(const ShowArguments& arguments) {
  if (arguments.keys) {
    write_out(sinew::io::key_tables());
    return done;
  }
  if (arguments.scenario.empty())
    throw sinew::io::InputError("command line: no scenario is named: write sinew show SCENARIO (sinew list names all)");
  const auto found = sinew::io::find_scenario(arguments.scenario, scenario_folder());
  const auto scenario = sinew::io::load_scenario(found.file, found.name, arguments.sets);
  if (arguments.signals)
    write_out(sinew::io::show_signals(scenario));
  else
    write_out(fmt::format("# {}, complete: every key with its value, [unit], meaning and default\n\n{}", found.name,
                          sinew::io::show(scenario)));
  return done;
}

}  // namespace cli
