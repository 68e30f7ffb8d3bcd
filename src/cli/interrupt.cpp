#include "cli/interrupt.h"

#include <csignal>

namespace cli {
namespace {

std::atomic<bool> stop_wanted{false};  // written by the signal handler only
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

const std::atomic<bool>* stop_on_interrupt() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stop_wanted = true; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return &stop_wanted;
}

}  // namespace cli
