// What Input::drive holds: set-points of the drives, then a switch of each group of pads.
#pragma once
#include "sinew/model/model.h"
#include "sinew/parts/drive/drive.h"

namespace sinew {

inline int first_switch(const Model& model) { return int(model.drives.size()) * drive::command::size; }
inline int set_point_count(const Model& model) { return first_switch(model) + int(model.pad_groups.size()); }

}  // namespace sinew
