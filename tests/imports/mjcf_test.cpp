#include "sinew/imports/mjcf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "sinew/imports/import.h"
#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/folder.h"
#include "tests/support/mujoco.h"

namespace sinew {
namespace mjcf_test {

using imports::import_model_text;
using imports::Imported;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

sim::Experiment experiment_of(const std::string& text) {
  return text::parse_experiment(import_model_text(text, "robot.xml").text, "robot.toml");
}

// The same masses, kinematics, M(q) and bias forces to 1e-9, at three random places.
// A guess, not read in its source: MuJoCo stops turning a tensor to its principal axes when the cosine of a turn is within 1e-12 of 1, 1.4e-6 rad: where axes are skew, its
// own M differs from what its file says by that much.
constexpr double exact = 1e-9, of_its_axes = 2e-6;

void expect_as_in_mujoco(const std::string& text, int freedoms, double tolerance = exact) {
  const auto experiment = experiment_of(text);
  for (unsigned seed = 1; seed <= 3; seed++) {
    const auto errors = support::compare_text_with_mujoco(experiment, text, seed);
    ASSERT_EQ(errors.unread, "") << text;
    EXPECT_EQ(errors.freedoms, freedoms);
    EXPECT_LT(errors.place, 1e-9) << text;
    EXPECT_LT(errors.inertia, tolerance) << text;
    EXPECT_LT(errors.bias, tolerance) << text;
  }
}

std::string world(const std::string& bodies, const std::string& before = {}, const std::string& after = {}) {
  return "<mujoco model=\"m\">" + before + "<worldbody>" + bodies + "</worldbody>" + after + "</mujoco>";
}

std::string hinge(const std::string& inside, const std::string& attributes = {}) {
  return "<body name=\"b\" pos=\"0.1 0.2 0.3\"><joint name=\"j\" type=\"hinge\" " + attributes + "/>" + inside +
         "</body>";
}
const std::string radian = "<compiler angle=\"radian\"/>";
const std::string ball = "<geom type=\"sphere\" size=\"0.1\" pos=\"0.2 0.1 0\"/>";

const JointPlan& joint_of(const sim::Experiment& e, const std::string& name) {
  return *std::ranges::find(e.plan().joints, name, &JointPlan::name);
}

TEST(Mjcf, defaults_resolve_by_class_and_childclass_and_class_replaces_childclass) {
  const std::string defaults = R"(<default><geom size="0.05" density="500"/><joint armature="0.01" damping="0.1"/>
<default class="limb"><geom type="capsule" size="0.02 0.2"/><joint axis="0 1 0"/>
<default class="shin"><geom size="0.01 0.1"/><joint damping="0.7"/></default></default>
<default class="other"><geom density="2000"/></default></default>)";
  const std::string bodies = R"(<body name="a" childclass="limb"><joint name="ja"/><geom pos="0 0 -0.2"/>
<body name="b" pos="0 0 -0.4"><joint name="jb" class="shin"/><geom class="shin" pos="0 0 -0.1"/>
<geom class="other" pos="0.1 0 0"/></body></body>)";
  expect_as_in_mujoco(world(bodies, defaults), 2);
  const auto e = experiment_of(world(bodies, defaults));
  EXPECT_EQ(joint_of(e, "ja").damping, std::vector{0.1});
  EXPECT_EQ(joint_of(e, "jb").damping, std::vector{0.7});
  EXPECT_EQ(joint_of(e, "jb").armature, std::vector{0.01});
}

TEST(Mjcf, angles_are_degrees_unless_the_compiler_says_otherwise_and_never_of_slides) {
  const std::string hinged = hinge(ball, "range=\"-90 45\" limited=\"true\" axis=\"0 1 0\" ref=\"30\"");
  const auto in_degrees = experiment_of(world(hinged));
  EXPECT_NEAR(joint_of(in_degrees, "j").upper[0], 0.785398163397448, 1e-15);
  expect_as_in_mujoco(world(hinged), 1);
  const auto in_radians =
      experiment_of(world(hinge(ball, "range=\"-1 2\" limited=\"true\""), "<compiler angle=\"radian\"/>"));
  EXPECT_EQ(joint_of(in_radians, "j").upper, std::vector{2.0});
  const std::string slide =
      "<body name=\"b\"><joint name=\"j\" type=\"slide\" axis=\"1 0 0\" range=\"-1 2\" limited=\"true\" ref=\"0.2\"/>" +
      ball + "</body>";
  EXPECT_EQ(joint_of(experiment_of(world(slide)), "j").upper, std::vector{2.0});
  expect_as_in_mujoco(world(slide), 1);
}

