// Where Frames keeps the reflected inertia of a joint (kinematics/reflect.cpp).
#pragma once
#include "sinew/kinematics/frames.h"

namespace sinew {

// Is it a cut joint, whose numbers come after those of all links' joints?
inline bool is_cut(const ReflectedInfo& info) { return info.link < 0; }
inline const Cut& cut_of(const Model& model, const ReflectedInfo& info) {
  return model.cuts[std::size_t(-1 - info.link)];
}

// The first of its axes in Frames::reflected_u and reflected_bias; its matrix is at 6 times that in Frames::reflected.
inline int reflected_axis(const Model& model, const ReflectedInfo& info) {
  return is_cut(info) ? model.n_frame_axes + info.axis : model.links[std::size_t(info.link)].axis;
}

// Coordinates and velocities of a cut joint's axes, as its two bodies have them; u_b: velocities for the quadratic terms. Of joints whose
// coordinates are its axes' alone.
template <Real S>
struct CutMotion {
  S q[6], u[6], u_b[6];
};
template <Real S>
void read_cut(const Cut& cut, const CutParams<S>& params, const Frames<S>& frames, CutMotion<S>& out);

}  // namespace sinew
