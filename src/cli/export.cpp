#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/export_fmu.h"
#include "cli/outputs.h"
#include "cli/page.h"
#include "cli/terminal.h"
#include "sinew/files/file_writer.h"
#include "sinew/report/export_csv.h"
#include "sinew/report/export_mcap.h"
#include "sinew/sim/choose_signals.h"
#include "sinew/sim/errors.h"

namespace cli {
namespace {

namespace report = sinew::report;
namespace sim = sinew::sim;

constexpr double large_page = 50.0;  // MB

struct ExportArguments {
  std::string recording, csv, signals, html, mcap;  // csv empty: standard output, unless there is html or mcap
  std::optional<double> every;
  bool list = false;
  FmuArguments fmu;
};

std::vector<std::size_t> chosen_columns(const sinew::record::Reader& reader, const std::string& wanted) {
  std::vector<std::string> names;
  for (const auto& column : reader.columns()) names.push_back(column.name);
  std::vector<std::size_t> columns(names.size());
  std::iota(columns.begin(), columns.end(), 0);
  if (!wanted.empty()) columns = sim::choose_signals(names, wanted, "--signals");
  std::erase(columns, 0u);  // the time comes first anyway
  return columns;
}

// As sinew show SCENARIO --signals; of the numbers nothing is read.
void list_signals(const ExportArguments& a) {
  const sinew::record::Reader reader(a.recording);
  std::vector<std::size_t> columns = chosen_columns(reader, a.signals);
  columns.insert(columns.begin(), 0);  // the time
  std::size_t width = 0;
  for (const std::size_t i : columns) width = std::max(width, reader.columns()[i].name.size());
  std::string text;
  for (const std::size_t i : columns) {
    const sinew::record::Column& column = reader.columns()[i];
    text += fmt::format("{:<{}}  {:<8}  {}\n", column.name, width, column.unit, column.description);
  }
  std::signal(SIGPIPE, SIG_DFL);  // `| head` is no error
  write_out(text);
}

void export_signals(const ExportArguments& a) {
  if (a.every && !(*a.every > 0.0 && std::isfinite(*a.every)))
    throw sinew::InputError(fmt::format("--every {}: not a time between rows: it must be > 0 s", *a.every));
  const sinew::record::Reader reader(a.recording);
  const auto columns = chosen_columns(reader, a.signals);
  if (a.every && reader.rows() > 0) {
    const double lines = (reader.read(0).back() - reader.read(0).front()) / *a.every;
    if (lines > 1e9)
      throw sinew::InputError(fmt::format("--every {}: that would be {:.2g} rows: make it larger", *a.every, lines));
  }
  const auto write_to = [&](const std::function<void(std::string_view)>& write) {
    report::export_csv(reader, columns, a.every.value_or(0.0), write);
  };
  if (a.csv.empty() || a.csv == "-") {
    std::signal(SIGPIPE, SIG_DFL);  // `| head` is no error
    write_to([](std::string_view text) { write_out(text); });
  } else {
    sinew::FileWriter file(a.csv, sinew::csv_file);
    write_to([&](std::string_view text) { file.write(text); });
    file.finish();
  }
}

void export_page(const ExportArguments& a) {
  const sinew::record::Reader check(a.recording);  // throws what is wrong with it
  write_html(a.recording, a.html);
  const double size = double(std::filesystem::file_size(a.html)) / 1e6;
  if (size > large_page)
    std::fprintf(
        stderr,
        "%s: %.0f MB, which takes a browser a while: record fewer rows (output.every) or signals (output.signals)\n",
        a.html.c_str(), size);
}

void export_messages(const ExportArguments& a) {
  const sinew::record::Reader reader(a.recording);
  sinew::FileWriter file(a.mcap, sinew::mcap_file);
  report::export_mcap(reader, [&](std::string_view bytes) { file.write(bytes); });
  file.finish();
}

int export_scenario(const ExportArguments& a) {
  if (a.list || a.every || !(a.csv + a.signals + a.html + a.mcap).empty())
    throw sinew::InputError("command line: --fmu is of a scenario, all else of a recording: leave one of them out");
  FmuArguments fmu = a.fmu;
  fmu.scenario = a.recording;
  export_fmu(fmu);
  return done;
}

int export_all(const ExportArguments& a) {
  if (!a.fmu.file.empty()) return export_scenario(a);
  if (a.fmu.version || !a.fmu.as.empty() || !a.fmu.sets.empty())
    throw sinew::InputError("command line: --fmi, --as and --set belong to --fmu FILE.fmu: add it");
  if (a.list) {
    if (a.every || !a.csv.empty() || !a.html.empty() || !a.mcap.empty())
      throw sinew::InputError(
          "command line: --list prints names, not numbers: leave out --csv, --html, --mcap and --every");
    list_signals(a);
    return done;
  }
  const bool wants_csv = (a.html.empty() && a.mcap.empty()) || !a.csv.empty();
  if (!wants_csv && (a.every || !a.signals.empty()))
    throw sinew::InputError(
        "command line: --signals and --every are for --csv: --html and --mcap hold the whole recording");
  const OtherFile recording{a.recording, "the recording"};
  const std::string table = a.csv == "-" ? "" : a.csv;
  const std::string replaced =
      check_output("--csv", table, sinew::csv_file,
                   {recording, {a.html, "the file of --html"}, {a.mcap, "the file of --mcap"}}) +
      check_output("--html", a.html, sinew::html_file, {recording, {a.mcap, "the file of --mcap"}}) +
      check_output("--mcap", a.mcap, sinew::mcap_file, {recording});
  if (!a.html.empty()) export_page(a);
  if (!a.mcap.empty()) export_messages(a);
  if (wants_csv) export_signals(a);
  std::fputs(replaced.c_str(), stderr);
  return done;
}

const char* const export_examples = R"(Examples:
  sinew export run.h5 --csv run.csv                              all signals, all rows
  sinew export run.h5 --signals 'energy,*.p.x' --every 0.1       groups, wildcards; rows 0.1 s apart
  sinew export run.h5 --list                                     what it holds: names and units
  sinew export run.h5 --html run.html --mcap run.mcap            to send to others; for viewers
  sinew export pendulum --fmu pendulum.fmu                       the robot for other simulators: FMI

The first column is the time t [s].)";

}  // namespace

