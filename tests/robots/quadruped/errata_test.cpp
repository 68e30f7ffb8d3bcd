// Errata of Liu and Ben-Tzvi 2018: the formula that is used agrees with differences, energies or reference
// values, and the printed one does not. Others are in leg_test.cpp and quadruped_test.cpp; docs/theory/quadruped.md has the table.
#include <gtest/gtest.h>

#include <numbers>

#include "robots/quadruped/stance_run.h"
#include "sinew/math/dense_lu.h"
#include "sinew/math/small_solve.h"
#include "tests/robots/quadruped/setup.h"

namespace sinew::legged {
namespace errata_test {

// The plate of state B after dt of its motion, with given accelerations.
StanceState moved(double dt, const Vec8& a) {
  StanceState s = stance_of(state_B.q, state_B.u);
  const Vec3d v_rate(a[0], a[1], a[2]), w_rate(a[3], a[4], a[5]);
  s.p += s.v * dt + v_rate * (0.5 * dt * dt);
  s.R = to_matrix(quaternion_exp(s.w * dt + w_rate * (0.5 * dt * dt))) * s.R;
  for (int c = 0; c < 2; c++) s.tail[c] += s.tail_rate[c] * dt + 0.5 * a[6 + c] * dt * dt;
  return s;
}
template <class Place>
Vec3d velocity_of(const Place& place) {
  return (place(moved(1e-5, {})) - place(moved(-1e-5, {}))) * 5e4;
}
template <class Place>
Vec3d acceleration_of(const Place& place, const Vec8& a) {
  constexpr double e = 1e-3;  // fourth order, so that 1e-3 leaves 1e-8
  const Vec3d x0 = place(moved(0, a)), near = place(moved(e, a)) + place(moved(-e, a));
  const Vec3d far = place(moved(2 * e, a)) + place(moved(-2 * e, a));
  return (near * 16.0 - far - x0 * 30.0) * (1.0 / (12.0 * e * e));
}
const Vec8 some_acceleration{0.4, -0.7, 0.3, 5.0, -4.0, 3.0, 2.0, -6.0};

// (13): the second block of j_s is R^T (d-p)~, a matrix. Each of its columns is perpendicular to the printed vector R^T (d-p), which
// can therefore stand for none of them.
TEST(Errata, velocity_of_a_foot_vector_needs_the_skew_matrix_13) {
  const StanceState s = stance_of(state_B.q, state_B.u);
  const Vec3d arm = reference_feet[0] - s.p;
  const Vec3d right = transpose_times(s.R, cross(arm, s.w) - s.v);
  const Vec3d measured =
      velocity_of([](const StanceState& x) { return transpose_times(x.R, reference_feet[0] - x.p); });
  EXPECT_LT(norm(right - measured), 1e-8);
  const Vec3d printed = transpose_times(s.R, arm);
  for (int i = 0; i < 3; i++) {
    Vec3d axis = Vec3d::zero();
    axis[i] = 1.0;
    const Vec3d column = transpose_times(s.R, cross(arm, axis));
    EXPECT_NEAR(dot(column, printed), 0.0, 1e-14);
    EXPECT_GT(norm(column - printed), 0.3);
  }
}

// (19): the hip is at p + a; with p - a its velocity would have the turn with the other sign.
TEST(Errata, a_hip_moves_as_p_plus_a_19) {
  const Quadruped robot;
  const StanceState s = stance_of(state_B.q, state_B.u);
  const Vec3d a = s.R * robot.leg[0].hip;
  const Vec3d measured = velocity_of([&](const StanceState& x) { return x.p + x.R * robot.leg[0].hip; });
  EXPECT_LT(norm(s.v + cross(s.w, a) - measured), 1e-8);
  EXPECT_GT(norm(s.v - cross(s.w, a) - measured), 0.5);
}

// (23): [I -(r+t)~ R K] is one matrix of eight columns. With the bracket closed early, R K would be added to the first two.
TEST(Errata, tail_rates_have_columns_of_their_own_23) {
  const Quadruped robot;
  const Stance stance = stance_at(robot, state_B);
  const StanceState s = stance_of(state_B.q, state_B.u);
  const Vec3d measured = velocity_of([&](const StanceState& x) {
    TailTip tip;
    place_tip(robot.tail, x.tail, x.tail_rate, tip);
    return x.p + x.R * tip.x;
  });
  const Vec3d of_plate = s.v + cross(s.w, s.R * stance.tail.x);
  const auto by_tail = [&](double A, double B) { return s.R * (stance.tail.X[0] * A + stance.tail.X[1] * B); };
  EXPECT_LT(norm(of_plate + by_tail(s.tail_rate[0], s.tail_rate[1]) - measured), 1e-8);
  EXPECT_GT(norm(of_plate + by_tail(s.v[0], s.v[1]) - measured), 0.5);
}

// (29) to (31): the first term is omega'~; with omega~ no angular acceleration would appear at all.
TEST(Errata, accelerations_of_points_contain_the_angular_acceleration_29_to_31) {
  const Quadruped robot;
  const Vec8& u_rate = some_acceleration;
  const StanceState s = stance_of(state_B.q, state_B.u);
  const Vec3d v_rate(u_rate[0], u_rate[1], u_rate[2]), w_rate(u_rate[3], u_rate[4], u_rate[5]);
  const Vec3d a = s.R * robot.leg[0].hip, drift = cross(s.w, cross(s.w, a));
  const Vec3d hip = acceleration_of([&](const StanceState& x) { return x.p + x.R * robot.leg[0].hip; }, u_rate);
  EXPECT_LT(norm(v_rate + cross(w_rate, a) + drift - hip), 1e-6);
  EXPECT_GT(norm(v_rate + cross(s.w, a) + drift - hip), 0.5);
  const Stance stance = stance_at(robot, state_B);
  const auto knee_at = [&](const StanceState& x) {
    const LegShape& leg = robot.leg[0];
    return x.p + x.R * (leg.hip + reach_for(leg, transpose_times(x.R, reference_feet[0] - x.p) - leg.hip).b);
  };
  const Vec3d v = transpose_times(s.R, v_rate), w = transpose_times(s.R, w_rate);
  Vec3d knee = stance.leg[0].a_k0, printed = knee;
  for (int c = 0; c < 3; c++) {
    knee += stance.leg[0].J_k[c] * v[c] + stance.leg[0].J_k[3 + c] * w[c];
    printed += stance.leg[0].J_k[c] * v[c] + stance.leg[0].J_k[3 + c] * stance.plate.w[c];
  }
  const Vec3d measured = acceleration_of(knee_at, u_rate);
  EXPECT_LT(norm(s.R * knee - measured), 1e-5);
  EXPECT_GT(norm(s.R * printed - measured), 0.5);
}

// (33): the integral of delta . a dm is minus the work of inertia forces. Added to the work of the weight as printed, (35) + (36), it
// makes the robot fall upwards and energy grow; (40) = (35) - (36) conserves it.
TEST(Errata, inertia_and_weight_have_opposite_signs_33) {
  const Quadruped robot;
  const Stance stance = stance_at(robot, state_B);
  StanceTerms t;
  terms_of(robot, stance, t);
  const auto power = [&](double sign, Vec8& a) {  // d(T + V)/dt without torques: u . (M u' + C + G)
    double M[64];
    std::copy_n(&t.M[0][0], 64, M);
    for (int i = 0; i < 8; i++) a[i] = -t.C[i] - sign * t.G[i];
    factor_small<8>(M);
    solve_small<8>(M, a.data());
    const auto energy = [&](double dt) {
      StanceState s = moved(dt, a);
      s.v += Vec3d(a[0], a[1], a[2]) * dt, s.w += Vec3d(a[3], a[4], a[5]) * dt;
      for (int c = 0; c < 2; c++) s.tail_rate[c] += a[6 + c] * dt;
      Stance x;
      evaluate(robot, s, reference_feet, x);
      const StanceEnergy e = energy_of(robot, x, reference_feet, {});
      return e.T + e.V;
    };
    return (energy(1e-6) - energy(-1e-6)) * 5e5;
  };
  Vec8 right, printed;
  EXPECT_NEAR(power(1.0, right), 0.0, 1e-5);
  EXPECT_GT(std::abs(power(-1.0, printed)), 10.0);
  EXPECT_LT(right[2], 0.0);
  EXPECT_GT(printed[2], 0.0);
}

// (48): K' is multiplied by the tail's rates, not by its angles.
TEST(Errata, drift_of_the_tip_is_quadratic_in_the_tails_rates_48) {
  const TailShape tail;
  const double ta = 0.3, tb = -0.5, A = 2.0, B = -3.0, z[2] = {ta, tb}, z_rate[2] = {A, B};
  const double sa = std::sin(ta), ca = std::cos(ta), sb = std::sin(tb), cb = std::cos(tb);
  const Vec3d K1 = Vec3d(0.0, ca * cb * A - sa * sb * B, sa * cb * A + ca * sb * B) * 0.6;
  const Vec3d K2 = Vec3d(-sb * B, -sa * sb * A + ca * cb * B, ca * sb * A + sa * cb * B) * 0.6;
  TailTip tip;
  place_tip(tail, z, z_rate, tip);
  const auto at = [&](double t) {
    const double x[2] = {ta + A * t, tb + B * t};
    TailTip now;
    place_tip(tail, x, z_rate, now);
    return now.x;
  };
  const Vec3d measured = (at(1e-4) + at(-1e-4) - at(0.0) * 2.0) * 1e8;
  EXPECT_LT(norm(K1 * A + K2 * B - tip.drift), 1e-12);
  EXPECT_LT(norm(tip.drift - measured), 1e-5);
  EXPECT_GT(norm(K1 * ta + K2 * tb - measured), 1.0);
}

// (18): the whole row with the interior knee angle added to hb.
TEST(Errata, printed_flexion_row_18_is_another) {
  const Quadruped robot;
  const Stance stance = stance_at(robot, state_A);
  const HeldLeg& leg = stance.leg[0];
  const LegAngles a = angles_of(robot.leg[0], leg.pose);
  const double sum = std::cos(a.hb + a.k), n = 0.3 * std::cos(a.hb) + 0.3 * sum;
  const double want[6] = {-0.20397909601464997, 2.733365937596596,  -2.7197212801953308,
                          0.1958383525741794,   0.6527331072468794, 0.6413199485801195};
  const Vec3d z = leg.pose.s + robot.leg[0].hip;
  for (int i = 0; i < 6; i++) {
    const double s_y = i < 3 ? (i == 1 ? -1.0 : 0.0) : cross(z, point_column(Vec3d::zero(), i - 3))[1];
    EXPECT_NEAR((-s_y - 0.3 * sum * leg.j[knee][i]) / n, want[i], 1e-9) << i;
    EXPECT_GT(std::abs(leg.j[hb][i] - want[i]), 0.1) << i;
  }
}

// Columns of hip and knee by the speeds v, w in S.
Vec3d leg_column(const Stance& stance, const LegShape& shape, const HeldLeg& leg, int c, bool at_knee) {
  Vec3d e = Vec3d::zero();
  e[c % 3] = 1.0;
  const Vec3d p = transpose_times(stance.plate.R, e);
  Vec3d x = Vec3d::zero();
  for (int m = 0; m < 3; m++) {
    const int of = (c < 3 ? 0 : 3) + m;
    x += (at_knee ? leg.J_k[of] : point_column(shape.hip, of)) * p[m];
  }
  return x;
}

// u' of the yaw manoeuvre with m/3 J1^T J2 in place of m/6 (J1^T J2 + J2^T J1).
Vec8 printed_acceleration(double t, const Vec8& q, const Vec8& u) {
  const Quadruped robot;
  Stance stance;
  evaluate(robot, stance_of(q, u), reference_feet, stance);
  StanceTerms terms;
  terms_of(robot, stance, terms);
  Vec14 tau = state_A.tau;
  tau[7] = -10.0 * std::sin(31.4 * t);
  double M[64], b[8], scale[8];
  for (int i = 0; i < 8; i++) {
    b[i] = -terms.C[i] - terms.G[i];
    for (int k = 0; k < 14; k++) b[i] += terms.J[k][i] * tau[k];
    for (int k = 0; k < 8; k++) M[8 * k + i] = terms.M[i][k];  // by columns, for factor_dense
  }
  for (int l = 0; l < 4; l++)
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < 6; k++) {
        const auto column = [&](int c, bool at_knee) {
          return leg_column(stance, robot.leg[l], stance.leg[l], c, at_knee);
        };
        const double skew = dot(column(i, false), column(k, true)) - dot(column(i, true), column(k, false));
        M[8 * k + i] += robot.leg[l].m_th / 6.0 * skew;
      }
  int pivot[8];
  EXPECT_TRUE(factor_dense(8, M, 8, pivot, scale));
  solve_factored(8, M, 8, pivot, b);
  Vec8 a;
  std::copy_n(b, 8, a.begin());
  return a;
}

// (51), (53).
TEST(Errata, printed_mass_matrix_leads_elsewhere_51) {
  Vec8 q = q0, u{};
  constexpr double h = 1e-3, node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (int n = 0; n < 300; n++) {
    Vec8 dq{}, du{}, q_rate{}, u_rate{};
    for (int s = 0; s < 4; s++) {
      Vec8 x = q, y = u;
      for (int i = 0; i < 8; i++) x[i] += node[s] * h * q_rate[i], y[i] += node[s] * h * u_rate[i];
      u_rate = printed_acceleration(n * h + node[s] * h, x, y), q_rate = coordinate_rates(RateMap::Exact, x, y);
      for (int i = 0; i < 8; i++) dq[i] += weight[s] * h * q_rate[i], du[i] += weight[s] * h * u_rate[i];
    }
    for (int i = 0; i < 8; i++) q[i] += dq[i], u[i] += du[i];
  }
  const Vec8 printed{0.21319315768708,   0.344372387001812, 0.402138748408942,  -0.0179101308956066,
                     -0.119027954113366, 0.213434190635777, 0.0244637476077897, -0.53956694845033};
  const Vec8 printed_u{0.109983650523082, 0.344987175054897, 0.00403492665492656, 0.16644118718413,
                       -1.44538090449499, 2.03977341367152,  -0.828920211139599,  -4.54574516941646};
  for (int i = 0; i < 8; i++) {
    EXPECT_NEAR(q[i], printed[i], 1e-8) << i;
    EXPECT_NEAR(u[i], printed_u[i], 1e-7) << i;
  }
  EXPECT_NEAR(q[0], 0.213193, 1e-6);
  EXPECT_GT(q[0] - 0.211991207, 1e-3);
}

// (8), (9): the arc sine of Heron's area cannot tell a knee of more than 90 degrees from one of less.
TEST(Errata, area_of_the_triangle_loses_knees_beyond_a_right_angle_8) {
  const LegShape leg;
  const LegPose pose = pose_of(leg, {0.1, -0.5, 1.9});
  const double s = norm(pose.s), half = 0.5 * (0.6 + s),
               area = std::sqrt(half * (half - 0.3) * (half - 0.3) * (half - s));
  const double printed = std::asin(area / (0.5 * 0.09));
  EXPECT_NEAR(printed, std::numbers::pi - 1.9, 1e-9);
  EXPECT_NEAR(angles_of(leg, reach_for(leg, pose.s)).k, 1.9, 1e-12);
}

// Text of 3.1: a tail that were an ideal bar would have a third of the inertia about its root.
TEST(Errata, tail_is_a_point_mass_at_the_tip) {
  const Quadruped robot;
  StanceTerms t;
  terms_of(robot, stance_at(robot, state_A), t);
  EXPECT_NEAR(t.M[6][6], 1.4347 * 0.36, 1e-12);
  EXPECT_NEAR(t.G[6], -1.4347 * 9.8067 * 0.6, 1e-12);
}

// 2.1: knees of 0 to 90 degrees are left by the paper's own test, at 0.186 s.
TEST(Errata, the_yaw_manoeuvre_leaves_the_printed_range_of_the_knee) {
  const Quadruped robot;
  StanceProgram p;
  p.tau = state_A.tau, p.tau_sin[7] = -10.0, p.tau_omega[7] = 31.4;
  StanceRun run{.q = q0};
  double left = 0.0;
  for (int i = 0; i < 3000 && left == 0.0; i++) {
    ASSERT_TRUE(step({robot, reference_feet, p}, 1e-4, run));
    const Stance stance = stance_at(robot, {run.q, run.u, {}});
    for (int l = 0; l < 4; l++)
      if (angles_of(robot.leg[l], stance.leg[l].pose).k > 0.5 * std::numbers::pi) left = run.t;
  }
  EXPECT_NEAR(left, 0.186, 1e-3);
}

// 4.2: the eight actuators are singular where rows are dependent, though no two of them coincide.
TEST(Errata, actuation_is_singular_without_two_equal_rows) {
  const Quadruped robot;
  GivenState s{q0, {}, {}};
  s.q[5] = 0.12684445848093395;
  double J[14][8], rows[6][6];
  actuation_of(stance_at(robot, s), J);
  constexpr int which[6] = {0, 1, 2, 3, 4, 5};
  leg_rows(J, which, 6, rows);
  EXPECT_LT(singular_values(rows, 6)[5], 1e-9);
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < i; k++) {
      double ii = 0, kk = 0, ik = 0;
      for (int c = 0; c < 6; c++)
        ii += rows[i][c] * rows[i][c], kk += rows[k][c] * rows[k][c], ik += rows[i][c] * rows[k][c];
      EXPECT_LT(std::abs(ik) / std::sqrt(ii * kk), 0.999);
    }
}

}  // namespace errata_test
}  // namespace sinew::legged
