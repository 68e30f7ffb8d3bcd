// The state of each device, as on a field bus: Init, PreOperational, SafeOperational (measured values hold, references do not), Operational. It is
// asked for by control words and rises by one state an exchange; it falls at once. A fault takes a device back to SafeOperational, where it
// stays until its cause is gone and the fault is reset.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::bridge {

namespace state {
enum : std::uint16_t { init = 1, pre_operational = 2, safe_operational = 4, operational = 8 };
}
namespace control {
enum : std::uint16_t { state = 15, reset = 16 };  // bits: the state that is wanted, 0: as it is; forget the fault
}
namespace fault {
enum : std::uint16_t { none = 0, watchdog = 1, drive = 16 };  // drive + drive::Fault: its own
}

class Devices {
 public:
  explicit Devices(std::size_t n) : states_(n, state::init), faults_(n, fault::none) {}

  // One exchange with control words; own: present fault of each device's drive, 0: none.
  void step(std::span<const std::uint16_t> control, std::span<const std::uint16_t> own);
  void fall(std::uint16_t fault);  // all of them

  bool is_operational(int device) const { return states_[std::size_t(device)] == state::operational; }
  bool are_where(
      std::span<const std::uint16_t> control) const;  // they are wanted, and something is wanted of all of them
  bool is_any_safe() const;
  std::span<const std::uint16_t> states() const { return states_; }
  std::span<const std::uint16_t> faults() const { return faults_; }

 private:
  std::vector<std::uint16_t> states_, faults_;
};

}  // namespace sinew::bridge
