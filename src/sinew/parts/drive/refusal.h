// Set-points that come while the rotor of a drive is being aligned are refused: it is turned by its alignment, and nobody watches how far.
// What was told before holds instead, until something else is told afterwards. Commands that are no set-points, such as the brake, act.
// In the memory block of drives with an alignment only, at its end. docs/theory/drives.md#rotor-alignment
#pragma once
#include <algorithm>
#include <array>

#include "sinew/parts/drive/drive.h"

namespace sinew::drive {

namespace refusal {
inline constexpr int set_points = 5;                   // position to voltage, the first commands
inline constexpr double nothing = -2 * command::none;  // no command is that
enum : int { count, before, refused = before + set_points, size = refused + set_points };
}  // namespace refusal
static_assert(command::voltage + 1 == refusal::set_points);

// What the drive goes by in a step that begins while it aligns, or later. own: refusal::size numbers.
template <Real S>
void refuse(const S* given, const Mask<S>& is_first, bool is_aligning, S* own, std::array<S, command::size>& taken) {
  const auto is = [](const S& a, const S& b) { return (a <= b) & (a >= b); };
  std::copy_n(given, command::size, taken.begin());
  for (int i = 0; i < refusal::set_points; i++) {
    S &before = own[refusal::before + i], &refused = own[refusal::refused + i];
    before = select(is_first, given[i], before);
    refused = select(is_first, S(refusal::nothing), refused);
    if (is_aligning) {
      const Mask<S> is_same = is(given[i], before);
      own[refusal::count] += select(is_same | is(given[i], refused), S(0.0), S(1.0));
      refused = select(is_same, S(refusal::nothing), given[i]);
      taken[std::size_t(i)] = before;
    } else {
      const Mask<S> is_still = is(given[i], refused);
      refused = select(is_still, refused, S(refusal::nothing));
      taken[std::size_t(i)] = select(is_still, before, given[i]);
    }
  }
}

// How many it has refused; own: the memory block of a drive.
inline double refused(const Setup& setup, const double* own) {
  return setup.align == Align::None ? 0.0 : own[setup.memory_size() - refusal::size + refusal::count];
}

}  // namespace sinew::drive
