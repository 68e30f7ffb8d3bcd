// include, [param], [copies] and names with wildcards: the long scenario that a short one stands for.
#include "sinew/text/expand.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"

namespace sinew::text {
namespace expand_test {

using sim::Experiment;

Experiment load(std::string_view text, std::vector<std::string> sets = {}) {
  return parse_experiment(text, "file.toml", sets);
}
std::string problems_of(std::string_view text, std::vector<std::string> sets = {}) {
  try {
    load(text, sets);
  } catch (const InputError& e) {
    std::string all;
    for (const std::string& p : e.problems) all += p + "\n";
    return all;
  }
  return "";
}
const BodyPlan& body(const Experiment& e, const std::string& name) {
  return *std::ranges::find(e.scenario.plan.bodies, name, &BodyPlan::name);
}
const JointPlan& joint(const Experiment& e, const std::string& name) {
  return *std::ranges::find(e.scenario.plan.joints, name, &JointPlan::name);
}

TEST(Param, arithmetic_stands_for_numbers_wherever_these_may) {
  const Experiment e = load(R"(
[param]
half = "leg / 2"
leg = 0.4
[body.a]
mass = "2 * leg"
com = [0, "half", "-leg"]
[joint.a]
child = "a"
position_deg = "90 * half"
damping = "half"
)");
  EXPECT_EQ(body(e, "a").mass, 0.8);
  EXPECT_EQ(body(e, "a").com[1], 0.2);
  EXPECT_EQ(body(e, "a").com[2], -0.4);
  EXPECT_NEAR(joint(e, "a").position[0], 18.0 * std::numbers::pi / 180.0, 1e-15);
  EXPECT_EQ(joint(e, "a").damping[0], 0.2);
}

TEST(Param, the_command_line_sets_them_by_either_name) {
  constexpr const char* text = R"(
[param]
leg = 0.4
duration = 3.0
mass = 1.0
[body.a]
mass = "2 * leg"
inertia = [1, 1, 1]
[joint.a]
child = "a"
)";
  EXPECT_EQ(body(load(text, {"param.leg=1"}), "a").mass, 2.0);
  EXPECT_EQ(body(load(text, {"leg=1"}), "a").mass, 2.0);
  EXPECT_EQ(body(load(text, {"leg=0.5 * mass"}), "a").mass, 1.0);
  EXPECT_EQ(body(load(text, {"body.a.mass=3 * leg"}), "a").mass, 3 * 0.4);
  EXPECT_EQ(load(text, {"duration=7"}).scenario.duration, 7.0);  // the key at the top, not the parameter
  EXPECT_EQ(problems_of(text, {"mass=2"}), "--set mass=2: two keys end in mass: write param.mass or body.a.mass\n");
  EXPECT_EQ(problems_of(text, {"param.lag=2"}),
            "--set param.lag=2: there is no param.lag: there are param.duration, param.leg, param.mass\n");
}

TEST(Param, what_is_wrong_names_the_line) {
  EXPECT_EQ(problems_of("[param]\na = \"b + 1\"\nb = \"a + 1\"\n"),
            "file.toml:2: param.a: it needs a number, or arithmetic: there is no parameter b: [param] is empty\n"
            "file.toml:3: param.b: it needs a number, or arithmetic: there is no parameter a: [param] is empty\n");
  EXPECT_EQ(problems_of("[param]\na-b = 1\n"),
            "file.toml:2: param.a-b: names of parameters are made of letters, digits and _, and are not pi\n");
  EXPECT_EQ(problems_of("[param]\na = [1]\n"), "file.toml:2: param.a: it needs a number\n");
  EXPECT_EQ(problems_of("param = 1\n"),
            "file.toml:1: param: it must be a table: write [param] on a line and NAME = NUMBER below\n");
  const std::string wrong = problems_of("[body.a]\nmass = \"2 * leg\"\n[joint.a]\nchild = \"a\"\n");
  EXPECT_EQ(
      wrong,
      "file.toml:2: body.a.mass is text \"2 * leg\": it needs a number [kg], or arithmetic: there is no parameter "
      "leg: [param] is empty\n");
  EXPECT_NE(problems_of("[ground]\nkind = \"steps\"\n[ground.steps]\ncount = \"5 / 2\"\n").find("a whole number"),
            std::string::npos);
}

// A leg with everything in it, askew, so that no symmetry hides a wrong sign.
constexpr const char* leg = R"(
[param]
L = 0.3
[gravity]
g = [0, 0, 0]
[body.trunk]
mass = 1
inertia = [1, 1, 1]
[joint.root]
kind = "weld"
child = "trunk"
[body.fl]
mass = 1
com = [0.01, 0.02, "-L / 2"]
inertia = [0.02, 0.03, 0.02, 0.001, 0.002, 0.003]
[body.fl.shape.bar]
kind = "capsule"
radius = 0.02
length = "L"
position = [0.03, 0.02, "-L / 2"]
orientation = [0.9, 0.1, 0.3, 0.3]
along = [0, 1, 0.5]
[joint.fl_hip]
parent = "trunk"
child = "fl"
p_parent = [0.5, 0.2, 0.1]
p_child = [0.01, 0.02, 0.03]
orientation = [0.8, 0.2, 0.4, 0.4]
axis = [0.3, 0.5, 0.8]
position = 0.7
velocity = 0.4
[body.fl_foot]
mass = 0.2
inertia = [0.02, 0.03, 0.01]
[joint.fl_slide]
kind = "prismatic"
parent = "fl"
child = "fl_foot"
p_parent = [0, 0.1, "-L"]
axis = [0.1, 0.4, -0.9]
position = 0.1
velocity = 0.2
[marker.fl_toe]
body = "fl_foot"
position = [0.05, 0.06, 0.07]
[cable.fl_spring]
kind = "strut"
bodies = ["trunk", "fl_foot"]
points = [0.4, 0.3, 0.2, 0.01, 0.02, 0.03]
stiffness = 10
length0 = 0.1
)";

