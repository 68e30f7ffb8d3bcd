// Part of compile: drag, cables and the ends of rods.
#pragma once
#include <functional>

#include "sinew/model/params.h"

namespace sinew {

// link: of a body by its name; the world has one too.
void compile_loads(const Plan& plan, const std::function<int(const std::string&)>& link, Model& model,
                   Params<double>& params);

template <Real S>
void broadcast_loads(const Params<double>& from, Params<S>& to);

// The rules for drag and cables.
void check_loads(const Plan& plan, std::vector<Problem>& problems);

}  // namespace sinew
