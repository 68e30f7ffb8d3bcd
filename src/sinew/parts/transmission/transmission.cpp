#include "sinew/parts/transmission/transmission.h"

#include <cmath>
#include <numbers>

#include "sinew/math/elementary.h"

namespace sinew {
namespace transmission {

Transmission<double> crank(const CrankNumbers& numbers, const Vec3d& ahead, const Vec3d& along) {
  Transmission<double> t;
  t.kind = Kind::Rods;
  t.n = 1;
  t.first = cross(along, ahead);
  DriveRod<double>& rod = t.rod[0];
  rod.along = along;
  rod.length = numbers.length;
  rod.c = along * (numbers.radius * math::sin(numbers.angle)) - ahead * (numbers.radius * math::cos(numbers.angle));
  rod.b = ahead * numbers.offset;
  const double q = 0.0, at_zero = strokes(t, &q).s[0];
  rod.b += along * at_zero;  // the stroke counts from q = 0
  return t;
}

namespace {

Transmission<double> two_rods(const Vec3d& first, const Vec3d& second, const Vec3d& b, const Vec3d& c, double length) {
  Transmission<double> t;
  t.kind = Kind::Rods;
  t.n = 2;
  t.first = first;
  t.second = second;
  for (int i = 0; i < 2; i++) {
    const double side = i == 0 ? 1.0 : -1.0;  // the left drive is the first
    t.rod[i].b = {b[0], side * b[1], b[2]};
    t.rod[i].c = {c[0], side * c[1], c[2]};
    t.rod[i].along = from_left_up_forward(0, 1, 0);
    t.rod[i].length = length;
  }
  return t;
}

}  // namespace

Transmission<double> ankle() {
  return two_rods(from_left_up_forward(1, 0, 0), from_left_up_forward(0, 0, 1),
                  from_left_up_forward(0.045, 0.170, -0.060), from_left_up_forward(0.045, 0.010, -0.060), 0.160);
}

Transmission<double> hip() {
  return two_rods(from_left_up_forward(0, 0, 1), from_left_up_forward(1, 0, 0),
                  from_left_up_forward(0.050, 0.160, 0.070), from_left_up_forward(0.050, -0.020, 0.070), 0.180);
}

Transmission<double> knee() {
  return crank({0.07, -50.0 * std::numbers::pi / 180.0, -0.0585, 0.16}, from_left_up_forward(0, 0, 1),
               from_left_up_forward(0, 1, 0));
}

Transmission<double> pelvis_yaw() {
  // The drive lies across the pelvis: along y, so that the crank turns about z.
  return crank({0.05, 0.0, -0.05, 0.12}, {-1, 0, 0}, {0, 1, 0});
}

Transmission<double> differential(double ratio) {
  Transmission<double> t;
  t.kind = Kind::Differential;
  t.n = 2;
  t.ratio = ratio;
  return t;
}

}  // namespace transmission

template <Real S>
Transmission<S> broadcast(const Transmission<double>& t) {
  Transmission<S> out;
  out.kind = t.kind;
  out.n = t.n;
  out.ratio = S(t.ratio);
  out.first = broadcast<S>(t.first);
  out.second = broadcast<S>(t.second);
  for (int i = 0; i < 2; i++)
    out.rod[i] = {broadcast<S>(t.rod[i].b), broadcast<S>(t.rod[i].c), broadcast<S>(t.rod[i].along), S(t.rod[i].length)};
  return out;
}
template Transmission<double> broadcast(const Transmission<double>&);
template Transmission<Lanes> broadcast(const Transmission<double>&);

}  // namespace sinew
