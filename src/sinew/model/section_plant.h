// A plant with equations of its own: a state of plain numbers (State::plant) that steps in time, sections that can be seen, numbers that
// can be read. Its world has one free body for each section, put where the equations have it.
#pragma once
#include "sinew/model/plant.h"

namespace sinew {

// A section that is shown as a body: its share of the robot's mass and inertia by the quadrature along a rod.
struct Section {
  std::string name;
  double X;                            // material abscissa [m]
  double mass;                         // [kg]
  Sym3d inertia;                       // about the centre, in the section's axes [kg m^2]
  double radius, length;               // of the piece of tube that is drawn for it [m]
  Vec3d along = Vec3d(1.0, 0.0, 0.0);  // which way the piece lies, of length 1; not -z
};

// World axes; the origin is the section's centre.
struct SectionMotion {
  Posed X_WS;
  Vec3d w, v;  // [rad/s], [m/s]
};

struct PlantEnergy {
  double elastic = 0.0;    // [J]
  double potential = 0.0;  // in the gravity field [J]
  double kinetic = 0.0;    // [J]
};

// Rates of work [W]: by actuators and outside forces; taken out by damping of the material and by friction of the medium.
struct PlantPower {
  double actuators = 0.0, external = 0.0, damping = 0.0, friction = 0.0;

  void add(const PlantPower& rate, double dt) {
    actuators += dt * rate.actuators;
    external += dt * rate.external;
    damping += dt * rate.damping;
    friction += dt * rate.friction;
  }
};

// What acts from outside, held over a step. Either list may be empty: nothing.
struct PlantInput {
  std::span<const Wrench<double>> external = {};  // on each section: about its centre, world axes
  std::span<const double> command = {};           // to each of SectionPlant::commands()

  bool is_on() const;  // anything of it is not zero
};

struct PlantStep {
  std::string_view method;  // of Plant::methods()
  double t, dt;             // [s]
  PlantInput input = {};
};

// No function but make_scratch, start and the constructor may allocate.
class SectionPlant : public Plant {
 public:
  virtual std::unique_ptr<Scratch> make_scratch() const = 0;
  virtual const std::vector<Section>& sections() const = 0;
  virtual int state_size() const = 0;
  virtual void start(std::span<double> state) const = 0;  // at time 0
  // From t to t + dt. Power is added to `work` with the method's own weights, times dt.
  virtual StepReport advance(const PlantStep& step, std::span<double> state, PlantPower& work,
                             Scratch& scratch) const = 0;
  virtual void place(double t, std::span<const double> state, std::span<SectionMotion> out, Scratch& scratch) const = 0;
  virtual void read(double t, const PlantInput& input, std::span<const double> state, std::span<double> out,
                    Scratch& scratch) const = 0;
  virtual PlantEnergy energy(double t, std::span<const double> state, Scratch& scratch) const = 0;
  // Actuators that can be told something beside what the plan gives them; what they are told is added. Numbered as Input::torque.
  virtual const std::vector<PlantReading>& commands() const;
  // A run goes on with other parameters: why it cannot ("": it can), and a state of the plant before, of the same layout, made one of
  // this plant. What follows from parameters in it is found anew.
  virtual std::string change_refusal() const { return ""; }
  virtual void take_over(std::span<double> /*state*/) const {}

  std::string_view prefix() const override { return "rod."; }
  bool has_joints() const override { return false; }
  std::unique_ptr<Scratch> make_workspace(const Model& model) const final;
  StepReport step(const StepCall<double>& call, State<double>& state, Scratch& workspace) const final;
};

// Lists of nothing but zeros are left out.
PlantInput plant_input(const Input<double>& input);

// q and u of all bodies from State::plant.
void place_sections(const Model& model, State<double>& state, Scratch& workspace);

}  // namespace sinew
