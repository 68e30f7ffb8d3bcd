// Contacts as people see them: one reading per pair of shapes that may touch, summed over its contact points.
#pragma once
#include <string>
#include <vector>

#include "sinew/world/world.h"

namespace sinew {

namespace contact_state {
enum : int { open = 0, stick = 1, slip = 2 };
}

// Forces are the impulses of the last step over its length; before the first step everything is open.
template <Real S>
struct ContactReading {
  std::string name;  // "block.box:ground": the second shape of the pair, then the first
  S count;           // points that touch
  S normal;          // sum of the normal forces [N]
  Vec3<S> friction;  // on the first-named body, world axes [N]
  Vec3<S> torque;    // of drilling and rolling, on the first-named body, world axes [N m]
  Vec3<S> point;     // centre of pressure: mean weighted with the normal forces; 0 while open [m]
  S gap;             // least of all points; infinite while open [m]
  S slip;            // fastest sliding of a point that carries force [m/s]
  S state;           // contact_state: slip if a point that carries force slides faster than 1e-6 m/s
};

std::string contact_name(const Model& model, int pair);

// By Model::pairs; all but the names is overwritten.
template <Real S>
void read_contacts(const World<S>& world, std::vector<ContactReading<S>>& out);

// All contacts together.
struct ContactTotal {
  double count = 0.0, normal = 0.0;  // points that touch; sum of normal forces [N]
  double penetration = 0.0;          // of the deepest [m]; 0: none is below the surface
};
ContactTotal total_of(const std::vector<ContactReading<double>>& contacts);

// A law on a joint axis, for messages: "upper end of joint elbow".
std::string axis_law_name(const Model& model, int axis_row);

}  // namespace sinew
