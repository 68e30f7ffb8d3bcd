// Closed form of the quadruped on four feet (docs/theory/quadruped.md#stance).
#include "robots/quadruped/stance.h"

#include <gtest/gtest.h>

#include "robots/quadruped/stance_run.h"
#include "tests/robots/quadruped/setup.h"

namespace sinew::legged {
namespace stance_test {

double largest(const Vec8& a) {
  double m = 0.0;
  for (double x : a) m = std::max(m, std::abs(x));
  return m;
}

void expect_near(const Vec8& got, const Vec8& want, double relative) {
  for (int i = 0; i < 8; i++) EXPECT_NEAR(got[i], want[i], relative * largest(want)) << i;
}

TEST(Quadruped, accelerations_and_forces_of_three_states) {
  const Quadruped robot;
  const GivenState states[3] = {state_A, state_B, state_C};
  const Vec8 want[3] = {
      {0.005406278114181103, 0.8411896136386008, 0.07118719090048578, -0.38597468867952045, 0.09618935494919621,
       0.3467097642786654, 2.1595732349959214, -0.5521890942268779},
      {0.167197652, 0.896789647, 0.232240095, 7.276122065, -13.959519031, 4.409261674, -9.346287452, -1.423064806},
      {-0.091445831, 0.920713867, 2.545752947, -7.583019041, 17.745765311, -5.657623295, -27.141999364, -31.914488945}};
  const double f4[3][3] = {{6.662182055, 19.414964077, 101.234509608},
                           {11.34003623, 25.60947771, 97.70481094},
                           {-25.53820155, -12.82996313, 111.89228352}};
  for (int n = 0; n < 3; n++) {
    const Stance stance = stance_at(robot, states[n]);
    const Vec8 a = forward(robot, stance, states[n].tau);
    expect_near(a, want[n], 1e-9);
    const Feet f = foot_forces(robot, stance, a, states[n].tau);
    for (int i = 0; i < 3; i++) EXPECT_NEAR(f[3][i], f4[n][i], 1e-7);
  }
}

TEST(Quadruped, mass_is_symmetric_and_positive_and_M_a_is_what_inverse_dynamics_asks) {
  std::mt19937_64 dice(3);
  for (int n = 0; n < 200; n++) {
    const RandomState s = random_state(dice);
    const Stance stance = stance_at(s.robot, s);
    if (stance.reach != Reach::Good) continue;
    StanceTerms t;
    terms_of(s.robot, stance, t);
    const Vec8 a = forward(s.robot, stance, s.tau);
    const Vec8 req = required(s.robot, stance, a);
    double energy = 0.0;
    for (int i = 0; i < 8; i++) {
      double left = t.C[i] + t.G[i], push = 0.0;
      for (int k = 0; k < 8; k++) {
        EXPECT_NEAR(t.M[i][k], t.M[k][i], 1e-13 * 40.0);
        left += t.M[i][k] * a[k], energy += 0.5 * s.u[i] * t.M[i][k] * s.u[k];
      }
      for (int k = 0; k < 14; k++) push += t.J[k][i] * s.tau[k];
      EXPECT_NEAR(left, req[i], 1e-10 * (1.0 + std::abs(req[i])));
      EXPECT_NEAR(push, req[i], 1e-9 * (1.0 + std::abs(req[i])));
    }
    EXPECT_GT(energy, 0.0);
    EXPECT_NEAR(energy, energy_of(s.robot, stance, reference_feet, s.tau).T, 1e-11 * energy);
  }
}

TEST(Quadruped, torques_from_accelerations_are_those_that_made_them) {
  std::mt19937_64 dice(4);
  for (int n = 0; n < 200; n++) {
    const RandomState s = random_state(dice);
    const Stance stance = stance_at(s.robot, s);
    if (stance.reach != Reach::Good) continue;
    const Vec8 a = forward(s.robot, stance, s.tau), req = required(s.robot, stance, a);
    double J[14][8], rows[6][6];
    actuation_of(stance, J);
    constexpr int which[6] = {0, 1, 2, 3, 4, 5};
    leg_rows(J, which, 6, rows);
    const auto values = singular_values(rows, 6);
    std::array<double, 6> tau_p;
    std::copy_n(s.tau.begin() + 8, 6, tau_p.begin());
    const Torques given = share_given(J, req, tau_p), least = share_min_norm(J, req);
    const double cond = std::max(1.0, values[0]) / std::min(1.0, values[5]);
    for (int i = 0; i < 14; i++) EXPECT_NEAR(given.tau[i], s.tau[i], 1e-9 * cond);
    ASSERT_TRUE(least.found);
    const Vec8 b = forward(s.robot, stance, least.tau);
    for (int i = 0; i < 8; i++) EXPECT_NEAR(b[i], a[i], 1e-9 * (1.0 + largest(a)));
  }
}

// Newton's second law of the whole robot: the feet carry its weight and accelerate its mass centre.
TEST(Quadruped, foot_forces_accelerate_the_mass_centre) {
  std::mt19937_64 dice(5);
  for (int n = 0; n < 50; n++) {
    const RandomState s = random_state(dice);
    const Stance stance = stance_at(s.robot, s);
    if (stance.reach != Reach::Good) continue;
    const Vec8 a = forward(s.robot, stance, s.tau);
    Vec3d sum = Vec3d::zero();
    for (const Vec3d& f : foot_forces(s.robot, stance, a, s.tau)) sum += f;
    const auto momentum = [&](double dt) {  // at the state that the accelerations lead to
      StanceState state = stance_of(s.q, s.u);
      state.p += state.v * dt, state.R = to_matrix(quaternion_exp(state.w * dt)) * state.R;
      state.v += Vec3d(a[0], a[1], a[2]) * dt, state.w += Vec3d(a[3], a[4], a[5]) * dt;
      for (int c = 0; c < 2; c++) state.tail[c] += state.tail_rate[c] * dt, state.tail_rate[c] += a[6 + c] * dt;
      Stance x;
      evaluate(s.robot, state, reference_feet, x);
      Vec3d P = x.plate.v * s.robot.m_b + (x.plate.v + cross(x.plate.w, x.tail.x) + x.tail.rate) * s.robot.tail.tip;
      for (int i = 0; i < 4; i++) {
        const LegShape& leg = s.robot.leg[i];
        Vec3d k = Vec3d::zero();
        for (int c = 0; c < 3; c++) k += x.leg[i].J_k[c] * x.plate.v[c] + x.leg[i].J_k[3 + c] * x.plate.w[c];
        P += (x.plate.v + cross(x.plate.w, leg.hip)) * (0.5 * leg.m_th) + k * (0.5 * (leg.m_th + leg.m_sh));
      }
      return state.R * P;
    };
    const Vec3d rate = (momentum(1e-6) - momentum(-1e-6)) * 5e5;
    const Vec3d want = rate + Vec3d(0.0, 0.0, s.robot.mass() * s.robot.g);
    EXPECT_LT(norm(sum - want), 1e-5 * (1.0 + norm(want)));
  }
}

TEST(Quadruped, mirrored_states_have_mirrored_accelerations) {
  std::mt19937_64 dice(6);
  constexpr int swap[4] = {1, 0, 3, 2};
  for (int n = 0; n < 50; n++) {
    RandomState s = random_state(dice);
    for (LegShape& leg : s.robot.leg) leg = {leg.hip};
    GivenState m = s;
    for (Vec8* x : {&m.q, &m.u})
      for (const int i : {0, 4, 5, 7}) (*x)[i] = -(*x)[i];
    Feet feet;
    for (int i = 0; i < 4; i++) {
      feet[i] = reference_feet[swap[i]], feet[i][0] = -feet[i][0];
      for (int a = 0; a < 3; a++) m.tau[actuator_of[i][a]] = (a == ha ? -1.0 : 1.0) * s.tau[actuator_of[swap[i]][a]];
    }
    m.tau[7] = -s.tau[7];
    const Stance one = stance_at(s.robot, s), two = stance_at(s.robot, m, feet);
    if (one.reach != Reach::Good) continue;
    const Vec8 a = forward(s.robot, one, s.tau), b = forward(s.robot, two, m.tau);
    for (int i = 0; i < 8; i++)
      EXPECT_NEAR(b[i], (i == 0 || i == 4 || i == 5 || i == 7 ? -1.0 : 1.0) * a[i], 1e-12 * (1.0 + largest(a)));
  }
}

TEST(Quadruped, turning_everything_about_the_vertical_turns_the_accelerations) {
  std::mt19937_64 dice(7);
  const Mat3d Z = rotation_of({0.0, 0.0, 1.1});
  for (int n = 0; n < 50; n++) {
    const RandomState s = random_state(dice);
    StanceState state = stance_of(s.q, s.u), turned = state;
    turned.p = Z * state.p, turned.v = Z * state.v, turned.w = Z * state.w, turned.R = Z * state.R;
    Feet feet;
    for (int i = 0; i < 4; i++) feet[i] = Z * reference_feet[i];
    Stance one, two;
    evaluate(s.robot, state, reference_feet, one), evaluate(s.robot, turned, feet, two);
    if (one.reach != Reach::Good) continue;
    const Vec8 a = forward(s.robot, one, s.tau), b = forward(s.robot, two, s.tau);
    const double size = 1e-12 * (1.0 + largest(a));
    for (int part = 0; part < 6; part += 3) {
      const Vec3d want = Z * Vec3d(a[part], a[part + 1], a[part + 2]);
      for (int i = 0; i < 3; i++) EXPECT_NEAR(b[part + i], want[i], 10 * size);
    }
    EXPECT_NEAR(a[6], b[6], 10 * size);
    EXPECT_NEAR(a[7], b[7], 10 * size);
  }
}

TEST(Quadruped, no_state_gives_a_number_that_is_none) {
  std::mt19937_64 dice(8);
  const Quadruped robot;
  int reached = 0;
  for (int n = 0; n < 20000; n++) {
    GivenState s = state_B;
    for (double& x : s.q) x = std::uniform_real_distribution<double>(-1.0, 1.0)(dice);
    const Stance stance = stance_at(robot, s);
    if (stance.reach != Reach::Good) continue;
    reached++;
    for (const double x : forward(robot, stance, s.tau)) ASSERT_TRUE(std::isfinite(x));
  }
  EXPECT_GT(reached, 0);
}

StanceProgram yaw_torques() {
  StanceProgram p;
  p.tau = state_A.tau;
  p.tau_sin[7] = -10.0, p.tau_omega[7] = 31.4;
  return p;
}

double run_energy(const Quadruped& robot, const StanceRun& run) {
  const Stance stance = stance_at(robot, {run.q, run.u, {}});
  const StanceEnergy e = energy_of(robot, stance, reference_feet, {});
  return e.T + e.V;
}

TEST(Quadruped, yaw_manoeuvre_balances_its_energy_only_with_the_exact_rates) {
  const Quadruped robot;
  const StanceProgram program = yaw_torques();
  for (const RateMap map : {RateMap::Exact, RateMap::Paper}) {
    StanceRun run{.q = q0};
    const double start = run_energy(robot, run);
    for (int i = 0; i < 3000; i++) ASSERT_TRUE(step({robot, reference_feet, program, map}, 1e-4, run));
    const double defect = std::abs(run_energy(robot, run) - start - run.work);
    if (map == RateMap::Exact) {
      EXPECT_LT(defect, 1e-9);
      EXPECT_NEAR(run.work, 6.072488997, 1e-8);
      const Vec8 want{0.21199120700580265,  0.3443194507508056,  0.4020845583096532,  -0.01809816108324196,
                      -0.11930642273935796, 0.21495951127199883, 0.02447196393860269, -0.539947980846261};
      for (int i = 0; i < 8; i++) EXPECT_NEAR(run.q[i], want[i], 1e-8);
    } else {  // (2) and (3) of the paper: the printed rates lose energy
      EXPECT_NEAR(defect, 0.1862602446192927, 1e-8);
    }
  }
}

TEST(Quadruped, runs_converge_with_the_fourth_power_of_the_step) {
  const Quadruped robot;
  const StanceProgram program = yaw_torques();
  const auto end = [&](double h) {
    StanceRun run{.q = q0};
    for (int i = 0; i < int(std::lround(0.3 / h)); i++) step({robot, reference_feet, program}, h, run);
    return run;
  };
  const StanceRun exact = end(1e-4);
  const auto error = [&](double h) {
    const StanceRun run = end(h);
    double e = 0.0;
    for (int i = 0; i < 8; i++) e = std::max({e, std::abs(run.q[i] - exact.q[i]), std::abs(run.u[i] - exact.u[i])});
    return e;
  };
  const double coarse = error(4e-3), fine = error(2e-3);
  EXPECT_NEAR(coarse, 2.487419922259093e-07, 1e-10);
  EXPECT_NEAR(fine, 1.5373959993958408e-08, 1e-11);
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.1);
}

// Errata, (51) and (53): with m/3 J1^T J2 instead of m/6 (J1^T J2 + J2^T J1) the matrix is not symmetric and x after 0.3 s is
// 0.213193 instead of 0.211991.
TEST(Quadruped, printed_mass_matrix_of_a_bar_is_not_symmetric) {
  const Quadruped robot;
  const Stance stance = stance_at(robot, state_B);
  double M[6][6] = {}, asymmetry = 0.0;
  for (int l = 0; l < 4; l++)
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < 6; k++) {
        const LegShape& s = robot.leg[l];
        const Vec3d hi = point_column(s.hip, i), hk = point_column(s.hip, k);
        const Vec3d &ki = stance.leg[l].J_k[i], &kk = stance.leg[l].J_k[k];
        M[i][k] += s.m_th / 3.0 * (dot(hi, hk) + dot(ki, kk) + dot(hi, kk)) + s.m_sh / 3.0 * dot(ki, kk);
      }
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) asymmetry = std::max(asymmetry, std::abs(M[i][k] - M[k][i]));
  EXPECT_GT(asymmetry, 0.1);
}

// Errata, (36): the weight of the shank does not act at the hip.
TEST(Quadruped, printed_weight_at_the_hip_breaks_the_potential) {
  const Quadruped robot;
  const Stance stance = stance_at(robot, {q0, {}, {}});
  StanceTerms t;
  terms_of(robot, stance, t);
  GivenState up{q0, {}, {}}, down = up;
  up.q[2] += 1e-5, down.q[2] -= 1e-5;
  const Stance above = stance_at(robot, up), below = stance_at(robot, down);
  const double slope =
      (energy_of(robot, above, reference_feet, {}).V - energy_of(robot, below, reference_feet, {}).V) / 2e-5;
  EXPECT_NEAR(t.G[2], slope, 1e-6);
  const double printed = t.G[2] + 4 * 0.5 * (1.2289 - 0.9453) * robot.g;
  EXPECT_GT(std::abs(printed - slope), 5.0);
}

}  // namespace stance_test
}  // namespace sinew::legged
