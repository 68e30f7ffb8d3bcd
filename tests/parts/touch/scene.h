// Random pairs of shapes, and what is true of them by other means than the library's:
//   core_distance  between points, segments and boxes: |A x + r|^2 over the cube |x_i| <= 1 is least where some x_i are at
//                  their bounds and the others solve a least-squares problem; all 3^n choices are tried (exact)
//   separation     along a given direction, from the extreme points of both shapes
//   off_surface    distance of a point from a shape's surface
#pragma once
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <set>

#include "sinew/parts/touch/collide.h"
#include "tests/support/dice.h"
#include "tests/support/eigen.h"

namespace sinew::support {

inline Shape sphere(double radius) { return {.kind = ShapeKind::Sphere, .radius = radius}; }
inline Shape capsule(double radius, double half_length) {
  return {.kind = ShapeKind::Capsule, .radius = radius, .half_length = half_length};
}
inline Shape box(double x, double y, double z) { return {.kind = ShapeKind::Box, .half = {x, y, z}}; }

inline Posed at(double x, double y, double z) { return {Mat3d::identity(), {x, y, z}}; }
inline Posed turned(const Vec3d& rotation, const Vec3d& p) { return {to_matrix(quaternion_exp(rotation)), p}; }
inline Posed any_pose(Dice& dice, double size) {
  const Mat3d R = to_matrix(dice.rotation());
  return {R, dice.vector(size)};
}

inline Shape any_shape(Dice& dice, ShapeKind kind) {
  const double r = dice.between(0.05, 0.3), l = dice.between(0.05, 0.5);
  if (kind == ShapeKind::Sphere) return sphere(r);
  if (kind == ShapeKind::Capsule) return capsule(r, l);
  const double x = dice.between(0.05, 0.5), y = dice.between(0.05, 0.5);
  return box(x, y, l);
}

struct Scene {
  Shape a, b;
  Posed X_WA, X_WB;
};

inline Scene any_scene(Dice& dice, ShapeKind a, ShapeKind b) {
  Scene scene{any_shape(dice, a), any_shape(dice, b), any_pose(dice, 0.5), {}};
  const double apart = dice.between(0.0, 1.0) * (scene.a.reach() + scene.b.reach());
  scene.X_WB = {to_matrix(dice.rotation()), scene.X_WA.p + dice.direction() * apart};
  return scene;
}

struct Touches {
  Touch touch[max_touches];
  int count = 0;
  const Touch& operator[](int i) const { return touch[i]; }
  const Touch* begin() const { return touch; }
  const Touch* end() const { return touch + count; }
  const Touch& deepest() const {
    return *std::min_element(begin(), end(), [](const Touch& a, const Touch& b) { return a.gap < b.gap; });
  }
  std::set<int> features() const {
    std::set<int> all;
    for (const Touch& t : *this) all.insert(t.feature);
    return all;
  }
};

inline Touches touches(const Shape& a, const Posed& X_WA, const Shape& b, const Posed& X_WB, double margin) {
  Touches out;
  out.count = collide(a, X_WA, b, X_WB, margin, out.touch);
  return out;
}
inline Touches touches(const Scene& s, double margin) { return touches(s.a, s.X_WA, s.b, s.X_WB, margin); }
inline Touches touches(const Terrain& terrain, const Shape& shape, const Posed& X, double margin) {
  Touches out;
  out.count = collide(terrain, shape, X, margin, out.touch);
  return out;
}

inline void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
  EXPECT_NEAR(a[0], b[0], tolerance);
  EXPECT_NEAR(a[1], b[1], tolerance);
  EXPECT_NEAR(a[2], b[2], tolerance);
}

// Every point of one has its equal in the other, whatever their order.
inline bool same_points(const Touches& a, const Touches& b, double sign, double tolerance) {
  if (a.count != b.count) return false;
  for (const Touch& t : a) {
    bool found = false;
    for (const Touch& o : b)
      found = found || (norm(t.p - o.p) <= tolerance && norm(t.n - o.n * sign) <= tolerance &&
                        std::abs(t.gap - o.gap) <= tolerance);
    if (!found) return false;
  }
  return true;
}

// Half axes of the shape's core in the world, as columns.
inline Eigen::MatrixXd core_of(const Shape& s, const Posed& X) {
  const Eigen::Matrix3d R = to_eigen(X.R);
  if (s.kind == ShapeKind::Sphere) return Eigen::MatrixXd(3, 0);
  if (s.kind == ShapeKind::Capsule) return R.col(2) * s.half_length;
  return R * to_eigen(s.half).asDiagonal();
}

inline double core_distance(const Scene& s) {
  const Eigen::MatrixXd a = core_of(s.a, s.X_WA), b = core_of(s.b, s.X_WB);
  Eigen::MatrixXd A(3, a.cols() + b.cols());
  A << a, -b;
  const Eigen::Vector3d r = to_eigen(s.X_WA.p - s.X_WB.p);
  const int n = int(A.cols());
  int choices = 1;
  for (int i = 0; i < n; i++) choices *= 3;
  double best = 1e300;
  for (int choice = 0; choice < choices; choice++) {
    Eigen::MatrixXd F(3, n);
    Eigen::Vector3d rest = r;
    int free = 0;
    for (int i = 0, c = choice; i < n; i++, c /= 3) {
      if (c % 3 == 0) F.col(free++) = A.col(i);
      if (c % 3 != 0) rest += A.col(i) * (c % 3 == 1 ? 1.0 : -1.0);
    }
    if (free > 3) continue;  // then the same point has another description with fewer
    if (free > 0) {
      const Eigen::MatrixXd G = F.leftCols(free);
      const Eigen::VectorXd x = G.colPivHouseholderQr().solve(-rest);
      if (x.cwiseAbs().maxCoeff() > 1.0 + 1e-12) continue;
      rest += G * x;
    }
    best = std::min(best, rest.norm());
  }
  return best;
}

inline double radius_of(const Shape& s) { return s.kind == ShapeKind::Box ? 0.0 : s.radius; }

inline double extent(const Shape& s, const Posed& X, const Vec3d& n) {  // max n . x over the shape
  return dot(X.p, n) + radius_of(s) + (core_of(s, X).transpose() * to_eigen(n)).cwiseAbs().sum();
}
inline double separation(const Scene& s, const Vec3d& n) { return -extent(s.b, s.X_WB, -n) - extent(s.a, s.X_WA, n); }

inline double off_surface(const Shape& s, const Posed& X, const Vec3d& p) {
  const Vec3d x = X.inverse() * p;
  if (s.kind == ShapeKind::Sphere) return std::abs(norm(x) - s.radius);
  if (s.kind == ShapeKind::Capsule) {
    const double t = std::clamp(x[2], -s.half_length, s.half_length);
    return std::abs(norm(x - Vec3d(0, 0, t)) - s.radius);
  }
  double inside = 1e300, outside = 0.0;
  for (int i = 0; i < 3; i++) {
    const double over = std::abs(x[i]) - s.half[i];
    inside = std::min(inside, std::abs(over));
    outside += over > 0.0 ? over * over : 0.0;
  }
  return outside > 0.0 ? std::sqrt(outside) : inside;
}

}  // namespace sinew::support
