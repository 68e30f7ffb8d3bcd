// sinew bridge: the robot of a scenario waits for a controller from elsewhere; or its own controller waits for a robot.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/bridge_report.h"
#include "cli/commands.h"
#include "cli/cycle.h"
#include "cli/declare.h"
#include "cli/ending.h"
#include "cli/interrupt.h"
#include "cli/outputs.h"
#include "cli/summary.h"
#include "cli/terminal.h"
#include "cli/web_view.h"
#include "sinew/bridge/authenticate.h"
#include "sinew/bridge/in_process.h"
#include "sinew/bridge/log.h"
#include "sinew/bridge/own_controller.h"
#include "sinew/bridge/remote.h"
#include "sinew/bridge/router.h"
#include "sinew/bridge/shared_memory.h"
#include "sinew/bridge/udp.h"
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

namespace bridge = sinew::bridge;
namespace sim = sinew::sim;
namespace text = sinew::text;

struct BridgeArguments {
  std::string scenario;
  std::vector<std::string> sets, routes;
  std::string shm, udp, listen, key, cycle, as, header, python, out, log, replay;
  bool lockstep = false, timed = false, json = false, quiet = false, live = false;
  std::optional<double> until;
  std::optional<std::int64_t> seed, port;
};

constexpr sinew::FileKind c_file{"header of sinew bridge", {"/* sinew bridge ", ""}};
constexpr sinew::FileKind python_file{"module of sinew bridge", {"\"\"\"sinew bridge ", ""}};

void check_arguments(const BridgeArguments& a) {
  std::vector<std::string> problems;
  const auto add = [&](bool is_wrong, const char* text) {
    if (is_wrong) problems.emplace_back(text);
  };
  const bool has_way = !a.shm.empty() || !a.udp.empty();
  add(a.scenario.empty(), "command line: no scenario is named: write sinew bridge SCENARIO (sinew list names all)");
  add(!a.shm.empty() && !a.udp.empty(), "command line: --shm and --udp are both given: leave one out");
  add(a.lockstep && a.timed, "command line: --lockstep and --timed contradict each other: leave one out");
  add(!a.as.empty() && a.as != "controller" && a.as != "robot", "--as: not a side: give robot or controller");
  add(a.as == "controller" && !has_way,
      "--as controller: there is no robot in this process: add --shm NAME or --udp PORT");
  add((!a.listen.empty() || !a.key.empty()) && a.udp.empty(), "command line: --listen and --key belong to --udp PORT");
  add(a.as == "controller" && !a.listen.empty(),
      "--listen: it is the robot that listens: write --udp ADDRESS:PORT here");
  add(!a.replay.empty() && !has_way, "--replay: no controller is there to ask: add --shm NAME or --udp PORT");
  add(!a.replay.empty() && (a.as == "controller" || a.timed || !a.log.empty()),
      "--replay: it takes the robot's place, in lock-step: leave --as, --timed and --log out");
  add(a.as == "controller" && !a.log.empty(), "--log: the robot's side writes it: leave it out here");
  add(!a.routes.empty() && (a.as == "controller" || !a.replay.empty()),
      "--route: the robot's side has routes: leave --as controller and --replay out");
  add(a.port && !a.live, "command line: --port needs --live: add it, or leave --port out");
  if (!problems.empty()) throw sinew::InputError(problems);
}

sim::Experiment load(const BridgeArguments& a, const std::vector<std::string>& more) {
  const auto found = text::find_scenario(a.scenario, scenario_folder());
  std::vector<std::string> sets = a.sets;
  sets.insert(sets.end(), more.begin(), more.end());
  sim::Experiment out = text::load_experiment(found.file, found.name, sets, {});
  if (a.until && !(*a.until >= 0.0 && std::isfinite(*a.until)))
    throw sinew::InputError(fmt::format("--until {}: not a time: it must be >= 0 s", *a.until));
  if (a.seed && *a.seed < 0)
    throw sinew::InputError(fmt::format("--seed {}: not a seed: it must be a whole number >= 0", *a.seed));
  if (a.until) out.scenario.duration = *a.until;
  if (a.seed) out.scenario.seed = std::uint64_t(*a.seed);
  return out;
}

// The scenario's own period where it is one that a bridge can have, else a millisecond.
double cycle_of(const BridgeArguments& a, const sim::Scenario& scenario) {
  if (!a.cycle.empty()) return read_cycle(a.cycle);
  const double period = scenario.schedule.period;
  return period >= 1e-4 && period <= 1e-2 ? period : 1e-3;
}

