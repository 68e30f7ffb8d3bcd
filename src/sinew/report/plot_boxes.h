// Box plots of results that are lists: least, quartiles, median and largest number of each.
#pragma once
#include "sinew/report/plot_signals.h"
#include "sinew/sim/run.h"

namespace sinew::report {

// panels: names of results, separated by commas. Throws InputError: a name that is none, or not a list.
figure::Figure plot_boxes(std::span<const sim::ResultValue> results, std::span<const std::string> panels,
                          const PlotPlan& plan, const std::string& place);

// The results of a finished run that are lists, from the object that `sinew run --json` prints and a recording keeps. Units are those of
// the scenario's robot; unknown ones are empty.
std::vector<sim::ResultValue> recorded_lists(const std::string& run_json, const sim::Scenario& scenario);

// Panels of lists that belong together, such as glass_forces and wood_forces: those with the most numbers. Lists a hundred times smaller
// than the largest have a panel of their own. None: there are no two lists with one ending.
std::vector<std::string> usual_boxes(std::span<const sim::ResultValue> lists);

}  // namespace sinew::report
