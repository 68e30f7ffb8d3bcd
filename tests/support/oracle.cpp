#include "tests/support/oracle.h"

#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <Eigen/Eigenvalues>

#include "tests/support/derivative.h"

namespace sinew::support {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Isometry3d isometry(const Matrix3d& R, const Vector3d& p) {
  Isometry3d X = Isometry3d::Identity();
  X.linear() = R;
  X.translation() = p;
  return X;
}

// X_JF of a joint at its coordinates.
Isometry3d joint_pose(JointKind kind, const double* q) {
  return joint::visit(kind, [&]<class J>() {
    SinCos<double> trig[6] = {};
    for (std::size_t i = 0; i < J::angles.size(); i++) trig[i] = {std::sin(q[J::angles[i]]), std::cos(q[J::angles[i]])};
    return to_eigen(J::place(Posed::identity(), q, trig));
  });
}

// Velocity of F in J when the joint's velocity is 1 on one axis. Moving on by one axis alone is a screw about a fixed
// axis that leaves F's origin in place or slides it, so the quotient over a wide step is exact up to round-off.
Vector6 joint_screw(JointKind kind, const std::vector<double>& q, int axis) {
  constexpr double h = 0.25;
  const auto moved = [&](double by) {
    return joint::visit(kind, [&]<class J>() {
      std::vector<double> there = q, u(J::nu, 0.0);
      u[axis] = 1.0;
      J::advance(there.data(), u.data(), by);
      return joint_pose(kind, there.data());
    });
  };
  const Isometry3d before = moved(-h), after = moved(h);
  const Eigen::AngleAxisd turn(Matrix3d(after.linear() * before.linear().transpose()));
  Vector6 V;
  V << turn.axis() * (turn.angle() / (2 * h)), (after.translation() - before.translation()) / (2 * h);
  return V;
}

// z along the axis, y the part of axis2 that is perpendicular to it.
Matrix3d joint_axes(const JointPlan& j) {
  Matrix3d A;
  A.col(2) = to_eigen(j.axis).normalized();
  A.col(0) = to_eigen(j.axis2).cross(A.col(2)).normalized();
  A.col(1) = A.col(2).cross(A.col(0));
  return A;
}

struct Walker {
  const Plan& plan;
  const Model& model;
  const State<double>& state;

  const JointPlan& joint_of(int link) const { return plan.joints[model.links[link].joint]; }
  const BodyPlan& body_of(int link) const {
    for (const BodyPlan& b : plan.bodies)
      if (b.name == model.body_names[link]) return b;
    throw std::logic_error("a link without a body");
  }

  // Coordinates and velocities of a link's joint, a time s after the state with constant velocities of the freedoms.
  void joint_state(int i, double s, std::vector<double>& q, std::vector<double>& u) const {
    const Link& link = model.links[i];
    joint::visit(link.kind, [&]<class J>() {
      q.assign(J::nq, 0.0), u.assign(J::nu, 0.0);
      if (link.driven) {
        double m[6], rate[6], accel[6], u_rate[6];
        for (int a = 0; a < J::nu; a++) {
          const auto& motion = joint_of(i).motion;
          (motion.empty() ? Motion<double>{} : motion[a]).evaluate(state.t + s, m[a], rate[a], accel[a]);
        }
        J::prescribe(m, rate, accel, q.data(), u.data(), u_rate);
      } else {
        std::copy_n(state.q.begin() + link.q, J::nq, q.begin());
        std::copy_n(state.u.begin() + link.u, J::nu, u.begin());
        J::advance(q.data(), u.data(), s);
      }
    });
  }

