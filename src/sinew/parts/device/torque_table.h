// A torque given by numbers at times: as a motion (motion_table.h), but a spline need not begin and end at rest. A motion stays before
// and after its table, so that its rate is zero at both ends; a torque may begin and end anywhere, and a rate of zero there would
// err by O(T). Instead the third derivative is continuous at the first and the last inner time ("not a knot", de Boor, A Practical
// Guide to Splines, chapter IV), which errs by O(T^4) up to the ends.
#pragma once
#include "sinew/parts/device/motion_table.h"

namespace sinew {

// Of numbers that have no table_problem, at least one.
std::shared_ptr<const MotionTable> make_torque_table(std::vector<double> t, std::vector<double> value, bool smooth);

}  // namespace sinew
