// Test bench of the hexapod's closed forms: step cycles, gaits, legs, forces, climbing, without a tree. What it measures are results.
#include <fmt/format.h>

#include "robots/hexapod/body_keys.h"
#include "robots/hexapod/measure.h"
#include "sinew/control/legs/gait_table.h"
#include "sinew/model/describe_tools.h"

namespace sinew::robots {
namespace {

enum class HexapodTask {
  Cycle,
  Ideal,
  Adaptation,
  Turn,
  JointRates,
  StartStop,
  Transition,
  Leg,
  Frames,
  Com,
  FootForces,
  WalkForces,
  ComCorrection,
  Climbing,
  Torque,
  Ledge,
  LedgeHeights
};
constexpr std::array<std::string_view, 17> hexapod_task_names{
    "cycle",          "ideal",    "adaptation", "turn",  "joint_rates",  "start_stop",
    "transition",     "leg",      "frames",     "com",   "foot_forces",  "walk_forces",
    "com_correction", "climbing", "torque",     "ledge", "ledge_heights"};

struct HexapodBench : Robot {
  HexapodBenchInput in;
  int bench = 0;
  std::string leg = "L1";
  std::vector<std::string> feet{"L1", "L2", "L3", "R1", "R2", "R3"};

  void describe(Keys& keys) override {
    keys.choice({"bench", "",
                 "cycle, ideal: of a step; start_stop, transition: the generator; leg, frames: angles; com to "
                 "torque: forces; ledge: the way up one; ledge_heights: the greatest that has a way"},
                hexapod_task_names, bench);
    describe_body(keys, in.body);
    describe_step(keys, in.shape);
    describe_gaits(keys);
    describe_legs(keys);
    describe_forces(keys);
  }

  void describe_gaits(Keys& keys) {
    keys.choice({"gait", "", "the gait that is looked at"}, legged::gait_names, in.gait);
    keys.choice({"a", "", "transition: from this gait"}, legged::gait_names, in.a);
    keys.choice({"b", "", "transition: to this one"}, legged::gait_names, in.b);
    keys.number({"tau", "1", "part of a period in the air, at most 1/2; 0: the gait's own", {.low = 0.0, .high = 0.5}},
                in.tau);
    keys.number({"Phi", "1", "ideal: master phase", any_number}, in.Phi);
    keys.number({"dt", "s", "tick of the generator", {.low = 1e-5, .high = 0.02}}, in.dt);
    keys.number(
        {"periods", "1", "of walking, before a stop or before a change is asked for", {.low = 0.0, .high = 100.0}},
        in.periods);
    keys.number({"after", "s", "transition: how long it is watched", {.low = 0.0, .high = 100.0}}, in.after);
    keys.integer({"samples",
                  "",
                  "walk_forces: of a period; joint_rates, com_correction: ten times as many",
                  {.low = 10, .high = 100000}},
                 in.samples);
    keys.number({"y_c", "m", "adaptation: height of the ground that is met", any_number}, in.y_c);
    check_gaits(keys);
  }

  // Own tau: neighbours must not meet in the air.
  void check_gaits(Keys& keys) {
    const bool two = HexapodTask(bench) == HexapodTask::Transition;
    for (const int which : two ? std::vector{in.a, in.b} : std::vector{in.gait}) {
      const std::string problem = legged::problem_of(in.table(which));
      if (problem.empty()) continue;
      keys.reject("tau", fmt::format("{} with tau = {:g}: {}", legged::gait_names[which], in.tau, problem),
                  "give a smaller one, or 0 for the gait's own");
      in.tau = 0.0;
    }
  }

  void describe_legs(Keys& keys) {
    keys.numbers({"p", "m", "leg: foot in the axes of its leg: across, up, outward"}, {.exactly = 3}, in.p);
    keys.text({"leg", "", "frames, torque: L1 to Ln, R1 to Rn, 1 at the front"}, leg);
    in.leg = leg_number(leg, in.body.segments);
    if (in.leg < 0) {
      keys.reject("leg", fmt::format("there is no leg \"{}\"", leg), legs_there());
      in.leg = 0;
    }
    keys.number({"z", "m", "frames: foot ahead of its neutral point", any_number}, in.z);
    keys.number({"y", "m", "frames: foot above the ground", any_number}, in.y);
    keys.number({"heading", "rad", "of the body, to the left", any_number}, in.heading);
    keys.number({"pitch_up", "rad", "of the body, nose up", any_number}, in.pitch_up);
    keys.number({"roll", "rad", "of the body, left side up", any_number}, in.roll);
    keys.numbers({"front", "rad", "hinge ahead of the middle segment: pitch_up, yaw"}, {.exactly = 2}, in.front);
    keys.numbers({"rear", "rad", "hinge behind it: pitch_up, yaw"}, {.exactly = 2}, in.rear);
  }