  std::vector<OracleBody> bodies(double s) const {
    std::vector<OracleBody> out(model.links.size());
    std::vector<Isometry3d> X_WF(model.links.size());
    MatrixXd screws(6, model.n_frame_axes);  // at each joint's F, world axes
    VectorXd rates = VectorXd::Zero(model.n_frame_axes);
    for (int i = 0; i < model.link_count(); i++) {
      const JointPlan& j = joint_of(i);
      const BodyPlan& b = body_of(i);
      std::vector<double> q, u;
      joint_state(i, s, q, u);
      const Matrix3d axes = joint_axes(j), R_PJ = to_eigen(j.orientation).normalized().toRotationMatrix() * axes;
      const Vector3d p_BF = to_eigen(j.kind == JointKind::Free ? b.com : j.p_child);
      const Isometry3d X_WP = j.parent == "world" ? Isometry3d::Identity() : out[model.body(j.parent)].X_WB;
      const Isometry3d X_WJ = X_WP * isometry(R_PJ, to_eigen(j.p_parent));
      X_WF[i] = X_WJ * joint_pose(j.kind, q.data());
      const int axis = model.links[i].axis;
      for (std::size_t a = 0; a < u.size(); a++) {
        const Vector6 V = joint_screw(j.kind, q, int(a));
        screws.col(axis + a) << X_WJ.linear() * V.head<3>(), X_WJ.linear() * V.tail<3>();
        rates[axis + a] = u[a];
      }
      OracleBody& body = out[i];
      body.m = b.mass;
      body.X_WB = X_WF[i] * isometry(axes, p_BF).inverse();
      body.p_WC = body.X_WB * to_eigen(b.com);
      body.I_C = body.X_WB.linear() * to_eigen(b.inertia) * body.X_WB.linear().transpose();
      body.J = MatrixXd::Zero(6, model.n_frame_axes);
      for (int at = i; at != world_body; at = model.body(joint_of(at).parent))
        for (int a = model.links[at].axis; a < model.links[at].axis + joint::freedom_count(joint_of(at).kind); a++) {
          const Vector3d w = screws.col(a).head<3>(), v = screws.col(a).tail<3>();
          body.J.col(a) << w, v + w.cross(body.p_WC - X_WF[at].translation());
        }
      body.V = body.J * rates;
    }
    return out;
  }
};

Eigen::Matrix<double, 6, 6> spatial_inertia(const OracleBody& b) {
  Eigen::Matrix<double, 6, 6> I = Eigen::Matrix<double, 6, 6>::Zero();
  I.topLeftCorner<3, 3>() = b.I_C;
  I.bottomRightCorner<3, 3>() = b.m * Matrix3d::Identity();
  return I;
}

}  // namespace

Oracle::Oracle(const Plan& plan, const Model& model, const State<double>& state)
    : free_axis(model.nu), gravity_(plan.gravity) {
  const Walker walker{plan, model, state};
  bodies = walker.bodies(0.0);
  const auto velocities = [&](double s) {
    MatrixXd V(6, bodies.size());
    const auto there = walker.bodies(s);
    for (std::size_t i = 0; i < there.size(); i++) V.col(i) = there[i].V;
    return V;
  };
  const MatrixXd A = derivative(velocities);
  for (std::size_t i = 0; i < bodies.size(); i++) bodies[i].A = A.col(i);
  for (const Link& link : model.links)
    if (!link.driven)
      for (int c = 0; c < joint::freedom_count(link.kind); c++) free_axis[link.u + c] = link.axis + c;
}

MatrixXd Oracle::mass_of_all_axes() const {
  const auto n = bodies[0].J.cols();
  MatrixXd M = MatrixXd::Zero(n, n);
  for (const OracleBody& b : bodies) M += b.J.transpose() * spatial_inertia(b) * b.J;
  return M;
}

MatrixXd Oracle::mass() const {
  const MatrixXd M = mass_of_all_axes();
  return M(free_axis, free_axis);
}

VectorXd Oracle::forces(const VectorXd& u_rate, const std::vector<Wrench<double>>& external, VectorXd& scale) const {
  const auto n = bodies[0].J.cols();
  VectorXd tau = VectorXd::Zero(n), accel = VectorXd::Zero(n);
  for (std::size_t i = 0; i < free_axis.size(); i++) accel[free_axis[i]] = u_rate[i];
  scale = VectorXd::Zero(n);
  for (std::size_t i = 0; i < bodies.size(); i++) {
    const OracleBody& b = bodies[i];
    const Vector3d w = b.V.head<3>();
    Vector6 gyroscopic = Vector6::Zero(), applied;
    gyroscopic.head<3>() = w.cross(b.I_C * w);
    applied << to_eigen(external[i].n), to_eigen(external[i].f);
    const Vector6 gravity = gravity_wrench(gravity_, b.m, b.I_C, b.p_WC, b.V);
    const Vector6 inertial = spatial_inertia(b) * (b.A + b.J * accel);
    tau += b.J.transpose() * (inertial + gyroscopic - gravity - applied);
    const Vector6 size = spatial_inertia(b).cwiseAbs() * (b.A.cwiseAbs() + b.J.cwiseAbs() * accel.cwiseAbs()) +
                         gyroscopic.cwiseAbs() + gravity.cwiseAbs() + applied.cwiseAbs();
    scale += b.J.cwiseAbs().transpose() * size;
  }
  return tau;
}

VectorXd Oracle::of_freedoms(const VectorXd& per_axis) const { return per_axis(free_axis); }

double Oracle::kinetic() const {
  double T = 0.0;
  for (const OracleBody& b : bodies) T += 0.5 * b.V.dot(spatial_inertia(b) * b.V);
  return T;
}

