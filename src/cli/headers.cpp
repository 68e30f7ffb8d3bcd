#include "cli/headers.h"

#include <fmt/format.h>

#include "sinew/io/library.h"

namespace cli {
namespace {

namespace io = sinew::io;

// A scenario that cannot be read must not hide the others.
io::Scenario header_of(const io::ScenarioFile& found) {
  try {
    return io::read_header(found.file, found.name);
  } catch (const std::exception&) {
    io::Scenario broken;
    broken.name = found.name;
    broken.title = fmt::format("(has errors: see sinew check {})", found.file);
    return broken;
  }
}

}  // namespace

std::vector<io::Scenario> scenario_headers(const std::string& folder) {
  std::vector<io::Scenario> headers;
  for (const auto& found : io::built_in_scenarios(folder)) headers.push_back(header_of(found));
  return headers;
}

}  // namespace cli
