#include "sinew/text/fill_bodies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"

namespace sinew::text {
namespace fill_bodies_test {

using sim::Experiment;

Experiment load(std::string_view text) { return parse_experiment(text, "file.toml"); }
std::string problems_of(std::string_view text) {
  try {
    load(text);
  } catch (const InputError& e) {
    return e.problems.at(0);
  }
  return "";
}
const BodyPlan& body(const Experiment& e, const std::string& name) {
  return *std::ranges::find(e.scenario.plan.bodies, name, &BodyPlan::name);
}

TEST(Filling, mass_centre_and_inertia_follow_from_shapes) {
  const std::string shapes =
      "[body.a.shape.box]\nkind = \"box\"\nsize = [0.1, 0.2, 0.3]\nposition = [0, 0, 1]\n[joint.a]\nkind = "
      "\"weld\"\nchild = \"a\"\n";
  constexpr double round_off = 1e-14;  // of m d^2 = 6 kg m^2, which is added and taken away
  const Experiment dense = load("[body.a]\ndensity = 500\n" + shapes);
  const BodyPlan& a = body(dense, "a");
  EXPECT_NEAR(a.mass, 3.0, round_off);
  EXPECT_NEAR(a.com[2], 1.0, round_off);
  EXPECT_NEAR(a.inertia.xx, 3.0 / 12 * (0.04 + 0.09), round_off);
  EXPECT_NEAR(a.inertia.zz, 3.0 / 12 * (0.01 + 0.04), round_off);
  const Experiment heavy = load("[body.a]\nmass = 6\n" + shapes);
  EXPECT_NEAR(body(heavy, "a").inertia.xx, 6.0 / 12 * (0.04 + 0.09), round_off);
  EXPECT_NEAR(body(heavy, "a").com[2], 1.0, round_off);
  // what is given stays: the centre of mass, or both; a point stays a point
  EXPECT_EQ(body(load("[body.a]\ncom = [0, 0, 0.5]\n" + shapes), "a").com[2], 0.5);
  EXPECT_EQ(body(load("[body.a]\ninertia = [0, 0, 0]\n" + shapes), "a").inertia.xx, 0.0);
  EXPECT_EQ(body(load("[body.a]\ninertia = [0, 0, 0]\n" + shapes), "a").com[2], 0.0);
  EXPECT_EQ(body(load("[body.a]\nmass = 1\n[joint.a]\nkind = \"weld\"\nchild = \"a\"\n"), "a").inertia.xx, 0.0);
}

TEST(Filling, two_shapes_are_one_body) {
  const Experiment e = load(R"(
[body.a]
density = 100
[body.a.shape.left]
kind = "sphere"
radius = 0.1
position = [0, 0.5, 0]
[body.a.shape.right]
kind = "sphere"
radius = 0.1
position = [0, -0.5, 0]
[joint.a]
child = "a"
)");
  const double m = 100 * 4.0 / 3.0 * std::numbers::pi * 1e-3;
  EXPECT_NEAR(body(e, "a").mass, 2 * m, 1e-14);
  EXPECT_NEAR(body(e, "a").inertia.yy, 2 * 0.4 * m * 0.01, 1e-14);
  EXPECT_NEAR(body(e, "a").inertia.xx, 2 * (0.4 * m * 0.01 + m * 0.25), 1e-14);
}

TEST(Filling, what_cannot_be_filled_is_told) {
  EXPECT_NE(problems_of("[body.a]\ndensity = 1\nmass = 1\nshape.s.radius = 1\n[joint.a]\nchild = \"a\"\n")
                .find("mass and density are both given"),
            std::string::npos);
  EXPECT_NE(problems_of("[body.a]\ndensity = 1\n[joint.a]\nchild = \"a\"\n").find("no shapes that could be filled"),
            std::string::npos);
  EXPECT_NE(
      problems_of("[body.a]\ndensity = 1\nshape.s.radius = 0\n[joint.a]\nchild = \"a\"\n").find("enclose no volume"),
      std::string::npos);
}

}  // namespace fill_bodies_test
}  // namespace sinew::text
