#include "sinew/imports/sdf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "sinew/imports/import.h"
#include "sinew/imports/prepare.h"
#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/folder.h"
#include "tests/support/sdformat.h"

namespace sinew {
namespace sdf_test {

using imports::import_model_text;
using imports::Imported;
using imports::ImportedRobot;
using ::testing::Contains;
using ::testing::HasSubstr;

std::string sdf(const std::string& inside, const std::string& version = "1.7") {
  return "<sdf version=\"" + version + "\"><model name=\"m\">" + inside + "</model></sdf>";
}
std::string in_world(const std::string& inside) {
  return "<sdf version=\"1.7\"><world name=\"w\">" + inside + "</world></sdf>";
}

const std::string inertial =
    "<inertial><pose>0.1 0.02 -0.03 0.3 -0.2 0.5</pose><mass>2</mass><inertia><ixx>0.02</ixx><ixy>0.001</ixy>"
    "<ixz>-0.002</ixz><iyy>0.03</iyy><iyz>0.003</iyz><izz>0.04</izz></inertia></inertial>";

std::string link(const std::string& name, const std::string& inside = {}) {
  return "<link name=\"" + name + "\">" + inertial + inside + "</link>";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& inside = {}) {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent>" + parent + "</parent><child>" + child +
         "</child>" + inside + "</joint>";
}
std::string collision(const std::string& shape, const std::string& more = {}) {
  return "<collision name=\"c\">" + more + "<geometry>" + shape + "</geometry></collision>";
}
const std::string box = "<box><size>0.4 0.3 0.2</size></box>";

sim::Experiment experiment_of(const Imported& model) { return text::parse_experiment(model.text, "robot.toml"); }
sim::Experiment experiment_of(const std::string& text) { return experiment_of(import_model_text(text, "robot.sdf")); }

bool says(const Imported& model, const std::string& what) {
  return std::ranges::any_of(model.notes,
                             [&](const std::string& note) { return note.find(what) != std::string::npos; });
}

double distance(const Vec3d& a, const Vec3d& b) { return norm(a - b); }
double distance(const Posed& a, const Posed& b) {
  double most = distance(a.p, b.p);
  for (int i = 0; i < 3; i++) most = std::max(most, distance(a.R.col(i), b.R.col(i)));
  return most;
}

// Places of links, joints and shapes, masses, axes, ends and friction of a model, as Debian's libsdformat has them.
void expect_as_in_sdformat(const std::string& text) {
  constexpr double exact = 1e-12;
  const auto theirs = support::read_with_sdformat(text);
  ASSERT_EQ(theirs.problem, "");
  imports::XmlFile xml(text, "robot.sdf");
  const ImportedRobot ours = imports::read_sdf(xml, imports::model_folders("robot.sdf", {}));
  const std::vector<Posed> poses = imports::start_poses(ours);
  ASSERT_EQ(ours.bodies.size(), theirs.links.size());
  for (std::size_t b = 0; b < poses.size(); b++) {
    const imports::RobotBody& body = ours.bodies[b];
    const auto link = std::ranges::find(theirs.links, body.name, &support::SdformatLink::name);
    ASSERT_NE(link, theirs.links.end());
    EXPECT_LT(distance(poses[b], link->X_M), exact) << body.name;
    EXPECT_NEAR(body.mass, link->mass, exact);
    EXPECT_LT(distance(body.com, link->com), exact);
    const Sym3d &I = body.inertia, &J = link->inertia;
    for (const auto& [x, y] :
         {std::pair(I.xx, J.xx), {I.xy, J.xy}, {I.xz, J.xz}, {I.yy, J.yy}, {I.yz, J.yz}, {I.zz, J.zz}})
      EXPECT_NEAR(x, y, exact);
    ASSERT_EQ(body.shapes.size(), link->shapes.size());
    for (std::size_t i = 0; i < body.shapes.size(); i++) {
      EXPECT_LT(distance(poses[b] * body.shapes[i].X_BS, link->shapes[i].X_MS), exact);
      EXPECT_EQ(body.shapes[i].surface.mu_long, link->shapes[i].mu);
      EXPECT_EQ(body.shapes[i].surface.mu_trans, link->shapes[i].mu2);
    }
    for (std::size_t i = 0; i < body.joints.size(); i++) {
      const imports::RobotJoint& j = body.joints[i];
      const auto edge = std::ranges::find(theirs.joints, body.name, &support::SdformatJoint::child);
      ASSERT_NE(edge, theirs.joints.end());
      EXPECT_LT(distance(poses[b] * j.anchor, edge->X_M.p), exact) << j.name;
      if (j.kind == JointKind::Ball) continue;
      const auto& axis = edge->axes.at(i);
      EXPECT_LT(distance(poses[b].R * j.axis, axis.along * (1.0 / norm(axis.along))), exact) << j.name;
      EXPECT_EQ(std::max(j.lower, -1e16), std::max(axis.lower, -1e16));
      EXPECT_EQ(std::min(j.upper, 1e16), std::min(axis.upper, 1e16));
      EXPECT_EQ(j.damping, axis.damping);
      EXPECT_EQ(j.friction, axis.friction);
      EXPECT_EQ(j.stiffness, axis.stiffness);
      EXPECT_EQ(j.rest, axis.rest);
    }
  }
}

TEST(Sdf, links_joints_frames_and_shapes_are_where_sdformat_has_them) {
  const std::string skew =
      "<axis><xyz>0.1 0.9 0.2</xyz><limit><lower>-1</lower><upper>2</upper></limit>"
      "<dynamics><damping>0.2</damping><friction>0.3</friction><spring_stiffness>4</spring_stiffness>"
      "<spring_reference>0.1</spring_reference></dynamics></axis>";
  const std::string shapes = collision(box,
                                       "<pose>0.1 0 0.2 0.3 0 0</pose><surface><friction><ode><mu>0.3</mu></ode>"
                                       "</friction></surface>");
  expect_as_in_sdformat(
      sdf("<frame name=\"f\" attached_to=\"upper\"><pose>0.1 0.2 0.3 0.4 0.5 -0.6</pose></frame>" +
          link("base", shapes) + link("upper", "<pose>1 0 0.5 0.1 0.2 0.3</pose>") +
          link("lower", "<pose relative_to=\"f\">0 0.3 0 0 0.7 0</pose>") +
          link("tool", "<pose relative_to=\"elbow\">0.2 0 0 0 0 1</pose>") + link("wrist", "<pose>2 0 0 0 0 0</pose>") +
          joint("shoulder", "revolute", "base", "upper", skew) +
          joint("elbow", "prismatic", "upper", "lower",
                "<pose relative_to=\"f\">0.05 0 0 0.2 0 0</pose><axis><xyz expressed_in=\"f\">0 0.6 0.8</xyz></axis>") +
          joint("grip", "ball", "lower", "tool", "<pose>0 0 0.1 0 0 0</pose>") +
          joint("hand", "universal", "tool", "wrist",
                "<axis><xyz expressed_in=\"__model__\">1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>")));
}

// Before 1.5 axes are seen from the model, then from the joint unless use_parent_model_frame is set.
TEST(Sdf, of_old_versions_has_axes_in_the_frame_of_their_time) {
  const std::string arm =
      link("base") + link("upper", "<pose>1 0 0.5 0.1 0.2 0.3</pose>") + link("lower", "<pose>0 1 0 0.4 0 0.2</pose>");
  const auto joints = [](const std::string& more) {
    return joint("shoulder", "revolute", "base", "upper", "<axis><xyz>0.1 0.9 0.2</xyz>" + more + "</axis>") +
           joint("elbow", "revolute", "upper", "lower", "<pose>0.1 0 0 0.5 0 0</pose><axis><xyz>0 1 0</xyz></axis>");
  };
  for (const char* version : {"1.4", "1.5", "1.6", "1.8", "1.9"}) expect_as_in_sdformat(sdf(arm + joints(""), version));
  for (const char* version : {"1.5", "1.6"})
    expect_as_in_sdformat(sdf(arm + joints("<use_parent_model_frame>1</use_parent_model_frame>"), version));
}

TEST(Sdf, a_link_without_inertial_has_a_kilogram_as_sdformat_says_and_check_tells_it) {
  expect_as_in_sdformat(sdf("<link name=\"a\"/>"));
  EXPECT_TRUE(
      says(import_model_text(sdf("<link name=\"a\"/>"), "a.sdf"), "link a has no <inertial>: 1 kg and 1 kg m^2"));
}

TEST(Sdf, friction_and_bounce_are_the_smaller_of_shape_and_ground) {
  const std::string ground =
      "<model name=\"ground\"><static>true</static><link name=\"l\">" +
      collision("<plane><normal>0 0 1</normal></plane>",
                "<pose>0 0 0.5 0 0 0</pose><surface><friction><ode><mu>0.8</mu><mu2>0.4</mu2></ode></friction>"
                "<bounce><restitution_coefficient>0.6</restitution_coefficient></bounce></surface>") +
      "</link></model>";
  const std::string robot =
      "<model name=\"r\"><pose>0 0 2 0 0 0</pose>" +
      link("a",
           collision(box,
                     "<surface><friction><ode><mu>0.3</mu><mu2>0.9</mu2><fdir1>0 2 0</fdir1></ode>"
                     "<torsional><patch_radius>0.1</patch_radius><coefficient>0.5</coefficient></torsional></friction>"
                     "<bounce><restitution_coefficient>0.9</restitution_coefficient></bounce></surface>")) +
      "</model>";
  const auto e = experiment_of(in_world("<gravity>0 0 -5</gravity>" + ground + robot));
  EXPECT_EQ(e.plan().ground.terrain.height, 0.5);
  ASSERT_EQ(e.plan().bodies.size(), 1u);  // ground is no body
  ASSERT_EQ(e.plan().contact.pairs.size(), 1u);
  const auto& law = e.plan().contact.pairs[0].law;
  EXPECT_EQ(law.mu_forward, 0.3);
  EXPECT_EQ(law.mu_trans, 0.4);
  EXPECT_EQ(law.restitution, 0.6);
  EXPECT_NEAR(law.drilling, 0.5 * 3.0 * 3.14159265358979 / 16.0 * 0.1, 1e-15);
  EXPECT_EQ(e.plan().bodies[0].shapes[0].along[1], 1.0);
  EXPECT_EQ(e.plan().gravity.g[2], -5.0);
}

TEST(Sdf, a_screw_goes_by_its_thread_as_it_turns) {
  const auto turn_and_way = [](const std::string& pitch) {
    auto world =
        make_world(experiment_of(sdf(link("base") + joint("hold", "fixed", "world", "base") + link("nut") +
                                     joint("s", "screw", "base", "nut", "<axis><xyz>0 0 1</xyz></axis>" + pitch)))
                       .plan());
    for (int k = 0; k < 100; k++) world.step(1e-3);
    const auto seen = observe(world);
    const auto q = [&](const char* name) { return seen.joints[std::size_t(world.model().joint(name))].q[0]; };
    return std::pair(q("s"), q("s_way"));
  };
  const auto [turn, way] = turn_and_way("<screw_thread_pitch>0.2</screw_thread_pitch>");
  EXPECT_LT(way, -1e-3);  // it falls
  EXPECT_NEAR(way, 0.2 * turn / (2.0 * 3.14159265358979323846), 1e-9);
  const auto [old_turn, old_way] = turn_and_way("<thread_pitch>-31.41592653589793</thread_pitch>");
  EXPECT_NEAR(old_turn, turn, 1e-9);
  EXPECT_NEAR(old_way, way, 1e-9);
}

TEST(Sdf, a_gearbox_couples_the_joints_of_its_reference_body) {
  const std::string x = "<axis><xyz>1 0 0</xyz></axis>";
  const auto e =
      experiment_of(sdf(link("base") + joint("hold", "fixed", "world", "base") + link("in") + link("out") +
                        joint("ji", "revolute", "base", "in", x) + joint("jo", "revolute", "base", "out", x) +
                        joint("g", "gearbox", "in", "out",
                              "<gearbox_reference_body>base</gearbox_reference_body><gearbox_ratio>5</gearbox_ratio>"
                              "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>-1 0 0</xyz></axis2>")));
  auto world = make_world(e.plan());
  for (int k = 0; k < 100; k++) world.step(1e-3);
  const auto seen = observe(world);
  const auto q = [&](const char* name) { return seen.joints[std::size_t(world.model().joint(name))].q[0]; };
  EXPECT_GT(std::abs(q("ji")), 1e-3);
  EXPECT_NEAR(-q("jo"), -5.0 * q("ji"), 1e-9);
}

TEST(Sdf, joints_that_close_loops_stay_closed) {
  const std::string axis = "<axis><xyz>0 1 0</xyz></axis>";
  const auto e =
      experiment_of(sdf(link("a", "<pose>0 0 1 0 0 0</pose>") + link("b", "<pose>0.5 0 1 0 0 0</pose>") +
                        link("bar", "<pose>0 0 0.6 0 0 0</pose>") + joint("ja", "revolute", "world", "a", axis) +
                        joint("jb", "revolute", "world", "b", axis) + joint("ka", "revolute", "a", "bar", axis) +
                        joint("kb", "revolute", "b", "bar", "<pose>0.5 0 0 0 0 0</pose>" + axis)));
  auto world = make_world(e.plan());
  for (int k = 0; k < 300; k++) world.step(1e-3);
  const auto seen = observe(world);
  const auto q = [&](const char* name) { return seen.joints[std::size_t(world.model().joint(name))].q[0]; };
  EXPECT_GT(std::abs(q("ja")), 0.05);
  EXPECT_NEAR(q("ja"), q("jb"), 1e-8);  // a parallelogram
}

TEST(Sdf, models_are_included_by_name_placed_and_named_anew) {
  const test::Folder folder;
  std::filesystem::create_directories(folder / "models/cart");
  std::filesystem::create_directories(folder / "worlds");
  std::ofstream(folder / "models/cart/model.config")
      << "<model><sdf version=\"1.4\">old.sdf</sdf><sdf version=\"1.7\">cart.sdf</sdf></model>";
  std::ofstream(folder / "models/cart/cart.sdf") << sdf(link("base", collision(box)));
  std::ofstream(folder / "secret.sdf") << sdf(link("base"));
  const auto read = [&](const std::string& include) {
    imports::ImportOptions options;
    options.packages = {folder / "models"};
    return import_model_text(in_world(include), folder / "worlds/w.sdf", options);
  };
  const Imported two = read(
      "<include><uri>model://cart</uri><pose>0 0 1 0 0 0</pose></include><include>"
      "<uri>model://cart</uri><name>second</name><pose>3 0 2 0 0 0</pose></include>");
  const auto e = experiment_of(two);
  ASSERT_EQ(e.plan().bodies.size(), 2u);
  EXPECT_EQ(e.plan().bodies[0].name, "m_base");
  EXPECT_EQ(e.plan().bodies[1].name, "second_base");
  EXPECT_NEAR(e.plan().joints[1].position[0], 3.1, 1e-15);
  EXPECT_TRUE(says(read("<include><uri>model://cart</uri></include><include><uri>model://nothing</uri></include>"),
                   "included model://nothing: no such model"));
  EXPECT_TRUE(says(read("<include><uri>model://cart</uri></include><include><uri>../../secret.sdf</uri></include>"),
                   "it is outside of the model's folders"));
  EXPECT_EQ(experiment_of(
                read("<include><uri>model://ground_plane</uri></include><include><uri>model://cart</uri></include>"))
                .plan()
                .ground.terrain.kind,
            TerrainKind::Plane);
  std::ofstream(folder / "models/cart/cart.sdf") << sdf("<include><uri>model://cart</uri></include>");
  EXPECT_THROW(read("<include><uri>model://cart</uri></include>"), InputError);  // itself
}

TEST(Sdf, static_models_stay_and_links_of_one_model_touch_only_if_both_may) {
  const std::string flags = "<self_collide>true</self_collide>";
  const std::string robot = "<model name=\"r\"><pose>0 0 1 0 0 0</pose>" + link("a", collision(box)) +
                            link("b", "<pose>1 0 0 0 0 0</pose>" + flags + collision(box)) +
                            link("c", "<pose>2 0 0 0 0 0</pose>" + flags + collision(box)) + "</model>";
  const std::string table = "<model name=\"t\"><static>1</static>" + link("a", collision(box)) + "</model>";
  const auto e = experiment_of(in_world(robot + table));
  EXPECT_THAT(e.plan().contact.ignore, Contains("r_a:r_b"));
  EXPECT_THAT(e.plan().contact.ignore, ::testing::Not(Contains("r_b:r_c")));
  EXPECT_THAT(e.plan().contact.ignore, ::testing::Not(Contains("r_a:t_a")));
  const auto held = std::ranges::find(e.plan().joints, "t_a", &JointPlan::child);
  ASSERT_NE(held, e.plan().joints.end());
  EXPECT_EQ(held->kind, JointKind::Weld);
}

TEST(Sdf, that_is_not_understood_is_named_and_what_is_wrong_refused_with_its_line) {
  const Imported model = import_model_text(sdf(link("a", "\n<glow/>") + "\n<wings span=\"2\"/>"), "a.sdf");
  EXPECT_THAT(model.warnings, Contains("warning 1: a.sdf:2: <glow> in <link> is not understood and left out"));
  EXPECT_THAT(model.warnings, Contains("warning 2: a.sdf:3: <wings> in <model> is not understood and left out"));
  const auto problem = [](const std::string& text) -> std::string {
    try {
      import_model_text(text, "a.sdf");
    } catch (const InputError& e) {
      return e.problems.front();
    }
    return "";
  };
  EXPECT_THAT(problem("<sdf version=\"1.7\"/>"), HasSubstr("there is no <link>"));
  EXPECT_THAT(problem(sdf("<link name=\"a\"><pose>0 0 zero 0 0 0</pose></link>")),
              HasSubstr("a.sdf:1: <pose> of <link>"));
  EXPECT_THAT(problem(sdf("<link name=\"a\"><inertial><mass>nan</mass></inertial></link>")),
              HasSubstr("give a finite number"));
  EXPECT_THAT(
      problem(
          sdf("<link name=\"a\"><pose relative_to=\"b\"/></link><link name=\"b\"><pose relative_to=\"a\"/></link>")),
      HasSubstr("in a circle"));
  EXPECT_THAT(problem(sdf(link("a") + joint("j", "revolute", "a", "b"))), HasSubstr("a.sdf:1: joint j"));
  EXPECT_THAT(problem(sdf(link("a") + joint("j", "revolute", "b", "a"))), HasSubstr("no link or frame is named \"b\""));
  EXPECT_TRUE(says(import_model_text(sdf(link("a") + link("a")), "a.sdf"), "this link is called a_2"));
}

}  // namespace sdf_test
}  // namespace sinew
