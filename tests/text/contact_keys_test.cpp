// Keys of shapes, ground, contact and joint ranges: what is read, what is refused and with which words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/model/describe.h"
#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"
#include "sinew/text/show.h"

namespace sinew::text {
namespace contact_keys_test {

using testing::HasSubstr;

const std::string scene = R"([ground]
kind = "plane"
[body.block]
inertia = [1, 1, 1]
[body.block.shape.s]
kind = "capsule"
radius = 0.1
length = 0.5
[joint.air]
kind = "free"
child = "block"
)";

std::string with(const std::string& more) { return scene + more; }
std::string without(const std::string& line, const std::string& instead = "") {
  std::string text = scene;
  const auto at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  return text.replace(at, line.size(), instead);
}

TEST(ContactKeys, values_reach_the_plan) {
  const Plan plan = parse_scenario(with(R"(
[body.block.shape.b]
kind = "box"
size = [0.1, 0.2, 0.3]
position = [1, 2, 3]
along = [0, 1, 0]
material = "wood"
[contact]
mu_long = 0.1
mu_trans = 0.7
static_ratio = 1.5
stribeck_speed = 0.01
rolling = 0.001
drilling = 0.002
restitution = 0.4
solver = "newton"
tolerance = 1e-9
activation_gap = 1e-5
between_bodies = false
[contact.pair.p]
first = "wood"
second = "ground"
mu = 0.9
[gravity]
incline_deg = 90
[integrator]
actuator = "implicit"
)"),
                                   "file")
                        .plan;
  const ShapePlan& s = plan.bodies[0].shapes[0];
  EXPECT_EQ(s.shape.kind, ShapeKind::Capsule);
  EXPECT_EQ(s.shape.half_length, 0.25);
  EXPECT_EQ(s.material, "default");
  const ShapePlan& b = plan.bodies[0].shapes[1];
  EXPECT_EQ(b.shape.half[2], 0.15);
  EXPECT_EQ(b.position[1], 2.0);
  EXPECT_EQ(b.along[1], 1.0);
  const ContactLaw<double>& law = plan.contact.law;
  EXPECT_EQ(law.mu_forward, 0.1);
  EXPECT_EQ(law.mu_backward, 0.1);  // as mu_long
  EXPECT_EQ(law.mu_trans, 0.7);
  EXPECT_EQ(law.static_ratio, 1.5);
  EXPECT_EQ(law.restitution, 0.4);
  EXPECT_EQ(plan.contact.options.solver, ContactSolver::Newton);
  EXPECT_FALSE(plan.contact.options.between_bodies);
  const PairPlan& pair = plan.contact.pairs[0];
  EXPECT_EQ(pair.law.mu_backward, 0.9);
  EXPECT_EQ(pair.law.restitution, 0.4);  // what a pair does not say is as in [contact]
  EXPECT_DOUBLE_EQ(plan.incline, 1.5707963267948966);
  EXPECT_TRUE(plan.implicit_servos);
}

TEST(ContactKeys, defaults) {
  const Plan plan = parse_scenario(scene, "file").plan;
  EXPECT_EQ(plan.contact.law.mu_forward, 0.5);
  EXPECT_EQ(plan.contact.law.mu_trans, 0.5);
  EXPECT_EQ(plan.contact.law.mu_backward, 0.5);
  EXPECT_EQ(plan.ground.material, "ground");
  EXPECT_FALSE(plan.implicit_servos);
}

TEST(ContactKeys, ranges_and_dry_friction_of_joints) {
  const Plan plan = parse_scenario(with(R"(
[body.arm]
inertia = [1, 1, 1]
[joint.a]
kind = "universal"
parent = "block"
child = "arm"
lower_deg = [-90, -180]
upper = 1
dry_friction = [0.1, 0.2]
)"),
                                   "file")
                        .plan;
  EXPECT_DOUBLE_EQ(plan.joints[1].lower[0], -1.5707963267948966);
  EXPECT_EQ(plan.joints[1].upper, (std::vector<double>{1, 1}));
  EXPECT_EQ(plan.joints[1].dry_friction, (std::vector<double>{0.1, 0.2}));
}

struct Bad {
  std::string text;
  std::vector<const char*> parts;  // of the first message
  std::size_t count = 1;           // of messages: a wrong kind makes other keys wrong
};

TEST(ContactKeys, what_is_wrong_is_said_with_line_and_cure) {
  const std::string slide = "[body.arm]\ninertia = [1, 1, 1]\n[joint.a]\nparent = \"block\"\nchild = \"arm\"\n";
  const Bad cases[] = {
      {without("\"capsule\"", "\"cone\""), {"file:6", "body.block.shape.s.kind", "sphere, capsule, box"}, 2},
      {without("\"capsule\"", "\"sphere\""), {"file:8", "length belongs to capsules", "a sphere"}},
      {without("\"capsule\"", "\"box\""), {"file:7", "radius belongs to spheres, capsules and cylinders", "a box"}, 2},
      {without("radius = 0.1", "size = [1, 1, 1]"), {"file:7", "size belongs to boxes", "a capsule"}},
      {without("radius = 0.1\n"), {"file:5", "body.block.shape.s.radius", "> 0 m, is 0"}},
      {without("radius = 0.1", "radius = 0"), {"file:7", "must be > 0"}},
      {without("length = 0.5", "length = -1"), {"file:8", "must be > 0"}},
      {without("radius = 0.1", "radius = 0.1\norientation = [1, 1, 0, 0]"), {"file:8", "length 1"}},
      {without("radius = 0.1", "radius = 0.1\nalong = [0, 0, 0]"), {"file:8", "along", "not zero"}},
      {without("\"plane\"", "\"plain\""), {"file:2", "none, plane, steps, heights"}},
      {without("\"plane\"", "\"plane\"\nnormal = [0, 0, 0]"), {"file:3", "normal of the ground is zero"}},
      {without("\"plane\"", "\"steps\"\nnormal = [0, 0, 1]"), {"file:3", "normal belongs to kind = \"plane\""}},
      {without("\"plane\"", "\"heights\"\nheight = 1"), {"file:3", "height belongs to"}},
      {with("[ground.steps]\ncount = 3\n"), {"file:12", "steps belongs to kind = \"steps\"", "\"plane\""}},
      {without("\"plane\"", "\"steps\"\n[ground.steps]\ncount = 0"), {"file:4", ">= 1"}},
      {without("\"plane\"", "\"heights\"\n[ground.heights]\nnx = 2\nny = 2\nz = [1, 2, 3]"),
       {"file:6", "2 x 2 = 4 heights are needed, 3 are given"}},
      {with("[contact]\nlaw = \"soft\"\n"), {"file:13", "contact.law", "one of rigid"}},
      {with("[contact]\nmu = -1\n"), {"file:13", "contact.mu is -1", ">= 0"}},
      {with("[contact]\nmu = 0.1\nmu_trans = 0.2\n"), {"file:14", "mu and mu_trans are both given", "give mu alone"}},
      {with("[contact]\nrestitution = 1.1\n"), {"file:13", ">= 0 and <= 1"}},
      {with("[contact]\nstatic_ratio = 0.9\n"), {"file:13", ">= 1"}},
      {with("[contact]\nsolver = \"magic\"\n"), {"file:13", "auto, recursion, sweep, newton"}},
      {with("[contact]\nbetween_bodies = 1\n"), {"file:13", "true or false"}},
      {with("[contact]\nmuu = 1\n"), {"file:13", "unknown key muu", "did you mean mu"}},
      {with("[contact.pair.p]\nfirst = \"wood\"\nsecond = \"ground\"\n"),
       {"file:13", "nothing is made of 'wood'", "default, ground"}},
      {with("[contact.pair.p]\nfirst = \"default\"\n"), {"file:12", "second", "choose from default, ground"}},
      {with(
           "[contact.pair.p]\nfirst = \"default\"\nsecond = \"ground\"\n[contact.pair.q]\nfirst = \"ground\"\nsecond = "
           "\"default\"\n"),
       {"file:15", "another pair is already for"}},
      {with("[contact]\nsolver = \"recursion\"\n[robot]\ncoordinates = \"maximal\"\n"),
       {"file:13", "maximal", "use \"auto\""}},
      {with("[contact]\nsolver = \"recursion\"\n[integrator]\nmethod = \"rk4\"\n"), {"file:13", "rk4", "use \"auto\""}},
      {with("[integrator]\nmethod = \"rk4\"\nactuator = \"implicit\"\n"),
       {"file:14", "rk4 is an explicit method and has no implicit part", "moreau"}},
      {with("[gravity]\nkind = \"none\"\nincline = 0.1\n"), {"file:14", "only a uniform field"}},
      {with("[gravity]\nincline = 0.1\nincline_deg = 3\n"), {"file:14", "both given"}},
      {without("kind = \"free\"", "kind = \"free\"\nlower = 0"), {"file:11", "a free joint turns freely in space"}},
      {with(slide + "lower = 1\nupper = 0\n"), {"file:18", "must be below upper"}},
      {with(slide + "upper_deg = 10\nposition_deg = 20\n"), {"file:18", "outside of the range"}},
      {with(slide + "dry_friction = -1\n"), {"file:17", ">= 0"}},
      {with(slide + "dry_friction = [1, 2]\n"), {"file:17", "1 number"}},
  };
  for (const Bad& bad : cases) {
    try {
      parse_scenario(bad.text, "file");
      ADD_FAILURE() << "accepted:\n" << bad.text;
    } catch (const InputError& e) {
      std::string all;
      for (const std::string& problem : e.problems) all += problem + "\n";
      EXPECT_EQ(e.problems.size(), bad.count) << all;
      for (const char* part : bad.parts) EXPECT_THAT(e.problems[0], HasSubstr(part)) << bad.text;
    }
  }
}

TEST(ContactKeys, shown_and_read_again_it_shows_the_same) {
  for (const char* more : {"", "[contact]\nmu = 0.3\n",
                           "[contact]\nmu_long = 0.1\nmu_backward = 0.2\n[contact.pair.p]\nfirst = \"default\"\n"
                           "second = \"ground\"\nrestitution = 1\n",
                           "[gravity]\nincline_deg = 33\ndownhill_azimuth = 1\n"}) {
    const std::string once = show(parse_scenario(with(more), "file"));
    EXPECT_EQ(once, show(parse_scenario(once, "file")));
  }
  for (const char* ground :
       {"\"none\"", "\"plane\"\nnormal = [1, 0, 2]\nheight = -3", "\"steps\"\n[ground.steps]\ncount = 3",
        "\"heights\"\n[ground.heights]\nnx = 2\nny = 2\n"
        "z = [0, 0, 0, 1]"}) {
    const std::string once = show(parse_scenario(without("\"plane\"", ground), "file"));
    EXPECT_EQ(once, show(parse_scenario(once, "file")));
  }
}

ContactLaw<double> law_after(const std::string& contact, const std::vector<std::string>& sets) {
  return parse_scenario(with(contact), "file", sets).plan.contact.law;
}

// The command line has the last word, also between mu and the keys it stands for.
TEST(ContactKeys, a_set_value_replaces_what_the_file_says) {
  const std::vector<std::string> all{"mu=0.9"}, one{"mu_long=0.1"}, both{"mu=0.9", "mu_trans=0.2"};
  EXPECT_EQ(law_after("", all).mu_trans, 0.9);
  EXPECT_EQ(law_after("[contact]\nmu_long = 0.1\nmu_trans = 0.2\n", all).mu_forward, 0.9);
  EXPECT_EQ(law_after("[contact]\nmu_long = 0.1\nmu_trans = 0.2\n", all).mu_trans, 0.9);
  const ContactLaw<double> law = law_after("[contact]\nmu = 0.6\n", one);
  EXPECT_EQ(law.mu_forward, 0.1);
  EXPECT_EQ(law.mu_trans, 0.6);
  EXPECT_EQ(law_after("", both).mu_trans, 0.2);
  EXPECT_EQ(law_after("", both).mu_forward, 0.9);
}

}  // namespace contact_keys_test
}  // namespace sinew::text
