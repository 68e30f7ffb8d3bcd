// What polyhedra do to each other: corners of one at the faces of the other, edges across edges. Private to this room.
#pragma once
#include "sinew/parts/touch/gather.h"
#include "sinew/parts/touch/surface.h"

namespace sinew {

// A corner counts against a face if the edges that leave it do not go deeper than this (sine). Without that, a corner that
// has just passed the rim of a table would be pushed sideways by the table's side, which is nearer than its top.
inline constexpr double leans = 0.5;
inline constexpr double edge_leans = 0.05;  // the same for the faces beside crossing edges

struct BoxSolid {
  Vec3d half;
};

// Where a segment crosses an edge: n across both, out of the edge's faces; q on the edge; s from q to the segment along n.
// False: parallel, or they pass each other beyond their ends.
bool cross_edges(const SharpEdge& edge, const Segment& other, Vec3d& n, double& s, Vec3d& q);

// The nearest point of a cylinder's surface (of a box's surface) to x, in its own axes.
Foot foot_on_cylinder(const Shape& cylinder, const Vec3d& x);
Foot foot_on_box(const Vec3d& half, const Vec3d& x);

// n out of `a`; X_AB: the second in the axes of the first; below: depth to which corners of b are looked for at least [m]
void touch_solids(const Surface& a, const Surface& b, const Posed& X_AB, double below, Gather& found);
void touch_solids(const Surface& a, const BoxSolid& b, const Posed& X_AB, double below, Gather& found);

}  // namespace sinew
