#include "sinew/report/replay.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "sinew/version.h"

namespace cli {
namespace {

namespace report = sinew::report;
namespace sim = sinew::sim;

struct ReplayArguments {
  std::string recording;
  bool json = false;
};

nlohmann::ordered_json to_json(const report::Difference& d) {
  return {{"t", d.t}, {"signal", d.signal}, {"recorded", d.recorded}, {"now", d.now}};
}

std::string as_json(const report::Replay& r) {
  nlohmann::ordered_json json = {{"scenario", r.scenario},
                                 {"same", r.is_same},
                                 {"rows", r.rows},
                                 {"signals", r.signals},
                                 {"rows_that_differ", r.rows_that_differ},
                                 {"hash_recorded", r.hash_recorded},
                                 {"hash_now", r.hash_now},
                                 {"version_recorded", r.version},
                                 {"compiler_recorded", r.compiler}};
  if (r.first) json["first_difference"] = to_json(*r.first);
  if (r.largest) json["largest_difference"] = to_json(*r.largest);
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string as_text(const report::Replay& r) {
  if (r.is_same)
    return fmt::format("the bits are the same: {}, {} rows of {} signals{}\n", r.scenario, r.rows, r.signals,
                       r.hash_recorded.empty() ? "" : ", final state " + r.hash_now);
  std::string text = fmt::format("the bits differ: {}, in {} of {} rows\n", r.scenario, r.rows_that_differ, r.rows);
  const auto line = [](const char* which, const report::Difference& d) {
    return fmt::format("  {:<9}t = {:.9g} s, {}: recorded {}, now {}\n", which, d.t, d.signal, d.recorded, d.now);
  };
  if (r.first) text += line("first", *r.first);
  if (r.largest) text += line("largest", *r.largest);
  if (r.hash_recorded != r.hash_now && !r.hash_recorded.empty())
    text += fmt::format("  {:<9}recorded {}, now {}\n", "state", r.hash_recorded, r.hash_now);
  return text + fmt::format("  recorded by sinew {}, {}; this is sinew {}\n", r.version, r.compiler, SINEW_VERSION);
}

int replay(const ReplayArguments& arguments) {
  const sinew::record::Reader reader(arguments.recording);
  sim::RunHooks hooks;
  hooks.interrupted = stop_on_interrupt();
  ProgressBar bar(reader.rows() ? reader.read(0).back() : 0.0);
  if (is_terminal(STDERR_FILENO)) hooks.progress = [&](double t) { bar.update(t); };
  const report::Replay result = report::replay(reader, arguments.recording, hooks);
  bar.clear();
  if (!result.is_complete && hooks.interrupted->load()) return interrupted;
  write_out(arguments.json ? as_json(result) : as_text(result));
  return result.is_same ? done : failed;
}

const char* const replay_examples = R"(Examples:
  sinew replay run.h5                                   same bits? exit code 0: yes, 3: no
  sinew replay run.h5 --json                            one JSON object, for scripts
  sinew run pendulum --out a.h5 --quiet && sinew replay a.h5

The scenario is the one stored in the recording. With another version of sinew, another compiler or
processor the bits may differ; the first and the largest difference are printed then.)";

}  // namespace

Command add_replay(CLI::App& program) {
  CLI::App& command =
      sub_command(program, "replay", "Run a recording's scenario again and compare bit by bit", replay_examples);
  const auto arguments = std::make_shared<ReplayArguments>();
  recording_argument(command, arguments->recording);
  flag(command, "--json", arguments->json, "Print exactly one JSON object");
  return {&command, [arguments] { return replay(*arguments); }};
}

}  // namespace cli
