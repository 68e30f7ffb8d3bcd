// Runs the cases of all scenarios and compares their numbers with what is known.
#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "sinew/sim/experiment.h"
#include "sinew/text/library.h"
#include "sinew/validate/entry.h"

namespace sinew::validate {

struct Options {
  std::string folder;                              // of the scenarios
  std::string only;                                // part of an id, or a pattern for all of it; empty: everything
  bool figures = false;                            // draw them as well
  std::string recordings;                          // folder for recordings of the scenarios; empty: none are made
  std::string version;                             // of the program, for these
  int threads = 0;                                 // 0: as many as the machine has
  const std::atomic<bool>* interrupted = nullptr;  // becomes true: runs end where they are
  std::function<void(double done, double all)> progress = {};  // simulated time [s]; called now and then
};

// A figure of a case as it came out.
struct Picture {
  sim::FigurePlan plan;
  std::string svg;
};

// What became of one case.
struct Outcome {
  std::string scenario, title;  // name and title of the scenario
  sim::Case plan;
  std::vector<Entry> entries;  // those asked for
  std::vector<Picture> pictures;
  std::string failure;  // why the run was no good; empty: it was
};

// By name of the scenario, then in the order of its file, whatever the number of threads. With `recordings`, each scenario
// that has a case among them is recorded as its file has it, to recordings/NAME.h5: by its first case that sets nothing, or
// by one run more, whose outcome has no entries and is there only if it failed. Throws InputError: a scenario that cannot
// be read, an expected number that no run reports, nothing that matches `only`; FileError.
std::vector<Outcome> validate(const Options& options);

// Everything about the cases of one scenario that can be wrong before they run. Throws InputError. as_written: the scenario as its
// file has it, for cases that set nothing; making it can take long.
void check_cases(const text::ScenarioFile& file, sim::Experiment as_written);

// All entries as a JSON array.
std::string to_json(const std::vector<Outcome>& outcomes);

// How many there are, and how many of them pass.
struct Count {
  int all = 0, pass = 0;
};
Count count(const std::vector<Outcome>& outcomes);

}  // namespace sinew::validate
