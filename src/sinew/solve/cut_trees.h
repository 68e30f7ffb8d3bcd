// Bodies that cut joints hold together in trees, as all of them do in maximal coordinates without loops: how they move when
// something is added to single bodies, in time linear in the bodies.
//   I V = G P - p,  G^T V + R P = 0         I: 6x6 blocks, one a body, which need not be symmetric; G: rows of joints
// From the leaves to the roots, a body c leaves a stiffness to the body b that its joint holds it by:
//   X = I_c^-1 G_c,  L = G_c^T X + R,  Y = L^-1 G_b^T,  y = L^-1 G_c^T I_c^-1 p_c
//   I_b += G_b Y,  p_b -= G_b y             and on the way back   V_c = X (y - Y V_b) - I_c^-1 p_c
// The rows of one joint are independent of each other, so nothing here is redundant. Loops are for solve/delassus.h.
#pragma once
#include "sinew/dynamics/unsymmetric.h"
#include "sinew/solve/cuts.h"

namespace sinew {

struct CutTrees {  // which body hangs on which
  struct Joint {
    int cut;
    int child, parent;  // bodies; the parent may be the world
    int first;          // of its columns in CutTreesWork
  };
  std::vector<Joint> joints;  // leaves first
  std::vector<int> roots;     // bodies that hang on nothing
  bool hold_all = false;      // every body is free but for cut joints; these close no loop, and each leaves some motion
  int n_columns = 0;

  explicit CutTrees(const Model& model);
};

template <Real S>
struct CutTreesWork {
  struct AxisHold {  // what resists motion along an axis of a joint
    S stiff;
    Vec3<S> e;
    joint::Dir dir;
  };
  CutTrees trees;
  std::vector<AxisHold> axis;   // per joint axis of the plan; in
  std::vector<Twist<S>> X;      // per column: of the child
  std::vector<Wrench<S>> Y;     // per column: of the parent
  std::vector<S> P;             // per column: impulse; out
  std::vector<int> n;           // per joint: columns in use
  std::vector<Twist<S>> alone;  // per joint: of the child while its parent rests

  explicit CutTreesWork(const Model& model);
};

// No stiffness along any axis.
template <Real S>
void release_axes(CutTreesWork<S>& work);

// V of all bodies into links.change, from links.I and links.p, which it uses up; impulses of the joints' rows into work.P.
template <Real S>
void solve_cut_trees(const Model& model, const Cuts<S>& cuts, CutTreesWork<S>& work, UnsymmetricWork<S>& links);

// What it found, as others want it: impulses of all rows, changes of the freedoms.
template <Real S>
void read_cut_trees(const Model& model, const Frames<S>& frames, const CutTreesWork<S>& work,
                    const UnsymmetricWork<S>& links, S* P, S* du);

}  // namespace sinew
