// [ground] of a scenario, and how numbers of scenarios are written: the shortest text that is read as the same number.
#pragma once
#include <initializer_list>
#include <span>
#include <string>

#include "sinew/imports/robot.h"
#include "sinew/math/rotation.h"

namespace sinew::imports {

std::string number(double x);
std::string list_of(std::span<const double> values);
std::string list_of(std::initializer_list<double> values);
std::string list_of(const Vec3d& v);
std::string list_of(const Quatd& q);  // w, x, y, z

std::string ground_text(const ImportedRobot& robot);  // empty: there is none

}  // namespace sinew::imports
