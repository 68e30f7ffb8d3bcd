#include "cli/commands.h"
#include "cli/terminal.h"
#include "sinew/io/library.h"
#include "sinew/io/scenario.h"

namespace cli {

int check(const CheckArguments& arguments) {
  const auto found = sinew::io::find_scenario(arguments.file, scenario_folder());
  sinew::io::load_scenario(found.file, found.name);  // throws with every problem
  write_out("ok\n");
  return done;
}

}  // namespace cli
