// Six-component force sensor: a cross of four beams with eight strain-gauge bridges, and its calibration.
//   w = (Fx, Fy, Fz, Mx, My, Mz)   load at the sensor's origin, y along the axis of the cross [N, N m]
//   b = B w                        bridges as shares of their full scale [1]; B: 8 x 6
//   w = C b                        C: 6 x 8, the calibration matrix, C B = 1
// Beams lie along x, z, -x, -z, their ends at the radius r. A beam carries along y, and along its tangent e_i = y x d_i:
//   v_i = Fy / 4 + (moment about the tangent) / (2 r),   t_i = F . e_i / 2 + My / (4 r)
// Each bridge reaches its full scale when all loads that bend it have theirs.
// Source: docs/theory/sensors.md#calibration.
#pragma once
#include <span>

#include "sinew/math/matrix.h"

namespace sinew::sensor {

inline constexpr int n_bridges = 8, n_loads = 6;

// B of ideal beams. range: largest magnitude of each of the six loads [N, N m]; radius [m].
Matrix four_beams(std::span<const double> range, double radius);

// C of least norm with C B = 1.
Matrix calibration_of(const Matrix& bridges);

// From known loads and what the bridges said: b = B w + null by least squares, then C of this B. Rows: one measurement each.
struct Calibration {
  Matrix C;     // 6 x 8
  Matrix null;  // of the bridges, 8 x 1
};
Calibration calibrate(const Matrix& loads, const Matrix& readings);

}  // namespace sinew::sensor