  std::string legs_there() const { return fmt::format("give one of L1 to L{0}, R1 to R{0}", in.body.segments); }

  void describe_forces(Keys& keys) {
    keys.texts({"feet", "", "foot_forces: legs that stand, at their neutral points"}, feet);
    in.feet.clear();
    for (const std::string& name : feet) {
      const int i = leg_number(name, in.body.segments);
      if (i >= 0)
        in.feet.push_back(i);
      else
        keys.reject("feet", fmt::format("there is no leg \"{}\"", name), legs_there());
    }
    if (int(in.feet.size()) > in.legs()) {
      keys.reject("feet", fmt::format("{} feet are given for {} legs", in.feet.size(), in.legs()), "name each once");
      in.feet.clear();
    }
    keys.numbers({"com", "m", "foot_forces, transition, com_correction: mass centre, left and forward"}, {.exactly = 2},
                 in.com);
    keys.numbers({"offsets", "m", "com: feet off their neutral points: left, up, forward of each; empty: none"}, {},
                 in.offsets);
    if (!in.offsets.empty() && int(in.offsets.size()) != 3 * in.legs()) {
      keys.reject("offsets", fmt::format("{} numbers are given for {} legs", in.offsets.size(), in.legs()),
                  fmt::format("give {}, or none", 3 * in.legs()));
      in.offsets.clear();
    }
    keys.number({"g", "m/s^2", "gravity", positive}, in.g);
    keys.number({"s_min", "m", "com_correction: margin", not_negative}, in.s_min);
    keys.number({"v", "m/s", "com_correction: speed of the body's shift", positive}, in.v);
    keys.number({"load", "N", "torque: upward force on the foot", any_number}, in.load);
    keys.number(
        {"alpha", "rad", "climbing: pitch of the front segment", {.low = 0.0, .high = 1.5707963267948966}, true},
        in.alpha);
    keys.number({"ledge_height", "m", "ledge: its height", {.low = 0.01, .high = 1.0}}, in.ledge_height);
    keys.number({"torque_limit", "N m", "ledge: of the first two joints of a leg; hinges have twice that", positive},
                in.torque_limit);
    keys.number({"knee_limit", "N m", "ledge: of the third", positive}, in.knee_limit);
    keys.flag({"rigid", "", "ledge: hinges stay straight"}, in.rigid);
    const HexapodTask task = HexapodTask(bench);
    if ((task == HexapodTask::Ledge || task == HexapodTask::LedgeHeights) && in.body.segments != 3) {
      keys.reject("segments", fmt::format("a ledge is planned for 3 segments, there are {}", in.body.segments),
                  "give 3");
      bench = int(HexapodTask::Climbing);
    }
    keys.number({"R", "m", "climbing: radius of the hump", positive}, in.R);
    keys.number({"clearance", "m", "climbing: of the shoulders over the ground", not_negative}, in.clearance);
    keys.number({"spacing", "m", "climbing: between shoulders", positive}, in.spacing);
    if (in.spacing > 2.0 * (in.R + in.clearance)) {
      keys.reject("spacing", "the shoulders do not fit on the hump",
                  fmt::format("give at most {:g}", 2.0 * (in.R + in.clearance)));
      in.spacing = 0.2;
    }
  }

  bool is_bench() const override { return true; }
  Plan plan() const override { return {}; }

  std::vector<Measurement> measure(std::uint64_t) const override {
    constexpr std::array tasks{measure_cycle,          measure_ideal,      measure_adaptation,  measure_turn,
                               measure_joint_rates,    measure_start_stop, measure_transition,  measure_leg,
                               measure_frames,         measure_com,        measure_foot_forces, measure_walk_forces,
                               measure_com_correction, measure_climbing,   measure_torque,      measure_ledge,
                               measure_ledge_heights};
    HexapodMeasurements out;
    tasks[bench](in, out);
    return out;
  }
};

}  // namespace

std::unique_ptr<Robot> make_hexapod_bench() { return std::make_unique<HexapodBench>(); }

}  // namespace sinew::robots
