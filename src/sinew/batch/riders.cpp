#include "sinew/batch/riders.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "sinew/math/check.h"

namespace sinew {
namespace {

#ifdef __AVX__
// Rows become columns.
struct Turned {
  Lanes::Raw row[lane_count];
};
SINEW_INLINE Turned turned(const Lanes::Raw& a, const Lanes::Raw& b, const Lanes::Raw& c, const Lanes::Raw& d) {
  const Lanes::Raw even = __builtin_shufflevector(a, b, 0, 4, 2, 6), odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes::Raw even2 = __builtin_shufflevector(c, d, 0, 4, 2, 6), odd2 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return {{__builtin_shufflevector(even, even2, 0, 1, 4, 5), __builtin_shufflevector(odd, odd2, 0, 1, 4, 5),
           __builtin_shufflevector(even, even2, 2, 3, 6, 7), __builtin_shufflevector(odd, odd2, 2, 3, 6, 7)}};
}
#endif

// Places first to end, four robots and, as far as there are so many, four places at a time.
void spread(const std::vector<Lanes>& from, const FourLists& to, const MemoryPart& part) {
  std::size_t i = part.first;
#ifdef __AVX__
  for (; i + lane_count <= part.end; i += lane_count) {
    const Turned t = turned(from[i].raw, from[i + 1].raw, from[i + 2].raw, from[i + 3].raw);
    for (std::size_t lane = 0; lane < lane_count; lane++) std::memcpy(to[lane] + i, &t.row[lane], sizeof t.row[lane]);
  }
#endif
  for (; i < part.end; i++)
    for (std::size_t lane = 0; lane < lane_count; lane++) to[lane][i] = from[i][int(lane)];
}

void gather(std::vector<Lanes>& to, const FourLists& from, const MemoryPart& part) {
  std::size_t i = part.first;
#ifdef __AVX__
  for (; i + lane_count <= part.end; i += lane_count) {
    Turned t;
    for (std::size_t lane = 0; lane < lane_count; lane++) std::memcpy(&t.row[lane], from[lane] + i, sizeof t.row[lane]);
    const Turned rows = turned(t.row[0], t.row[1], t.row[2], t.row[3]);
    for (std::size_t k = 0; k < lane_count; k++) to[i + k].raw = rows.row[k];
  }
#endif
  for (; i < part.end; i++)
    for (std::size_t lane = 0; lane < lane_count; lane++) to[i].set(int(lane), from[lane][i]);
}

// Calls f(list of the register, list of the robot).
template <class Wide, class One, class F>
void for_each_list_pair(Wide& wide, One& one, F f) {
  std::array<decltype(&wide.q), 16> lists{};
  std::size_t n = 0;
  for_each_list(wide, [&](const char*, auto& list) { lists[n++] = &list; });
  n = 0;
  for_each_list(one, [&](const char*, auto& list) { f(*lists[n++], list); });
}

// Calls f(x of the register, x of the robot) for all that differs from robot to robot and is in no list.
template <class Wide, class One, class F>
void for_each_single(Wide& wide, One& one, F f) {
  f(wide.work.actuators, one.work.actuators);
  f(wide.work.external, one.work.external);
  f(wide.work.damping, one.work.damping);
  f(wide.work.friction, one.work.friction);
  f(wide.work.impact, one.work.impact);
  f(wide.work.start, one.work.start);
  std::array<decltype(&wide.work.start), 10 + Bounces<double>::most> bounces{};
  std::size_t n = 0;
  for_each_bounce(wide.bounces, [&](auto& x) { bounces[n++] = &x; });
  n = 0;
  for_each_bounce(one.bounces, [&](auto& x) { f(*bounces[n++], x); });
}

}  // namespace

bool is_told(const sim::Simulation& simulation) {
  return simulation.has_controller() || !simulation.world().model().sensors.empty();
}

// Drives advance inside a step.
std::vector<MemoryPart> memory_of_steps(const Model& model) {
  std::vector<MemoryPart> out;
  for (std::size_t at = 0; const MemoryBlock& block : model.memory) {
    const std::size_t end = at + std::size_t(block.size);
    if (block.name.starts_with("drive.") && !out.empty() && out.back().end == at)
      out.back().end = end;
    else if (block.name.starts_with("drive."))
      out.push_back({at, end});
    at = end;
  }
  return out;
}

Riders::Riders(World<Lanes>& wide, std::span<Rider> riders, std::span<const MemoryPart> memory)
    : wide_(wide), riders_(riders), memory_(memory) {
  SINEW_CHECK(!riders.empty() && riders.size() <= std::size_t(lane_count), "Riders: ", riders.size(), " for ",
              lane_count, " lanes");
  if (are_four()) {
    take_four();
    return;
  }
  for (std::size_t i = 0; i < riders.size(); i++)
    if (riders[i].rides) take(int(i), riders[i].simulation->world());
}

void Riders::take_four() {
  const std::array<FourLists, 16> from = lists_of_four();
  std::size_t n = 0;
  for_each_list(wide_.state, [&](const char*, auto& list) {
    const FourLists& lists = from[n++];
    if (&list != &wide_.state.memory) return gather(list, lists, {0, list.size()});
    for (const MemoryPart& part : memory_) gather(list, lists, part);
  });
  for (std::size_t i = 0; i < lane_count; i++) {
    const World<double>& world = riders_[i].simulation->world();
    const auto put = [&](Lanes& to, const double& one) { to.set(int(i), one); };
    for_each_single(wide_.state, world.state, put);
    take_input(int(i), world.input);
    set_clock(world.state);
  }
}

// Of each list of a state, where it is in each rider.
std::array<FourLists, 16> Riders::lists_of_four() {
  std::array<FourLists, 16> out{};
  for (std::size_t lane = 0; lane < lane_count; lane++) {
    std::size_t n = 0;
    for_each_list(riders_[lane].simulation->stepping().state,
                  [&](const char*, auto& list) { out[n++][lane] = list.data(); });
  }
  return out;
}

void Riders::take(int lane, const World<double>& world) {
  for_each_list_pair(wide_.state, world.state, [&](std::vector<Lanes>& to, const std::vector<double>& from) {
    for (std::size_t i = 0; i < to.size(); i++) to[i].set(lane, from[i]);
  });
  for_each_single(wide_.state, world.state, [&](Lanes& to, const double& from) { to.set(lane, from); });
  take_input(lane, world.input);
  set_clock(world.state);
}

void Riders::take_input(int lane, const Input<double>& input) {
  for (std::size_t c = 0; c < input.torque.size(); c++) wide_.input.torque[c].set(lane, input.torque[c]);
  for (std::size_t c = 0; c < input.drive.size(); c++) wide_.input.drive[c].set(lane, input.drive[c]);
  for (std::size_t i = 0; i < input.external.size(); i++)
    for (int k = 0; k < 3; k++) {
      wide_.input.external[i].n[k].set(lane, input.external[i].n[k]);
      wide_.input.external[i].f[k].set(lane, input.external[i].f[k]);
    }
}

bool Riders::are_four() const {
  return riders_.size() == lane_count && std::ranges::all_of(riders_, [](const Rider& r) { return r.rides; });
}

// What was written into the states between steps.
void Riders::take_memory() {
  const bool four = are_four();
  FourLists from{};
  for (std::size_t i = 0; four && i < lane_count; i++) from[i] = riders_[i].simulation->stepping().state.memory.data();
  for (const MemoryPart& part : memory_) {
    if (four) gather(wide_.state.memory, from, part);
    for (std::size_t lane = 0; !four && lane < riders_.size(); lane++)
      for (std::size_t i = part.first; riders_[lane].rides && i < part.end; i++)
        wide_.state.memory[i].set(int(lane), riders_[lane].simulation->world().state.memory[i]);
  }
}

void Riders::take_commands() {
  bool told = false;
  for (std::size_t lane = 0; lane < riders_.size(); lane++) {
    if (!riders_[lane].rides || !riders_[lane].is_told) continue;
    take_input(int(lane), riders_[lane].simulation->world().input);
    told = true;
  }
  if (told) take_memory();
}

// The lane of a robot that has left stands still in the shape of another one.
void Riders::copy_lane(int from, int to) {
  for_each_number(wide_.state, [&](Lanes& x) { x.set(to, x[from]); });
  for (Lanes& x : wide_.input.torque) x.set(to, x[from]);
  for (Lanes& x : wide_.input.drive) x.set(to, x[from]);
  for (Wrench<Lanes>& w : wide_.input.external)
    for (int k = 0; k < 3; k++) {
      w.n[k].set(to, w.n[k][from]);
      w.f[k].set(to, w.f[k][from]);
    }
}

void Riders::set_clock(const StepClock& clock) { static_cast<StepClock&>(wide_.state) = clock; }

// To all that ride. Of the memory what steps have written.
void Riders::give() {
  const bool four = are_four();
  if (four) {
    const std::array<FourLists, 16> to = lists_of_four();
    std::size_t n = 0;
    for_each_list(std::as_const(wide_.state), [&](const char*, const auto& list) {
      const FourLists& lists = to[n++];
      if (&list != &wide_.state.memory) return spread(list, lists, {0, list.size()});
      for (const MemoryPart& part : memory_) spread(list, lists, part);
    });
  }
  for (std::size_t i = 0; i < riders_.size(); i++) {
    if (!riders_[i].rides) continue;
    State<double>& state = riders_[i].simulation->stepping().state;
    static_cast<StepClock&>(state) = wide_.state;
    if (!four) give_lists(int(i), state);
    for_each_single(std::as_const(wide_.state), state, [&](const Lanes& from, double& to) { to = from[int(i)]; });
  }
}

void Riders::give_lists(int lane, State<double>& state) const {
  for_each_list_pair(wide_.state, state, [&](const std::vector<Lanes>& from, std::vector<double>& to) {
    const auto copy = [&](std::size_t first, std::size_t end) {
      for (std::size_t k = first; k < end; k++) to[k] = from[k][lane];
    };
    if (&from != &wide_.state.memory) return copy(0, to.size());
    for (const MemoryPart& part : memory_) copy(part.first, part.end);
  });
}

int Riders::let_out(std::int64_t k) {
  int riding = 0, last = -1;
  for (std::size_t i = 0; i < riders_.size(); i++) {
    Rider& r = riders_[i];
    if (!r.rides) continue;
    r.rides = !r.simulation->is_over() && r.simulation->progress().k == k;
    if (!r.rides) continue;
    riding++;
    last = int(i);
  }
  if (last < 0) return 0;
  for (std::size_t i = 0; i < std::size_t(lane_count); i++)
    if (i >= riders_.size() || !riders_[i].rides) copy_lane(last, int(i));
  return riding;
}

// False: it was not solved for all, and nothing has happened.
bool Riders::step_together(double dt) {
  take_commands();
  const StepReport report = wide_.step(dt);
  if (report.is_lost() || !report.converged) return false;
  give();
  for (std::size_t i = 0; i < riders_.size(); i++) {
    if (!riders_[i].rides) continue;
    StepReport own = report;
    own.residual = own.lane_residual[0] = report.lane_residual[i];
    riders_[i].simulation->after_step(own);
  }
  return true;
}

void Riders::step(std::int64_t k) {
  double dt = 0.0;
  for (Rider& r : riders_)
    if (r.rides) dt = r.simulation->before_step();
  if (!step_together(dt)) {
    for (std::size_t i = 0; i < riders_.size(); i++) {
      if (!riders_[i].rides) continue;
      sim::Simulation& s = *riders_[i].simulation;
      s.after_step(s.stepping().step(dt));
      take(int(i), s.world());
    }
  }
  for (const Rider& r : riders_)
    if (r.rides && r.simulation->progress().k == k + 1) set_clock(r.simulation->world().state);
}

}  // namespace sinew
