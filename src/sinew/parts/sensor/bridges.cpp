#include "sinew/parts/sensor/bridges.h"

#include <cmath>

#include "sinew/math/dense.h"

namespace sinew::sensor {

Matrix four_beams(std::span<const double> range, double radius) {
  SINEW_CHECK(range.size() == n_loads, "four_beams: ", range.size(), " ranges of six loads");
  SINEW_CHECK(radius > 0.0, "four_beams: beams need a length");
  const double bend = 0.5 / radius, twist = 0.25 / radius;
  Matrix B(n_bridges, n_loads, {0.0,  0.25, 0.0,  0.0,   0.0,   bend,   // beam along x, bent along y
                                0.0,  0.25, 0.0,  -bend, 0.0,   0.0,    // z
                                0.0,  0.25, 0.0,  0.0,   0.0,   -bend,  // -x
                                0.0,  0.25, 0.0,  bend,  0.0,   0.0,    // -z
                                0.0,  0.0,  -0.5, 0.0,   twist, 0.0,    // beam along x, bent along its tangent -z
                                0.5,  0.0,  0.0,  0.0,   twist, 0.0,    // z: x
                                0.0,  0.0,  0.5,  0.0,   twist, 0.0,    // -x: z
                                -0.5, 0.0,  0.0,  0.0,   twist, 0.0});  // -z: -x
  for (int i = 0; i < n_bridges; i++) {
    double full = 0.0;
    for (int k = 0; k < n_loads; k++) full += std::abs(B(i, k)) * range[std::size_t(k)];
    for (int k = 0; k < n_loads; k++) B(i, k) /= full;
  }
  return B;
}

Matrix calibration_of(const Matrix& bridges) { return least_norm(bridges, Matrix::identity(bridges.rows), 1e-9); }

Calibration calibrate(const Matrix& loads, const Matrix& readings) {
  SINEW_CHECK(loads.cols == n_loads && readings.cols == n_bridges && loads.rows == readings.rows,
              "calibrate: loads are ", loads.rows, " x ", loads.cols, ", readings ", readings.rows, " x ",
              readings.cols);
  Matrix with_null(loads.rows, n_loads + 1);
  put(loads, 0, 0, with_null);
  for (int i = 0; i < loads.rows; i++) with_null(i, n_loads) = 1.0;
  // loads in newtons and newton metres: columns are scaled so that none counts as zero beside another
  std::vector<double> scale(n_loads + 1, 1.0);
  for (int k = 0; k < n_loads; k++) {
    double most = 0.0;
    for (int i = 0; i < loads.rows; i++) most = std::max(most, std::abs(with_null(i, k)));
    scale[std::size_t(k)] = most > 0.0 ? most : 1.0;
    for (int i = 0; i < loads.rows; i++) with_null(i, k) /= scale[std::size_t(k)];
  }
  const Matrix found = least_norm(with_null, readings, 1e-9);  // 7 x 8
  Matrix B(n_bridges, n_loads), null(n_bridges, 1);
  for (int i = 0; i < n_bridges; i++) {
    for (int k = 0; k < n_loads; k++) B(i, k) = found(k, i) / scale[std::size_t(k)];
    null[i] = found(n_loads, i);
  }
  return {calibration_of(B), null};
}

}  // namespace sinew::sensor
