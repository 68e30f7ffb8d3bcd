// The reply of an EtherCAT segment: an LRW for the process data of 32 drives to a second thread and back, against an echo of the same bytes through the same
// sockets, in turns of 500 in one run; by UDP on the loopback and, where it is allowed, by raw frames on a pair of virtual interfaces. And what
// the segment alone takes for it. On the clock.
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "sinew/bridge/clock.h"
#include "sinew/ethercat/raw_port.h"
#include "sinew/ethercat/segment.h"
#include "sinew/ethercat/udp_port.h"

namespace sinew::bench {
namespace {

using namespace sinew::ethercat;
using Frame = std::vector<std::uint8_t>;

constexpr int n_drives = 32, bytes_of_drive = 36;

Frame datagram(std::uint8_t command, std::uint32_t address, const Frame& data) {
  Frame out(2 + 10 + data.size() + 2);
  put(out.data(), std::uint16_t(0x1000 | (out.size() - 2)));
  out[2] = command;
  put(out.data() + 4, address);
  put(out.data() + 8, std::uint16_t(data.size()));
  std::ranges::copy(data, out.begin() + 12);
  return out;
}

Segment operational() {
  std::vector<Slave> slaves;
  for (int i = 0; i < n_drives; i++) slaves.push_back(make_drive({.name = "drive"}, i));
  Segment out(std::move(slaves));
  const auto send = [&](std::uint8_t command, std::uint32_t address, const Frame& data) {
    Frame f = datagram(command, address, data);
    out.process(f, 1);
  };
  constexpr std::uint8_t write_all = 8, write_one = 5, write_place = 2, both = 12;
  send(write_all, 0x08000000, {0x00, 0x10, 0x80, 0, 0x26, 0, 1, 0, 0x80, 0x10, 0x80, 0, 0x22, 0, 1, 0});
  send(write_all, 0x01200000, {2});
  send(write_all, 0x08100000, {0x00, 0x11, 16, 0, 0x64, 0, 1, 0, 0x00, 0x14, 20, 0, 0x20, 0, 1, 0});
  for (int i = 0; i < n_drives; i++) {
    const std::uint16_t place = std::uint16_t(-i), station = std::uint16_t(0x1001 + i);
    send(write_place, std::uint32_t(0x00100000) | place, {std::uint8_t(station), std::uint8_t(station >> 8)});
    const std::uint16_t at = std::uint16_t(i * bytes_of_drive), in = std::uint16_t(at + 16);
    const auto low = [](std::uint16_t x) { return std::uint8_t(x); };
    const auto high = [](std::uint16_t x) { return std::uint8_t(x >> 8); };
    send(write_one, std::uint32_t(0x06000000) | station,
         {low(at), high(at), 0, 0, 16, 0, 0, 7, 0x00, 0x11, 0, 2, 1, 0, 0, 0,
          low(in), high(in), 0, 0, 20, 0, 0, 7, 0x00, 0x14, 0, 1, 1, 0, 0, 0});
  }
  send(write_all, 0x01200000, {4});
  send(both, 0, Frame(n_drives * bytes_of_drive));
  send(write_all, 0x01200000, {8});
  return out;
}

std::uint16_t counter_of(const Frame& f) { return get<std::uint16_t>(f.data() + f.size() - 2); }

void segment_alone(benchmark::State& state) {
  Segment segment = operational();
  const Frame frame = datagram(12, 0, Frame(n_drives * bytes_of_drive));
  Frame now = frame;
  for (auto _ : state) {
    now = frame;
    segment.process(now, 1);
    benchmark::DoNotOptimize(now.data());
  }
  if (counter_of(now) != 3 * n_drives) state.SkipWithError("wrong working counter");
}

// head: what stands before the frame on this wire.
void round_trips(benchmark::State& state, Port& port, int socket, const Frame& head) {
  Segment segment = operational();
  std::atomic<bool> stop = false, echoes = false;
  std::jthread other([&] {
    bridge::MonotonicClock clock;
    while (!stop) {
      const Bytes frame = port.receive(clock.now() + 50'000'000);
      if (frame.empty()) continue;
      if (!echoes) segment.process(frame, 1);
      port.answer();
    }
  });
  Frame out = head;
  const Frame frame = datagram(12, 0, Frame(n_drives * bytes_of_drive));
  out.insert(out.end(), frame.begin(), frame.end());
  Frame in(out.size());
  bridge::MonotonicClock clock;
  std::vector<double> taken[2];
  int n = 0;
  for (auto _ : state) {
    const bool echo = n++ / 500 % 2 == 1;
    echoes = echo;
    const std::int64_t start = clock.now();
    if (send(socket, out.data(), out.size(), 0) < 0 || recv(socket, in.data(), in.size(), 0) < 0)
      return state.SkipWithError("a frame was lost");
    taken[echo ? 1 : 0].push_back(double(clock.now() - start));
  }
  stop = true;
  if (taken[1].size() < 1000) return;
  const auto share = [](std::vector<double>& all, double part) {
    std::ranges::sort(all);
    return all[std::size_t(part * double(all.size() - 1))];
  };
  state.counters["median_ns"] = share(taken[0], 0.5);
  state.counters["median_ratio"] = share(taken[0], 0.5) / share(taken[1], 0.5);
  state.counters["p999_ns"] = share(taken[0], 0.999);
  state.counters["p999_ratio"] = share(taken[0], 0.999) / share(taken[1], 0.999);
}

void by_udp(benchmark::State& state) {
  UdpPort port(0);
  const int s = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(std::uint16_t(port.port()));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(s, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) return state.SkipWithError("no way");
  round_trips(state, port, s, {});
  close(s);
}

// In a thread with a network of its own.
void by_raw_frames(benchmark::State& state) {
  std::thread([&] {
    if (unshare(CLONE_NEWNET) != 0 ||
        std::system(
            "ip link add sinew0 type veth peer name sinew1 && ip link set sinew0 up && ip link set sinew1 up") != 0)
      return state.SkipWithError("no virtual interfaces: not root");
    RawPort port("sinew1");
    const int s = socket(AF_PACKET, SOCK_RAW, htons(0x88a4));
    sockaddr_ll place{};
    place.sll_family = AF_PACKET;
    place.sll_protocol = htons(0x88a4);
    place.sll_ifindex = int(if_nametoindex("sinew0"));
    if (bind(s, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) return state.SkipWithError("no way");
    round_trips(state, port, s, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1, 1, 1, 1, 1, 0x88, 0xa4});
    close(s);
  }).join();
}

BENCHMARK(segment_alone)->Name("ethercat/segment_alone/32");
BENCHMARK(by_udp)->Name("ethercat/by_udp/32")->Iterations(40000)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(by_raw_frames)
    ->Name("ethercat/by_raw_frames/32")
    ->Iterations(40000)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sinew::bench
