// A policy: a small neural network, trained elsewhere, that turns readings into commands (docs/policies.md).
//   o_i = limited((x_i - offset_i) scale_i)                    observations: readings x, the last actions, constants
//   h_0 = o,  h_k = activation(W_k h_(k-1) + b_k),  a = output(W_n h_(n-1) + b_n)
//   y_i = offset_i + scale_i limited(a_i)                      actions: commands y
// Sums go from left to right in double precision: the same bits on every machine.
#pragma once
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/control/controller.h"
#include "sinew/model/plan.h"

namespace sinew {

struct PolicyLayer {
  int inputs = 0, outputs = 0;
  std::vector<double> W, b;  // W row by row, one per output
};

enum class Activation { Elu, Relu, Tanh, Linear };
inline constexpr std::array<std::string_view, 4> activation_names{"elu", "relu", "tanh", "linear"};

struct PolicyPlan {
  std::string file;                                // with the layers
  std::vector<std::string> observations, actions;  // names of channels, see sim/policy_wires.h
  // Per number that is observed or commanded, or one for all.
  std::vector<double> observation_offset = {0.0}, observation_scale = {1.0};
  std::vector<double> action_offset = {0.0}, action_scale = {1.0};
  double observation_limit = std::numeric_limits<double>::infinity();
  double action_limit = std::numeric_limits<double>::infinity();
  Activation activation = Activation::Elu, output = Activation::Linear;
  std::shared_ptr<const std::vector<PolicyLayer>> layers;  // nullptr: not read yet
};

// What is wrong with layers that follow each other; "": nothing.
std::string problem_of(const std::vector<PolicyLayer>& layers);

// Where a number that is observed comes from.
struct PolicySource {
  enum class Kind { Reading, LastAction, Constant } kind = Kind::Reading;
  int offset = 0;  // in the lists of Readings one after the other; of the action
  double value = 0.0;
};
struct PolicyWires {
  std::vector<PolicySource> observations;
  std::vector<int> actions;  // offsets in Input::torque, then in Input::drive
};

inline constexpr std::string_view policy_block = "control.policy";  // of State::memory: the last actions

class Policy : public Controller {
 public:
  // plan: with policy_block. Throws PlanError where numbers do not fit each other.
  Policy(const PolicyPlan& policy, PolicyWires wires, const Plan& plan);
  void update(const Readings& readings, std::span<double> memory, Input<double>& out) override;

 private:
  PolicyPlan policy_;
  PolicyWires wires_;
  int memory_;
  std::vector<double> now_, next_;  // of two layers
};

}  // namespace sinew
