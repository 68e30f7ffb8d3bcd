// Plant: what moves a state in time. The forest of links with its steppers is one (step/forest.h). Rods and closed forms, whose bodies
// are sections that follow from equations of their own, are others (model/section_plant.h). A plant is immutable; all that changes
// is in the state. What others want to know about how a robot moves they ask here.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/math/spatial.h"
#include "sinew/model/step_report.h"

namespace sinew {

struct Model;
struct Readings;
template <Real S>
struct Params;
template <Real S>
struct State;
template <Real S>
struct Input;

// Memory of one run, made once; meaningless between calls.
struct Scratch {
  virtual ~Scratch() = default;
};

// A number with a name: one that a plant reports, or one that it can be told.
struct PlantReading {
  std::string name, unit, description;
};

// What a step is given and does not change.
template <Real S>
struct StepCall {
  const Model& model;
  const Params<S>& params;
  const Input<S>& input;  // held over the step
  int method;             // of Plant::methods()
  double dt;              // [s]
};

class Plant {
 public:
  virtual ~Plant() = default;

  virtual std::span<const std::string_view> methods() const = 0;  // as in integrator.method; the first is the default
  virtual std::unique_ptr<Scratch> make_workspace(const Model& model) const = 0;
  // From State::t to State::t + dt, counted as one step. Never throws, prints or allocates, but for a CallError where Input::external
  // means nothing to it and is not zero: the state is then as it was.
  virtual StepReport step(const StepCall<double>& call, State<double>& state, Scratch& workspace) const = 0;

  // The same for a register of robots, by methods that can: they take the step as it is given.
  virtual bool runs_batches(int /*method*/) const { return false; }
  virtual std::unique_ptr<Scratch> make_lane_workspace(const Model&) const { return nullptr; }
  virtual StepReport step_lanes(const StepCall<Lanes>&, State<Lanes>&, Scratch&) const { return {.finite = false}; }

  virtual bool has_joints() const { return true; }  // between its bodies: they have coordinates, drives and signals
  // Its energy follows from its motion, and not the other way round: an account that does not close says nothing about the motion.
  virtual bool is_given() const { return false; }
  virtual std::string push_refusal() const { return ""; }  // why Input::external means nothing to it; "": it does
  // What encoders report, if not what Readings has by itself: the coordinates of all joints.
  virtual bool sense(const State<double>&, Readings&) const { return false; }
  // What it can tell beside bodies and joints: signals PREFIX + NAME.
  virtual std::string_view prefix() const { return ""; }
  virtual const std::vector<PlantReading>& readings() const;
  // In words, for people: what was wrong with a run that ended in this State::plant; what will be wrong with one of this duration,
  // as far as a coarse run can tell. "": nothing.
  virtual std::string remark(std::span<const double> /*state*/) const { return ""; }
  virtual std::string foresee(double /*duration*/) const { return ""; }
};

}  // namespace sinew
