#include "sinew/bridge/remote.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "sinew/bridge/in_process.h"
#include "sinew/bridge/own_controller.h"
#include "sinew/math/counter_random.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "tests/bridge/robots.h"
#include "tests/support/allocations.h"

namespace sinew::bridge {
namespace remote_test {

using ::testing::HasSubstr;

constexpr std::int64_t ms = 1'000'000, us = 1'000;  // [ns]

// A controller on the other side of the pendulum's image. It answers with a number of its own, and reads its values so long before they have an
// effect as computing and the wire take.
struct Peer {
  const Layout& layout;
  VirtualClock& clock;
  std::function<double(const ProcessImage&)> law = [](const ProcessImage& m) { return m.numbers[0]; };
  std::int64_t t_c = 200 * us, t_w = 50 * us, T = ms;
  std::uint16_t control = state::operational;
  bool resets = false;
  std::function<bool(std::int64_t)> drops = [](std::int64_t) { return false; };
  ProcessImage in{layout, Side::Measured}, out{layout, Side::References};
  std::int64_t asked = 0;
  std::vector<std::uint32_t> seen = {};  // status

  std::span<const std::byte> operator()(std::span<const std::byte> measured) {
    EXPECT_EQ(check_frame(measured, layout, Side::Measured), Frame::Sound);
    in.unpack(measured);
    seen.push_back(in.header.status);
    out.words[0] = std::uint16_t(control | (resets && in.words[1] != 0 ? control::reset : 0));
    out.numbers[0] = law(in);
    out.header.session = in.header.session;
    out.header.tick++;
    out.header.echo = in.header.tick;
    out.header.time = std::uint64_t(clock.now() + T - t_c - t_w);
    const bool runs = in.header.status & status::running;
    return runs && drops(asked++) ? std::span<const std::byte>() : out.seal();
  }
};

struct Timed {
  sim::Experiment experiment;
  Layout layout = layout_of(experiment, 1e-3);
  VirtualClock clock;
  Peer peer{layout, clock};
  InProcess transport{[this](std::span<const std::byte> bytes) { return peer(bytes); }};
  Remote remote;