bridge::UdpAddress udp_address(const BridgeArguments& a) {
  bridge::UdpAddress out;
  std::string port = a.udp;
  if (const std::size_t colon = a.udp.rfind(':'); colon != std::string::npos) {
    if (a.as != "controller")
      throw sinew::InputError(
          fmt::format("--udp {}: a robot takes a port: give the address as --listen ADDRESS", a.udp));
    out.host = a.udp.substr(0, colon);
    port = a.udp.substr(colon + 1);
  }
  if (!a.listen.empty()) out.host = a.listen;
  if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos)
    throw sinew::InputError(fmt::format("--udp {}: not a port: give a number from 1 to 65535", a.udp));
  out.port = std::stoi(port);
  if (!a.key.empty()) out.key = bridge::read_key(a.key);
  return out;
}

std::unique_ptr<bridge::Transport> robot_transport(const BridgeArguments& a, const bridge::Layout& layout) {
  if (!a.shm.empty()) return std::make_unique<bridge::SharedMemory>(layout, a.shm);
  if (!a.udp.empty()) return std::make_unique<bridge::Udp>(layout, udp_address(a), bridge::Side::References);
  return nullptr;
}

void tell(const BridgeArguments& a, const std::string& line) {
  if (!a.quiet) std::fprintf(stderr, "%s\n", line.c_str());
}

int be_controller(const BridgeArguments& a, const sim::Experiment& experiment, const bridge::Layout& layout) {
  bridge::OwnController controller(layout, experiment);
  const bridge::ServeOptions options{
      stop_on_interrupt(), [&](const std::string& line) { tell(a, line); },
      a.shm.empty() ? std::function<bool(bridge::Transport&)>()
                    : [](bridge::Transport& t) { return static_cast<bridge::SharedMemory&>(t).is_robot_there(); }};
  const bridge::Connect connect = [&]() -> std::unique_ptr<bridge::Transport> {
    if (!a.shm.empty()) return bridge::SharedMemory::open(layout, a.shm);
    return std::make_unique<bridge::Udp>(layout, udp_address(a), bridge::Side::Measured);
  };
  switch (bridge::serve(controller, connect, options)) {
    case bridge::Served::Stopped:
      return done;
    case bridge::Served::Interrupted:
      return interrupted;
    case bridge::Served::Refused:
      break;
  }
  print_error("the robot refuses a reference: its side names the slot");
  return failed;
}

int replay_log(const BridgeArguments& a, const bridge::Layout& layout) {
  const std::unique_ptr<bridge::Transport> transport = robot_transport(a, layout);
  tell(a, fmt::format("waiting for a controller: {}", transport->name()));
  const bridge::Replayed found = bridge::replay(a.replay, layout, *transport, stop_on_interrupt());
  if (a.json)
    write_out(nlohmann::ordered_json{{"sent", found.sent},
                                     {"compared", found.compared},
                                     {"different", found.different},
                                     {"unsure", found.unsure},
                                     {"first", found.first}}
                  .dump(2) +
              "\n");
  else if (!a.quiet)
    write_out(fmt::format("{} images sent, {} answers compared, {} differ{}\n{}", found.sent, found.compared,
                          found.different, found.first.empty() ? "" : ": first " + found.first,
                          found.unsure > 0 ? fmt::format("the log does not tell of {} images whether its controller "
                                                         "saw them: answers behind them may differ\n",
                                                         found.unsure)
                                           : ""));
  if (found.interrupted) return interrupted;
  return found.different == 0 && found.compared > 0 ? done : failed;
}

// What is left to say, and the exit code.
int conclude_bridge(const BridgeArguments& a, const sim::RunResult& result, const bridge::RemoteReport& report) {
  if (!report.refusal.empty()) print_error(report.refusal);
  return end_of_run(result, a.quiet);
}

