// Which points of the robot touch something, at the frames of a step.
#pragma once
#include "sinew/kinematics/frames.h"

namespace sinew {

template <Real S>
struct ContactPoint {
  int pair, slot;
  Mask<S> closed;   // gap <= activation gap; of a batch: where
  Mask<S> upright;  // the long axis stands on the tangent plane: friction has no direction
  Vec3<S> p;        // the point [m]
  Vec3<S> n, t1;    // normal from shape 1 to 2, tangent along the long axis; t2 = n x t1
  S gap;            // [m]
  S key;            // feature + 1
};

template <Real S>
struct Contacts {  // written by detect; valid inside one step
  std::vector<ContactPoint<S>> point;
  int count = 0;

  explicit Contacts(const Model& model) : point(model.n_slots) {}
  const ContactPoint<S>* begin() const { return point.data(); }
  const ContactPoint<S>* end() const { return point.data() + count; }
};

// memory: State::contact. A feature that touched before keeps its slot. Points closed in no lane are left out.
template <Real S>
void detect(const Model& model, const Frames<S>& frames, const std::vector<S>& memory, Contacts<S>& out);

}  // namespace sinew
