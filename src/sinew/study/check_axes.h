// What is wrong with the keys of a study that each for itself would not be.
#pragma once
#include <span>
#include <string>

#include "sinew/study/plan.h"

namespace sinew::study {

// keys: of each axis, dotted where it is one of numbers. Throws InputError: a key that is varied twice, or that --until decides.
void check_names(const StudyPlan& plan, std::span<const Axis> axes, std::span<const std::string> keys);

// A complaint about --set KEY=VALUE, which the user has written as --vary.
std::string as_of_vary(const std::string& problem, const std::string& set);

}  // namespace sinew::study
