#include "tests/support/random_plan.h"

#include <algorithm>

#include "tests/support/eigen.h"

namespace sinew::support {
namespace {

// Principal moments b + c, c + a, a + b with a, b, c > 0: every body of that kind can be built.
Sym3d random_inertia(double mass, Dice& dice) {
  const double a = mass * dice.between(0.01, 0.1), b = mass * dice.between(0.01, 0.1);
  const double c = mass * dice.between(0.01, 0.1);
  const Eigen::Matrix3d R = to_eigen(dice.rotation()).toRotationMatrix();
  return symmetric_from_eigen(R * Eigen::Vector3d(b + c, c + a, a + b).asDiagonal() * R.transpose());
}

std::vector<double> random_coordinates(JointKind kind, Dice& dice) {
  std::vector<double> q = dice.numbers(joint::coordinate_count(kind), -1.5, 1.5);
  if (joint::coordinate_count(kind) != joint::freedom_count(kind))  // the last four are a quaternion
    joint::write_quat(dice.rotation(), q.data() + q.size() - 4);
  return q;
}

Gravity<double> random_gravity(Dice& dice) {
  Gravity<double> gravity;
  gravity.kind = GravityKind(dice.below(int(gravity_names.size())));
  gravity.g = dice.vector(10.0);
  gravity.centre = dice.direction() * 100.0;  // far outside of every robot
  gravity.GM = 1e5;                           // about 10 m/s^2 there
  gravity.spin = dice.vector(1.0);
  gravity.axes = Vec3d(dice.between(20.0, 60.0), dice.between(20.0, 60.0), dice.between(20.0, 60.0));
  return gravity;
}

void add_drive(JointPlan& j, Dice& dice) {
  const int nu = joint::freedom_count(j.kind);
  if (nu > 0 && dice.chance(0.3)) {
    j.drive = dice.chance(0.6) ? Drive::Motion : Drive::Servo;
    for (int i = 0; i < nu; i++) {
      Motion<double> m;
      m.offset = dice.between(-1.0, 1.0), m.rate = dice.between(-0.5, 0.5), m.amplitude = dice.between(0.0, 1.0);
      m.frequency = dice.between(0.0, 0.5), m.phase = dice.between(-3.0, 3.0);
      m.ramp = dice.chance(0.3) ? 4.0 : 0.0;  // longer than the time of any robot here: one smooth piece
      j.motion.push_back(m);
    }
  }
  if (j.drive == Drive::Servo) {
    j.kp = dice.numbers(nu, 0.0, 20.0), j.kd = dice.numbers(nu, 0.0, 2.0);
    if (dice.chance(0.5)) j.limit = dice.numbers(nu, 1.0, 5.0);
  }
  if (nu > 0 && dice.chance(0.4)) {
    j.stiffness = dice.numbers(nu, 0.0, 50.0);
    j.damping = dice.numbers(nu, 0.0, 2.0);
    if (dice.chance(0.5)) j.rest = random_coordinates(j.kind, dice);
  }
}

JointKind random_kind(bool from_world, Dice& dice) {
  JointKind kind;
  do kind = joint::all_kinds[dice.below(int(joint::all_kinds.size()))];
  while (kind == JointKind::Free && !from_world);
  return kind;
}

JointPlan random_joint(JointKind kind, const std::string& parent, const std::string& child, Dice& dice) {
  JointPlan j;
  j.name = "j" + child;
  j.parent = parent, j.child = child;
  j.kind = kind;
  j.p_parent = dice.vector(0.5), j.p_child = dice.vector(0.5);
  if (dice.chance(0.7)) {  // else: frames that do not turn, a path of their own in the library
    j.orientation = dice.rotation();
    j.axis = dice.direction() * dice.between(0.5, 2.0);
    do j.axis2 = dice.direction() * dice.between(0.5, 2.0);
    while (norm(cross(j.axis, j.axis2)) < 0.2);
    if (j.kind == JointKind::Universal) j.axis2 = cross(j.axis, j.axis2);
  }
  j.position = random_coordinates(j.kind, dice);
  j.velocity = dice.numbers(joint::freedom_count(j.kind), -1.0, 1.0);
  add_drive(j, dice);
  return j;
}

BodyPlan random_body(int index, Dice& dice) {
  BodyPlan b;
  b.name = "b" + std::to_string(index);
  b.mass = dice.between(0.2, 4.0);
  b.com = dice.vector(0.3);
  b.inertia = random_inertia(b.mass, dice);
  return b;
}

template <class T>
void shuffle(std::vector<T>& list, Dice& dice) {
  for (int i = int(list.size()) - 1; i > 0; i--) std::swap(list[i], list[dice.below(i + 1)]);
}

}  // namespace

Plan random_plan(std::uint64_t seed, int n_bodies) {
  Dice dice(seed);
  Plan plan;
  const double from_world = dice.between(0.05, 0.5);
  for (int i = 0; i < n_bodies; i++) {
    BodyPlan b = random_body(i, dice);
    const bool root = i == 0 || dice.chance(from_world);
    // half of the others carry on the last chain, the rest branch off anywhere
    const int parent = dice.chance(0.5) ? i - 1 : dice.below(std::max(i, 1));
    const JointKind kind = random_kind(root, dice);
    plan.joints.push_back(random_joint(kind, root ? "world" : "b" + std::to_string(parent), b.name, dice));
    plan.bodies.push_back(std::move(b));
  }
  shuffle(plan.bodies, dice);
  shuffle(plan.joints, dice);
  plan.gravity = random_gravity(dice);
  return plan;
}

Plan random_limbs(std::uint64_t seed) {
  Dice dice(seed);
  Plan plan;
  const auto add = [&](JointKind kind, const std::string& parent) {
    plan.bodies.push_back(random_body(int(plan.bodies.size()), dice));
    plan.joints.push_back(random_joint(kind, parent, plan.bodies.back().name, dice));
    return plan.bodies.back().name;
  };
  const std::string trunk = add(random_kind(true, dice), "world");
  std::vector<JointKind> kinds;  // from the ends up
  for (int i = 0; i < 4; i++) kinds.push_back(random_kind(false, dice));
  for (int limbs = 2 + dice.below(5); limbs > 0; limbs--) {
    std::string at = trunk;
    for (int height = 1 + dice.below(4); height > 0; height--)
      at = add(dice.chance(0.9) ? kinds[height - 1] : random_kind(false, dice), at);
  }
  shuffle(plan.joints, dice);
  plan.gravity = random_gravity(dice);
  return plan;
}

State<double> random_state(const Model& model, Dice& dice) {
  State<double> state;
  state.t = dice.between(0.0, 2.0);
  state.q.resize(model.nq);
  for (const Link& link : model.links) {
    if (link.driven) continue;
    const std::vector<double> q = random_coordinates(link.kind, dice);
    std::copy(q.begin(), q.end(), state.q.begin() + link.q);
  }
  state.u = dice.numbers(model.nu, -1.0, 1.0);
  return state;
}

RandomRobot::RandomRobot(std::uint64_t seed, int n_bodies, Coordinates coordinates)
    : RandomRobot(seed, random_plan(seed, n_bodies), coordinates) {}

RandomRobot::RandomRobot(std::uint64_t seed, Plan plan_, Coordinates coordinates)
    : dice(seed),
      plan(std::move(plan_)),
      compiled(compile(plan, coordinates)),
      model(*compiled.model),
      params(compiled.params),
      state(compiled.state),
      driven(model),
      frames(model) {
  state.t = dice.between(0.1, 2.0);
  evaluate();
}

void RandomRobot::evaluate() {
  prescribe(model, params, state.t, driven);
  evaluate_frames(model, params, state.q.data(), state.u.data(), driven, frames);
}

}  // namespace sinew::support