TEST(Mjcf, orientations_are_those_of_mujoco_in_every_way_of_writing_them) {
  for (const char* sequence : {"xyz", "zyx", "ZYX", "XYZ", "xyx"})
    expect_as_in_mujoco(
        world("<body name=\"a\" pos=\"0 0 1\" euler=\"20 -35 50\">" + hinge(ball, "axis=\"0 1 1\"") + "</body>",
              "<compiler eulerseq=\"" + std::string(sequence) + "\"/>"),
        1);
  for (const char* written :
       {"quat=\"0.2 0.3 -0.4 2\"", "axisangle=\"1 2 3 40\"", "xyaxes=\"1 0.2 0 0.3 1 0.4\"", "zaxis=\"0.3 -0.2 -0.7\""})
    expect_as_in_mujoco(
        world("<body name=\"a\" " + std::string(written) + ">" + hinge(ball, "axis=\"0 1 1\"") + "</body>"), 1);
}

TEST(Mjcf, limits_count_where_autolimits_or_limited_say_so) {
  EXPECT_EQ(joint_of(experiment_of(world(hinge(ball, "range=\"-90 90\""))), "j").lower.size(), 1u);
  EXPECT_TRUE(joint_of(experiment_of(world(hinge(ball, "range=\"-90 90\""), "<compiler autolimits=\"false\"/>")), "j")
                  .lower.empty());
  EXPECT_TRUE(joint_of(experiment_of(world(hinge(ball, "range=\"-90 90\" limited=\"false\""))), "j").lower.empty());
}

TEST(Mjcf, inertia_is_made_of_all_geoms_of_the_groups_whether_they_touch_or_not) {
  const std::string geoms = R"(<geom type="box" size="0.1 0.2 0.3" euler="10 20 30"/>
<geom type="capsule" size="0.05" fromto="0.1 0 0 0.4 0.3 0.2" contype="0" conaffinity="0"/>
<geom type="cylinder" size="0.05 0.2" pos="0 0 0.4" mass="3"/><geom type="ellipsoid" size="0.1 0.05 0.02" pos="0.3 0 0"/>
<geom type="sphere" size="0.1" group="3" density="100"/><geom type="sphere" size="0.1" mass="0"/>)";
  expect_as_in_mujoco(world(hinge(geoms, "axis=\"1 1 0\"")), 1, of_its_axes);
  expect_as_in_mujoco(world(hinge(geoms, "axis=\"1 1 0\""), "<compiler inertiagrouprange=\"0 2\"/>"), 1, of_its_axes);
  const std::string given = "<inertial pos=\"0.1 0 0\" mass=\"2\" fullinertia=\"0.2 0.3 0.4 0.01 0.02 0.03\"/>";
  expect_as_in_mujoco(world(hinge(geoms + given, "axis=\"0 1 1\"")), 1, of_its_axes);
  expect_as_in_mujoco(world(hinge(geoms + given, "axis=\"0 1 1\""), "<compiler inertiafromgeom=\"true\"/>"), 1,
                      of_its_axes);
  expect_as_in_mujoco(world(hinge(geoms), "<compiler settotalmass=\"7\"/>"), 1, of_its_axes);
  const Sym3d I = experiment_of(world(hinge(given))).plan().bodies[0].inertia;  // its order is xx, yy, zz, xy, xz, yz
  EXPECT_EQ(I.yy, 0.3);
  EXPECT_EQ(I.xz, 0.02);
  EXPECT_EQ(I.yz, 0.03);
}

