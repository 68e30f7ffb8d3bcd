#include "fmu/part.h"

#include "sinew/sim/parameters.h"

namespace fmu {

namespace sim = sinew::sim;

std::shared_ptr<const sim::Experiment> with_parameters(const std::shared_ptr<const sim::Experiment>& experiment,
                                                       const std::vector<fmi::Variable>& variables,
                                                       const std::vector<double>& values) {
  sim::Scenario scenario = experiment->scenario;
  bool is_changed = false;
  for (std::size_t i = 0; i < variables.size(); i++) {
    if (variables[i].causality != fmi::Causality::Parameter || values[i] == variables[i].start) continue;
    sim::set_parameter(scenario, variables[i].name, values[i]);
    is_changed = true;
  }
  return is_changed ? std::make_shared<const sim::Experiment>(std::move(scenario)) : experiment;
}

}  // namespace fmu
