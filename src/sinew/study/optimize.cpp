#include "sinew/study/optimize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/math/counter_random.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/set_number.h"
#include "sinew/study/bobyqa.h"
#include "sinew/study/cmaes.h"
#include "sinew/study/evaluator.h"
#include "sinew/text/show.h"

namespace sinew::study {
namespace {

constexpr std::uint32_t of_starts = 0xffff0012u;

std::string search_json(const SearchPlan& s) {
  nlohmann::json aims = nlohmann::json::array();
  for (const AimPlan& a : s.aims) aims.push_back({a.text, a.maximize});
  return nlohmann::json{{"method", method_names[std::size_t(s.method)]},
                        {"aims", aims},
                        {"subject_to", s.conditions},
                        {"population", s.population},
                        {"restarts", s.restarts},
                        {"noise", s.noise}}
      .dump();
}

void check_search(const Runner& runner, const SearchPlan& s) {
  std::vector<std::string> problems;
  if (s.aims.empty()) problems.push_back("command line: what is to be the best? write --maximize or --minimize RESULT");
  if (s.method != Method::Nsga2 && s.aims.size() > 1)
    problems.push_back(fmt::format("--method {}: it has one aim, {} are given: take nsga2",
                                   method_names[std::size_t(s.method)], s.aims.size()));
  if (s.method == Method::Nsga2 && s.aims.size() < 2)
    problems.push_back("--method nsga2: it weighs several aims: give two or more, or take cmaes");
  if (s.method == Method::Bobyqa && !s.conditions.empty())
    problems.push_back("--subject-to: bobyqa knows ranges alone: take cmaes");
  if (s.method != Method::Cmaes && s.noise) problems.push_back("--noise: it belongs to --method cmaes: leave it out");
  if (s.population != 0 && (s.population < 4 || s.population % 2 != 0))
    problems.push_back(fmt::format("--population {}: give an even number of 4 or more", s.population));
  if (runner.axes().empty()) problems.push_back("--vary: nothing is varied: write --vary KEY=LEAST:MOST");
  for (const Axis& a : runner.axes())
    if (!a.is_range || a.count != 0)
      problems.push_back(fmt::format("--vary {}: a search needs a range: write {}=LEAST:MOST", a.key, a.key));
  if (!problems.empty()) throw InputError(std::move(problems));
}

std::vector<Merit> merits_of(const std::vector<Judged>& judged) {
  std::vector<Merit> out;
  for (const Judged& j : judged) out.push_back({j.missed, j.aims[0]});
  return out;
}

struct SigmaTrace {
  std::vector<double> runs, sigma;
};

// How many runs a point needs, so that chance does not decide its rank.
class NoiseWatch {
 public:
  explicit NoiseWatch(int least) : least_(least), runs_(least) {}
  int runs() const { return int(std::ceil(runs_)); }
  void look(double change) {
    runs_ = change > 0.0 ? std::min(runs_ * 1.5, 20.0) : std::max(runs_ / 1.1, double(least_));
  }