// Parts of the robot that are elsewhere.
std::unique_ptr<bridge::Router> make_router(const BridgeArguments& a, const bridge::Layout& layout,
                                            bridge::Transport& controller) {
  if (a.routes.empty()) return nullptr;
  std::vector<bridge::Route> routes;
  for (const std::string& text : a.routes) routes.push_back(bridge::read_route(text));
  const bridge::OpenTarget open = [&](const bridge::Route& route) -> std::unique_ptr<bridge::Transport> {
    const std::string where = route.target.substr(4);
    if (route.target.starts_with("shm:")) return bridge::SharedMemory::open(layout, where);
    BridgeArguments other = a;
    other.as = "controller";
    other.udp = where;
    other.listen.clear();
    return std::make_unique<bridge::Udp>(layout, udp_address(other), bridge::Side::Measured);
  };
  tell(a, "waiting for the robots that --route names");
  return std::make_unique<bridge::Router>(layout, controller, routes, open, stop_on_interrupt(), a.timed);
}

int be_robot(const BridgeArguments& a, const sim::Experiment& experiment, const bridge::Layout& layout) {
  bridge::MonotonicClock clock;
  std::unique_ptr<bridge::OwnController> own;
  std::unique_ptr<bridge::Transport> transport = robot_transport(a, layout);
  if (!transport) {
    own = std::make_unique<bridge::OwnController>(layout, experiment);
    transport = std::make_unique<bridge::InProcess>(
        [&](std::span<const std::byte> measured) { return own->answer(measured, clock.now()); });
  }
  const std::unique_ptr<bridge::Router> router = make_router(a, layout, *transport);
  std::optional<bridge::ImageLog> log;
  if (!a.log.empty()) log.emplace(a.log, layout);
  const sim::Scenario& scenario = experiment.scenario;
  sim::RunHooks hooks;
  hooks.interrupted = stop_on_interrupt();
  bridge::RemoteOptions options;
  options.timed = a.timed;
  options.step = scenario.step;
  options.plan = scenario.bridge;
  options.seed = scenario.seed;
  options.interrupted = hooks.interrupted;
  options.tell = [&](const std::string& line) { tell(a, line); };
  options.log = log ? &*log : nullptr;
  bridge::Remote remote(layout, experiment.model(), router ? *router : *transport, clock, options);
  hooks.controller = &remote;
  std::optional<sinew::report::Recorder> recorder;
  if (!a.out.empty()) hooks.watcher = &recorder.emplace(experiment, a.out, SINEW_VERSION);
  std::unique_ptr<LiveRun> live;
  if (a.live) {
    live = web_view->watch(experiment, hooks, a.port);
    live->set_note([&remote] { return remote.note(); });
    tell(a, "look at it: " + live->url());
  }
  const sim::BridgePlan& link = scenario.bridge;
  if (!a.timed && (link.loss > 0.0 || link.late > 0.0 || !link.lost_from.empty()))
    tell(a, "bridge.loss, lost_from and late do nothing in lock-step, which waits for every answer: add --timed");
  if (!own) tell(a, fmt::format("waiting for a controller: {}", transport->name()));
  const auto start = std::chrono::steady_clock::now();
  const sim::RunResult result = sim::run(experiment, hooks);
  remote.finish();
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string json =
      with_bridge(sinew::report::to_json(result, wall_s, SINEW_VERSION, a.out), layout, remote, *transport);
  if (recorder) recorder->finish(json);
  if (log) log->finish();
  if (live) live->finish(result);
  if (a.json)
    write_out(json);
  else if (!a.quiet)
    write_out(summary(scenario, result, wall_s, a.out) + bridge_summary(remote, *transport, a.timed));
  return conclude_bridge(a, result, remote.report());
}

int run_bridge(const BridgeArguments& a) {
  check_arguments(a);
  const sim::Scenario as_written = load(a, {}).scenario;
  if (sim::is_bench(as_written)) throw sinew::InputError(sim::no_motion_of(as_written));
  const double cycle = cycle_of(a, as_written);
  const bool is_robot = a.as != "controller" && a.replay.empty();
  // A timed robot is asked in every step; the link has delays of its own.
  const std::vector<std::string> own_sets =
      is_robot && a.timed ? std::vector<std::string>{"control.period=0", "control.phase=0", "control.latency=0"}
                          : std::vector<std::string>{fmt::format("control.period={:.9g}", cycle)};
  const sim::Experiment experiment = load(a, own_sets);
  const sim::Scenario& scenario = experiment.scenario;
  const std::string problem =
      bridge::problem_of_timing(cycle, scenario.step, is_robot && a.timed ? scenario.bridge.delay : 0.0);
  if (!problem.empty()) throw sinew::InputError(problem);
  const bridge::Layout layout = bridge::layout_of(experiment, cycle);
  const std::string file = text::find_scenario(a.scenario, scenario_folder()).file;
  check_output("--out", a.out, sinew::recording_file, {{file, "the scenario"}, {a.log, "the file of --log"}});
  if (!a.header.empty()) sinew::write_file(a.header, c_file, bridge::c_header(layout));
  if (!a.python.empty()) sinew::write_file(a.python, python_file, bridge::python_module(layout));
  const bool has_way = !a.shm.empty() || !a.udp.empty();
  if (!has_way && !(a.header.empty() && a.python.empty())) return done;
  if (!a.replay.empty()) return replay_log(a, layout);
  if (a.as == "controller") return be_controller(a, experiment, layout);
  // In this process the controller needs an experiment with its own period.
  if (!has_way && a.timed) {
    throw sinew::InputError(
        "--timed: robot and controller in one process have no clock between them: add --shm NAME or --udp PORT");
  }
  return be_robot(a, experiment, layout);
}

