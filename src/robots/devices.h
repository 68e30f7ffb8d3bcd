// Devices of the robots of the catalogue: ideal ones, or drives and sensors as they are built; and what a plan has of them already.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "sinew/model/plan.h"

namespace sinew::robots {

// Ideal: servos without motors, sensors without errors. Real: motors behind gears or rods, sensors as they are built.
enum class Devices { Ideal, Real };
inline constexpr std::array<std::string_view, 2> devices_names{"ideal", "real"};

inline bool has_sensor(const Plan& plan, const std::string& name) {
  return std::ranges::find(plan.sensors, name, &SensorPlan::name) != plan.sensors.end();
}
inline bool has_drive(const Plan& plan, const std::string& joint) {
  return std::ranges::find(plan.drives, joint, &DrivePlan::joint) != plan.drives.end();
}
inline bool is_measured(const Plan& plan, const std::string& joint, int axis) {
  return std::ranges::any_of(plan.sensors, [&](const SensorPlan& s) {
    return s.joint == joint && s.axis == axis && measures_position(s.kind);
  });
}

}  // namespace sinew::robots
