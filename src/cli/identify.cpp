#include "sinew/study/identify.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/studies.h"
#include "cli/terminal.h"
#include "sinew/figure/figure.h"
#include "sinew/files/file_writer.h"
#include "sinew/sim/errors.h"
#include "sinew/study/load_plan.h"

namespace cli {
namespace {

namespace study = sinew::study;

constexpr sinew::FileKind fitted_file{"scenario that identify wrote", {"# Fitted to data", ""}};

struct IdentifyArguments {
  std::string scenario, data, fit, time = "t", report, best;
  std::vector<std::string> sets, priors, sigmas, maps;
  std::optional<std::int64_t> jobs;
  std::optional<double> rate;
  bool json = false, quiet = false;
};

std::vector<std::string> keys_in(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) out.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

sinew::figure::Figure picture_of_fit(const study::Identified& found) {
  sinew::figure::Figure figure;
  figure.title = "Data and fit";
  for (const study::FittedSignal& s : found.signals) {
    if (figure.panels.size() == 6) break;
    sinew::figure::Panel panel{{"t", "s"}, {s.name, s.unit}, {}};
    panel.curves = {{"data", s.t, s.measured, false, {}, true}, {"fit", s.t, s.fitted}};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

// The picture inside of the page; a word where gnuplot is not there.
std::string svg_of(const study::Identified& found) {
  try {
    const std::string svg = sinew::figure::draw(picture_of_fit(found), sinew::figure::Format::Svg);
    return svg.substr(svg.find("<svg"));
  } catch (const std::exception& e) {
    return fmt::format("<p>No picture: {}</p>", e.what());
  }
}

nlohmann::json json_of(const study::Identified& found) {
  const auto number = [](double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(); };
  nlohmann::json parameters = nlohmann::json::object(), correlation = nlohmann::json::array(), covariance = correlation;
  const int n = int(found.unknowns.size());
  for (int i = 0; i < n; i++) {
    const auto k = std::size_t(i);
    parameters[found.unknowns[k].name] = {{"value", found.fit.at[k]},
                                          {"deviation", number(found.fit.deviation[k])},
                                          {"start", found.unknowns[k].start},
                                          {"at_bound", bool(found.fit.at_bound[k])},
                                          {"unit", found.units[k]}};
    nlohmann::json row = nlohmann::json::array(), other = row;
    for (int j = 0; j < n; j++) {
      row.push_back(number(found.fit.correlation(i, j)));
      other.push_back(number(found.fit.covariance(i, j)));
    }
    correlation.push_back(row);
    covariance.push_back(other);
  }
  nlohmann::json rms = nlohmann::json::object();
  for (const study::FittedSignal& s : found.signals) rms[s.name] = s.rms;
  return {{"parameters", parameters},
          {"correlation", correlation},
          {"covariance", covariance},
          {"rms", rms},
          {"sum", found.fit.sum},
          {"iterations", found.fit.iterations},
          {"converged", found.fit.converged},
          {"doubts", found.fit.doubts},
          {"left_out", found.left_out},
          {"numbers", found.fit.residuals}};
}

std::string text_of_fit(const study::Identified& found) {
  std::string out;
  for (std::size_t i = 0; i < found.unknowns.size(); i++)
    out += fmt::format("  {} = {:.8g} +- {:.2g} {}{}\n", found.unknowns[i].name, found.fit.at[i],
                       found.fit.deviation[i], found.units[i] == "1" ? "" : found.units[i],
                       found.fit.at_bound[i] ? " (at the end of its range)" : "");
  for (const std::string& doubt : found.fit.doubts) out += "  " + doubt + "\n";
  if (const std::size_t n = found.left_out.size(); n > 0)
    out += fmt::format(
        "not compared, unless --map names it: {}{}, which never changes or is the simulation's own account\n",
        found.left_out[0], n > 1 ? fmt::format(" and {} more", n - 1) : "");
  out += fmt::format("{} numbers, {} iterations, {}\n", found.fit.residuals, found.fit.iterations,
                     found.fit.converged ? "converged" : "not converged");
  return out;
}

int run_identify(const IdentifyArguments& a) {
  if (a.scenario.empty() || a.data.empty())
    throw sinew::InputError("command line: write sinew identify SCENARIO DATA --fit KEY,KEY");
  study::IdentifyPlan plan{a.sets, keys_in(a.fit), a.priors, a.sigmas, a.maps, 0};
  if (a.jobs && (*a.jobs < 1 || *a.jobs > 10000))
    throw sinew::InputError(fmt::format("--jobs {}: give a whole number of 1 or more", *a.jobs));
  plan.threads = int(a.jobs.value_or(0));
  if (a.rate && !(*a.rate > 0.0)) throw sinew::InputError(fmt::format("--rate {}: give a number above 0", *a.rate));
  const study::Source source = study::find_source(a.scenario, scenario_folder());
  check_output("--report", a.report, sinew::html_file, {{a.data, "the data"}, {source.file, "the scenario"}});
  check_output("--best", a.best, fitted_file, {{a.data, "the data"}, {source.file, "the scenario"}});
  const study::Measured data = study::read_measured(a.data, {a.time, a.rate.value_or(0.0)});
  const study::Identified found = study::identify(plan, source, data);
  if (!a.report.empty())
    sinew::write_file(a.report, sinew::html_file, study::report_page(found, source, data, svg_of(found)));
  if (!a.best.empty())
    sinew::write_file(a.best, fitted_file, fmt::format("# Fitted to data: {}\n{}", a.data, found.scenario));
  if (a.json)
    write_out(json_of(found).dump(2) + "\n");
  else if (!a.quiet)
    write_out(text_of_fit(found));
  return found.fit.converged && found.is_certified ? done : failed;
}

const char* const identify_examples = R"(Examples:
  sinew identify pendulum data.csv --fit gravity.g[1]
  sinew identify pendulum run.h5 --fit gravity.g[1]=-12:-8 --report fit.html --best fitted.toml
  sinew identify pendulum run.mcap --fit gravity.g[1],delay=0:0.1 --map body.bob.p.x=body.bob.p.x

DATA is a CSV table with a column of times, from 0 at the start of the run, or with --rate; a
recording of sinew; an MCAP file with messages in JSON; or a log as JSON, a list of objects.
Deviations are those of the fit: s^2 (J'J)^-1, one standard deviation each.
Exit codes: 0 done, 2 bad input, 3 it has not converged or its run is not certified, 4 file error.)";

}  // namespace

Command add_identify(CLI::App& program) {
  CLI::App& command =
      sub_command(program, "identify", "Find keys of a scenario from measured signals", identify_examples);
  const auto a = std::make_shared<IdentifyArguments>();
  scenario_argument(command, a->scenario);
  argument(command, "DATA", a->data, "A CSV table, a recording (.h5), MCAP or a log as JSON", false);
  value_option(command, "--fit", a->fit, "KEY,KEY",
               "Keys to find, each with a range if wanted: KEY=LEAST:MOST; `delay`: by how much the data is late [s]",
               Need::Required);
  set_option(command, a->sets);
  list_option(command, "--prior", a->priors, "KEY=MEAN:DEVIATION", "What is known of a key beforehand");
  list_option(command, "--sigma", a->sigmas, "SIGNAL=DEVIATION",
              "Of the noise of a signal; otherwise found from the data");
  list_option(command, "--map", a->maps, "SIGNAL=COLUMN*FACTOR",
              "Which column is which signal, times a factor if units differ; otherwise by their names");
  value_option(command, "--time", a->time, "COLUMN", "The column of times [s]; default t");
  value_option(command, "--rate", a->rate, "HZ", "Rows a second, of data without times");
  value_option(command, "--report", a->report, "FILE.html", "Parameters, covariance and pictures as one page");
  value_option(command, "--best", a->best, "FILE.toml", "The scenario with the values found");
  value_option(command, "--jobs", a->jobs, "N", "Threads; otherwise one for each processor");
  flag(command, "--json", a->json, "Print exactly one JSON object");
  flag(command, "--quiet", a->quiet, "Print nothing but errors (and the JSON, if asked for)");
  return {&command, [a] { return run_identify(*a); }};
}

}  // namespace cli
