// The gaits that come with sinew: patterns of joint motions given by a few parameters. To add one: write gaits/<name>.cpp,
// then list it in catalog.cpp.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "sinew/model/catalog.h"
#include "sinew/model/keys.h"
#include "sinew/model/plan.h"

namespace sinew::gaits {

// Gives every driven joint of a plan its motion: what it follows, what its servo aims at, or what its computed torque is
// for.
class Gait {
 public:
  virtual ~Gait() = default;
  virtual void describe(Keys& keys) = 0;  // its parameters, keys of the table [gait]
  // One motion per axis of each joint. Throws PlanError where a joint is of a kind that the gait cannot move. One of both is a gait's own: the second
  // for one that must know what the joints of the plan carry.
  virtual void apply(std::span<JointPlan* const>) const {}
  virtual void apply_to(const Plan&, std::span<JointPlan* const> driven) const { apply(driven); }
  // Its motions are the coordinates of the joints. Otherwise they are added to what joints follow if that is constant.
  virtual bool places_joints() const { return false; }
  // Rules of how it begins, after apply. Throws PlanError.
  virtual void check_start(std::span<JointPlan* const>) const {}
};

using Entry = CatalogEntry<Gait>;
Catalog<Gait> catalog();

// One from outside: scenario files can then name it as those that come with sinew. Before the first scenario is read, in one thread;
// the texts of the entry must stay. Throws std::invalid_argument if the name is taken.
void add_gait(const Entry& entry);

// The plan with the gait's motions in its driven joints, which must have none of their own but constant ones. from_start: it must be able to begin.
// Throws PlanError.
Plan with_gait(const Gait& gait, std::string_view name, Plan plan, bool from_start = true);

}  // namespace sinew::gaits
