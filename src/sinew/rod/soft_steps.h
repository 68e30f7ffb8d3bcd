// How the state of a soft rod is laid out, and the methods that step it; see soft_plant.h.
#pragma once
#include "sinew/rod/soft_pass.h"

namespace sinew::rod {

// The state of a run, one array: pose of the base | q | v | its rate | rate of the alpha method | last power | tangent of the
// alpha method (its factors, pivots, the step they are for). The tangent is kept with the state, so that a run that is
// resumed goes on with the same bits. The step is negative if input acted in it (of rk4: -1, else 0).
template <class G>
struct SoftLayout {
  static constexpr int pose_size = G::n == 1 ? 1 : G::n == 3 ? 4 : 12;
  int q, v, rate, alpha, power, tangent, pivots, step, size;
  explicit SoftLayout(const SoftModel<G>& m) {
    q = pose_size;
    v = q + m.nq;
    rate = v + m.nv;
    alpha = rate + m.nv;
    power = alpha + m.nv;
    tangent = power + 4;
    pivots = tangent + m.nv * m.nv;
    step = pivots + m.nv;
    size = step + 1;
  }
};

Line load_base(const Line&, const double* a);
Plane load_base(const Plane&, const double* a);
Space load_base(const Space&, const double* a);
void store_base(const Line& g, double* a);
void store_base(const Plane& g, double* a);
void store_base(const Space& g, double* a);

inline void store_power(const PlantPower& p, double* a) {
  a[0] = p.actuators;
  a[1] = p.external;
  a[2] = p.damping;
  a[3] = p.friction;
}

// Accelerations of a motion, whose own are not looked at, and into w.power its power with that of the imposed modes.
template <class G>
bool accelerate(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w, double* a);

// Where input begins, changes or ends, accelerations jump: those at the start of the step, and the alpha method's with them, become
// what they are under the present one. False: there are none.
template <class G>
bool follow_input(const SoftModel<G>& m, const SoftLayout<G>& at, const PlantStep& step, double* state,
                  SoftScratch<G>& w);

// One step of a method on a state.
template <class G>
StepReport step_rk4(const SoftModel<G>& m, const SoftLayout<G>& at, const PlantStep& step, double* state,
                    PlantPower& work, SoftScratch<G>& w);
template <class G>
StepReport step_alpha(const SoftModel<G>& m, const SoftLayout<G>& at, const PlantStep& step, double* state,
                      PlantPower& work, SoftScratch<G>& w);

}  // namespace sinew::rod
