// What a source says to pages (docs/view-protocol.md).
#pragma once
#include <cstdint>

#include "sinew/sim/parameters.h"
#include "sinew/sim/signals.h"
#include "view/source.h"

namespace sinew::view {

struct Status {
  bool running = true;
  double speed = 1.0;             // wanted: simulated over real time; 0: as fast as it goes
  double real_time_factor = 1.0;  // reached
  double t = 0.0;                 // [s]
  std::uint64_t dropped = 0;      // rows that the source left out
  std::string note = {};          // for people: cycle times of a foreign controller; empty: none
};

struct Hello {
  std::uint32_t generation;
  const std::string& scenario;  // its name
  bool interactive;
  const std::string& scene;  // JSON
  std::span<const sim::Signal> signals;
  std::span<const sim::Parameter> parameters;
};

Text hello_message(const Hello& hello, const Status& status);
Text state_message(const Status& status);
Text parameter_message(const sim::Parameter& parameter);
Text failed_message(const std::string& what);
Text error_message(const std::string& what);

// Calls f; what it throws because of bad input becomes the text of an error message. Empty: nothing was thrown.
template <class F>
std::string error_of(F f);

// All that an exception has to say.
std::string what_of(const std::exception& error);

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const std::exception& error) {
    return what_of(error);
  }
  return {};
}

}  // namespace sinew::view
