#include "sinew/sim/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace sinew::sim {

// Optimal string alignment: Levenshtein's recursion with one more case for a swap of neighbours.
int edit_distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); i++) d[i][0] = int(i);
  for (std::size_t j = 0; j <= b.size(); j++) d[0][j] = int(j);
  for (std::size_t i = 1; i <= a.size(); i++)
    for (std::size_t j = 1; j <= b.size(); j++) {
      const int change = d[i - 1][j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::vector<std::string> nearest(std::string_view name, std::span<const std::string> known) {
  std::vector<std::pair<int, std::string>> found;
  for (const std::string& candidate : known) {
    int distance = edit_distance(name, candidate);
    // users type the last part of a long name
    for (std::size_t i = 0; i < candidate.size(); i++)
      if (candidate[i] == '.' || candidate[i] == '/')
        distance = std::min(distance, edit_distance(name, std::string_view(candidate).substr(i + 1)));
    if (name.size() > 2 && candidate.find(name) != std::string::npos) distance = std::min(distance, 1);
    const int limit = std::min(std::max(1, int(name.size()) / 3), int(name.size()) - 1);
    if (distance <= limit) found.emplace_back(distance, candidate);
  }
  std::ranges::stable_sort(found, {}, &std::pair<int, std::string>::first);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, found.size()); i++) names.push_back(found[i].second);
  return names;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> known) {
  const auto names = nearest(name, known);
  return names.empty() ? "" : fmt::format("did you mean {}? ", join(names, " or "));
}

std::string join(std::span<const std::string> words, std::string_view between) {
  return fmt::format("{}", fmt::join(words.begin(), words.end(), between));
}

}  // namespace sinew::sim
