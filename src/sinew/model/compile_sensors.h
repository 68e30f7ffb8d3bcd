// Part of compile: sensors.
#pragma once
#include <functional>

#include "sinew/model/model.h"

namespace sinew {

// link: of a body by its name. Throws PlanError if a sensor has no block of memory (add_sensor_memory).
void compile_sensors(const Plan& plan, const std::function<int(const std::string&)>& link, Model& model);

// The rules for sensors.
void check_sensors(const Plan& plan, std::vector<Problem>& problems);

}  // namespace sinew
