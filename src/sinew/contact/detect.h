// Which points of the robot touch something, at the frames of a step.
#pragma once
#include "sinew/contact/culling.h"
#include "sinew/kinematics/frames.h"

namespace sinew {

template <Real S>
struct ContactPoint {
  int pair;  // number of Model::pair
  int shape1, shape2, law;
  int slot;            // where this point will be remembered
  int block, n_slots;  // the pair's slots
  int old;             // where its feature was remembered, or may have been; -1: nowhere
  Mask<S> closed;      // gap <= activation gap; of a batch: where
  Mask<S> upright;     // the long axis stands on the tangent plane: friction has no direction
  Vec3<S> p;           // the point [m]
  Vec3<S> n, t1;       // normal from shape 1 to 2, tangent along the long axis; t2 = n x t1
  S gap;               // [m]
  S key;               // feature + 1
};

template <Real S>
struct Contacts {  // written by detect; valid inside one step
  std::vector<ContactPoint<S>> point;
  int count = 0;
  int lost = -1;            // a pair for whose points there was no slot; -1: none
  std::vector<Aabb> boxes;  // of a crowd
  CullPhase cull;

  explicit Contacts(const Model& model)
      : point(model.n_slots), boxes(model.crowd ? model.shapes.size() : 0), cull(int(boxes.size())) {}
  const ContactPoint<S>* begin() const { return point.data(); }
  const ContactPoint<S>* end() const { return point.data() + count; }
};

// memory: State::contact. A feature that touched before keeps its slot (in a crowd: its memory). Points closed in no lane
// are left out. margin: gap up to which a point counts as closed [m].
template <Real S>
void detect(const Model& model, const Frames<S>& frames, const std::vector<S>& memory, double margin, Contacts<S>& out);

}  // namespace sinew
