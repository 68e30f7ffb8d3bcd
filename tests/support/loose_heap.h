// A contact problem of loose bodies by the dice, for the solvers of many contacts.
#pragma once
#include "sinew/solve/sparse.h"
#include "tests/support/dice.h"

namespace sinew::support {

inline Vec3d any_vector(Dice& dice) { return {dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1)}; }

// Loose bodies that touch one another and the world in random places, some coming together and some parting.
inline SparseProblem loose_heap(int bodies, int contacts, int seed) {
  Dice dice(seed);
  SparseProblem p;
  p.clear();
  p.soft = 1e-12;
  for (int i = 0; i < bodies; i++)
    p.loose.push_back({1.0 / dice.between(0.5, 2.0), Sym3d::diagonal(1.0 / dice.between(0.01, 0.05))});
  for (int i = 0; i < contacts; i++) {
    SparseContact c{};
    c.side2.body = int(dice.between(0.0, bodies - 1e-9));
    c.side1.body = int(dice.between(-1.0, bodies - 1e-9));
    if (c.side1.body == c.side2.body) c.side1.body = -1;
    c.n = any_vector(dice), c.n = c.n * (1.0 / norm(c.n));
    c.t1 = cross(c.n, any_vector(dice)), c.t1 = c.t1 * (1.0 / norm(c.t1)), c.t2 = cross(c.n, c.t1);
    c.arm1 = c.side1.body < 0 ? Vec3d::zero() : any_vector(dice) * 0.1, c.arm2 = any_vector(dice) * 0.1;
    c.c[0] = dice.between(-1.0, 0.3), c.c[1] = dice.between(-1, 1), c.c[2] = dice.between(-1, 1);
    c.mass = 1.0, c.turning = -1, c.law = i;
    p.laws.push_back({dice.between(0.2, 0.8), dice.between(0.2, 0.8), dice.between(0.2, 0.8)});
    p.contacts.push_back(c);
  }
  return p;
}

}  // namespace sinew::support
