// World: one simulation as a value. Copying it forks the simulation.
//   auto world = make_world(plan);           // tree coordinates, moreau
//   while (world.state.t < 10.0) world.step(1e-3);
#pragma once
#include <memory>

#include "sinew/model/compile.h"
#include "sinew/model/plant.h"
#include "sinew/step/stepper.h"

namespace sinew {

struct WorldOptions {
  Coordinates coordinates = Coordinates::Tree;
  std::string_view stepper = "moreau";  // a name of steppers()
  bool assembled = true;                // loops closed at the start; false: a state will be put in that has them closed
};

// What moves a model: its own plant, or the forest.
const Plant& plant_of(const Model& model);

template <Real S>
class World {
 public:
  // Throws CallError if parameters or state are of another model, or the stepper is none of the robot's, or not for batches.
  World(std::shared_ptr<const Model> model, Params<S> params, State<S> state, const Stepper& stepper);
  World(const World& other);
  World& operator=(const World& other);
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  // Never throws, prints or allocates, but for a CallError where input.external pushes a robot that cannot be pushed, which would
  // otherwise be left out in silence: the state is then as it was.
  StepReport step(double dt);

  const Model& model() const { return *model_; }
  const std::shared_ptr<const Model>& shared_model() const { return model_; }
  const Plant& plant() const { return *plant_; }
  const Stepper& stepper() const { return *stepper_; }

  Params<S> params;
  State<S> state;
  Input<S> input;

 private:
  std::shared_ptr<const Model> model_;
  const Plant* plant_;  // the model's, or the forest
  const Stepper* stepper_;
  int method_;                     // of the plant: the stepper
  std::unique_ptr<Scratch> work_;  // fresh in every copy, meaningless between steps
};

// Compiles the plan, assembles its loops and makes initial velocities consistent. Throws PlanError.
World<double> make_world(const Plan& plan, const WorldOptions& options = {});

// The same with the plan in tree coordinates, for all who ask what the robot is. In tree coordinates that is the world's own model: one
// compilation. Maximal coordinates cut the robot otherwise, into another model; it starts where the tree puts the bodies: two.
struct BuiltWorld {
  World<double> world;
  Compiled tree;
};
BuiltWorld build_world(const Plan& plan, const WorldOptions& options = {});

// Closes cut joints and makes velocities consistent in the present state, as after a change of parameters. False: this cannot be,
// and the state is of no use.
bool settle(World<double>& world);

// The same robot in every lane; set parameters and states per lane afterwards.
World<Lanes> widen(const World<double>& world);

// Copies one robot's state between a world of one and a lane of a wide one. Throws CallError if they are of different sizes.
State<double> lane_state(const State<Lanes>& wide, int lane);
void set_lane_state(State<Lanes>& wide, int lane, const State<double>& state);

}  // namespace sinew
