// Whole-body control against virtual work, Newton's law for all masses, and the limits that it is given.
#include "sinew/control/whole_body.h"

#include <gtest/gtest.h>

#include <cmath>

#include "robots/biped/walk_control.h"
#include "sinew/text/load_scenario.h"

namespace sinew {
namespace whole_body_test {

const legged::BipedBody body;

struct Standing {
  Plan plan;
  WholeBody whole;
  std::vector<double> q, u;
  std::array<int, 2> foot;

  Standing()
      : plan(text::parse_scenario(
                 "title = \"t\"\nsource = \"s\"\nduration = 1.0\n[robot]\nkind = \"biped\"\n[ground]\nkind "
                 "= \"plane\"\n[integrator]\nmethod = \"moreau\"\nstep = 1e-3\n",
                 "t")
                 .robot_keys->plan()),
        whole(plan),
        q(std::size_t(whole.model().nq)),
        u(std::size_t(whole.model().nu)) {
    for (const JointInfo& joint : whole.model().joints) {
      const Link& link = whole.model().links[std::size_t(joint.link)];
      for (const JointPlan& j : plan.joints)
        if (j.name == joint.name) std::copy(j.position.begin(), j.position.end(), q.begin() + link.q);
    }
    foot = {whole.link_of("ankle_L"), whole.link_of("ankle_R")};
  }
  void begin() {
    whole.look(q, u, {});
    for (const int link : foot) {
      WholeBodySole sole;
      sole.link = link;
      sole.X_BP = {Mat3d::identity(), Vec3d(0.0, 0.0, -body.ankle_height)};
      sole.ahead = body.toe;
      sole.behind = body.heel;
      sole.beside = 0.5 * body.sole_width;
      whole.stand_on(sole);
    }
    for (int i = 6; i < whole.model().nu; i++) whole.want_accel(i, 0.0, 1.0);
  }
  Vec3d weight() const { return {0.0, 0.0, 9.81 * whole.mass()}; }
  int freedom(std::string_view joint) const { return whole.model().links[std::size_t(whole.link_of(joint))].u; }
};

TEST(WholeBody, standing_it_asks_for_the_torques_of_virtual_work) {
  Standing s;
  s.begin();
  s.whole.want_momentum(s.weight(), Vec3d(100.0, 100.0, 100.0));
  s.whole.want_spin(Vec3d::zero(), Vec3d(100.0, 100.0, 100.0));
  for (int i = 0; i < 2; i++) {
    s.whole.want_push(i, s.weight() * 0.5, 10.0);
    s.whole.want_pressure_at(i, Vec3d(s.whole.com()[0], i == 0 ? 0.09 : -0.09, 0.0), 1e4);
  }
  ASSERT_EQ(s.whole.solve(), SmallQp::Status::Solved);
  legged::SixAngles angles{};
  const int first[4] = {0, 1, 3, 4}, n[4] = {1, 2, 1, 2};
  const char* names[4] = {"yaw_L", "hip_L", "knee_L", "ankle_L"};
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < n[j]; i++)
      angles[std::size_t(first[j] + i)] =
          s.q[std::size_t(s.whole.model().links[std::size_t(s.whole.link_of(names[j]))].q + i)];
  const Posed pelvis = s.whole.pose(s.whole.link_of("root"));
  const legged::FootPush push{s.weight() * 0.5, Vec3d(s.whole.com()[0], 0.09, 0.0)};
  const legged::SixAngles tau = legged::balance_torques(body, 0, pelvis, angles, push, 9.81);
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < n[j]; i++)
      EXPECT_NEAR(s.whole.torque(s.freedom(names[j]) + i), tau[std::size_t(first[j] + i)], 1e-3) << names[j];
  EXPECT_LT(norm(s.whole.force(0) + s.whole.force(1) - s.weight()), 1e-3);
}

// What the drives of both knees cannot give, the robot does not get: it is told to sink.
TEST(WholeBody, drives_are_not_asked_for_more_than_they_have) {
  Standing s;
  const int knees[2] = {s.freedom("knee_L"), s.freedom("knee_R")};
  double before = 0.0;
  for (const double most : {1e6, 4.0}) {
    s.begin();
    s.whole.want_momentum(s.weight(), Vec3d(1.0, 1.0, 1.0));
    for (const int knee : knees) {
      WholeBodyDrive drive;
      drive.first = knee;
      drive.L[0][0] = 20.0;  // 1 N m: 20 N
      drive.most = 20.0 * most;
      s.whole.limit(drive);
    }
    ASSERT_EQ(s.whole.solve(), SmallQp::Status::Solved);
    for (const int knee : knees) EXPECT_LE(std::abs(s.whole.torque(knee)), most + 1e-9);
    if (most > 1e3) before = std::abs(s.whole.torque(knees[0]));
  }
  EXPECT_GT(before, 8.0);
  EXPECT_NEAR(std::abs(s.whole.torque(knees[0])), 4.0, 1e-9);
  EXPECT_LT(s.whole.force(0)[2] + s.whole.force(1)[2], s.weight()[2]);
}

// Newton's and Euler's laws for all masses hold whatever it is asked for: forces of the ground move the mass centre.
TEST(WholeBody, forces_stay_in_their_cones_and_move_the_mass_centre) {
  Standing s;
  s.begin();
  s.whole.want_momentum(s.weight() + Vec3d(400.0, 0.0, 0.0), Vec3d(100.0, 100.0, 100.0));
  ASSERT_EQ(s.whole.solve(), SmallQp::Status::Solved);
  Vec3d f = Vec3d::zero();
  for (int i = 0; i < 2; i++) {
    const Vec3d one = s.whole.force(i);
    EXPECT_GE(one[2], -1e-9);
    EXPECT_LE(std::abs(one[0]), 0.6 / std::sqrt(2.0) * one[2] + 1e-9);
    f += one;
  }
  EXPECT_GT(f[0], 20.0);
  // by differences: the mass centre's velocity after a little of these accelerations
  const double dt = 1e-6;
  std::vector<double> later(s.u);
  for (int i = 0; i < s.whole.model().nu; i++) later[std::size_t(i)] = s.whole.accel(i) * dt;
  const Vec3d a = (f - s.weight()) * (1.0 / s.whole.mass());
  s.whole.look(s.q, later, {});
  EXPECT_LT(norm(s.whole.com_rate() * (1.0 / dt) - a), 1e-6 * (1.0 + norm(a)));
}

}  // namespace whole_body_test
}  // namespace sinew
