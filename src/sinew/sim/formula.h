// Formula: what a result is made of.
//   "joint.knee.q"                            a signal
//   "body.bob.p"                              a group of signals: a vector
//   "joint.hip.q + joint.knee.q"              a sum or difference; + and - stand between spaces, because names may hold -
//   "com.p.x, -momentum.angular.y"            several of these: a vector
//   "1e3 * joint.knee.q - 0.5 * com.p.x"      numbers before a signal, with * between spaces
//   "com.p.x - 0.1"                           a number by itself, but not in the first place
#pragma once
#include <map>

#include "sinew/sim/signals.h"

namespace sinew::sim {

struct Term {
  int signal;     // position in the list; -1: the factor itself is meant
  double factor;  // with its sign
};
using Sum = std::vector<Term>;

struct Formula {
  std::vector<Sum> components;  // none: something in it is unknown
  bool is_vector = false;
  std::string unknown = {};  // the first name that is none
};

// Positions by name, to be made once for many formulas: robots write long ones.
using SignalPositions = std::map<std::string_view, int>;
SignalPositions positions_of(std::span<const Signal> signals);

Formula parse_formula(std::span<const Signal> signals, const SignalPositions& positions, std::string_view text);
Formula parse_formula(std::span<const Signal> signals, std::string_view text);

double evaluate(const Sum& sum, std::span<const Signal> signals, const World<double>& world,
                const Observation<double>& seen);

}  // namespace sinew::sim