 private:
  int least_;
  double runs_;
};

std::string search_cmaes(const Runner& runner, const SearchPlan& search, Evaluator& evaluator, SigmaTrace& trace) {
  const auto n = runner.axes().size();
  const auto seed = std::uint64_t(runner.plan().seed.value_or(0));
  NoiseWatch noise(std::max(runner.plan().repeat, 1));
  std::string ending = "the budget is used up";
  for (int restart = 0; restart <= search.restarts; restart++) {
    CmaesOptions options;
    options.n = int(n);
    options.seed = seed;
    options.restart = std::uint32_t(restart);
    options.population = (search.population > 0 ? search.population : population_for(int(n))) << restart;
    std::vector<double> start(n, 0.5);
    for (std::size_t i = 0; restart > 0 && i < n; i++)
      start[i] = math::uniform({seed, std::uint32_t(restart), of_starts, i});
    Cmaes cmaes(options, start);
    while (cmaes.ending().empty()) {
      std::vector<Judged> judged, again;
      const auto points = cmaes.ask();
      if (!evaluator.evaluate(points, noise.runs(), judged)) return "the budget is used up";
      const std::vector<Merit> merits = merits_of(judged);
      if (search.noise) {
        const std::size_t some = std::max<std::size_t>(2, points.size() / 4);
        const std::vector<std::vector<double>> first(points.begin(), points.begin() + std::ptrdiff_t(some));
        if (!evaluator.evaluate(first, noise.runs(), again)) return "the budget is used up";
        noise.look(rank_change(std::span(merits).first(some), merits_of(again)));
      }
      cmaes.tell(merits);
      trace.runs.push_back(double(evaluator.runs()));
      trace.sigma.push_back(cmaes.sigma());
    }
    ending = fmt::format("{}, after {} restart{}", cmaes.ending(), restart, restart == 1 ? "" : "s");
  }
  return ending;
}

std::string search_nsga2(const Runner& runner, const SearchPlan& search, Evaluator& evaluator) {
  Nsga2Options options;
  options.n = int(runner.axes().size());
  options.seed = std::uint64_t(runner.plan().seed.value_or(0));
  if (search.population > 0) options.population = search.population;
  Nsga2 nsga2(options);
  std::vector<Judged> judged;
  while (evaluator.evaluate(nsga2.ask(), std::max(runner.plan().repeat, 1), judged)) nsga2.tell(judged);
  return "the budget is used up";
}

// From the scenario's own values, where they are in the ranges: the last part of the way.
std::string search_bobyqa(const Runner& runner, Evaluator& evaluator) {
  std::vector<double> start;
  for (const Axis& axis : runner.axes()) {
    double u = 0.5;
    try {
      const std::string key = sim::find_number(runner.scenario(), axis.key);
      const double at = (sim::number_of(runner.scenario(), key) - axis.low) / (axis.high - axis.low);
      if (at >= 0.0 && at <= 1.0) u = at;
    } catch (const InputError&) {
    }
    start.push_back(u);
  }
  double worst = 0.0;
  bool any = false;
  const std::string ending = bobyqa(
      [&](const std::vector<double>& u) -> std::optional<double> {
        std::vector<Judged> judged;
        if (!evaluator.evaluate({u}, std::max(runner.plan().repeat, 1), judged)) return std::nullopt;
        const double value = judged[0].aims[0];
        if (!std::isfinite(value)) return any ? worst + std::abs(worst) : 1.0;
        worst = any ? std::max(worst, value) : value;
        any = true;
        return value;
      },
      start, 1e-6);
  return ending.empty() ? "the budget is used up" : ending;
}

figure::Figure history_of(const Evaluator& evaluator, const SearchPlan& search, const SigmaTrace& trace) {
  figure::Figure out;
  figure::Panel panel{{"run", "1"}, {search.aims[0].text, ""}, {}};
  figure::Curve runs{"runs", {}, {}, false, {}, true}, best{"best so far", {}, {}};
  double so_far = INFINITY;
  const double sign = search.aims[0].maximize ? -1.0 : 1.0;
  for (const Row& row : evaluator.rows()) {
    const Judged j = evaluator.judge(row);
    if (j.missed != 0.0) continue;
    so_far = std::min(so_far, j.aims[0]);
    runs.x.push_back(double(row.trial.row) + 1.0);
    runs.y.push_back(sign * j.aims[0]);
    best.x.push_back(double(row.trial.row) + 1.0);
    best.y.push_back(sign * so_far);
  }
  panel.curves = {runs, best};
  out.panels.push_back(std::move(panel));
  if (trace.runs.empty()) return out;
  figure::Panel spread{{"run", "1"}, {"step size, of the ranges", "1"}, {}};
  spread.curves = {{"", trace.runs, trace.sigma}};
  out.panels.push_back(std::move(spread));
  return out;
}

figure::Figure front_of(const Evaluator& evaluator, const SearchPlan& search, const std::vector<Row>& best) {
  figure::Figure out;
  figure::Panel panel{{search.aims[0].text, ""}, {search.aims[1].text, ""}, {}};
  figure::Curve runs{"runs", {}, {}, false, {}, true}, front{"front", {}, {}, false, {}, true};
  const auto add = [&](const Row& row, figure::Curve& to) {
    const std::vector<double> aims = evaluator.aims_of(row);
    to.x.push_back(aims[0]);
    to.y.push_back(aims[1]);
  };
  for (const Row& row : evaluator.rows())
    if (evaluator.judge(row).missed == 0.0) add(row, runs);
  for (const Row& row : best) add(row, front);
  panel.curves = {runs, front};
  out.panels.push_back(std::move(panel));
  return out;
}

// Runs of one point are one: with repeats, the point whose mean is best.
std::vector<Row> best_of(const Evaluator& evaluator, const SearchPlan& search) {
  std::map<std::vector<double>, std::pair<Judged, const Row*>> points;
  std::map<std::vector<double>, int> counts;
  for (const Row& row : evaluator.rows()) {
    std::vector<double> at;
    for (const Value& v : row.trial.point) at.push_back(v.number);
    const Judged j = evaluator.judge(row);
    const int n = counts[at]++;
    if (n == 0) {
      points[at] = {j, &row};
      continue;
    }
    Judged& sum = points[at].first;
    for (std::size_t i = 0; i < j.aims.size(); i++) sum.aims[i] = (sum.aims[i] * n + j.aims[i]) / (n + 1);
    sum.missed += j.missed;
  }
  std::vector<Judged> judged;
  std::vector<const Row*> rows;
  const int most =
      counts.empty() ? 0 : std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; })->second;
  for (const auto& [at, point] : points) {
    if (point.first.missed != 0.0) continue;
    if (search.noise && 2 * counts[at] < most) continue;  // too few to be believed
    judged.push_back(point.first);
    rows.push_back(point.second);
  }
  std::vector<Row> out;
  if (judged.empty()) return out;
  if (search.aims.size() == 1) {
    const auto best = std::ranges::min_element(judged, {}, [](const Judged& j) { return j.aims[0]; });
    return {*rows[std::size_t(best - judged.begin())]};
  }
  const std::vector<int> fronts = fronts_of(judged);
  for (std::size_t i = 0; i < rows.size(); i++)
    if (fronts[i] == 0) out.push_back(*rows[i]);
  std::ranges::sort(out, {}, [&](const Row& row) { return evaluator.aims_of(row)[0]; });
  return out;
}

