#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/outputs.h"
#include "cli/plot_study.h"
#include "cli/terminal.h"
#include "sinew/figure/figure.h"
#include "sinew/record/reader.h"
#include "sinew/report/plot_bode.h"
#include "sinew/report/plot_boxes.h"
#include "sinew/report/plot_drive.h"
#include "sinew/report/plot_phases.h"
#include "sinew/report/plot_profiles.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"
#include "sinew/text/upgrade.h"

namespace cli {
namespace {

namespace report = sinew::report;
namespace sim = sinew::sim;
namespace text = sinew::text;

struct PlotArguments {
  std::string recording, signals, profile, at, boxes, bode, drive, title, output;
  std::string x = "t";
  bool phases = false;
  StudyPicture study;
};

// The scenario that was recorded; one that this version cannot read is as good as none.
sim::Scenario scenario_of(const sinew::record::Reader& recording) {
  const std::string text = recording.attribute("scenario");
  try {
    if (!text.empty()) return text::parse_scenario(text::upgrade_scenario(text, "scenario").text, "scenario");
  } catch (const sinew::InputError&) {
  }
  return {};
}

// The signals of a formula, such as "joint.a.q - 2 * joint.b.q, com.p.x".
std::vector<std::string> names_in(const std::string& formula) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < formula.size();) {
    const std::size_t end = std::min(formula.find_first_of(" ,", begin), formula.size());
    if (formula[begin] == '-') begin++;  // a sign
    if (end > begin) names.push_back(formula.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

// Without --signals: the scenario's own results, or what their formulas are made of, if that is not too much for a picture; else how far
// its robot came; else energies; else whatever comes first.
std::string usual_signals(const report::Traces& traces, const sim::Scenario& scenario) {
  std::string wanted;
  const auto add = [&](const std::string& name) {
    const auto is_meant = [&](const std::string& n) { return n == name || n.starts_with(name + "."); };
    if (name != "t" && std::ranges::any_of(traces.names, is_meant)) wanted += (wanted.empty() ? "" : ",") + name;
  };
  for (const sinew::ResultPlan& result : scenario.results) add(result.signal);
  constexpr std::size_t most = 12;  // curves
  std::set<std::string> parts;
  for (const sinew::ResultPlan& result : scenario.results)
    for (const std::string& name : names_in(result.signal))
      if (std::ranges::find(traces.names, name) != traces.names.end()) parts.insert(name);
  if (parts.size() <= most)
    for (const std::string& name : parts)
      if (("," + wanted + ",").find("," + name + ",") == std::string::npos) add(name);
  if (wanted.empty())
    for (const sinew::ResultPlan& result : sim::results_of(scenario))
      if (result.take == sinew::Take::Change) add(result.signal);
  if (wanted.empty())
    for (const char* name : {"energy.kinetic", "energy.potential", "energy.elastic"}) add(name);
  for (std::size_t i = 0; wanted.empty() && i < traces.names.size(); i++) add(traces.names[i]);
  return wanted;
}

// One picture is made, and an option that has no part in it is refused.
void check_options(const PlotArguments& a) {
  struct Option {
    const char* name;
    bool is_given;
  };
  const Option pictures[] = {{"--signals", !a.signals.empty()}, {"--profile", !a.profile.empty()},
                             {"--boxes", !a.boxes.empty()},     {"--bode", !a.bode.empty()},
                             {"--drive", !a.drive.empty()},     {"--phases", a.phases}};
  const char* first = nullptr;
  for (const Option& option : pictures) {
    if (!option.is_given) continue;
    if (first)
      throw sinew::InputError(
          fmt::format("{}: it is another picture than that of {}: leave one of them out", option.name, first));
    first = option.name;
  }
  if (!a.at.empty() && a.profile.empty())
    throw sinew::InputError("--at: it belongs to --profile: name what is to be plotted along the body");
  if (a.x != "t" && first && (!a.boxes.empty() || !a.bode.empty() || !a.drive.empty() || a.phases))
    throw sinew::InputError(fmt::format("--x: the picture of {} has axes of its own: leave --x out", first));
}

// "0.5,1" -> two moments
std::vector<double> times_of(const std::string& list) {
  std::vector<double> times;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    double t = 0.0;
    const auto [stop, error] = std::from_chars(list.data() + begin, list.data() + end, t);
    if (error != std::errc() || stop != list.data() + end)
      throw sinew::InputError(fmt::format("--at {}: not a list of times: write seconds, separated by commas", list));
    times.push_back(t);
    begin = end + 1;
  }
  return times;
}

// "a,b;c" -> two panels
std::vector<std::string> panels_of(const std::string& list) {
  std::vector<std::string> panels;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(';', begin), list.size());
    panels.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return panels;
}

// Box plots, if they are asked for or nothing moved in the run and there are lists to draw. False: neither.
bool plot_lists(const PlotArguments& arguments, const sinew::record::Reader& recording, const sim::Scenario& scenario,
                const report::PlotPlan& plan) {
  const bool asked = !arguments.boxes.empty();
  if (!asked && (scenario.duration > 0.0 || !arguments.signals.empty())) return false;
  const std::vector<sim::ResultValue> lists = report::recorded_lists(recording.attribute("run"), scenario);
  const std::vector<std::string> panels = asked ? panels_of(arguments.boxes) : report::usual_boxes(lists);
  if (panels.empty()) return false;
  sinew::figure::render(report::plot_boxes(lists, panels, plan, arguments.recording), arguments.output);
  return true;
}

void draw(const PlotArguments& arguments) {
  const sinew::record::Reader recording(arguments.recording);
  report::Traces traces;
  for (const auto& column : recording.columns()) {
    traces.names.push_back(column.name);
    traces.units.push_back(column.unit);
  }
  traces.read = [&](std::size_t i) { return recording.read(i); };

  const sim::Scenario scenario = scenario_of(recording);
  const std::string name = recording.attribute("name");
  report::PlotPlan plan;
  plan.title = !arguments.title.empty() ? arguments.title : !scenario.title.empty() ? scenario.title : name;
  if (plan.title != name) plan.subtitle = name;
  if (arguments.phases) {
    sinew::figure::render(report::plot_phases(traces, plan, arguments.recording), arguments.output);
    return;
  }
  if (!arguments.profile.empty()) {
    report::ProfilePlan along{plan.title, plan.subtitle, arguments.profile, "rod.X", times_of(arguments.at)};
    if (arguments.x != "t") along.x = arguments.x;
    sinew::figure::render(report::plot_profiles(traces, along, arguments.recording), arguments.output);
    return;
  }
  if (!arguments.bode.empty()) {
    const report::BodePlan answer{plan.title, plan.subtitle, arguments.bode};
    sinew::figure::render(report::plot_bode(traces, answer, arguments.recording), arguments.output);
    return;
  }
  if (!arguments.drive.empty()) {
    sinew::figure::Figure figure =
        report::plot_drive(traces, sim::Experiment(scenario), arguments.drive, arguments.recording);
    figure.title = plan.title;
    sinew::figure::render(figure, arguments.output);
    return;
  }
  if (plot_lists(arguments, recording, scenario, plan)) return;
  if (sim::is_bench(scenario))
    throw sinew::InputError(
        fmt::format("{}: it is of a test bench, which has no signals, and none of its lists belong together: name some "
                    "with --boxes",
                    arguments.recording));
  plan.x = arguments.x;
  plan.panels = {arguments.signals.empty() ? usual_signals(traces, scenario) : arguments.signals};
  sinew::figure::render(report::plot_signals(traces, plan, arguments.recording), arguments.output);
}

int plot(PlotArguments arguments) {
  check_options(arguments);
  const bool is_named = !arguments.output.empty();
  if (!is_named) arguments.output = picture_beside_study(arguments.recording, arguments.study);
  const auto format = sinew::figure::format_of(arguments.output);
  if (!format)
    throw sinew::InputError(
        fmt::format("-o {}: unknown ending: name a file that ends in .svg or .png", arguments.output));
  const sinew::FileKind& kind = *format == sinew::figure::Format::Svg ? sinew::svg_file : sinew::png_file;
  const std::string replaced = check_output("-o", arguments.output, kind, {{arguments.recording, "the recording"}});
  if (!plot_if_study(arguments.recording, arguments.study, arguments.title, arguments.output)) draw(arguments);
  std::fputs(replaced.c_str(), stderr);
  if (!is_named) write_out(fmt::format("plot: {}\n", arguments.output));
  return done;
}

const char* const plot_examples = R"(Examples:
  sinew plot run.h5 -o results.svg                              what the scenario reports, over time
  sinew plot run.h5 --signals body.bob.p,energy -o swing.png
  sinew plot run.h5 --signals body.bob.p.y --x body.bob.p.x -o path.svg
  sinew plot rod.h5 --profile rod.N_x --at 0.5,1 -o inside.svg  along a rod, at two moments
  sinew plot loop.h5 --bode drive.screw.sweep,drive.screw.spring -o bode.svg

Signals of one unit share a panel; of more than six, each group has a panel of its own.
Exit codes: 0 done, 2 bad input, 4 the recording cannot be read or the picture not be written.)";

}  // namespace

