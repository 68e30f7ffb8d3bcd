// What a rod's mathematics is to the rest of the house: a state that steps in time, sections that can be seen, numbers that can
// be read. A world with an engine has one free body for each section and lets the engine put them where they belong; see
// world/world.cpp.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/math/spatial.h"

namespace sinew::rod {

// A section that is shown as a body: its share of the rod's mass and inertia by the quadrature along the rod.
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

// Something an engine reports: a signal PREFIX + NAME.
struct Reading {
  std::string name, unit, description;
};

struct EngineEnergy {
  double elastic = 0.0;    // [J]
  double potential = 0.0;  // in the gravity field [J]
  double kinetic = 0.0;    // [J]
};

// Rates of work [W]: by actuators and outside forces; taken out by damping of the material and by friction of the medium.
struct EnginePower {
  double actuators = 0.0, external = 0.0, damping = 0.0, friction = 0.0;
};

struct EngineReport {
  bool finite = true;
  bool converged = true;
  int iterations = 0;
  double residual = 0.0;
  double torque = 0.0;  // largest of an actuator [N m or N]
};

// Memory of one run, made once; meaningless between calls.
struct Scratch {
  virtual ~Scratch() = default;
};

// Immutable; all that changes is in `state`. No function but the first three and the constructor may allocate.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::unique_ptr<Scratch> make_scratch() const = 0;
  virtual const std::vector<Section>& sections() const = 0;
  virtual const std::vector<Reading>& readings() const = 0;
  virtual std::string_view prefix() const { return "rod."; }
  virtual int state_size() const = 0;
  virtual void start(std::span<double> state) const = 0;  // at time 0
  // From t to t + dt by a method of methods(). Power is added to `work` with the method's own weights, times dt.
  virtual EngineReport step(std::string_view method, double t, double dt, std::span<double> state, EnginePower& work,
                            Scratch& scratch) const = 0;
  virtual std::span<const std::string_view> methods()
      const = 0;  // names as in integrator.method; the first is the default
  virtual void place(double t, std::span<const double> state, std::span<SectionMotion> out, Scratch& scratch) const = 0;
  virtual void read(double t, std::span<const double> state, std::span<double> out, Scratch& scratch) const = 0;
  virtual EngineEnergy energy(double t, std::span<const double> state, Scratch& scratch) const = 0;
  // In words, for people: what was wrong with a run that ended in `state`; what will be wrong with one of this duration, as far as a
  // coarse run can tell. "": nothing.
  virtual std::string remark(std::span<const double>) const { return ""; }
  virtual std::string foresee(double) const { return ""; }
};

}  // namespace sinew::rod