Vec3d toe(const Experiment& e, const std::string& name, bool velocity = false) {
  const World<double> world = sim::make_world(e.scenario);
  Observer<double> observer(world.model());
  const Observation<double>& seen = observer.observe(world);
  const Model& model = world.model();
  const auto found = std::ranges::find(model.markers, name, &MarkerInfo::name);
  const BodyMotion<double>& b = seen.bodies[std::size_t(found->link)];
  const Vec3d p = b.X_WB * found->p_B;
  return velocity ? b.v_WC + cross(b.w_WB, p - b.p_WC) : p;
}
void expect_near(const Vec3d& a, const Vec3d& b) {
  for (int i = 0; i < 3; i++) EXPECT_NEAR(a[i], b[i], 1e-14);
}

TEST(Copies, a_mirrored_leg_is_the_mirror_image_and_moves_as_it) {
  for (int m = 0; m < 3; m++) {
    const std::string axis(1, "xyz"[m]);
    const Experiment e = load(std::string(leg) + "[copies.fr]\nof = \"fl\"\nmirror = \"" + axis + "\"\n");
    const auto mirrored = [&](Vec3d v) {
      v[m] = -v[m];
      return v;
    };
    expect_near(toe(e, "fr_toe"), mirrored(toe(e, "fl_toe")));
    expect_near(toe(e, "fr_toe", true), mirrored(toe(e, "fl_toe", true)));
    expect_near(body(e, "fr").com, mirrored(body(e, "fl").com));
    // the image moves as the leg does: inertia, springs and all
    World<double> world = sim::make_world(e.scenario);
    for (int i = 0; i < 200; i++) world.step(1e-3);
    const Model& model = world.model();
    const auto q = [&](const char* name) {
      return world.state.q[std::size_t(model.links[std::size_t(model.joints[std::size_t(model.joint(name))].link)].q)];
    };
    EXPECT_NEAR(q("fr_hip"), q("fl_hip"), 1e-13);
    EXPECT_NEAR(q("fr_slide"), q("fl_slide"), 1e-13);
    EXPECT_GT(std::abs(q("fl_hip") - 0.7), 1e-3);
  }
}