TEST(Mjcf, masses_of_geoms_are_exact_where_axes_are_not_skew) {
  expect_as_in_mujoco(world(hinge("<geom type=\"box\" size=\"0.1 0.2 0.3\"/><geom type=\"capsule\" size=\"0.05 0.1\" "
                                  "pos=\"0 0 0.5\" mass=\"3\"/>"
                                  "<geom type=\"cylinder\" size=\"0.1 0.05\" pos=\"0 0 -0.4\"/><geom "
                                  "type=\"ellipsoid\" size=\"0.1 0.05 0.02\"/>",
                                  "axis=\"0 1 0\"")),
                      1);
}

// A tetrahedron with the edges a, b, c along its axes: m = rho a b c / 6, its centre at a quarter of each. Debian's MuJoCo, 2.2.2, makes 29 kg of
// it, by an inexact sum that later versions replaced.
TEST(Mjcf, a_mesh_lies_where_its_file_has_it_and_has_its_volume) {
  const std::string mesh =
      "<asset><mesh name=\"t\" vertex=\"0 0 0  1 0 0  0 1 0  0 0 1\" scale=\"0.5 0.25 1\"/></asset>";
  const auto e =
      experiment_of(world(hinge("<geom type=\"mesh\" mesh=\"t\" pos=\"0.1 0.2 0.3\" euler=\"0 0 90\"/>"), mesh));
  const BodyPlan& body = e.plan().bodies[0];
  EXPECT_NEAR(body.mass, 1000.0 * 0.5 * 0.25 / 6.0, 1e-12);
  EXPECT_NEAR(body.com[0], 0.1 - 0.25 / 4.0, 1e-15);
  EXPECT_NEAR(body.com[1], 0.2 + 0.5 / 4.0, 1e-15);
  EXPECT_NEAR(body.com[2], 0.3 + 1.0 / 4.0, 1e-15);
}

TEST(Mjcf, moments_that_no_matter_has_become_their_mean_where_the_file_wants_it) {
  const std::string given = "<inertial pos=\"0.1 0 0\" mass=\"2\" diaginertia=\"0.1 0.2 0.9\"/>";
  expect_as_in_mujoco(world(hinge(given, "axis=\"0 1 0\""), "<compiler balanceinertia=\"true\"/>"), 1);
}

TEST(Mjcf, several_joints_of_a_body_act_one_after_the_other_about_their_own_points) {
  const std::string body = R"(<body name="b" pos="0.1 0 0" euler="10 20 30"><joint name="x" type="slide" axis="1 0 0"/>
<joint name="y" type="hinge" axis="0 1 0" pos="0.1 0 0.2"/><joint name="z" type="hinge" axis="0 0.6 0.8" pos="0 0.3 0" ref="20"/>
<geom type="box" size="0.1 0.2 0.3" pos="0.1 0.2 0.1"/><body name="c" pos="0 0.1 0.2"><joint name="w" axis="1 0 0"/><geom size="0.1" pos="0 0.2 0"/></body></body>)";
  expect_as_in_mujoco(world(body), 4);
}

TEST(Mjcf, a_floating_body_has_the_inertia_of_mujoco) {
  const std::string body =
      "<body name=\"a\" pos=\"0 0 1\"><freejoint/><geom type=\"box\" size=\"0.1 0.2 0.3\" pos=\"0.1 0.02 0.3\"/>" +
      hinge(ball, "axis=\"0 1 0\"") + "</body>";
  expect_as_in_mujoco(world(body), 7);
}

TEST(Mjcf, frames_and_bodies_without_joints_are_parts_of_what_carries_them) {
  const std::string fixed =
      "<body name=\"f\" pos=\"0.1 0.2 0\" euler=\"0 30 0\"><geom type=\"box\" size=\"0.1 0.2 0.3\"/></body>";
  expect_as_in_mujoco(world(hinge(ball + fixed, "axis=\"0 1 0\"")), 1);
  // MuJoCo of Debian knows no <frame>: the same written out
  const auto framed = experiment_of(
      world(hinge("<frame pos=\"0.2 0.1 0\" euler=\"0 0 90\"><geom size=\"0.1\" pos=\"0 0.1 0\"/></frame>")));
  EXPECT_NEAR(framed.plan().bodies[0].com[0], 0.1, 1e-15);
  EXPECT_NEAR(framed.plan().bodies[0].com[1], 0.1, 1e-15);
}

