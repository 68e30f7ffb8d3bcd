// A pose that few joints can hold: the torques u* of the actuated axes for which the robot at rest is nearest to a wanted pose
// (docs/theory/control.md#balance).
//   minimise |T (x - x_wanted)|^2 over all u with  holding_force(x) = B u
// Gauss-Newton over u with dx/du = K^-1 B, each time with Newton's method for x.
#pragma once
#include "sinew/control/linearise.h"

namespace sinew {

struct Balance {
  Matrix u;               // torques of the actuated axes [N m or N]
  Matrix moved;           // of all freedoms from the pose it began with, as coordinates [rad or m]
  std::vector<double> q;  // the pose
  bool found = false;
};

// B: a column of forces on the freedoms per actuated axis. T: rows that are wanted to be small. All freedoms must be
// coordinates (no ball or free joints). from: the wanted pose, where the search begins as well.
Balance find_balance(Statics& statics, const Matrix& B, const Matrix& T, const std::vector<double>& from);

// The pose in which the robot hangs at rest under the torques u. False: none was found.
bool find_rest(Statics& statics, const Matrix& force, std::vector<double>& q);

}  // namespace sinew
