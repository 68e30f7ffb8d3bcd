// The outcome of a validation as one HTML page that needs nothing else.
#pragma once
#include <string>
#include <vector>

#include "sinew/validate/validate.h"

namespace sinew::validate {

std::string page_of(const std::vector<Outcome>& outcomes, const std::string& version);

// DIR/index.html; makes the folder. The page appears complete or not at all. Throws FileError.
void write_report(const std::vector<Outcome>& outcomes, const std::string& version, const std::string& folder);

}  // namespace sinew::validate
