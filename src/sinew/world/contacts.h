// Contacts as people see them: one reading per pair of shapes that may touch, summed over its contact points.
#pragma once
#include <string>
#include <vector>

#include "sinew/math/check.h"
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
  S normal;          // sum of the normal forces; below zero where adhesion holds [N]
  Vec3<S> push;      // the same as a vector, on the first-named body, world axes [N]
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

// f(pair, its number, what a slot of it remembers) for all slots that may hold something. In a crowd these are the pairs that
// touched in the last step.
template <Real S, class F>
void for_each_slot(const Model& model, const State<S>& state, F f) {
  SINEW_ASSERT(state.contact.size() == std::size_t(model.n_slots) * slot::size);
  const auto visit = [&](const ShapePair& pair, int id, int first) {
    for (int k = first; k < first + pair.n_slots; k++) f(pair, id, state.contact.data() + std::size_t(k) * slot::size);
  };
  if (!model.crowd)
    for (std::size_t i = 0; i < model.pairs.size(); i++) visit(model.pairs[i], int(i), model.pairs[i].slot);
  for (int at = 0; model.crowd && at < model.n_slots;) {
    const int id = int(lane(state.contact[std::size_t(at) * slot::size + slot::pair], 0)) - 1;
    if (id < 0) return;
    const ShapePair pair = model.pair(id);
    visit(pair, id, at);
    at += pair.n_slots;
  }
}

// All that touches one body.
template <Real S>
struct BodyContact {
  S count;         // points
  S normal;        // sum of the normal forces; below zero where adhesion holds [N]
  S pressing;      // of what presses alone: without the pull of adhesion [N]
  S slip;          // fastest sliding of a point that carries force [m/s]
  Vec3<S> force;   // normal forces and friction, world axes [N]
  Vec3<S> torque;  // of all of them about the body's centre of mass [N m]
  Vec3<S> point;   // centre of pressure: mean weighted with what presses; 0 while nothing does [m]
};

// By link; p_WC: the bodies' centres of mass.
template <Real S>
void read_bodies_touched(const World<S>& world, const std::vector<Vec3<S>>& p_WC, std::vector<BodyContact<S>>& out);

// All contacts together.
template <Real S>
struct ContactTotal {
  S count = S(0.0), normal = S(0.0);  // points that touch; sum of normal forces [N]
  S penetration = S(0.0);             // of the deepest [m]; 0: none is below the surface
};
template <Real S>
ContactTotal<S> total_of(const World<S>& world);

// A law on a joint axis, for messages: "upper end of joint elbow".
std::string axis_law_name(const Model& model, int axis_row);

}  // namespace sinew