TEST(Copies, turned_and_shifted_legs_stand_around_the_body) {
  const Experiment e = load(std::string(leg) +
                            "[copies.leg]\nof = \"fl\"\ncount = 3\nangle_deg = 90\n"
                            "center = [0.1, 0, 0]\nshift = [0, 0, 0.5]\n");
  const Vec3d p = toe(e, "fl_toe"), c(0.1, 0, 0), r = p - c;
  expect_near(toe(e, "leg1_toe"), c + Vec3d(-r[1], r[0], r[2] + 0.5));
  expect_near(toe(e, "leg2_toe"), c + Vec3d(-r[0], -r[1], r[2] + 1.0));
  expect_near(toe(e, "leg3_toe"), c + Vec3d(r[1], -r[0], r[2] + 1.5));
}

TEST(Copies, a_chain_hangs_each_on_the_one_before_and_numbers_go_on) {
  const Experiment e = load(R"(
[param]
n = 3
[body.seg1]
mass = 1
inertia = [1, 1, 1]
[joint.seg1]
child = "seg1"
p_parent = [1, 0, 0]
[copies.seg]
of = "seg1"
count = "n"
parent = "seg1"
[joint.seg3]
damping = 7.0
)");
  ASSERT_EQ(e.scenario.plan.joints.size(), 4u);
  EXPECT_EQ(joint(e, "seg1").parent, "world");
  EXPECT_EQ(joint(e, "seg2").parent, "seg1");
  EXPECT_EQ(joint(e, "seg4").parent, "seg3");
  EXPECT_EQ(joint(e, "seg4").child, "seg4");
  EXPECT_EQ(joint(e, "seg4").p_parent[0], 1.0);
  EXPECT_EQ(joint(e, "seg3").damping[0], 7.0);  // what the file says goes over the copy
  EXPECT_EQ(joint(e, "seg3").p_parent[0], 1.0);
  EXPECT_TRUE(joint(e, "seg2").damping.empty());
  for (std::size_t i = 0; i < 4; i++) EXPECT_EQ(e.scenario.plan.joints[i].name, "seg" + std::to_string(i + 1));
}

TEST(Copies, sensors_and_what_may_not_touch_go_along) {
  const Experiment e = load(std::string(leg) + R"(
[sensor.fl_angle]
joint = "fl_hip"
[contact]
ignore = ["fl:trunk", "fl:fl_foot"]
[copies.fr]
of = "fl"
mirror = "y"
)");
  EXPECT_EQ(e.scenario.plan.sensors.back().name, "fr_angle");
  EXPECT_EQ(e.scenario.plan.sensors.back().joint, "fr_hip");
  EXPECT_EQ(e.scenario.plan.contact.ignore,
            (std::vector<std::string>{"fl:trunk", "fl:fl_foot", "fr:trunk", "fr:fr_foot"}));
}

TEST(Copies, what_is_wrong_names_the_key) {
  const auto with = [](const std::string& more) { return problems_of(std::string(leg) + more); };
  EXPECT_NE(with("[copies.fr]\nmirror = \"y\"\n").find("it must say what is copied"), std::string::npos);
  EXPECT_NE(with("[copies.fr]\nof = \"nix\"\n").find("copies.fr.of: no part is called nix"), std::string::npos);
  EXPECT_NE(with("[copies.fr]\nof = \"fl\"\nmirror = \"q\"\n").find("copies.fr.mirror: it must be one of"),
            std::string::npos);
  EXPECT_NE(with("[copies.fr]\nof = \"fl\"\nmiror = \"y\"\n").find("did you mean mirror"), std::string::npos);
  EXPECT_NE(with("[copies.fr]\nof = \"fl\"\ncount = 0\n").find("copies.fr.count: it must be a whole number"),
            std::string::npos);
  EXPECT_NE(with("[copies.fr]\nof = \"fl\"\nshift = [1, \"x\", 0]\n").find("copies.fr.shift: it needs 3 numbers"),
            std::string::npos);
  EXPECT_NE(with("[copies.fr]\nof = \"fl\"\nparent = \"trunk\"\n").find("it must be a body of the group"),
            std::string::npos);
  EXPECT_NE(with("[body.fl.shape.mesh]\nkind = \"hull\"\nfile = \"a.stl\"\n[copies.fr]\nof = \"fl\"\nmirror = \"y\"\n")
                .find("the mesh of a file has no mirror image"),
            std::string::npos);
  // a mistake in what is copied is told where it is written
  EXPECT_NE(with("[joint.fl_hip2]\nparent = \"trunk\"\nchild = \"trunk\"\n[copies.fr]\nof = \"fl\"\n")
                .find("its child is not a body of the group"),
            std::string::npos);
}

