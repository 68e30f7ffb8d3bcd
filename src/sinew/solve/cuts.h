// Rows of cut joints: geometry, gaps, relative velocities and accelerations, and the elimination of all rows at once.
//   gamma_i = e_i . (w_2 - w_1)                                 angular row
//   gamma_i = e_i . (velocity of body 2 minus body 1, both at F's origin)   linear row
// An impulse P_i acts on body 2 as e_i (torque, or force at F's origin) and on body 1 with the opposite sign.
// With A factored by the articulated recursion, the rows' own system is
//   (W^T A^-1 W + R) P = -(gamma_free + b)
// and is solved exactly, redundant rows included (math/block_ldlt.h). Rows of couplings (solve/couplings.h) come after those of cuts.
#pragma once
#include <array>

#include "sinew/dynamics/articulated.h"
#include "sinew/math/block_ldlt.h"
#include "sinew/solve/couplings.h"

namespace sinew {

template <Real S>
struct CutRows {             // written by place_cuts
  std::array<Vec3<S>, 6> e;  // directions; a resting row is zero
  std::array<joint::Dir, 6> dir;
  Vec3<S> arm1, arm2;  // from the bodies' origins to F's
  Pose<S> X_JF;
  Mat3<S> R_WJ, R_WF;
  S linear, angular;  // Redundant::ByGap: mobility of the two bodies by themselves [1/kg, 1/(kg m^2)]
};

// Which rows factor_cuts takes as redundant, so that forces along them stay out: those that only gaps keep apart.
//   MidStep  gaps as they may be in the middle of a step
//   ByGap    those that are there; of closed joints, rows that differ by round-off only
enum class Redundant { MidStep, ByGap };

template <Real S>
struct Cuts {
  explicit Cuts(const Model& model);
  BlockPattern pattern;
  BlockLdlt<S> G;
  Redundant redundant = Redundant::MidStep;  // read by place_cuts and factor_cuts
  std::vector<CutRows<S>> rows;              // per cut
  std::vector<CouplingSide<S>> sides;        // per term of couplings
  std::vector<CouplingSide<S>> seen_sides;   // the same elsewhere: scratch of gaps and velocity errors
  std::vector<Twist<S>> seen_V;              // per link: scratch of couplings
  std::vector<std::vector<int>> trees;       // per cut or coupling: roots of the trees that its rows push
  std::vector<char> is_pushed;               // per link: root of a tree that factor_cuts pushes just now
  std::vector<S> shift;                      // per row: of its pivot
  std::vector<S> bias, compliance;  // per row: b and R, written by the stepper; then R between two axes, per cut
  std::vector<S> gamma_A;           // per row: velocity at the start of the step
  std::vector<S> gap;               // per row: position error last seen
  std::vector<S> want, want_rate;   // per row: of driven axes
  std::vector<S> rhs, P;            // per row: scratch; impulses of the last solve
  std::vector<S> last;              // per row: scratch of solve_cuts
  std::vector<S> du;                // per freedom: response to P
};

// Directions of rows and axes at the given frames. Axis rows of joints without a given motion rest (zero) unless
// with_springs is set or inertia is reflected to them (axis_inertia.h).
template <Real S>
void place_cuts(const Model& model, const Params<S>& params, const Frames<S>& frames, bool with_springs, Cuts<S>& cuts);

// Velocity of body 2 relative to body 1 at F's origin.
template <Real S>
Twist<S> relative_velocity(const Cut& cut, const CutRows<S>& rows, const Twist<S>* V);

// gamma = W^T u for the velocities V of the links.
template <Real S>
void row_velocities(const Model& model, const Cuts<S>& cuts, const Twist<S>* V, S* gamma);

// d/dt gamma for the links' velocities and accelerations.
template <Real S>
void row_accelerations(const Model& model, const Frames<S>& frames, const Cuts<S>& cuts, const Twist<S>* a,
                       S* gamma_rate);

// Position errors of all rows into cuts.gap; driven axes against their given motion. Returns the largest.
template <Real S>
S row_gaps(const Model& model, const Params<S>& params, const Frames<S>& frames, const Prescribed<S>& driven,
           Cuts<S>& cuts);

// Velocities of all ideal rows at other frames than those of place_cuts, less what driven axes must do there.
template <Real S>
void row_velocity_errors(const Model& model, const Params<S>& params, const Frames<S>& frames,
                         const Prescribed<S>& driven, Cuts<S>& cuts, S* error);

// What driven axes must do: velocity and acceleration wanted of each row (zero for all others).
template <Real S>
void driven_rows(const Model& model, const Prescribed<S>& driven, S* velocity, S* acceleration);

// Adds the rows' impulses, times scale, to the wrenches on the links about their mass centres.
template <Real S>
void add_row_wrenches(const Model& model, const Params<S>& params, const Frames<S>& frames, const Cuts<S>& cuts,
                      S scale, std::vector<Wrench<S>>& wrenches);

// Joint coordinates of a cut joint.
template <Real S>
void cut_coordinates(const Cut& cut, const CutRows<S>& rows, S* q);

// What a row says of a twist at F.
template <Real S>
S row_dot(const Vec3<S>& e, joint::Dir dir, const Twist<S>& V) {
  return dot(e, dir == joint::Dir::Angular ? V.w : V.v);
}

// Sum of one cut's impulses: on body 2 at F's origin.
template <Real S>
Wrench<S> cut_impulse(const Cut& cut, const CutRows<S>& rows, const S* P) {
  Wrench<S> F = Wrench<S>::zero();
  for (int r = 0; r < cut.n_rows; r++) (rows.dir[r] == joint::Dir::Angular ? F.n : F.f) += rows.e[r] * P[cut.row + r];
  return F;
}

// Forms and factors G = W^T A^-1 W + R. Needs A factored in blocks, and place_cuts.
template <Real S>
void factor_cuts(const Model& model, const Frames<S>& frames, Blocks<S>& blocks, Cuts<S>& cuts);

// P = -G^-1 rhs, then the response cuts.du and, in blocks.a, the links' velocity changes. rhs: cuts.rhs.
template <Real S>
void solve_cuts(const Model& model, const Frames<S>& frames, Blocks<S>& blocks, Cuts<S>& cuts);
// The same by the system of a single robot for four right-hand sides, a lane each: all else is in every lane (solve/four_answers.h).
void solve_cuts(const Model& model, const BlockLdlt<double>& G, const Frames<Lanes>& frames, Blocks<Lanes>& blocks,
                Cuts<Lanes>& cuts);

// A robot at its frames, with A factored in blocks and, with cut joints, their rows in cuts: what answers to impulses.
template <Real S>
struct FactoredRobot {
  const Model& model;
  const Frames<S>& frames;
  Blocks<S>& blocks;
  Cuts<S>& cuts;
};

}  // namespace sinew
