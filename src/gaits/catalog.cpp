#include "gaits/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "gaits/places.h"

namespace sinew::gaits {

std::unique_ptr<Gait> make_lateral_undulation();
std::unique_ptr<Gait> make_turning();
std::unique_ptr<Gait> make_sidewinding();
std::unique_ptr<Gait> make_rolling();
std::unique_ptr<Gait> make_sinus_lifting();
std::unique_ptr<Gait> make_linear_progression();
std::unique_ptr<Gait> make_wave();
std::unique_ptr<Gait> make_limb_arch();
std::unique_ptr<Gait> make_inchworm();
std::unique_ptr<Gait> make_legs();

namespace {
constexpr std::array entries{
    Entry{"lateral-undulation", "a snake's waves to the sides, from head to tail", make_lateral_undulation},
    Entry{"turning", "lateral undulation with an offset: goes round in a circle", make_turning},
    Entry{"sidewinding", "waves to the side and up and down: goes sideways on any ground", make_sidewinding},
    Entry{"rolling", "a body bent in an arc that rolls sideways like a barrel", make_rolling},
    Entry{"sinus-lifting", "lateral undulation that lifts the parts that are bent most", make_sinus_lifting},
    Entry{"linear-progression", "waves up and down only, as of a caterpillar: goes straight on",
          make_linear_progression},
    Entry{"wave", "waves that travel along a chain of joints: lateral undulation, sidewinding", make_wave},
    Entry{"limb-arch", "a limb on the ground that lifts its first links and lays them down again", make_limb_arch},
    Entry{"inchworm", "limbs whose inner links arch and flatten while their outer ones lie flat", make_inchworm},
    Entry{"legs", "any robot on four legs or more walks: wave, gallop, tripod or trot, ripple, amble", make_legs},
};

std::vector<Entry>& all_entries() {
  static std::vector<Entry> all(entries.begin(), entries.end());
  return all;
}
}  // namespace

namespace {

bool is_constant(const Motion<double>& m) {
  return m.rate == 0.0 && m.amplitude == 0.0 && !m.table && m.passage.time == 0.0;
}

void move_driven(const Gait& gait, const Plan& plan, std::span<JointPlan* const> driven) {
  std::vector<std::vector<Motion<double>>> held;
  for (JointPlan* j : driven) held.push_back(std::exchange(j->motion, {}));
  tell_alternating(Places(plan), driven, plan);
  gait.apply_to(plan, driven);
  if (gait.places_joints()) return;
  for (std::size_t k = 0; k < driven.size(); k++)
    for (std::size_t c = 0; c < std::min(held[k].size(), driven[k]->motion.size()); c++)
      driven[k]->motion[c].offset += held[k][c].offset;
}

}  // namespace

Catalog<Gait> catalog() { return {all_entries()}; }

void add_gait(const Entry& entry) {
  if (std::ranges::find(all_entries(), entry.name, &Entry::name) != all_entries().end())
    throw std::invalid_argument("a gait of the name " + std::string(entry.name) + " is there already");
  all_entries().push_back(entry);
}

Plan with_gait(const Gait& gait, std::string_view name, Plan plan, bool from_start) {
  std::vector<Problem> problems;
  std::vector<JointPlan*> driven;
  for (JointPlan& j : plan.joints) {
    if (j.drive == Drive::None || j.drive == Drive::Torque) continue;
    driven.push_back(&j);
    if (!std::ranges::all_of(j.motion, is_constant))
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
  move_driven(gait, plan, driven);
  if (from_start) gait.check_start(driven);
  return plan;
}

}  // namespace sinew::gaits
