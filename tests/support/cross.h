// The cross of everything: every robot with every contact law, stepper, choice of coordinates, ground, and with and without adhesion,
// for a short time. Each combination either runs and is certified, or is refused with a reason; anything else is a fault.
// tests/cross/cross_test.cpp runs some of it, scripts/cross all of it.
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::support {

// A robot of the cross: a scenario with a few other values, so that its parts touch the ground within the time of a run.
struct CrossRobot {
  std::string_view name, scenario;  // a built-in scenario, or a file below the root
  std::vector<std::string> sets;
  double level = 0.0;   // height of the ground that it stands on, or comes down to [m]
  bool is_tree = true;  // false: a robot with equations of its own
};
std::span<const CrossRobot> cross_robots();

inline constexpr double cross_time = 0.2;  // of each run [s]
// Factors of the cross after the robot, and their levels.
enum CrossFactor { Law, Method, Coords, Ground, Adhere, factor_count };
std::span<const std::string_view> levels_of(CrossFactor factor);
// The last method is known to robots with equations of their own alone.
int level_count(CrossFactor factor, bool trees);

struct Combination {
  int robot;
  std::array<int, factor_count> level;
};

// All of a robot, in one order.
std::vector<Combination> combinations_of(int robot);

std::vector<std::string> sets_of(const Combination& c);
std::string command_of(const Combination& c);  // to try it by hand

enum class Verdict { Certified, Refused, Fault };
struct Outcome {
  Verdict verdict;
  std::string why;  // of a refusal or a fault
};
Outcome try_out(const Combination& c);

}  // namespace sinew::support
