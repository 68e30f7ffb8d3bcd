// One number against what is known about it.
#pragma once
#include <string>

namespace sinew::validate {

struct Entry {
  std::string id;      // scenario/case/name, with .0, .1, ... for the components of a vector
  std::string source;  // where the expected value comes from
  double expected, tolerance;
  double measured;          // NaN: the run gave no number
  bool pass;                // |measured - expected| <= tolerance
  std::string reason = {};  // why there is no pass, if not for the number
};

}  // namespace sinew::validate
