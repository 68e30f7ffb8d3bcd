// A soft rod made ready: cells along X, tables of the modes, stiffness. See soft_plan.h for its inputs.
// A cell [x, x + h] has four Gauss points, where the strain is needed to go along the rod, and three points of its own for
// quadratures, 0, h/2 and h; the same places as stations, 2 cells + 1 of them, carry poses and velocities, which do not jump.
// Modes may jump where cells meet, so each cell has its own values of them.
#pragma once
#include <cstddef>

#include "sinew/math/check.h"
#include "sinew/rod/group.h"
#include "sinew/rod/soft_plan.h"

namespace sinew::rod {

// Which of six components the group has.
template <class G>
inline constexpr std::array<int, G::n> components_of{};
template <>
inline constexpr std::array<int, 1> components_of<Line>{0};
template <>
inline constexpr std::array<int, 3> components_of<Plane>{0, 1, 5};
template <>
inline constexpr std::array<int, 6> components_of<Space>{0, 1, 2, 3, 4, 5};

template <class G>
typename G::Twist from_six(const Six& a) {
  typename G::Twist b;
  for (int i = 0; i < G::n; i++) b[i] = a[components_of<G>[i]];
  return b;
}
template <class G>
Six to_six(const typename G::Twist& a) {
  Six b{};
  for (int i = 0; i < G::n; i++) b[components_of<G>[i]] = a[i];
  return b;
}

template <class G>
struct SoftModel {
  using Twist = typename G::Twist;
  static constexpr int n = G::n;

  struct Point {
    int station;
    Twist dead, follower;
    SoftDrive scale;
  };
  struct Cable {
    int gauss;             // Gauss points up to its end
    std::vector<Vec3d> d;  // at them
    Vec3d slope;           // d'
    SoftDrive tension;
  };

  SoftPlan plan;
  int nq = 0, nb = 0, nv = 0;  // modes; freedoms of the base, before the modes; both
  int cells = 0, stations = 0, gauss = 0, local = 0;
  int gauss_stride = 0, local_stride = 0, row = 0;  // padded to registers of four; row: of matrices nv x nv
  std::array<int, n + 1> first{};                   // modes of component c: [first[c], first[c+1])
  std::vector<double> x, h;                         // of cells
  std::vector<double> phi_gauss, phi_local;         // [mode][point]
  std::vector<double> X_gauss, w_gauss;
  std::vector<double> X_station, w_station;  // Simpson's weights
  std::vector<Twist> inertia, friction;      // per length, at stations
  std::vector<double> K, D;                  // [nq][nq]; only within one component
  Twist xi_star, gravity;                    // gravity: of the world
  G base;
  std::vector<Point> points;
  std::vector<Cable> cables;
  std::vector<int> profile;   // stations of X_profile
  std::vector<double> scale;  // [nv]: what counts as a change of shape by one
  bool has_gauss_forces = false, has_friction = false;
};

template <class G>
SoftModel<G> build_soft_model(const SoftPlan& plan);

}  // namespace sinew::rod
