// Plans from files: TOML with the keys of plan.h.
#pragma once
#include "sinew/study/optimize.h"

namespace sinew::study {

// A file whose outermost table has the key `scenario`, which no scenario has.
bool is_plan_file(const std::string& file);

// What the file says, over what `plan` has, and what it says of a search: maximize, minimize, subject_to, method, budget ... over what `search`
// has. nullptr: nothing is searched, and such keys are passed over. Throws InputError with every problem found, FileError.
void load_plan(const std::string& file, StudyPlan& plan, SearchPlan* search = nullptr);

// The scenario that a plan names. folder: of the built-in ones. Throws InputError, FileError.
Source find_source(const std::string& scenario, const std::string& folder);

}  // namespace sinew::study
