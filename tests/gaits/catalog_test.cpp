// What every gait promises, run over the catalogue: a new one joins by being listed.
#include "gaits/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/text/list_keys.h"
#include "tests/support/derivative.h"
#include "tests/support/motion.h"

namespace sinew::gaits {
void PrintTo(const Entry& entry, std::ostream* out) { *out << entry.name; }
namespace catalog_test {

using support::at;
using support::Values;
using testing::HasSubstr;

// Difference quotients of order 8, as in tests/parts/device_test.cpp.
constexpr double differences = 1e-10;

Plan chain(JointKind kind, Drive drive, int n = 6) {
  Plan plan;
  for (int i = 0; i < n; i++) {
    BodyPlan body;
    body.name = "b" + std::to_string(i);
    body.inertia = Sym3d::diagonal(0.1);
    JointPlan j;
    j.name = "j" + std::to_string(i), j.kind = kind, j.drive = drive, j.child = body.name;
    if (i > 0) j.parent = plan.bodies.back().name;
    plan.bodies.push_back(body);
    plan.joints.push_back(j);
  }
  return plan;
}

// A trunk on four legs of three joints, on the ground.
Plan four_legs() {
  Plan plan;
  const auto add = [&](const std::string& name, const std::string& parent, const Vec3d& at, const Vec3d& axis,
                       double position) {
    BodyPlan body;
    body.name = name;
    body.inertia = Sym3d::diagonal(0.01);
    JointPlan j;
    j.name = name, j.child = name, j.parent = parent, j.p_parent = at, j.axis = axis, j.drive = Drive::Servo;
    j.position = {position};
    plan.bodies.push_back(body);
    plan.joints.push_back(j);
  };
  add("trunk", "world", Vec3d(0, 0, 0.3), Vec3d(0, 0, 1), 0.0);
  plan.joints[0].kind = JointKind::Weld;
  plan.joints[0].drive = Drive::None;
  plan.joints[0].position = {};
  for (const double x : {0.2, -0.2})
    for (const double y : {0.1, -0.1}) {
      const std::string name = (x > 0 ? "front" : "rear") + std::string(y > 0 ? "_left" : "_right");
      add(name + "_roll", "trunk", Vec3d(x, y, 0), Vec3d(1, 0, 0), 0.0);
      add(name + "_pitch", name + "_roll", Vec3d::zero(), Vec3d(0, 1, 0), 0.7);
      add(name + "_knee", name + "_pitch", Vec3d(0, 0, -0.15), Vec3d(0, 1, 0), -1.4);
      ShapePlan foot;
      foot.shape = {.kind = ShapeKind::Sphere, .radius = 0.02};
      foot.position = Vec3d(0, 0, -0.15);
      plan.bodies.back().shapes = {foot};
    }
  return plan;
}

class EveryGait : public testing::TestWithParam<Entry> {
 protected:
  // All motions that the gait gives to chains of every kind it can move, in its own words: with its defaults.
  std::vector<Motion<double>> motions() {
    std::vector<Motion<double>> all;
    std::vector<Plan> plans{four_legs()};
    for (const JointKind kind : {JointKind::Revolute, JointKind::Universal, JointKind::Prismatic})
      plans.push_back(chain(kind, Drive::Servo));
    for (Plan& plan : plans) {
      try {
        plan = with_gait(*GetParam().make(), GetParam().name, plan);
      } catch (const PlanError&) {
        continue;  // not for joints of this kind
      }
      for (const JointPlan& j : plan.joints) {
        if (j.drive == Drive::None) continue;
        EXPECT_EQ(int(j.motion.size()), joint::freedom_count(j.kind));
        all.insert(all.end(), j.motion.begin(), j.motion.end());
      }
    }
    return all;
  }
};

TEST_P(EveryGait, moves_joints_of_some_kind_without_being_told_how) {
  double largest = 0.0;
  for (const Motion<double>& m : motions()) {
    largest = std::max(largest, std::abs(m.amplitude));
    if (m.table) largest = std::max(largest, std::ranges::max(m.table->value) - std::ranges::min(m.table->value));
  }
  EXPECT_GT(largest, 0.0);
}

TEST_P(EveryGait, motions_are_finite_and_their_rates_are_derivatives) {
  ASSERT_FALSE(motions().empty());
  for (const Motion<double>& m : motions())
    for (const double after : {0.5, 1.7, 20.3}) {
      const double t = m.start + m.ramp + after;
      const Values now = at(m, t);
      EXPECT_TRUE(std::isfinite(now.m) && std::isfinite(now.rate) && std::isfinite(now.accel));
      if (m.table) continue;  // cubics, of which parts/device/motion_table_test.cpp takes care
      EXPECT_NEAR(now.rate, support::derivative([&](double s) { return at(m, t + s).m; }), differences);
      EXPECT_NEAR(now.accel, support::derivative([&](double s) { return at(m, t + s).rate; }), differences);
    }
}

// 1e-12: the angle omega t, up to 100 rad, is rounded by 1.4e-14, and rates are at most 100 times steeper
TEST_P(EveryGait, motions_are_periodic_once_begun) {
  for (const Motion<double>& m : motions()) {
    if (m.frequency == 0.0) continue;
    const double period = 1.0 / std::abs(m.frequency);
    for (const double after : {0.1, 0.7}) {
      const double t = m.start + m.ramp + after;
      EXPECT_NEAR(at(m, t + period).m - at(m, t).m, m.rate * period, 1e-12);
    }
  }
}

TEST_P(EveryGait, joint_with_its_own_motion_is_named) {
  Plan plan = chain(JointKind::Revolute, Drive::Servo);
  plan.joints[2].motion = {Motion<double>{.amplitude = 0.1}};
  try {
    with_gait(*GetParam().make(), GetParam().name, plan);
    ADD_FAILURE() << "accepted";
  } catch (const PlanError& e) {
    ASSERT_EQ(e.problems.size(), 1u);
    EXPECT_EQ(e.problems[0].key, "joint.j2.motion");
    EXPECT_THAT(e.problems[0].what, HasSubstr("gait.kind = \"" + std::string(GetParam().name) + "\""));
  }
}

TEST_P(EveryGait, robot_without_drives_is_refused) {
  try {
    with_gait(*GetParam().make(), GetParam().name, chain(JointKind::Revolute, Drive::None));
    ADD_FAILURE() << "accepted";
  } catch (const PlanError& e) {
    EXPECT_EQ(e.problems[0].key, "gait.kind");
    EXPECT_THAT(e.problems[0].what, HasSubstr("drive"));
  }
}

TEST_P(EveryGait, every_key_is_explained) {
  text::KeyLister lister;
  const auto gait = GetParam().make();
  gait->describe(lister);
  EXPECT_FALSE(lister.entries.empty());
  for (const text::KeyEntry& e : lister.entries) EXPECT_FALSE(e.doc.empty()) << e.name;
  EXPECT_FALSE(GetParam().summary.empty());
}

INSTANTIATE_TEST_SUITE_P(catalog, EveryGait, testing::ValuesIn(catalog().begin(), catalog().end()),
                         [](const auto& info) {
                           std::string name(info.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace catalog_test
}  // namespace sinew::gaits
