// compile: plan -> checked Model, its parameters and its initial state.
#pragma once
#include "sinew/model/params.h"
#include "sinew/model/state.h"

namespace sinew {

struct Compiled {
  std::shared_ptr<const Model> model;
  Params<double> params;
  State<double> state;  // tree: the plan's; maximal: neutral, filled by make_world from the tree's frames
};

// The plan of a robot with equations of its own, made and with a free body for each of its sections; other plans as they are. Throws PlanError.
Plan with_sections(Plan plan);

// Throws PlanError with every problem found.
Compiled compile(const Plan& plan, Coordinates coordinates = Coordinates::Tree);

// A plan with what it compiles to in tree coordinates: who asks what a robot is need not compile it once more.
struct PlannedTree {
  const Plan& plan;
  const Compiled& compiled;
};

// Positions and velocities of the plan's joints, into a state of what it compiles to in tree coordinates.
void put_start(const Plan& plan, const Model& model, State<double>& state);

// All problems of a plan; empty when it compiles.
std::vector<Problem> problems_of(const Plan& plan, Coordinates coordinates = Coordinates::Tree);

// The plan's field of gravity with its incline b and downhill azimuth a: turned by the rotation that takes -z to
// (sin b cos a, sin b sin a, -cos b). The ground stays where it is, so a level plane becomes a slope.
Gravity<double> tilted(const Plan& plan);

template <Real S>
Params<S> broadcast(const Params<double>& params);
template <Real S>
State<S> broadcast(const State<double>& state);
template <Real S>
Input<S> neutral_input(const Model& model);

}  // namespace sinew
