#include "sinew/model/check_contacts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "sinew/model/compile.h"

namespace sinew {
namespace check_contacts_test {

using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

ShapePlan shape(std::string name, Shape s) {
  ShapePlan plan;
  plan.name = std::move(name), plan.shape = s;
  return plan;
}

// A body with one shape of each kind on a plane, an arm on it, and a pair of materials: nothing is wrong with it.
Plan sound_plan() {
  Plan plan;
  BodyPlan trunk{"trunk", 1.0, {0, 0, 0}, {1, 0, 0, 1, 0, 1}, {}}, arm = trunk;
  arm.name = "arm";
  trunk.shapes = {shape("ball", {.kind = ShapeKind::Sphere, .radius = 0.1}),
                  shape("log", {.kind = ShapeKind::Capsule, .radius = 0.1, .half_length = 0.2}),
                  shape("box", {.kind = ShapeKind::Box, .half = {0.1, 0.2, 0.3}})};
  trunk.shapes[2].material = "wood";
  JointPlan air, hinge;
  air.name = "air", air.kind = JointKind::Free, air.child = "trunk";
  hinge.name = "hinge", hinge.parent = "trunk", hinge.child = "arm";
  plan.bodies = {trunk, arm};
  plan.joints = {air, hinge};
  plan.ground.terrain.kind = TerrainKind::Plane;
  plan.contact.pairs.emplace_back();
  plan.contact.pairs[0].name = "soft", plan.contact.pairs[0].material1 = "wood";
  plan.contact.pairs[0].material2 = "ground";
  return plan;
}

// Exactly one problem, with this key and these words; compile throws it.
template <class Spoil>
void expect_problem(const char* key, const char* words, const Spoil& spoil,
                    Coordinates coordinates = Coordinates::Tree) {
  Plan plan = sound_plan();
  spoil(plan);
  const std::vector<Problem> problems = problems_of(plan, coordinates);
  ASSERT_EQ(problems.size(), 1u) << "for " << key << ", " << words;
  EXPECT_EQ(problems[0].key, key);
  EXPECT_THAT(problems[0].what, HasSubstr(words));
  EXPECT_THROW(compile(plan, coordinates), PlanError);
}

TEST(CheckContacts, a_sound_plan_has_no_problem) {
  EXPECT_TRUE(problems_of(sound_plan()).empty());
  EXPECT_TRUE(problems_of(sound_plan(), Coordinates::Maximal).empty());
}

TEST(CheckContacts, shapes_are_finite_and_have_an_extent) {
  const auto of = [](Plan& p, int i) -> ShapePlan& { return p.bodies[0].shapes[i]; };
  expect_problem("body.trunk.shape.ball.radius", ">= 0 m, is -1", [&](Plan& p) { of(p, 0).shape.radius = -1; });
  expect_problem("body.trunk.shape.ball.radius", "finite", [&](Plan& p) { of(p, 0).shape.radius = inf; });
  expect_problem("body.trunk.shape.log.radius", "> 0 m, is 0", [&](Plan& p) { of(p, 1).shape.radius = 0; });
  expect_problem("body.trunk.shape.log.length", "> 0 m, is 0", [&](Plan& p) { of(p, 1).shape.half_length = 0; });
  expect_problem("body.trunk.shape.box.size", "all three edges", [&](Plan& p) { of(p, 2).shape.half[1] = 0; });
  expect_problem("body.trunk.shape.box.size", "all three edges", [&](Plan& p) { of(p, 2).shape.half[2] = nan; });
  expect_problem("body.trunk.shape.box.position", "finite", [&](Plan& p) { of(p, 2).position[0] = nan; });
  expect_problem("body.trunk.shape.box.orientation", "length 1", [&](Plan& p) { of(p, 2).orientation = {1, 1, 0, 0}; });
  expect_problem("body.trunk.shape.box.along", "not zero", [&](Plan& p) { of(p, 2).along = {0, 0, 0}; });
  expect_problem("body.trunk.shape.log", "two shapes", [&](Plan& p) { of(p, 0).name = "log"; });
  expect_problem("body.trunk.shape.ball.material", "needs a name", [&](Plan& p) { of(p, 0).material = ""; });
  Plan point = sound_plan();
  of(point, 0).shape.radius = 0.0;  // a sphere without extent is a point
  EXPECT_TRUE(problems_of(point).empty());
}

TEST(CheckContacts, ground_makes_sense) {
  expect_problem("ground.normal", "length 1, has 2", [](Plan& p) { p.ground.terrain.normal = {0, 0, 2}; });
  expect_problem("ground.height", "finite", [](Plan& p) { p.ground.terrain.height = nan; });
  const auto steps = [](Plan& p) -> Steps& {
    return p.ground.terrain.kind = TerrainKind::Steps, p.ground.terrain.steps;
  };
  expect_problem("ground.steps.count", ">= 1, is 0", [&](Plan& p) { steps(p).count = 0; });
  expect_problem("ground.steps.rise", "> 0 m", [&](Plan& p) { steps(p).rise = 0; });
  expect_problem("ground.steps.run", "> 0 m", [&](Plan& p) { steps(p).run = -1; });
  expect_problem("ground.steps.width", "> 0 m", [&](Plan& p) { steps(p).width = inf; });
  const auto field = [](Plan& p) -> HeightField& {
    p.ground.terrain.kind = TerrainKind::Heights;
    HeightField& f = p.ground.terrain.field;
    f.nx = 2, f.ny = 3, f.z.assign(6, 0.0);
    return f;
  };
  expect_problem("ground.heights.nx", "at least 2", [&](Plan& p) { field(p).nx = 1; });
  expect_problem("ground.heights.z", "2 x 3 = 6 heights are needed, 5", [&](Plan& p) { field(p).z.resize(5); });
  expect_problem("ground.heights.z", "finite", [&](Plan& p) { field(p).z[1] = nan; });
  expect_problem("ground.heights.dx", "> 0 m", [&](Plan& p) { field(p).dx = 0; });
}

TEST(CheckContacts, laws_make_sense) {
  using L = ContactLaw<double>;
  const std::pair<const char*, double L::*> numbers[] = {
      {"mu_long", &L::mu_forward},     {"mu_trans", &L::mu_trans}, {"mu_backward", &L::mu_backward},
      {"rolling", &L::rolling},        {"drilling", &L::drilling}, {"stribeck_speed", &L::stribeck_speed},
      {"restitution", &L::restitution}};
  for (const auto& [name, member] : numbers)
    for (const double bad : {-0.1, nan, inf}) {
      expect_problem(("contact." + std::string(name)).c_str(), "",
                     [&, at = member](Plan& p) { p.contact.law.*at = bad; });
      expect_problem(("contact.pair.soft." + std::string(name)).c_str(), "",
                     [&, at = member](Plan& p) { p.contact.pairs[0].law.*at = bad; });
    }
  expect_problem("contact.restitution", "from 0 to 1, is 1.5", [](Plan& p) { p.contact.law.restitution = 1.5; });
  expect_problem("contact.static_ratio", ">= 1, is 0.5", [](Plan& p) { p.contact.law.static_ratio = 0.5; });
  expect_problem("contact.tolerance", "> 0 m/s", [](Plan& p) { p.contact.options.tolerance = 0; });
  expect_problem("contact.activation_gap", ">= 0 m", [](Plan& p) { p.contact.options.activation_gap = -1; });
}

TEST(CheckContacts, pairs_name_materials_that_exist_and_only_once) {
  expect_problem("contact.pair.soft.first", "nothing is made of 'stone': there is default, ground, wood",
                 [](Plan& p) { p.contact.pairs[0].material1 = "stone"; });
  expect_problem("contact.pair.soft.second", "choose from default, ground, wood",
                 [](Plan& p) { p.contact.pairs[0].material2 = ""; });
  const auto second = [](Plan& p) -> PairPlan& {
    p.contact.pairs.push_back(p.contact.pairs[0]);
    return p.contact.pairs[1];
  };
  expect_problem("contact.pair.again", "already for 'ground' and 'wood'", [&](Plan& p) {
    PairPlan& pair = second(p);
    pair.name = "again", pair.material1 = "ground", pair.material2 = "wood";
  });
  expect_problem("contact.pair.soft", "two pairs have this name", [&](Plan& p) { second(p).material2 = "wood"; });
}

TEST(CheckContacts, sparse_and_beta_say_where_they_have_no_meaning) {
  const auto sparse = [](Plan& p) { p.contact.options.solver = ContactSolver::Sparse; };
  const auto beta = [](Plan& p) { p.contact.options.beta = 0.2; };
  Plan plan = sound_plan();
  sparse(plan), beta(plan);
  EXPECT_TRUE(problems_of(plan).empty());
  expect_problem("contact.solver", "maximal", sparse, Coordinates::Maximal);
  const auto with_servo = [](Plan& p) {
    p.contact.options.solver = ContactSolver::Sparse;
    p.implicit_servos = true;
    p.joints[1].drive = Drive::Servo;
    p.joints[1].motion = {{}};
    p.joints[1].kp = {1.0};
    p.joints[1].kd = {0.1};
  };
  expect_problem("contact.solver", "implicit servos hold many joints stiff", with_servo);
  expect_problem("contact.beta", "maximal", beta, Coordinates::Maximal);
  expect_problem("contact.beta", "from 0 to 1", [](Plan& p) { p.contact.options.beta = 1.5; });
}

TEST(CheckContacts, recursion_says_where_it_has_no_meaning) {
  const auto recursion = [](Plan& p) { p.contact.options.solver = ContactSolver::Recursion; };
  Plan plan = sound_plan();
  recursion(plan);
  EXPECT_TRUE(problems_of(plan).empty());
  expect_problem("contact.solver", "maximal", recursion, Coordinates::Maximal);
  expect_problem("contact.solver", "has loops: use \"auto\"", [&](Plan& p) {
    recursion(p);
    p.joints.push_back(p.joints[1]);
    p.joints.back().name = "ring", p.joints.back().parent = "world", p.joints.back().loop = true;
  });
  const auto neighbour = [&](Plan& p) {
    recursion(p);
    p.bodies.push_back(p.bodies[0]);
    p.bodies.back().name = "other";
    p.joints.push_back(p.joints[0]);
    p.joints.back().name = "air2", p.joints.back().child = "other";
  };
  expect_problem("contact.solver", "between_bodies", neighbour);
  neighbour(plan);
  plan.contact.options.between_bodies = false;
  EXPECT_TRUE(problems_of(plan).empty());
}

TEST(CheckContacts, ranges_hold_the_start) {
  const auto hinge = [](Plan& p) -> JointPlan& { return p.joints[1]; };
  expect_problem("joint.hinge.upper", "lower (1) must be below upper (0.5)",
                 [&](Plan& p) { hinge(p).lower = {1}, hinge(p).upper = {0.5}; });
  expect_problem("joint.hinge.position", "outside of the range from lower = 1", [&](Plan& p) { hinge(p).lower = {1}; });
  expect_problem("joint.hinge.position", "the start is 2, outside",
                 [&](Plan& p) { hinge(p).upper = {1}, hinge(p).position = {2}; });
  expect_problem("joint.hinge.lower", "1 axes, but 2 values", [&](Plan& p) { hinge(p).lower = {-1, -1}; });
  expect_problem("joint.air.upper", "a free joint turns freely", [](Plan& p) { p.joints[0].upper.assign(6, 1.0); });
  expect_problem("joint.hinge.dry_friction", ">= 0, is -1", [&](Plan& p) { hinge(p).dry_friction = {-1}; });
  expect_problem("joint.hinge.dry_friction", "1 axes, but 3 values", [&](Plan& p) {
    hinge(p).dry_friction = {1, 1, 1};
  });
}

TEST(CheckContacts, implicit_servos_need_a_coordinate_per_axis) {
  expect_problem("integrator.actuator", "a ball joint has no coordinate per axis", [](Plan& p) {
    p.implicit_servos = true;
    p.joints[1].kind = JointKind::Ball, p.joints[1].drive = Drive::Servo;
  });
}

TEST(Tilted, gravity_turns_to_where_the_slope_falls) {
  Plan plan = sound_plan();
  EXPECT_EQ(tilted(plan).g[2], -9.81);
  plan.incline = 0.3, plan.downhill_azimuth = 2.0;
  const Vec3d g = tilted(plan).g;
  EXPECT_NEAR(g[0], 9.81 * std::sin(0.3) * std::cos(2.0), 1e-14);
  EXPECT_NEAR(g[1], 9.81 * std::sin(0.3) * std::sin(2.0), 1e-14);
  EXPECT_NEAR(g[2], -9.81 * std::cos(0.3), 1e-14);
  plan.gravity.g = {1, 2, 3};  // any field turns with it
  EXPECT_NEAR(norm(tilted(plan).g), std::sqrt(14.0), 1e-14);
  EXPECT_EQ(compile(plan).params.gravity.g[0], tilted(plan).g[0]);
  expect_problem("gravity.incline", "uniform", [](Plan& p) { p.incline = 0.1, p.gravity.kind = GravityKind::None; });
}

PatchPlan patch_called(const char* name) {
  PatchPlan patch;
  patch.name = name, patch.mu = 0.3;
  return patch;
}

template <class Spoil>
void expect_patch_problem(const char* key, const char* words, const Spoil& spoil) {
  expect_problem(key, words, [&](Plan& p) {
    p.ground.patches = {patch_called("mud")};
    spoil(p, p.ground.patches[0]);
  });
}

TEST(CheckContacts, patches_of_the_ground_need_a_region_and_numbers_that_the_law_knows) {
  Plan sound = sound_plan();
  sound.ground.patches = {patch_called("mud"), patch_called("ice")};
  sound.ground.patches[0].stiffness = 1e4, sound.ground.patches[0].damping = 10.0;
  sound.ground.patches[1].center = {0.0, 1.0}, sound.ground.patches[1].radius = 0.5;
  EXPECT_TRUE(problems_of(sound).empty());
  expect_patch_problem("ground.patch.mud.x", "from and to", [](Plan&, PatchPlan& m) { m.x = {1.0, 1.0}; });
  expect_patch_problem("ground.patch.mud.y", "from and to", [](Plan&, PatchPlan& m) { m.y = {0.0, nan}; });
  expect_patch_problem("ground.patch.mud.center", "centre", [](Plan&, PatchPlan& m) { m.radius = 1.0; });
  expect_patch_problem("ground.patch.mud.radius", "radius", [](Plan&, PatchPlan& m) { m.center = {0.0, 0.0}; });
  expect_patch_problem("ground.patch.mud.stiffness", ">= 0", [](Plan&, PatchPlan& m) { m.stiffness = -1.0; });
  expect_patch_problem("ground.patch.mud.mu", "-1: that of the materials", [](Plan&, PatchPlan& m) { m.mu = -0.5; });
  expect_patch_problem("ground.patch.mud.restitution", "from 0 to 1", [](Plan&, PatchPlan& m) { m.restitution = 1.5; });
  expect_patch_problem("ground.patch.mud.damping", "stiffness", [](Plan&, PatchPlan& m) { m.damping = 1.0; });
  expect_patch_problem("ground.patch.mud.restitution", "bounces by its stiffness",
                       [](Plan&, PatchPlan& m) { m.stiffness = 1e4, m.restitution = 0.5; });
  expect_patch_problem("ground.patch.mud.damping", "restitution", [](Plan& p, PatchPlan& m) {
    p.contact.options.response = Response::Penalty;
    m.stiffness = 1e4, m.damping = 5.0;
  });
  expect_patch_problem("ground.patch.mud.stiffness", "\"rigid\" or \"penalty\"", [](Plan& p, PatchPlan& m) {
    p.contact.options.response = Response::Complementarity;
    m.stiffness = 1e4;
  });
  expect_patch_problem("ground.patch.mud.stiffness", "\"auto\"", [](Plan& p, PatchPlan& m) {
    p.contact.options.solver = ContactSolver::ProxFixed;
    m.stiffness = 1e4;
  });
  expect_patch_problem("ground.patch.mud", "two patches",
                       [](Plan& p, PatchPlan&) { p.ground.patches.push_back(patch_called("mud")); });
}

TEST(CheckContacts, a_patch_needs_ground_to_lie_on) {
  Plan plan = sound_plan();
  plan.ground.terrain.kind = TerrainKind::None;
  plan.ground.patches = {patch_called("mud")};
  const auto problems = problems_of(plan);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].key, "ground.patch.mud");
}

TEST(CheckContacts, a_profile_has_ascending_faces_and_one_more_piece) {
  const auto expect = [](const char* key, const char* words, Profile profile, double floor) {
    expect_problem(key, words, [&](Plan& p) {
      p.ground.terrain.kind = TerrainKind::Profile;
      p.ground.terrain.profile = profile;
      p.ground.terrain.height = floor;
    });
  };
  expect("ground.profile.z", "one more than x", {.x = {0.5}, .z = {0.0}}, 0.0);
  expect("ground.profile.z", "at least one", {.x = {}, .z = {0.0}}, 0.0);
  expect("ground.profile.x", "ascend", {.x = {0.5, 0.5}, .z = {0.0, 0.1, 0.0}}, 0.0);
  expect("ground.profile.z", "lowest", {.x = {0.5, 0.7}, .z = {0.0, -0.1, 0.0}}, 0.0);
  expect("ground.profile.width", "> 0", {.x = {0.5}, .z = {0.0, 0.1}, .width = 0.0}, 0.0);
}

}  // namespace check_contacts_test
}  // namespace sinew
