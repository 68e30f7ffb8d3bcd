// Part of compile: couplings (coupling_plan.h).
#pragma once
#include <functional>

#include "sinew/model/params.h"

namespace sinew {

// After joints: adds their rows behind those of cuts. link: of a body by its name; the world has one too.
void compile_couplings(const Plan& plan, const std::function<int(const std::string&)>& link, Model& model,
                       Params<double>& params);

template <Real S>
void broadcast_couplings(const Params<double>& from, Params<S>& to);

void check_couplings(const Plan& plan, std::vector<Problem>& problems);

}  // namespace sinew
