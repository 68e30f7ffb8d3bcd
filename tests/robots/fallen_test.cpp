// Robots of the catalogue that fall lie on the ground: each of their bodies has a shape.
#include <gtest/gtest.h>

#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"

namespace sinew {
namespace fallen_test {

sim::Experiment robot(const std::string& keys) {
  const std::string text =
      "[robot]\n" + keys + "\n[ground]\nkind = \"plane\"\n[integrator]\nmethod = \"moreau\"\nstep = 1e-3\n";
  return text::parse_experiment(text, "fallen.toml");
}

TEST(Fallen, every_body_has_a_shape) {
  for (const char* keys : {"kind = \"hexapod\"", "kind = \"biped\"", "kind = \"biped\"\nupper_body = \"jointed\"",
                           "kind = \"quadruped\"\nfeet = \"contact\"", "kind = \"snake\"\ninitial = \"straight\""}) {
    const sim::Experiment experiment = robot(keys);
    for (const BodyPlan& body : experiment.plan().bodies)
      EXPECT_FALSE(body.shapes.empty()) << keys << ": " << body.name;
  }
}

// Without torques its legs fold, and what it then lies on is its plate and its thighs.
TEST(Fallen, a_quadruped_without_torques_lies_on_the_ground) {
  World<double> world = robot("kind = \"quadruped\"\nfeet = \"contact\"\ncontroller = \"none\"").world();
  for (int k = 0; k < 3000; k++) ASSERT_TRUE(world.step(1e-3).finite) << k;
  const auto seen = observe(world);
  for (const auto& body : seen.bodies) {
    EXPECT_GT(body.p_WC[2], -1e-6);
    EXPECT_LT(body.p_WC[2], 0.3);  // the plate began at 0.5 m
  }
}

}  // namespace fallen_test
}  // namespace sinew
