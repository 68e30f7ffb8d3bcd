// Waiting for a socket.
#pragma once
#include <cstdint>

namespace sinew::ethercat {

// Until something can be read; false: the deadline has passed (CLOCK_MONOTONIC [ns]), or a signal came.
bool wait_for(int socket, std::int64_t deadline);

}  // namespace sinew::ethercat
