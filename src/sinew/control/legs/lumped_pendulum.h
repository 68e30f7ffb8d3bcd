// The pendulum of a biped whose legs have mass (docs/theory/biped.md#legs-with-mass): every mass is at x_i = a_i x_h + (1 - a_i) x_f between the hips x_h and
// a foot x_f, at a height z_i that stays. With A = sum m a, B = sum m (1 - a) of a leg, S = sum m z a, R = sum m z (1 - a) of a leg, the ground pushes at p:
//   m g p = g (A x_h + B sum x_f) - S x_h'' - R sum x_f''
// and with X = x_h + (R / S) sum x_f this is a pendulum without accelerations of feet: the momentum of legs that swing is in it.
//   X'' = w^2 (X - p_X),   p_X = (m p - b - k sum x_f) / A,   k = B - A R / S,   w^2 = g A / S
//   c = (A x_h + B sum x_f + b) / m
// b: what knees that are bent and feet that reach ahead add to the first moment, in the axes of the robot [kg m]. x: horizontal points [m].
#pragma once
#include "sinew/control/legs/biped_body.h"

namespace sinew::legged {

struct LumpedPendulum {
  double m = 0.0, A = 0.0, B = 0.0, ratio = 0.0, k = 0.0, w = 0.0;  // ratio: R / S
  Vec3d b = Vec3d::zero();

  // p_X of a push at p; feet: the sum of both. ahead: b in W.
  Vec3d lumped(const Vec3d& p, const Vec3d& feet, const Vec3d& ahead) const {
    return (p * m - ahead - feet * k) * (1.0 / A);
  }
  Vec3d pushed(const Vec3d& p_X, const Vec3d& feet, const Vec3d& ahead) const {
    return (p_X * A + ahead + feet * k) * (1.0 / m);
  }
  // Mass centre of a state X; its velocity and acceleration, with those of X and of the feet and no b.
  Vec3d com(const Vec3d& X, const Vec3d& feet, const Vec3d& ahead) const {
    return (X * A + feet * (B - A * ratio) + ahead) * (1.0 / m);
  }
  Vec3d state(const Vec3d& c, const Vec3d& feet, const Vec3d& ahead) const {
    return (c * m - ahead - feet * (B - A * ratio)) * (1.0 / A);
  }
};

// Of a robot that stands with its hips at this height. g: weight of a kilogram [m/s^2].
LumpedPendulum lumped_pendulum(const BipedBody& body, double hip_height, double g);

}  // namespace sinew::legged
