// BOBYQA (Powell, The BOBYQA algorithm for bound constrained optimization without derivatives, Cambridge NA 2009/06), by the library NLopt, which is
// loaded when it is first called.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sinew::study {

// What to make small, in the unit cube; nothing: stop.
using OneValue = std::function<std::optional<double>(const std::vector<double>&)>;

// Gives why it ended. Throws FileError if the library is not there.
std::string bobyqa(const OneValue& value, std::vector<double> start, double tol_x);

}  // namespace sinew::study
