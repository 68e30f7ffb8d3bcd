// Rewrites a scenario file of an earlier version: what got new names, in place, so that comments, order and layout stay.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sinew::text {

struct Upgraded {
  std::string text;
  std::vector<std::string> changes;  // "FILE:LINE: WHAT -> WHAT", lines of the old text; empty: it is as it was
};

// Throws InputError with every problem: no TOML, of a newer version, or old names that cannot be replaced where they stand.
Upgraded upgrade_scenario(std::string_view text, const std::string& file);

}  // namespace sinew::text
