#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/imports/import.h"
#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"

namespace sinew {
namespace mjcf_mesh_inertia_test {

using imports::import_model_text;

sim::Experiment experiment_of(const std::string& text) {
  return text::parse_experiment(import_model_text(text, "robot.xml").text, "robot.toml");
}

std::string world(const std::string& bodies, const std::string& before = {}, const std::string& after = {}) {
  return "<mujoco model=\"m\">" + before + "<worldbody>" + bodies + "</worldbody>" + after + "</mujoco>";
}

// Two tetrahedra, 3 m apart. The numbers are those of MuJoCo 3.14.0, npm's, on 19 November 2026; exact and convex ones follow from the shape as well.
TEST(MjcfMesh, a_mesh_weighs_what_its_way_of_reckoning_says) {
  const auto body_of = [](const std::string& mode) {
    const std::string mesh =
        "<asset><mesh name=\"t\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1 3 0 0 4 0 0 3 1 0 3 0 1\" "
        "face=\"0 2 1 0 1 3 0 3 2 1 2 3 4 6 5 4 5 7 4 7 6 5 6 7\" " +
        mode + "/></asset>";
    return experiment_of(world("<body name=\"b\"><joint axis=\"0 1 0\"/><geom type=\"mesh\" mesh=\"t\"/></body>", mesh))
        .plan()
        .bodies[0];
  };
  struct Want {
    const char* mode;
    double mass, x, M;
  };
  for (const Want& want : {Want{"", 1198.0548456599163, 1.6929097400223672, 5282.373960675599},
                           Want{"inertia=\"legacy\"", 1198.0548456599163, 1.6929097400223672, 5282.373960675599},
                           Want{"inertia=\"convex\"", 5000.0 / 3.0, 1.675, 19600.0 / 3.0},
                           Want{"inertia=\"exact\"", 1000.0 / 3.0, 1.75, 5450.0 / 3.0},
                           Want{"inertia=\"shell\"", 4732.050807568877, 1.762891711531605, 26270.296377396393}}) {
    const BodyPlan b = body_of(want.mode);
    EXPECT_NEAR(b.mass, want.mass, 1e-12 * want.mass) << want.mode;
    EXPECT_NEAR(b.com[0], want.x, 1e-12) << want.mode;
    const double M = b.inertia.yy + b.mass * (b.com[0] * b.com[0] + b.com[2] * b.com[2]);
    EXPECT_NEAR(M, want.M, 2e-6 * want.M) << want.mode;
  }
  EXPECT_THROW(body_of("inertia=\"soft\""), InputError);
}

}  // namespace mjcf_mesh_inertia_test
}  // namespace sinew
