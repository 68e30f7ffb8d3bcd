// From names of signals to a figure: which are meant, and which share a panel.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/figure/figure.h"

namespace sinew::report {

// Signals over time, of a recording or of a run. One of them is "t".
struct Traces {
  std::vector<std::string> names, units;
  std::function<std::vector<double>(std::size_t)> read;
};

struct PlotPlan {
  std::string title, subtitle;
  // Each entry: signals separated by commas. One is named in full, by the group it is in (body.bob.p, energy), or with
  // wildcards (*.p.x). Those of one unit share a panel; if these are more than six, each group has its own.
  std::vector<std::string> panels;
  std::string x = "t";  // what they are plotted over
};

// Throws InputError: unknown signals, more panels than fit on a page.
figure::Figure plot_signals(const Traces& traces, const PlotPlan& plan, const std::string& place);

}  // namespace sinew::report
