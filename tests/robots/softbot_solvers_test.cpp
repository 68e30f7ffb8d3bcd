// Impacts of a limb of ten links on four points, 60 random ones, by every solver of the
// program. They give the same velocities; impulses need not agree.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/dice.h"

namespace sinew {
namespace softbot_solvers_test {

std::string list_of(const std::vector<double>& values) {
  std::string text;
  for (const double x : values) text += fmt::format("{}{:.17g}", text.empty() ? "" : ", ", x);
  return "[" + text + "]";
}

// Arches of two links each: every second point, four of them, lies on the ground; the last two links stand up. The step is so short
// that nothing but the impact happens in it.
struct Impact {
  std::string robot;
  explicit Impact(support::Dice& dice) {
    std::vector<double> angles, rates;
    for (int arch = 0; arch < 4; arch++) {
      const double a = dice.between(0.1, 0.9);
      angles.push_back(a), angles.push_back(-a);
    }
    angles.push_back(dice.between(0.2, 0.6)), angles.push_back(dice.between(0.2, 0.6));
    for (int i = 0; i < 10; i++) rates.push_back(dice.between(-1.0, 0.5));
    robot = "[robot]\nkind = \"soft-limb\"\nn = 10\ntheta0 = " + list_of(angles) + "\nrate0 = " + list_of(rates) + "\n";
  }
  std::vector<double> after(const std::string& contact) const {
    World<double> world = sim::make_world(text::parse_scenario(
        robot + "[gravity]\nkind = \"none\"\n[ground]\nkind = \"plane\"\n[contact]\nmu = 0.5\ntolerance = 1e-12\n" +
            contact + "\n[integrator]\nmethod = \"moreau\"\nstep = 1e-9\n",
        "file"));
    const StepReport report = world.step(1e-9);
    EXPECT_TRUE(report.converged) << contact << " " << report.residual;
    return world.state.u;
  }
};

TEST(SoftContact, every_solver_gives_the_same_velocities_after_an_impact_on_four_points) {
  support::Dice dice(25);
  constexpr double length = 0.18;  // of a link: rates of joints as speeds [m/s]
  double changed = 0.0;            // that there is something to compare
  for (int k = 0; k < 60; k++) {
    const Impact impact(dice);
    const std::vector<double> reference = impact.after("solver = \"newton\"");
    for (const char* other : {"solver = \"recursion\"", "solver = \"sweep\"", "law = \"complementarity\""}) {
      const std::vector<double> u = impact.after(other);
      for (std::size_t i = 0; i < u.size(); i++)
        ASSERT_NEAR(length * u[i], length * reference[i], 1e-10) << other << " " << k;
    }
    for (const double x : reference) changed += std::abs(x);
  }
  EXPECT_GT(changed, 1.0);
}

}  // namespace softbot_solvers_test
}  // namespace sinew
