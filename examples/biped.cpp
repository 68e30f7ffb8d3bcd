// Parts of sinew/legs.h for a biped that does not come with sinew: footsteps, preview control of the mass centre, the pelvis and both legs by inverse
// kinematics within the limits of the joints; then a push, and what the capture point asks of the zero-moment point and of the next foot.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "sinew/legs.h"

using namespace sinew;
using namespace sinew::legged;

int main() {
  BipedBody body;
  body.leg.thigh = body.leg.shank = 0.40;
  const double z_c = 0.68, step_time = 0.8;  // height of the mass centre [m, s]

  // six steps of 0.2 m: over which sole the weight is, sample by sample
  const CartTable cart{.z_c = z_c};
  std::vector<double> p[2];
  std::array<Footprint, 2> foot;
  for (int side = 0; side < 2; side++) foot[side].p = body.hip(side);
  const auto rest = [&](double x, double y, double time) {
    p[0].insert(p[0].end(), std::size_t(time / cart.T), x);
    p[1].insert(p[1].end(), std::size_t(time / cart.T), y);
  };
  rest(0.0, 0.0, 2.0);
  for (const PlannedStep& step : plan_steps({.steps = 6, .length = 0.2, .half_width = body.hip_beside}, {})) {
    const Footprint& stands = foot[1 - step.side];
    rest(stands.p[0], stands.p[1], step_time);
    foot[step.side] = step.to;
  }
  rest(1.0, 0.0, 2.0 + cart.T * cart.horizon);

  // the mass centre that has these points
  const PreviewGains gains = preview_gains(cart);
  CartState c[2];
  double most_knee = 0.0, furthest = 0.0;
  Vec3d pelvis(0.0, 0.0, z_c);
  BothLegs q{};
  for (std::size_t k = 0; k + gains.G_d.size() < p[0].size(); k++) {
    for (int axis = 0; axis < 2; axis++) {
      choose_jerk(cart, gains, {p[axis].data() + k, gains.G_d.size() + 1}, c[axis]);
      c[axis] = cart_after(c[axis], cart.T);
    }
    furthest = std::max(furthest, std::abs(c[1].x));
    BipedAim aim;  // feet where they began: the pelvis sways over them
    aim.c = Vec3d(0.0, c[1].x, z_c);
    for (int side = 0; side < 2; side++) aim.X_WF[side].p = body.hip(side) + Vec3d(0.0, 0.0, body.ankle_height);
    if (pose_biped(body, aim, pelvis, q) != Reach::Good || first_beyond(body.leg, q[0]) >= 0) return 1;
    most_knee = std::max(most_knee, q[0][six::knee]);
  }
  std::printf("it walks to %.2f m, sways by %.0f mm and bends its left knee by %.2f rad\n", c[0].x, 1e3 * furthest,
              most_knee);

  // somebody pushes it to the left by 0.3 m/s while the left foot stands alone; the other lands in 0.3 s
  const double w = pendulum_rate(z_c, 9.81);
  const CaptureFeedback feedback;
  std::array<Posed, 2> X{Posed::identity(), Posed::identity()};
  for (int side = 0; side < 2; side++) X[side].p = body.hip(side) + Vec3d(0.0, 0.0, body.ankle_height);
  const CaptureAim pushed{.p_ref = body.hip(0), .xi_ref = body.hip(0), .xi = body.hip(0) + Vec3d(0.0, 0.3 / w, 0.0)};
  const CaptureCommand command = capture_command(feedback, soles_polygon(body, X, {true, false}), pushed);
  std::printf("pushed, its zero-moment point goes %.0f mm to the left%s, the next foothold %.0f mm\n",
              1e3 * (command.p[1] - pushed.p_ref[1]), command.is_clamped ? " as far as the sole goes" : "",
              1e3 * foothold_shift(pushed, command, 0.3, w)[1]);
}
