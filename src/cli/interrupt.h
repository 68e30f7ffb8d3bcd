// Ctrl-C ends what is going on in good order; a second one ends the program at once.
#pragma once
#include <atomic>

namespace cli {

// Becomes true when the user wants to stop.
const std::atomic<bool>* stop_on_interrupt();

}  // namespace cli
