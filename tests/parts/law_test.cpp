// What every set-valued law promises: the projection lands in its set and stays there, is the nearest point, brings no two
// points further apart, and lets no impulse do positive work.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/parts/law/list.h"
#include "sinew/solve/local.h"
#include "tests/support/dice.h"

namespace sinew {
namespace law {
void PrintTo(const ListedLaw& law, std::ostream* out) { *out << law.name; }
}  // namespace law
namespace law_test {

using support::Dice;

law::SetParams random_set(Dice& dice) {
  law::SetParams s;
  const auto maybe = [&](double high) { return dice.chance(0.15) ? 0.0 : dice.between(0.01, high); };
  s.contact.mu_forward = maybe(2.0), s.contact.mu_backward = maybe(2.0), s.contact.mu_trans = maybe(2.0);
  s.contact.rolling = maybe(0.1), s.contact.drilling = maybe(0.1);
  s.P_N = maybe(3.0), s.bound = maybe(5.0), s.dt = dice.between(0.01, 1.0);
  return s;
}

struct Point {
  double x[2] = {0.0, 0.0};
};
double distance(const Point& a, const Point& b) { return std::hypot(a.x[0] - b.x[0], a.x[1] - b.x[1]); }

Point random_point(Dice& dice, int rows) {
  Point p;
  const double size = std::pow(10.0, dice.between(-3.0, 1.0));
  for (int i = 0; i < rows; i++) p.x[i] = dice.between(-size, size);
  return p;
}

Point projected(const law::ListedLaw& law, const law::SetParams& s, Point p) {
  law.project(s, p.x);
  return p;
}

class EveryLaw : public testing::TestWithParam<law::ListedLaw> {};

TEST_P(EveryLaw, the_projection_stays_where_it_landed) {
  Dice dice(1);
  for (int k = 0; k < 2000; k++) {
    const law::SetParams s = random_set(dice);
    const Point p = projected(GetParam(), s, random_point(dice, GetParam().rows));
    EXPECT_LT(distance(p, projected(GetParam(), s, p)), 1e-12 * (1.0 + std::hypot(p.x[0], p.x[1])));
  }
}

// For all y in the set (p - proj p) . (y - proj p) <= 0: what makes it the nearest point of a convex set.
TEST_P(EveryLaw, the_projection_is_the_nearest_point) {
  Dice dice(2);
  for (int k = 0; k < 2000; k++) {
    const law::SetParams s = random_set(dice);
    const Point p = random_point(dice, GetParam().rows), q = projected(GetParam(), s, p);
    const Point y = projected(GetParam(), s, random_point(dice, GetParam().rows));
    double product = 0.0;
    for (int i = 0; i < 2; i++) product += (p.x[i] - q.x[i]) * (y.x[i] - q.x[i]);
    EXPECT_LT(product, 1e-11 * (1.0 + std::hypot(p.x[0], p.x[1]))) << k;
  }
}

TEST_P(EveryLaw, two_points_come_no_further_apart) {
  Dice dice(3);
  for (int k = 0; k < 2000; k++) {
    const law::SetParams s = random_set(dice);
    const Point a = random_point(dice, GetParam().rows), b = random_point(dice, GetParam().rows);
    EXPECT_LE(distance(projected(GetParam(), s, a), projected(GetParam(), s, b)),
              distance(a, b) * (1.0 + 1e-9) + 1e-12);
  }
}

// P = proj(P - r gamma) with 0 in the set: P . gamma <= 0. An ideal law admits any impulse and holds gamma at zero instead.
TEST(Laws, dissipate) {
  for (const law::ListedLaw& law : law::listed) {
    if (law.name == "ideal") continue;
    Dice dice(4);
    for (int k = 0; k < 2000; k++) {
      const law::SetParams s = random_set(dice);
      const Point gamma = random_point(dice, law.rows);
      Point P;
      for (int i = 0; i < 200; i++) {  // a large step: P is on the rim after few iterations
        for (int r = 0; r < 2; r++) P.x[r] -= 10.0 * gamma.x[r];
        P = projected(law, s, P);
      }
      EXPECT_LE(P.x[0] * gamma.x[0] + P.x[1] * gamma.x[1], 1e-12) << law.name << " " << k;
    }
  }
}

// In a batch one robot may have the law and its neighbour not.
TEST(Laws, of_joint_axes_admit_no_impulse_when_their_number_is_zero) {
  law::AxisLawNumbers<double> none;
  law::each_axis_law(none, []<class L>(law::AxisLawKind, const char* key, auto&) {
    for (const double P : {-3.0, 0.0, 2.0})
      EXPECT_EQ(L::at(0.0, law::AxisMotion<double>{0.1, -0.2, 0.01}).project(P), 0.0) << key;
  });
}

INSTANTIATE_TEST_SUITE_P(List, EveryLaw, testing::ValuesIn(law::listed), [](const auto& info) {
  std::string name(info.param.name);
  for (char& c : name)
    if (c == ' ') c = '_';
  return name;
});

// The rim of the two half ellipses, point by point, is never nearer than the projection.
TEST(Coulomb, nothing_on_the_rim_is_nearer) {
  Dice dice(5);
  for (int k = 0; k < 300; k++) {
    const law::Coulomb<double> set{dice.between(0.05, 2.0), dice.between(0.05, 2.0), dice.between(0.05, 2.0)};
    const double P_N = dice.between(0.1, 2.0);
    const Vec2<double> p{dice.between(-5.0, 5.0), dice.between(-5.0, 5.0)}, q = set.project(p, P_N);
    const double nearest = std::hypot(p.x - q.x, p.y - q.y);
    if (nearest == 0.0) continue;
    for (double phi = 0.0; phi < 6.2832; phi += 0.01) {
      const double a = std::cos(phi) > 0 ? set.mu_backward : set.mu_forward;
      const double x = a * P_N * std::cos(phi), y = set.mu_trans * P_N * std::sin(phi);
      EXPECT_GE(std::hypot(p.x - x, p.y - y), nearest * (1.0 - 1e-9));
    }
  }
}

TEST(Coulomb, friction_against_forward_and_backward_sliding_differs) {
  ContactLaw<double> l{.mu_forward = 0.1, .mu_backward = 0.6, .mu_trans = 0.3};
  // sliding forward is answered by mu_forward, pushing back; sliding backward by mu_backward, pushing forward
  double P[row::count] = {2.0, -0.2, 0.0, 0.0, 0.0, 0.0}, forward[row::count] = {0.0, 0.5, 0.0, 0.0, 0.0, 0.0};
  EXPECT_LT(law_residual(l, 0.0, 1.0, P, forward), 1e-15);
  P[row::T1] = 1.2, forward[row::T1] = -0.5;
  EXPECT_LT(law_residual(l, 0.0, 1.0, P, forward), 1e-15);
  P[row::T1] = 0.2;
  EXPECT_GT(law_residual(l, 0.0, 1.0, P, forward), 0.1);
}

// The certificate is zero exactly where the law holds.
TEST(Certificate, knows_stick_slip_and_open) {
  const ContactLaw<double> l{.mu_forward = 0.5, .mu_backward = 0.5, .mu_trans = 0.25, .drilling = 0.1, .rolling = 0.05};
  const auto residual = [&](std::array<double, 6> P, std::array<double, 6> gamma) {
    return law_residual(l, 0.0, 2.0, P.data(), gamma.data());
  };
  EXPECT_EQ(residual({1, 0.3, 0.1, 0.05, 0.01, 0.02}, {0, 0, 0, 0, 0, 0}), 0.0);  // stick
  EXPECT_EQ(residual({0, 0, 0, 0, 0, 0}, {0.3, 1, -2, 3, 4, 5}), 0.0);            // open
  EXPECT_LT(residual({1, -0.5, 0, 0, 0, 0}, {0, 0.7, 0, 0, 0, 0}), 1e-15);        // slips forward
  EXPECT_LT(residual({1, 0, 0.25, -0.1, 0, 0}, {0, 0, -0.7, 2, 0, 0}), 1e-15);    // slips sideways and drills
  EXPECT_LT(residual({1, 0, 0, 0, -0.03, -0.04}, {0, 0, 0, 0, 3, 4}), 1e-15);     // rolls
  EXPECT_GT(residual({1, 0.5, 0, 0, 0, 0}, {0, 0.7, 0, 0, 0, 0}), 0.1);           // friction along the motion
  EXPECT_GT(residual({1, 0.6, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}), 0.01);            // outside the cone
  EXPECT_GT(residual({1, 0, 0, 0, 0, 0}, {-0.1, 0, 0, 0, 0, 0}), 0.05);           // sinks
  EXPECT_GT(residual({1, 0, 0, 0, 0, 0}, {0.1, 0, 0, 0, 0, 0}), 0.05);            // pushes while it opens
  EXPECT_GT(residual({-1, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}), 0.1);              // pulls
}

}  // namespace law_test
}  // namespace sinew
