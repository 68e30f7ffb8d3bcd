#include "tests/support/cross.h"
#include "sinew/text/load_scenario.h"

#include <fmt/format.h>

#include <cmath>
#include <regex>

#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"

namespace sinew::support {
namespace {

const std::vector<CrossRobot> robots{
    {"balls", "contact/three-balls", {"gravity.kind=uniform", "contact.mu=0.3", "contact.restitution=0.5"}, -0.031},
    {"impacts", "contact/impact-phases", {"count=4", "substeps=0"}},
    {"pile",
     "contact/tray",
     {"spheres=3", "boxes=3", "capsules=3", "columns=3", "rows=3", "contact.beta=0", "contact.k=1e5", "step=0.001"}},
    {"quadruped", "quadruped/trot", {}},
    {"hexapod", "tests/cross/hexapod.toml", {}},
    {"biped", "tests/cross/biped.toml", {}},
    {"snake", "snake/sidewinding", {"n_links=5", "contact.mu_roll=0"}},
    {"soft-limb", "softbot/limb-contact", {"theta0=[0.0,0.0,0.0]", "contact.mu=0.3", "contact.k=50.0"}},
    {"soft-robot", "softbot/crawl", {"contact.k=50.0"}},
    {"spring-chain", "basics/spring-chain", {}, -1.0},
    {"block", "basics/rocking-block", {"step=0.001"}},
    {"linkage", "tests/cross/linkage.toml", {}},
    {"driven", "tests/cross/driven.toml", {}},
    {"four-bars", "benchmarks/a02-four-bars", {"axial_inertia=1e-3", "step=0.001"}, -2.0},
    {"rod", "continuum/rod-snake-stick", {"segments=8"}},
    {"quadruped-closed", "quadruped/yaw-manoeuvre", {"formulation=closed"}, 0.0, false},
    {"quadruped-run", "quadruped/pitch-feedback", {"step=0.001"}, 0.0, false},
    {"rod-arc", "continuum/snake-arc", {}, 0.0, false},
    {"rod-arm", "continuum/arm", {}, 0.0, false},
    {"rod-inchworm", "continuum/inchworm", {}, 0.0, false},
    {"rod-shear", "continuum/snake-shear", {}, 0.0, false},
    {"rod-snake", "continuum/snake-space", {}, 0.0, false},
    {"rod-swimmer", "continuum/rod-drop", {}, 0.0, false},
    {"rod-worm", "continuum/worm", {}, 0.0, false},
    {"soft-rod", "continuum/soft-release", {}, 0.0, false},
};

constexpr std::array<std::string_view, 5> laws{"rigid", "penalty", "impulse-propagation", "impulse-simultaneous",
                                               "complementarity"};
constexpr std::array<std::string_view, 6> methods{"moreau", "euler", "verlet", "rk4", "rk45", "generalized-alpha"};
constexpr std::array<std::string_view, 2> coordinates{"tree", "maximal"};
constexpr std::array<std::string_view, 6> grounds{"none", "plane", "steps", "heights", "mesh", "profile"};
constexpr std::array<std::string_view, 2> adhesions{"none", "cohesion"};

// At the level: a plane; half of it, and the other half a step lower; waves of 5 mm along x below it; two triangles;
// two pieces with a ditch between them.
std::vector<std::string> ground_sets(std::string_view kind, double level) {
  std::vector<std::string> sets{fmt::format("ground.kind={}", kind)};
  const auto add = [&](const std::string& set) { sets.push_back("ground." + set); };
  if (kind == "plane") add(fmt::format("height={}", level));
  if (kind == "steps") {
    add(fmt::format("height={}", level - 0.01));
    for (const char* set : {"count=1", "rise=0.01", "start=0.05", "run=20.0", "width=20.0"})
      add(fmt::format("steps.{}", set));
  }
  if (kind == "heights") {
    std::string z;
    for (int i = 0; i < 81; i++) z += fmt::format("{}{}", i > 0 ? "," : "", i / 9 % 2 ? level - 0.005 : level);
    for (const char* set : {"nx=9", "ny=9", "x0=-4.0", "y0=-4.0", "dx=1.0", "dy=1.0"})
      add(fmt::format("heights.{}", set));
    add(fmt::format("heights.z=[{}]", z));
  }
  if (kind == "mesh") {
    add(fmt::format("mesh.vertices=[-5.0,-5.0,{0},5.0,-5.0,{0},5.0,5.0,{0},-5.0,5.0,{0}]", level));
    add("mesh.triangles=[0,1,2,0,2,3]");
  }
  if (kind == "profile") {
    add("profile.x=[0.05,0.4]");
    add(fmt::format("profile.z=[{0},{1},{0}]", level, level - 0.01));
  }
  return sets;
}

std::string file_of(const CrossRobot& robot) {
  if (robot.scenario.ends_with(".toml")) return fmt::format("{}/{}", SINEW_SOURCE_DIR, robot.scenario);
  return fmt::format("{}/{}.toml", SINEW_SCENARIO_DIR, robot.scenario);
}

// A reason names a key and says what to do.
bool is_reason(const std::string& text) {
  static const std::regex key(R"([a-z_]+\.[A-Za-z_]+)"),
      fix(R"(: .*\b(use|give|remove|make|try|set|choose|leave|must|it may be|may be|write)\b)");
  return std::regex_search(text, key) && std::regex_search(text, fix);
}

}  // namespace

std::span<const CrossRobot> cross_robots() { return robots; }

std::span<const std::string_view> levels_of(CrossFactor factor) {
  switch (factor) {
    case Law:
      return laws;
    case Method:
      return methods;
    case Coords:
      return coordinates;
    case Ground:
      return grounds;
    default:
      return adhesions;
  }
}

int level_count(CrossFactor factor, bool trees) {
  const int all = int(levels_of(factor).size());
  return factor == Method && trees ? all - 1 : all;
}

std::vector<Combination> combinations_of(int robot) {
  std::vector<Combination> all{{robot, {}}};
  for (int f = 0; f < factor_count; f++) {
    std::vector<Combination> more;
    for (const Combination& c : all)
      for (int level = 0; level < level_count(CrossFactor(f), robots[robot].is_tree); level++) {
        more.push_back(c);
        more.back().level[f] = level;
      }
    all = std::move(more);
  }
  return all;
}

std::vector<std::string> sets_of(const Combination& c) {
  const CrossRobot& robot = robots[c.robot];
  std::vector<std::string> sets = robot.sets;
  sets.push_back(fmt::format("contact.law={}", laws[c.level[Law]]));
  sets.push_back(fmt::format("integrator.method={}", methods[c.level[Method]]));
  sets.push_back(fmt::format("robot.coordinates={}", coordinates[c.level[Coords]]));
  for (const std::string& set : ground_sets(grounds[c.level[Ground]], robot.level)) sets.push_back(set);
  sets.push_back(fmt::format("contact.adhesion={}", adhesions[c.level[Adhere]]));
  if (c.level[Adhere] > 0)
    for (const char* set : {"contact.cohesion=100.0", "contact.adhesion_area=1e-4"}) sets.emplace_back(set);
  return sets;
}

std::string command_of(const Combination& c) {
  std::string text = fmt::format("./sinew run {} --until {} --no-record", robots[c.robot].scenario, cross_time);
  for (const std::string& set : sets_of(c)) text += fmt::format(" --set '{}'", set);
  return text;
}

Outcome try_out(const Combination& c) {
  const CrossRobot& robot = robots[c.robot];
  try {
    const std::vector<std::string> sets = sets_of(c);
    sim::Scenario scenario = text::load_scenario(file_of(robot), std::string(robot.name), sets);
    scenario.duration = cross_time;
    const sim::RunResult run = sim::run(scenario);
    if (run.diagnosis) return {Verdict::Fault, text_of(*run.diagnosis, run.scenario)};
    if (run.solver.unconverged_steps > 0)
      return {Verdict::Fault, fmt::format("{}: {} of {} steps not solved, the worst by {:.3g} m/s", run.unsolved_where,
                                          run.solver.unconverged_steps, run.steps, run.solver.residual_max)};
    if (!std::isfinite(run.energy.total() + run.balance_error)) return {Verdict::Fault, "the energy is not finite"};
    return {Verdict::Certified, ""};
  } catch (const InputError& e) {
    std::string all;
    for (const std::string& problem : e.problems) {
      if (!is_reason(problem)) return {Verdict::Fault, "refused without a reason: " + problem};
      all += (all.empty() ? "" : "; ") + problem;
    }
    return {Verdict::Refused, all};
  } catch (const std::exception& e) {
    return {Verdict::Fault, fmt::format("an exception: {}", e.what())};
  }
}

}  // namespace sinew::support
