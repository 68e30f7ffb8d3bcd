// From the outcome of a run to entries: finds the numbers that a case expects and compares.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sinew/sim/cases.h"
#include "sinew/validate/entry.h"

namespace sinew::validate {

// Identifiers of all entries of a case; `scenario` is the scenario's name.
std::vector<std::string> ids_of(const std::string& scenario, const sim::Case& c);

// What a person asked for: a part of the id; its beginning up to a slash, "snake/", which is that folder and not also
// continuum/viscous-snake/; or a pattern with * and ? for all of it. Empty: everything.
bool is_wanted(std::string_view pattern, std::string_view id);

// Something that the file says and no run can satisfy.
struct CaseProblem {
  std::string key;   // dotted, of the scenario file
  std::string text;  // "WHAT: HOW TO FIX"
};

// run_json: the object that sinew run --json prints. Paths that do not exist and vectors of another length go into
// `problems`.
std::vector<Entry> judge(const std::string& scenario, const sim::Case& c, std::string_view run_json,
                         std::vector<CaseProblem>& problems);

// The entries of a case whose run failed.
std::vector<Entry> all_failed(const std::string& scenario, const sim::Case& c, const std::string& reason);

}  // namespace sinew::validate