Command add_plot(CLI::App& program) {
  CLI::App& command =
      sub_command(program, "plot", "Plot signals of a recording, with units, for paper or screen", plot_examples);
  const auto a = std::make_shared<PlotArguments>();
  recording_argument(command, a->recording);
  value_option(command, "--signals", a->signals, "A,B",
               "Signals, separated by commas; also groups (body.bob.p) and wildcards (*.p.x). Otherwise: what the "
               "scenario reports");
  value_option(command, "--x", a->x, "SIGNAL", "Plot over this signal instead of time");
  value_option(command, "--profile", a->profile, "A,B",
               "Numbered signals (rod.M_z.0, rod.M_z.1, ...) over rod.X, or over the group of --x: one curve a moment");
  value_option(command, "--at", a->at, "SECONDS", "Moments of --profile, separated by commas; otherwise four");
  value_option(command, "--bode", a->bode, "INPUT,OUTPUT",
               "How the second signal answers to the first, which jumps or sweeps: magnitude and phase over frequency");
  value_option(command, "--drive", a->drive, "NAME",
               "A drive: its torque over speed inside of what it can do, current and voltage");
  flag(command, "--phases", a->phases,
       "When each foot stands and when it is in the air, as bars over time: gaits of legged robots");
  value_option(command, "--boxes", a->boxes, "A,B;C",
               "Results that are lists, as box plots; a new panel after each semicolon. By itself where a run has no "
               "duration but lists");
  words_option(command, "--heatmap", a->study.heatmap, 3, "X Y RESULT",
               "Of a study: a result over two keys, as colours");
  words_option(command, "--lines", a->study.lines, 2, "X RESULT",
               "Of a study: a result over a key, a curve for each value of the others");
  words_option(command, "--polar", a->study.polar, 3, "ANGLE RADIUS CONDITION",
               "Of a study: the largest value of a key up to which results hold, by a direction");
  value_option(command, "--parallel", a->study.parallel, "A,B",
               "Of a study: a line for each run across these keys and results, or `all`");
  value_option(command, "--title", a->title, "TEXT", "Title instead of the scenario's");
  value_option(command, "-o,--output", a->output, "FILE",
               "File to write, .svg or .png. Required; but of a study there is a place beside it: STUDY.heatmap.svg");
  return {&command, [a] { return plot(*a); }};
}

}  // namespace cli
