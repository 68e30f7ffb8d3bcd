#include "sinew/text/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sinew/files/errors.h"
#include "sinew/imports/import.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"

namespace sinew::text {
namespace fs = std::filesystem;

std::vector<ScenarioFile> built_in_scenarios(const std::string& folder) {
  std::vector<ScenarioFile> found;
  std::error_code error;
  for (auto it = fs::recursive_directory_iterator(folder, error); !error && it != fs::recursive_directory_iterator();
       it.increment(error)) {
    if (it->path().extension() != ".toml" || !it->is_regular_file()) continue;
    fs::path name = it->path().lexically_relative(folder);
    name.replace_extension();
    found.push_back({name.generic_string(), it->path().string()});
  }
  std::ranges::sort(found, {}, &ScenarioFile::name);
  return found;
}

ScenarioFile find_scenario(const std::string& wanted, const std::string& folder) {
  if (wanted.ends_with(".toml") || imports::is_model_file(wanted)) {
    if (!fs::exists(wanted)) throw FileError(fmt::format("{}: no such file: check the path", wanted));
    return {wanted, wanted};
  }
  std::vector<ScenarioFile> matching;
  std::vector<std::string> names;
  for (const ScenarioFile& s : built_in_scenarios(folder)) {
    if (s.name == wanted) return s;
    if (s.name.ends_with("/" + wanted)) matching.push_back(s);
    names.push_back(s.name);
  }
  if (matching.size() == 1) return matching[0];
  if (matching.size() > 1) {
    std::vector<std::string> candidates;
    for (const auto& s : matching) candidates.push_back(s.name);
    throw InputError(fmt::format("{}: {} scenarios end in this name: write one of {}", wanted, matching.size(),
                                 sim::join(candidates)));
  }
  if (fs::is_directory(wanted))
    throw FileError(fmt::format("{}: this is a directory: name a .toml file in it", wanted));
  if (fs::exists(wanted)) return {wanted, wanted};
  if (names.empty())
    throw FileError(
        fmt::format("{}: no built-in scenarios are found there: set SINEW_SCENARIOS to their folder, or "
                    "give the path of a .toml file",
                    folder));
  const std::string guess = sim::did_you_mean(wanted, names);
  throw InputError(fmt::format("{}: unknown scenario: {}{}", wanted, guess,
                               guess.empty() ? "sinew list names all of them" : "(sinew list names all)"));
}

}  // namespace sinew::text
