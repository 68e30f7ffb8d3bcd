// Robots behind a segment: in lock-step and timed, by UDP and by raw frames, with the master of these tests.
#include "sinew/ethercat/robot.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "sinew/ethercat/raw_port.h"
#include "sinew/ethercat/udp_port.h"
#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "tests/bridge/robots.h"
#include "tests/support/ethercat_master.h"

namespace sinew::ethercat {
namespace robot_test {

using test::Master;
using test::Octets;
using test::octets;
using ::testing::HasSubstr;
using test::operator+;

constexpr double cycle = 1e-3;

sim::Experiment load(const std::string& name, std::vector<std::string> sets = {}) {
  for (const char* key : {"control.period=0", "control.phase=0", "control.latency=0"}) sets.emplace_back(key);
  return test::load(name, sets);
}

// A socket of a master: sends a frame and waits for it to come back. `head` stands before the frame.
class Socket {
 public:
  explicit Socket(int descriptor, Octets head = {}) : socket_(descriptor), head_(std::move(head)) {
    const timeval patience{.tv_sec = 2, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~Socket() { close(socket_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  Octets exchange(const Octets& frame) const {
    const Octets all = head_ + frame;
    Octets back(2048);
    for (int tries = 0; tries < 30; tries++) {
      send(socket_, all.data(), all.size(), 0);
      const ssize_t n = recv(socket_, back.data(), back.size(), 0);
      if (n <= ssize_t(head_.size())) continue;
      return {back.begin() + std::ptrdiff_t(head_.size()), back.begin() + n};
    }
    return {};
  }

 private:
  int socket_;
  Octets head_;
};

int udp_socket(int port) {
  const int s = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(std::uint16_t(port));
  inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  EXPECT_EQ(connect(s, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  return s;
}

// What a master does with drives by CiA 402 in their default mapping.
struct Driver {
  Master& m;
  int slave;

  std::uint8_t* out() { return m.image.data() + m.places[std::size_t(slave)].outputs; }
  const std::uint8_t* in() { return m.image.data() + m.places[std::size_t(slave)].inputs; }
  std::uint16_t status() { return get<std::uint16_t>(in()); }
  std::int32_t x() { return get<std::int32_t>(in() + 4); }
  void want(std::uint16_t word, Mode mode, std::int32_t x) {
    put(out(), word);
    put(out() + 2, mode);
    put(out() + 4, x);
  }
  // The next word on the way to operation, at the present place.
  void climb(Mode mode) {
    const std::uint16_t s = status() & 0x6f;
    want((s & 0x4f) == 0x40 ? 6 : s == 0x21 ? 7 : s == 0x23 || s == 0x27 ? 15 : 0, mode, x());
  }
  bool is_on() { return (status() & 0x6f) == 0x27; }
};

// Runs while a master is at work in this thread, until the simulated time is over.
template <class Work>
std::pair<sim::RunResult, RobotReport> run_with(const sim::Experiment& experiment, Port& port, Work work,
                                                std::atomic<bool>& stop) {
  const bridge::Layout layout = bridge::layout_of(experiment, cycle);
  bridge::MonotonicClock clock;
  RobotOptions options;
  options.step = experiment.scenario.step;
  options.interrupted = &stop;
  Robot robot(experiment, layout, port, clock, options);
  sim::RunHooks hooks;
  hooks.controller = &robot;
  hooks.interrupted = &stop;
  std::optional<sim::RunResult> result;
  std::thread runs([&] { result = sim::run(experiment, hooks); });
  work();
  stop = true;
  runs.join();
  return {*result, robot.report()};
}

// All drives hold where they are, one of them goes `far` increments in `n` cycles. Returns by how much it has moved.
std::int32_t move_one(Master& m, int n_drives, int which, std::int32_t far, int n) {
  for (int i = 0; i < 12; i++) {
    for (int d = 0; d < n_drives; d++) Driver{m, d}.climb(Mode::Position);
    EXPECT_EQ(m.cycle(), m.expected_counter());
  }
  std::vector<std::int32_t> start;
  for (int d = 0; d < n_drives; d++) {
    EXPECT_TRUE((Driver{m, d}.is_on())) << d;
    start.push_back(get<std::int32_t>(Driver{m, d}.out() + 4));
  }
  int bad = 0;
  for (int i = 0; i < n; i++) {
    Driver{m, which}.want(15, Mode::Position,
                          start[std::size_t(which)] + std::int32_t(std::int64_t(far) * (i + 1) / n));
    bad += m.cycle() == m.expected_counter() ? 0 : 1;
  }
  EXPECT_EQ(bad, 0) << "working counters";
  for (int i = 0; i < 200; i++) m.cycle();
  return Driver{m, which}.x() - start[std::size_t(which)];
}

TEST(SegmentRobot, a_master_by_udp_moves_the_pendulum) {
  const sim::Experiment experiment = load("basics/pendulum", {"duration=100"});
  UdpPort port(0);
  std::atomic<bool> stop = false;
  const auto [result, report] = run_with(
      experiment, port,
      [&] {
        const Socket socket(udp_socket(port.port()));
        Master m([&](const Octets& f) { return socket.exchange(f); });
        ASSERT_EQ(m.enumerate(), 1);
        ASSERT_EQ(m.configure(1), 1);
        ASSERT_TRUE(m.go_operational(1));
        const std::int32_t moved = move_one(m, 1, 0, 500'000, 500);
        EXPECT_NEAR(moved, 500'000, 30'000) << "but for its weight on the loop's stiffness";
        m.send(Master::BWR, 0, 0x0120, octets(std::uint16_t(1)));
      },
      stop);
  EXPECT_EQ(result.ending, sim::Ending::Interrupted);
  EXPECT_GE(report.cycles, 700);
  EXPECT_EQ(report.refused, 0);
}

TEST(SegmentRobot, a_master_drives_the_ankle_of_the_biped_whose_other_drives_hold) {
  const sim::Experiment experiment = load("biped/stand", {"robot.devices=\"real\"", "duration=100"});
  UdpPort port(0);
  std::atomic<bool> stop = false;
  run_with(
      experiment, port,
      [&] {
        const Socket socket(udp_socket(port.port()));
        Master m([&](const Octets& f) { return socket.exchange(f); });
        const int n = m.enumerate();
        ASSERT_EQ(n, 14) << "twelve drives, two force sensors";
        int ankle = -1;
        for (int s = 0; s < n; s++) {
          m.set_mailboxes(s);
          m.ask_state(s, 0x12);
          const Octets name = m.upload(s, 0x1008, 0).data;
          if (std::string(name.begin(), name.end()) == "ankle_L.1") ankle = s;
        }
        ASSERT_GE(ankle, 0);
        ASSERT_EQ(m.configure(n), n);
        for (int d = 0; d < 12; d++) EXPECT_EQ(m.download(d, 0x2010, 1, octets(std::uint32_t(400'000))).abort, 0u);
        ASSERT_TRUE(m.go_operational(n));
        EXPECT_EQ(m.expected_counter(), 12 * 3 + 2);
        const std::int32_t moved = move_one(m, 12, ankle, -10'000, 150);
        EXPECT_LT(moved, -3'000) << "of 1 mm, with the body on it";
        EXPECT_GT(moved, -20'000);
        double weight = 0.0;  // [N]
        for (const int foot : {12, 13}) {
          const std::uint8_t* load = m.image.data() + m.places[std::size_t(foot)].inputs;
          const auto force = [&](int i) { return 1e-3 * get<std::int32_t>(load + 4 * i); };
          weight += std::sqrt(force(0) * force(0) + force(1) * force(1) + force(2) * force(2));
        }
        EXPECT_GT(weight, 100.0) << "the feet carry it";
      },
      stop);
}

// ---- timed, by a clock that nobody waits for

// Sends a frame each millisecond of a virtual clock and takes what comes back.
class ClockworkPort : public Port {
 public:
  ClockworkPort(bridge::VirtualClock& clock, std::function<Octets()> next) : clock_(clock), next_(std::move(next)) {}
  Bytes receive(std::int64_t deadline) override {
    if (deadline < due_ || is_silent) {
      clock_.wait_until(deadline);
      return {};
    }
    clock_.wait_until(due_);
    due_ += 1'000'000;
    frame_ = next_();
    return frame_;
  }
  void answer() override { answered = frame_; }
  std::string name() const override { return "clockwork"; }

  Octets answered;
  bool is_silent = false;

 private:
  bridge::VirtualClock& clock_;
  std::function<Octets()> next_;
  std::int64_t due_ = 1'000'000;
  Octets frame_;
};

// Asks the robot, and looks when the inputs of its first slave change.
class Looker : public Controller {
 public:
  Looker(Robot& robot, ClockworkPort& port, double silent_from)
      : robot_(robot), port_(port), silent_from_(silent_from) {}
  void update(const Readings& r, std::span<double> memory, Input<double>& out) override {
    port_.is_silent = r.t >= silent_from_;
    const Slave& s = robot_.segment().slaves()[0];
    const std::int32_t before = s.esc.at<std::int32_t>(inputs_at + 4);
    robot_.update(r, memory, out);
    if (s.esc.at<std::int32_t>(inputs_at + 4) != before) {
      const double phase = std::fmod(r.t + 1e-9, 1e-3);
      (phase > 0.4e-3 && phase < 0.6e-3 ? in_the_middle : elsewhere)++;
      EXPECT_NEAR(s.esc.at<std::int32_t>(inputs_at + 4), r.q[0] * 1e6, 1.0) << "of this moment";
    }
  }
  int in_the_middle = 0, elsewhere = 0;

 private:
  Robot& robot_;
  ClockworkPort& port_;
  double silent_from_;
};

struct Timed {
  int in_the_middle, elsewhere;
  std::uint8_t state;
  std::uint16_t code;
  Power power;
  std::int64_t falls;
};

// A pendulum that falls, in timed mode. sync: with sync 0 of the distributed clock.
Timed run_timed(bool sync, double silent_from) {
  const sim::Experiment experiment = load("basics/pendulum", {"duration=0.5", "integrator.step=5e-4"});
  const bridge::Layout layout = bridge::layout_of(experiment, cycle);
  bridge::VirtualClock clock;
  RobotOptions options;
  options.timed = true;
  options.step = experiment.scenario.step;
  ClockworkPort port(clock, [] {  // LWR of the outputs: word 6, then what is there
    return octets(std::uint16_t(0x101c)) + Octets{Master::LWR, 1} + octets(std::uint32_t(0)) +
           octets(std::uint16_t(16)) + octets(std::uint16_t(0)) + octets(std::uint16_t(6)) + Octets{10} + Octets(13) +
           octets(std::uint16_t(0));
  });
  Robot robot(experiment, layout, port, clock, options);
  Octets now;
  Master m([&](const Octets& f) {
    now = f;
    robot.segment().process(now, clock.now());
    return now;
  });
  EXPECT_EQ(m.enumerate(), 1);
  EXPECT_EQ(m.configure(1), 1);
  if (sync) {
    m.write(0, 0x09a0, octets(std::uint32_t(1'000'000)));
    const Octets t = m.read(0, 0x0910, 8).data;
    m.write(0, 0x0990, octets(std::uint64_t(get<std::uint64_t>(t.data()) + 300'000)));
    m.write(0, 0x0980, Octets{0, 3});
  }
  EXPECT_TRUE(m.go_operational(1));
  Looker looker(robot, port, silent_from);
  sim::RunHooks hooks;
  hooks.controller = &looker;
  sim::run(experiment, hooks);
  const Slave& s = robot.segment().slaves()[0];
  return {looker.in_the_middle, looker.elsewhere,    s.state, s.esc.at<std::uint16_t>(reg::al_code),
          s.drive->power(),     robot.report().falls};
}

TEST(SegmentRobot, sensors_are_sampled_at_sync_0_half_a_cycle_after_outputs_act) {
  const Timed with = run_timed(true, 10.0);
  EXPECT_GT(with.in_the_middle, 490);
  EXPECT_LE(with.elsewhere, 1) << "but for the start";
  EXPECT_EQ(with.state, al::op);
  const Timed without = run_timed(false, 10.0);
  EXPECT_EQ(without.in_the_middle, 0) << "without sync 0 they are sampled as outputs act";
  EXPECT_GT(without.elsewhere, 490);
}

TEST(SegmentRobot, drives_fall_when_frames_fail_to_come) {
  const Timed t = run_timed(false, 0.2);
  EXPECT_EQ(t.state, al::safe_op);
  EXPECT_EQ(t.code, al_code::watchdog);
  EXPECT_EQ(t.power, Power::Fault);
  EXPECT_EQ(t.falls, 1);
}

// ---- raw frames

// In a thread with a network of its own, where two interfaces are joined.
void try_raw(std::string& why) {
  if (unshare(CLONE_NEWNET) != 0) {
    why = std::string("no network namespace: ") + std::strerror(errno);
    return;
  }
  if (std::system("ip link add sinew0 type veth peer name sinew1 2>/dev/null && ip link set sinew0 up 2>/dev/null && "
                  "ip link set sinew1 up 2>/dev/null") != 0) {
    why = "no pair of virtual interfaces (ip link add type veth)";
    return;
  }
  const sim::Experiment experiment = load("basics/pendulum", {"duration=100"});
  RawPort port("sinew1");
  std::atomic<bool> stop = false;
  run_with(
      experiment, port,
      [&] {
        const int s = socket(AF_PACKET, SOCK_RAW, htons(0x88a4));
        sockaddr_ll place{};
        place.sll_family = AF_PACKET;
        place.sll_protocol = htons(0x88a4);
        place.sll_ifindex = int(if_nametoindex("sinew0"));
        ASSERT_EQ(bind(s, reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
        const Octets head = Octets(6, 0xff) + Octets{1, 1, 1, 1, 1, 1} + Octets{0x88, 0xa4};
        const Socket socket(s, head);
        Master m([&](const Octets& f) { return socket.exchange(f); });
        ASSERT_EQ(m.enumerate(), 1);
        ASSERT_EQ(m.configure(1), 1);
        ASSERT_TRUE(m.go_operational(1));
        EXPECT_NEAR(move_one(m, 1, 0, 200'000, 200), 200'000, 30'000);
      },
      stop);
}

TEST(SegmentRobot, a_master_with_raw_frames_moves_the_pendulum) {
  std::string why;
  std::thread(try_raw, std::ref(why)).join();
  if (!why.empty()) GTEST_SKIP() << why;
}

TEST(SegmentRobot, says_what_it_cannot_do) {
  const auto error_of = [](const std::function<void()>& f) -> std::string {
    try {
      f();
    } catch (const std::exception& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_THAT(error_of([] { RawPort("no-such-if"); }), HasSubstr("--interface no-such-if: there is no such network"));
  EXPECT_THAT(error_of([] { UdpPort(0, "here"); }), HasSubstr("--listen here: not an address"));
  EXPECT_THAT(error_of([] { UdpPort(70000); }), HasSubstr("--udp 70000: not a port"));
  const UdpPort one(0);
  EXPECT_THAT(error_of([&] { UdpPort two(one.port()); }), HasSubstr("give another port"));
}

}  // namespace robot_test
}  // namespace sinew::ethercat
