// How good a point of a search is: less is better. Conditions come first, so that among points that miss some the one that misses least is best.
#pragma once
#include <compare>
#include <limits>

namespace sinew::study {

struct Merit {
  double missed = 0.0;  // sum of what its conditions are missed by; infinite: the run is of no use
  double value = 0.0;

  static Merit worst() { return {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}; }
  friend bool operator<(const Merit& a, const Merit& b) {
    return a.missed < b.missed || (a.missed == b.missed && a.value < b.value);
  }
};

}  // namespace sinew::study
