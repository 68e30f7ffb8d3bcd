#include "sinew/control/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/math/elementary.h"
#include "sinew/model/memory.h"

namespace sinew {
namespace {

double activated(Activation kind, double x) {
  switch (kind) {
    case Activation::Elu:
      return x > 0.0 ? x : math::expm1(x);
    case Activation::Relu:
      return std::max(x, 0.0);
    case Activation::Tanh:
      return math::tanh(x);
    case Activation::Linear:
      break;
  }
  return x;
}

// One for all becomes one for each.
void spread(const char* key, std::size_t n, std::vector<double>& values, std::vector<Problem>& problems) {
  if (values.size() == 1) values.assign(n, values[0]);
  if (values.size() != n)
    problems.push_back(
        {key, fmt::format("{} numbers are given for {}: give one for each, or one for all", values.size(), n)});
}

}  // namespace

std::string problem_of(const std::vector<PolicyLayer>& layers) {
  if (layers.empty()) return "it has no layer";
  for (std::size_t k = 0; k < layers.size(); k++) {
    const PolicyLayer& l = layers[k];
    if (l.inputs < 1 || l.outputs < 1) return fmt::format("layer {} is empty", k);
    if (l.W.size() != std::size_t(l.inputs) * std::size_t(l.outputs) || l.b.size() != std::size_t(l.outputs))
      return fmt::format("layer {}: its weights are {} by {}, its bias has {} numbers", k, l.outputs, l.inputs,
                         l.b.size());
    if (k > 0 && l.inputs != layers[k - 1].outputs)
      return fmt::format("layer {} takes {} numbers, layer {} gives {}", k, l.inputs, k - 1, layers[k - 1].outputs);
    for (const std::vector<double>* list : {&l.W, &l.b})
      if (!std::ranges::all_of(*list, [](double x) { return std::isfinite(x); }))
        return fmt::format("layer {} holds a number that is not finite", k);
  }
  return "";
}

Policy::Policy(const PolicyPlan& policy, PolicyWires wires, const Plan& plan)
    : policy_(policy), wires_(std::move(wires)), memory_(memory_offset(plan, policy_block)) {
  std::vector<Problem> problems;
  const std::vector<PolicyLayer>& layers = *policy_.layers;
  const std::size_t n = wires_.observations.size(), m = wires_.actions.size();
  if (n != std::size_t(layers.front().inputs))
    problems.push_back({"control.observations", fmt::format("{} numbers are observed, the first layer of {} takes {}",
                                                            n, policy_.file, layers.front().inputs)});
  if (m != std::size_t(layers.back().outputs))
    problems.push_back({"control.actions", fmt::format("{} numbers are commanded, the last layer of {} gives {}", m,
                                                       policy_.file, layers.back().outputs)});
  spread("control.observation_offset", n, policy_.observation_offset, problems);
  spread("control.observation_scale", n, policy_.observation_scale, problems);
  spread("control.action_offset", m, policy_.action_offset, problems);
  spread("control.action_scale", m, policy_.action_scale, problems);
  if (!problems.empty()) throw PlanError(std::move(problems));
  std::size_t widest = n;
  for (const PolicyLayer& l : layers) widest = std::max(widest, std::size_t(l.outputs));
  now_.resize(widest);
  next_.resize(widest);
}

void Policy::update(const Readings& readings, std::span<double> memory, Input<double>& out) {
  const std::span<double> last = memory.subspan(std::size_t(memory_), wires_.actions.size());
  for (std::size_t i = 0; i < wires_.observations.size(); i++) {
    const PolicySource& s = wires_.observations[i];
    double x = s.value;
    if (s.kind == PolicySource::Kind::Reading) x = *number_at(readings, std::size_t(s.offset));
    if (s.kind == PolicySource::Kind::LastAction) x = last[std::size_t(s.offset)];
    now_[i] = std::clamp((x - policy_.observation_offset[i]) * policy_.observation_scale[i], -policy_.observation_limit,
                         policy_.observation_limit);
  }
  const std::vector<PolicyLayer>& layers = *policy_.layers;
  for (const PolicyLayer& l : layers) {
    const Activation kind = &l == &layers.back() ? policy_.output : policy_.activation;
    for (int i = 0; i < l.outputs; i++) {
      double sum = l.b[std::size_t(i)];
      const double* row = l.W.data() + std::size_t(i) * std::size_t(l.inputs);
      for (int k = 0; k < l.inputs; k++) sum += row[k] * now_[std::size_t(k)];
      next_[std::size_t(i)] = activated(kind, sum);
    }
    std::swap(now_, next_);
  }
  for (std::size_t i = 0; i < last.size(); i++) {
    last[i] = std::clamp(now_[i], -policy_.action_limit, policy_.action_limit);
    command_at(out, std::size_t(wires_.actions[i])) = policy_.action_offset[i] + policy_.action_scale[i] * last[i];
  }
}

}  // namespace sinew
