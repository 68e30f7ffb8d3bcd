// Studies: tables of many runs as arrays, searches, identification. A study without a file of its own is kept in one that the caller throws away.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python/bind.h"
#include "python/interruption.h"
#include "python/scenario.h"
#include "sinew/study/identify.h"
#include "sinew/study/optimize.h"
#include "sinew/study/sweep.h"

namespace python {
namespace {

namespace record = sinew::record;
namespace study = sinew::study;

using Words = std::vector<std::string>;

study::Source source_of(const Scenario& scenario) { return {scenario.name(), scenario.file(), scenario.text()}; }

study::StudyPlan plan_from(const Scenario& scenario, const py::dict& given) {
  study::StudyPlan plan;
  plan.scenario = scenario.name();
  plan.sets = scenario.sets();
  plan.vary = given["vary"].cast<Words>();
  plan.results = given["results"].cast<Words>();
  plan.sampling = study::Sampling(given["sampling"].cast<int>());
  plan.samples = given["samples"].cast<int>();
  plan.repeat = given["repeat"].cast<int>();
  plan.seed = given["seed"].cast<std::optional<std::int64_t>>();
  plan.until = given["until"].cast<std::optional<double>>();
  plan.stop_when = given["stop_when"].cast<std::string>();
  return plan;
}

py::object column_of(const record::Table& table, std::size_t c) {
  const auto n = py::ssize_t(table.rows.size());
  if (table.fields[c].kind == record::FieldKind::Text) {
    py::list out;
    for (const record::TableRow& row : table.rows) out.append(std::get<std::string>(row[c]));
    return out;
  }
  if (table.fields[c].kind == record::FieldKind::Count) {
    py::array_t<std::uint64_t> out(n);
    for (py::ssize_t i = 0; i < n; i++) out.mutable_at(i) = std::get<std::uint64_t>(table.rows[std::size_t(i)][c]);
    return py::object(std::move(out));
  }
  py::array_t<double> out(n);
  for (py::ssize_t i = 0; i < n; i++) out.mutable_at(i) = std::get<double>(table.rows[std::size_t(i)][c]);
  return py::object(std::move(out));
}

py::dict columns_of(const std::string& file) {
  const study::StudyFile read = study::read_study(file);
  py::dict out;
  for (std::size_t c = 0; c < read.table.fields.size(); c++)
    out[py::str(read.table.fields[c].name)] = column_of(read.table, c);
  return out;
}

py::dict sweep(const Scenario& scenario, const py::dict& given, const std::string& file, int threads) {
  const study::Runner runner(plan_from(scenario, given), source_of(scenario));
  Interruption interruption;
  study::SweepOptions options;
  options.out = file;
  options.run = {threads, true, interruption.flag()};
  options.progress = [&](const study::SweepProgress&) { interruption.look(); };
  {
    const py::gil_scoped_release unlocked;
    study::sweep(runner, options);
  }
  interruption.raise();
  return columns_of(file);
}

py::dict optimize(const Scenario& scenario, const py::dict& given, const py::dict& search, const std::string& file,
                  int threads) {
  study::SearchPlan plan;
  plan.method = study::Method(search["method"].cast<int>());
  for (const std::string& text : search["maximize"].cast<Words>()) plan.aims.push_back({text, true});
  for (const std::string& text : search["minimize"].cast<Words>()) plan.aims.push_back({text, false});
  plan.conditions = search["subject_to"].cast<Words>();
  plan.budget = search["budget"].cast<int>();
  plan.population = search["population"].cast<int>();
  plan.restarts = search["restarts"].cast<int>();
  plan.noise = search["noise"].cast<bool>();
  const Words needed = study::names_needed(plan);
  study::StudyPlan runs = plan_from(scenario, given);
  if (runs.results.empty()) runs.results = needed;
  const study::Runner runner(runs, source_of(scenario), needed);
  Interruption interruption;
  study::SearchOptions options;
  options.file = file;
  options.run = {threads, true, interruption.flag()};
  options.progress = [&](std::uint64_t, std::uint64_t, double) { interruption.look(); };
  study::SearchOutcome done;
  {
    const py::gil_scoped_release unlocked;
    done = study::optimize(runner, plan, options);
  }
  interruption.raise();
  py::list best;
  for (const study::Row& row : done.best) {
    py::dict values;
    for (std::size_t i = 0; i < row.trial.point.size(); i++)
      values[py::str(runner.axes()[i].key)] = row.trial.point[i].number;
    best.append(values);
  }
  py::dict out;
  out["best"] = best;
  out["aim"] = done.aim;
  out["runs"] = done.runs;
  out["ending"] = done.ending;
  out["table"] = columns_of(file);
  return out;
}

py::array_t<double> array_of(const sinew::Matrix& m) {
  py::array_t<double> out({py::ssize_t(m.rows), py::ssize_t(m.cols)});
  for (int i = 0; i < m.rows; i++)
    for (int j = 0; j < m.cols; j++) out.mutable_at(i, j) = m(i, j);
  return out;
}

py::dict identify(const Scenario& scenario, const py::dict& given, const std::vector<double>& t, const Words& names,
                  const std::vector<std::vector<double>>& values) {
  const study::IdentifyPlan plan{scenario.sets(),
                                 given["fit"].cast<Words>(),
                                 given["priors"].cast<Words>(),
                                 given["sigmas"].cast<Words>(),
                                 {},
                                 given["threads"].cast<int>()};
  study::Identified found;
  {
    const py::gil_scoped_release unlocked;
    found = study::identify(plan, source_of(scenario), {"data", t, names, values});
  }
  py::dict out, at, deviation;
  for (std::size_t i = 0; i < found.unknowns.size(); i++) {
    at[py::str(found.unknowns[i].name)] = found.fit.at[i];
    deviation[py::str(found.unknowns[i].name)] = found.fit.deviation[i];
  }
  out["values"] = at;
  out["deviations"] = deviation;
  out["covariance"] = array_of(found.fit.covariance);
  out["correlation"] = array_of(found.fit.correlation);
  out["doubts"] = found.fit.doubts;
  out["converged"] = found.fit.converged;
  return out;
}

}  // namespace

void add_study(py::module_& module) {
  module.def("sweep", sweep);
  module.def("optimize", optimize);
  module.def("identify", identify);
  module.def("read_study", columns_of);
}

}  // namespace python
