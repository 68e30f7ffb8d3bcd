#include "sinew/study/stop_watch.h"

#include <fmt/format.h>

#include "sinew/sim/errors.h"
#include "sinew/study/plan.h"

namespace sinew::study {

StopWatch::StopWatch(const std::string& text, const sim::Experiment& experiment)
    : experiment_(experiment), observer_(experiment.model()) {
  const auto at = text.find_first_of("<>");
  if (at == std::string::npos)
    throw InputError(fmt::format("stop_when {}: not a condition: write a signal, < or >, and a number", text));
  below_ = text[at] == '<';
  const auto trim = [](std::string part) {
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    return part;
  };
  bool is_number = false;
  limit_ = parse_number(trim(text.substr(at + 1)), is_number);
  if (!is_number)
    throw InputError(fmt::format("stop_when {}: what follows {} is no number: write one", text, text[at]));
  formula_ = sim::parse_formula(experiment.signals(), trim(text.substr(0, at)));
  if (formula_.components.empty())
    throw InputError(fmt::format("stop_when {}: {} is no signal: {}", text, formula_.unknown,
                                 sim::suggest_signals(experiment.signals(), formula_.unknown)));
  if (formula_.components.size() != 1)
    throw InputError(
        fmt::format("stop_when {}: it has {} numbers: name one of them", text, formula_.components.size()));
}

void StopWatch::look(const World<double>& world) {
  const double x = evaluate(formula_.components[0], experiment_.signals(), world, observer_.observe(world));
  if (below_ ? x < limit_ : x > limit_) hit_ = true;
}

}  // namespace sinew::study
