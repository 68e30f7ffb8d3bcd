// Test bench of the quadruped's closed forms: states, runs, torques along a motion, control and flight, without a tree. What it
// measures are results. Only bench = "run" has a motion to be watched as well: by the same equations, as a plant.
#include <fmt/format.h>

#include "robots/quadruped/closed_form.h"
#include "robots/quadruped/measure.h"
#include "sinew/model/describe_tools.h"

namespace sinew::robots {
namespace {

enum class Task { State, Run, Inverse, Control, Flight };
constexpr std::array<std::string_view, 5> bench_names{"state", "run", "inverse", "control", "flight"};

struct QuadrupedBench : Robot {
  QuadrupedBenchInput in;
  int bench = 0;

  void describe(Keys& keys) override {
    keys.choice(
        {"bench", "",
         "state: equations at q, u, tau; run: from there by RK4; inverse: torques along a motion; control: stance "
         "with a goal; flight: legs locked at swing_theta"},
        bench_names, bench);
    robots::describe(keys, in);
    describe_run(keys);
    describe_goal(keys);
    describe_flight(keys);
    const bool needs_plain = Task(bench) == Task::Run || Task(bench) == Task::Inverse || Task(bench) == Task::Control;
    if (needs_plain && !in.is_plain()) {
      keys.reject("tail", fmt::format("bench = \"{}\" is for a pendulum", bench_names[bench]),
                  "use tail = \"pendulum\", or bench = \"state\" or \"flight\"");
      bench = 0;
    }
  }

  void describe_run(Keys& keys) {
    keys.numbers({"t", "s", "times at which a run or a motion is looked at", not_negative}, {.one_for_all = true},
                 in.t);
    keys.number({"h", "s", "step of runs and flights", positive}, in.h);
    keys.choice({"rate_map", "", "exact: phi' = E^-1 omega; paper: phi' = omega, as Liu and Ben-Tzvi 2018 have it"},
                legged::rate_map_names, in.rate_map);
    keys.choice({"drive", "",
                 "torque: tau + tau_sin sin(tau_omega t); feedforward: inverse dynamics of the motion; "
                 "feedback: that, and kp, kd"},
                legged::stance_drive_names, in.drive);
    keys.flag({"hold", "", "torques of the start of a step are held over it"}, in.hold);
    keys.flag({"refine", "", "run: again with a half and an eighth of the step; results halving, step_error"},
              in.refine);
    keys.flag({"start_on_motion", "", "start on the motion instead of at q, u"}, in.start_on_motion);
    const Count eight{.exactly = 8, .one_for_all = true};
    keys.numbers({"amplitude", "m, rad", "of the motion goal + amplitude sin(omega t + phase) of q"}, eight,
                 in.amplitude);
    keys.numbers({"omega", "rad/s", "of the motion"}, eight, in.omega);
    keys.numbers({"phase", "rad", "of the motion"}, eight, in.phase);
    keys.number({"lambda", "1", "of the damped sharing of torques", not_negative}, in.damping);
  }

  void describe_goal(Keys& keys) {
    keys.number({"kp", "1/s^2", "of the feedback", not_negative}, in.kp);
    keys.number({"kd", "1/s", "of the feedback", not_negative}, in.kd);
    keys.numbers({"mu", "1", "friction: of cones, and of onsets of slip", not_negative}, {.one_for_all = true}, in.mu);
    if (in.mu.empty()) {
      keys.reject("mu", "no friction is given", "give at least one number");
      in.mu = {0.8};
    }
    const Range limit{.low = 0.0, .above_low = true, .may_be_infinite = true};
    keys.number({"torque_limit", "N m", "of the legs' actuators", limit}, in.torque_limit);
    keys.number({"tail_limit", "N m", "of the tail's actuators", limit}, in.tail_limit);
    keys.number({"f_min", "N", "least normal force of a foot", not_negative}, in.f_min);
    keys.integer({"facets", "", "of the pyramid inside a friction cone", {.low = 3, .high = 16}}, in.facets);
    keys.number({"bench_duration", "s", "of a run under control, and of a flight under torque", positive}, in.duration);
    keys.numbers({"goal", "m, rad", "where the plate should be: x, y, z, phi_x, phi_y, phi_z"}, {.exactly = 6},
                 in.goal);
    keys.numbers({"ades", "m/s^2, rad/s^2", "control: one choice of torques for these accelerations; empty: a run"}, {},
                 in.ades);
    if (!in.ades.empty() && in.ades.size() != 8) {
      keys.reject("ades", fmt::format("{} accelerations are given for 8 coordinates", in.ades.size()),
                  "give 8, or none");
      in.ades.clear();
    }
    keys.numbers({"weights", "1", "of the accelerations ades", not_negative}, {.exactly = 8}, in.weights);
    keys.flag({"tail_locked", "", "control: the tail stays where it is"}, in.tail_locked);
  }

  void describe_flight(Keys& keys) {
    keys.numbers({"tail_angles", "rad", "flight: to which the tail goes from 0"}, {.one_for_all = true},
                 in.tail_angles);
    if (in.tail_angles.empty()) in.tail_angles = {0.0};
    keys.number({"tail_kp", "N m/rad", "flight under torque: of the tail's drive", not_negative}, in.tail_kp);
    keys.number({"tail_kd", "N m s/rad", "the same", not_negative}, in.tail_kd);
    keys.number({"alpha", "rad", "half angle of the tail's cone", {.low = 0.0, .high = 1.5}}, in.alpha);
    keys.number({"Psi", "rad", "by which the tail goes round", any_number}, in.Psi);
    keys.numbers({"T", "s", "times to open the cone, to go round, to close it", positive}, {.exactly = 3}, in.T);
    keys.numbers({"start_quat", "1", "attitude at the start: w, x, y, z"}, {.exactly = 4}, in.start_quat);
    if (!check_attitude(keys, "start_quat", in.start_quat)) in.start_quat = {1, 0, 0, 0};
  }

  bool is_bench() const override { return Task(bench) != Task::Run; }

  // For the duration of the scenario.
  Plan plan() const override {
    Plan plan;
    if (is_bench()) return plan;
    plan.gravity.g = Vec3d(0, 0, -in.robot.g);
    plan.make_plant = [start = in](const Plan& final) {
      QuadrupedBenchInput now = start;
      now.robot.g = gravity_along_z(final);
      const legged::StanceProgram program = now.program();
      legged::Vec8 q = now.q8(), u = now.u8(), rate, accel;
      if (now.start_on_motion) {
        program.reference.evaluate(0.0, q, rate, accel);
        u = legged::speeds_of(legged::RateMap(now.rate_map), q, rate);
      }
      return make_stance_plant(now, program, legged::RateMap(now.rate_map), q, u);
    };
    return plan;
  }
  std::vector<std::string_view> methods() const override {
    if (is_bench()) return {};
    return {"rk4"};
  }

  std::vector<Measurement> measure(std::uint64_t) const override {
    Measurements out;
    if (Task(bench) == Task::State) measure_state(in, out);
    if (Task(bench) == Task::Run) measure_run(in, out);
    if (Task(bench) == Task::Inverse) measure_inverse(in, out);
    if (Task(bench) == Task::Control) measure_control(in, out);
    if (Task(bench) == Task::Flight) measure_flight(in, out);
    return out;
  }
};

}  // namespace

std::unique_ptr<Robot> make_quadruped_bench() { return std::make_unique<QuadrupedBench>(); }

}  // namespace sinew::robots
