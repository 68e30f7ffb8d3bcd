// The library's small vectors as Eigen's, for the dense arithmetic of oracles.
#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>

#include "sinew/math/matrix.h"
#include "sinew/math/spatial.h"

namespace sinew::support {

using Vector6 = Eigen::Matrix<double, 6, 1>;

inline Eigen::Vector3d to_eigen(const Vec3d& a) { return {a[0], a[1], a[2]}; }
inline Eigen::Matrix3d to_eigen(const Mat3d& a) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; i++) m.col(i) = to_eigen(a.col(i));
  return m;
}
inline Eigen::Matrix3d to_eigen(const Sym3d& a) {
  Eigen::Matrix3d m;
  m << a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz;
  return m;
}
inline Eigen::Quaterniond to_eigen(const Quatd& a) { return {a.w, a.x, a.y, a.z}; }
inline Eigen::Isometry3d to_eigen(const Posed& X) {
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() = to_eigen(X.R);
  out.translation() = to_eigen(X.p);
  return out;
}
inline Vector6 to_eigen(const Twist<double>& V) {
  Vector6 out;
  out << to_eigen(V.w), to_eigen(V.v);
  return out;
}
inline Eigen::MatrixXd to_eigen(const Matrix& a) {
  Eigen::MatrixXd m(a.rows, a.cols);
  for (int i = 0; i < a.rows; i++)
    for (int k = 0; k < a.cols; k++) m(i, k) = a(i, k);
  return m;
}
inline Matrix matrix_from_eigen(const Eigen::MatrixXd& m) {
  Matrix a(int(m.rows()), int(m.cols()));
  for (int i = 0; i < a.rows; i++)
    for (int k = 0; k < a.cols; k++) a(i, k) = m(i, k);
  return a;
}
inline Vec3d from_eigen(const Eigen::Vector3d& a) { return {a[0], a[1], a[2]}; }
inline Sym3d symmetric_from_eigen(const Eigen::Matrix3d& m) {
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)};
}
inline double distance(const Vec3d& a, const Vec3d& b) { return norm(a - b); }
inline double distance(const Posed& a, const Posed& b) { return (to_eigen(a).matrix() - to_eigen(b).matrix()).norm(); }

}  // namespace sinew::support
