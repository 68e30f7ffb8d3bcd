// Runs of the snake robot, the same for every simulator; one iteration is a whole run. `snake`: 10 s of two gaits at 0.25 ms;
// `snake_batch`: sixteen of them at once by one thread;
// `snake_path`: the same by sinew with very small steps; `snake_servo`: by sinew with implicit servos and large steps;
// `snake_growth`: the first 0.1 s with more and more links, or what of it fits into 3 s on the clock; `maximal`: the same in
// maximal coordinates; `implicit`: the first second of the scenario lateral-undulation with implicit servos and steps of 1 ms.
// Counters: steps (asked for: wanted), place of link 6 at the end [m].
#include "snake.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sinew/batch/batch.h"
#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"

namespace sinew::bench {
namespace {

constexpr double dt = 2.5e-4;
constexpr int repetitions = 3;
constexpr int lengths[] = {11, 22, 44, 88, 176, 352};

struct Span {
  double duration;                                            // [s]
  double patience = std::numeric_limits<double>::infinity();  // on the clock [s]
};
constexpr Span whole{10.0}, beginning{0.1, 3.0}, first_second{1.0, 30.0};

struct Gait {
  const char* name;
  double Ah_deg, Av_deg;
};
constexpr Gait gaits[] = {{"lateral", 40.0, 0.0}, {"sidewinding", 30.0, 10.0}};

// As a user would write it. The robot's first link is the head, at +x: turned around, the links follow along x.
sim::Scenario scenario(const SnakeNumbers& n, const Gait& gait, double step, const char* actuator = "explicit",
                       const char* coordinates = "tree") {
  std::string text = fmt::format(
      "[robot]\nkind = \"snake\"\nn_links = {}\nlink_length = {}\nlink_mass = {}\ninertia_transverse = {}\n"
      "inertia_axial = {}\nsphere_radius = {}\nsphere_offset = {}\nyaw0_deg = 180.0\ncoordinates = \"{}\"\n",
      n.links, n.length, n.mass, n.inertia_across, n.inertia_along, n.radius, n.offset, coordinates);
  text += fmt::format("[ground]\nkind = \"plane\"\n[contact]\nmu = {}\nmu_roll = 0.0\n[gravity]\ng = [0.0, 0.0, {}]\n",
                      n.mu, -n.gravity);
  text += fmt::format(
      "[gait]\nkind = \"wave\"\nAh_deg = {}\nwh_deg_s = 80.0\ndh_deg = -50.0\n"
      "Av_deg = {}\nwv_deg_s = 80.0\ndv_deg = -50.0\nd0_deg = 90.0\nramp = 1.0\n",
      gait.Ah_deg, gait.Av_deg);
  text += fmt::format("[integrator]\nstep = {}\nactuator = \"{}\"\n", step, actuator);
  return text::parse_scenario(text, "bench/snake.cpp");
}

// Lateral undulation as it ships, with more links.
sim::Scenario shipped(int links, double step) {
  const std::vector<std::string> sets = {fmt::format("n_links={}", links), "actuator=implicit",
                                         fmt::format("step={}", step)};
  return text::load_scenario(SINEW_SCENARIO_DIR "/snake/lateral-undulation.toml", "lateral-undulation", sets);
}

template <class Step>
void repeat(benchmark::State& state, const Span& span, double step_size, const Step& step) {
  using Clock = std::chrono::steady_clock;
  const int wanted = int(std::lround(span.duration / step_size));
  const Clock::time_point start = Clock::now();
  int done = 0;
  for (auto _ : state)
    while (done < wanted && std::chrono::duration<double>(Clock::now() - start).count() < span.patience) step(done++);
  state.counters["wanted"] = wanted, state.counters["steps"] = done;
}

void show(benchmark::State& state, const std::array<double, 3>& place) {
  state.counters["x"] = place[0], state.counters["y"] = place[1], state.counters["z"] = place[2];
  if (!std::isfinite(place[0] + place[1] + place[2])) state.SkipWithError("the run has diverged");
}

// Returns the number of steps that are not certified.
int run_sinew(benchmark::State& state, const SnakeNumbers& numbers, const sim::Scenario& scenario, const Span& span) {
  World<double> world = sim::make_world(scenario);
  int uncertified = 0, iterations = 0;
  repeat(state, span, scenario.step, [&](int) {
    const StepReport report = world.step(scenario.step);
    uncertified += !report.converged;
    iterations += report.iterations;
  });
  const Vec3d p = observe(world).bodies[watched_link].p_WC;
  // ours starts with the middle link at the origin
  const double middle = ((numbers.links + 1) / 2 - 0.5) * numbers.length;
  show(state, {p[0] + middle, p[1], p[2]});
  state.counters["uncertified"] = uncertified, state.counters["solver_iterations"] = iterations;
  return uncertified;
}

void run_certified(benchmark::State& state, const SnakeNumbers& n, const sim::Scenario& scenario, const Span& span) {
  const int uncertified = run_sinew(state, n, scenario, span);
  if (uncertified > 0) state.SkipWithError(fmt::format("{} steps are not certified", uncertified).c_str());
}

// Sixteen snakes by one thread, four in a register; each is one of the runs above.
void run_batch(benchmark::State& state, const SnakeNumbers& numbers, const sim::Scenario& scenario, const Span& span) {
  constexpr int robots = 16;
  Batch batch(std::make_shared<const sim::Experiment>(scenario), robots, {.threads = 1});
  repeat(state, span, scenario.step, [&](int) { batch.step(1); });
  state.counters["robots"] = robots;
  const std::vector<sim::Signal> place = batch.find_signals(fmt::format("body.link{}.p", watched_link + 1));
  std::vector<double> p(place.size() * robots);
  batch.evaluate(place, p);
  const double middle = ((numbers.links + 1) / 2 - 0.5) * numbers.length;
  show(state, {p[0] + middle, p[1], p[2]});
  std::int64_t uncertified = 0;
  for (const std::int64_t n : batch.uncertified()) uncertified += n;
  state.counters["uncertified"] = double(uncertified);
  if (uncertified > 0) state.SkipWithError(fmt::format("{} steps are not certified", uncertified).c_str());
}

// The servos of a simulator that is given torques: what our explicit ones do, from the same plan.
void run_peer(benchmark::State& state, const SnakeNumbers& numbers, const Gait& gait, const MakeSnakePeer& make,
              const Span& span) {
  const Plan plan = sim::moving_plan(scenario(numbers, gait, dt));
  const std::unique_ptr<SnakePeer> peer = make(numbers, dt);
  std::vector<double> angle(numbers.axes()), rate(numbers.axes()), torque(numbers.axes());
  repeat(state, span, dt, [&](int k) {
    peer->read(angle.data(), rate.data());
    int i = 0;
    for (const JointPlan& joint : plan.joints)
      for (std::size_t axis = 0; axis < joint.motion.size(); axis++, i++) {
        double aim, aim_rate, aim_accel;
        joint.motion[axis].evaluate(k * dt, aim, aim_rate, aim_accel);
        torque[i] = joint.kp[axis] * (aim - angle[i]) + joint.kd[axis] * (aim_rate - rate[i]);
      }
    peer->command(torque.data());
    peer->step();
  });
  show(state, peer->place());
  state.counters["unsolved"] = peer->unsolved();
}

benchmark::internal::Benchmark* add(const std::string& name, const std::function<void(benchmark::State&)>& run) {
  return benchmark::RegisterBenchmark(name.c_str(), run)
      ->Iterations(1)
      ->Repetitions(repetitions)
      ->Unit(benchmark::kMillisecond);
}

void add_sinew(const Gait& gait) {
  const SnakeNumbers numbers;
  add(fmt::format("snake/{}/sinew", gait.name),
      [&gait, numbers](benchmark::State& state) { run_certified(state, numbers, scenario(numbers, gait, dt), whole); });
  add(fmt::format("snake_batch/{}", gait.name),
      [&gait, numbers](benchmark::State& state) { run_batch(state, numbers, scenario(numbers, gait, dt), whole); });
  for (const int steps_per_ms : {32, 64})  // two, to see how far the finer one is from the limit
    add(fmt::format("snake_path/{}/{}", gait.name, steps_per_ms), [=, &gait](benchmark::State& state) {
      run_certified(state, numbers, scenario(numbers, gait, 1e-3 / steps_per_ms), whole);
    })->Repetitions(1);
  for (const int us : {500, 1000, 2000, 3000, 3500, 3900, 5000, 8000})
    add(fmt::format("snake_servo/{}/{}", gait.name, us), [=, &gait](benchmark::State& state) {
      run_sinew(state, numbers, scenario(numbers, gait, 1e-6 * us, "implicit"), whole);
    });
}

template <class Run>
void add_growth(const char* who, const Run& run) {
  for (const int links : lengths)
    add(fmt::format("snake_growth/{}/{}", who, links), [=](benchmark::State& state) {
      SnakeNumbers numbers;
      numbers.links = links;
      run(state, numbers);
    });
}

[[maybe_unused]] const bool added = [] {
  for (const Gait& gait : gaits) add_sinew(gait);
  add_growth("sinew", [](benchmark::State& state, const SnakeNumbers& numbers) {
    run_certified(state, numbers, scenario(numbers, gaits[0], dt), beginning);
  });
  add_growth("maximal", [](benchmark::State& state, const SnakeNumbers& numbers) {
    run_certified(state, numbers, scenario(numbers, gaits[0], dt, "explicit", "maximal"), beginning);
  });
  add_growth("implicit", [](benchmark::State& state, const SnakeNumbers& numbers) {
    run_certified(state, numbers, shipped(numbers.links, 1e-3), first_second);
  });
  return true;
}();

}  // namespace

void add_snake_peer(const char* name, const MakeSnakePeer& make) {
  for (const Gait& gait : gaits)
    add(fmt::format("snake/{}/{}", gait.name, name),
        [make, &gait](benchmark::State& state) { run_peer(state, SnakeNumbers{}, gait, make, whole); });
}

void add_snake_peer_growth(const char* name, const MakeSnakePeer& make) {
  add_growth(name, [make](benchmark::State& state, const SnakeNumbers& numbers) {
    run_peer(state, numbers, gaits[0], make, beginning);
  });
}

}  // namespace sinew::bench
