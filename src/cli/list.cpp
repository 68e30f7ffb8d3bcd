#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/headers.h"
#include "cli/terminal.h"
#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"

namespace cli {
namespace {

using OrderedJson = nlohmann::ordered_json;
namespace sim = sinew::sim;

std::string as_json(const std::vector<sim::Scenario>& scenarios) {
  OrderedJson all = OrderedJson::array();
  for (const sim::Scenario& s : scenarios) {
    OrderedJson results = OrderedJson::array();
    for (const auto& result : sim::results_of(s)) results.push_back(result.name);
    all.push_back({{"name", s.name}, {"title", s.title}, {"source", s.source}, {"result", results}});
    if (sim::is_bench(s)) all.back()["bench"] = true;  // its results are what it measures
  }
  return all.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string as_table(const std::vector<sim::Scenario>& scenarios) {
  std::size_t width = 0;
  for (const sim::Scenario& s : scenarios) width = std::max(width, s.name.size());
  std::string text;
  for (const sim::Scenario& s : scenarios) {
    const std::string name = fmt::format("{:<{}}", s.name, width);
    text += fmt::format("{}  {}{}\n", bold(name, STDOUT_FILENO), s.title, sim::is_bench(s) ? " (test bench)" : "");
    if (!s.source.empty()) text += fmt::format("{:{}}  {}\n", "", width, dim(s.source, STDOUT_FILENO));
  }
  return text;
}

int list(bool json) {
  const std::string folder = scenario_folder();
  const std::vector<sim::Scenario> scenarios = scenario_headers(folder);
  if (scenarios.empty())
    throw sinew::FileError(
        fmt::format("{}: no scenarios are found there: set SINEW_SCENARIOS to their folder", folder));
  write_out(json ? as_json(scenarios) : as_table(scenarios));
  return done;
}

const char* const list_examples = R"(Examples:
  sinew list                    names, one line each, and the published figure where there is one
  sinew list | grep pendulum    those with a word in them
  sinew list --json             for scripts, with the names of the numbers each gives as result

The last part of a name is enough wherever it is unique: sinew run pendulum.
SINEW_SCENARIOS=FOLDER lists and finds the scenarios of another folder.)";

}  // namespace

Command add_list(CLI::App& program) {
  CLI::App& command = sub_command(program, "list", "List the built-in scenarios", list_examples);
  const auto json = std::make_shared<bool>(false);
  flag(command, "--json", *json, "As JSON, with the names of the results");
  return {&command, [json] { return list(*json); }};
}

}  // namespace cli
