// D = { b - a } holds the origin if the cores overlap; n from a to b separates them by s(n) = min n . w over w in D.
//   expanding polytope  (van den Bergen 2001) inside D, grown where its nearest face with the normal -n is not yet one of D's:
//                       gives the largest s over the faces of D, that is minus the depth. Distances are signed, so it also
//                       works when the cores just touch or are a little apart, where the direction between nearest points
//                       is lost in rounding; then s is a lower bound of the distance
//   GJK                 (Gilbert, Johnson, Keerthi 1988) for cores that are apart: nearest points, all subsets of the simplex tried
// Exact but for rounding for points, segments, boxes and hulls; overlap of cylinders: 1e-8 of the size.
#include "sinew/parts/touch/convex.h"

#include <cmath>

#include "sinew/math/check.h"

namespace sinew {
namespace {

struct SupportVertex {
  Vec3d w, a, b;
};

SupportVertex support(const Core& a, const Core& b, const Vec3d& d) {
  const Vec3d x = a.support(-d), y = b.support(d);
  return {y - x, x, y};
}

class Polytope {
 public:
  Polytope(const Core& a, const Core& b, double margin) : a_(a), b_(b), margin_(margin) {}

  enum class End { Apart, Found, Flat };
  End run(Separation& out) {
    if (!start()) return apart_ ? End::Apart : End::Flat;
    double best = -1e300;
    for (int round = 0; round < 120; round++) {
      const int f = nearest();
      const SupportVertex w = probe(faces_[f].n);
      if (apart_) return End::Apart;
      const double reach = dot(faces_[f].n, w.w);
      if (-reach > best) {
        best = -reach;
        tell(f, reach, out);
      }  // the largest s found so far, should rounding end the search
      if (reach - faces_[f].o <= tolerance() || n_vertices_ == most_vertices || !grow(w)) break;
    }
    return End::Found;
  }
  double size() const { return size_; }

 private:
  struct Face {
    int v[3];
    Vec3d n;
    double o;  // n . w on it: distance of its plane from the origin, negative if that is outside
  };
  static constexpr int most_vertices = 124, most_faces = 256;

  // A round face would be cut into ever thinner slivers, down to rounding.
  double tolerance() const { return (is_round(a_) || is_round(b_) ? 1e-8 : 1e-12) * size_; }
  static bool is_round(const Core& core) { return core.shape && core.shape->kind == ShapeKind::Cylinder; }

  SupportVertex probe(const Vec3d& d) {
    const SupportVertex w = support(a_, b_, d);
    apart_ = apart_ || -dot(d, w.w) > margin_;
    return w;
  }

  // A tetrahedron as large as four probes make it.
  bool start() {
    Vec3d d = b_.X.p - a_.X.p;
    d = norm(d) > 0.0 ? normalized(d) : Vec3d(1, 0, 0);
    const SupportVertex low = probe(-d), high = probe(d);
    if (apart_) return false;
    const Vec3d axis = high.w - low.w;
    size_ = norm(axis);
    if (size_ == 0.0) return false;
    const Vec3d u = axis * (1.0 / size_);
    const Vec3d p = normalized(cross(u, std::abs(u[0]) < 0.7 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0))), q = cross(u, p);
    SupportVertex third = low, fourth = low;
    double far = 1e-9 * size_;
    for (const Vec3d& e : {p, -p, q, -q}) {
      const SupportVertex w = probe(e);
      if (const double s = norm(cross(u, w.w - low.w)); s > far) {
        far = s;
        third = w;
      }
    }
    if (apart_ || far == 1e-9 * size_) return false;
    size_ = std::max(size_, far);
    const Vec3d n = normalized(cross(axis, third.w - low.w));
    far = 1e-9 * size_;
    for (const Vec3d& e : {n, -n}) {
      const SupportVertex w = probe(e);
      if (const double s = std::abs(dot(n, w.w - low.w)); s > far) {
        far = s;
        fourth = w;
      }
    }
    if (apart_ || far == 1e-9 * size_) return false;
    vertex_[0] = low;
    vertex_[1] = high;
    vertex_[2] = third;
    vertex_[3] = fourth;
    n_vertices_ = 4;
    const bool up = dot(n, fourth.w - low.w) > 0.0;
    const int b = up ? 2 : 1, c = up ? 1 : 2;
    return add(0, b, c) && add(0, c, 3) && add(c, b, 3) && add(b, 0, 3);
  }

