// Riders: simulations whose loops are their own, controllers, sensors, results and looks included, and whose steps are one step of a register.
// Each has the bits of a run of its own: a step that the register could not solve for all is made by each alone, from where it was.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "sinew/sim/simulation.h"

namespace sinew {

struct Rider {
  sim::Simulation* simulation = nullptr;
  bool rides = true;     // else it has come to its end, or goes on alone
  bool is_told = false;  // a controller or sensors write into its state between steps
};

// Does anybody write into its state between steps?
bool is_told(const sim::Simulation& simulation);

// Parts of State::memory that steps use and write. All else in it belongs to controllers and sensors, of which each rider has its own.
struct MemoryPart {
  std::size_t first, end;
};
std::vector<MemoryPart> memory_of_steps(const Model& model);

// A list of numbers in each lane.
using FourLists = std::array<double*, lane_count>;

// The robots of one register: rider i is in lane i.
class Riders {
 public:
  // wide: with the riders' numbers in its lanes; their states are taken. memory: memory_of_steps. All outlive this.
  Riders(World<Lanes>& wide, std::span<Rider> riders, std::span<const MemoryPart> memory);

  // Who is over, or went back to look for a step that fails, or has been marked, leaves. Gives the number of those that go on.
  int let_out(std::int64_t k);
  // One step of all that ride. k: steps done.
  void step(std::int64_t k);

 private:
  bool step_together(double dt);
  void take(int lane, const World<double>& world);
  void take_input(int lane, const Input<double>& input);
  bool are_four() const;
  std::array<FourLists, 16> lists_of_four();
  void take_four();
  void take_memory();
  void take_commands();
  void copy_lane(int from, int to);
  void give();
  void give_lists(int lane, State<double>& state) const;
  void set_clock(const StepClock& clock);

  World<Lanes>& wide_;
  std::span<Rider> riders_;
  std::span<const MemoryPart> memory_;
};

}  // namespace sinew