Command add_export(CLI::App& program) {
  CLI::App& command = sub_command(program, "export",
                                  "Write a recording as a table, a page that plays it or MCAP; or a scenario as an FMU",
                                  export_examples);
  const auto arguments = std::make_shared<ExportArguments>();
  ExportArguments& a = *arguments;
  argument(command, "RECORDING", a.recording, "Recording (.h5) of a run; with --fmu a scenario", true);
  value_option(command, "--csv", a.csv, "FILE",
               "Write there; - is the terminal, and the default without --html and --mcap");
  value_option(command, "--html", a.html, "FILE.html",
               "Write one page that plays the recording by itself, without a server: to send to others");
  value_option(command, "--mcap", a.mcap, "FILE.mcap",
               "Write the messages that robotics viewers know: frames, joints, wrenches, contacts, scene, all signals");
  value_option(command, "--signals", a.signals, "A,B", "Only these: names, groups (body.bob.p) or wildcards (*.p.x)");
  value_option(command, "--every", a.every, "SECONDS",
               "Rows that far apart, interpolated linearly (states and counts keep their last value)");
  value_option(command, "--fmu", a.fmu.file, "FILE.fmu",
               "Write the scenario's robot as an FMU for co-simulation, for Linux on this kind of processor");
  value_option(command, "--fmi", a.fmu.version, "2|3", "Version of the standard that --fmu follows; default 3");
  value_option(command, "--as", a.fmu.as, "robot|controller",
               "Only that part of it: the robot without its controller, or its controller");
  set_option(command, a.fmu.sets);
  flag(command, "--list", a.list, "Print instead the signals that it holds: name, unit, meaning");
  return {&command, [arguments] { return export_all(*arguments); }};
}

}  // namespace cli
