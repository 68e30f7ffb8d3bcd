#include "fmu/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fmu/load.h"
#include "sinew/sim/errors.h"

namespace fmu {
namespace {

constexpr std::string_view state_head = "sinew fmu state 1\n";
constexpr double near = 1e-6;  // times of an importer and ours are the same within this share of a step

const char* name_of(Mode mode) {
  constexpr const char* names[] = {"before its initialisation", "in initialisation mode", "between steps",
                                   "after a failed step", "after its end"};
  return names[int(mode)];
}

}  // namespace

Instance::Instance(const std::string& folder, const std::string& token, Log log) : log_(std::move(log)) {
  Resources resources = load_resources(folder, token);
  part_ = std::move(resources.part);
  step_ = resources.step;
}

// Errors are told in any case: a call that fails without a word helps nobody.
void Instance::tell(Status status, const std::string& message) {
  if (log_ && (logging_ || status >= Status::Error))
    log_(status, status >= Status::Error ? "error" : "warning", message);
}

Status Instance::refuse(const char* call, const std::string& why) {
  tell(Status::Error, fmt::format("{}: {}", call, why));
  return Status::Error;
}

Status Instance::none_of_type(std::size_t n, const char* call) {
  return n == 0 ? Status::Ok : refuse(call, "no variable of this FMU has this type: all are real numbers");
}

bool Instance::is_allowed(const char* call, std::initializer_list<Mode> modes) {
  if (std::ranges::find(modes, mode_) != modes.end()) return true;
  refuse(call, fmt::format("not allowed {}", name_of(mode_)));
  return false;
}

bool Instance::are_known(const char* call, const std::uint32_t* references, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) {
    if (references[i] < part_->variables().size()) continue;
    refuse(call, fmt::format("there is no variable with the value reference {}", references[i]));
    return false;
  }
  return true;
}

// Nothing is thrown into an importer, which may be written in any language.
template <class F>
Status Instance::guard(const char* call, F f) {
  try {
    return f();
  } catch (const sinew::InputError& e) {
    std::string all;
    for (const std::string& problem : e.problems) all += (all.empty() ? "" : "; ") + problem;
    return refuse(call, all);
  } catch (const std::exception& e) {
    return refuse(call, e.what());
  } catch (...) {
    return refuse(call, "it failed for an unknown reason");
  }
}

Status Instance::set_experiment(double start, bool has_stop, double stop) {
  constexpr const char* call = "setup of the experiment";
  if (!is_allowed(call, {Mode::Instantiated})) return Status::Error;
  if (!std::isfinite(start) || (has_stop && !(stop >= start)))
    return refuse(
        call, fmt::format("a start at {} s and an end at {} s: give an end that is not before the start", start, stop));
  start_ = time_ = start;
  has_stop_ = has_stop;
  stop_ = stop;
  return Status::Ok;
}

Status Instance::enter_initialization() {
  if (!is_allowed("entering initialisation", {Mode::Instantiated})) return Status::Error;
  mode_ = Mode::Initialization;
  return Status::Ok;
}

Status Instance::exit_initialization() {
  if (!is_allowed("leaving initialisation", {Mode::Initialization})) return Status::Error;
  mode_ = Mode::Step;
  return Status::Ok;
}

Status Instance::terminate() {
  if (!is_allowed("end of the simulation", {Mode::Step})) return Status::Error;
  mode_ = Mode::Terminated;
  return Status::Ok;
}

Status Instance::reset() {
  return guard("reset", [&] {
    const auto& variables = part_->variables();
    for (std::size_t i = 0; i < variables.size(); i++)
      if (variables[i].causality == fmi::Causality::Parameter || variables[i].causality == fmi::Causality::Input)
        part_->set(i, fmi::to_fmi(variables[i].start));
    part_->start();
    mode_ = Mode::Instantiated;
    start_ = time_ = 0.0;
    has_stop_ = has_told_ = false;
    return Status::Ok;
  });
}

Status Instance::get(const std::uint32_t* references, std::size_t n, double* values) {
  constexpr const char* call = "reading variables";
  if (!is_allowed(call, {Mode::Initialization, Mode::Step, Mode::Failed, Mode::Terminated})) return Status::Error;
  if (!are_known(call, references, n)) return Status::Error;
  return guard(call, [&] {
    for (std::size_t i = 0; i < n; i++) {
      const bool is_time = part_->variables()[references[i]].source == fmi::Source::Time;
      values[i] = is_time ? time_ : fmi::to_fmi(part_->get(references[i]));
    }
    return Status::Ok;
  });
}

