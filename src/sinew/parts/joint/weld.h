// Weld: no freedom. F = J.
#pragma once
#include "sinew/parts/joint/joint.h"

namespace sinew::joint {

struct Weld : Additive<Weld> {
  static constexpr const char* name = "weld";
  static constexpr int nq = 0, nu = 0;
  static constexpr std::array<int, 0> angles{};
  static constexpr std::array<Dir, 6> dirs{};
  static constexpr std::array row_dirs{Dir::Angular, Dir::Angular, Dir::Angular, Dir::Linear, Dir::Linear, Dir::Linear};
  template <Real S>
  SINEW_INLINE static Pose<S> place(const Pose<S>& X_WJ, const S*, const SinCos<S>*) {
    return X_WJ;
  }
  template <Real S>
  SINEW_INLINE static void axes(const Mat3<S>&, const Mat3<S>&, Vec3<S>*) {}
  template <Real S>
  static void gap(const Pose<S>& X_JF, S* g) {
    const Vec3<S> phi = quaternion_log(to_quaternion(X_JF.R));
    for (int i = 0; i < 3; i++) {
      g[i] = phi[i];
      g[3 + i] = X_JF.p[i];
    }
  }
  template <Real S>
  static void coordinates(const Pose<S>&, S*) {}
};

}  // namespace sinew::joint
