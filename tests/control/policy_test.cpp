#include "sinew/control/policy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/sim/errors.h"
#include "sinew/sim/policy_wires.h"
#include "sinew/sim/simulation.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/shipped.h"

namespace sinew {
namespace policy_test {

const std::string pendulum = R"(
duration = 2.0
[body.bob]
mass = 1.0
com = [0, 0, -0.5]
inertia = [0.02, 0.02, 0.001]
[joint.pivot]
kind = "revolute"
child = "bob"
axis = [0, 1, 0]
position = 0.8
[control]
)";

sim::Scenario with_policy(const PolicyPlan& policy) {
  sim::Scenario s = text::parse_scenario(pendulum, "");
  s.control_kind = ControlKind::Policy;
  s.policy = policy;
  return s;
}

PolicyPlan linear(double kp, double kd) {
  PolicyPlan p;
  p.observations = {"joint.pivot.q", "joint.pivot.u"};
  p.actions = {"joint.pivot.torque"};
  p.layers = std::make_shared<const std::vector<PolicyLayer>>(std::vector<PolicyLayer>{{2, 1, {-kp, -kd}, {0.0}}});
  return p;
}

// One layer without an activation is feedback of angle and rate.
TEST(Policy, a_single_linear_layer_is_proportional_differential_feedback) {
  sim::Simulation network(sim::Experiment(with_policy(linear(40.0, 8.0))));
  sim::Simulation pd(sim::Experiment(
      text::parse_scenario(pendulum + "kind = \"pd\"\njoints = \"pivot\"\nangle_gain = 40\nrate_gain = 8\n", "")));
  for (int k = 0; k < 2000; k++) {
    ASSERT_FALSE(network.step());
    ASSERT_FALSE(pd.step());
    ASSERT_NEAR(network.get("joint.pivot.q"), pd.get("joint.pivot.q"), 1e-12) << k;
  }
  EXPECT_LT(std::abs(network.get("joint.pivot.q")), 1e-3);
}

struct Given {
  std::vector<double> torque, memory;
};
Given answer(const PolicyPlan& policy, const PolicyWires& wires, const Readings& r, int asked = 1) {
  Plan plan;
  plan.memory = {{"other", 2}, {std::string(policy_block), int(wires.actions.size())}};
  Policy controller(policy, wires, plan);
  Input<double> input;
  input.torque = {0.0, 0.0};
  input.drive = {0.0};
  std::vector<double> memory(2 + wires.actions.size(), 0.0);
  for (int k = 0; k < asked; k++) controller.update(r, memory, input);
  return {{input.torque[0], input.torque[1], input.drive[0]}, memory};
}

TEST(Policy, scales_limits_layers_and_activations_are_those_of_the_page) {
  using Kind = PolicySource::Kind;
  PolicyPlan p;
  p.layers = std::make_shared<const std::vector<PolicyLayer>>(
      std::vector<PolicyLayer>{{3, 2, {1, 2, 3, -1, 0.5, 0}, {0.1, -0.2}}, {2, 2, {1, -1, 2, 1}, {0, 0.3}}});
  p.observation_offset = {1.0, 0.0, 0.0};
  p.observation_scale = {2.0, 1.0, 1.0};
  p.observation_limit = 1.5;
  p.action_offset = {10.0, 20.0};
  p.action_scale = {1.0, 0.5};
  p.action_limit = 2.0;
  const PolicyWires wires{{{Kind::Reading, 0}, {Kind::Reading, 2}, {Kind::Constant, 0, 0.25}}, {1, 2}};
  const Readings r{0.0, {1.25}, {9.0}, {5.0}, {}, {}};
  const double o[] = {0.5, 1.5, 0.25};  // 5 is held at 1.5
  const double first = o[0] + 2 * o[1] + 3 * o[2] + 0.1, second = -o[0] + 0.5 * o[1] - 0.2;
  const auto expect = [&](Activation kind, double h1, double h2) {
    p.activation = kind;
    const Given g = answer(p, wires, r);
    const double a = std::clamp(h1 - h2, -2.0, 2.0), b = std::clamp(2 * h1 + h2 + 0.3, -2.0, 2.0);
    EXPECT_EQ(g.torque[0], 0.0);
    EXPECT_NEAR(g.torque[1], 10.0 + a, 1e-12);
    EXPECT_NEAR(g.torque[2], 20.0 + 0.5 * b, 1e-12);
    EXPECT_NEAR(g.memory[2], a, 1e-12);
    EXPECT_EQ(g.memory[0], 0.0);
  };
  expect(Activation::Tanh, std::tanh(first), std::tanh(second));
  expect(Activation::Relu, first, std::max(0.0, second));
  expect(Activation::Elu, first, second > 0 ? second : std::expm1(second));
  expect(Activation::Linear, first, second);
}

TEST(Policy, it_remembers_what_it_gave_last) {
  PolicyPlan p;  // a = last + 1
  p.layers = std::make_shared<const std::vector<PolicyLayer>>(std::vector<PolicyLayer>{{1, 1, {1}, {1}}});
  const PolicyWires wires{{{PolicySource::Kind::LastAction, 0}}, {0}};
  EXPECT_EQ(answer(p, wires, {}, 3).torque[0], 3.0);
}

TEST(Policy, names_and_numbers_that_do_not_fit_are_refused) {
  const auto problem = [](auto change) {
    PolicyPlan p = linear(1.0, 1.0);
    change(p);
    try {
      sim::Experiment experiment(with_policy(p));
    } catch (const InputError& e) {
      return e.problems.at(0);
    }
    return std::string();
  };
  EXPECT_EQ(problem([](PolicyPlan&) {}), "");
  EXPECT_EQ(problem([](PolicyPlan& p) { p.observations = {"joint.*.q", "0.5"}; }), "");
  EXPECT_NE(problem([](PolicyPlan& p) { p.observations = {"joint.pivot.q"}; }).find("1 numbers are observed"),
            std::string::npos);
  EXPECT_NE(problem([](PolicyPlan& p) { p.observations[0] = "joint.pivo.q"; }).find("did you mean joint.pivot.q"),
            std::string::npos);
  EXPECT_NE(problem([](PolicyPlan& p) { p.actions = {"drive.*.position"}; }).find("no command has such a name"),
            std::string::npos);
  EXPECT_NE(problem([](PolicyPlan& p) { p.actions.push_back("joint.pivot.torque"); }).find("2 numbers are commanded"),
            std::string::npos);
  EXPECT_NE(problem([](PolicyPlan& p) {
              p.action_scale = {1.0, 2.0};
            }).find("2 numbers are given for 1"),
            std::string::npos);
  const auto file_problem = [](const std::string& keys) {
    try {
      text::parse_scenario(pendulum + keys, "a.toml");
    } catch (const InputError& e) {
      return e.problems.at(0);
    }
    return std::string();
  };
  EXPECT_NE(file_problem("kind = \"policy\"\n").find("policy needs a network"), std::string::npos);
  EXPECT_NE(file_problem("kind = \"pd\"\njoints = \"pivot\"\npolicy = \"x.npz\"\n").find("another control.kind"),
            std::string::npos);
  EXPECT_NE(file_problem("observations = [\"joint.pivot.q\"]\n").find("has no meaning"), std::string::npos);
  EXPECT_NE(file_problem("policy = \"none.npz\"\n").find("cannot be read"), std::string::npos);
}

// Half of a run, then the rest from its snapshot: the last actions are part of the state.
TEST(Policy, a_run_goes_on_with_the_same_bits) {
  const auto experiment = std::make_shared<const sim::Experiment>(test::shipped_experiment("basics/upright"));
  sim::Simulation whole(experiment), half(experiment), rest(experiment);
  ASSERT_FALSE(whole.step(1000));
  ASSERT_FALSE(half.step(415));
  rest.restore(half.snapshot());
  ASSERT_FALSE(rest.step(585));
  EXPECT_EQ(rest.hash(), whole.hash());
}

}  // namespace policy_test
}  // namespace sinew
