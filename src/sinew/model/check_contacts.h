// The part of check that concerns touching: shapes, ground, laws, and ranges and friction of joint axes.
#pragma once
#include "sinew/model/plan.h"

namespace sinew {

void check_shapes(const Plan& plan, std::vector<Problem>& problems);  // shapes and ground: the first part of the next
void check_adhesion(const Plan& plan, std::vector<Problem>& problems);
void check_contacts(const Plan& plan, Coordinates coordinates, std::vector<Problem>& problems);

}  // namespace sinew
