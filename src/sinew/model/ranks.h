// Ranks: links of one robot that go through a register side by side, one link a lane, as the robots of a batch would.
// A limb is a chain of links without branches that ends in a leaf. Limbs whose joints are of the same kinds, counted from
// the leaves, walk in step: a rank holds their links of one height above the leaves. The legs of a quadruped are three
// ranks of four links. A lane has the bits of the link alone.
#pragma once
#include "sinew/math/lane_pack.h"
#include "sinew/parts/joint/list.h"

namespace sinew {

struct Model;

struct Rank {
  JointKind kind;
  LaneLinks link;
  int count;  // lanes in use; the others repeat the first link and nobody reads them
  int above;  // so many of them, the first ones, have their parents in the rank before, lane by lane; the others' parents
              // are in no rank
  bool ends;  // the last rank of its limbs: leaves only
  bool all_aligned;
  LaneMask aligned;  // Link::aligned
  int axis;          // first axis in Frames::rank_axis
};

// joint::visit without the free joint, which no limb has
template <class F>
SINEW_INLINE void visit_joint(const Rank& rank, F&& f) {
  joint::visit(rank.kind, [&]<class J>() {
    if constexpr (!std::same_as<J, joint::Free>) f.template operator()<J>();
  });
}

// Fills Model::ranks, from the roots' side to the leaves, Model::single and Link::limb.
void find_ranks(Model& model);

}  // namespace sinew
