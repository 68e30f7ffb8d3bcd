#include "cli/ending.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/summary.h"
#include "cli/terminal.h"

namespace cli {

int end_of_run(const sinew::sim::RunResult& result, bool quiet) {
  if (result.ending == sinew::sim::Ending::Failed) {
    print_error(text_of(*result.diagnosis, result.scenario));
    return failed;
  }
  if (result.ending == sinew::sim::Ending::Interrupted) {
    if (!quiet) fmt::print(stderr, "interrupted at t = {:.6g} s\n", result.end);
    return interrupted;
  }
  return result.unsolved ? failed : done;
}

}  // namespace cli
