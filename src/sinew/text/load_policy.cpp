#include "sinew/text/load_policy.h"

#include <fmt/format.h>

#include "sinew/imports/policy_file.h"
#include "sinew/sim/errors.h"
#include "sinew/text/load_meshes.h"

namespace sinew::text {

void load_policy(sim::Scenario& scenario, const std::function<std::string(std::string_view)>& place_of,
                 std::vector<std::string>& problems) {
  PolicyPlan& policy = scenario.policy;
  if (scenario.control_kind != ControlKind::Policy || policy.file.empty()) return;
  try {
    policy.layers = std::make_shared<const std::vector<PolicyLayer>>(
        imports::read_policy(path_beside(scenario.folder, policy.file)));
  } catch (const InputError& e) {
    for (const std::string& problem : e.problems)
      problems.push_back(fmt::format("{}: control.policy: {}", place_of("control.policy"), problem));
  }
}

}  // namespace sinew::text
