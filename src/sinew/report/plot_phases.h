// Phase diagram of a legged robot: when each foot stands and when it is in the air, as bars over time.
#pragma once
#include "sinew/report/plot_signals.h"

namespace sinew::report {

// When one leg stands: [from, to), from landing to lifting [s].
struct LegPhases {
  std::string name;  // of the body with the foot, without what all have in common
  std::vector<std::pair<double, double>> stance, transfer;
};

// Of all feet whose contacts were recorded: shapes and bodies with "foot" in their names, whatever they stand on. A foot stands where the sum of its normal
// forces is not zero; gaps of a single row, as a foot that lands may have, do not count. Throws InputError.
std::vector<LegPhases> phases_of(const Traces& traces, const std::string& place);

// One row a leg. Throws InputError.
figure::Figure plot_phases(const Traces& traces, const PlotPlan& plan, const std::string& place);

}  // namespace sinew::report
