#include "sinew/batch/riders.h"

#include <array>
#include <utility>

#include "sinew/math/check.h"

namespace sinew {
namespace {

// Calls f(x of the register, x of the robot) for all that differs from robot to robot, without taking memory.
template <class Wide, class One, class F>
void for_each_pair(Wide& wide, One& one, F f) {
  std::array<decltype(&wide.q), 16> lists{};
  std::size_t n = 0;
  for_each_list(wide, [&](const char*, auto& list) { lists[n++] = &list; });
  n = 0;
  for_each_list(one, [&](const char*, auto& list) {
    auto& in_lanes = *lists[n++];
    for (std::size_t i = 0; i < list.size(); i++) f(in_lanes[i], list[i]);
  });
  f(wide.work.actuators, one.work.actuators);
  f(wide.work.external, one.work.external);
  f(wide.work.damping, one.work.damping);
  f(wide.work.friction, one.work.friction);
  f(wide.work.impact, one.work.impact);
  f(wide.work.start, one.work.start);
  std::array<decltype(&wide.work.start), 10 + Bounces<double>::most> bounces{};
  n = 0;
  for_each_bounce(wide.bounces, [&](auto& x) { bounces[n++] = &x; });
  n = 0;
  for_each_bounce(one.bounces, [&](auto& x) { f(*bounces[n++], x); });
}

}  // namespace

bool is_told(const sim::Simulation& simulation) {
  return simulation.has_controller() || !simulation.world().model().sensors.empty();
}

Riders::Riders(World<Lanes>& wide, std::span<Rider> riders) : wide_(wide), riders_(riders) {
  SINEW_CHECK(!riders.empty() && riders.size() <= std::size_t(lane_count), "Riders: ", riders.size(), " for ",
              lane_count, " lanes");
  for (std::size_t i = 0; i < riders.size(); i++) {
    if (!riders[i].rides) continue;
    take(int(i), riders[i].simulation->world());
    set_clock(riders[i].simulation->world().state);
  }
}

void Riders::take(int lane, const World<double>& world) {
  for_each_pair(wide_.state, world.state, [&](Lanes& to, const double& from) { to.set(lane, from); });
  take_input(lane, world.input);
}

void Riders::take_input(int lane, const Input<double>& input) {
  for (std::size_t c = 0; c < input.torque.size(); c++) wide_.input.torque[c].set(lane, input.torque[c]);
  for (std::size_t c = 0; c < input.drive.size(); c++) wide_.input.drive[c].set(lane, input.drive[c]);
}

// What a controller or sensors wrote.
void Riders::take_memory(int lane, const World<double>& world) {
  for (std::size_t i = 0; i < world.state.memory.size(); i++) wide_.state.memory[i].set(lane, world.state.memory[i]);
  take_input(lane, world.input);
}

// The lane of a robot that has left stands still in the shape of another one.
void Riders::copy_lane(int from, int to) {
  for_each_number(wide_.state, [&](Lanes& x) { x.set(to, x[from]); });
  for (Lanes& x : wide_.input.torque) x.set(to, x[from]);
  for (Lanes& x : wide_.input.drive) x.set(to, x[from]);
}

void Riders::set_clock(const StepClock& clock) { static_cast<StepClock&>(wide_.state) = clock; }

void Riders::give(int lane, State<double>& state) const {
  static_cast<StepClock&>(state) = wide_.state;
  for_each_pair(std::as_const(wide_.state), state, [&](const Lanes& from, double& to) { to = from[lane]; });
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
  for (std::size_t i = 0; i < riders_.size(); i++)
    if (riders_[i].rides && riders_[i].is_told) take_memory(int(i), riders_[i].simulation->world());
  const StepReport report = wide_.step(dt);
  if (report.is_lost() || !report.converged) return false;
  for (std::size_t i = 0; i < riders_.size(); i++) {
    if (!riders_[i].rides) continue;
    StepReport own = report;
    own.residual = own.lane_residual[0] = report.lane_residual[i];
    give(int(i), riders_[i].simulation->stepping().state);
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
