// The forest as a plant: trees of links, cut joints, contacts, moved by the steppers of step/methods.h.
#pragma once
#include "sinew/model/plant.h"

namespace sinew {

const Plant& forest();

}  // namespace sinew
