#include "sinew/bridge/clock.h"

#include <time.h>

namespace sinew::bridge {

std::int64_t MonotonicClock::now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::int64_t(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

void MonotonicClock::wait_until(std::int64_t t) {
  constexpr std::int64_t awake = 80'000;  // [ns]: longer than a sleeper is late on a quiet machine
  const std::int64_t sleep = t - awake;
  if (now() < sleep) {
    const timespec until{.tv_sec = sleep / 1'000'000'000, .tv_nsec = sleep % 1'000'000'000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);  // cut short by a signal: the rest is looked at
  }
  while (now() < t) {
  }
}

}  // namespace sinew::bridge
