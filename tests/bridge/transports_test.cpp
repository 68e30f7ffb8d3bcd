#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "sinew/bridge/clock.h"
#include "sinew/bridge/own_controller.h"
#include "sinew/bridge/remote.h"
#include "sinew/bridge/shared_memory.h"
#include "sinew/bridge/udp.h"
#include "sinew/files/errors.h"
#include "sinew/math/counter_random.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "tests/bridge/robots.h"

namespace sinew::bridge {
namespace transports_test {

using ::testing::HasSubstr;

std::string fresh_name(const char* what) { return fmt::format("sinew-test-{}-{}", what, getpid()); }

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  } catch (const FileError& e) {
    return e.what();
  }
  return "no error";
}

// Patience for what comes for certain [ns].
std::int64_t some_time() { return MonotonicClock().now() + 600'000'000'000; }

class Transports : public ::testing::Test {
 protected:
  const Layout layout_ = layout_of(test::pendulum(), 1e-3);
  ProcessImage measured_{layout_, Side::Measured}, references_{layout_, Side::References};

  // To and fro, with the numbers as they were.
  void expect_exchange(Transport& robot, Transport& controller, double x) {
    measured_.numbers[1] = x;
    references_.numbers[0] = -x;
    robot.exchange(measured_.seal(), {}, 0);
    ProcessImage in(layout_, Side::Measured), out(layout_, Side::References);
    ASSERT_TRUE(controller.exchange({}, in.buffer(), some_time()));
    in.unpack(in.buffer());
    EXPECT_EQ(in.numbers[1], x);
    controller.exchange(references_.seal(), {}, 0);
    ASSERT_TRUE(robot.exchange({}, out.buffer(), some_time()));
    out.unpack(out.buffer());
    EXPECT_EQ(out.numbers[0], -x);
    EXPECT_FALSE(robot.exchange({}, out.buffer(), 0)) << "it has been read";
  }
};

// ---- shared memory

TEST_F(Transports, shared_memory_goes_both_ways_and_a_second_controller_is_refused) {
  const std::string name = fresh_name("two");
  EXPECT_EQ(SharedMemory::open(layout_, name), nullptr) << "no robot is there yet";
  SharedMemory robot(layout_, name);
  EXPECT_EQ(robot.connections(), 0u);
  auto controller = SharedMemory::open(layout_, name);
  ASSERT_TRUE(controller);
  expect_exchange(robot, *controller, 0.25);
  EXPECT_THAT(error_of([&] { SharedMemory::open(layout_, name); }), HasSubstr("another controller is at work"));
  EXPECT_THAT(error_of([&] { SharedMemory(layout_, name); }), HasSubstr("another robot waits there"));
  expect_exchange(robot, *controller, 0.5);
  controller.reset();
  controller = SharedMemory::open(layout_, name);  // reconnects, the robot has not stopped
  ASSERT_TRUE(controller);
  EXPECT_EQ(robot.connections(), 2u);
  expect_exchange(robot, *controller, 0.75);
  EXPECT_TRUE(controller->is_robot_there());
}

TEST_F(Transports, a_robot_that_starts_anew_is_found_again) {
  const std::string name = fresh_name("again");
  auto robot = std::make_unique<SharedMemory>(layout_, name);
  auto controller = SharedMemory::open(layout_, name);
  robot.reset();
  EXPECT_FALSE(controller->is_robot_there());
  EXPECT_EQ(SharedMemory::open(layout_, name), nullptr);
  robot = std::make_unique<SharedMemory>(layout_, name);
  controller = SharedMemory::open(layout_, name);
  ASSERT_TRUE(controller);
  expect_exchange(*robot, *controller, 1.0);
}

TEST_F(Transports, shared_memory_of_another_robot_or_of_something_else_is_refused) {
  const std::string name = fresh_name("other");
  {
    const Layout other = layout_of(test::pendulum(), 2e-3);
    SharedMemory robot(other, name);
    EXPECT_THAT(error_of([&] { SharedMemory::open(layout_, name); }), HasSubstr("another layout"));
  }
  const int file = shm_open(("/" + name).c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(write(file, "precious", 8), 8);
  close(file);
  EXPECT_THAT(error_of([&] { SharedMemory(layout_, name); }), HasSubstr("something else has this shared memory"));
  shm_unlink(("/" + name).c_str());
  for (const char* bad : {"", "/", "a/b", "..", "spa ce"})
    EXPECT_THAT(error_of([&] { SharedMemory(layout_, bad); }), HasSubstr("not a name for shared memory")) << bad;
}

// Somebody writes whatever comes into the memory, counters included.
TEST_F(Transports, random_shared_memory_does_no_harm) {
  const std::string name = fresh_name("random");
  SharedMemory robot(layout_, name);
  const int file = shm_open(("/" + name).c_str(), O_RDWR, 0600);
  const std::size_t at = 128 + 128, size = at + 64 + layout_.references_bytes();
  auto* memory = static_cast<std::byte*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  ASSERT_NE(memory, MAP_FAILED);
  close(file);
  int taken = 0;
  for (std::uint64_t n = 0; n < 1'000'000; n++) {
    const auto bits = math::random_bits({3, 0, 0, n});
    const std::uint32_t counter = std::uint32_t(bits[0]);
    std::memcpy(memory + at, &counter, 4);
    std::memcpy(memory + at + 64 + bits[1] % (layout_.references_bytes() - 15), bits.data(), 16);
    if (n % 2 == 0) std::memcpy(memory + at + 64, &references_magic, 4);
    taken += robot.exchange({}, references_.buffer(), 0);
  }
  munmap(memory, size);
  EXPECT_EQ(taken, 0);
  EXPECT_GT(robot.counts().garbage, 400'000);
}

TEST_F(Transports, an_image_that_is_half_written_is_not_read) {
  const std::string name = fresh_name("torn");
  SharedMemory robot(layout_, name);
  auto controller = SharedMemory::open(layout_, name);
  std::atomic<bool> stop = false;
  int different = 0, got = 0;
  std::jthread writer([&] {  // all numbers of an image are the same
    ProcessImage image(layout_, Side::Measured);
    for (double x = 0.0; !stop; x += 1.0) {
      for (double& y : image.numbers) y = x;
      robot.exchange(image.seal(), {}, 0);
    }
  });
  ProcessImage in(layout_, Side::Measured);
  while (got < 20000) {
    if (!controller->exchange({}, in.buffer(), some_time())) continue;
    in.unpack(in.buffer());
    got++;
    for (const double y : in.numbers) different += y != in.numbers[0];
  }
  stop = true;
  writer.join();
  EXPECT_EQ(different, 0);
}

TEST_F(Transports, a_reader_of_shared_memory_says_whether_it_sleeps) {
  const std::string name = fresh_name("sleeper");
  SharedMemory robot(layout_, name);
  const int file = shm_open(("/" + name).c_str(), O_RDWR, 0600);
  void* memory = mmap(nullptr, 128, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ASSERT_NE(memory, MAP_FAILED);
  close(file);
  const std::atomic_ref<std::uint32_t> says(*(static_cast<std::uint32_t*>(memory) + 68 / 4));
  EXPECT_EQ(says, 0u);  // nobody there, or one who does not say
  auto controller = SharedMemory::open(layout_, name);
  ASSERT_TRUE(controller);
  EXPECT_EQ(says, 1u);
  ProcessImage in(layout_, Side::Measured);
  bool got = false;
  {
    std::jthread reader([&] { got = controller->exchange({}, in.buffer(), some_time()); });
    while (says != 2u) std::this_thread::yield();
    robot.exchange(measured_.seal(), {}, 0);
  }
  EXPECT_TRUE(got);
  EXPECT_EQ(says, 1u);
  controller.reset();
  EXPECT_EQ(says, 0u);
  munmap(memory, 128);
}

TEST(Patience, is_twice_what_answers_take_and_short_where_they_take_long) {
  Patience p;
  for (int i = 0; i < 30; i++) p.learn(8'000);
  EXPECT_GE(p.awake(), 16'000);
  EXPECT_LT(p.awake(), 18'000);
  for (int i = 0; i < 4; i++) p.learn(1'000'000);  // as a controller of a cycle of a millisecond waits
  EXPECT_EQ(p.awake(), Patience::least);
  p.learn(30'000);  // longer than it stayed awake, and short enough to be worth it
  EXPECT_EQ(p.awake(), 60'000);
  p.learn(90'000);
  EXPECT_EQ(p.awake(), Patience::most);
}

// ---- UDP

TEST_F(Transports, udp_goes_both_ways_and_a_second_controller_is_refused) {
  Udp robot(layout_, {.port = 0}, Side::References);
  Udp controller(layout_, {.port = robot.port()}, Side::Measured),
      second(layout_, {.port = robot.port()}, Side::Measured);
  references_.header.status = status::hello;
  controller.exchange(references_.seal(), {}, 0);
  ProcessImage out(layout_, Side::References);
  ASSERT_TRUE(robot.exchange({}, out.buffer(), some_time()));
  EXPECT_EQ(robot.connections(), 1u);
  references_.header.status = 0;
  expect_exchange(robot, controller, 0.25);
  second.exchange(references_.seal(), {}, 0);
  EXPECT_FALSE(robot.exchange({}, out.buffer(), MonotonicClock().now() + 1'000'000));
  while (robot.counts().second == 0) robot.exchange({}, out.buffer(), MonotonicClock().now() + 1'000'000);
  ProcessImage in(layout_, Side::Measured);
  ASSERT_TRUE(second.exchange({}, in.buffer(), some_time()));
  EXPECT_NE(header_of(in.buffer()).status & status::busy, 0u);
  expect_exchange(robot, controller, 0.5);
  // The first says that it goes: then the second may come.
  references_.header.status = status::bye;
  controller.exchange(references_.seal(), {}, 0);
  ASSERT_TRUE(robot.exchange({}, out.buffer(), some_time()));
  references_.header.status = 0;
  second.exchange(references_.seal(), {}, 0);
  ASSERT_TRUE(robot.exchange({}, out.buffer(), some_time()));
  expect_exchange(robot, second, 0.75);
}

TEST_F(Transports, udp_of_another_layout_is_told_so) {
  Udp robot(layout_, {.port = 0}, Side::References);
  const Layout other = layout_of(test::pendulum(), 2e-3);
  Udp controller(other, {.port = robot.port()}, Side::Measured);
  ProcessImage hello(other, Side::References), in(other, Side::Measured);
  controller.exchange(hello.seal(), {}, 0);
  while (robot.counts().wrong_layout == 0) {
    EXPECT_FALSE(robot.exchange({}, references_.buffer(), MonotonicClock().now() + 1'000'000));
  }
  ASSERT_TRUE(controller.exchange({}, in.buffer(), some_time()));
  EXPECT_NE(header_of(in.buffer()).status & status::wrong_layout, 0u);
}

TEST_F(Transports, udp_with_a_key_hears_nobody_without_it) {
  const std::string key = "a key of at least 16 bytes";
  Udp robot(layout_, {.port = 0, .key = key}, Side::References);
  Udp friend_(layout_, {.port = robot.port(), .key = key}, Side::Measured);
  Udp stranger(layout_, {.port = robot.port()}, Side::Measured);
  Udp guesser(layout_, {.port = robot.port(), .key = "a key of at least 16 byteS"}, Side::Measured);
  ProcessImage out(layout_, Side::References);
  stranger.exchange(references_.seal(), {}, 0);
  guesser.exchange(references_.seal(), {}, 0);
  while (robot.counts().forged < 2) {
    EXPECT_FALSE(robot.exchange({}, out.buffer(), MonotonicClock().now() + 1'000'000));
  }
  friend_.exchange(references_.seal(), {}, 0);
  ASSERT_TRUE(robot.exchange({}, out.buffer(), some_time()));
  expect_exchange(robot, friend_, 0.125);
}

TEST_F(Transports, udp_stays_on_this_machine_without_a_key) {
  EXPECT_THAT(error_of([&] { Udp(layout_, {.host = "0.0.0.0"}, Side::References); }), HasSubstr("give --key FILE"));
  EXPECT_THAT(error_of([&] { Udp(layout_, {.host = "nowhere"}, Side::References); }), HasSubstr("not an address"));
  EXPECT_THAT(error_of([&] { Udp(layout_, {.port = 70000}, Side::References); }), HasSubstr("not a port"));
  Udp robot(layout_, {.port = 0}, Side::References);
  EXPECT_THAT(error_of([&] { Udp(layout_, {.port = robot.port()}, Side::References); }),
              HasSubstr("give another port"));
}

// Somebody who is no controller.
class Stranger {
 public:
  explicit Stranger(int port) : socket_(socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(std::uint16_t(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  }
  ~Stranger() { close(socket_); }
  void send(const void* bytes, std::size_t size) { static_cast<void>(::send(socket_, bytes, size, 0)); }

 private:
  int socket_;
};

TEST_F(Transports, random_datagrams_do_no_harm) {
  const std::uint64_t most = std::getenv("SINEW_LONG") ? 1'000'000 : 100'000;
  Udp robot(layout_, {.port = 0}, Side::References);
  ProcessImage out(layout_, Side::References);
  Stranger flood(robot.port());
  std::array<std::uint64_t, 32> bytes{};
  for (std::uint64_t n = 0; n < most; n++) {
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
      const auto bits = math::random_bits({4, 0, std::uint32_t(i), n});
      bytes[i] = bits[0];
      bytes[i + 1] = bits[1];
    }
    if (n % 2 == 0) std::memcpy(bytes.data(), &references_magic, 4);
    flood.send(bytes.data(), n % 3 == 0 ? layout_.references_bytes() : bytes[5] % sizeof bytes);
    if (n % 32 == 31) {
      EXPECT_FALSE(robot.exchange({}, out.buffer(), 0));
    }
  }
  EXPECT_GT(robot.counts().garbage, std::int64_t(most) / 2);
  EXPECT_EQ(robot.connections(), 0u);
  Udp controller(layout_, {.port = robot.port()}, Side::Measured);
  controller.exchange(references_.seal(), {}, 0);
  ASSERT_TRUE(robot.exchange({}, out.buffer(), some_time()));
  expect_exchange(robot, controller, 0.25);
}

// More of them than a socket keeps, and nobody reads in between, as in a cycle in timed mode.
TEST_F(Transports, a_flood_from_elsewhere_takes_no_place_from_the_controller) {
  for (const std::string& key : {std::string(), std::string("a key of at least 16 bytes")}) {
    Udp robot(layout_, {.port = 0, .key = key}, Side::References);
    Udp controller(layout_, {.port = robot.port(), .key = key}, Side::Measured);
    ProcessImage out(layout_, Side::References);
    references_.header.status = status::hello;
    controller.exchange(references_.seal(), {}, 0);
    ASSERT_TRUE(robot.exchange({}, out.buffer(), some_time()));
    references_.header.status = 0;
    Stranger flood(robot.port());
    const std::vector<std::uint32_t> bytes(1000, references_magic);
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 100; i++) flood.send(bytes.data(), 4000);
      for (int i = 0; i < 2000; i++) flood.send(bytes.data(), 8);  // until not even the smallest finds room
      expect_exchange(robot, controller, double(round));
    }
    const TransportCounts& counts = robot.counts();
    while (counts.garbage + counts.forged == 0) {
      EXPECT_FALSE(robot.exchange({}, out.buffer(), MonotonicClock().now() + 1'000'000));
    }
    EXPECT_EQ(robot.connections(), 1u);
    EXPECT_THAT(error_of([&] { Udp(layout_, {.port = robot.port(), .key = key}, Side::References); }),
                HasSubstr("give another port"));
  }
}

TEST_F(Transports, an_image_that_was_overtaken_on_its_way_is_dropped) {
  Udp robot(layout_, {.port = 0}, Side::References);
  Udp controller(layout_, {.port = robot.port()}, Side::Measured);
  ProcessImage out(layout_, Side::References);
  const auto send = [&](std::uint64_t tick) {
    references_.header.tick = tick;
    controller.exchange(references_.seal(), {}, 0);
  };
  send(1);
  ASSERT_TRUE(robot.exchange({}, out.buffer(), some_time()));
  send(3);
  send(2);
  std::uint64_t newest = 0;
  while (newest == 0)
    if (robot.exchange({}, out.buffer(), MonotonicClock().now() + 1'000'000)) newest = header_of(out.buffer()).tick;
  EXPECT_EQ(newest, 3u);
}

// ---- the same controller by every way

struct Outcome {
  std::uint64_t references, state;
  bool operator==(const Outcome&) const = default;
};

Outcome run_over(const sim::Experiment& experiment, const Layout& layout, Transport& robot, const Connect& connect) {
  OwnController own(layout, experiment);
  std::jthread controller([&] { EXPECT_EQ(serve(own, connect, {}), Served::Stopped); });
  MonotonicClock clock;
  Remote remote(layout, experiment.model(), robot, clock, {.step = experiment.scenario.step});
  sim::RunHooks hooks;
  hooks.controller = &remote;
  const sim::RunResult result = sim::run(experiment, hooks);
  remote.finish();
  controller.join();
  return {remote.report().hash, result.hash};
}

TEST(Bridge, lock_step_has_the_same_bits_over_shared_memory_and_udp) {
  const sim::Experiment experiment = test::load("hexapod/tripod", {"duration=0.5"});
  const Layout layout = layout_of(experiment, 1e-3);
  const std::string name = fresh_name("bits");
  SharedMemory memory(layout, name);
  const Outcome by_memory = run_over(experiment, layout, memory, [&] { return SharedMemory::open(layout, name); });
  Udp udp(layout, {.port = 0}, Side::References);
  const Outcome by_udp = run_over(experiment, layout, udp, [&] {
    return std::make_unique<Udp>(layout, UdpAddress{.port = udp.port()}, Side::Measured);
  });
  EXPECT_EQ(by_memory, by_udp);
}

}  // namespace transports_test
}  // namespace sinew::bridge
