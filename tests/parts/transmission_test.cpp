// Transmissions against closed forms, differences, virtual work and their own inverses. Check values: docs/theory/transmissions.md#check-values.
#include "sinew/parts/transmission/transmission.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/bits.h"
#include "tests/support/dice.h"

namespace sinew {
namespace transmission_test {

using namespace transmission;
constexpr double degree = std::numbers::pi / 180.0;

struct Case {
  Transmission<double> t;
  double q[2], s[2], J[4];
};
// Strokes, and Jacobian with pitch before roll, of left and right drive. A hip's coordinates are roll, then pitch.
const Case cases[] = {
    {ankle(), {0, 0}, {0, 0}, {0.06, 0.045, 0.06, -0.045}},
    {ankle(),
     {15 * degree, -8 * degree},
     {0.009014288848846336, 0.02101204482366506},
     {0.056657918387544005, 0.04418761082647634, 0.052558272649120295, -0.04107902137076466}},
    {ankle(),
     {-20 * degree, 12 * degree},
     {-0.012593929860399228, -0.030162865356844648},
     {0.06288052608138035, 0.03877946849185134, 0.0569639345939488, -0.0436610545290319}},
    {hip(), {0, 0}, {0, 0}, {-0.07, 0.05, -0.07, -0.05}},
    {hip(),
     {-30 * degree, 10 * degree},
     {0.046051491888117274, 0.028712589595309868},
     {-0.06934898795082883, 0.04561509396916189, -0.06945253017549932, -0.05242244410734181}},
};

bool is_hip(const Case& c) { return c.t.rod[0].length > 0.17; }

TEST(Transmission, rods_of_ankle_and_hip_have_the_strokes_and_levers_of_the_check_values) {
  for (const Case& c : cases) {
    const bool hips = is_hip(c);
    const double q[2] = {hips ? c.q[1] : c.q[0], hips ? c.q[0] : c.q[1]};
    const Strokes<double> at = strokes(c.t, q);
    for (int i = 0; i < 2; i++) {
      EXPECT_NEAR(at.s[i], c.s[i], 1e-15);
      EXPECT_NEAR(at.J[2 * i + (hips ? 1 : 0)], c.J[2 * i], 1e-15);
      EXPECT_NEAR(at.J[2 * i + (hips ? 0 : 1)], c.J[2 * i + 1], 1e-15);
    }
  }
}

TEST(Transmission, the_knee_has_the_strokes_and_levers_of_its_closed_form) {
  const Transmission<double> t = knee();
  const double want[4][3] = {{0, 0.0, 0.04953742311061812},
                             {30, 0.030087024987462546, 0.06468824758045134},
                             {50, 0.053780255373172214, 0.07},
                             {90, 0.09911486202331837, 0.05225099681163582}};
  for (const auto& [angle, s, lever] : want) {
    const double q = angle * degree;
    const Strokes<double> at = strokes(t, &q);
    EXPECT_NEAR(at.s[0], s, 1e-15);
    EXPECT_NEAR(at.J[0], lever, 1e-15);
  }
}

// s = r sin q + sqrt(l^2 - (r cos q + e)^2) - l with the crank across the drive and its line through the crank's neutral point.
TEST(Transmission, the_pelvis_turns_about_z_by_the_same_crank) {
  const Transmission<double> t = pelvis_yaw();
  EXPECT_EQ(t.first[2], 1.0);
  for (const double q : {-0.5, -0.2, 0.0, 0.3, 0.5}) {
    const double ahead = -0.05 * std::cos(q) + 0.05;
    EXPECT_NEAR(strokes(t, &q).s[0], 0.05 * std::sin(q) + std::sqrt(0.12 * 0.12 - ahead * ahead) - 0.12, 1e-15);
  }
}

struct Range {
  Transmission<double> t;
  double low[2], high[2], least_determinant;
};
const Range ranges[] = {
    {ankle(), {-35 * degree, -20 * degree}, {35 * degree, 20 * degree}, 2.35e-3},
    {hip(), {-20 * degree, -35 * degree}, {20 * degree, 35 * degree}, 5.2e-3},
    {knee(), {0, 0}, {1.8, 0}, 0.036},
    {pelvis_yaw(), {-0.5, 0}, {0.5, 0}, 0.04},
    {differential(251.0), {-1.05, -0.52}, {1.05, 0.52}, 1.0},
};

template <class F>
void over(const Range& r, F f) {
  constexpr int n = 9;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < (r.t.n == 2 ? n : 1); k++) {
      const double q[2] = {r.low[0] + (r.high[0] - r.low[0]) * i / (n - 1),
                           r.low[1] + (r.high[1] - r.low[1]) * k / (n - 1)};
      f(q);
    }
}

TEST(Transmission, jacobian_and_drift_are_the_derivatives_of_the_strokes) {
  for (const Range& r : ranges)
    over(r, [&](const double* q) {
      const double u[2] = {1.3, -0.8}, h = 1e-5;
      const Strokes<double> at = strokes(r.t, q, u);
      const double scale = r.t.kind == Kind::Rods ? 1.0 : 251.0;
      for (int j = 0; j < r.t.n; j++) {
        double more[2] = {q[0], q[1]}, less[2] = {q[0], q[1]};
        more[j] += h;
        less[j] -= h;
        for (int i = 0; i < r.t.n; i++)
          EXPECT_NEAR(at.J[i * r.t.n + j], (strokes(r.t, more).s[i] - strokes(r.t, less).s[i]) / (2 * h), 1e-9 * scale);
      }
      double later[2], earlier[2], rate_1[2], rate_0[2];
      for (int j = 0; j < 2; j++) {
        later[j] = q[j] + h * u[j];
        earlier[j] = q[j] - h * u[j];
      }
      stroke_rates(r.t, strokes(r.t, later), u, rate_1);
      stroke_rates(r.t, strokes(r.t, earlier), u, rate_0);
      for (int i = 0; i < r.t.n; i++) EXPECT_NEAR(at.drift[i], (rate_1[i] - rate_0[i]) / (2 * h), 1e-9 * scale);
    });
}

TEST(Transmission, torques_do_the_work_of_the_drives) {
  support::Dice dice(5);
  for (const Range& r : ranges)
    over(r, [&](const double* q) {
      const double F[2] = {dice.between(-400, 400), dice.between(-400, 400)},
                   u[2] = {dice.between(-3, 3), dice.between(-3, 3)};
      const Strokes<double> at = strokes(r.t, q);
      double tau[2] = {}, rate[2] = {};
      torques(r.t, at, F, tau);
      stroke_rates(r.t, at, u, rate);
      double joint = 0.0, drives = 0.0, size = 0.0;
      for (int i = 0; i < r.t.n; i++) {
        joint += tau[i] * u[i];
        drives += F[i] * rate[i];
        size += std::abs(F[i] * rate[i]);
      }
      EXPECT_NEAR(joint, drives, 1e-12 * (1.0 + size));
    });
}

TEST(Transmission, newton_finds_the_pose_back_within_seven_steps) {
  for (const Range& r : ranges)
    over(r, [&](const double* q) {
      const Strokes<double> at = strokes(r.t, q);
      const double start[2] = {0.5 * (r.low[0] + r.high[0]), 0.5 * (r.low[1] + r.high[1])};
      const auto found = forward(r.t, at.s, start);
      EXPECT_TRUE(found.converged);
      EXPECT_LE(found.iterations, 7.0);
      for (int i = 0; i < r.t.n; i++) EXPECT_NEAR(found.q[i], q[i], 1e-12);
      EXPECT_GE(std::abs(determinant(r.t, at)), r.least_determinant);
      EXPECT_GE(at.upright, cos_most_tilt);  // of no stop in the range
    });
}

TEST(Transmission, a_stroke_out_of_reach_does_not_converge_and_says_so) {
  const double far[2] = {1.0, 1.0}, start[2] = {0.0, 0.0};
  EXPECT_FALSE(forward(ankle(), far, start).converged);
  Transmission<double> t = ankle();
  t.rod[0].length = t.rod[1].length = 0.02;
  const double q[2] = {1.2, 0.0};
  EXPECT_LT(strokes(t, q).room, 0.0);
  EXPECT_EQ(strokes(t, q).upright, 0.0);
  EXPECT_EQ(determinant(t, strokes(t, q)), 0.0);  // no force of a rod that does not reach
  EXPECT_NEAR(cos_most_tilt, std::cos(most_tilt), 1e-15);
}

// Both axes see twice one motor's torque.
TEST(Transmission, motors_of_a_differential_add_on_either_axis) {
  const Transmission<double> t = differential();
  const double q[2] = {0.3, 0.1};
  const Strokes<double> at = strokes(t, q);
  EXPECT_DOUBLE_EQ(at.s[0], 0.4);
  EXPECT_DOUBLE_EQ(at.s[1], 0.2);
  EXPECT_DOUBLE_EQ(0.5 * (at.s[0] + at.s[1]), 0.3);
  EXPECT_DOUBLE_EQ(0.5 * (at.s[0] - at.s[1]), 0.1);
  double tau[2];
  const double together[2] = {2.0, 2.0}, opposed[2] = {2.0, -2.0};
  torques(t, at, together, tau);
  EXPECT_EQ(tau[0], 4.0);
  EXPECT_EQ(tau[1], 0.0);
  torques(t, at, opposed, tau);
  EXPECT_EQ(tau[0], 0.0);
  EXPECT_EQ(tau[1], 4.0);
}

// T = sum m (ds/dt)^2 / 2 = u^T A u / 2, and its rate of change is that of the forces A du/dt + bias.
TEST(Transmission, reflected_inertia_has_the_energy_of_the_moving_masses) {
  const double m[2] = {8.03, 7.0};
  for (const Range& r : ranges)
    over(r, [&](const double* q) {
      const double u[2] = {0.7, -1.1}, h = 1e-5;
      const auto energy = [&](const double* at) {
        double rate[2], T = 0.0;
        stroke_rates(r.t, strokes(r.t, at), u, rate);
        for (int i = 0; i < r.t.n; i++) T += 0.5 * m[i] * rate[i] * rate[i];
        return T;
      };
      double A[4], bias[2];
      reflected_inertia(r.t, strokes(r.t, q, u), m, A, bias);
      double T = 0.0, power = 0.0;
      for (int i = 0; i < r.t.n; i++) {
        power += u[i] * bias[i];
        for (int k = 0; k < r.t.n; k++) T += 0.5 * u[i] * A[i * r.t.n + k] * u[k];
      }
      EXPECT_NEAR(T, energy(q), 1e-12 * (1.0 + T));
      const double later[2] = {q[0] + h * u[0], q[1] + h * u[1]}, earlier[2] = {q[0] - h * u[0], q[1] - h * u[1]};
      EXPECT_NEAR(power, (energy(later) - energy(earlier)) / (2 * h), 1e-8 * (1.0 + T));
    });
}

TEST(Transmission, lanes_have_the_bits_of_a_joint_alone) {
  support::Dice dice(9);
  for (const Range& r : ranges) {
    const Transmission<Lanes> wide = broadcast<Lanes>(r.t);
    Lanes q[2], u[2], stroke[2];
    double one_q[lane_count][2], one_u[lane_count][2];
    for (int i = 0; i < lane_count; i++)
      for (int j = 0; j < 2; j++) {
        one_q[i][j] = dice.between(r.low[j], r.high[j]);
        one_u[i][j] = dice.between(-2, 2);
        q[j].set(i, one_q[i][j]);
        u[j].set(i, one_u[i][j]);
      }
    const Strokes<Lanes> at = strokes(wide, q, u);
    for (int j = 0; j < 2; j++) stroke[j] = at.s[j];
    const Lanes start[2] = {0.0, 0.0};
    const auto found = forward(wide, stroke, start);
    for (int i = 0; i < lane_count; i++) {
      const Strokes<double> alone = strokes(r.t, one_q[i], one_u[i]);
      const double none[2] = {0.0, 0.0};
      const auto found_alone = forward(r.t, alone.s, none);
      for (int j = 0; j < r.t.n; j++) {
        EXPECT_TRUE(support::same_bits(at.s[j], i, alone.s[j]));
        EXPECT_TRUE(support::same_bits(at.drift[j], i, alone.drift[j]));
        EXPECT_TRUE(support::same_bits(found.q[j], i, found_alone.q[j]));
      }
      for (int j = 0; j < r.t.n * r.t.n; j++) EXPECT_TRUE(support::same_bits(at.J[j], i, alone.J[j]));
    }
  }
}

}  // namespace transmission_test
}  // namespace sinew
