// What a signal is worth in a world that has been looked at.
#include <array>
#include <numbers>

#include "sinew/math/elementary.h"
#include "sinew/sim/signals.h"
#include "sinew/world/crowd_contact.h"

namespace sinew::sim {
namespace {

double evaluate_contact(const Signal& s, const ContactReading<double>& contact) {
  switch (s.quantity) {
    case Quantity::ContactNormal:
      return contact.normal;
    case Quantity::ContactPush:
      return contact.push[s.component];
    case Quantity::ContactFriction:
      return contact.friction[s.component];
    case Quantity::ContactTorque:
      return contact.torque[s.component];
    case Quantity::ContactPoint:
      return contact.point[s.component];
    case Quantity::ContactGap:
      return contact.gap;
    case Quantity::ContactSlip:
      return contact.slip;
    case Quantity::ContactState:
      return contact.state;
    default:
      return contact.count;
  }
}

// 0 for a single body, and while the two are above each other.
double heading_deg(const std::vector<BodyMotion<double>>& bodies) {
  const Vec3d way = bodies.front().p_WC - bodies.back().p_WC;
  return math::atan2(way[1], way[0]) * (180.0 / std::numbers::pi);
}

double external_force(const Input<double>& input, int component) {
  double sum = 0.0;
  for (const Wrench<double>& wrench : input.external) sum += wrench.f[component];
  return sum;
}

double joint_error(const Signal& s, const World<double>& world, const Observation<double>& seen) {
  const JointInfo& joint = world.model().joints[s.index];
  double m, rate, accel;
  world.params.motions[joint.motion + s.component].evaluate(world.state.t, m, rate, accel);
  return seen.joints[s.index].q[s.component] - m;
}

double evaluate_joint(const Signal& s, const World<double>& world, const Observation<double>& seen) {
  const JointMotion<double>& joint = seen.joints[s.index];
  switch (s.quantity) {
    case Quantity::JointPosition:
      return joint.q[s.component];
    case Quantity::JointVelocity:
      return joint.u[s.component];
    case Quantity::JointForce:
      return joint.torque[s.component];
    case Quantity::JointReaction:
      return joint.force[s.component];
    case Quantity::JointError:
      return joint_error(s, world, seen);
    default:
      return world.input.torque[world.model().joints[s.index].axis + s.component];
  }
}

double point_position(const Signal& s, const World<double>& world, const Observation<double>& seen) {
  const ShapeInfo& shape = world.model().shapes[s.index];
  const Posed X_WF = seen.bodies[shape.link].X_WB * world.model().links[shape.link].X_FB.inverse();
  return (X_WF * shape.X_FS).p[s.component];
}

double evaluate_touched(const Signal& s, const BodyContact<double>& body) {
  switch (s.quantity) {
    case Quantity::TouchedForce:
      return body.force[s.component];
    case Quantity::TouchedTorque:
      return body.torque[s.component];
    case Quantity::TouchedPoint:
      return body.point[s.component];
    case Quantity::TouchedNormal:
      return body.normal;
    default:
      return body.count;
  }
}

int pad_entry(Quantity q) {
  if (q == Quantity::PadPull) return pad::pull;
  if (q == Quantity::PadLevel) return pad::level;
  return q == Quantity::PadCovered ? pad::covered : pad::attached;
}

double evaluate_rod_end(const Signal& s, const World<double>& world, const Observation<double>& seen) {
  const RodInfo& rod = world.model().rods[s.index / 2];
  const BodyMotion<double>& body = seen.bodies[s.index % 2 == 0 ? rod.base : rod.tip];
  const Quatd q = to_quaternion(body.X_WB.R);
  switch (s.quantity) {
    case Quantity::RodPosition:
      return body.X_WB.p[s.component];
    case Quantity::RodQuaternion:
      return std::array{q.w, q.x, q.y, q.z}[s.component];
    case Quantity::RodVelocity:
      return (body.v_WC + cross(body.w_WB, body.X_WB.p - body.p_WC))[s.component];
    default:
      return body.w_WB[s.component];
  }
}

// Also terms of work and totals: what needs no index.
double evaluate_whole(const Signal& s, const World<double>& world, const Observation<double>& seen) {
  switch (s.quantity) {
    case Quantity::Time:
      return world.state.t;
    case Quantity::Kinetic:
      return seen.energy.kinetic;
    case Quantity::Potential:
      return seen.energy.potential;
    case Quantity::Elastic:
      return seen.energy.elastic;
    case Quantity::WorkActuators:
      return world.state.work.actuators;
    case Quantity::WorkExternal:
      return world.state.work.external;
    case Quantity::DissipatedFriction:
      return world.state.work.friction;
    case Quantity::DissipatedDamping:
      return world.state.work.damping;
    case Quantity::DissipatedImpact:
      return world.state.work.impact;
    case Quantity::BalanceError:
      return seen.balance_error;
    case Quantity::MomentumLinear:
      return seen.momentum.linear[s.component];
    case Quantity::MomentumAngular:
      return seen.momentum.angular[s.component];
    case Quantity::SolverIterations:
      return world.state.iterations;
    case Quantity::SolverResidual:
      return world.state.residual;
    case Quantity::Gap:
      return seen.gap;
    case Quantity::TotalCount:
      return seen.total.count;
    case Quantity::TotalNormal:
      return seen.total.normal;
    case Quantity::TotalPenetration:
      return seen.total.penetration;
    case Quantity::ComPosition:
      return seen.com.p[s.component];
    case Quantity::ComVelocity:
      return seen.com.v[s.component];
    case Quantity::Heading:
      return heading_deg(seen.bodies);
    case Quantity::ExternalForce:
      return external_force(world.input, s.component);
    default:
      return 0.0;
  }
}

double quaternion_of(const Mat3d& R, int component) {
  const Quatd q = to_quaternion(R);
  return std::array{q.w, q.x, q.y, q.z}[component];
}

// Angle about x, y or z of R = Rz Ry Rx.
double turn_of(const Mat3d& R, int axis) {
  if (axis == 0) return math::atan2(R(2, 1), R(2, 2));
  if (axis == 1) return math::atan2(-R(2, 0), math::hypot(R(0, 0), R(1, 0)));
  return math::atan2(R(1, 0), R(0, 0));
}

}  // namespace

double evaluate(const Signal& s, const World<double>& world, const Observation<double>& seen) {
  switch (s.quantity) {
    case Quantity::BodyPosition:
      return seen.bodies[s.index].p_WC[s.component];
    case Quantity::BodyQuaternion:
      return quaternion_of(seen.bodies[s.index].X_WB.R, s.component);
    case Quantity::BodyAngles:
      return turn_of(seen.bodies[s.index].X_WB.R, s.component);
    case Quantity::BodyVelocity:
      return seen.bodies[s.index].v_WC[s.component];
    case Quantity::BodyRate:
      return seen.bodies[s.index].w_WB[s.component];
    case Quantity::JointPosition:
    case Quantity::JointVelocity:
    case Quantity::JointForce:
    case Quantity::JointCommand:
    case Quantity::JointError:
    case Quantity::JointReaction:
      return evaluate_joint(s, world, seen);
    case Quantity::PlantReading:
      return seen.plant[s.index];
    case Quantity::PointPosition:
      return point_position(s, world, seen);
    case Quantity::RodPosition:
    case Quantity::RodQuaternion:
    case Quantity::RodVelocity:
    case Quantity::RodRate:
      return evaluate_rod_end(s, world, seen);
    case Quantity::CableLength:
      return seen.cables[s.index].length;
    case Quantity::CableTension:
      return seen.cables[s.index].tension;
    case Quantity::TouchedForce:
    case Quantity::TouchedTorque:
    case Quantity::TouchedPoint:
    case Quantity::TouchedNormal:
    case Quantity::TouchedCount:
      return evaluate_touched(s, seen.touched[s.index]);
    case Quantity::ContactNormal:
    case Quantity::ContactPush:
    case Quantity::ContactFriction:
    case Quantity::ContactTorque:
    case Quantity::ContactPoint:
    case Quantity::ContactGap:
    case Quantity::ContactSlip:
    case Quantity::ContactState:
    case Quantity::ContactCount:
      return evaluate_contact(s, world.model().crowd ? read_crowd_contact(world, s.index) : seen.contacts[s.index]);
    case Quantity::PadPull:
    case Quantity::PadLevel:
    case Quantity::PadCovered:
    case Quantity::PadAttached:
      return world.state.pad[std::size_t(s.index) * pad::size + pad_entry(s.quantity)];
    default:
      return evaluate_whole(s, world, seen);
  }
}

void evaluate(std::span<const Signal> signals, const World<double>& world, const Observation<double>& seen,
              std::span<double> values) {
  for (std::size_t i = 0; i < signals.size(); i++) values[i] = evaluate(signals[i], world, seen);
}

}  // namespace sinew::sim
