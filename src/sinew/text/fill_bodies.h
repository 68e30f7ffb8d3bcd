// Mass, centre of mass and inertia that a file does not give: those of the body's shapes, filled evenly.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sinew/model/plan.h"

namespace sinew::text {

// The meshes of shapes are read. Shapes count one by one, also where they overlap. A body whose shapes enclose nothing stays as it is given: a
// point mass; with a density that is a problem, said to be at place_of(key).
void fill_bodies(Plan& plan, const std::function<std::string(std::string_view)>& place_of,
                 std::vector<std::string>& problems);

}  // namespace sinew::text
