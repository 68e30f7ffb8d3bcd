// ODE: each link has six coordinates, joints are constraints. "quick": 20 sweeps of projected Gauss-Seidel, its default;
// "step": Dantzig's algorithm on the whole matrix. Friction: a box in world axes, |f_x|, |f_y| <= mu f_z (dContactApprox1).
// ERP 0.2, CFM 1e-10: its defaults.
#include <ode/ode.h>

#include <cstdarg>
#include <vector>

#include "snake.h"

namespace sinew::bench {
namespace {

int messages = 0;  // of its solvers; ODE has one handler for all worlds
void count_message(int, const char*, va_list) { messages++; }

class OdeSnake : public SnakePeer {
 public:
  OdeSnake(const SnakeNumbers& numbers, double dt, bool quick) : numbers_(numbers), dt_(dt), quick_(quick) {
    static const int ready = dInitODE2(0);
    (void)ready;
    dSetMessageHandler(count_message);
    dRandSetSeed(0);  // of the order of its sweeps: the same in each run
    messages = 0;
    world_ = dWorldCreate();
    touching_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0.0, 0.0, -numbers.gravity);
    dWorldSetERP(world_, 0.2);
    dWorldSetCFM(world_, 1e-10);
    dWorldSetAutoDisableFlag(world_, 0);
    dWorldSetQuickStepNumIterations(world_, 20);
    ground_ = dCreatePlane(nullptr, 0.0, 0.0, 1.0, 0.0);
    for (int i = 0; i < numbers.links; i++) add_link(i);
  }
  OdeSnake(const OdeSnake&) = delete;
  OdeSnake& operator=(const OdeSnake&) = delete;
  ~OdeSnake() override {
    dJointGroupDestroy(touching_);
    for (const dGeomID sphere : spheres_) dGeomDestroy(sphere);
    dGeomDestroy(ground_);
    dWorldDestroy(world_);
  }

  // It measures how the parent is turned against the child.
  void read(double* angle, double* rate) override {
    for (const dJointID joint : joints_) {
      *angle++ = -dJointGetUniversalAngle1(joint), *rate++ = -dJointGetUniversalAngle1Rate(joint);
      *angle++ = -dJointGetUniversalAngle2(joint), *rate++ = -dJointGetUniversalAngle2Rate(joint);
    }
  }
  void command(const double* torque) override {
    for (const dJointID joint : joints_) {
      dJointAddUniversalTorques(joint, -torque[0], -torque[1]);
      torque += 2;
    }
  }

  void step() override {
    dJointGroupEmpty(touching_);
    for (const dGeomID sphere : spheres_) {
      dContact contact{};
      if (dCollide(sphere, ground_, 1, &contact.geom, sizeof contact) == 0) continue;
      contact.surface.mode = dContactApprox1;
      contact.surface.mu = numbers_.mu;
      dJointAttach(dJointCreateContact(world_, touching_, &contact), dGeomGetBody(sphere), nullptr);
    }
    quick_ ? dWorldQuickStep(world_, dt_) : dWorldStep(world_, dt_);
  }

  std::array<double, 3> place() override {
    const dReal* p = dBodyGetPosition(links_[watched_link]);
    return {p[0], p[1], p[2]};
  }
  int unsolved() const override { return messages; }

 private:
  void add_link(int i) {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, numbers_.mass, 0.0, 0.0, 0.0, numbers_.inertia_along, numbers_.inertia_across,
                       numbers_.inertia_across, 0.0, 0.0, 0.0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, (i + 0.5) * numbers_.length, 0.0, numbers_.radius);
    for (const double side : {-1.0, 1.0}) {
      spheres_.push_back(dCreateSphere(nullptr, numbers_.radius));
      dGeomSetBody(spheres_.back(), body);
      dGeomSetOffsetPosition(spheres_.back(), side * numbers_.offset, 0.0, 0.0);
    }
    if (i > 0) {
      const dJointID joint = dJointCreateUniversal(world_, nullptr);
      dJointAttach(joint, links_.back(), body);
      dJointSetUniversalAnchor(joint, i * numbers_.length, 0.0, numbers_.radius);
      dJointSetUniversalAxis1(joint, 0.0, 0.0, 1.0);
      dJointSetUniversalAxis2(joint, 0.0, 1.0, 0.0);
      joints_.push_back(joint);
    }
    links_.push_back(body);
  }

  SnakeNumbers numbers_;
  double dt_;
  bool quick_;
  dWorldID world_;
  dJointGroupID touching_;
  dGeomID ground_;
  std::vector<dBodyID> links_;
  std::vector<dJointID> joints_;
  std::vector<dGeomID> spheres_;
};

[[maybe_unused]] const bool added = [] {
  const auto make = [](bool quick) {
    return [quick](const SnakeNumbers& numbers, double dt) { return std::make_unique<OdeSnake>(numbers, dt, quick); };
  };
  add_snake_peer("ode_quick", make(true));
  add_snake_peer("ode_step", make(false));
  add_snake_peer_growth("ode_quick", make(true));
  return true;
}();

}  // namespace
}  // namespace sinew::bench
