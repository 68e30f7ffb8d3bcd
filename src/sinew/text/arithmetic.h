// Arithmetic in values of scenario files, such as "0.5 * leg - sqrt(2) * (foot + 0.01)".
//   sum     = product { (+ | -) product }
//   product = power { (* | /) power }
//   power   = [-] atom [ ^ power ]          -a^b is -(a^b)
//   atom    = number | name | name(sum {, sum}) | ( sum )
// Names are those of [param] and pi; functions: sqrt, abs, sin, cos, tan, asin, acos, atan, atan2, exp, log, floor, min, max. Angles in
// radians. Formulas of results are something else (sim/formula.h): sums of signals, whose names may hold - and dots.
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace sinew::text {

using Parameters = std::map<std::string, double, std::less<>>;

struct Evaluated {
  double value = 0.0;
  std::string problem = {};  // empty: it is a number
};
Evaluated evaluate(std::string_view text, const Parameters& parameters);

// A name that arithmetic can hold: letters, digits and _, not beginning with a digit; none of its own words.
bool is_parameter_name(std::string_view name);

}  // namespace sinew::text
