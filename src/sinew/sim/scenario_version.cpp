#include "sinew/sim/scenario_version.h"

#include <fmt/format.h>

#include <charconv>
#include <compare>
#include <optional>

namespace sinew::sim {
namespace {

struct Version {
  unsigned major = 0, minor = 0;
  auto operator<=>(const Version&) const = default;
};

std::optional<Version> read_version(std::string_view text) {
  Version v;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, v.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return {};
  const auto minor = std::from_chars(major.ptr + 1, end, v.minor);
  if (minor.ec != std::errc() || minor.ptr != end) return {};
  return v;
}

}  // namespace

std::string problem_of_version(std::string_view version) {
  const auto given = read_version(version), ours = read_version(scenario_version);
  if (!given) return fmt::format("\"{}\" is no version", version);
  if (*given > *ours)
    return fmt::format("the file is written for sinew {}, this program reads up to {}", version, scenario_version);
  return {};
}

}  // namespace sinew::sim
