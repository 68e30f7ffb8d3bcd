// Inside of Document; only for files of text/ that need TOML++.
#pragma once
#include <toml++/toml.h>

#include <map>
#include <optional>

#include "sinew/text/arithmetic.h"
#include "sinew/text/document.h"

namespace sinew::text {

// Ranks of parts begin here: those of the file itself, and copies. Files that it includes have less.
inline constexpr std::uint64_t own_parts = std::uint64_t(1) << 40, copied_parts = std::uint64_t(1) << 50;

struct Document::Content {
  std::string file;
  toml::table root;
  std::map<std::string, std::string, std::less<>> set_by;  // dotted key -> "--set KEY=VALUE"
  // Place in the order of the parts, of dotted keys that are not of the file itself: those of other files come before it, copies after.
  std::map<std::string, std::uint64_t, std::less<>> order;
  Parameters parameters;  // of [param]
};

// A number, or text that is arithmetic with the parameters. problem: what is wrong with that text.
std::optional<double> number_in(const toml::node& node, const Parameters& parameters, std::string& problem);

}  // namespace sinew::text