  bool add(int i, int j, int k) {
    const Vec3d &a = vertex_[i].w, e = vertex_[j].w - a, f = vertex_[k].w - a, n = cross(e, f);
    const double area = norm(n);
    if (n_faces_ == most_faces || !(area > 1e-14 * norm(e) * norm(f)) || area == 0.0) return false;
    const Vec3d unit = n * (1.0 / area);
    faces_[n_faces_++] = {{i, j, k}, unit, dot(unit, a)};
    return true;
  }

  int nearest() const {
    int best = 0;
    for (int f = 1; f < n_faces_; f++)
      if (faces_[f].o < faces_[best].o) best = f;
    return best;
  }

  // The faces that see w go; the edges around them are joined to it. False: rounding ends it; nothing was changed.
  bool grow(const SupportVertex& w) {
    int edges[3 * most_faces][2], n_edges = 0, kept = 0;
    Face left[most_faces];
    for (int f = 0; f < n_faces_; f++) {
      const Face& face = faces_[f];
      if (dot(face.n, w.w) <= face.o + 0.5 * tolerance()) {
        left[kept++] = face;
        continue;
      }
      for (int e = 0; e < 3; e++) {
        const int i = face.v[e], j = face.v[(e + 1) % 3];
        int twin = 0;
        while (twin < n_edges && !(edges[twin][0] == j && edges[twin][1] == i)) twin++;
        if (twin < n_edges) {
          n_edges--;
          edges[twin][0] = edges[n_edges][0];
          edges[twin][1] = edges[n_edges][1];
        } else {
          edges[n_edges][0] = i;
          edges[n_edges][1] = j;
          n_edges++;
        }
      }
    }
    if (n_edges < 3 || kept + n_edges > most_faces) return false;
    Face before[most_faces];
    const int n_before = n_faces_;
    std::copy(faces_, faces_ + n_faces_, before);
    std::copy(left, left + kept, faces_);
    n_faces_ = kept;
    vertex_[n_vertices_] = w;
    for (int e = 0; e < n_edges; e++)
      if (!add(edges[e][0], edges[e][1], n_vertices_)) {
        std::copy(before, before + n_before, faces_);
        n_faces_ = n_before;
        return false;
      }
    n_vertices_++;
    return true;
  }

  // Nearest points from where the origin's foot lies in the face.
  void tell(int f, double reach, Separation& out) const {
    const Face& face = faces_[f];
    const SupportVertex &a = vertex_[face.v[0]], &b = vertex_[face.v[1]], &c = vertex_[face.v[2]];
    const Vec3d x = face.n * face.o;
    const double whole = dot(face.n, cross(b.w - a.w, c.w - a.w));
    double l[3] = {dot(face.n, cross(c.w - b.w, x - b.w)) / whole, dot(face.n, cross(a.w - c.w, x - c.w)) / whole, 0.0};
    l[0] = std::clamp(l[0], 0.0, 1.0);
    l[1] = std::clamp(l[1], 0.0, 1.0 - l[0]);
    l[2] = 1.0 - l[0] - l[1];
    out = {-face.n, a.a * l[0] + b.a * l[1] + c.a * l[2], a.b * l[0] + b.b * l[1] + c.b * l[2], -reach};
  }

