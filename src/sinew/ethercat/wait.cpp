#include "sinew/ethercat/wait.h"

#include <poll.h>

#include <ctime>

#include "sinew/bridge/clock.h"

namespace sinew::ethercat {

bool wait_for(int socket, std::int64_t deadline) {
  const std::int64_t left = deadline - bridge::MonotonicClock().now();
  if (left <= 0) return false;
  pollfd one{socket, POLLIN, 0};
  const timespec time{.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
  return ppoll(&one, 1, &time, nullptr) > 0;
}

}  // namespace sinew::ethercat
