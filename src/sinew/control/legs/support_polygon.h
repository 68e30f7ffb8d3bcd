// The polygon of the feet that stand, and how far the mass centre's projection is from its edge (docs/theory/hexapod.md#stability).
// Points are horizontal: (x, y, anything).
#pragma once
#include <array>
#include <span>

#include "sinew/control/legs/gait_table.h"
#include "sinew/math/linear.h"

namespace sinew::legged {

struct SupportPolygon {
  int n = 0;  // corners, counterclockwise; 2: a line, 1: a point, 0: none
  std::array<Vec3d, most_legs> corner;
};
SupportPolygon polygon_of(std::span<const Vec3d> feet);  // up to most_legs

// Signed distance of a point to the edge: positive inside. Of a line or a point: minus the distance. No feet: -infinity.
double static_margin(const SupportPolygon& polygon, const Vec3d& point);
// The point itself inside, else the nearest of the polygon.
Vec3d nearest_inside(const SupportPolygon& polygon, const Vec3d& point);
// Where the line through `point` along the axis (0: x, 1: y) lies in the polygon. False: nowhere.
bool span_through(const SupportPolygon& polygon, const Vec3d& point, int axis, double& low, double& high);

// The shortest shift of the mass centre with which the margin is at least s_min (clamp shift). False: no point of the polygon has it; the shift
// goes to the best one that was found.
bool clamp_shift(const SupportPolygon& polygon, const Vec3d& com, double s_min, Vec3d& shift);

// Slopes along x and y of the plane of least squares through points with heights z. False: they lie in a line.
bool slope_of(std::span<const Vec3d> points, double (&slope)[2]);

}  // namespace sinew::legged
