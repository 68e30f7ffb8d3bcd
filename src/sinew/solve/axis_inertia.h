// Inertia on the axes of cut joints, which have no freedoms of their own: rotors of drives, and what drives push with in an implicit step.
//   P = -(A (gamma_E - gamma_A) + dt (slope (gamma_E - gamma_A) + bias))
// is a row with compliance R that wants the velocity which the axis has,
//   gamma_E + R P = gamma_A - R dt bias,   R = (A + dt slope)^-1
// gamma velocity of the axes before (A) and after (E) the step, A reflected inertia, bias what it takes at constant velocity
// (kinematics/reflect.cpp), slope of the drives' lines (step/devices.h). Accelerations: d/dt gamma + A^-1 P = -A^-1 bias.
// Of two axes R is a matrix; what it has between them is in Cuts::compliance behind all rows, one number a cut.
#pragma once
#include "sinew/kinematics/reflect.h"
#include "sinew/solve/cuts.h"

namespace sinew {

inline int first_axis_row(const Model& model, const ReflectedInfo& info) {
  const Cut& cut = cut_of(model, info);
  return cut.row + cut.n_ideal;
}

// Directions and compliance of a joint's axis rows. added: dt slope of each axis; nullptr: none. Axes without inertia rest.
template <Real S>
void hold_axes(const Model& model, const Frames<S>& frames, const ReflectedInfo& info, const S* added, Cuts<S>& cuts);

// y += scale R x on the axes of a joint, one number an axis.
template <Real S>
void add_compliant(const Model& model, const ReflectedInfo& info, const Cuts<S>& cuts, const S* x, const S& scale,
                   S* y);

// Rows that want nothing: where only gaps and the other rows' velocities are to be closed.
template <Real S>
void rest_axes(const Model& model, S* rhs) {
  for (const ReflectedInfo& info : model.reflected) {
    if (!is_cut(info)) continue;
    const Cut& cut = cut_of(model, info);
    for (int r = cut.row + cut.n_ideal; r < cut.row + cut.n_rows; r++) rhs[r] = S(0.0);
  }
}

// The joint's inertia, if it is a cut one that has some.
inline const ReflectedInfo* inertia_of(const Model& model, const JointInfo& joint) {
  if (joint.cut < 0) return nullptr;
  for (const ReflectedInfo& info : model.reflected)
    if (info.link == -1 - joint.cut) return &info;
  return nullptr;
}

}  // namespace sinew
