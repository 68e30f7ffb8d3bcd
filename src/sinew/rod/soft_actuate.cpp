// Each adds its wrench at the Gauss points, where the strain of the pass is known.
#include "sinew/rod/soft_actuate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/math/trig.h"

namespace sinew::rod {
namespace {

template <class G>
SINEW_INLINE Six six_at(const SoftModel<G>& m, const std::vector<double>& a, int p) {
  typename G::Twist x;
  for (int c = 0; c < G::n; c++) x[c] = a[std::size_t(c) * m.gauss_stride + p];
  return to_six<G>(x);
}

template <class G>
SINEW_INLINE void add_stress(const SoftModel<G>& m, SoftScratch<G>& w, int p, const Six& F) {
  for (int c = 0; c < G::n; c++) w.stress[std::size_t(c) * m.gauss_stride + p] += m.w_gauss[p] * F[components_of<G>[c]];
}

template <class G>
void pull_cable(const SoftModel<G>& m, int k, double T, SoftScratch<G>& w) {
  SINEW_ASSERT(k >= 0 && k < int(m.cables.size()) && w.cable_length.size() == m.cables.size());
  const auto& cable = m.cables[k];
  w.cable_length[k] = 0.0;
  w.torque = std::max(w.torque, std::abs(T));
  for (int p = 0; p < cable.gauss; p++) {
    const Six xi = six_at(m, w.xi, p);
    const Vec3d tau = Vec3d(xi[0], xi[1], xi[2]) + cross(Vec3d(xi[3], xi[4], xi[5]), cable.d[p]) + cable.slope;
    const double length = std::sqrt(dot(tau, tau));
    w.cable_length[k] += m.w_gauss[p] * length;
    const Vec3d f = tau * (T / length), c = cross(cable.d[p], f);
    add_stress(m, w, p, {f[0], f[1], f[2], c[0], c[1], c[2]});
  }
}

template <class G>
void drive_servo(const SoftModel<G>& m, double t, double told, SoftScratch<G>& w) {
  const SoftServo& servo = m.plan.servo;
  const DriveValue r = drive_at({.value = 1.0, .ramp = servo.Tr}, t);
  const double turn = 2.0 * std::numbers::pi;
  int c = 0;
  while (components_of<G>[c] != servo.component) c++;
  for (int p = 0; p < m.gauss; p++) {
    const double X = m.X_gauss[p];
    double s, co;
    sincos(turn * (X / servo.lam - t / servo.T) + servo.phase, s, co);
    const double amplitude = servo.a0 + servo.a1 * X / m.plan.length, shape = servo.bias + amplitude * co;
    const double wanted = r.value * shape + told, rate = r.rate * shape + r.value * amplitude * s * turn / servo.T;
    const std::size_t at = std::size_t(c) * m.gauss_stride + p;
    double tau = servo.kp * (wanted - w.xi[at]) + servo.kd * (rate - w.xi_rate[at]);
    if (servo.Mmax > 0.0) tau = servo.Mmax * math::tanh(tau / servo.Mmax);
    w.torque = std::max(w.torque, std::abs(tau));
    w.stress[at] -= m.w_gauss[p] * tau;
  }
}

template <class G>
void strain_material(const SoftModel<G>& m, SoftScratch<G>& w) {
  const Six still{}, star = to_six<G>(m.xi_star);
  for (int p = 0; p < m.gauss; p++) {
    Six e = six_at(m, w.xi, p);
    const Six rate = six_at(m, w.xi_rate, p);
    for (int i = 0; i < 6; i++) e[i] -= star[i];
    const Six F = m.plan.law->stress(m.X_gauss[p], e, rate), F0 = m.plan.law->stress(m.X_gauss[p], e, still);
    for (int c = 0; c < G::n; c++) {
      const int i = components_of<G>[c];
      w.power.damping += m.w_gauss[p] * (F[i] - F0[i]) * rate[i];
    }
    add_stress(m, w, p, F);
  }
}

}  // namespace

template <class G>
void actuate(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w) {
  const int cables = int(m.cables.size());
  const auto told = [&s](int k) { return s.input.command.empty() ? 0.0 : s.input.command[k]; };
  std::ranges::fill(w.stress, 0.0);
  for (int k = 0; k < cables; k++) pull_cable(m, k, s.load * (drive_at(m.cables[k].tension, s.t).value + told(k)), w);
  if (m.plan.servo.is_on) drive_servo(m, s.t, told(cables), w);
  for (std::size_t i = 0; i < w.stress.size(); i++) w.power.actuators -= w.stress[i] * w.xi_rate[i];
  if (m.plan.law) strain_material(m, w);
}

template void actuate(const SoftModel<Line>&, const SoftMotion<Line>&, SoftScratch<Line>&);
template void actuate(const SoftModel<Plane>&, const SoftMotion<Plane>&, SoftScratch<Plane>&);
template void actuate(const SoftModel<Space>&, const SoftMotion<Space>&, SoftScratch<Space>&);

}  // namespace sinew::rod
