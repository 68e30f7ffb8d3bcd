// Values from the command line over those of a file.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "sinew/text/document.h"

namespace sinew::text {

// Each set is "KEY=VALUE". Returns what is wrong with them; the right ones are put into the document.
std::vector<std::string> apply_sets(std::span<const std::string> sets, Document& document);

}  // namespace sinew::text
