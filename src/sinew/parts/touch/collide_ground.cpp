// Shapes on a plane and on a field of heights; n points out of the ground.
//   plane    collide_plane.cpp
//   mesh     collide_mesh.cpp; also heights for cylinders, hulls and meshes
//   heights  balls (a sphere, the ends of a capsule) against faces, edges, vertices: exact, all locally nearest points
//            a capsule's axis against ridges and peaks in between: exact
//            a box: its corners against the triangles below them (distance from the triangle's plane), its edges across
//            ridges, and peaks below or inside one of its faces
// x [m], r radius [m]. A centre below the surface goes out along the normal of the triangle above it.
#include "sinew/math/check.h"
#include "sinew/parts/touch/field.h"
#include "sinew/parts/touch/solids.h"

namespace sinew {

namespace {

// The deepest points found so far, each once.
struct Found {
  Touch* out;
  int capacity;
  double margin, same;  // points nearer than this with nearly the same normal are one [m]
  int count = 0;

  // ground: point of the ground [m]
  void add(const Vec3d& ground, const Vec3d& n, double gap, std::int64_t feature) {
    if (gap > margin) return;
    const Touch touch{ground + n * (0.5 * gap), n, gap, int(feature & 0x7fffffff)};
    // Of equal ones the first stay: over an edge of a flat place rounding would choose.
    const double equal = 1e-3 * same;
    int worst = 0;
    for (int i = 0; i < count; i++) {
      const Touch& other = out[i];
      if (other.feature == touch.feature || (norm(other.p - touch.p) <= same && dot(other.n, n) > 0.9999)) {
        if (gap < other.gap - equal) out[i] = touch;
        return;
      }
      if (other.gap > out[worst].gap) worst = i;
    }
    if (count < capacity)
      out[count++] = touch;
    else if (gap < out[worst].gap - equal)
      out[worst] = touch;
  }
};

struct BallPart {
  Vec3d c;
  double r;
  int parts, part;  // the shape has so many, and this is which of them
};

// Feature of part `part` of a shape (0 .. parts - 1) at feature `id` of the field
std::int64_t name(int id, int parts, int part) { return std::int64_t(id) * parts + part; }

template <class F>
void for_nodes(const Nodes& nodes, F f) {
  for (int i = nodes.i0; i <= nodes.i1; i++)
    for (int k = nodes.k0; k <= nodes.k1; k++) f(i, k);
}

void ball_on_cell(const Field& field, int i, int k, const BallPart& ball, Found& found) {
  const auto& [c, r, parts, part] = ball;
  for (int which = 0; which < 2; which++) {
    const Triangle face = field.triangle(i, k, which);
    const double s = face.height(c);
    if (s >= 0.0 && s - r <= found.margin && face.below(c))
      found.add(c - face.n * s, face.n, s - r, name(face.id, parts, part));
  }
}

void ball_on_edges(const Field& field, int i, int k, const BallPart& ball, Found& found) {
  const auto& [c, r, parts, part] = ball;
  Segment line;
  for (int which = 0; which < 3; which++) {
    if (!field.line(i, k, which, line)) continue;
    const double t = dot(c - line.c, line.u);
    if (std::abs(t) > line.l * (1.0 + rises)) continue;
    const Vec3d q = line.at(t), d = c - q;
    const double s = norm(d);
    if (s - r > found.margin || s <= 1e-12 * line.l) continue;  // on the edge: the faces have it
    const Vec3d n = d * (1.0 / s);
    const Edge edge = field.edge(i, k, which, line);
    if (edge.supports(n)) found.add(q, n, s - r, name(edge.id, parts, part));
  }
  const Vec3d d = c - field.vertex(i, k);
  const double s = norm(d);
  if (s - r > found.margin || s == 0.0) return;
  bool peak;
  if (field.vertex_supports(i, k, d * (1.0 / s), peak))
    found.add(field.vertex(i, k), d * (1.0 / s), s - r, name(field.vertex_id(i, k), parts, part));
}

void ball_on_heights(const Field& field, const BallPart& ball, Found& found) {
  Triangle above;
  if (field.triangle_at(ball.c, above) && above.height(ball.c) < 0.0) {
    const double s = above.height(ball.c);
    found.add(ball.c - above.n * s, above.n, s - ball.r, name(above.id, ball.parts, ball.part));
    return;
  }
  const double R = ball.r + found.margin;
  for_nodes(field.around(ball.c, R, R), [&](int i, int k) {
    if (field.has_cell(i, k)) ball_on_cell(field, i, k, ball, found);
    ball_on_edges(field, i, k, ball, found);
  });
}

// Where a segment between its ends crosses a ridge: n across both, up; s from the ridge to the segment along n. slack: of the slopes
// beside the ridge, sine.
struct Crossing {
  Vec3d n, x, q;  // unit normal; point of the segment, of the ridge [m]
  double s;
};

bool cross_ridge(const Field& field, const Segment& axis, const Edge& ridge, double most, double slack, Crossing& at) {
  const Vec3d across = cross(axis.u, ridge.line.u);
  const double sine = norm(across);
  if (sine < 1e-6) return false;  // parallel: the ends have it
  at.n = across * ((across[2] < 0.0 ? -1.0 : 1.0) / sine);
  const Vec3d r = ridge.line.c - axis.c;
  at.s = -dot(at.n, r);
  if (at.s > most || !ridge.supports(at.n, slack)) return false;
  const double s = dot(axis.u - ridge.line.u * dot(axis.u, ridge.line.u), r) / (sine * sine);
  if (std::abs(s) > axis.l) return false;
  at.x = axis.at(s);
  at.q = at.x - at.n * at.s;
  if (std::abs(dot(at.q - ridge.line.c, ridge.line.u)) > ridge.line.l) return false;
  return at.s >= 0.0 || field.buries(at.x);  // a thin ridge far behind does not count
}

// f(ridge) for the ridges among the edges that start at a point of the grid
template <class F>
void for_ridges(const Field& field, int i, int k, F f) {
  Segment line;
  for (int which = 0; which < 3; which++) {
    if (!field.line(i, k, which, line)) continue;
    const Edge edge = field.edge(i, k, which, line);
    if (edge.is_ridge()) f(edge);
  }
}

void axis_on_peak(const Field& field, int i, int k, const Segment& axis, double r, Found& found) {
  const Vec3d v = field.vertex(i, k);
  const double t = dot(v - axis.c, axis.u);
  if (std::abs(t) >= axis.l) return;
  const Vec3d x = axis.at(t);
  const double d = norm(x - v), sign = field.buries(x) ? -1.0 : 1.0;
  if (sign * d - r > found.margin || d <= 1e-12 * axis.l) return;
  const Vec3d n = (x - v) * (sign / d);
  bool peak;
  if (field.vertex_supports(i, k, n, peak) && peak) found.add(v, n, sign * d - r, name(field.vertex_id(i, k), 3, 2));
}

void capsule_on_heights(const Field& field, const Shape& capsule, const Posed& X_WS, Found& found) {
  const Segment axis = axis_of(capsule, X_WS);
  const double r = capsule.radius, R = r + found.margin;
  for (int end = 0; end < 2; end++) ball_on_heights(field, {axis.at((2 * end - 1) * axis.l), r, 3, end}, found);
  for_nodes(field.around(axis.c, axis.l * std::abs(axis.u[0]) + R, axis.l * std::abs(axis.u[1]) + R),
            [&](int i, int k) {
              for_ridges(field, i, k, [&](const Edge& ridge) {
                Crossing at;
                if (cross_ridge(field, axis, ridge, R, rises, at))
                  found.add(at.q, at.n, at.s - r, name(ridge.id, 3, 2));
              });
              axis_on_peak(field, i, k, axis, r, found);
            });
}

// The edges of a box across a ridge, where the box's own faces allow the normal too. Nearly flat on a slope or across the ridge counts
// as flat: there rounding would switch contacts that bear the box on and off.
void box_on_ridge(const Field& field, const Edge& ridge, const Shape& box, const Posed& X_WS, Found& found) {
  for (int e = 0; e < 12; e++) {
    const int axis = e / 4, j = (axis + 1) % 3, k = (axis + 2) % 3;
    Vec3d middle = Vec3d::zero();
    middle[j] = e & 1 ? box.half[j] : -box.half[j];
    middle[k] = e & 2 ? box.half[k] : -box.half[k];
    Crossing at;
    if (!cross_ridge(field, {X_WS * middle, X_WS.R.col(axis), box.half[axis]}, ridge, found.margin, edge_leans, at))
      continue;
    const double out_j = dot(at.n, X_WS.R.col(j)) * (e & 1 ? 1.0 : -1.0);
    const double out_k = dot(at.n, X_WS.R.col(k)) * (e & 2 ? 1.0 : -1.0);
    if (out_j <= edge_leans && out_k <= edge_leans) found.add(at.q, at.n, at.s, 8 + name(ridge.id, 13, 1 + e));
  }
}

// A peak that lies over a face of the box, or inside: the face with the least way that the peak supports.
void box_on_peak(const Field& field, int i, int k, const Shape& box, const Posed& X_WS, Found& found) {
  const Vec3d v = field.vertex(i, k), x = transpose_times(X_WS.R, v - X_WS.p);
  double best = -1e300;
  Vec3d best_n = Vec3d::zero();
  for (int face = 0; face < 3; face++) {
    const int a = (face + 1) % 3, b = (face + 2) % 3;
    if (std::abs(x[a]) > box.half[a] || std::abs(x[b]) > box.half[b]) continue;
    for (double side : {-1.0, 1.0}) {
      const double s = side * x[face] - box.half[face];
      const Vec3d n = X_WS.R.col(face) * -side;
      bool peak;
      if (s < -2.0 * box.half[face] || s <= best || !field.vertex_supports(i, k, n, peak) || !peak) continue;
      best = s;
      best_n = n;
    }
  }
  if (best > -1e300) found.add(v, best_n, best, 8 + name(field.vertex_id(i, k), 13, 0));
}

void box_on_heights(const Field& field, const Shape& box, const Posed& X_WS, Found& found) {
  Triangle face;
  for (int corner = 0; corner < 8; corner++) {
    const Vec3d x = X_WS * corner_of(box.half, corner);
    if (!field.triangle_at(x, face)) continue;
    const double s = face.height(x);
    found.add(x - face.n * s, face.n, s, corner);
  }
  double reach[3];
  for (int row = 0; row < 3; row++)
    reach[row] = box.half[0] * std::abs(X_WS.R(row, 0)) + box.half[1] * std::abs(X_WS.R(row, 1)) +
                 box.half[2] * std::abs(X_WS.R(row, 2)) + found.margin;
  for_nodes(field.around(X_WS.p, reach[0], reach[1]), [&](int i, int k) {
    for_ridges(field, i, k, [&](const Edge& ridge) { box_on_ridge(field, ridge, box, X_WS, found); });
    box_on_peak(field, i, k, box, X_WS, found);
  });
}

}  // namespace

int collide_heights(const HeightField& heights, const Shape& shape, const Posed& X_WS, double margin, Touch* out) {
  SINEW_ASSERT(heights.z.size() == std::size_t(heights.nx) * std::size_t(heights.ny));
  const Field field(heights);
  const double same = 1e-4 * shape.radius + 1e-9 * (heights.dx + heights.dy);
  Found found{out, touch_capacity(TerrainKind::Heights, shape.kind), margin, same};
  if (shape.kind == ShapeKind::Sphere) ball_on_heights(field, {X_WS.p, shape.radius, 1, 0}, found);
  if (shape.kind == ShapeKind::Capsule) capsule_on_heights(field, shape, X_WS, found);
  if (shape.kind == ShapeKind::Box) box_on_heights(field, shape, X_WS, found);
  return found.count;
}

int collide(const Terrain& terrain, const Shape& shape, const Posed& X_WS, double margin, Touch* out) {
  SINEW_ASSERT(out && (shape.kind < ShapeKind::Hull || shape.mesh));
  switch (terrain.kind) {
    case TerrainKind::None:
      return 0;
    case TerrainKind::Plane:
      return collide_plane(terrain.normal, terrain.height, shape, X_WS, margin, out);
    case TerrainKind::Steps:
    case TerrainKind::Profile:
      return collide_plane({0, 0, 1}, terrain.height, shape, X_WS, margin, out);
    case TerrainKind::Heights:
      if (shape.kind <= ShapeKind::Box) return collide_heights(terrain.field, shape, X_WS, margin, out);
      [[fallthrough]];
    case TerrainKind::Mesh:
      return terrain.mesh ? collide_mesh({*terrain.mesh, Posed::identity(), false}, shape, X_WS, margin, out) : 0;
  }
  return 0;
}

}  // namespace sinew
