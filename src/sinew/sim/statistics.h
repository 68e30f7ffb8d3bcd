// What a result with take = "max", "mean", "settled", ... remembers from look to look, and what it makes of that at the end.
#pragma once
#include <span>

#include "sinew/model/results.h"
#include "sinew/sim/progress.h"

namespace sinew::sim {

// Whether a result looks at time t of a run in steps of this length.
bool is_looked_at(const ResultPlan& plan, double t, double step);

// One more look; dt: time since the last one. Allocates only at the first.
void add_look(const ResultPlan& plan, double t, double dt, std::span<const double> values, Statistics& s);

// At time t, after at least one look. Of a group, settled is about all its numbers together: one number.
std::vector<double> taken(const ResultPlan& plan, double t, const Statistics& s);

// Less what was wanted, then all of them as one where the result asks for it.
std::vector<double> reduced(const ResultPlan& plan, std::vector<double> values);

}  // namespace sinew::sim
