#include "sinew/bridge/devices.h"

#include <algorithm>

#include "sinew/math/check.h"

namespace sinew::bridge {
namespace {

bool is_state(int wanted) {
  return wanted == state::init || wanted == state::pre_operational || wanted == state::safe_operational ||
         wanted == state::operational;
}

}  // namespace

void Devices::step(std::span<const std::uint16_t> control, std::span<const std::uint16_t> own) {
  SINEW_ASSERT(control.size() == states_.size() && own.size() == states_.size());
  for (std::size_t i = 0; i < states_.size(); i++) {
    if (control[i] & control::reset) faults_[i] = fault::none;
    if (own[i] != 0) faults_[i] = std::uint16_t(fault::drive + own[i]);
    const std::uint16_t top = faults_[i] == fault::none ? state::operational : state::safe_operational;
    const int asked = control[i] & control::state;
    const int wanted = std::min<int>(is_state(asked) ? asked : states_[i], top);
    states_[i] = std::uint16_t(wanted > states_[i] ? 2 * states_[i] : wanted);
  }
}

void Devices::fall(std::uint16_t why) {
  for (std::size_t i = 0; i < states_.size(); i++) {
    if (faults_[i] == fault::none) faults_[i] = why;
    states_[i] = std::min<std::uint16_t>(states_[i], state::safe_operational);
  }
}

bool Devices::are_where(std::span<const std::uint16_t> control) const {
  for (std::size_t i = 0; i < states_.size(); i++) {
    const int asked = control[i] & control::state;
    if (!is_state(asked) || (states_[i] != asked && faults_[i] == fault::none)) return false;
  }
  return true;
}

bool Devices::is_any_safe() const {
  return std::ranges::any_of(states_, [](std::uint16_t s) { return s != state::operational; });
}

}  // namespace sinew::bridge
