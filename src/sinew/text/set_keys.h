// Values from the command line over those of a file.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "sinew/text/document.h"
#include "sinew/text/list_keys.h"

namespace sinew::text {

// The key that a name means: dotted, or its last parts where these are unique; with _deg behind it where it takes degrees.
struct KeyTarget {
  std::string key;  // dotted; empty: not found
  bool holds_text = false;
  std::string problem;                     // why not
  std::vector<std::string> replaces = {};  // of a shorthand: dotted keys that it sets
  std::string shorthand = {};              // dotted key that also sets this one
};
KeyTarget find_target(const KeyLister& lister, const std::string& key);

// The dotted key of the document that a name means, the first of several; empty: there is none.
std::string key_called(const Document& document, const std::string& name);

// Each set is "KEY=VALUE". Returns what is wrong with them; the right ones are put into the document.
std::vector<std::string> apply_sets(std::span<const std::string> sets, Document& document);

}  // namespace sinew::text
