#include "sinew/study/check_axes.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "sinew/sim/errors.h"

namespace sinew::study {
namespace {

// Two names of one key end alike: each is its last part or more of it.
bool name_one_key(const std::string& a, const std::string& b) {
  const std::string& longer = a.size() > b.size() ? a : b;
  const std::string& shorter = a.size() > b.size() ? b : a;
  return longer == shorter || longer.ends_with("." + shorter);
}

}  // namespace

void check_names(const StudyPlan& plan, std::span<const Axis> axes, std::span<const std::string> keys) {
  std::vector<std::string> problems;
  for (std::size_t a = 0; a < keys.size(); a++) {
    if (plan.until && keys[a] == "duration")
      problems.push_back(
          fmt::format("--vary {}: --until gives all runs the same end: leave one of them out", axes[a].key));
    for (std::size_t b = 0; b < a; b++)
      if (name_one_key(keys[a], keys[b]))
        problems.push_back(
            fmt::format("--vary {}: the same key as {}: leave one of them out", axes[a].key, axes[b].key));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

std::string as_of_vary(const std::string& problem, const std::string& set) {
  const std::string place = "--set " + set;
  return problem.starts_with(place) ? "--vary " + set + problem.substr(place.size()) : problem;
}

}  // namespace sinew::study
