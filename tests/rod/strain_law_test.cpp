// Strain laws: tables say the same as single places, rates and slopes are derivatives, bumps and waves are as corrected.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/rod/rods.h"

namespace sinew::rod {
namespace strain_law_test {

// Central differences with s = 1e-4: the error is s^2 of the third derivative, here up to 5e4 of it.
template <class G>
void expect_consistent(const StrainLaw<G>& law, double t, double scale) {
  Table<G> table(law.grid);
  law.fill(t + 0.3, table);  // a table is used again and again: nothing may be left of before
  law.fill(t, table);
  for (int i = 0; i < law.grid.stations(); i++) {
    const Strain<G> s = law.at(law.grid.station(i), t);
    for (int c = 0; c < G::n; c++) {
      EXPECT_NEAR(table.xi[i][c], s.xi[c], 1e-12 * scale);
      EXPECT_NEAR(table.xi_t[i][c], s.xi_t[c], 1e-11 * scale);
      EXPECT_NEAR(table.xi_tt[i][c], s.xi_tt[c], 1e-10 * scale);
    }
  }
  for (int i = 0; i < law.grid.filled_gauss(); i++)
    for (int c = 0; c < G::n; c++)
      EXPECT_NEAR(table.gauss[i][c], law.at(law.grid.gauss_point(i), t).xi[c], 1e-12 * scale);
  Strain<G> probe[Grid::probes];
  law.probe(t, probe);
  for (int i = 0; i < Grid::probes; i++) {
    const Strain<G> s = law.at(law.grid.probe(i), t);
    for (int c = 0; c < G::n; c++) {
      EXPECT_NEAR(probe[i].xi[c], s.xi[c], 1e-12 * scale);
      EXPECT_NEAR(probe[i].xi_tt[c], s.xi_tt[c], 1e-10 * scale);
      EXPECT_NEAR(probe[i].xi_tX[c], s.xi_tX[c], 1e-10 * scale);
    }
  }
  const double h = 1e-4;
  for (const double X : {0.13, 0.4, 0.71}) {
    const Strain<G> s = law.at(X, t), later = law.at(X, t + h), earlier = law.at(X, t - h);
    const Strain<G> right = law.at(X + h, t), left = law.at(X - h, t);
    for (int c = 0; c < G::n; c++) {
      EXPECT_NEAR((later.xi[c] - earlier.xi[c]) / (2 * h), s.xi_t[c], 1e-4 * scale) << X;
      EXPECT_NEAR((later.xi_t[c] - earlier.xi_t[c]) / (2 * h), s.xi_tt[c], 1e-3 * scale) << X;
      EXPECT_NEAR((right.xi[c] - left.xi[c]) / (2 * h), s.xi_X[c], 1e-4 * scale) << X;
      EXPECT_NEAR((right.xi_t[c] - left.xi_t[c]) / (2 * h), s.xi_tX[c], 1e-3 * scale) << X;
    }
  }
}

TEST(StrainLaw, tables_and_derivatives_agree_with_single_places) {
  const Grid grid{1.0, 30};
  expect_consistent(*worm_law(grid, {.eps = 0.1, .lam = 0.4, .c0 = 0.3, .acc = 0.05}), 0.7, 1.0);
  expect_consistent(*inchworm_law(grid, {}), 0.7, 1.0);
  SnakeGait gait = turning();
  gait.VA = 0.2, gait.Vw = 3.0, gait.a_y = 2.0, gait.lam_y = 0.5;
  for (const double t : {0.7, 4.5, 5.5}) {
    expect_consistent(*snake_law<Plane>(grid, gait), t, 10.0);
    expect_consistent(*snake_law<Space>(grid, gait), t, 10.0);
  }
  for (const double t : {0.3, 1.7}) {
    expect_consistent(*wave_law<Plane>(grid, Plane::straight(), waving()), t, 10.0);
    expect_consistent(*wave_law<Space>(grid, {1, 0, 0, 2, 0, 3}, waving()), t, 10.0);
  }
  expect_consistent(*arm_law(grid, {{3, 1.5, 3, 0, 0}, {4, 3, 2, 0.4, 2}, {5, 4, 2.5, 0, 1}, {0, 0.05, 4, 0, 3}}), 1.3,
                    1.0);
  expect_consistent(*sheared_arc_law(grid, {}), 0.5, 1.0);
  expect_consistent(*shear_law(grid, {.start = 0.2}), 0.5, 1.0);
}

TEST(StrainLaw, a_class_of_rod_holds_what_it_does_not_drive) {
  const Grid grid{1.0, 20};
  const bool bends[3] = {false, false, true}, shears[3] = {false, true, true};
  EXPECT_EQ(check_class<Plane>(*inchworm_law(grid, {}), bends, 2.0), "");
  EXPECT_NE(check_class<Plane>(*shear_law(grid, {}), bends, 1.0).find("Gamma_Y"), std::string::npos);
  EXPECT_EQ(check_class<Plane>(*shear_law(grid, {}), shears, 1.0), "");
  const bool bend_only[6] = {false, false, false, false, true, true};
  EXPECT_NE(check_class<Space>(*arm_law(grid, {{3, 1.5, 3, 0, 0}}), bend_only, 1.0).find("K_X"), std::string::npos);
}

// (54) as printed, exp(-u^2 / (u^2 - h^2)), grows without bound at the edges and tends to 1/e outside.
TEST(StrainLaw, the_bump_is_one_in_the_middle_and_fades_at_its_edges) {
  const double h = 0.5;
  EXPECT_EQ(bump(0.0, h).B, 1.0);
  EXPECT_LT(bump(0.499, h).B, 1e-50);
  EXPECT_EQ(bump(0.6, h).B, 0.0);
  EXPECT_EQ(bump(-0.5, h).B_uu, 0.0);
  const double u = 0.49, printed = std::exp(-u * u / (u * u - h * h));
  EXPECT_GT(printed, 1e10);
}

// Phase (2 pi / lam)(integral of c - X): every crest moves at c. With the printed sin(w (t - X/c)), c = c0 + acc t, w fixed, crests at
// different places move at different speeds.
TEST(StrainLaw, crests_of_the_worm_move_at_the_speed_of_the_wave) {
  const WormGait gait{.eps = 0.004, .lam = 0.15, .c0 = 0.3, .acc = 0.03};
  const auto law = worm_law({0.3, 20}, gait);
  for (const double n : {0.0, 1.0}) {
    const double t = 5.03, C = gait.phi(t) + 0.25 * gait.lam - gait.lam * (10 + n), c = gait.c0 + gait.acc * t;
    const Strain<Line> s = law->at(C, t);
    EXPECT_NEAR(s.xi[0], 1.0 - gait.eps, 1e-12);
    EXPECT_NEAR(s.xi_t[0] + c * s.xi_X[0], 0.0, 1e-12);  // d/dt along the crest
  }
  const auto printed_speed = [&](double X) {  // of the crest w (t - X/c) = const through X: dX/dt = c + X c'/c
    const double c = gait.c0 + gait.acc * 5.03;
    return c + X * gait.acc / c;
  };
  EXPECT_GT(std::abs(printed_speed(0.276) - printed_speed(0.126)), 0.005);
}

}  // namespace strain_law_test
}  // namespace sinew::rod
