// Cases: numbers that must come out of a scenario and figures of it, in the scenario's own file. They are no part of the
// experiment, but what is known about its outcome. `sinew validate` runs them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sinew/model/keys.h"

namespace sinew::sim {

// One quantity of a run: known values with a tolerance, or a bound.
struct Expectation {
  std::string name;
  std::string of;             // dotted path in result, or in the whole object that sinew run --json prints; empty: name
  std::vector<double> value;  // one, or all components of a vector; empty: there is a bound
  std::vector<double> tolerance = {0.0};  // one for all components, or one each
  double relative = 0.0;                  // tolerance as a part of the value, on top of the other
  double at_most = 0.0;                   // bound on the magnitude
};

struct FigurePlan {
  std::string name;
  std::string title;
  std::string paper, claim;             // what is compared with, and what it says
  std::vector<std::string> panels;      // signals of each, separated by commas
  std::string x = "t";                  // what they are plotted over
  std::vector<std::string> boxes = {};  // instead of panels: results with several numbers, each drawn as a box
};

struct Case {
  std::string name;
  std::string source;             // of the numbers; empty: the scenario's
  std::vector<std::string> sets;  // KEY=VALUE, as with --set
  std::vector<Expectation> expect;
  std::vector<FigurePlan> figures;
  std::string reference = {};  // key `case`: name of these numbers elsewhere, for scripts
};

// Declares the keys of [validate.NAME].
void describe(Keys& keys, std::vector<Case>& cases);

}  // namespace sinew::sim
