// sinew ethercat: the drives and force sensors of a robot as slaves of a simulated EtherCAT segment.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.h"
#include "cli/cycle.h"
#include "cli/declare.h"
#include "cli/ending.h"
#include "cli/interrupt.h"
#include "cli/outputs.h"
#include "cli/summary.h"
#include "cli/terminal.h"
#include "sinew/bridge/layout.h"
#include "sinew/bridge/remote.h"
#include "sinew/ethercat/esi.h"
#include "sinew/ethercat/raw_port.h"
#include "sinew/ethercat/robot.h"
#include "sinew/ethercat/udp_port.h"
#include "sinew/files/file_writer.h"
#include "sinew/report/recorder.h"
#include "sinew/report/report.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "sinew/text/library.h"
#include "sinew/text/load_scenario.h"
#include "sinew/version.h"

namespace cli {
namespace {

namespace ecat = sinew::ethercat;
namespace sim = sinew::sim;
namespace text = sinew::text;

struct EthercatArguments {
  std::string scenario, interface, listen, cycle, esi, out;
  std::vector<std::string> sets;
  bool udp = false, lockstep = false, timed = false, json = false, quiet = false;
  std::optional<double> until;
  std::optional<std::int64_t> seed, port;
};

constexpr sinew::FileKind esi_file{"ESI file of sinew ethercat", {"<!-- sinew ethercat", ""}};

void check_arguments(const EthercatArguments& a) {
  std::vector<std::string> problems;
  const auto add = [&](bool is_wrong, const char* text) {
    if (is_wrong) problems.emplace_back(text);
  };
  add(a.scenario.empty(), "command line: no scenario is named: write sinew ethercat SCENARIO (sinew list names all)");
  add(a.udp && !a.interface.empty(), "command line: --interface and --udp are both given: leave one out");
  add(!a.udp && a.interface.empty() && a.esi.empty(),
      "command line: no way for frames is named: add --udp, or --interface IF (as root), or --esi FILE alone");
  add((a.port || !a.listen.empty()) && !a.udp, "command line: --port and --listen belong to --udp: add it");
  add(a.port && (*a.port < 1 || *a.port > 65535), "--port: not a port: give a number from 1 to 65535");
  add(a.lockstep && a.timed, "command line: --lockstep and --timed contradict each other: leave one out");
  add(a.until && !(*a.until >= 0.0 && std::isfinite(*a.until)), "--until: not a time: it must be >= 0 s");
  add(a.seed && *a.seed < 0, "--seed: not a seed: it must be a whole number >= 0");
  if (!problems.empty()) throw sinew::InputError(problems);
}

// Drives close their loops in every step, so the controller is asked in every step.
sim::Experiment load(const EthercatArguments& a) {
  const auto found = text::find_scenario(a.scenario, scenario_folder());
  std::vector<std::string> sets = a.sets;
  for (const char* key : {"control.period=0", "control.phase=0", "control.latency=0"}) sets.emplace_back(key);
  sim::Experiment out = text::load_experiment(found.file, found.name, sets, {});
  if (sim::is_bench(out.scenario)) throw sinew::InputError(sim::no_motion_of(out.scenario));
  if (a.until) out.scenario.duration = *a.until;
  if (a.seed) out.scenario.seed = std::uint64_t(*a.seed);
  return out;
}

void tell(const EthercatArguments& a, const std::string& line) {
  if (!a.quiet) std::fprintf(stderr, "%s\n", line.c_str());
}

std::unique_ptr<ecat::Port> open_port(const EthercatArguments& a) {
  if (!a.udp) return std::make_unique<ecat::RawPort>(a.interface);
  return std::make_unique<ecat::UdpPort>(int(a.port.value_or(ecat::udp_port_number)),
                                         a.listen.empty() ? "127.0.0.1" : a.listen);
}

std::string with_segment(const std::string& run_json, ecat::Robot& robot, const ecat::Port& port, double cycle) {
  const ecat::RobotReport& r = robot.report();
  nlohmann::ordered_json out = nlohmann::ordered_json::parse(run_json);
  nlohmann::ordered_json slaves = nlohmann::ordered_json::array();
  for (const ecat::DriveDevice& d : robot.devices().drives) slaves.push_back(d.kind.name);
  for (const ecat::SensorDevice& s : robot.devices().sensors) slaves.push_back(s.kind.name);
  out["ethercat"] = {{"port", port.name()},    {"cycle", cycle},
                     {"slaves", slaves},       {"frames", r.frames},
                     {"refused", r.refused},   {"cycles", r.cycles},
                     {"overruns", r.overruns}, {"missed", r.missed},
                     {"watchdogs", r.falls},   {"late_p99", double(r.late.share(0.99)) * 1e-9}};
  return out.dump(2) + "\n";
}

std::string segment_summary(const ecat::Robot& r, const ecat::Port& port, bool timed, ecat::RobotReport const& report) {
  std::string out = fmt::format("ethercat: {}, {}, {} drives, {} sensors\n", port.name(), timed ? "timed" : "lock-step",
                                r.devices().drives.size(), r.devices().sensors.size());
  out += fmt::format("  {:<22} {} of process data, {} frames, {} of them no EtherCAT, {} drives lost their frames\n",
                     "cycles", report.cycles, report.frames, report.refused, report.falls);
  if (timed) out += fmt::format("  {:<22} {} overruns, {} without frames\n", "", report.overruns, report.missed);
  return out;
}

int serve_segment(const EthercatArguments& a, const sim::Experiment& experiment, const sinew::bridge::Layout& layout) {
  const std::unique_ptr<ecat::Port> port = open_port(a);
  sinew::bridge::MonotonicClock clock;
  sim::RunHooks hooks;
  hooks.interrupted = stop_on_interrupt();
  ecat::RobotOptions options{a.timed, experiment.scenario.step, experiment.scenario.bridge, hooks.interrupted,
                             [&](const std::string& line) { tell(a, line); }};
  ecat::Robot robot(experiment, layout, *port, clock, options);
  hooks.controller = &robot;
  std::optional<sinew::report::Recorder> recorder;
  if (!a.out.empty()) hooks.watcher = &recorder.emplace(experiment, a.out, SINEW_VERSION);
  tell(a, fmt::format("{} slaves wait for a master: {}", robot.segment().slaves().size(), port->name()));
  const auto start = std::chrono::steady_clock::now();
  const sim::RunResult result = sim::run(experiment, hooks);
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string json =
      with_segment(sinew::report::to_json(result, wall_s, SINEW_VERSION, a.out), robot, *port, layout.cycle);
  if (recorder) recorder->finish(json);
  if (a.json)
    write_out(json);
  else if (!a.quiet)
    write_out(summary(experiment.scenario, result, wall_s, a.out) +
              segment_summary(robot, *port, a.timed, robot.report()));
  return end_of_run(result, a.quiet);
}

int run_ethercat(const EthercatArguments& a) {
  check_arguments(a);
  const double cycle = a.cycle.empty() ? 1e-3 : read_cycle(a.cycle);
  const sim::Experiment experiment = load(a);
  const sim::Scenario& scenario = experiment.scenario;
  const std::string problem =
      sinew::bridge::problem_of_timing(cycle, scenario.step, a.timed ? scenario.bridge.delay : 0.0);
  if (!problem.empty()) throw sinew::InputError(problem);
  const sinew::bridge::Layout layout = sinew::bridge::layout_of(experiment, cycle);
  const std::string file = text::find_scenario(a.scenario, scenario_folder()).file;
  check_output("--out", a.out, sinew::recording_file, {{file, "the scenario"}, {a.esi, "the file of --esi"}});
  if (!a.esi.empty())
    sinew::write_file(a.esi, esi_file, ecat::make_esi(ecat::slaves_of(ecat::devices_of(experiment, layout))));
  return a.udp || !a.interface.empty() ? serve_segment(a, experiment, layout) : int(done);
}

const char* const ethercat_examples = R"(Examples:
  sinew ethercat pendulum --esi pendulum.xml               what its slaves are, for a master
  sinew ethercat walk-real --esi biped.xml                 twelve drives, two force sensors
  sinew ethercat tripod-real --esi hexapod.xml --cycle 2ms

--udp waits for a master that speaks EtherCAT over UDP, at port 34980 (0x88a4) of this machine; raw
frames need root and --interface. Without either only the file of --esi is written.
A segment for tests of masters, not a certified device. Each drive is a slave by CiA 402 (cyclic
position, velocity, torque, homing), each force sensor one with its loads. Lock-step: an exchange of
process data is a cycle. --timed: the clock paces cycles, sensors are sampled at sync 0.
Exit codes: 0 done, 2 bad input, 3 numerical failure, 4 file or device error, 130 interrupted.)";

}  // namespace

