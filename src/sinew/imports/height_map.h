// Height fields of other programs -> the ground of the house. Values go row by row from the smallest y up, in a row along x; the
// field lies about its own origin, |x| <= radius_x, |y| <= radius_y, z = height value.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "sinew/imports/robot.h"
#include "sinew/math/spatial.h"

namespace sinew::imports {

inline constexpr std::size_t max_height_points = std::size_t(1) << 20;

struct HeightValues {
  int rows = 0, columns = 0;
  std::vector<double> z;
};

// PNG, white the highest, the top row that of the largest y; or MuJoCo's own: rows and columns as int, values as float, the first
// row that of the smallest y. Throws InputError, "FILE: WHAT: HOW TO FIX".
HeightValues read_heights(const std::string& file);

void scale_to_one(HeightValues& heights);  // least 0, largest 1; a level field is 0

// Makes it the ground of the robot: a field of heights where its axes are those of the world, otherwise a mesh.
void set_ground(ImportedRobot& robot, const HeightValues& heights, double radius_x, double radius_y, const Posed& X_WH);

// How far the ground reaches at most into what stands over it at the start [m].
double depth_in_ground(const ImportedRobot& robot, const std::vector<Posed>& poses);

}  // namespace sinew::imports