// Of a search without a best.
std::string what_came_closest(const Evaluator& evaluator) {
  const Row* closest = nullptr;
  double least = INFINITY;
  for (const Row& row : evaluator.rows()) {
    const double missed = evaluator.judge(row).missed;
    if (!(missed < least)) continue;
    least = missed;
    closest = &row;
  }
  if (closest && least > 0.0)
    return fmt::format("row {} comes closest, which misses {}", closest->trial.row, evaluator.missed_text(*closest));
  if (closest) return "what holds for single runs does not for their mean";
  for (const Row& row : evaluator.rows())
    if (!is_good(row.status))
      return fmt::format("no run is of use: row {} was {}: {}", row.trial.row, status_names[std::size_t(row.status)],
                         row.reason);
  return evaluator.rows().empty() ? "no run was made" : "the aim is no number in any run";
}

}  // namespace

SearchPlan search_of(const About& about) {
  SearchPlan out;
  try {
    const auto j = nlohmann::json::parse(about.search);
    const auto* method = std::ranges::find(method_names, j.at("method").get<std::string>());
    if (method == method_names.end()) throw record::Error("method");
    out.method = Method(method - method_names.begin());
    for (const auto& aim : j.at("aims")) out.aims.push_back({aim.at(0), aim.at(1)});
    out.conditions = j.at("subject_to").get<std::vector<std::string>>();
    out.population = j.at("population");
    out.restarts = j.at("restarts");
    out.noise = j.at("noise");
    out.budget = int(about.rows);
  } catch (const std::exception&) {
    throw record::Error("what the study says of its search cannot be read: make it again with sinew optimize");
  }
  return out;
}

