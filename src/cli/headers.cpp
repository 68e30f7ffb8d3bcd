#include "cli/headers.h"

#include <fmt/format.h>

#include "sinew/text/library.h"
#include "sinew/text/load_scenario.h"

namespace cli {
namespace {

namespace sim = sinew::sim;
namespace text = sinew::text;

// A scenario that cannot be read must not hide the others.
sim::Scenario header_of(const text::ScenarioFile& found) {
  try {
    return text::read_header(found.file, found.name);
  } catch (const std::exception&) {
    sim::Scenario broken;
    broken.name = found.name;
    broken.title = fmt::format("(has errors: see sinew check {})", found.file);
    return broken;
  }
}

}  // namespace

std::vector<sim::Scenario> scenario_headers(const std::string& folder) {
  std::vector<sim::Scenario> headers;
  for (const auto& found : text::built_in_scenarios(folder)) headers.push_back(header_of(found));
  return headers;
}

}  // namespace cli
