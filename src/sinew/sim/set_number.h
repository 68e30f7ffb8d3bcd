// Any number of a scenario, by its key: for robots that differ from one another (sinew/batch/batch.h).
#pragma once
#include <string>
#include <vector>

#include "sinew/model/keys.h"
#include "sinew/sim/scenario.h"

namespace sinew::sim {

// The key of a number that a name means: dotted, with [i] behind it for the i-th of an array, or its last parts where these are unique; NAME_deg
// where it may be written in degrees. Throws InputError with the nearest ones.
std::string find_number(const Scenario& scenario, const std::string& name);

double number_of(const Scenario& scenario, const std::string& key);  // as the key's name says

std::string unit_of_number(const Scenario& scenario, const std::string& key);  // "deg" where the key's name says so
Range range_of_number(const Scenario& scenario, const std::string& key);       // as the key's name says

// A number that is found once and given to many copies of a scenario: to find it takes four times as long as to give it.
struct NumberPlace {
  std::string key;     // as asked for
  std::string dotted;  // table and name
  std::string written;
  int component = -1;  // of an array
  double unit = 1.0;   // of the value, in that of the key
  struct Shorthand {
    std::string key;
    std::vector<std::string> parts;
  };
  std::vector<Shorthand> shorthands = {};  // that stand for it, among others
  std::vector<std::string> parts = {};     // keys that it stands for itself
};
NumberPlace find_place(const Scenario& scenario, const std::string& key);  // key: of find_number()
void set_number(Scenario& scenario, const NumberPlace& place, double value);

// Gives it another value, as if the scenario's file had it. key: of find_number(). Throws InputError; the scenario is then of no use.
void set_number(Scenario& scenario, const std::string& key, double value);

}  // namespace sinew::sim
