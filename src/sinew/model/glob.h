// Names with wildcards.
#pragma once
#include <string_view>

namespace sinew {

// Does the whole name match? * stands for any letters, also none and dots; ? for exactly one.
bool matches(std::string_view pattern, std::string_view name);

inline bool has_wildcard(std::string_view pattern) { return pattern.find_first_of("*?") != pattern.npos; }

}  // namespace sinew
