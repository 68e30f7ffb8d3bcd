// Contact problems of rigid bodies by the thousand, the same on every machine: for the matrix solver's tests and benchmark.
#pragma once
#include <cstdint>

#include "sinew/solve/dense.h"

namespace sinew::support {

enum class Friction { Isotropic, Orthotropic, Directional, Full };  // full: orthotropic, drills and rolls

enum class Scene {
  Scatter,  // bodies of any mass, contacts anywhere between them and with the ground
  Table,    // one body with many contacts on a plane: redundant
  Stack,    // boxes on boxes, four contacts each: redundant, heavy ones on light ones
  Chain,    // bodies in a row, each on its neighbours and on the ground
  Pile,     // balls among walls: normals in all directions
  count
};

struct RandomProblem {
  Scene scene;
  Friction friction;
  double total_mass;
  DenseProblem problem;  // P = 0
};

// contacts: about as many (a stack has a multiple of four).
RandomProblem random_problem(std::uint64_t seed, Friction friction, int contacts);
RandomProblem random_problem(std::uint64_t seed, Friction friction, int contacts, Scene scene);

// The same problem with its contacts in another order; order[i]: which one comes i-th.
DenseProblem reordered(const DenseProblem& problem, const std::vector<int>& order);

// How far impulses are from the laws [m/s], from G and c alone: the certificate of any solver's answer.
double certificate(const DenseProblem& problem, const std::vector<double>& P);

}  // namespace sinew::support
