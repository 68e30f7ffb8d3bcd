// The bridge: a round trip of the hexapod's image to a second thread and back, through shared memory and by UDP, against a bare ping-pong of the same bytes by
// the same means; a run in lock-step through shared memory; a run in timed mode, 60 s at 1 ms. On the clock.
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "sinew/bridge/own_controller.h"
#include "sinew/bridge/remote.h"
#include "sinew/bridge/shared_memory.h"
#include "sinew/bridge/udp.h"
#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"

namespace sinew::bench {
namespace {

using namespace sinew::bridge;

sim::Experiment tripod(const std::vector<std::string>& sets = {}) {
  return text::load_experiment(fmt::format("{}/hexapod/tripod.toml", SINEW_SCENARIO_DIR), "hexapod/tripod", sets, {});
}
std::string fresh_name() { return fmt::format("sinew-bench-{}", getpid()); }
std::int64_t soon() { return MonotonicClock().now() + glance; }

// Answers each image with one of references until it is told to stop.
void echo(const Layout& layout, Transport& transport, const std::atomic<bool>& stop) {
  ProcessImage in(layout, Side::Measured), out(layout, Side::References);
  out.header.status = status::hello;
  std::span<const std::byte> send = out.seal();
  while (!stop) {
    if (!transport.exchange(send, in.buffer(), soon())) continue;
    out.header.status = 0;
    out.header.echo = header_of(in.buffer()).tick;
    send = out.seal();
  }
}

void round_trips(benchmark::State& state, const Layout& layout, Transport& robot, Transport& controller) {
  std::atomic<bool> stop = false;
  std::jthread other([&] { echo(layout, controller, stop); });
  ProcessImage out(layout, Side::Measured), in(layout, Side::References);
  while (!robot.exchange({}, in.buffer(), soon())) {
  }
  for (auto _ : state) {
    out.header.tick++;
    std::span<const std::byte> send = out.seal();
    while (!robot.exchange(send, in.buffer(), soon()) || header_of(in.buffer()).echo != out.header.tick) send = {};
  }
  stop = true;
}

void by_memory(benchmark::State& state) {
  const Layout layout = layout_of(tripod(), 1e-3);
  SharedMemory robot(layout, fresh_name());
  const auto controller = SharedMemory::open(layout, fresh_name());
  round_trips(state, layout, robot, *controller);
}

void by_udp(benchmark::State& state) {
  const Layout layout = layout_of(tripod(), 1e-3);
  Udp robot(layout, {.port = 0}, Side::References), controller(layout, {.port = robot.port()}, Side::Measured);
  round_trips(state, layout, robot, controller);
}

// ---- the same bytes by the same means, and nothing else

struct Mailbox {
  std::atomic<std::uint32_t> count = 0;
  std::vector<std::byte> bytes;
  void put(const std::vector<std::byte>& from) {
    std::memcpy(bytes.data(), from.data(), from.size());
    count.fetch_add(1, std::memory_order_release);
    syscall(SYS_futex, &count, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }
  void get(std::uint32_t seen, std::vector<std::byte>& to) {
    for (int i = 0; count.load(std::memory_order_acquire) == seen; i++)
      if (i > 2000) {
        const timespec t{.tv_sec = 0, .tv_nsec = 1'000'000};
        syscall(SYS_futex, &count, FUTEX_WAIT, seen, &t, nullptr, 0);
      }
    std::memcpy(to.data(), bytes.data(), to.size());
  }
};

void bare_memory(benchmark::State& state) {
  const Layout layout = layout_of(tripod(), 1e-3);
  std::vector<std::byte> out(layout.measured_bytes()), in(layout.references_bytes());
  Mailbox to{.bytes = out}, fro{.bytes = in};
  std::atomic<bool> stop = false;
  std::jthread other([&] {
    std::vector<std::byte> got(out.size()), answer(in.size());
    for (std::uint32_t n = 0;; n++) {
      to.get(n, got);
      if (stop) return;
      fro.put(answer);
    }
  });
  std::uint32_t n = 0;
  for (auto _ : state) {
    to.put(out);
    fro.get(n++, in);
  }
  stop = true;
  to.put(out);
}

void bare_udp(benchmark::State& state) {
  const Layout layout = layout_of(tripod(), 1e-3);
  std::vector<std::byte> out(layout.measured_bytes()), in(layout.references_bytes());
  int ends[2];
  sockaddr_in places[2]{};
  for (int i = 0; i < 2; i++) {
    ends[i] = socket(AF_INET, SOCK_DGRAM, 0);
    places[i].sin_family = AF_INET;
    places[i].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof places[i];
    if (bind(ends[i], reinterpret_cast<sockaddr*>(&places[i]), size) != 0) return state.SkipWithError("no port");
    getsockname(ends[i], reinterpret_cast<sockaddr*>(&places[i]), &size);
  }
  for (int i = 0; i < 2; i++)
    if (connect(ends[i], reinterpret_cast<sockaddr*>(&places[1 - i]), sizeof places[i]) != 0)
      return state.SkipWithError("no way");
  std::jthread other([&] {
    std::vector<std::byte> got(out.size()), answer(in.size());
    while (recv(ends[1], got.data(), got.size(), 0) > 1)
      static_cast<void>(send(ends[1], answer.data(), answer.size(), 0));
  });
  for (auto _ : state) {
    static_cast<void>(send(ends[0], out.data(), out.size(), 0));
    static_cast<void>(recv(ends[0], in.data(), in.size(), 0));
  }
  static_cast<void>(send(ends[0], "", 1, 0));
  other.join();
  for (const int end : ends) close(end);
}

// ---- whole runs

RemoteReport run_over_memory(const sim::Experiment& robot, const sim::Experiment& brain, bool timed) {
  const Layout layout = layout_of(robot, 1e-3);
  SharedMemory memory(layout, fresh_name());
  OwnController own(layout, brain);
  std::jthread controller([&] { serve(own, [&] { return SharedMemory::open(layout, fresh_name()); }, {}); });
  MonotonicClock clock;
  Remote remote(layout, robot.model(), memory, clock,
                {.timed = timed, .step = robot.scenario.step, .plan = robot.scenario.bridge});
  sim::RunHooks hooks;
  hooks.controller = &remote;
  sim::run(robot, hooks);
  remote.finish();
  return remote.report();
}

void lock_step(benchmark::State& state) {
  const sim::Experiment experiment = tripod({"duration=5"});
  for (auto _ : state) run_over_memory(experiment, experiment, false);
  state.counters["simulated_s"] = 5.0;
}

void timed(benchmark::State& state) {
  const sim::Experiment robot = tripod({"duration=60", "control.period=0"}), brain = tripod();
  for (auto _ : state) {
    const RemoteReport r = run_over_memory(robot, brain, true);
    state.counters["cycles"] = double(r.cycles);
    state.counters["overruns"] = double(r.overruns);
    state.counters["missed"] = double(r.missed);
    state.counters["age_us"] = double(r.age.share(0.5)) * 1e-3;
    state.counters["dead_us"] = double(r.dead.share(0.5)) * 1e-3;
    state.counters["late_us"] = double(r.late.most()) * 1e-3;
  }
}

[[maybe_unused]] const bool added = [] {
  benchmark::RegisterBenchmark("bridge/shm", by_memory)->UseRealTime();
  benchmark::RegisterBenchmark("bridge/shm_bare", bare_memory)->UseRealTime();
  benchmark::RegisterBenchmark("bridge/udp", by_udp)->UseRealTime();
  benchmark::RegisterBenchmark("bridge/udp_bare", bare_udp)->UseRealTime();
  benchmark::RegisterBenchmark("bridge/lockstep", lock_step)
      ->UseRealTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("bridge/timed", timed)
      ->UseRealTime()
      ->Iterations(1)
      ->Repetitions(1)
      ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace sinew::bench
