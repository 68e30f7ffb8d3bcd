// Volume, centre and inertia of what a shape encloses, for a density of one.
//   V = int dV [m^3],  c = int x dV / V [m],  I = int ((x.x) 1 - x x^T) dV about c, in the shape's axes [m^5]
// Sphere, box, cylinder and capsule in closed form; hulls and meshes as a sum of tetrahedra from the origin to each triangle,
//   int x x^T dV = det(a, b, c) / 120 (a a^T + b b^T + c c^T + s s^T),  s = a + b + c,
// which is exact for a closed surface whose triangles run anticlockwise (Mirtich 1996).
#pragma once
#include "sinew/math/linear.h"
#include "sinew/math/spatial.h"
#include "sinew/parts/shape/shape.h"

namespace sinew {

struct Solid {
  double volume = 0.0;
  Vec3d centre = Vec3d::zero();
  Sym3d inertia = Sym3d::diagonal(0.0);
};

Solid solid_of(const Shape& shape);

// Bodies joined into one: masses, centres and inertias of all of them in the same axes.
struct MassSum {
  double mass = 0.0;
  Vec3d moment = Vec3d::zero();          // sum of m c
  Sym3d inertia = Sym3d::diagonal(0.0);  // about the origin

  // Mass m at X c with inertia I about it, given in the axes of X.
  void add(const Posed& X, double m, const Vec3d& c, const Sym3d& I);
  Vec3d com() const { return mass > 0.0 ? moment * (1.0 / mass) : Vec3d::zero(); }
  Sym3d inertia_about_com() const;
};

}  // namespace sinew
