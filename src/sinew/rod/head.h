// The head's pose as plain numbers of a state: x; or x, y, turn (which counts whole turns); or place and quaternion.
#pragma once
#include "sinew/rod/group.h"

namespace sinew::rod {

template <class G>
inline constexpr int pose_size = G::n == 6 ? 7 : G::n;

inline void load_pose(const double* s, Line& g) { g.x = s[0]; }
inline void load_pose(const double* s, Plane& g) {
  g.x = s[0];
  g.y = s[1];
  sincos(s[2], g.s, g.c);
}
inline void load_pose(const double* s, Space& g) {
  g.p = Vec3d(s[0], s[1], s[2]);
  g.R = to_matrix(Quatd{s[3], s[4], s[5], s[6]});
}
template <class G>
G load_pose(const double* s) {
  G g;
  load_pose(s, g);
  return g;
}

inline void store_pose(const Line& g, double* s) { s[0] = g.x; }
inline void store_pose(const Plane& g, double* s) {
  s[0] = g.x;
  s[1] = g.y;
  s[2] = g.turn();
}
inline void store_pose(const Space& g, double* s) {
  const Quatd q = to_quaternion(g.R);
  const double k = 1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  for (int i = 0; i < 3; i++) s[i] = g.p[i];
  s[3] = q.w * k;
  s[4] = q.x * k;
  s[5] = q.y * k;
  s[6] = q.z * k;
}

// g <- g exp(u)
template <class G>
void move_pose(double* s, const typename G::Twist& u) {
  const double turn = G::n == 3 ? s[2] + u[G::n - 1] : 0.0;
  store_pose(load_pose<G>(s) * exponential<G>(u), s);
  if (G::n == 3) s[2] = turn;
}

template <class G>
typename G::Twist load_twist(const double* s) {
  typename G::Twist x;
  for (int i = 0; i < G::n; i++) x[i] = s[i];
  return x;
}
template <class G>
void store_twist(const typename G::Twist& x, double* s) {
  for (int i = 0; i < G::n; i++) s[i] = x[i];
}

}  // namespace sinew::rod