const char* const bridge_examples = R"(Examples:
  sinew bridge pendulum --header robot.h --python robot.py  the image for your controller
  sinew bridge tripod --until 1                             both sides here, through the image
  sinew bridge tripod --until 1 --log run.log --json        keep all images
  sinew bridge tripod --shm a --quiet & sinew bridge tripod --shm a --quiet --as controller

The robot waits for your controller, or for its own in another process (--as controller); either may
start first. In lock-step they take turns, to the bits of a run in one process. --timed is paced by
a clock, needs --shm or --udp on both sides, and after bridge.watchdog cycles without references
drives go into their safe state. Other machines need --listen and --key.
Exit codes: 0 done, 2 bad input or refused, 3 numerical failure or a replay that differs, 4 file
error, 130 interrupted.)";

}  // namespace

Command add_bridge(CLI::App& program) {
  CLI::App& command =
      sub_command(program, "bridge", "Let a controller in another process drive the robot", bridge_examples);
  const auto arguments = std::make_shared<BridgeArguments>();
  BridgeArguments& a = *arguments;
  scenario_argument(command, a.scenario);
  set_option(command, a.sets);
  value_option(command, "--shm", a.shm, "NAME", "Exchange images through shared memory of this name");
  value_option(command, "--udp", a.udp, "PORT",
               "Exchange them by UDP at this port of 127.0.0.1; a controller: [ADDRESS:]PORT");
  value_option(command, "--listen", a.listen, "ADDRESS", "Of --udp: wait at this address instead; needs --key");
  value_option(command, "--key", a.key, "FILE",
               "Of --udp: packets count only with the code of this key, 16 bytes or more");
  value_option(command, "--cycle", a.cycle, "TIME",
               "From exchange to exchange, 0.1ms to 10ms; default: control.period, else 1ms");
  flag(command, "--lockstep", a.lockstep, "Robot and controller take turns, as fast as they can; the default");
  flag(command, "--timed", a.timed, "The clock paces the robot; a controller is asked when it is");
  value_option(command, "--as", a.as, "SIDE",
               "robot, or controller: only the robot's own controller, for a robot elsewhere");
  list_option(
      command, "--route", a.routes, "SLOTS=TARGET",
      "Measured values with these names (* and ?) come from udp:PORT, shm:NAME or log:FILE; references go there too");
  value_option(command, "--header", a.header, "FILE.h", "Write the image as a C struct");
  value_option(command, "--python", a.python, "FILE.py", "Write it as a ctypes structure");
  value_option(command, "--until", a.until, "SECONDS", "End at this simulated time instead of the scenario's duration");
  value_option(command, "--seed", a.seed, "N", "Seed of random numbers, a whole number >= 0");
  value_option(command, "--out", a.out, "FILE.h5", "Record the run to this file");
  value_option(command, "--log", a.log, "FILE", "Keep all images that are exchanged");
  value_option(command, "--replay", a.replay, "FILE",
               "Send the measured values of a log to a controller and compare its answers");
  flag(command, "--live", a.live, "Let browsers look on at the address that is printed");
  value_option(command, "--port", a.port, "N", "Port of --live; otherwise 8420, or the next one that is free");
  flag(command, "--json", a.json, "Print exactly one JSON object");
  flag(command, "--quiet", a.quiet, "Print nothing but errors (and the JSON, if asked for)");
  return {&command, [arguments] { return run_bridge(*arguments); }, [arguments] { return arguments->live; }};
}

}  // namespace cli
