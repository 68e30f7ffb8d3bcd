#include "sinew/parts/shape/solid.h"

namespace sinew {
namespace {

constexpr double pi = 3.14159265358979323846;

// (x.x) 1 - x x^T, times m
Sym3d point_inertia(double m, const Vec3d& x) {
  const double xx = dot(x, x);
  return {m * (xx - x[0] * x[0]), -m * x[0] * x[1], -m * x[0] * x[2],
          m * (xx - x[1] * x[1]), -m * x[1] * x[2], m * (xx - x[2] * x[2])};
}

Sym3d diagonal(double xx, double yy, double zz) { return {xx, 0.0, 0.0, yy, 0.0, zz}; }

Solid solid_of_mesh(const TriangleMesh& mesh) {
  Solid s;
  Vec3d moment = Vec3d::zero();
  double m[6] = {};  // int of xx, xy, xz, yy, yz, zz
  constexpr int of[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
  for (std::size_t t = 0; t < mesh.triangle.size(); t++) {
    const Vec3d &a = mesh.corner(int(t), 0), &b = mesh.corner(int(t), 1), &c = mesh.corner(int(t), 2);
    const double det = dot(a, cross(b, c));
    const Vec3d sum = a + b + c;
    s.volume += det / 6.0;
    moment = moment + sum * (det / 24.0);
    for (int k = 0; k < 6; k++) {
      const int i = of[k][0], j = of[k][1];
      m[k] += det / 120.0 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
    }
  }
  if (!(s.volume > 0.0)) return {};
  s.centre = moment * (1.0 / s.volume);
  s.inertia = {m[3] + m[5], -m[1], -m[2], m[0] + m[5], -m[4], m[0] + m[3]};
  s.inertia += point_inertia(-s.volume, s.centre);
  return s;
}

}  // namespace

Solid solid_of(const Shape& shape) {
  Solid s;
  const double r = shape.radius, h = shape.half_length;
  switch (shape.kind) {
    case ShapeKind::Sphere:
      s.volume = 4.0 / 3.0 * pi * r * r * r;
      s.inertia = Sym3d::diagonal(0.4 * s.volume * r * r);
      break;
    case ShapeKind::Box: {
      const Vec3d& a = shape.half;
      s.volume = 8.0 * a[0] * a[1] * a[2];
      const double m = s.volume / 3.0;
      s.inertia =
          diagonal(m * (a[1] * a[1] + a[2] * a[2]), m * (a[0] * a[0] + a[2] * a[2]), m * (a[0] * a[0] + a[1] * a[1]));
      break;
    }
    case ShapeKind::Cylinder: {
      s.volume = 2.0 * pi * r * r * h;
      const double across = s.volume * (r * r / 4.0 + h * h / 3.0);
      s.inertia = diagonal(across, across, 0.5 * s.volume * r * r);
      break;
    }
    case ShapeKind::Capsule: {  // a cylinder, and a ball cut in two, each half with its centre 3/8 r from the cut
      const double tube = 2.0 * pi * r * r * h, ball = 4.0 / 3.0 * pi * r * r * r;
      s.volume = tube + ball;
      const double across = tube * (r * r / 4.0 + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
      s.inertia = diagonal(across, across, 0.5 * tube * r * r + 0.4 * ball * r * r);
      break;
    }
    case ShapeKind::Hull:
    case ShapeKind::Mesh:
      if (shape.mesh) s = solid_of_mesh(*shape.mesh);
      break;
  }
  return s;
}

void MassSum::add(const Posed& X, double m, const Vec3d& c, const Sym3d& I) {
  const Vec3d at = X * c;
  mass += m;
  moment = moment + at * m;
  inertia += rotate(X.R, I);
  inertia += point_inertia(m, at);
}

Sym3d MassSum::inertia_about_com() const {
  Sym3d I = inertia;
  I += point_inertia(-mass, com());
  return I;
}

}  // namespace sinew
