#include "gaits/catalog.h"

#include <fmt/format.h>

#include <array>

namespace sinew::gaits {

std::unique_ptr<Gait> make_wave();

namespace {
constexpr std::array entries{
    Entry{"wave", "waves that travel along a chain of joints: lateral undulation, sidewinding", make_wave},
};
}  // namespace

std::span<const Entry> catalog() { return entries; }

std::unique_ptr<Gait> make_gait(std::string_view name) {
  for (const Entry& entry : entries)
    if (entry.name == name) return entry.make();
  return nullptr;
}

Plan with_gait(const Gait& gait, std::string_view name, Plan plan) {
  std::vector<Problem> problems;
  std::vector<JointPlan*> driven;
  for (JointPlan& j : plan.joints) {
    if (j.drive == Drive::None) continue;
    driven.push_back(&j);
    if (!j.motion.empty())
      problems.push_back({fmt::format("{}.{}.motion", j.loop ? "loop" : "joint", j.name),
                          fmt::format("the joint gives its own motion, and gait.kind = \"{}\" moves it as well: remove "
                                      "its motion, or use gait.kind = \"none\"",
                                      name)});
  }
  if (driven.empty())
    problems.push_back({"gait.kind", fmt::format("\"{}\" finds no joint to move: give joints drive = \"servo\", "
                                                 "\"motion\" or \"computed\"",
                                                 name)});
  if (!problems.empty()) throw PlanError(std::move(problems));
  gait.apply(driven);
  return plan;
}

}  // namespace sinew::gaits
