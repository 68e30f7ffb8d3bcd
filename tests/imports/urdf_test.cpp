#include "sinew/imports/urdf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "sinew/imports/import.h"
#include "sinew/imports/mesh_child.h"
#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/folder.h"
#include "tests/support/mujoco.h"

namespace sinew {
namespace urdf_test {

using imports::import_model_text;
using imports::Imported;
using imports::ImportOptions;
using ::testing::Contains;
using ::testing::HasSubstr;

std::string link(const std::string& name, const std::string& inside = {}) {
  return "<link name=\"" + name +
         "\"><inertial><origin xyz=\"0.1 0.02 -0.03\" rpy=\"0.3 -0.2 0.5\"/><mass value=\"2\"/>" +
         "<inertia ixx=\"0.02\" ixy=\"0.001\" ixz=\"-0.002\" iyy=\"0.03\" iyz=\"0.003\" izz=\"0.04\"/></inertial>" +
         inside + "</link>\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& inside) {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><origin xyz=\"0.1 0.2 0.3\" rpy=\"0.4 0.5 -0.6\"/>" +
         "<parent link=\"" + parent + "\"/><child link=\"" + child + "\"/>" + inside + "</joint>\n";
}

const std::string limit = "<limit lower=\"-1\" upper=\"2\" effort=\"5\" velocity=\"3\"/>";

// For MuJoCo, which fuses the root with the world.
std::string arm() {
  return "<robot name=\"arm\">\n" + link("base") + link("upper") + link("tool") + link("slide") + link("lower") +
         joint("shoulder", "revolute", "base", "upper", "<axis xyz=\"0.1 0.9 0.2\"/>" + limit) +
         joint("grip", "fixed", "upper", "tool", "") +
         joint("rail", "prismatic", "tool", "slide", "<axis xyz=\"0 0.6 0.8\"/>" + limit) +
         joint("elbow", "continuous", "slide", "lower", "<dynamics damping=\"0.2\" friction=\"0.3\"/>") + "</robot>\n";
}

sim::Experiment experiment_of(const Imported& model) { return text::parse_experiment(model.text, "robot.toml"); }

Imported fixed(const std::string& text) {
  ImportOptions options;
  options.prepare.base = "fixed";
  return import_model_text(text, "robot.urdf", options);
}

bool says(const Imported& model, const std::string& what) {
  return std::ranges::any_of(model.notes,
                             [&](const std::string& note) { return note.find(what) != std::string::npos; });
}

// MuJoCo seems to find principal axes to 1.4e-6 rad only (mjcf_test.cpp): the arm with skew tensors agrees to that, and one without to 1e-9.
TEST(Urdf, moves_as_in_mujoco) {
  std::string plain = arm();
  const std::pair<std::string, std::string> skew[] = {{" rpy=\"0.3 -0.2 0.5\"", ""},
                                                      {"ixy=\"0.001\" ixz=\"-0.002\"", "ixy=\"0\" ixz=\"0\""},
                                                      {"iyz=\"0.003\"", "iyz=\"0\""}};
  for (const auto& [from, to] : skew)
    for (auto at = plain.find(from); at != std::string::npos; at = plain.find(from)) plain.replace(at, from.size(), to);
  const std::string weld =
      "<joint name=\"grip\" type=\"fixed\">";  // what is fixed makes a skew tensor with what carries it
  ASSERT_NE(plain.find(weld), std::string::npos);
  plain.replace(plain.find(weld), weld.size(), "<joint name=\"grip\" type=\"continuous\">");
  for (unsigned seed = 1; seed <= 3; seed++) {
    const auto exact = support::compare_text_with_mujoco(experiment_of(fixed(plain)), plain, seed);
    ASSERT_EQ(exact.unread, "");
    EXPECT_LT(exact.place, 1e-9);
    EXPECT_LT(exact.inertia, 1e-9);
    EXPECT_LT(exact.bias, 1e-9);
    const auto errors = support::compare_text_with_mujoco(experiment_of(fixed(arm())), arm(), seed);
    ASSERT_EQ(errors.unread, "");
    EXPECT_EQ(errors.freedoms, 3);
    EXPECT_LT(errors.place, 1e-9);
    EXPECT_LT(errors.inertia, 2e-6);
    EXPECT_LT(errors.bias, 2e-6);
  }
}

TEST(Urdf, of_a_floating_robot_has_all_its_mass_and_stands_on_the_ground) {
  const std::string box = "<collision><geometry><box size=\"0.4 0.3 0.2\"/></geometry></collision>";
  const Imported model = import_model_text("<robot name=\"a\">" + link("base", box) + "</robot>", "a.urdf");
  const auto e = experiment_of(model);
  ASSERT_EQ(e.plan().joints.size(), 1u);
  EXPECT_EQ(e.plan().joints[0].kind, JointKind::Free);
  // the free joint is that of the centre of mass, which is at z = -0.03 of the link
  EXPECT_NEAR(e.plan().joints[0].position[2], 0.1 - 0.03, 1e-15);
  EXPECT_EQ(e.plan().ground.terrain.kind, TerrainKind::Plane);
}

TEST(Urdf, keeps_limits_damping_and_friction) {
  const auto e = experiment_of(fixed(arm()));
  const auto find = [&](const char* name) { return *std::ranges::find(e.plan().joints, name, &JointPlan::name); };
  EXPECT_EQ(find("shoulder").lower, std::vector{-1.0});
  EXPECT_EQ(find("shoulder").upper, std::vector{2.0});
  EXPECT_TRUE(find("elbow").lower.empty());
  EXPECT_EQ(find("elbow").damping, std::vector{0.2});
  EXPECT_EQ(find("elbow").dry_friction, std::vector{0.3});
}

TEST(Urdf, a_joint_that_mimics_another_follows_it) {
  std::string text = arm();
  const std::string elbow = "<joint name=\"elbow\"";
  const auto at = text.find('>', text.find(elbow)) + 1;
  text.insert(at, "<mimic joint=\"shoulder\" multiplier=\"-2\" offset=\"0.3\"/>");
  const Imported model = fixed(text);
  EXPECT_FALSE(says(model, "mimic"));
  const auto e = experiment_of(model);
  ASSERT_EQ(e.plan().couplings.size(), 1u);
  EXPECT_EQ(e.plan().couplings[0].joints, (std::vector<std::string>{"elbow", "shoulder"}));
  auto world = make_world(e.plan());
  for (int k = 0; k < 200; k++) world.step(1e-3);
  const auto seen = observe(world);
  const auto q = [&](const char* name) { return seen.joints[std::size_t(world.model().joint(name))].q[0]; };
  EXPECT_GT(std::abs(q("shoulder")), 0.01);  // gravity has moved it
  EXPECT_NEAR(q("elbow"), 0.3 - 2.0 * q("shoulder"), 1e-9);
}

TEST(Urdf, parts_that_are_fixed_are_one_body_or_stay_apart) {
  EXPECT_EQ(experiment_of(fixed(arm())).plan().bodies.size(), 4u);
  ImportOptions options;
  options.prepare.base = "fixed";
  options.prepare.keep_fixed = true;
  EXPECT_EQ(experiment_of(import_model_text(arm(), "robot.urdf", options)).plan().bodies.size(), 5u);
}

TEST(Urdf, friction_of_gazebo_acts_along_its_direction) {
  const std::string ball = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
  const std::string text = "<robot name=\"a\">" + link("foot", ball) +
                           "<gazebo reference=\"foot\"><mu1>0.2</mu1><mu2 value=\"0.9\"/><fdir1>0 1 0</fdir1>"
                           "<kp>1e5</kp></gazebo></robot>";
  const Plan plan = experiment_of(import_model_text(text, "a.urdf")).plan();
  ASSERT_EQ(plan.contact.pairs.size(), 1u);
  EXPECT_EQ(plan.contact.pairs[0].law.mu_forward, 0.2);
  EXPECT_EQ(plan.contact.pairs[0].law.mu_trans, 0.9);
  EXPECT_EQ(plan.contact.pairs[0].penalty.stiffness, 1e5);
  EXPECT_EQ(plan.bodies[0].shapes[0].along[1], 1.0);
  EXPECT_EQ(plan.bodies[0].shapes[0].material, plan.contact.pairs[0].material1);
}

TEST(Urdf, links_that_gazebo_does_not_pull_down_are_carried) {
  const std::string text = "<robot name=\"a\">" + link("one") + link("two") + link("three") +
                           joint("j", "continuous", "one", "two", "") + joint("k", "continuous", "two", "three", "") +
                           "<gazebo reference=\"one\"><turnGravityOff>true</turnGravityOff></gazebo>"
                           "<gazebo reference=\"two\"><gravity>0</gravity></gazebo>"
                           "<gazebo reference=\"three\"><turnGravityOff>false</turnGravityOff></gazebo></robot>";
  const Imported model = import_model_text(text, "a.urdf");
  EXPECT_TRUE(model.warnings.empty());
  const Plan plan = experiment_of(model).plan();
  ASSERT_EQ(plan.bodies.size(), 3u);
  EXPECT_EQ(plan.bodies[0].gravity_compensation, 1.0);
  EXPECT_EQ(plan.bodies[1].gravity_compensation, 1.0);
  EXPECT_EQ(plan.bodies[2].gravity_compensation, 0.0);
}

// A kilogram within a ball of 0.1 m has 0.01 kg m^2 at most; grams and millimetres would say 4000.
TEST(Urdf, moments_in_other_units_become_those_of_the_shapes_where_that_is_wanted) {
  const std::string ball = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
  const std::string text =
      "<robot name=\"a\"><link name=\"ball\"><inertial><mass value=\"1\"/><inertia ixx=\"4000\" "
      "iyy=\"4000\" izz=\"4000\"/></inertial>" +
      ball + "</link></robot>";
  EXPECT_EQ(experiment_of(import_model_text(text, "a.urdf")).plan().bodies[0].inertia.xx, 4000.0);
  ImportOptions options;
  options.prepare.inertia = "shapes";
  const Imported model = import_model_text(text, "a.urdf", options);
  EXPECT_NEAR(experiment_of(model).plan().bodies[0].inertia.xx, 0.4 * 0.01, 1e-15);
  EXPECT_TRUE(says(model, "is larger than 1 kg within 0.1 m can have"));
}

TEST(Urdf, names_with_number_file_and_line_what_it_does_not_understand) {
  const std::string text = "<robot name=\"a\">\n" + link("base", "\n<glow colour=\"red\"/>") + "<wings/>\n</robot>";
  const Imported model = import_model_text(text, "a.urdf");
  EXPECT_THAT(model.warnings, Contains("warning 1: a.urdf:3: <glow> in <link> is not understood and left out"));
  EXPECT_THAT(model.warnings, Contains("warning 2: a.urdf:4: <wings> in <robot> is not understood and left out"));
}

TEST(Urdf, names_what_is_for_the_controllers_of_real_robots) {
  const Imported model = fixed(R"(<robot name="a"><link name="base"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1"/></inertial></link><link name="frame"><inertial><mass value="0"/>
<inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="a" type="continuous"><parent link="base"/><child link="arm"/><safety_controller k_velocity="3"/>
<calibration rising="0"/></joint><joint name="f" type="fixed"><parent link="arm"/><child link="frame"/></joint>
<transmission name="t"><type>x</type><joint name="a"/><actuator name="m"><mechanicalReduction>50</mechanicalReduction>
</actuator></transmission></robot>)");
  EXPECT_THAT(model.warnings, ::testing::IsEmpty());
  for (const char* what :
       {"<safety_controller>, which is for a real robot's controller, has no effect", "<calibration>",
        "<mechanicalReduction> has no effect", "frame: it has inertia and no mass: both are 0"})
    EXPECT_TRUE(says(model, what)) << what;
}

TEST(Urdf, repairs_what_no_robot_can_have_and_says_so) {
  const std::string text = R"(<robot name="a"><link name="base"/><link name="base"/>
<link name="point"><inertial><mass value="1"/></inertial></link>
<link name="thin"><inertial><mass value="1"/><inertia ixx="1" iyy="0.1" izz="0.1"/></inertial></link>
<link name="air"><collision><geometry><box size="1 1 1"/></geometry></collision>
<collision><geometry><sphere radius="0"/></geometry></collision></link>
<joint name="a" type="revolute"><parent link="base"/><child link="point"/><limit lower="0" upper="0"/></joint>
<joint name="a" type="continuous"><parent link="point"/><child link="thin"/><limit lower="1" upper="2"/></joint>
<joint name="c" type="continuous"><parent link="thin"/><child link="air"/><axis xyz="0 0 0"/></joint></robot>)";
  const Imported model = fixed(text);
  for (const char* what :
       {"two links are named base: this one is called base_2", "two joints are named a",
        "joint a: its range from 0 to 0 is empty", "a continuous joint has no ends", "its axis is zero",
        "point has 1 kg and no inertia", "thin: no body has the principal moments",
        "air moves and has no mass: that of its shapes filled with water, 1000 kg",
        "a shape without extent is left out"})
    EXPECT_TRUE(says(model, what)) << what;
  const Plan plan = experiment_of(model).plan();
  const auto thin = *std::ranges::find(plan.bodies, "thin", &BodyPlan::name);
  EXPECT_NEAR(thin.inertia.xx, thin.inertia.yy + thin.inertia.zz, 1e-9);  // the least that makes it possible
}

TEST(Urdf, without_a_mesh_file_runs_only_where_nothing_needs_it) {
  const std::string mesh = "<collision><geometry><mesh filename=\"package://robot/body.stl\"/></geometry></collision>";
  const std::string text = "<robot name=\"a\">" + link("base", mesh) + "</robot>";
  const Imported model = import_model_text(text, "a.urdf");
  ASSERT_EQ(model.missing.size(), 1u);
  EXPECT_THAT(model.missing[0], HasSubstr("a.urdf:1: base: the mesh package://robot/body.stl is all"));
  EXPECT_EQ(model.warnings.size(), 1u);
  ImportOptions options;
  options.without_meshes = true;
  EXPECT_TRUE(import_model_text(text, "a.urdf", options).missing.empty());
}

TEST(Urdf, finds_meshes_of_packages_and_reads_nothing_outside) {
  const test::Folder folder;
  std::filesystem::create_directories(folder / "my_robot/urdf");
  std::filesystem::create_directories(folder / "my_robot/meshes");
  const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  std::ofstream(folder / "my_robot/meshes/part.obj") << tetrahedron;
  std::ofstream(folder / "secret.obj") << tetrahedron;
  const auto read = [&](const std::string& name) {
    const std::string mesh =
        "<collision><geometry><mesh filename=\"" + name + "\" scale=\"1 1 -2\"/></geometry></collision>";
    return import_model_text("<robot name=\"a\">" + link("base", mesh) + "</robot>", folder / "my_robot/urdf/a.urdf");
  };
  for (const char* name :
       {"package://my_robot/meshes/part.obj", "../meshes/part.obj", "package://other/meshes/part.obj"}) {
    const Imported model = read(name);
    EXPECT_TRUE(model.missing.empty()) << name;
    const auto e = experiment_of(model);
    ASSERT_EQ(e.plan().bodies[0].shapes.size(), 1u);
    EXPECT_EQ(aabb_of(e.plan().bodies[0].shapes[0].shape, Posed::identity()).low[2], -2.0);  // mirrored, twice as long
  }
  for (const std::string& name :
       {std::string("../../secret.obj"), folder / "secret.obj", std::string("package://my_robot/../secret.obj"),
        std::string("package://../secret.obj")}) {
    const Imported model = read(name);
    EXPECT_EQ(model.missing.size(), 1u) << name;
    EXPECT_TRUE(says(model, "outside of the model's folders")) << name;
  }
}

TEST(Urdf, that_is_wrong_is_refused_with_its_line) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      import_model_text(text, "a.urdf");
    } catch (const InputError& e) {
      return e.problems.front();
    }
    return "";
  };
  EXPECT_THAT(problem("<robot>\n<link"), HasSubstr("a.urdf:2: not valid XML"));
  EXPECT_THAT(problem(""), HasSubstr("not valid XML"));
  EXPECT_THAT(problem("<html/>"), HasSubstr("a.urdf:1: <html> is no robot"));
  EXPECT_THAT(problem("<mujocoinclude/>"), HasSubstr("made to be included"));
  EXPECT_THAT(problem("<robot name=\"a\"/>"), HasSubstr("there is no <link> in it"));
  EXPECT_THAT(problem("<robot name=\"a\"><link name=\"b\"><inertial><mass value=\"heavy\"/></inertial></link></robot>"),
              HasSubstr("a.urdf:1: value=\"heavy\" of <mass>: give finite numbers"));
  EXPECT_THAT(problem("<robot name=\"a\"><link name=\"b\"><inertial><mass value=\"nan\"/></inertial></link></robot>"),
              HasSubstr("give finite numbers"));
  const std::string circle = "<robot name=\"a\">" + link("b") + link("c") + joint("d", "fixed", "b", "c", "") +
                             joint("e", "fixed", "c", "b", "") + "</robot>";
  EXPECT_THAT(problem(circle), HasSubstr("run in a circle"));
  std::string deep = "<robot name=\"a\">";
  for (int i = 0; i < 300; i++) deep += "<x>";
  for (int i = 0; i < 300; i++) deep += "</x>";
  EXPECT_THAT(problem(deep + "</robot>"), HasSubstr("more than 256 deep"));
}

