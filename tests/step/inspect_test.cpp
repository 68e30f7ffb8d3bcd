#include "sinew/step/inspect.h"

#include <gtest/gtest.h>

#include "tests/support/touching.h"

namespace sinew::test {
namespace inspect_test {

// A contact by hand: friction 0.1 against sliding forward, 0.2 backward, 0.5 across, rolling 0.01 m.
struct ByHand {
  World<double> world = make_world(box_on_plane({0.1, 0.1, 0.1}, 1.0, 0.3));
  Workspace<double> ws{world.model()};
  ContactRow<double>& c = ws.rows.contact[0];

  ByHand() {
    ws.rows.n_contacts = 1;
    c.closed = true;
    c.slides = c.rolls = true, c.drills = false;
    c.law = {.mu_forward = 0.1, .mu_backward = 0.2, .mu_trans = 0.5, .rolling = 0.01};
    set({2.0, 0.0, 0.0, 0.0, 0.0, 0.0}, {});
  }
  void set(std::array<double, 6> P, std::array<double, 6> gamma) {
    std::ranges::copy(P, c.P);
    std::ranges::copy(gamma, c.gamma);
  }
  StepReport report() const {
    StepReport r;
    inspect(world.model(), 0.01, ws, r);
    return r;
  }
};

TEST(Inspect, an_impulse_on_the_rim_is_inside) {
  ByHand contact;
  for (const auto& P : {std::array{2.0, 0.4, 0.0, 0.0, 0.0, 0.0}, std::array{2.0, -0.2, 0.0, 0.0, 0.0, 0.0},
                        std::array{2.0, 0.0, 1.0, 0.0, 0.012, -0.016}}) {
    contact.set(P, {});
    EXPECT_NEAR(contact.report().outside, 0.0, 1e-15);
  }
}

TEST(Inspect, how_far_an_impulse_is_outside_is_measured_in_normal_impulses) {
  ByHand contact;
  contact.set({2.0, 0.6, 0.0, 0.0, 0.0, 0.0}, {});  // as much as 3 N s would allow
  EXPECT_NEAR(contact.report().outside, 1.0, 1e-15);
  contact.set({2.0, -0.3, 2.0, 0.0, 0.0, 0.0}, {});  // 3 and 4 N s
  EXPECT_NEAR(contact.report().outside, 3.0, 1e-15);
  contact.set({2.0, 0.0, 0.0, 0.0, 0.03, 0.04}, {});
  EXPECT_NEAR(contact.report().outside, 3.0, 1e-15);
  contact.set({-0.5, 0.0, 0.0, 0.0, 0.0, 0.0}, {});  // a contact that pulls
  EXPECT_NEAR(contact.report().outside, 0.5, 1e-15);
  contact.c.closed = false;
  EXPECT_EQ(contact.report().outside, 0.0);
}

TEST(Inspect, friction_that_puts_energy_in_is_seen) {
  ByHand contact;
  contact.set({2.0, 0.1, 0.2, 0.0, 0.01, 0.0}, {0.0, -3.0, -1.0, 0.0, -2.0, 5.0});
  EXPECT_EQ(contact.report().friction, 0.0);
  contact.set({2.0, 0.1, 0.2, 0.0, 0.01, 0.0}, {0.0, 3.0, -1.0, 0.0, 2.0, 5.0});
  EXPECT_NEAR(contact.report().friction, 0.1, 1e-15);
}

// The servo of a joint that is held 0.1 rad away from where it should be.
TEST(Inspect, torque_is_the_largest_of_a_drive_however_servos_are_computed) {
  for (const bool implicit : {false, true}) {
    Plan plan = crawler(3, {.mu_forward = 0.5, .mu_backward = 0.5, .mu_trans = 0.5});
    plan.implicit_servos = implicit;
    for (JointPlan& j : plan.joints)
      if (j.drive == Drive::Servo) j.kp.assign(2, 0.0), j.kd.assign(2, 0.0);
    plan.joints[1].kp = {10.0, 0.0};
    plan.joints[1].position = {0.1, 0.0};
    plan.joints[1].motion.assign(2, {});
    EXPECT_NEAR(make_world(plan).step(1e-6).torque, 1.0, 1e-3) << implicit;
  }
}

}  // namespace inspect_test
}  // namespace sinew::test
