// What the hexapod finds out by its sensors, and walks that must not depend on their noise: pads that follow the gait, seeds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "sinew/sim/run.h"
#include "sinew/sim/simulation.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/seeds.h"

namespace sinew::robots {
namespace hexapod_senses_test {

constexpr std::array legs{"L1", "L2", "L3", "R1", "R2", "R3"};

sim::Scenario scenario(const std::string& robot, const std::string& command, const std::string& contact,
                       double duration) {
  return text::parse_scenario(
      fmt::format("title = \"t\"\nsource = \"s\"\nduration = {}\n[robot]\nkind = \"hexapod\"\n{}[command]\n{}"
                  "[ground]\nkind = \"plane\"\n[contact]\nmu = 0.6\n{}[control]\nperiod = 1e-3\n"
                  "[integrator]\nmethod = \"moreau\"\nstep = 5e-4\n",
                  duration, robot, command, contact),
      "t");
}

double result(const sim::RunResult& r, std::string_view name) {
  for (const auto& v : r.results)
    if (v.name == name) return v.values.at(0);
  ADD_FAILURE() << "no result " << name;
  return NAN;
}

// One draw, and five with SINEW_LONG (./test --long).
std::vector<std::uint64_t> seeds() { return std::getenv("SINEW_LONG") ? noise_seeds() : std::vector<std::uint64_t>{1}; }

constexpr std::string_view pads =
    "adhesion = \"electro\"\nadhesion_surface = \"metalized-PET\"\nvoltage = 3500\ncharge_time = 0.001\n"
    "discharge_time = 0.01\n[gravity]\ng = [-9.81, 0, 0]\n";

// Whatever the gait: a foot leaves the wall without a pull, and stands on a pad that pulls. No times of the file say so.
TEST(HexapodPads, come_off_before_their_feet_lift_and_are_on_before_they_stand) {
  for (const char* gait : {"wave", "ripple"}) {
    sim::Simulation s{sim::Experiment(scenario(
        "clings = true\n", fmt::format("gait = \"{}\"\nspeed = 0.02\nstart = 0.3\n", gait), std::string(pads), 4.0))};
    std::array<double, legs.size()> flew{};
    int lifts = 0, landings = 0;
    while (s.time() < 3.999) {
      s.advance();
      for (std::size_t i = 0; i < legs.size(); i++) {
        const std::string leg = legs[i];
        const double flies = s.get("walk." + leg + ".in_air"), level = s.get("pad." + leg + ".level");
        if (flies != 0.0 && flew[i] == 0.0) {
          lifts++;
          EXPECT_LT(level, 0.05) << leg << " " << s.time();
        }
        if (flies == 0.0 && flew[i] != 0.0) {
          landings++;
          EXPECT_GT(level, 0.9) << leg << " " << s.time();
        }
        flew[i] = flies;
      }
    }
    EXPECT_GT(lifts, 5) << gait;
    EXPECT_GT(landings, 4) << gait;
    EXPECT_LT(std::abs(s.get("body.segment2.p.z") - 0.142), 0.01) << gait;
  }
}

// Gaits with motors, gears and noisy sensors on feet of rubber.
TEST(HexapodSeeds, gaits_walk_with_real_devices_whatever_the_noise) {
  struct Case {
    const char *command, *speed;
    double from, duration, wanted;
  };
  const Case cases[] = {
      {"gait = \"wave\"\nspeed = 0.0272727\n", "body.segment2.v.x", 4.3, 9.9, 0.0272727},
      {"gait = \"gallop\"\nspeed = 0.0333333\n", "body.segment2.v.x", 4.2, 11.2, 0.0333333},
      {"gait = \"tripod\"\nspeed = 0\nturn = 0.34340944\n", "body.segment2.w.z", 2.1675, 5.9, 0.34340944},
  };
  for (const Case& c : cases)
    for (const std::uint64_t seed : seeds()) {
      sim::Scenario plan = scenario("devices = \"real\"\n",
                                    fmt::format("{}step_height = 0.015\n[output.result]\nspeed = {{ signal = \"{}\", "
                                                "take = \"mean\", from = {} }}\n",
                                                c.command, c.speed, c.from),
                                    "law = \"penalty\"\nk = 3e5\n", c.duration);
      plan.seed = seed;
      const sim::RunResult r = sim::run(plan);
      EXPECT_EQ(result(r, "fallen"), 0.0) << c.command << seed;
      EXPECT_NEAR(result(r, "speed"), c.wanted, 0.03 * c.wanted) << c.command << seed;
      EXPECT_LT(std::abs(result(r, "drift")), 0.01) << c.command << seed;
      EXPECT_LT(result(r, "max_slip"), 0.003) << c.command << seed;
      EXPECT_GT(result(r, "min_margin"), 0.01) << c.command << seed;
    }
}

// Scenarios as they ship, with motors, gears and noisy sensors.
TEST(HexapodSeeds, scenarios_pass_with_real_devices_whatever_the_noise) {
  const std::vector<std::string> rubber{"devices=real", "contact.law=penalty", "contact.k=3e5"};
  for (const char* name : {"tripod-real", "wave", "gallop", "turn", "plate", "wall", "ceiling", "soft"})
    for (const std::uint64_t seed : seeds()) {
      std::vector<std::string> sets = rubber;
      if (std::string(name) == "soft") sets.resize(1);  // patches of their own
      if (std::string(name) == "tripod-real") sets.clear();
      if (const std::string n = name; n == "wall" || n == "ceiling") sets.push_back("step_height=0.012");
      if (const std::string n = name; n == "gallop" || n == "turn") sets.push_back("step_height=0.015");
      if (const std::string n = name; n == "gallop")
        sets[2] = "contact.k=1e6";  // softer feet creep by 3 mm in a stance
      sim::Scenario plan = text::load_scenario(fmt::format("{}/hexapod/{}.toml", SINEW_SCENARIO_DIR, name), name, sets);
      plan.seed = seed;
      const sim::RunResult r = sim::run(plan);
      EXPECT_EQ(result(r, "fallen"), 0.0) << name << seed;
      EXPECT_LT(result(r, "max_slip"), 0.003) << name << seed;
      if (std::string(name) != "plate") {  // on whose edge a foot may stand for a moment
        EXPECT_GT(result(r, "min_margin"), 0.0) << name << seed;
      }
      EXPECT_LT(std::abs(result(r, "drift")), 0.01) << name << seed;
    }
}

// On rough ground, over a hump that it sees, with a leg that is lost on the way: rigid contacts, motors and noisy sensors. Steps are those that motors
// follow: lower, or slower.
TEST(HexapodSeeds, uneven_ground_and_a_lost_leg_are_walked_with_real_devices_whatever_the_noise) {
  struct Case {
    const char* name;
    std::vector<std::string> sets;
    double way;  // of the body [m]
  };
  const Case cases[] = {
      {"rough", {}, 0.7335},
      {"hump", {"transfer_speed=0.12", "speed=0.03", "duration=54", "integrator.step=1e-3"}, 1.54},
      {"lost-leg", {"command.step_height=0.015"}, 0.56},
  };
  for (const Case& c : cases)
    for (const std::uint64_t seed : seeds()) {
      std::vector<std::string> sets = c.sets;
      sets.push_back("devices=real");
      sim::Scenario plan =
          text::load_scenario(fmt::format("{}/hexapod/{}.toml", SINEW_SCENARIO_DIR, c.name), c.name, sets);
      plan.seed = seed;
      const sim::RunResult r = sim::run(plan);
      EXPECT_EQ(result(r, "fallen"), 0.0) << c.name << seed;
      EXPECT_LT(result(r, "max_slip"), 0.003) << c.name << seed;
      EXPECT_GT(result(r, "min_margin"), 0.005) << c.name << seed;
      EXPECT_NEAR(result(r, "way"), c.way, 0.05 * c.way) << c.name << seed;
    }
}

// Speed and loads are those of the walk, not of the step.
TEST(HexapodReal, walks_in_steps_of_a_millisecond_as_in_steps_of_a_quarter) {
  const std::string file = fmt::format("{}/hexapod/tripod-real.toml", SINEW_SCENARIO_DIR);
  const auto walk = [&](const char* step) {
    const std::vector<std::string> sets{"duration=4.5", step};
    return sim::run(text::load_scenario(file, "tripod-real", sets));
  };
  const sim::RunResult coarse = walk("step=1e-3"), fine = walk("step=2.5e-4");
  for (const char* name : {"distance", "speed", "min_margin"})
    EXPECT_NEAR(result(coarse, name), result(fine, name), 0.005 * result(fine, name)) << name;
  for (const char* name : {"load_front", "load_middle", "load_rear"})
    EXPECT_NEAR(result(coarse, name), result(fine, name), 0.03 * result(fine, name)) << name;
  EXPECT_NEAR(result(coarse, "drift"), result(fine, "drift"), 0.002);
  EXPECT_LT(result(fine, "max_slip"), 0.003);
  EXPECT_LT(result(coarse, "max_slip"), 0.003);
}

// Sensors take the places of bodies from who looks for results, if somebody does.
TEST(HexapodReal, senses_the_same_whether_results_are_gathered_or_not) {
  const std::vector<std::string> sets{"duration=0.3"};
  const sim::Scenario plan =
      text::load_scenario(fmt::format("{}/hexapod/tripod-real.toml", SINEW_SCENARIO_DIR), "tripod-real", sets);
  const sim::RunResult gathered = sim::run(plan);
  sim::SimulationOptions options;
  options.end = plan.duration;
  sim::Simulation bare(std::make_shared<const sim::Experiment>(plan), options);
  while (!bare.is_over()) bare.advance();
  EXPECT_EQ(bare.hash(), gathered.hash);
}

}  // namespace hexapod_senses_test
}  // namespace sinew::robots