// A billion laughs: pugixml keeps entities as they are.
TEST(Urdf, expands_no_entities) {
  const std::string text =
      "<!DOCTYPE r [<!ENTITY a \"bbbbbbbb\"><!ENTITY c \"&a;&a;\">]><robot name=\"&c;\">" + link("base") + "</robot>";
  EXPECT_THAT(import_model_text(text, "a.urdf").text, HasSubstr("title = \"&c;\""));
}

TEST(Urdf, names_become_keys) {
  const std::string text = "<robot name=\"a\">" + link("left/arm.1") + link("world") +
                           joint("world to arm", "fixed", "world", "left/arm.1", "") + "</robot>";
  const auto e = experiment_of(import_model_text(text, "a.urdf"));
  EXPECT_EQ(e.plan().bodies[0].name, "world_link");
  EXPECT_EQ(e.plan().joints[0].kind, JointKind::Weld);
}

std::string never_ends(const std::string&, imports::MeshData&) {
  while (true) sleep(1);
}
std::string dies(const std::string&, imports::MeshData&) { std::abort(); }

TEST(MeshChild, that_dies_or_never_ends_is_an_error_and_no_end) {
  EXPECT_THROW(imports::read_in_child("a.stl", dies), InputError);
  EXPECT_THROW(imports::read_in_child("a.stl", never_ends, 1), InputError);
}

}  // namespace urdf_test
}  // namespace sinew
