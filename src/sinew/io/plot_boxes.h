// Box plots of results that are lists: least, quartiles, median and largest number of each.
#pragma once
#include "sinew/io/plot_signals.h"
#include "sinew/io/run.h"

namespace sinew::io {

// panels: names of results, separated by commas. Throws InputError: a name that is none, or not a list.
figure::Figure plot_boxes(std::span<const ResultValue> results, std::span<const std::string> panels,
                          const PlotPlan& plan, const std::string& place);

}  // namespace sinew::io
