#include "sinew/model/sensor_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/model/plan.h"
#include "sinew/parts/sensor/bridges.h"

namespace sinew {

int reading_count(const SensorPlan& plan) {
  switch (plan.kind) {
    case SensorKind::Force3:
      return 3;
    case SensorKind::Force6:
    case SensorKind::Inertial:
    case SensorKind::Camera:
      return 6;
    case SensorKind::Inclination:
      return 2;
    case SensorKind::Range:
      return std::clamp(plan.rays, 1, most_rays);
    default:
      return 1;
  }
}

int channel_count(const SensorPlan& plan) {
  return plan.kind == SensorKind::Force6 ? sensor::n_bridges : reading_count(plan);
}

std::string component_ending(const SensorPlan& plan, int i) {
  static constexpr std::array<const char*, 6> wrench{".fx", ".fy", ".fz", ".mx", ".my", ".mz"},
      inertial{".wx", ".wy", ".wz", ".ax", ".ay", ".az"}, pose{".x", ".y", ".z", ".roll", ".pitch", ".yaw"};
  const std::size_t at = std::size_t(i);
  switch (plan.kind) {
    case SensorKind::Force3:
    case SensorKind::Force6:
      return wrench[at];
    case SensorKind::Inertial:
      return inertial[at];
    case SensorKind::Inclination:
      return pose[at + 3];
    case SensorKind::Camera:
      return pose[at];
    default:
      return reading_count(plan) > 1 ? fmt::format(".{}", i) : "";
  }
}

std::string_view component_unit(const SensorPlan& plan, int i, bool is_linear) {
  switch (plan.kind) {
    case SensorKind::Potentiometer:
    case SensorKind::AbsoluteEncoder:
    case SensorKind::IncrementalEncoder:
      return is_linear ? "m" : "rad";
    case SensorKind::LimitSwitch:
    case SensorKind::Contact:
      return "1";
    case SensorKind::Force3:
    case SensorKind::Force6:
      return i < 3 ? "N" : "N m";
    case SensorKind::Inertial:
      return i < 3 ? "rad/s" : "m/s^2";
    case SensorKind::Inclination:
      return "rad";
    case SensorKind::Range:
      return "m";
    case SensorKind::Camera:
      return i < 3 ? "m" : "rad";
    case SensorKind::Current:
      return "A";
    case SensorKind::Hall:
      return is_linear ? "m" : "rad";
  }
  return "";
}

std::string_view channel_unit(const SensorPlan& plan, int i, bool is_linear) {
  if (plan.kind == SensorKind::Force6) return "1";
  if (plan.kind == SensorKind::LimitSwitch) return is_linear ? "m" : "rad";
  if (plan.kind == SensorKind::Contact) return "N";
  return component_unit(plan, i, is_linear);
}

int entry_width(const SensorPlan& plan) { return reading_count(plan) + 2; }

SensorLayout layout_of(const SensorPlan& plan) {
  const int n = reading_count(plan), m = channel_count(plan);
  const bool mixes = !plan.cross_talk.empty() || plan.cross_talk_spread > 0.0;
  SensorLayout l;
  l.truth = SensorLayout::value + n;
  l.raw = l.truth + n;
  l.held = l.raw + m;
  l.null = l.held + m;
  l.cross = l.null + m;
  l.own = l.cross + (mixes ? m * m : 0);
  l.line = l.own + SensorLayout::n_own;
  l.fixed = l.line;
  return l;
}

int memory_size(const SensorPlan& plan, double step) {
  return layout_of(plan).fixed + sensor::line_size(plan, step, entry_width(plan));
}

void add_sensor_memory(Plan& plan, double step) {
  for (const SensorPlan& s : plan.sensors) {
    const std::string name = std::string(sensor_block) + s.name;
    const bool is_there = std::ranges::find(plan.memory, name, &MemoryBlock::name) != plan.memory.end();
    const bool fits = s.delay <= most_on_the_way * std::max(s.period, step);
    if (!fits && s.period >= 0.0 && s.period < step)
      throw PlanError({{fmt::format("sensor.{}.delay", s.name),
                        fmt::format("more than {:g} samples would be on their way, one of each step: give a period, or "
                                    "at most {:g} s",
                                    most_on_the_way, most_on_the_way * step)}});
    const bool makes_sense = s.delay >= 0.0 && s.period >= 0.0 && fits;
    if (!is_there && makes_sense) plan.memory.push_back({name, memory_size(s, step)});
  }
}

// FNV-1a of 32 bits.
std::uint32_t device_of(std::string_view name) {
  std::uint32_t h = 2166136261u;
  for (const char c : name) h = (h ^ std::uint32_t(static_cast<unsigned char>(c))) * 16777619u;
  return h;
}

}  // namespace sinew