TEST(Mjcf, masks_exclusions_and_neighbours_decide_what_touches_what) {
  const auto body = [](const std::string& name, const std::string& geom) {
    return "<body name=\"" + name + "\" pos=\"0 0 1\"><freejoint/><geom size=\"0.1\" " + geom + "/></body>";
  };
  const std::string floor = "<geom type=\"plane\" size=\"1 1 1\" pos=\"0 0 0.5\"/>";
  const auto e = experiment_of(world(floor + body("a", "") + body("b", "contype=\"2\" conaffinity=\"2\"") +
                                         body("c", "contype=\"0\" conaffinity=\"1\"") +
                                         body("d", "contype=\"0\" conaffinity=\"0\""),
                                     "", "<contact><exclude body1=\"a\" body2=\"c\"/></contact>"));
  EXPECT_EQ(e.plan().ground.terrain.height, 0.5);
  const auto shapes = [&](int i) { return e.plan().bodies[std::size_t(i)].shapes.size(); };
  EXPECT_EQ(shapes(0), 1u);
  EXPECT_EQ(shapes(1), 0u);  // neither the floor nor any other body has its bit
  EXPECT_EQ(shapes(2), 1u);
  EXPECT_EQ(shapes(3), 0u);
  EXPECT_THAT(e.plan().contact.ignore, Contains("a:c"));
}

TEST(Mjcf, friction_is_the_larger_of_two_or_that_of_the_higher_priority) {
  const auto mu = [](const std::string& geom) {
    const auto e = experiment_of(world(
        "<geom type=\"plane\" size=\"1 1 1\" friction=\"0.6 0.01 0.001\"/><body name=\"a\" pos=\"0 0 1\"><freejoint/>"
        "<geom size=\"0.1\" " +
        geom + "/></body>"));
    return e.plan().contact.pairs.at(0).law;
  };
  EXPECT_EQ(mu("friction=\"0.3\"").mu_forward, 0.6);
  EXPECT_EQ(mu("friction=\"0.9\"").mu_forward, 0.9);
  EXPECT_EQ(mu("friction=\"0.3\" priority=\"1\"").mu_forward, 0.3);
  EXPECT_EQ(mu("condim=\"1\" priority=\"1\"").mu_forward, 0.0);
  EXPECT_EQ(mu("condim=\"3\"").drilling, 0.0);
  EXPECT_EQ(mu("condim=\"4\" friction=\"0.3 0.02\"").drilling, 0.02);
  EXPECT_EQ(mu("condim=\"6\" friction=\"0.3 0.02 0.003\"").rolling, 0.003);
}

// Two fingers, the second turned against the first by a ref.
const std::string fingers =
    "<body name=\"l\"><joint name=\"left\" axis=\"0 1 0\"/><geom size=\"0.1\" pos=\"0.2 0 0\"/></body>"
    "<body name=\"r\" pos=\"1 0 0\"><joint name=\"right\" axis=\"0 1 0\" ref=\"0.5\"/>"
    "<geom size=\"0.1\" pos=\"0.2 0 0\"/></body>";

TEST(Mjcf, equality_of_joints_is_a_coupling_in_powers_of_what_is_left_of_ref) {
  const auto e = experiment_of(world(fingers, radian,
                                     "<equality><joint name=\"eq\" joint1=\"left\" joint2=\"right\" "
                                     "polycoef=\"0.1 2 3 0 0\"/></equality>"));
  // left = 0.1 + 2 (r - 0.5) + 3 (r - 0.5)^2 = -0.15 - r + 3 r^2
  ASSERT_EQ(e.plan().couplings.size(), 1u);
  const CouplingPlan& c = e.plan().couplings[0];
  EXPECT_THAT(c.joints, ElementsAre("left", "right"));
  EXPECT_THAT(c.factors, ElementsAre(1.0, ::testing::DoubleNear(1.0, 1e-15)));
  EXPECT_THAT(c.squares, ElementsAre(0.0, ::testing::DoubleNear(-3.0, 1e-15)));
  EXPECT_NEAR(c.sum, -0.15, 1e-15);
  EXPECT_NEAR(joint_of(e, "left").position[0], 0.1, 1e-15);  // right starts at its ref
}

