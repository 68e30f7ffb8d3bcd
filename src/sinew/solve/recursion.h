// Contacts solved by articulated-body recursions, in time linear in the links.
// A contact between one link and the ground touches one 6x6 block only, so its law made linear, P = f - K gamma, adds
// K to that link's inertia and f to its wrench; a law on a joint axis adds to that freedom. Each iteration is then one
// articulated-body recursion, unsymmetric because friction follows the normal force:
//   1. every contact decides by itself: open, stick or slip (solve/local.h), from the present P and gamma
//   2. forward dynamics with all K and f added gives all gamma, and P = f - K gamma
//   3. closed rows are held by a multiplier: P = centre - stiff gamma. First centre = 0: a slightly compliant problem, whose
//      solution is unique and picks, among all forces that explain the motion, the normal forces of least norm
//      (docs/theory/snake.md#redundant-normal-forces). When it is solved, centre = P, once or twice: gamma goes to zero, and
//      nothing sinks. Normal rows that give way by law (eps_N > 0) are unique as they are and need none of this.
// With cut joints that hold free bodies in trees the same laws are added to the bodies and to the joints' axes, and step 2 is the
// elimination of solve/cut_trees.h.
// At the end P is put into its cone, and the motion computed from P alone unless P was there up to a billionth, so that
// dynamics and cone hold and the certificate measures what is left.
#pragma once
#include <array>

#include "sinew/dynamics/unsymmetric.h"
#include "sinew/solve/cut_trees.h"
#include "sinew/solve/rows.h"

namespace sinew {

template <Real S>
struct RecursionWork {
  struct Contact {
    S stiff_ang, soft_ang;  // [kg m^2], its inverse
    S r_T, r_V;             // steps of the local maps
    S per_mass;             // 1 / mass
    S stiff_N, soft_N;      // of the normal row, and its inverse; eps_N > 0: that of the law, and 0
    S code;                 // 1 closed + 2 stick + 4 drilling stick + 8 rolling stick
    S s;                    // radius of the cones
    S f[row::count], centre[row::count];
    S P[row::count], gamma[row::count];  // last iterate
    S K_N, K_D;
    S slope_D;  // slip: drilling torque per normal impulse [m]
    LocalBlock<S> T, V;
  };
  struct Axis {
    S code, f, K, centre;
    S P, gamma;  // last iterate
  };
  std::vector<Contact> contact;
  std::vector<Axis> axis;
  UnsymmetricWork<S> links;
  CutTreesWork<S> cuts;
  std::vector<std::array<S, 7>> factored;  // all that a contact without turning adds to the blocks, and K of each axis
  std::vector<S> factored_axis;
  bool is_factored = false;  // they are in the factor of `links`, at these frames
  std::vector<Wrench<S>> applied;
  std::vector<S> tau, diag;
  std::vector<S> u_rate;  // of the last system

  explicit RecursionWork(const Model& model)
      : contact(model.n_slots),
        axis(model.axis_rows.size()),
        links(model),
        cuts(model),
        factored(model.n_slots),
        factored_axis(model.axis_rows.size()),
        applied(model.links.size()),
        tau(model.nu),
        diag(model.nu),
        u_rate(model.nu) {}
};

template <Real S>
struct ImpulseProblem {  // what the solvers share: the smooth side of the step
  const Model& model;
  const Params<S>& params;
  const Frames<S>& frames;
  const S* tau;                            // per freedom
  const std::vector<Wrench<S>>* external;  // per link about its mass centre
  const S* diag;                           // per freedom, or null
  double dt;
  const Cuts<S>* cuts = nullptr;  // of free bodies in trees of cut joints; then nothing but laws acts, and dt is 1
};

// Rows must be local. Leaves P and gamma in rows, du/dt of the step in u_rate and the factor of M + diag in blocks.
// Lanes that did not converge are left in `failed`.
template <Real S>
SolveReport solve_by_recursion(const ImpulseProblem<S>& problem, Rows<S>& rows, RecursionWork<S>& work,
                               Blocks<S>& blocks, S* u_rate, Mask<S>& failed);

// The same for free bodies in trees of cut joints, every contact with the ground: P of the lanes `which`, from rows.gamma_0, the
// velocities without laws. Where P leads is for the caller to find, and to certify. Returns how many systems were solved.
template <Real S>
struct CutProblem {
  const Model& model;
  const Params<S>& params;
  const Frames<S>& frames;
  const Cuts<S>& cuts;
  Mask<S> which;
};
template <Real S>
int solve_by_cut_trees(const CutProblem<S>& problem, Rows<S>& rows, RecursionWork<S>& work, Blocks<S>& blocks);

}  // namespace sinew
