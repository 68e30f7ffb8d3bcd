#include "robots/hexapod/press_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "robots/hexapod/body_keys.h"
#include "sinew/math/ramp.h"

namespace sinew::robots {

using namespace legged;

namespace {

namespace at = hexapod_order;

constexpr double gain = 2e-3, fastest_push = 0.02;  // k, v [m/(N s), m/s]
constexpr double longest_push = 0.15;               // [m]
constexpr double feel_time = 0.02;                  // of the force that it feels: a foot chatters on what is hard [s]
constexpr double ramp_force = 20.0;                 // [N/s]
constexpr double foot_speed = 0.1, least_time = 0.4, rise = 0.03;  // of the foot on its way [m/s, s, m]
constexpr double shift_time = 0.2;                                 // for which the margin holds before it lifts [s]
constexpr double down_depth = 0.02, down_time = 1.0;               // of a foot that looks for the ground [m, s]
constexpr double least_force = 0.01, touched = 0.5;  // that moves the load; that it feels when it has met something [N]

Vec3d direction_of(double order) {
  switch (PressDirection(int(order))) {
    case PressDirection::Ahead:
      return {1.0, 0.0, 0.0};
    case PressDirection::Left:
      return {0.0, 1.0, 0.0};
    case PressDirection::Right:
      return {0.0, -1.0, 0.0};
    case PressDirection::Up:
      return {0.0, 0.0, 1.0};
    case PressDirection::Down:
      break;
  }
  return {0.0, 0.0, -1.0};
}

}  // namespace

bool LegPresser::is_asked(const HexapodMemory& m) const {
  const int leg = named_leg(m.order.now[at::press], body_.segments);
  return leg >= 0 && c_.devices.feels && m.gait.leg[leg].lost == 0.0;
}

// What a force f d of the foot at p makes of the load on the others.
void LegPresser::feel(HexapodMemory& m, Sight& see) const {
  PressMemory& p = m.press;
  const PressState state = PressState(int(p.state));
  const bool may_push = state == PressState::Push || state == PressState::Back;
  const int i = may_push ? int(p.leg) : 0;
  const double felt = may_push ? -dot(see.felt[i], p.d) : 0.0;
  p.force += (felt - p.force) * std::min(1.0, period_ / feel_time);
  if (!may_push || !(std::abs(p.force) > least_force)) return;
  const Vec3d f = p.d * p.force;  // on what it meets; the robot gets -f
  const double W = see.weight + f[2], height = see.level[i][2] + body_.hip_height + body_.foot_radius;
  if (!(W > 0.2 * see.weight)) return;
  for (int k = 0; k < 2; k++) see.load[k] = (see.weight * see.com[k] - (f[k] * height - f[2] * see.level[i][k])) / W;
  see.weight = W;
}

void LegPresser::next(HexapodMemory& m, PressState state) const {
  m.press.state = double(state);
  m.press.time = 0.0;
}

void LegPresser::begin(HexapodMemory& m) const {
  PressMemory& p = m.press;
  p = {};
  p.leg = named_leg(m.order.now[at::press], body_.segments);
  p.d = direction_of(m.order.now[at::press_direction]);
  p.start = Vec3d(m.order.now[at::press_ahead], m.order.now[at::press_left], m.order.now[at::press_up]);
  next(m, PressState::Shift);
}

void LegPresser::push(HexapodMemory& m) const {
  PressMemory& p = m.press;
  const double most = ramp_force * period_, F = m.order.now[at::press_force];
  p.wanted += std::clamp(F - p.wanted, -most, most);
  const bool free = p.force < touched && p.wanted > 0.0;  // it has met nothing yet
  const double v = free ? fastest_push : std::clamp(gain * (p.wanted - p.force), -fastest_push, fastest_push);
  p.way = std::clamp(p.way + v * period_, -longest_push, longest_push);
}

// From where it stood up, over, and to where it begins; and the same way back.
double LegPresser::way_time(const PressMemory& p) const {
  const Vec3d over = p.start - p.from;
  return std::max(least_time, (std::abs(over[0]) + std::abs(over[1]) + std::abs(over[2]) + 2.0 * rise) / foot_speed);
}

Vec3d LegPresser::on_way(const PressMemory& p) const {
  const double T = way_time(p), t = p.state == double(PressState::Back) ? T - p.time : p.time;
  const double s = ramp_at(t, T).value, up = ramp_at(t, 0.5 * T).value, on = ramp_at(t - 0.25 * T, 0.75 * T).value;
  const double top = std::max(p.from[2], p.start[2]) + rise, end = p.start[2];
  const double z = p.from[2] + (top - p.from[2]) * up + (end - top) * ramp_at(t - 0.75 * T, 0.25 * T).value;
  return {p.from[0] + (p.start[0] - p.from[0]) * on, p.from[1] + (p.start[1] - p.from[1]) * on,
          s > 0.0 ? z : p.from[2]};
}

void LegPresser::step(const MarginGuard& guard, const Sight& see, HexapodMemory& m, std::span<Vec3d> feet) const {
  PressMemory& p = m.press;
  if (p.state == 0.0) {
    if (!is_asked(m) || m.gait.walk_mode() != WalkMode::Stand) return;
    begin(m);
  }
  const int i = int(p.leg);
  const Vec3d neutral = body_.neutral(i);
  const bool asked = is_asked(m) && named_leg(m.order.now[at::press], body_.segments) == i;
  GaitState::Leg& leg = m.gait.leg[i];
  guard.refused |= leg_bit(i);  // the body stays where the others carry it
  p.time += period_;
  switch (PressState(int(p.state))) {
    case PressState::Off:
      return;
    case PressState::Shift:
      if (static_margin(guard.without(m.gait.airborne() | leg_bit(i)), see.load) < c_.s_guard) p.time = 0.0;
      p.from = feet[i] - neutral;
      if (!asked) return next(m, PressState::Off);
      if (p.time < shift_time) return;
      leg.in_air = leg.air_time = 1.0;
      leg.ticks = 0.0;
      return next(m, PressState::Go);
    case PressState::Go:
      feet[i] = neutral + on_way(p);
      if (p.time >= way_time(p)) next(m, PressState::Push);
      return;
    case PressState::Push:
      asked ? push(m) : next(m, PressState::Back);
      p.back = p.way;
      break;
    case PressState::Back: {
      const double retract = std::abs(p.back) / (2.0 * fastest_push), before = p.time;
      p.wanted = 0.0;
      p.way = p.back * (1.0 - ramp_at(before, retract).value);
      if (before < retract) break;
      p.time = before - retract;
      feet[i] = neutral + on_way(p);
      const bool there = p.time >= way_time(p);
      p.time = before;
      if (there) next(m, PressState::Down);
      return;
    }
    case PressState::Down:
      feet[i] = neutral + p.from - Vec3d(0.0, 0.0, down_depth * std::min(1.0, p.time / down_time));
      if (m.touching[i] == 0.0 && p.time < down_time) return;
      leg.in_air = 0.0;
      leg.up = feet[i][2] - neutral[2];
      p.leg = -1.0;
      return next(m, PressState::Off);
  }
  feet[i] = neutral + p.start + p.d * p.way;
}

std::vector<std::string> press_remarks(const HexapodMemory& m, int segments) {
  const PressMemory& p = m.press;
  if (PressState(int(p.state)) == PressState::Shift)
    return {fmt::format(
        "leg {} was told to push and has not lifted: the others do not carry the robot with the margin s_guard",
        leg_name(int(p.leg), segments))};
  if (PressState(int(p.state)) == PressState::Push && p.way >= longest_push)
    return {fmt::format("leg {} pushed {:g} m far and met nothing that holds against {:g} N",
                        leg_name(int(p.leg), segments), longest_push, p.wanted)};
  return {};
}

}  // namespace sinew::robots