double Oracle::potential() const {
  double V = 0.0;
  for (const OracleBody& b : bodies) V += gravity_energy(gravity_, b.m, b.I_C, b.p_WC);
  return V;
}

Vector3d Oracle::linear_momentum() const {
  Vector3d p = Vector3d::Zero();
  for (const OracleBody& b : bodies) p += b.m * b.V.tail<3>();
  return p;
}

Vector3d Oracle::angular_momentum() const {
  Vector3d L = Vector3d::Zero();
  for (const OracleBody& b : bodies) L += b.p_WC.cross(b.m * b.V.tail<3>()) + b.I_C * b.V.head<3>();
  return L;
}

namespace {

// Six equal point masses at +-d_k along the principal axes: sum m/6 d d^T over the points is the second moment
// tr(I)/2 - I of the body when |d_k|^2 = 3 s_k / m, s_k its eigenvalues.
MatrixXd equivalent_points(double m, const Matrix3d& I_C) {
  const Matrix3d second = 0.5 * I_C.trace() * Matrix3d::Identity() - I_C;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(second);
  MatrixXd d(3, 6);
  for (int k = 0; k < 3; k++) {
    d.col(2 * k) = eigen.eigenvectors().col(k) * std::sqrt(3.0 * std::max(eigen.eigenvalues()[k], 0.0) / m);
    d.col(2 * k + 1) = -d.col(2 * k);
  }
  return d;
}

// Acceleration and potential of a homogeneous ellipsoid outside of it: lambda by bisection, Carlson's integrals by Boost.
Eigen::Vector4d ellipsoid(const Gravity<double>& gravity, const Vector3d& X) {
  const Vector3d e2 = to_eigen(gravity.axes).cwiseAbs2();
  double low = 0.0, high = X.squaredNorm();
  for (int i = 0; i < 200; i++) {
    const double middle = 0.5 * (low + high);
    (X.cwiseAbs2().cwiseQuotient(e2 + Vector3d::Constant(middle)).sum() > 1.0 ? low : high) = middle;
  }
  const Vector3d A = e2 + Vector3d::Constant(low);
  using boost::math::ellint_rd, boost::math::ellint_rf;
  const Vector3d D(ellint_rd(A[1], A[2], A[0]), ellint_rd(A[0], A[2], A[1]), ellint_rd(A[0], A[1], A[2]));
  Eigen::Vector4d out;
  out << -gravity.GM * X.cwiseProduct(D),
      -1.5 * gravity.GM * (ellint_rf(A[0], A[1], A[2]) - X.cwiseAbs2().dot(D) / 3.0);
  return out;
}

}  // namespace

Vector6 gravity_wrench(const Gravity<double>& gravity, double m, const Matrix3d& I_C, const Vector3d& p_WC,
                       const Vector6& V_C) {
  Vector6 F = Vector6::Zero();
  if (gravity.kind == GravityKind::None) return F;
  if (gravity.kind == GravityKind::Uniform) {
    F.tail<3>() = m * to_eigen(gravity.g);
    return F;
  }
  const Vector3d rho = p_WC - to_eigen(gravity.centre), spin = to_eigen(gravity.spin);
  F.tail<3>() = gravity.kind == GravityKind::Ellipsoid
                    ? Vector3d(m * ellipsoid(gravity, rho).head<3>())
                    : Vector3d(-m * gravity.GM * rho.normalized() / rho.squaredNorm());
  if (gravity.kind == GravityKind::Point) return F;
  const MatrixXd points = equivalent_points(m, I_C);
  for (int k = 0; k < 6; k++) {
    const Vector3d d = points.col(k), v = V_C.tail<3>() + V_C.head<3>().cross(d);
    const Vector3d f = -(m / 6) * (2.0 * spin.cross(v) + spin.cross(spin.cross(rho + d)));
    F.head<3>() += d.cross(f);
    F.tail<3>() += f;
  }
  return F;
}

double gravity_energy(const Gravity<double>& gravity, double m, const Matrix3d& I_C, const Vector3d& p_WC) {
  if (gravity.kind == GravityKind::None) return 0.0;
  if (gravity.kind == GravityKind::Uniform) return -m * to_eigen(gravity.g).dot(p_WC);
  const Vector3d rho = p_WC - to_eigen(gravity.centre), spin = to_eigen(gravity.spin);
  double V = gravity.kind == GravityKind::Ellipsoid ? m * ellipsoid(gravity, rho)[3] : -m * gravity.GM / rho.norm();
  if (gravity.kind == GravityKind::Point) return V;
  const MatrixXd points = equivalent_points(m, I_C);
  for (int k = 0; k < 6; k++) V -= 0.5 * (m / 6) * spin.cross(rho + points.col(k)).squaredNorm();
  return V;
}

}  // namespace sinew::support
