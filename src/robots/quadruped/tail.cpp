#include "robots/quadruped/tail.h"

#include <cmath>

#include "sinew/math/elementary.h"
#include "sinew/math/gauss.h"
#include "sinew/math/trig.h"

namespace sinew::legged {
namespace {

// A = sin(phi)/phi and B = (1 - cos(phi))/phi^2 with two derivatives each by E = phi^2.
struct ArcFunctions {
  double A, A1, A2, B, B1, B2;
};
ArcFunctions arc_functions(double E) {
  ArcFunctions f{};
  if (E < 10.0) {                       // series sum (-E)^k / (2k+1)! and sum (-E)^k / (2k+2)!: the closed forms cancel
    double power[3] = {1.0, 0.0, 0.0};  // (-E)^k and its two derivatives by E
    double factorial = 1.0;             // (2k)!
    for (int k = 0; k < 20; k++) {
      const double a = 1.0 / (factorial * (2 * k + 1)), b = a / (2 * k + 2);
      f.A += a * power[0];
      f.A1 += a * power[1];
      f.A2 += a * power[2];
      f.B += b * power[0];
      f.B1 += b * power[1];
      f.B2 += b * power[2];
      power[2] = -E * power[2] - 2.0 * power[1];
      power[1] = -E * power[1] - power[0];
      power[0] *= -E;
      factorial *= (2 * k + 1) * (2 * k + 2);
    }
    return f;
  }
  const double phi = std::sqrt(E), cosine = math::cos(phi);
  f.A = math::sin(phi) / phi;
  f.B = (1.0 - cosine) / E;
  f.A1 = (cosine - f.A) / (2.0 * E);
  f.B1 = (0.5 * f.A - f.B) / E;
  f.A2 = (-0.5 * f.A - 3.0 * f.A1) / (2.0 * E);
  f.B2 = (0.5 * f.A1 - 2.0 * f.B1) / E;
  return f;
}

// x(s) = L (f2 beta, -f1, -f2 alpha), f1 = s A(E), f2 = s^2 B(E), E = (alpha^2 + beta^2) s^2
void place_arc_point(double L, double s, const double* z, const double* z_rate, TailPoints::Point& p, Vec3d* X) {
  const double a = z[0], b = z[1], s2 = s * s;
  const ArcFunctions f = arc_functions((a * a + b * b) * s2);
  const double f1 = s * f.A, f2 = s2 * f.B;
  const double d1 = s * s2 * f.A1, d2 = s2 * s2 * f.B1;  // by alpha^2 + beta^2
  const double e1 = s * s2 * s2 * f.A2, e2 = s2 * s2 * s2 * f.B2;
  const double turn = 2.0 * (a * z_rate[0] + b * z_rate[1]);  // rate of alpha^2 + beta^2
  const double bend = 2.0 * (z_rate[0] * z_rate[0] + z_rate[1] * z_rate[1]);
  p.x = Vec3d(f2 * b, -f1, -f2 * a) * L;
  X[0] = Vec3d(2.0 * a * d2 * b, -2.0 * a * d1, -2.0 * a * d2 * a - f2) * L;
  X[1] = Vec3d(2.0 * b * d2 * b + f2, -2.0 * b * d1, -2.0 * b * d2 * a) * L;
  const double f1_second = e1 * turn * turn + d1 * bend, f2_second = e2 * turn * turn + d2 * bend;
  p.drift =
      Vec3d(f2_second * b + 2.0 * d2 * turn * z_rate[1], -f1_second, -f2_second * a - 2.0 * d2 * turn * z_rate[0]) * L;
}

// Part of z that joint j has.
double share_of(const TailShape& shape, int j) {
  return shape.kind != TailKind::Shared ? 1.0 : (j == 0 && shape.half_root ? 0.5 : 1.0) / shape.segments();
}

void place_segments(const TailShape& shape, const double* z, const double* z_rate, TailPoints& out) {
  const int n = shape.segments();
  const bool shared = shape.kind == TailKind::Shared;
  Mat3d F = Mat3d::identity();
  Vec3d x = shape.root, rate = Vec3d::zero(), drift = Vec3d::zero(), W = Vec3d::zero(), W_rate = Vec3d::zero();
  out.point[0].x = x;
  out.point[0].rate = out.point[0].drift = Vec3d::zero();
  for (Vec3d& column : out.column) column = Vec3d::zero();
  for (int j = 0; j < n; j++) {
    const double share = share_of(shape, j);
    const double* angle = shared ? z : z + 2 * j;
    const double* angle_rate = shared ? z_rate : z_rate + 2 * j;
    Vec3d* axis = out.axis.data() + 2 * j;
    for (int c = 0; c < 2; c++) {
      axis[c] = F.col(c == 0 ? 0 : 2);
      const Vec3d turn = axis[c] * (share * angle_rate[c]);
      W_rate += cross(W, turn);
      W += turn;
      double sine, cosine;
      sincos(share * angle[c], sine, cosine);
      const int i = c == 0 ? 1 : 0, k = c == 0 ? 2 : 1;  // Rx turns y to z, Rz turns x to y
      const Vec3d a = F.col(i), b = F.col(k);
      F.col(i) = a * cosine + b * sine;
      F.col(k) = b * cosine - a * sine;
    }
    const Vec3d l = F.col(1) * -shape.length[j];
    x += l;
    rate += cross(W, l);
    drift += cross(W_rate, l) + cross(W, cross(W, l));
    TailPoints::Point& p = out.point[j + 1];
    p.x = x;
    p.rate = rate;
    p.drift = drift;
  }
  for (int i = 1; i <= n; i++) {
    Vec3d* X = out.column.data() + i * out.n_z;
    for (int j = 0; j < i; j++)
      for (int c = 0; c < 2; c++)
        X[shared ? c : 2 * j + c] += cross(out.axis[2 * j + c], out.point[i].x - out.point[j].x) * share_of(shape, j);
  }
}

}  // namespace

TailPoints::TailPoints(const TailShape& shape) : n_z(shape.coordinates()) {
  if (shape.kind == TailKind::Arc) {
    const GaussRule<16> rule;
    point.resize(rule.x.size() + 1);
    for (std::size_t i = 0; i < rule.x.size(); i++) {
      place.push_back(0.5 * (1.0 - rule.x[i]));
      point[i].mass = 0.5 * rule.w[i] * shape.mass[0];
      point[i].bar = 0.0;
    }
    place.push_back(1.0);
    point.back().mass = shape.tip;
    point.back().bar = 0.0;
  } else {
    point.resize(shape.segments() + 1);
    point[0].mass = point[0].bar = 0.0;
    for (int j = 0; j < shape.segments(); j++) {
      point[j + 1].mass = 0.0;
      point[j + 1].bar = shape.mass[j];
    }
    point.back().mass = shape.tip;
  }
  column.resize(point.size() * n_z);
  axis.resize(2 * shape.length.size());
}

void place_tail(const TailShape& shape, const double* z, const double* z_rate, TailPoints& out) {
  if (shape.kind != TailKind::Arc) return place_segments(shape, z, z_rate, out);
  for (std::size_t i = 0; i < out.point.size(); i++) {
    TailPoints::Point& p = out.point[i];
    Vec3d* X = out.column.data() + i * out.n_z;
    place_arc_point(shape.length[0], out.place[i], z, z_rate, p, X);
    p.x += shape.root;
    p.rate = X[0] * z_rate[0] + X[1] * z_rate[1];
  }
}

void place_tip(const TailShape& shape, const double* z, const double* z_rate, TailTip& out) {
  SinCos<double> a, b;
  sincos(z[0], a.sin, a.cos);
  sincos(z[1], b.sin, b.cos);
  const double l = shape.length[0], A = z_rate[0], B = z_rate[1];
  const double square = A * A + B * B, twice = 2.0 * A * B;
  out.x = shape.root + Vec3d(b.sin, -a.cos * b.cos, -a.sin * b.cos) * l;
  out.X[0] = Vec3d(0.0, a.sin * b.cos, -a.cos * b.cos) * l;
  out.X[1] = Vec3d(b.cos, a.cos * b.sin, a.sin * b.sin) * l;
  out.rate = out.X[0] * A + out.X[1] * B;
  out.drift = Vec3d(-b.sin * B * B, a.cos * b.cos * square - a.sin * b.sin * twice,
                    a.sin * b.cos * square + a.cos * b.sin * twice) *
              l;
}

Vec3d arc_tip(double length, double alpha, double beta) {
  const double z[2] = {alpha, beta}, still[2] = {0.0, 0.0};
  TailPoints::Point p;
  Vec3d X[2];
  place_arc_point(length, 1.0, z, still, p, X);
  return p.x;
}

}  // namespace sinew::legged
