// Simbody: reduced coordinates, cost linear in the links as ours, but no contact solver: spheres on springs (Hertz, Hunt and
// Crossley) with friction that rises over 0.01 m/s of sliding, so that nothing ever sticks. Explicit Euler at the given step.
#include <Simbody.h>

#include <vector>

#include "snake.h"

namespace sinew::bench {
namespace {

class SimbodySnake : public SnakePeer {
 public:
  SimbodySnake(const SnakeNumbers& numbers, double dt)
      : numbers_(numbers), dt_(dt), matter_(system_), forces_(system_), drives_(forces_, matter_) {
    forces_.setNumberOfThreads(1);
    system_.setUseUniformBackground(true);
    SimTK::Force::Gravity(forces_, matter_, SimTK::Vec3(0, 0, -numbers.gravity));
    for (int i = 0; i < numbers.links; i++) add_link(i);
    SimTK::State state = system_.realizeTopology();
    system_.realizeModel(state);
    links_[0].setQToFitTranslation(state, SimTK::Vec3(0, 0, numbers.radius));
    system_.realize(state, SimTK::Stage::Position);
    for (int i = 1; i < numbers.links; i++)
      for (int axis = 0; axis < 2; axis++) {
        q_index_.push_back(links_[i].getFirstQIndex(state) + axis);
        u_index_.push_back(links_[i].getFirstUIndex(state) + axis);
      }
    torques_.resize(matter_.getNU(state));
    torques_ = 0.0;
    integrator_ = std::make_unique<SimTK::SemiExplicitEulerIntegrator>(system_, dt);
    stepper_ = std::make_unique<SimTK::TimeStepper>(system_, *integrator_);
    stepper_->initialize(state);
  }

  void read(double* angle, double* rate) override {
    const SimTK::State& state = integrator_->getAdvancedState();
    const SimTK::Vector &q = state.getQ(), &u = state.getU();
    for (std::size_t i = 0; i < q_index_.size(); i++) angle[i] = q[q_index_[i]], rate[i] = u[u_index_[i]];
  }
  void command(const double* torque) override {
    for (std::size_t i = 0; i < u_index_.size(); i++) torques_[u_index_[i]] = torque[i];
    drives_.setAllMobilityForces(integrator_->updAdvancedState(), torques_);
  }
  void step() override { stepper_->stepTo(++steps_ * dt_); }

  std::array<double, 3> place() override {
    const SimTK::State& state = integrator_->getState();
    system_.realize(state, SimTK::Stage::Position);
    const SimTK::Vec3 p = links_[watched_link].findStationLocationInGround(state, centre());
    return {p[0], p[1], p[2]};
  }

 private:
  SimTK::Vec3 centre() const { return {0.5 * numbers_.length, 0, 0}; }

  void add_link(int i) {
    const SimTK::Inertia about_centre(numbers_.inertia_along, numbers_.inertia_across, numbers_.inertia_across);
    const SimTK::Body::Rigid body(
        SimTK::MassProperties(numbers_.mass, centre(), about_centre.shiftFromMassCenter(-centre(), numbers_.mass)));
    const SimTK::Transform here;
    if (i == 0) {
      links_.push_back(SimTK::MobilizedBody::Free(matter_.updGround(), here, body, here));
    } else {
      // its universal joint turns about x, then y
      const SimTK::Rotation axes(SimTK::UnitVec3(0, 0, 1), SimTK::XAxis, SimTK::Vec3(0, 1, 0), SimTK::YAxis);
      const SimTK::Transform at_parent(axes, SimTK::Vec3(numbers_.length, 0, 0));
      links_.push_back(SimTK::MobilizedBody::Universal(links_.back(), at_parent, body, SimTK::Transform(axes)));
    }
    for (const double side : {-1.0, 1.0}) add_sphere(centre() + SimTK::Vec3(side * numbers_.offset, 0, 0));
  }

  void add_sphere(const SimTK::Vec3& at) {
    SimTK::SmoothSphereHalfSpaceForce force(forces_);
    force.setStiffness(1e7);
    force.setDissipation(2.0);
    force.setStaticFriction(numbers_.mu);
    force.setDynamicFriction(numbers_.mu);
    force.setTransitionVelocity(0.01);
    // its defaults smear a contact over a centimetre, more than this light robot sinks in
    force.setConstantContactForce(1e-10);
    force.setHertzSmoothing(1e5);
    force.setHuntCrossleySmoothing(50.0);
    force.setContactSphereBody(links_.back());
    force.setContactSphereLocationInBody(at);
    force.setContactSphereRadius(numbers_.radius);
    force.setContactHalfSpaceBody(matter_.Ground());
    force.setContactHalfSpaceFrame(SimTK::Transform(SimTK::Rotation(SimTK::Pi / 2, SimTK::YAxis), SimTK::Vec3(0)));
  }

  SnakeNumbers numbers_;
  double dt_;
  int steps_ = 0;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::DiscreteForces drives_;
  std::vector<SimTK::MobilizedBody> links_;
  std::vector<int> q_index_, u_index_;  // of the joints' axes
  SimTK::Vector torques_;
  std::unique_ptr<SimTK::Integrator> integrator_;
  std::unique_ptr<SimTK::TimeStepper> stepper_;
};

[[maybe_unused]] const bool added = [] {
  const MakeSnakePeer make = [](const SnakeNumbers& numbers, double dt) {
    return std::make_unique<SimbodySnake>(numbers, dt);
  };
  add_snake_peer("simbody", make);
  add_snake_peer_growth("simbody", make);
  return true;
}();

}  // namespace
}  // namespace sinew::bench
