// Bullet: maximal coordinates, sequential impulses with warm start, a pyramid of friction. 10 iterations are its default. Bodies are not
// put to sleep, so that the last second is a second of work.
#include <btBulletDynamicsCommon.h>

#include "piles.h"

namespace sinew::bench {
namespace {

btVector3 vector_of(const Vec3d& a) { return btVector3(btScalar(a[0]), btScalar(a[1]), btScalar(a[2])); }
Vec3d vector_of(const btVector3& a) { return {double(a.x()), double(a.y()), double(a.z())}; }

class BulletPile : public PilePeer {
 public:
  BulletPile(const Pile& pile, int iterations)
      : dt_(pile.dt), dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity(btVector3(0, 0, btScalar(-pile.gravity)));
    world_.getSolverInfo().m_numIterations = iterations;
    add(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0)), 0.0, pile.mu, btTransform::getIdentity(),
        {});
    for (const Pile::Wall& wall : pile.walls)
      add(std::make_unique<btBoxShape>(vector_of(wall.half)), 0.0, pile.mu,
          btTransform(btQuaternion::getIdentity(), vector_of(wall.centre)), {});
    for (const PileBody& b : pile.bodies) {
      const Quatd& o = b.orientation;
      const btTransform X(btQuaternion(btScalar(o.x), btScalar(o.y), btScalar(o.z), btScalar(o.w)),
                          vector_of(b.position));
      moving_.push_back(add(shape_of(b.shape), b.mass, pile.mu, X, b.inertia));
    }
  }
  ~BulletPile() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletPile(const BulletPile&) = delete;
  BulletPile& operator=(const BulletPile&) = delete;

  void step() override { world_.stepSimulation(btScalar(dt_), 0, btScalar(dt_)); }
  Posed pose(int i) override {
    const btTransform& X = moving_[i]->getWorldTransform();
    Mat3d R;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) R(r, c) = double(X.getBasis()[r][c]);
    return {R, vector_of(X.getOrigin())};
  }
  Twist<double> velocity(int i) override {
    return {vector_of(moving_[i]->getAngularVelocity()), vector_of(moving_[i]->getLinearVelocity())};
  }

 private:
  static std::unique_ptr<btCollisionShape> shape_of(const Shape& s) {
    if (s.kind == ShapeKind::Sphere) return std::make_unique<btSphereShape>(btScalar(s.radius));
    if (s.kind == ShapeKind::Box) return std::make_unique<btBoxShape>(vector_of(s.half));
    return std::make_unique<btCapsuleShapeZ>(btScalar(s.radius), btScalar(2.0 * s.half_length));
  }
  btRigidBody* add(std::unique_ptr<btCollisionShape> shape, double mass, double mu, const btTransform& X,
                   const Vec3d& inertia) {
    const btVector3 I = mass > 0.0 ? vector_of(inertia) : btVector3(0, 0, 0);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape.get(), I);
    info.m_startWorldTransform = X;
    info.m_friction = btScalar(std::sqrt(mu));  // it multiplies those of the two
    info.m_restitution = 0;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    shapes_.push_back(std::move(shape));
    world_.addRigidBody(bodies_.back().get());
    return bodies_.back().get();
  }

  double dt_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<btRigidBody*> moving_;
};

[[maybe_unused]] const bool added = [] {
  for (const int iterations : {10, 100})
    add_pile_peer("bullet_" + std::to_string(iterations),
                  [=](const Pile& pile) { return std::make_unique<BulletPile>(pile, iterations); });
  return true;
}();

}  // namespace
}  // namespace sinew::bench
