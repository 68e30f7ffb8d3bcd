// Random robots: trees of 1 to 12 bodies with branches, all joint kinds, skew frames, springs, servos, driven joints and
// every kind of gravity. The same seed gives the same robot on every machine.
#pragma once
#include "sinew/kinematics/frames.h"
#include "sinew/model/compile.h"
#include "tests/support/dice.h"

namespace sinew::support {

// Bodies and joints are listed in random order. Angles and velocities are of the size of 1.
Plan random_plan(std::uint64_t seed, int n_bodies);

// A body on the world that carries up to six limbs of up to four bodies, in step as far as drives allow: the kinds of
// joints, counted from the ends, are the same for most limbs.
Plan random_limbs(std::uint64_t seed);

// Random coordinates and velocities for the freedoms of a model.
State<double> random_state(const Model& model, Dice& dice);

// A compiled random plan at a random time, with its frames.
struct RandomRobot {
  RandomRobot(std::uint64_t seed, int n_bodies, Coordinates coordinates = Coordinates::Tree);
  RandomRobot(std::uint64_t seed, Plan plan, Coordinates coordinates = Coordinates::Tree);

  void evaluate();  // driven and frames from state

  Dice dice;
  Plan plan;
  Compiled compiled;
  const Model& model;
  const Params<double>& params;
  State<double>& state;
  Prescribed<double> driven;
  Frames<double> frames;
};

}  // namespace sinew::support