TEST(Mjcf, an_actuator_on_a_fixed_tendon_drives_the_joint_that_the_others_follow) {
  const auto e = experiment_of(world(
      fingers, radian,
      "<tendon><fixed name=\"both\"><joint joint=\"left\" coef=\"0.5\"/><joint joint=\"right\" coef=\"0.5\"/></fixed>"
      "</tendon><equality><joint joint1=\"left\" joint2=\"right\" polycoef=\"0 3 0 0 0\"/></equality>"
      "<actuator><position tendon=\"both\" kp=\"20\" gear=\"2\"/></actuator>"
      "<keyframe><key ctrl=\"1\"/></keyframe>"));
  // length 2 (0.5 (3 r - 1.5) + 0.5 r) = 4 r - 1.5, so kp 20 16 towards (1 + 1.5) / 4
  EXPECT_EQ(joint_of(e, "left").drive, Drive::None);
  EXPECT_EQ(joint_of(e, "right").drive, Drive::Servo);
  EXPECT_NEAR(joint_of(e, "right").kp[0], 320.0, 1e-12);
  EXPECT_NEAR(joint_of(e, "right").motion[0].offset, 0.625, 1e-14);
}

TEST(Mjcf, includes_are_read_with_their_own_lines_and_once) {
  const test::Folder folder;
  std::ofstream(folder / "part.xml") << "<mujocoinclude>\n" + hinge(ball + "\n<glow/>") + "</mujocoinclude>";
  std::ofstream(folder / "scene.xml") << world("<include file=\"part.xml\"/>");
  std::ofstream(folder / "twice.xml") << world("<include file=\"part.xml\"/><include file=\"part.xml\"/>");
  const Imported model = imports::import_model(folder / "scene.xml");
  EXPECT_THAT(model.warnings, ElementsAre(HasSubstr("part.xml:3: <glow> in <body> is not understood")));
  EXPECT_THROW(imports::import_model(folder / "twice.xml"), InputError);
  EXPECT_THROW(imports::import_model(folder / "part.xml"), InputError);
}

TEST(Mjcf, says_what_it_does_not_simulate) {
  const Imported model =
      import_model_text(world(hinge(ball, "springdamper=\"1 1\""), "<option integrator=\"RK4\"/>",
                              "<tendon><fixed name=\"t\" stiffness=\"3\"><joint joint=\"j\" coef=\"1\"/></fixed>"
                              "<spatial name=\"s\"/></tendon><sensor><magnetometer site=\"s\"/></sensor>"),
                        "a.xml");
  EXPECT_THAT(model.warnings, Contains(HasSubstr("springdamper of <joint> is not understood")));
  EXPECT_THAT(model.warnings, Contains(HasSubstr("stiffness of <fixed> is not understood")));
  EXPECT_THAT(model.warnings, Contains(HasSubstr("<spatial> in <tendon> is not understood")));
  EXPECT_THAT(model.warnings, Contains(HasSubstr("a sensor <magnetometer> is left out")));
  EXPECT_THAT(model.notes, Contains(HasSubstr("accepted without effect: integrator of <option>")));
}

const std::string instrumented = world(
    "<body name=\"a\"><freejoint/><geom size=\"0.1\"/>"
    "<body name=\"fixed\" pos=\"0 0 1\"><geom size=\"0.1\"/><site name=\"imu\" pos=\"0.1 0 0\" euler=\"0 0 "
    "90\"/></body>"
    "<body name=\"b\" pos=\"1 0 0\"><joint name=\"knee\" axis=\"0 1 0\"/><geom size=\"0.1\" pos=\"0.2 0 0\"/>"
    "<site name=\"toe\" pos=\"0.4 0 0\"/></body></body><site name=\"post\"/>",
    "",
    "<sensor><gyro name=\"g\" site=\"imu\" noise=\"0.1\"/><accelerometer name=\"acc\" site=\"imu\" cutoff=\"3\"/>"
    "<jointpos name=\"angle\" joint=\"knee\"/><jointvel joint=\"knee\"/>"
    "<framepos name=\"foot\" objtype=\"site\" objname=\"toe\"/><framelinvel objtype=\"site\" objname=\"toe\"/>"
    "<framequat name=\"pose\" objtype=\"body\" objname=\"b\"/><touch name=\"tip\" site=\"toe\"/>"
    "<rangefinder name=\"eye\" site=\"toe\"/><actuatorfrc name=\"f\" actuator=\"none\"/>"
    "<velocimeter name=\"v\" site=\"imu\"/><framezaxis objtype=\"site\" objname=\"imu\"/><framelinacc objtype=\"body\" "
    "objname=\"b\"/>"
    "<gyro name=\"still\" site=\"post\"/><framepos objtype=\"site\" objname=\"toe\" refname=\"imu\"/></sensor>");

