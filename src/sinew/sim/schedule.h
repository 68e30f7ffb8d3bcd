// Schedule: when a controller is asked, and when what it says takes effect.
//   due times     t_k = phase + k period, k = 0, 1, 2, ...
//   tick          the start of the first step at or after a due time; several due times in one step are one tick
//   effect        commands act from the start of the first step at or after its tick + latency; until then those before are held
// "At or after" is meant to within 1e-9 of a step, so that multiples of the step are met in spite of round-off. period = 0: a tick in
// every step from the phase on.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace sinew::sim {

struct Schedule {
  double period = 0.0, phase = 0.0, latency = 0.0;  // [s]

  bool is_every_step() const { return period == 0.0 && phase == 0.0 && latency == 0.0; }
  bool operator==(const Schedule&) const = default;
};

// Whether step number k, of steps of this length from t = 0 on, begins with a tick.
bool is_tick(const Schedule& schedule, std::int64_t k, double step);

// Commands on their way, in numbers of a memory block (model/memory.h):
//   the n numbers that were given last; how many lists wait; for each of them the time of its effect and n numbers
inline constexpr std::string_view delay_block = "control.delay";
int delay_size(const Schedule& schedule, double step, int n);  // numbers in the block; 0: none is needed
std::span<double> given_last(std::span<double> block, int n);
void delay(std::span<double> block, std::span<const double> commands, double effect);

// Takes those out whose time has come by t; the last of them overwrite `commands`.
void let_through(std::span<double> block, double t, double step, std::span<double> commands);

}  // namespace sinew::sim
