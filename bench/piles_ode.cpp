// ODE: maximal coordinates, sweeps of projected Gauss-Seidel without warm start (quickstep), 20 of them by default; ERP 0.2 and CFM
// 1e-10 are its defaults in double precision. Friction: a pyramid (dContactApprox1). Pairs by its hash space.
#include <ode/ode.h>

#include "piles.h"

namespace sinew::bench {
namespace {

Vec3d vector_of(const dReal* a) { return {a[0], a[1], a[2]}; }

class OdePile : public PilePeer {
 public:
  OdePile(const Pile& pile, int iterations) : dt_(pile.dt), mu_(pile.mu) {
    static const int ready = dInitODE2(0);
    (void)ready;
    dSetMessageHandler([](int, const char*, va_list) {});
    dRandSetSeed(0);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    touching_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0.0, 0.0, -pile.gravity);
    dWorldSetERP(world_, 0.2);
    dWorldSetCFM(world_, 1e-10);
    dWorldSetAutoDisableFlag(world_, 0);
    dWorldSetQuickStepNumIterations(world_, iterations);
    dCreatePlane(space_, 0.0, 0.0, 1.0, 0.0);
    for (const Pile::Wall& wall : pile.walls) {
      const dGeomID box = dCreateBox(space_, 2 * wall.half[0], 2 * wall.half[1], 2 * wall.half[2]);
      dGeomSetPosition(box, wall.centre[0], wall.centre[1], wall.centre[2]);
    }
    for (const PileBody& b : pile.bodies) add(b);
  }
  ~OdePile() override {
    dJointGroupDestroy(touching_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  OdePile(const OdePile&) = delete;
  OdePile& operator=(const OdePile&) = delete;

  void step() override {
    dJointGroupEmpty(touching_);
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) { static_cast<OdePile*>(self)->near(a, b); });
    dWorldQuickStep(world_, dt_);
  }
  Posed pose(int i) override {
    const dReal* R = dBodyGetRotation(bodies_[i]);
    Mat3d M;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) M(r, c) = R[4 * r + c];
    return {M, vector_of(dBodyGetPosition(bodies_[i]))};
  }
  Twist<double> velocity(int i) override {
    return {vector_of(dBodyGetAngularVel(bodies_[i])), vector_of(dBodyGetLinearVel(bodies_[i]))};
  }

 private:
  void near(dGeomID a, dGeomID b) {
    if (!dGeomGetBody(a) && !dGeomGetBody(b)) return;
    dContact contact[8] = {};
    const int n = dCollide(a, b, 8, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < n; i++) {
      contact[i].surface.mode = dContactApprox1;
      contact[i].surface.mu = mu_;
      dJointAttach(dJointCreateContact(world_, touching_, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
  }
  void add(const PileBody& b) {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, b.mass, 0, 0, 0, b.inertia[0], b.inertia[1], b.inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, b.position[0], b.position[1], b.position[2]);
    const dQuaternion q = {b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z};
    dBodySetQuaternion(body, q);
    const Shape& s = b.shape;
    const dGeomID geom = s.kind == ShapeKind::Sphere ? dCreateSphere(space_, s.radius)
                         : s.kind == ShapeKind::Box  ? dCreateBox(space_, 2 * s.half[0], 2 * s.half[1], 2 * s.half[2])
                                                     : dCreateCapsule(space_, s.radius, 2 * s.half_length);
    dGeomSetBody(geom, body);
    bodies_.push_back(body);
  }

  double dt_, mu_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID touching_;
  std::vector<dBodyID> bodies_;
};

[[maybe_unused]] const bool added = [] {
  for (const int iterations : {20, 200})
    add_pile_peer("ode_" + std::to_string(iterations),
                  [=](const Pile& pile) { return std::make_unique<OdePile>(pile, iterations); });
  return true;
}();

}  // namespace
}  // namespace sinew::bench