TEST(Mjcf, sensors_are_instruments_markers_or_signals) {
  const auto e = experiment_of(instrumented);
  const auto& sensors = e.plan().sensors;
  ASSERT_EQ(sensors.size(), 6u);
  // gyro and accelerometer of one site are one instrument, on the body that its own is part of
  EXPECT_EQ(sensors[0].name, "g");
  EXPECT_EQ(sensors[0].kind, SensorKind::Inertial);
  EXPECT_EQ(sensors[0].body, "a");
  EXPECT_EQ(sensors[0].position[0], 0.1);
  EXPECT_EQ(sensors[0].position[2], 1.0);
  EXPECT_NEAR(sensors[0].orientation.z, std::sqrt(0.5), 1e-15);
  EXPECT_EQ(sensors[1].kind, SensorKind::Potentiometer);
  EXPECT_EQ(sensors[1].joint, "knee");
  EXPECT_EQ(sensors[2].kind, SensorKind::Camera);
  EXPECT_NEAR(sensors[2].position[0], 0.2, 1e-15);  // its centre of mass
  EXPECT_EQ(sensors[3].kind, SensorKind::Contact);
  EXPECT_EQ(sensors[4].kind, SensorKind::Range);
  const Vec3d ray = to_matrix(sensors[4].orientation) * Vec3d(1, 0, 0);  // z of the site
  EXPECT_NEAR(ray[2], 1.0, 1e-15);
  EXPECT_EQ(sensors[5].kind, SensorKind::Camera);  // of which an axis was asked for
  ASSERT_EQ(e.plan().markers.size(), 2u);
  EXPECT_EQ(e.plan().markers[1].name, "v");
  EXPECT_EQ(e.plan().markers[0].name, "foot");
  EXPECT_EQ(e.plan().markers[0].position[0], 0.4);
}

TEST(Mjcf, sensors_that_are_left_out_are_told) {
  const Imported model = import_model_text(instrumented, "a.xml");
  EXPECT_THAT(model.warnings,
              ElementsAre(HasSubstr("<gyro> at site \"post\", which is no part of the robot, is left out"),
                          HasSubstr("<framepos> as seen from imu is left out")));
  EXPECT_THAT(model.notes, Contains(HasSubstr("<actuatorfrc> is the signal joint.NAME.torque here")));
  EXPECT_THAT(model.notes, Contains(HasSubstr("<touch> tells of all of b")));
  EXPECT_THAT(model.notes, Contains(HasSubstr("noise of sensors")));
  EXPECT_THAT(model.notes, Contains(HasSubstr("<velocimeter> is marker.NAME.v here, in world axes")));
  EXPECT_THAT(model.notes, Contains(HasSubstr("<framelinacc> is the signal body.NAME.a here")));
}

TEST(Mjcf, gravcomp_carries_the_weight) {
  const auto e =
      experiment_of(world("<body name=\"a\" gravcomp=\"1\"><freejoint/><geom size=\"0.1\" mass=\"1\"/>"
                          "<body name=\"part\"><geom size=\"0.1\" mass=\"3\"/></body></body>"));
  EXPECT_EQ(e.plan().bodies[0].gravity_compensation, 0.25);  // a quarter of what is one body now
  EXPECT_THAT(
      import_model_text(world("<body name=\"a\" gravcomp=\"0.5\"><freejoint/><geom size=\"0.1\"/></body>"), "a.xml")
          .warnings,
      ::testing::IsEmpty());
}

}  // namespace mjcf_test
}  // namespace sinew
