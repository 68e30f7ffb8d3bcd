#include "sinew/report/replay.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/sim/errors.h"
#include "sinew/sim/scenario_signals.h"
#include "sinew/sim/signals.h"
#include "sinew/text/load_scenario.h"
#include "sinew/text/upgrade.h"

namespace sinew::report {
namespace {

bool is_same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// Compares each row of the run with the row of the same time; stops when there are no more.
class Comparer : public sim::Watcher {
 public:
  Comparer(const record::Reader& reader, const Model& model, std::vector<sim::Signal> signals, Replay& out)
      : out_(out), observer_(model), signals_(std::move(signals)), row_(signals_.size()), recorded_(reader.read_all()) {
    n_ = row_.size();
    rows_ = reader.rows();
  }

  void look(const World<double>& world) override {
    evaluate(signals_, world, observer_.observe(world), row_);
    pending_.insert(pending_.end(), row_.begin(), row_.end());
  }
  void drop() override { pending_.clear(); }
  void keep() override {
    for (std::size_t i = 0; i < pending_.size(); i += n_) compare(pending_.data() + i);
    pending_.clear();
  }
  std::size_t rows_left() const { return rows_ - next_; }

 private:
  void compare(const double* now) {
    // the recording of a run that was gone on with begins at any time
    while (next_ < rows_ && recorded_[next_ * n_] < now[0]) {
      if (next_ > 0) note(next_, 0, now);
      next_++;
    }
    if (next_ == rows_ || recorded_[next_ * n_] > now[0]) return;
    bool differs = false;
    for (std::size_t i = 0; i < n_; i++)
      if (!is_same_bits(recorded_[next_ * n_ + i], now[i])) {
        differs = true;
        note(next_, i, now);
      }
    out_.rows_that_differ += differs;
    out_.rows++;
    next_++;
  }

  void note(std::size_t row, std::size_t i, const double* now) {
    const Difference d{recorded_[row * n_], signals_[i].name, recorded_[row * n_ + i], now[i]};
    if (!out_.first) out_.first = d;
    if (!out_.largest || std::abs(d.now - d.recorded) > std::abs(out_.largest->now - out_.largest->recorded))
      out_.largest = d;
  }

  Replay& out_;
  Observer<double> observer_;
  std::vector<sim::Signal> signals_;
  std::vector<double> row_, recorded_, pending_;
  std::size_t n_ = 0, rows_ = 0, next_ = 0;
};

std::string recorded_hash(const record::Reader& reader) {
  const auto json = nlohmann::json::parse(reader.attribute("run"), nullptr, false);
  const bool has_hash = json.is_object() && json.contains("hash") && json["hash"].is_string();
  return has_hash ? json["hash"].get<std::string>() : std::string();
}

sim::Experiment recorded_experiment(const record::Reader& reader, const std::string& file) {
  const std::string text = reader.attribute("scenario"), seed = reader.attribute("seed");
  if (text.empty())
    throw InputError(fmt::format("{}: no scenario is stored in it: only sinew run makes such files", file));
  const std::string place = file + " (scenario)";
  sim::Experiment experiment = text::parse_experiment(text::upgrade_scenario(text, place).text, place);
  sim::Scenario& scenario = experiment.scenario;
  scenario.name = reader.attribute("name");
  std::from_chars(seed.data(), seed.data() + seed.size(), scenario.seed);
  // Up to the last row: a run that was stopped or killed did not come to its end.
  const double end = reader.read(0).back();
  if (!(end >= 0.0) || end / scenario.step > 1e12)
    throw InputError(fmt::format("{}: its last row is of t = {} s: the recording is damaged", file, end));
  scenario.duration = end;
  return experiment;
}

}  // namespace

Replay replay(const record::Reader& reader, const std::string& file, const sim::RunHooks& hooks) {
  Replay out;
  out.scenario = reader.attribute("name");
  out.version = reader.attribute("version");
  out.compiler = reader.attribute("compiler");
  out.signals = reader.columns().size();
  if (reader.rows() == 0) throw InputError(fmt::format("{}: it has no rows yet: nothing to compare", file));
  const sim::Experiment experiment = recorded_experiment(reader, file);
  const std::vector<sim::Signal> signals = experiment.recorded();
  const auto is_same_signal = [](const sim::Signal& s, const record::Column& c) { return s.name == c.name; };
  if (!std::ranges::equal(signals, reader.columns(), is_same_signal))
    throw InputError(fmt::format(
        "{}: its signals are not those of its scenario: it was made by sinew {}, which has others", file, out.version));
  Comparer comparer(reader, experiment.model(), signals, out);
  sim::RunHooks ours = hooks;
  ours.watcher = &comparer;
  const sim::RunResult result = run(experiment, ours);
  out.hash_recorded = recorded_hash(reader);
  out.hash_now = fmt::format("{:016x}", result.hash);
  out.is_complete = result.ending == sim::Ending::Done;
  const bool hash_differs = !out.hash_recorded.empty() && out.hash_recorded != out.hash_now;
  out.is_same = out.is_complete && !out.first && comparer.rows_left() == 0 && !hash_differs;
  return out;
}

}  // namespace sinew::report
