// Derivatives by central differences of order 8:
//   f'(0) = sum_k c_k (f(k h) - f(-k h)) / h + O(h^8),   c = 4/5, -1/5, 4/105, -1/280
// A motion with rates up to w [1/s] gives a truncation error of about (w h)^8 / 630 and round-off of 1e-16 / h, relative
// to its size: with w = 5 and h = 4e-3 both stay below 1e-13.
#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>

#include "tests/support/eigen.h"

namespace sinew::support {

inline constexpr double difference_step = 4e-3;

template <class F>
auto derivative(const F& f, double h = difference_step) {
  constexpr double c[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  using Value = std::decay_t<decltype(f(0.0))>;
  Value sum = (f(h) - f(-h)) * (c[0] / h);
  for (int k = 2; k <= 4; k++) sum += Value(f(k * h) - f(-k * h)) * (c[k - 1] / h);
  return sum;
}

// Velocity (angular first, world axes, at the frame's origin) of a moving frame s -> X_WF(s), at s = 0.
template <class F>
Vector6 velocity_of(const F& pose, double h = difference_step) {
  const auto entries = [&](double s) -> Eigen::Matrix<double, 3, 4> {
    const Eigen::Isometry3d X = to_eigen(pose(s));
    return X.matrix().topRows<3>();
  };
  const Eigen::Matrix<double, 3, 4> X = entries(0.0), X_rate = derivative(entries, h);
  const Eigen::Matrix3d W = X_rate.leftCols<3>() * X.leftCols<3>().transpose();  // [w]x
  Vector6 V;
  V << 0.5 * (W(2, 1) - W(1, 2)), 0.5 * (W(0, 2) - W(2, 0)), 0.5 * (W(1, 0) - W(0, 1)), X_rate.col(3);
  return V;
}

}  // namespace sinew::support
