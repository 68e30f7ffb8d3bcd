// Where two shapes touch, or nearly: points with the normal, the gap and the feature they belong to.
// Exact, but that nearly parallel faces and edges (within 0.36 degrees) stand for each other so that resting contacts keep
// their features. Deterministic; no allocation. Not for lanes: a batch calls it robot by robot.
#pragma once
#include "sinew/parts/shape/shape.h"
#include "sinew/parts/terrain/terrain.h"

namespace sinew {

struct Touch {
  Vec3d p;      // contact point, world axes: midway between the two surfaces [m]
  Vec3d n;      // unit normal, from the first to the second [1]
  double gap;   // signed distance of the surfaces along n; negative: they overlap [m]
  int feature;  // names the corner, end or edge pair: the same from step to step while the same features touch; >= 0
};

inline constexpr int max_touches = 8;

// Most points that a pair can give.
int touch_capacity(ShapeKind a, ShapeKind b);
int touch_capacity(TerrainKind terrain, ShapeKind shape);

// Points with gap <= margin, at most max_touches; their number is returned. n points from a to b.
int collide(const Shape& a, const Posed& X_WA, const Shape& b, const Posed& X_WB, double margin, Touch* out);

// The same against the ground; n points out of it. Of steps only the floor is meant here: the steps themselves are shapes.
// Cylinders, hulls and meshes meet a field of heights as the mesh of its triangles: terrain.mesh = mesh_of(terrain.field).
int collide(const Terrain& terrain, const Shape& shape, const Posed& X_WS, double margin, Touch* out);

}  // namespace sinew
