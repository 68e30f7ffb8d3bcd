// The part of compile that concerns touching: shapes, pairs with their laws and slots, laws on joint axes.
#pragma once
#include <functional>

#include "sinew/model/params.h"

namespace sinew {

// link_of(body name): its link. Links and joints of the model must be there.
// Pads and their numbers, for the shapes that the model has.
void compile_adhesion(const Plan& plan, Model& model, Params<double>& params);

void compile_contacts(const Plan& plan, const std::function<int(const std::string&)>& link_of, Model& model,
                      Params<double>& params);

}  // namespace sinew
