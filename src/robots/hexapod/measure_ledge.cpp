// The way up a ledge as a plan, and the greatest height that has one, with hinges and without (docs/theory/hexapod.md#ledge).
#include "robots/hexapod/measure.h"
#include "sinew/control/legs/ledge_plan.h"

namespace sinew::robots {
namespace {

using namespace legged;

constexpr double gap_before_wall = 0.03;  // of the head where the plan begins [m]

LedgePoseRules rules_of(const HexapodBenchInput& in, bool rigid) {
  LedgePoseRules rules;
  rules.block_along = in.body.block[0];
  rules.block_up = in.body.block[2];
  rules.head_radius = in.body.head_radius;
  rules.torque_limit = in.torque_limit;
  rules.knee_limit = in.knee_limit;
  rules.hinge_limit = 2.0 * in.torque_limit;
  rules.g = in.g;
  rules.rigid = rigid;
  return rules;
}

}  // namespace

void measure_ledge(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const LedgeJudge judge(in.body, {in.ledge_height}, rules_of(in, in.rigid));
  LedgePlan plan;
  plan_ledge(judge, ledge_start(in.body, gap_before_wall, judge.rules().head_radius), {}, plan);
  double time = 0.0;
  for (int i = 0; i < int(plan.frames); i++) time += plan.frame[std::size_t(i)].time;
  out.push_back({"works", "1", {plan.works() ? 1.0 : 0.0}, true});
  out.push_back({"failed_phase", "1", {plan.failure.phase + 1.0}, true});  // 1 to 8; 0: none
  out.push_back({"lacking", "m, rad, N or N m", {plan.works() ? 0.0 : plan.failure.lacking}, true});
  out.push_back({"margin", "m", {plan.margin}, true});
  out.push_back({"torque_part", "1", {plan.torque}});
  out.push_back({"hinge_torque", "N m", {plan.hinge}});
  out.push_back({"frames", "1", {plan.frames}});
  out.push_back({"time", "s", {time}});
}

void measure_ledge_heights(const HexapodBenchInput& in, HexapodMeasurements& out) {
  for (const bool rigid : {false, true}) {
    const double h = greatest_ledge(in.body, rules_of(in, rigid), 0.1, 0.45, 0.0025);
    out.push_back({rigid ? "greatest_rigid" : "greatest_articulated", "m", {h}, true});
  }
}

}  // namespace sinew::robots
