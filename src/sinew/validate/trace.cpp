#include "sinew/validate/trace.h"

#include <algorithm>

#include "sinew/sim/choose_signals.h"
#include "sinew/world/observe.h"

namespace sinew::validate {

Tracer::Tracer(const Model& model) : signals_(sim::signals_of(model)), kept_signals_{0}, values_(1) {}

void Tracer::add(const sim::FigurePlan& figure, const std::string& place) {
  const auto names = traces().names;
  const auto keep_all = [&](const std::string& wanted) {
    for (const std::size_t i : sim::choose_signals(names, wanted, place))
      if (std::ranges::find(kept_signals_, i) == kept_signals_.end()) kept_signals_.push_back(i);
  };
  if (!figure.boxes.empty()) return;
  keep_all(figure.x);
  for (const std::string& panel : figure.panels) keep_all(panel);
  values_.resize(kept_signals_.size());
}

void Tracer::look(const World<double>& world) {
  if (!values_[0].empty() && values_[0].back() >= world.state.t) return;  // the end was a moment to look at anyway
  const auto seen = observe(world);
  for (std::size_t i = 0; i < kept_signals_.size(); i++)
    values_[i].push_back(sim::evaluate(signals_[kept_signals_[i]], world, seen));
}

void Tracer::keep() { sound_ = values_[0].size(); }

void Tracer::drop() {
  for (auto& column : values_) column.resize(sound_);
}

report::Traces Tracer::traces() const {
  report::Traces all;
  for (const sim::Signal& signal : signals_) {
    all.names.push_back(signal.name);
    all.units.push_back(signal.unit);
  }
  all.read = [this](std::size_t i) {
    const auto found = std::ranges::find(kept_signals_, i);
    return found == kept_signals_.end() ? std::vector<double>{} : values_[std::size_t(found - kept_signals_.begin())];
  };
  return all;
}

}  // namespace sinew::validate