  explicit Timed(sim::Experiment with, RemoteOptions options = {})
      : experiment(std::move(with)), remote(layout, experiment.model(), transport, clock, complete(options)) {}
  RemoteOptions complete(RemoteOptions o) {
    o.timed = true;
    o.step = experiment.scenario.step;
    o.plan = experiment.scenario.bridge;
    o.session = 5;
    return o;
  }
  sim::RunResult run() {
    sim::RunHooks hooks;
    hooks.controller = &remote;
    return sim::run(experiment, hooks);
  }
  // What acts in each step.
  std::vector<double> acting() {
    sim::Simulation s(std::shared_ptr<const sim::Experiment>(std::shared_ptr<void>(), &experiment),
                      {.end = experiment.scenario.duration, .controller = &remote});
    std::vector<double> out;
    while (!s.is_over()) {
      s.advance();
      out.push_back(s.get(s.command("joint.pivot.torque")));
    }
    return out;
  }
};

// ---- lock-step

TEST(LockStep, gives_the_bits_of_a_run_without_a_bridge) {
  // hexapod/wall: its controller switches pads.
  for (const char* name : {"hexapod/tripod", "hexapod/tripod-real", "hexapod/wall", "biped/walk-static"}) {
    const sim::Experiment experiment = test::load(name, {"duration=0.4"});
    const Layout layout = layout_of(experiment, 1e-3);
    MonotonicClock clock;
    OwnController own(layout, experiment);
    InProcess transport([&](std::span<const std::byte> bytes) { return own.answer(bytes, 0); });
    Remote remote(layout, experiment.model(), transport, clock, {.step = experiment.scenario.step});
    sim::RunHooks hooks;
    hooks.controller = &remote;
    const sim::RunResult bridged = sim::run(experiment, hooks), plain = sim::run(experiment);
    ASSERT_EQ(bridged.results.size(), plain.results.size());
    for (std::size_t i = 0; i < plain.results.size(); i++)
      EXPECT_EQ(bridged.results[i].values, plain.results[i].values) << name << " " << plain.results[i].name;
    EXPECT_EQ(bridged.work.actuators, plain.work.actuators) << name;
    EXPECT_EQ(bridged.energy.kinetic, plain.energy.kinetic) << name;
    EXPECT_EQ(remote.report().cycles, 400) << name;
  }
}

TEST(LockStep, devices_go_up_before_time_begins_and_act_from_the_first_step_on) {
  const sim::Experiment experiment = test::pendulum({"control.period=1e-3", "duration=0.01"});
  const Layout layout = layout_of(experiment, 1e-3);
  VirtualClock clock;
  Peer peer{layout, clock};
  peer.law = [](const ProcessImage&) { return 2.5; };
  std::vector<std::uint16_t> states;
  InProcess transport([&](std::span<const std::byte> bytes) {
    const auto out = peer(bytes);
    states.push_back(peer.in.words[0]);
    return out;
  });
  Remote remote(layout, experiment.model(), transport, clock, {.step = 5e-4});
  sim::Simulation s(std::shared_ptr<const sim::Experiment>(std::shared_ptr<void>(), &experiment),
                    {.end = 0.01, .controller = &remote});
  s.advance();
  EXPECT_EQ(s.get("joint.pivot.torque"), s.get(s.reading("joint.pivot.torque")));
  EXPECT_EQ(s.get(s.command("joint.pivot.torque")), 2.5);
  EXPECT_EQ(states, (std::vector<std::uint16_t>{state::init, state::pre_operational, state::safe_operational,
                                                state::operational}));
  EXPECT_EQ(peer.seen[2] & status::running, 0u);
  EXPECT_NE(peer.seen[3] & status::running, 0u);
}

TEST(LockStep, a_reference_that_is_refused_is_asked_for_again_and_named) {
  const sim::Experiment experiment = test::pendulum({"control.period=1e-3", "duration=0.01"});
  const Layout layout = layout_of(experiment, 1e-3);
  VirtualClock clock;
  Peer peer{layout, clock};
  int asked = 0;
  peer.law = [&](const ProcessImage&) { return ++asked == 7 ? std::nan("") : 1.0; };
  InProcess transport(std::ref(peer));
  Remote remote(layout, experiment.model(), transport, clock, {.step = 5e-4});
  sim::RunHooks hooks;
  hooks.controller = &remote;
  sim::run(experiment, hooks);
  EXPECT_EQ(remote.report().refused, 1);
  EXPECT_EQ(remote.report().cycles, 10);
  EXPECT_THAT(remote.report().refusal, HasSubstr("joint.pivot.torque: nan N m is refused"));
  EXPECT_NE(peer.seen[7] & status::refused, 0u);
  EXPECT_EQ(peer.seen[8] & status::refused, 0u);
}

TEST(LockStep, a_cycle_takes_nothing_from_the_heap) {
  if (!test::are_allocations_counted()) GTEST_SKIP();
  const sim::Experiment experiment = test::load("hexapod/tripod");
  const Layout layout = layout_of(experiment, 1e-3);
  MonotonicClock clock;
  OwnController own(layout, experiment);
  InProcess transport([&](std::span<const std::byte> bytes) { return own.answer(bytes, 0); });
  Remote remote(layout, experiment.model(), transport, clock, {.step = 5e-4});
  sim::Simulation s(std::shared_ptr<const sim::Experiment>(std::shared_ptr<void>(), &experiment),
                    {.controller = &remote});
  s.step(20);
  EXPECT_EQ(test::count_allocations([&] { s.step(20); }), 0);
}

// ---- timed, by a virtual clock

// The reference is the time at which its values were sampled: what acts in cycle n is the sample of cycle n - 2.
TEST(TimedMode, acts_exactly_two_cycles_less_the_delay_after_a_sample) {
  for (const double delay : {0.0, 0.5}) {
    Timed timed(test::pendulum({fmt::format("bridge.delay={}", delay)}));
    const std::vector<double> acting = timed.acting();
    for (std::size_t k = 4; k < acting.size(); k++) {
      const double cycle = double(k / 2) * 1e-3;
      EXPECT_NEAR(cycle - acting[k], 2e-3 - delay * 1e-3, 1e-12) << k;
    }
  }
}

// docs/bridge.md#timing
TEST(TimedMode, measures_age_and_dead_time_as_the_table_has_them) {
  const struct {
    double delay;
    std::int64_t age, dead;
  } table[] = {{0.5, 1250 * us, 1500 * us}, {0.0, 1750 * us, 2000 * us}, {0.9, 850 * us, 1100 * us}};
  for (const auto& row : table) {
    Timed timed(test::pendulum({fmt::format("bridge.delay={}", row.delay), "integrator.step=1e-4"}));
    timed.run();
    const RemoteReport& r = timed.remote.report();
    EXPECT_EQ(r.age.least(), row.age);
    EXPECT_EQ(r.age.most(), row.age);
    EXPECT_EQ(r.dead.least(), row.dead);
    EXPECT_EQ(r.dead.most(), row.dead);
    EXPECT_EQ(r.age.count(), 498);
    EXPECT_EQ(r.overruns + r.missed, 0);
  }
}

// It is awake up to 15 us late; the device's clock does not know of that.
TEST(TimedMode, jitter_of_the_controller_moves_the_age_and_not_the_dead_time) {
  Timed timed(test::pendulum({"duration=5"}));
  std::uint64_t n = 0;
  timed.peer.law = [&](const ProcessImage&) {
    timed.peer.t_c = 200 * us - std::int64_t(15.0 * us * math::uniform({7, 0, 0, n++}));
    return 0.0;
  };
  timed.run();
  const RemoteReport& r = timed.remote.report();
  EXPECT_GE(r.age.least(), 1235 * us);
  EXPECT_LE(r.age.most(), 1265 * us);
  EXPECT_GT(r.age.most() - r.age.least(), 14 * us);
  EXPECT_EQ(r.dead.least(), 1500 * us);
  EXPECT_EQ(r.dead.most(), 1500 * us);
}

TEST(TimedMode, holds_what_it_has_when_one_packet_of_a_hundred_is_lost) {
  Timed timed(test::pendulum());
  timed.peer.drops = [](std::int64_t n) { return n % 100 == 50; };
  const std::vector<double> acting = timed.acting();
  const RemoteReport& r = timed.remote.report();
  EXPECT_EQ(r.missed, 5);
  EXPECT_EQ(r.gaps, 5) << "by their count five were sent and never came";
  EXPECT_EQ(r.falls, 0);
  EXPECT_EQ(std::ranges::count_if(timed.peer.seen, [](std::uint32_t s) { return s & status::missed; }), 5);
  int held = 0;
  for (std::size_t k = 4; k + 2 < acting.size(); k += 2) held += acting[k + 2] == acting[k];
  EXPECT_EQ(held, 5);
  EXPECT_EQ(timed.remote.note(), "cycle 1 ms, sample to actuation 1.500 ms, 5 missed");
}

TEST(TimedMode, goes_into_the_safe_state_within_four_cycles_when_four_packets_are_lost) {
  for (const bool holds : {false, true}) {
    Timed timed(test::pendulum({holds ? "bridge.safe=hold" : "bridge.safe=zero"}));
    timed.peer.law = [](const ProcessImage&) { return 3.0; };
    timed.peer.drops = [](std::int64_t n) { return n >= 100 && n < 104; };
    const std::vector<double> acting = timed.acting();
    const RemoteReport& r = timed.remote.report();
    EXPECT_EQ(r.falls, 1);
    // image 100 goes out at 100 ms; its answer is missed at 101 ms, the last good one came at 100 ms
    EXPECT_NEAR(r.safe_from, 0.103, 1e-12);
    EXPECT_LE(r.safe_from - 0.1, 0.004);
    EXPECT_EQ(acting[2 * 102], 3.0);
    EXPECT_EQ(acting[2 * 103], holds ? 3.0 : 0.0);
    EXPECT_EQ(acting.back(), holds ? 3.0 : 0.0) << "the fault stays until it is reset";
    EXPECT_EQ(timed.remote.devices().faults()[0], fault::watchdog);
    EXPECT_EQ(timed.remote.devices().states()[0], state::safe_operational);
  }
}

TEST(TimedMode, a_fault_that_is_reset_lets_devices_work_again) {
  Timed timed(test::pendulum());
  timed.peer.law = [](const ProcessImage&) { return 3.0; };
  timed.peer.drops = [](std::int64_t n) { return n >= 100 && n < 104; };
  timed.peer.resets = true;
  const std::vector<double> acting = timed.acting();
  EXPECT_EQ(acting[2 * 104], 0.0);
  EXPECT_EQ(acting.back(), 3.0);
  EXPECT_EQ(timed.remote.report().falls, 1);
}

TEST(TimedMode, faults_of_the_link_come_from_the_scenario) {
  Timed lossy(test::pendulum({"bridge.loss=0.1", "bridge.watchdog=1000"}));
  lossy.run();
  EXPECT_EQ(lossy.remote.report().missed, lossy.remote.report().lost);
  EXPECT_NEAR(double(lossy.remote.report().lost), 50.0, 25.0);
  Timed cut(test::pendulum({"bridge.lost_from=[0.1]", "bridge.lost_until=[0.105]"}));
  cut.run();
  EXPECT_EQ(cut.remote.report().lost, 5);
  EXPECT_NEAR(cut.remote.report().safe_from, 0.102, 1e-12);
  Timed late(
      test::pendulum({"bridge.late=0.0005", "bridge.watchdog=1000"}));  // 250 us are left: half of them come too late
  late.run();
  EXPECT_NEAR(double(late.remote.report().late_packets), 250.0, 60.0);
  EXPECT_EQ(late.remote.report().missed, late.remote.report().late_packets);
}

TEST(TimedMode, a_reference_that_is_refused_counts_as_missed_and_the_last_one_is_held) {
  Timed timed(test::pendulum());
  timed.peer.law = [&](const ProcessImage& m) { return m.numbers[0] > 0.2 && m.numbers[0] < 0.201 ? 1e9 : 1.5; };
  const std::vector<double> acting = timed.acting();
  EXPECT_EQ(timed.remote.report().refused, 1);
  EXPECT_EQ(timed.remote.report().missed, 1);
  EXPECT_EQ(*std::ranges::max_element(acting), 1.5);
  EXPECT_THAT(timed.remote.report().refusal, HasSubstr("joint.pivot.torque: 1000000000 N m is refused"));
}

TEST(TimedMode, cycles_that_take_longer_than_a_cycle_are_overruns) {
  Timed timed(test::pendulum());
  timed.peer.law = [&](const ProcessImage& m) {
    if (m.header.status & status::running && m.header.tick % 50 == 0)
      timed.clock.pass(1200 * us);  // as if a step took so long
    return 0.0;
  };
  timed.run();
  const RemoteReport& r = timed.remote.report();
  EXPECT_EQ(r.overruns, 10);
  EXPECT_GT(r.late.most(), 100 * us);
}

TEST(TimedMode, a_cycle_that_no_step_meets_is_refused) {
  EXPECT_EQ(problem_of_timing(1e-3, 5e-4, 0.5), "");
  EXPECT_THAT(problem_of_timing(1e-3, 1e-3, 0.5), HasSubstr("integrator.step: sensors are sampled 0.0005 s"));
  EXPECT_THAT(problem_of_timing(1e-3, 4e-4, 0.0), HasSubstr("no multiple of a step"));
}

// ---- devices

TEST(Devices, rise_one_state_at_a_time_fall_at_once_and_keep_a_fault_until_it_is_reset) {
  Devices d(1);
  const std::uint16_t none[] = {0}, own[] = {2};
  const auto step = [&](int control, std::span<const std::uint16_t> fault) {
    const std::uint16_t word[] = {std::uint16_t(control)};
    d.step(word, fault);
    return d.states()[0];
  };
  EXPECT_EQ(step(state::operational, none), state::pre_operational);
  EXPECT_EQ(step(0, none), state::pre_operational) << "nothing is asked for";
  EXPECT_EQ(step(5, none), state::pre_operational) << "no such state";
  EXPECT_EQ(step(state::operational, none), state::safe_operational);
  EXPECT_EQ(step(state::operational, none), state::operational);
  EXPECT_EQ(step(state::operational, own), state::safe_operational);
  EXPECT_EQ(d.faults()[0], fault::drive + 2);
  EXPECT_EQ(step(state::operational, none), state::safe_operational) << "the cause is gone, the fault is not";
  EXPECT_EQ(step(int(state::operational) | int(control::reset), own), state::safe_operational)
      << "its cause is still there";
  EXPECT_EQ(step(int(state::operational) | int(control::reset), none), state::operational);
  EXPECT_EQ(step(state::init, none), state::init);
}

}  // namespace remote_test
}  // namespace sinew::bridge