Command add_ethercat(CLI::App& program) {
  CLI::App& command =
      sub_command(program, "ethercat", "Be a segment of EtherCAT drives for a master", ethercat_examples);
  const auto arguments = std::make_shared<EthercatArguments>();
  EthercatArguments& a = *arguments;
  scenario_argument(command, a.scenario);
  set_option(command, a.sets);
  value_option(command, "--interface", a.interface, "IF", "Raw frames on this network interface; needs root");
  flag(command, "--udp", a.udp, "EtherCAT over UDP, at 127.0.0.1");
  value_option(command, "--port", a.port, "N", "Of --udp: this port instead of 34980 (0x88a4)");
  value_option(command, "--listen", a.listen, "ADDRESS",
               "Of --udp: wait at this address instead; whoever reaches it moves the robot");
  value_option(command, "--esi", a.esi, "FILE.xml", "Write what masters read about the slaves");
  value_option(command, "--cycle", a.cycle, "TIME", "Of the bus, 0.1ms to 10ms; default: 1ms");
  flag(command, "--lockstep", a.lockstep, "An exchange of process data is a cycle; the default");
  flag(command, "--timed", a.timed, "The clock paces the robot");
  value_option(command, "--until", a.until, "SECONDS", "End at this simulated time instead of the scenario's duration");
  value_option(command, "--seed", a.seed, "N", "Seed of random numbers, a whole number >= 0");
  value_option(command, "--out", a.out, "FILE.h5", "Record the run to this file");
  flag(command, "--json", a.json, "Print exactly one JSON object");
  flag(command, "--quiet", a.quiet, "Print nothing but errors (and the JSON, if asked for)");
  return {&command, [arguments] { return run_ethercat(*arguments); }};
}

}  // namespace cli