  const Core &a_, &b_;
  double margin_, size_ = 0.0;
  bool apart_ = false;
  SupportVertex vertex_[most_vertices + 1];
  Face faces_[most_faces];
  int n_vertices_ = 0, n_faces_ = 0;
};

struct Simplex {
  SupportVertex v[4];
  double l[4] = {1.0, 0.0, 0.0, 0.0};
  int count = 0;
};

// Weights of the point nearest to the origin on the line or plane through the chosen vertices; false if it is not inside.
bool foot_in(const SupportVertex* v, const int* at, int n, double* l) {
  if (n == 1) return l[0] = 1.0, true;
  const Vec3d &a = v[at[0]].w, e = v[at[1]].w - a;
  if (n == 2) {
    const double t = -dot(a, e) / dot(e, e);
    l[0] = 1.0 - t;
    l[1] = t;
    return t > 0.0 && t < 1.0;
  }
  const Vec3d f = v[at[2]].w - a, normal = cross(e, f);
  const double area2 = dot(normal, normal);
  if (!(area2 > 1e-28 * dot(e, e) * dot(f, f))) return false;
  l[1] = -dot(normal, cross(a, f)) / area2;
  l[2] = dot(normal, cross(a, e)) / area2;
  l[0] = 1.0 - l[1] - l[2];
  return l[0] > 0.0 && l[1] > 0.0 && l[2] > 0.0;
}

// Keeps the face, edge or vertex of the simplex that is nearest to the origin; returns the point there.
Vec3d shrink(Simplex& s) {
  Simplex best;
  Vec3d nearest = s.v[0].w;
  double least = 1e300;
  for (int mask = 1; mask < 1 << s.count; mask++) {
    int at[4], n = 0;
    for (int i = 0; i < s.count; i++)
      if (mask >> i & 1) at[n++] = i;
    double l[4];
    if (n > 3 || !foot_in(s.v, at, n, l)) continue;
    Vec3d x = Vec3d::zero();
    for (int i = 0; i < n; i++) x = x + s.v[at[i]].w * l[i];
    if (dot(x, x) >= least) continue;
    least = dot(x, x);
    nearest = x;
    best.count = n;
    for (int i = 0; i < n; i++) {
      best.v[i] = s.v[at[i]];
      best.l[i] = l[i];
    }
  }
  s = best;
  return nearest;
}

// Nearest points of cores that are apart.
void approach(const Core& a, const Core& b, double size, Separation& out) {
  Simplex s;
  s.v[0] = support(a, b, -out.n);
  s.count = 1;
  Vec3d x = s.v[0].w;
  for (int round = 0; round < 100; round++) {
    const double d = norm(x);
    if (d <= 1e-14 * size) break;
    const SupportVertex w = support(a, b, x * (-1.0 / d));
    if (d - dot(x, w.w) / d <= 1e-14 * size) break;
    Simplex next = s;
    next.v[next.count++] = w;
    const Vec3d y = shrink(next);
    if (!(dot(y, y) < d * d)) break;
    s = next;
    x = y;
  }
  const double d = norm(x);
  if (d <= 1e-9 * size) return;
  Vec3d p = Vec3d::zero(), q = Vec3d::zero();
  for (int i = 0; i < s.count; i++) {
    p = p + s.v[i].a * s.l[i];
    q = q + s.v[i].b * s.l[i];
  }
  // where the polytope's direction tells the same distance it is the better one: that of a face
  if (d - out.s <= 1e-9 * size) {
    out.a = p;
    out.b = q;
  } else
    out = {x * (1.0 / d), p, q, d};
}

}  // namespace

Vec3d Core::support(const Vec3d& d) const {
  SINEW_ASSERT(shape || line);
  if (line) return X * line->at(dot(X.R * line->u, d) < 0.0 ? -line->l : line->l);
  if (shape->kind == ShapeKind::Sphere) return X.p;
  const Vec3d e = transpose_times(X.R, d);
  const auto side = [](double along, double h) { return along < 0.0 ? -h : h; };
  if (shape->kind == ShapeKind::Capsule) return X * Vec3d(0.0, 0.0, side(e[2], shape->half_length));
  if (shape->kind == ShapeKind::Box)
    return X * Vec3d(side(e[0], shape->half[0]), side(e[1], shape->half[1]), side(e[2], shape->half[2]));
  if (shape->kind == ShapeKind::Cylinder) {
    const double rho = std::sqrt(e[0] * e[0] + e[1] * e[1]);
    const double f = rho > 1e-300 ? shape->radius / rho : 0.0;
    return X * Vec3d(rho > 1e-300 ? e[0] * f : shape->radius, e[1] * f, side(e[2], shape->half_length));
  }
  return X * shape->mesh->vertex[std::size_t(farthest(*shape->mesh, e))];
}

double separation_along(const Core& a, const Core& b, const Vec3d& n) {
  return dot(n, b.support(-n)) - dot(n, a.support(n));
}

bool separate(const Core& a, const Core& b, double margin, Separation& out) {
  Polytope polytope(a, b, margin);
  switch (polytope.run(out)) {
    case Polytope::End::Apart:
      return false;
    case Polytope::End::Flat: {  // no volume: any direction will do that separates most of a few
      const Vec3d d = b.X.p - a.X.p, n = norm(d) > 0.0 ? normalized(d) : Vec3d(0, 0, 1);
      out = {n, a.support(n), b.support(-n), separation_along(a, b, n)};
      return out.s <= margin;
    }
    case Polytope::End::Found:
      break;
  }
  if (out.s > 1e-9 * polytope.size()) approach(a, b, polytope.size(), out);
  return out.s <= margin;
}

}  // namespace sinew
