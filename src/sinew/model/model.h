// Model: a compiled plan. Topology as index arrays; immutable and shared by all worlds that run it.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/plan.h"

namespace sinew {

inline constexpr int world_body = -1;

// A moving body with the joint that carries it in the forest. Parents come before children.
struct Link {
  JointKind kind;
  int parent;  // link, or world_body
  int joint;   // the plan's joint that is this tree joint; -1 for the free joint of maximal coordinates
  int q, u;    // first coordinate and freedom in State; of a driven joint: in the prescribed arrays
  int axis;    // first axis in Frames::axis
  bool driven;
  bool aligned;        // X_PJ does not turn: its rotation is skipped
  bool leaf;           // carries no other link
  bool last_child;     // of its parent: the first to hand something over when going from the leaves to the roots
  int angle;           // first of its angle coordinates in Frames::trig
  int root, tree_end;  // links of its tree: [root, tree_end)
  Posed X_FB;          // the plan's body frame in the link's own frame
};

// A joint of the plan, however it is realised. Drives, springs and read-outs are numbered by its axes and coordinates,
// the same in all coordinate choices.
struct JointInfo {
  std::string name;
  JointKind kind;
  int parent, child;        // links
  int axis, n_axes;         // first and number of joint axes
  int coord, n_coords;      // first and number of joint coordinates
  int link = -1, cut = -1;  // the tree joint or the cut that realises it: exactly one
  bool has_spring = false, has_servo = false, driven = false;
  int motion = -1;  // first motion of a drive
};

// A joint realised by rows: 6 - n_axes ideal ones, then one per axis if the axes are driven, sprung or servoed (a driven
// axis is ideal; a spring becomes a row with compliance where the stepper is implicit, else its row rests).
struct Cut {
  int joint;
  JointKind kind;
  int body1, body2;  // links; body1 may be the world
  int row;           // first row
  int n_ideal, n_rows;
};

struct Model {
  Coordinates coordinates;
  std::vector<Link> links;
  std::vector<std::string> body_names;  // of the links
  std::vector<JointInfo> joints;        // in the plan's order
  std::vector<Cut> cuts;
  int nq = 0, nu = 0;       // sizes of State::q and u
  int n_frame_axes = 0;     // of all links, driven ones included
  std::vector<int> angles;  // coordinates that are angles: index into State::q, or -1 - prescribed q
  int n_prescribed_q = 0, n_prescribed_u = 0;
  int n_axes = 0, n_coords = 0;  // of all joints of the plan
  int n_rows = 0;
  int n_motions = 0;
  bool has_driven = false;  // some joint follows a given motion

  int link_count() const { return int(links.size()); }
  int body(std::string_view name) const;   // index of a body's link; -1: the world or unknown
  int joint(std::string_view name) const;  // index of a joint; -1: unknown
};

}  // namespace sinew