struct IncludeFiles {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "sinew_expand_test";
  IncludeFiles() { std::filesystem::create_directories(folder / "parts"); }
  ~IncludeFiles() { std::filesystem::remove_all(folder); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
};

TEST(Include, a_file_has_the_last_word_over_those_it_includes) {
  const IncludeFiles files;
  files.write("parts/arm.toml",
              "include = \"hand.toml\"\n[param]\nL = 1.0\n[body.arm]\ninertia = [1, 1, 1]\nmass = "
              "\"L\"\n[joint.arm]\nchild = \"arm\"\n");
  files.write("parts/hand.toml",
              "[body.hand]\ninertia = [1, 1, 1]\nmass = 5.0\n[joint.hand]\nparent = \"arm\"\nchild = \"hand\"\n");
  const std::string main = files.write("main.toml",
                                       "include = [\"parts/arm.toml\"]\n[param]\nL = 2.0\n[joint.more]\nparent = "
                                       "\"hand\"\nchild = \"more\"\n[body.more]\n"
                                       "inertia = [1, 1, 1]\nmass = 1\n[body.hand]\nmass = 7.0\n");
  const Experiment e = load_experiment(main, "main");
  EXPECT_EQ(body(e, "arm").mass, 2.0);
  EXPECT_EQ(body(e, "hand").mass, 7.0);
  // in the order in which the text would stand there
  ASSERT_EQ(e.scenario.plan.bodies.size(), 3u);
  EXPECT_EQ(e.scenario.plan.bodies[0].name, "hand");
  EXPECT_EQ(e.scenario.plan.bodies[1].name, "arm");
  EXPECT_EQ(e.scenario.plan.bodies[2].name, "more");
}

TEST(Include, mistakes_are_told_where_they_are_written) {
  const IncludeFiles files;
  const auto problems = [&](const std::string& text) -> std::string {
    try {
      load_experiment(files.write("main.toml", text), "main");
    } catch (const InputError& e) {
      return e.problems.at(0);
    }
    return "";
  };
  files.write("bad.toml", "\n\n[body.a]\nmasss = 1\n");
  EXPECT_NE(problems("include = \"bad.toml\"\n").find("bad.toml:4: unknown key masss"), std::string::npos);
  EXPECT_NE(problems("\ninclude = \"none.toml\"\n").find("main.toml:2: include: "), std::string::npos);
  EXPECT_NE(problems("include = 3\n").find("it needs names of files"), std::string::npos);
  files.write("loop.toml", "include = \"main.toml\"\n");
  EXPECT_NE(problems("include = \"loop.toml\"\n").find("main.toml leads back to itself"), std::string::npos);
  files.write("no.toml", "[");
  EXPECT_NE(problems("include = \"no.toml\"\n").find("no.toml:1: not valid TOML"), std::string::npos);
}

TEST(Wildcards, set_keys_of_many_parts_but_not_of_the_way_through_the_world) {
  constexpr const char* text = R"(
[body.a]
inertia = [1, 1, 1]
[joint.root]
kind = "free"
child = "a"
[body.b]
inertia = [1, 1, 1]
[joint.left]
parent = "a"
child = "b"
[body.c]
inertia = [1, 1, 1]
[joint.right]
parent = "a"
child = "c"
)";
  const Experiment e = load(text, {"joint.*.damping=0.5", "body.?.mass=3", "*t.stiffness=2"});
  EXPECT_EQ(joint(e, "left").damping[0], 0.5);
  EXPECT_EQ(joint(e, "right").damping[0], 0.5);
  EXPECT_TRUE(joint(e, "root").damping.empty());
  EXPECT_EQ(joint(e, "right").stiffness[0], 2.0);
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(body(e, name).mass, 3.0);
  EXPECT_EQ(joint(load(text, {"joint.ro*.damping=1"}), "root").damping[0], 1.0);
  EXPECT_EQ(problems_of(text, {"joint.*.dampin=1"}),
            "--set joint.*.dampin=1: no key is called joint.*.dampin: sinew show lists all keys\n");
}

}  // namespace expand_test
}  // namespace sinew::text
