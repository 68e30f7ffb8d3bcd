// How the state of a soft rod is laid out, and the methods that step it; see soft_engine.h.
#pragma once
#include "sinew/rod/soft_pass.h"

namespace sinew::rod {

// The state of a run, one array: pose of the base | q | v | its rate | rate of the alpha method | last power | tangent of the
// alpha method (its factors, pivots, the step they are for). The tangent is kept with the state, so that a run that is
// resumed goes on with the same bits.
template <class G>
struct SoftLayout {
  static constexpr int pose_size = G::n == 1 ? 1 : G::n == 3 ? 4 : 12;
  int q, v, rate, alpha, power, tangent, pivots, step, size;
  explicit SoftLayout(const SoftModel<G>& m) {
    q = pose_size, v = q + m.nq, rate = v + m.nv, alpha = rate + m.nv, power = alpha + m.nv;
    tangent = power + 4, pivots = tangent + m.nv * m.nv, step = pivots + m.nv, size = step + 1;
  }
};

Line load_base(const Line&, const double* a);
Plane load_base(const Plane&, const double* a);
Space load_base(const Space&, const double* a);
void store_base(const Line& g, double* a);
void store_base(const Plane& g, double* a);
void store_base(const Space& g, double* a);

inline void store_power(const EnginePower& p, double* a) {
  a[0] = p.actuators, a[1] = p.external, a[2] = p.damping, a[3] = p.friction;
}

// Accelerations of a motion, and into w.power its power with that of the imposed modes.
template <class G>
bool accelerate(const SoftModel<G>& m, double t, const G& base, const double* q, const double* v, SoftScratch<G>& w,
                double* a);

// One step of a method on a state.
template <class G>
EngineReport step_rk4(const SoftModel<G>& m, const SoftLayout<G>& at, double t, double dt, double* state,
                      EnginePower& work, SoftScratch<G>& w);
template <class G>
EngineReport step_alpha(const SoftModel<G>& m, const SoftLayout<G>& at, double t, double dt, double* state,
                        EnginePower& work, SoftScratch<G>& w);

}  // namespace sinew::rod
