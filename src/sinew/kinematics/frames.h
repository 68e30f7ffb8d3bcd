// Frames: where every link is and how it moves. World axes, each quantity at the link's own origin.
//   X_WF = X_WP X_PJ X_JF(q)
//   V_F  = V_P shifted by r + sum_i axis_i u_i
//   A_F  = A_P shifted by r + sum_i axis_i du_i/dt + zeta          (classical accelerations)
//   zeta.w = w_P x w_rel + drift,  zeta.v = w_P x (w_P x r + 2 v_rel) + drift
// Solved in two parts, A = coast + change: coast with all du/dt zero (depends on q and u only), change linear in du/dt.
// A stepper may ask for the terms quadratic in velocities (zeta, and those of the links' inertia) at other velocities than V: a
// step from u_A takes them at its middle (step/past.h).
#pragma once
#include "sinew/model/params.h"
#include "sinew/model/state.h"

namespace sinew {

template <Real S>
struct Frame {
  Pose<S> X;       // X_WF
  Twist<S> V;      // V_WF
  Twist<S> V_b;    // at the velocities for the quadratic terms; V where nothing else is asked for
  Twist<S> coast;  // acceleration when all du/dt are zero, of this joint and of all before it
  Vec3<S> r;       // from the parent's origin to this one
};

template <Real S>
struct Frames {  // written by evaluate_frames; valid inside one step
  std::vector<Frame<S>> link;
  std::vector<Vec3<S>> axis;    // motion axes of the links' joints, from Link::axis
  std::vector<SinCos<S>> trig;  // of all angle coordinates, in the order of Model::angles; padded to full registers
  // Of a single robot, the same numbers once more: of Model::ranks, one link a lane.
  std::vector<Frame<Lanes>> rank;
  std::vector<Vec3<Lanes>> rank_axis;

  std::vector<S> coupled;  // coordinates of the terms of couplings whose joints are in a tree

  // Reflected inertia of the links' joints, then of cut ones (kinematics/reflect.h); empty where no joint has any.
  std::vector<S> reflected;         // A, n x n at 6 * Link::axis [kg m^2 or kg]; zero for the other joints
  std::vector<S> reflected_bias;    // per frame axis: what it takes when all du/dt are zero [N m or N]
  std::vector<S> reflected_u;       // per frame axis: velocities, of driven joints too [rad/s or m/s]
  std::vector<Strokes<S>> strokes;  // of Params::transmissions; their drifts at the velocities for quadratic terms

  explicit Frames(const Model& model);
};

// Coordinates, velocities and accelerations of driven joints; in tree coordinates at Link::q and u,
// and for every driven joint (cut or not) the motion of its axes at JointInfo::motion.
template <Real S>
struct Prescribed {  // written by prescribe
  std::vector<S> q, u, u_rate;
  std::vector<S> motion, motion_rate, motion_accel;

  explicit Prescribed(const Model& model);
};

// The given motions at time t.
template <Real S>
void prescribe(const Model& model, const Params<S>& params, double t, Prescribed<S>& out);

template <Real S>
void evaluate_frames(const Model& model, const Params<S>& params, const S* q, const S* u, const Prescribed<S>& driven,
                     Frames<S>& out);
// Place and velocities, with others for the quadratic terms: u_b, of driven joints driven_u_b.
template <Real S>
struct SplitMotion {
  const S *q, *u, *u_b, *driven_u_b;
};
template <Real S>
void evaluate_frames(const Model& model, const Params<S>& params, const SplitMotion<S>& at, const Prescribed<S>& driven,
                     Frames<S>& out);

// Velocities of all links for other velocities u at the same place; driven joints move with drive_scale times theirs
// (0: the response to a change of u alone).
template <Real S>
void evaluate_velocities(const Model& model, const Frames<S>& frames, const S* u, const Prescribed<S>& driven,
                         double drive_scale, std::vector<Twist<S>>& V);

// Fills what Frames has of reflected inertia; part of evaluate_frames.
template <Real S>
void reflect(const Model& model, const Params<S>& params, const SplitMotion<S>& at, const Prescribed<S>& driven,
             Frames<S>& out);

// q <- q (+) u dt on the manifold of each joint.
template <Real S>
void advance(const Model& model, const S* u, S dt, S* q);

}  // namespace sinew