std::vector<std::string> names_needed(const SearchPlan& search) {
  const Aims aims(search);
  std::vector<std::string> names;
  for (const Expression& e : aims.expressions) names.insert(names.end(), e.names().begin(), e.names().end());
  for (const Condition& c : aims.conditions)
    for (const std::string& name : c.names()) names.push_back(name);
  return names;
}

void describe(Keys& keys, SearchPlan& search) {
  std::vector<std::string> maximize, minimize;
  for (const AimPlan& aim : search.aims) (aim.maximize ? maximize : minimize).push_back(aim.text);
  keys.texts({"maximize", "", "results, or expressions of them, that are to be large"}, maximize);
  keys.texts({"minimize", "", "results, or expressions of them, that are to be small"}, minimize);
  keys.texts({"subject_to", "", "what must hold: an expression of results, < or >, another one"}, search.conditions);
  search.aims.clear();
  for (const std::string& text : maximize) search.aims.push_back({text, true});
  for (const std::string& text : minimize) search.aims.push_back({text, false});
  int method = int(search.method);
  keys.choice({"method", "", "how it is searched"}, method_names, method);
  search.method = Method(method);
  const Range one_or_more{.low = 1.0, .high = 1e8};
  keys.integer({"budget", "1", "most runs of a search", one_or_more}, search.budget);
  keys.integer({"population", "1", "runs of a generation; 0: the method's own", not_negative}, search.population);
  keys.integer({"restarts", "1", "of cmaes, each with twice the population", not_negative}, search.restarts);
  keys.flag({"noise", "", "cmaes: as many runs of a point as its rank needs"}, search.noise);
}

SearchOutcome optimize(const Runner& runner, const SearchPlan& search, const SearchOptions& options) {
  check_search(runner, search);
  About about;
  about.kind = "optimize";
  about.plan = runner.plan();
  about.source = runner.source();
  about.content = runner.content();
  about.rows = std::uint64_t(search.budget);
  about.search = search_json(search);
  Store store(options.file, runner, about);
  Evaluator evaluator(runner, search, options, store);
  SigmaTrace trace;
  SearchOutcome out;
  out.ending = search.method == Method::Cmaes   ? search_cmaes(runner, search, evaluator, trace)
               : search.method == Method::Nsga2 ? search_nsga2(runner, search, evaluator)
                                                : search_bobyqa(runner, evaluator);
  out.interrupted = evaluator.is_interrupted();
  if (out.interrupted) out.ending = "it was interrupted";
  out.runs = evaluator.runs();
  out.ran = evaluator.ran();
  out.best = best_of(evaluator, search);
  if (!out.best.empty()) out.aim = evaluator.aims_of(out.best[0]);
  if (out.best.empty()) out.without = what_came_closest(evaluator);
  out.history = search.aims.size() > 1 ? front_of(evaluator, search, out.best) : history_of(evaluator, search, trace);
  out.history.title = fmt::format("{} of {}", search.aims[0].text, runner.source().name);
  out.history.subtitle = fmt::format("{}, {} runs, seed {}", method_names[std::size_t(search.method)], out.runs,
                                     runner.plan().seed.value_or(0));
  if (!out.interrupted) store.finish();
  return out;
}

std::string scenario_of_row(const Runner& runner, const Row& row, const std::string& remark) {
  const sim::Experiment experiment = runner.experiment_of(row.trial);
  return fmt::format("# The best of a study: {}\n{}", remark, text::show_to_store(experiment.scenario));
}

}  // namespace sinew::study
