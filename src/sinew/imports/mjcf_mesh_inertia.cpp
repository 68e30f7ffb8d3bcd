// Mass and inertia of a mesh as MuJoCo has them (its XML reference, asset/mesh/inertia), for a density of one. Triangles t have the area A, the
// normal n, the centre c; pyramids from a point o to them have the volume v = A n.(c - o) / 3 and the centre (3 c + o) / 4.
//   exact   V = sum v; right where the surface is closed and its triangles run anticlockwise
//   convex  the same of the hull
//   legacy  V = sum |v| from the centre of the surface, sum A c / sum A: the default; too much where the surface is not star-shaped about it
//   shell   V = sum A, all of it on the surface
// The centre is that of these parts; V and the inertia are then those of parts seen from it, o = centre, which for legacy ones are others:
//   int x x^T = v / 20 (a a^T + b b^T + d d^T + s s^T),  s = a + b + d, of the corners;  of a shell A / 12 instead of v / 20
#include <cmath>

#include "sinew/imports/mjcf_parts.h"
#include "sinew/parts/shape/mesh.h"
#include "sinew/parts/shape/solid.h"

namespace sinew::imports {
namespace {

struct Surfaces {
  const MeshData& mesh;
  MeshInertia mode;

  struct Part {
    Vec3d a, b, d, centre, area;  // corners as seen from a point, and the area along the normal
    double size;
  };
  Part part(std::size_t t, const Vec3d& from) const {
    const auto corner = [&](std::size_t k) { return mesh.vertices[std::size_t(mesh.triangles[t][k])] - from; };
    Part p{corner(0), corner(1), corner(2), {}, {}, 0.0};
    p.centre = (p.a + p.b + p.d) * (1.0 / 3.0);
    p.area = cross(p.b - p.a, p.d - p.a) * 0.5;
    p.size = norm(p.area);
    return p;
  }
  double weight(const Part& p) const {
    if (mode == MeshInertia::Shell) return p.size;
    const double v = dot(p.centre, p.area) / 3.0;
    return mode == MeshInertia::Legacy ? std::abs(v) : v;
  }
};

}  // namespace

Solid solid_of_mjcf_mesh(const MeshData& data, MeshInertia mode) {
  if (mode == MeshInertia::Convex) return solid_of({.kind = ShapeKind::Hull, .mesh = make_hull(data.vertices)});
  const Surfaces surfaces{data, mode};
  Vec3d middle = Vec3d::zero();
  double area = 0.0;
  for (std::size_t t = 0; t < data.triangles.size(); t++) {
    const Surfaces::Part p = surfaces.part(t, Vec3d::zero());
    middle = middle + p.centre * p.size;
    area += p.size;
  }
  if (!(area > 0.0)) return {};
  middle = middle * (1.0 / area);
  Solid s;
  Vec3d moment = Vec3d::zero();
  for (std::size_t t = 0; t < data.triangles.size(); t++) {
    const Surfaces::Part p = surfaces.part(t, middle);
    const double w = surfaces.weight(p);
    s.volume += w;
    moment = moment + p.centre * ((mode == MeshInertia::Shell ? 1.0 : 0.75) * w);
  }
  if (!(s.volume > 0.0)) return {};
  s.centre = middle + moment * (1.0 / s.volume);
  s.volume = 0.0;
  double m[6] = {};  // int of xx, xy, xz, yy, yz, zz
  constexpr int of[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
  for (std::size_t t = 0; t < data.triangles.size(); t++) {
    const Surfaces::Part p = surfaces.part(t, s.centre);
    const Vec3d sum = p.a + p.b + p.d;
    const double part = surfaces.weight(p), w = part / (mode == MeshInertia::Shell ? 12.0 : 20.0);
    s.volume += part;
    for (int k = 0; k < 6; k++) {
      const int i = of[k][0], j = of[k][1];
      m[k] += w * (p.a[i] * p.a[j] + p.b[i] * p.b[j] + p.d[i] * p.d[j] + sum[i] * sum[j]);
    }
  }
  s.inertia = {m[3] + m[5], -m[1], -m[2], m[0] + m[5], -m[4], m[0] + m[3]};
  return s;
}

}  // namespace sinew::imports
