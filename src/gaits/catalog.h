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
  // One motion per axis of each joint. Throws PlanError where a joint is of a kind that the gait cannot move.
  virtual void apply(std::span<JointPlan* const> driven) const = 0;
  // Rules of how it begins, after apply. Throws PlanError.
  virtual void check_start(std::span<JointPlan* const>) const {}
};

using Entry = CatalogEntry<Gait>;
Catalog<Gait> catalog();

// The plan with the gait's motions in its driven joints, which must have none of their own. from_start: it must be able to begin.
// Throws PlanError.
Plan with_gait(const Gait& gait, std::string_view name, Plan plan, bool from_start = true);

}  // namespace sinew::gaits