Status Instance::set(const std::uint32_t* references, std::size_t n, const double* values) {
  constexpr const char* call = "setting variables";
  if (!is_allowed(call, {Mode::Instantiated, Mode::Initialization, Mode::Step})) return Status::Error;
  if (!are_known(call, references, n)) return Status::Error;
  for (std::size_t i = 0; i < n; i++) {
    const fmi::Variable& v = part_->variables()[references[i]];
    const bool is_parameter = v.causality == fmi::Causality::Parameter;
    if (!is_parameter && v.causality != fmi::Causality::Input)
      return refuse(call, v.name + ": it is no input and no parameter, and only looked at");
    if (is_parameter && !v.is_tunable && mode_ == Mode::Step)
      return refuse(call, v.name + ": this parameter is fixed once the simulation has begun");
    if (!std::isfinite(values[i])) return refuse(call, fmt::format("{}: {}: give a finite number", v.name, values[i]));
  }
  return guard(call, [&] {
    for (std::size_t i = 0; i < n; i++) part_->set(references[i], values[i]);
    part_->apply();
    return Status::Ok;
  });
}

Status Instance::do_step(double t, double step) {
  constexpr const char* call = "a communication step";
  if (!is_allowed(call, {Mode::Step})) return Status::Error;
  if (!(std::abs(t - time_) <= near * step_ + 1e-12 * std::abs(t)))
    return refuse(call, fmt::format("it begins at {} s, but the FMU is at {} s", t, time_));
  if (!(step >= 0.0) || !std::isfinite(step))
    return refuse(call, fmt::format("a length of {} s: give one that is not negative", step));
  if (has_stop_ && t + step > stop_ + near * step_)
    return refuse(call, fmt::format("it ends at {} s, after the stop time {} s", t + step, stop_));
  return guard(call, [&] {
    const double steps = step / step_;
    if (!has_told_ && std::abs(steps - std::round(steps)) > near)
      tell(Status::Warning,
           fmt::format("a communication step of {} s is no multiple of the simulation's own {} s: what is "
                       "read is of the last whole step before",
                       step, step_));
    has_told_ = true;
    const Advance done = part_->advance_to(t + step - start_);
    if (!done.failure.empty()) {
      mode_ = Mode::Failed;
      return refuse(call, done.failure);
    }
    time_ = t + step;
    if (done.doubt.empty()) return Status::Ok;
    tell(Status::Warning, done.doubt);
    return Status::Warning;
  });
}

Status Instance::save(StoredState** state) {
  return guard("keeping the state", [&] {
    fmi::BytesWriter out;
    out.put(state_head);
    out.put(std::uint8_t(mode_));
    out.put(std::uint8_t(has_stop_));
    for (const double x : {start_, stop_, time_}) out.put(x);
    part_->save(out);
    if (!*state) *state = new StoredState;  // the importer's, which gives it back to be deleted
    (*state)->bytes = std::move(out.bytes);
    return Status::Ok;
  });
}

Status Instance::restore(const StoredState* state) {
  if (!state) return refuse("going back to a state", "there is none");
  return guard("going back to a state", [&] {
    fmi::BytesReader in(state->bytes);
    std::uint8_t mode = 0, has_stop = 0;
    double start = 0.0, stop = 0.0, time = 0.0;
    in.expect(state_head, "these bytes are no state of this FMU");
    in.take(mode);
    in.take(has_stop);
    for (double* x : {&start, &stop, &time}) in.take(*x);
    if (mode > std::uint8_t(Mode::Terminated)) throw fmi::BytesError("these bytes are no state of this FMU");
    part_->restore(in);
    mode_ = Mode(mode);
    has_stop_ = has_stop != 0;
    start_ = start;
    stop_ = stop;
    time_ = time;
    return Status::Ok;
  });
}

Status Instance::deserialize(std::string_view bytes, StoredState** state) {
  if (!bytes.starts_with(state_head)) return refuse("reading a state", "these bytes are no state of this FMU");
  if (!*state) *state = new StoredState;
  (*state)->bytes = bytes;
  return Status::Ok;
}

}  // namespace fmu
