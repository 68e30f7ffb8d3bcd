// Implicit servos within their limits where rows are solved by responses or sweeps: linear in the end velocity, they belong to the
// matrix of the robot and not to the rows. P = -K (gamma + bias), K = 1 / compliance, adds K to the diagonal of M and a torque.
// Those at a limit remain rows. Who is at one is guessed from the last step; one that passes its limit in the answer becomes a row,
// and the step is solved again. Servos with free play, and robots that rebound, whose energy is bounded with M alone, keep rows.
#pragma once
#include "sinew/solve/rows.h"

namespace sinew {

template <Real S>
struct HeldServos {
  std::vector<AxisRow<S>> all;  // all laws on axes of the step, held or not
  std::vector<Mask<S>> held;    // of each: where it is in the matrix
  std::vector<int> row;         // of each: its row, -1: none
  int n = 0;                    // of them; 0: none is held
  std::vector<S> tau, diag;     // per freedom, with those that are held

  explicit HeldServos(const Model& model);
};

template <Real S>
struct Workspace;

// Takes servos out of ws.rows. tau and diag of the step, with them, are in ws.held.
template <Real S>
void hold_servos(const Model& model, const S* diag, double dt, Workspace<S>& ws);

// With the velocities u_E: impulses of held servos. True: some pass their limits and are rows now; solve again. False: ws.rows has
// all laws again.
template <Real S>
bool release_servos(const Model& model, const S* diag, const S* u_A, const S* u_E, double dt, Workspace<S>& ws);

}  // namespace sinew
