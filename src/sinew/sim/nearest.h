// Suggestions for a mistyped name.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::sim {

// Fewest letters to insert, delete, replace or swap with a neighbour, ignoring case.
int edit_distance(std::string_view a, std::string_view b);

// Up to three of the names that could have been meant, best first; empty when none is near.
std::vector<std::string> nearest(std::string_view name, std::span<const std::string> known);

// "did you mean a or b? " or nothing
std::string did_you_mean(std::string_view name, std::span<const std::string> known);

std::string join(std::span<const std::string> words, std::string_view between = ", ");

}  // namespace sinew::sim
