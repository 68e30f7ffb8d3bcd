#include "tests/support/softbot.h"

#include <cmath>
#include <Eigen/LU>

#include "tests/support/derivative.h"

namespace sinew::support {

ClosedChain::ClosedChain(const std::vector<robots::SheetLink>& links) {
  for (const robots::SheetLink& s : links) {
    l.push_back(s.l), m.push_back(s.m), lc.push_back(s.lc), I.push_back(s.I);
    k.push_back(s.k), c.push_back(s.c);
  }
}

double ClosedChain::mass() const {
  double sum = 0.0;
  for (const double x : m) sum += x;
  return sum;
}

VectorXd ClosedChain::a() const {
  VectorXd out(n());
  double outer = 0.0;
  for (int i = n() - 1; i >= 0; outer += m[i--]) out[i] = m[i] * lc[i] + l[i] * outer;
  return out;
}

MatrixXd ClosedChain::mu(Fault fault) const {
  const VectorXd a_ = a();
  MatrixXd out(n(), n());
  double outer = 0.0;
  for (int i = n() - 1; i >= 0; outer += m[i--]) {
    out(i, i) = I[i] + m[i] * lc[i] * lc[i] + (fault == Fault::Diagonal ? 0.0 : l[i] * l[i] * outer);
    for (int j = i + 1; j < n(); j++) out(i, j) = out(j, i) = l[i] * a_[j];
  }
  return out;
}

MatrixXd ClosedChain::tridiagonal(const std::vector<double>& x, double sign) const {
  MatrixXd out = MatrixXd::Zero(n(), n());
  for (int i = 0; i < n(); i++) {
    out(i, i) += x[i];
    if (i > 0) out(i - 1, i - 1) += x[i], out(i, i - 1) = out(i - 1, i) = sign * x[i];
  }
  return out;
}

namespace {

// sum_j mu_ij sin(th_i - th_j) v_j^2
VectorXd centrifugal(const MatrixXd& mu, const VectorXd& th, const VectorXd& v, Fault fault) {
  VectorXd out = VectorXd::Zero(th.size());
  for (int i = 0; i < th.size(); i++)
    for (int j = 0; j < th.size(); j++) {
      const double rate = fault == Fault::CoriolisSign ? 2.0 * v[i] * v[j] - v[j] * v[j] : v[j] * v[j];
      out[i] += mu(i, j) * std::sin(th[i] - th[j]) * rate;
    }
  return out;
}

MatrixXd turned(const MatrixXd& mu, const VectorXd& th) {
  MatrixXd out = mu;
  for (int i = 0; i < th.size(); i++)
    for (int j = 0; j < th.size(); j++) out(i, j) *= std::cos(th[i] - th[j]);
  return out;
}

// The partial derivative of T by one coordinate.
double partial(const ClosedRobot& robot, const VectorXd& q, const VectorXd& v, int at) {
  return derivative([&](double s) {
    VectorXd there = q;
    there[at] += s;
    return robot.kinetic(there, v);
  });
}

}  // namespace

MatrixXd ClosedLimb::mass(const VectorXd& q) const { return turned(chain.mu(fault), q); }
VectorXd ClosedLimb::bias(const VectorXd& q, const VectorXd& v) const {
  return centrifugal(chain.mu(fault), q, v, fault);
}
VectorXd ClosedLimb::acceleration(const VectorXd& q, const VectorXd& v, const VectorXd& moments) const {
  VectorXd Q = -bias(q, v) - chain.tridiagonal(chain.k) * q -
               chain.tridiagonal(chain.c, fault == Fault::DampingSign ? 1.0 : -1.0) * v -
               g * (chain.a().array() * q.array().cos()).matrix();
  for (int i = 0; i < q.size(); i++) Q[i] += moments[i] - (i + 1 < q.size() ? moments[i + 1] : 0.0);
  return mass(q).partialPivLu().solve(Q);
}
double ClosedLimb::kinetic(const VectorXd& q, const VectorXd& v) const { return 0.5 * v.dot(mass(q) * v); }
double ClosedLimb::elastic(const VectorXd& q) const { return 0.5 * q.dot(chain.tridiagonal(chain.k) * q); }
double ClosedLimb::potential(const VectorXd& q) const { return g * chain.a().dot(q.array().sin().matrix()); }

MatrixXd ClosedRobot::mass(const VectorXd& q) const {
  const int x = left.n(), y = x + 1, hb = x + 2;
  const double dL = std::hypot(bL, h), dR = std::hypot(bR, h), fL = std::atan2(h, bL), fR = std::atan2(h, bR);
  const double al = q[hb] + fL, be = q[hb] - fR, mL = left.mass(), mR = right.mass();
  MatrixXd M = MatrixXd::Zero(size(), size());
  const auto set = [&](int i, int j, double value) { M(i, j) = M(j, i) = value; };
  M(x, x) = M(y, y) = mh + mL + mR;
  M(hb, hb) = Ih + mL * dL * dL + mR * dR * dR;
  set(x, hb, mL * dL * std::sin(al) - mR * dR * std::sin(be));
  set(y, hb, -mL * dL * std::cos(al) + mR * dR * std::cos(be));
  const VectorXd aL = left.a(), aR = right.a();
  const MatrixXd muL = left.mu(fault), muR = right.mu(fault);
  for (int i = 0; i < left.n(); i++) {
    const double th = q[L(i)];
    set(x, L(i), aL[i] * std::sin(th));
    set(y, L(i), aL[i] * std::cos(th));
    set(hb, L(i), (fault == Fault::HubLeft ? 1.0 : -1.0) * dL * aL[i] * std::cos(al + th));
    for (int j = 0; j < left.n(); j++) M(L(i), L(j)) = muL(i, j) * std::cos(th - q[L(j)]);
  }
  for (int i = 0; i < right.n(); i++) {
    const double th = q[R(i)];
    set(x, R(i), -aR[i] * std::sin(th));
    set(y, R(i), aR[i] * std::cos(th));
    set(hb, R(i), dR * aR[i] * std::cos(be - th));
    for (int j = 0; j < right.n(); j++) M(R(i), R(j)) = muR(i, j) * std::cos(th - q[R(j)]);
    if (fault == Fault::RightRows || fault == Fault::RightBlock) {  // as for the left limb
      M(R(i), x) = aR[i] * std::sin(th);
      M(R(i), hb) = dR * aR[i] * std::cos(q[hb] + fR + th);  // with the printed sign of E12
      if (fault == Fault::RightBlock) M(x, R(i)) = M(R(i), x), M(hb, R(i)) = M(R(i), hb);
    }
  }
  return M;
}

VectorXd ClosedRobot::bias(const VectorXd& q, const VectorXd& v) const {
  const int x = left.n(), y = x + 1, hb = x + 2;
  const double dL = std::hypot(bL, h), dR = std::hypot(bR, h), fL = std::atan2(h, bL), fR = std::atan2(h, bR);
  const double al = q[hb] + fL, be = q[hb] - fR, mL = left.mass(), mR = right.mass(), w2 = v[hb] * v[hb];
  const VectorXd aL = left.a(), aR = right.a();
  VectorXd H = VectorXd::Zero(size()), thL(left.n()), vL(left.n()), thR(right.n()), vR(right.n());
  H[x] = (mL * dL * std::cos(al) - mR * dR * std::cos(be)) * w2;
  H[y] = (mL * dL * std::sin(al) - mR * dR * std::sin(be)) * w2;
  const auto of_height = [&](double th) { return fault == Fault::HeightRow ? std::cos(th) : std::sin(th); };
  for (int i = 0; i < left.n(); i++) {
    const double th = thL[i] = q[L(i)], r = vL[i] = v[L(i)];
    H[x] += aL[i] * std::cos(th) * r * r;
    H[y] -= aL[i] * of_height(th) * r * r;
    H[hb] += dL * aL[i] * std::sin(al + th) * r * r;
    H[L(i)] += dL * aL[i] * std::sin(al + th) * w2;
    if (fault == Fault::HubLeft) {  // what (3.6) and (3.7) then leave of the velocity terms
      H[hb] -= 2.0 * dL * aL[i] * std::sin(al + th) * r * r;
      H[L(i)] -= 2.0 * dL * aL[i] * std::sin(al + th) * v[hb] * (v[hb] + r);
    }
    if (fault == Fault::LeftVelocity) H[L(i)] -= 2.0 * aL[i] * std::cos(th) * r * v[x];
  }
  for (int i = 0; i < right.n(); i++) {
    const double th = thR[i] = q[R(i)], r = vR[i] = v[R(i)];
    H[x] -= aR[i] * std::cos(th) * r * r;
    H[y] -= aR[i] * of_height(th) * r * r;
    H[hb] += dR * aR[i] * std::sin(be - th) * r * r;
    if (fault == Fault::RightRows)  // (3.8) with rates (v_h + v_R), less the right partial derivative of T
      H[R(i)] -= dR * aR[i] * (std::sin(q[hb] + fR + th) * (v[hb] + r) + std::sin(be - th) * r) * v[hb];
    else
      H[R(i)] -= dR * aR[i] * std::sin(be - th) * w2;
  }
  const VectorXd cL = centrifugal(left.mu(fault), thL, vL, fault), cR = centrifugal(right.mu(fault), thR, vR, fault);
  for (int i = 0; i < left.n(); i++) H[L(i)] += cL[i];
  for (int i = 0; i < right.n(); i++) H[R(i)] += cR[i];
  if (fault == Fault::LeftPartial || fault == Fault::HubPartial) {
    ClosedRobot right_one = *this;
    right_one.fault = Fault::None;
    if (fault == Fault::HubPartial) H[hb] += partial(right_one, q, v, hb);
    for (int i = 0; fault == Fault::LeftPartial && i < left.n(); i++) H[L(i)] += 2.0 * partial(right_one, q, v, L(i));
  }
  return H;
}

MatrixXd ClosedRobot::moments() const {
  MatrixXd E = MatrixXd::Zero(size(), left.n() + right.n());
  const int nL = left.n();
  for (int i = 0; i < nL; i++) {
    E(L(i), nL - 1 - i) += 1.0;
    if (i > 0) E(L(i - 1), nL - 1 - i) -= 1.0;
  }
  for (int i = 0; i < right.n(); i++) {
    E(R(i), nL + i) += 1.0;
    if (i > 0) E(R(i - 1), nL + i) -= 1.0;
  }
  const double roots = fault == Fault::RootTwice ? 2.0 : 1.0;
  E(hub(), nL - 1) = roots, E(hub(), nL) = -roots;
  return E;
}

MatrixXd ClosedRobot::stiffness() const {
  VectorXd k(left.n() + right.n());
  for (int i = 0; i < left.n(); i++) k[left.n() - 1 - i] = left.k[i];
  for (int i = 0; i < right.n(); i++) k[left.n() + i] = right.k[i];
  return moments() * k.asDiagonal() * moments().transpose();
}

MatrixXd ClosedRobot::damping() const {
  VectorXd c(left.n() + right.n());
  for (int i = 0; i < left.n(); i++) c[left.n() - 1 - i] = left.c[i];
  for (int i = 0; i < right.n(); i++) c[left.n() + i] = right.c[i];
  return moments() * c.asDiagonal() * moments().transpose();
}

VectorXd ClosedRobot::gravity(const VectorXd& q) const {
  const double dL = std::hypot(bL, h), dR = std::hypot(bR, h);
  const double al = q[hub()] + std::atan2(h, bL), be = q[hub()] - std::atan2(h, bR);
  VectorXd Q = VectorXd::Zero(size());
  Q[hub() - 1] = -g * mass_of_all();
  const bool outer = fault == Fault::GravityOfOuter;
  const double mL = left.mass() - (outer ? left.m[0] : 0.0), mR = right.mass() - (outer ? right.m[0] : 0.0);
  Q[hub()] = -g * (-dL * mL * std::cos(al) + dR * mR * std::cos(be));
  for (int i = 0; i < left.n(); i++) Q[L(i)] = -g * left.a()[i] * std::cos(q[L(i)]);
  for (int i = 0; i < right.n(); i++) Q[R(i)] = -g * right.a()[i] * std::cos(q[R(i)]);
  return Q;
}

VectorXd ClosedRobot::acceleration(const VectorXd& q, const VectorXd& v) const {
  return mass(q).partialPivLu().solve(gravity(q) - bias(q, v) - stiffness() * q - damping() * v);
}
double ClosedRobot::kinetic(const VectorXd& q, const VectorXd& v) const { return 0.5 * v.dot(mass(q) * v); }
double ClosedRobot::elastic(const VectorXd& q) const { return 0.5 * q.dot(stiffness() * q); }

Eigen::Vector3d ClosedRobot::momenta(const VectorXd& q, const VectorXd& v) const {
  using Eigen::Vector2d;
  const int x = left.n();
  Eigen::Vector3d sum(0, 0, 0);
  const auto add = [&](double m, const Vector2d& r, const Vector2d& u, double spin) {
    sum += Eigen::Vector3d(m * u[0], m * u[1], m * (r[0] * u[1] - r[1] * u[0]) + spin);
  };
  const auto e = [](double angle) { return Vector2d(std::cos(angle), std::sin(angle)); };
  const auto e_rate = [](double angle) { return Vector2d(-std::sin(angle), std::cos(angle)); };
  const Vector2d r(q[x], q[x + 1]), u(v[x], v[x + 1]);
  const double th = q[hub()], w = v[hub()];
  add(mh, r, u, Ih * w);
  const auto along = [&](const ClosedChain& chain, Vector2d p, Vector2d s, double side, auto place) {
    for (int i = 0; i < chain.n(); i++) {  // a left link points along -e(-th)
      const double angle = side * q[place(i)], rate = side * v[place(i)];
      const Vector2d d = side * e(angle), d_rate = side * rate * e_rate(angle);
      add(chain.m[i], p + chain.lc[i] * d, s + chain.lc[i] * d_rate, chain.I[i] * rate);
      p += chain.l[i] * d, s += chain.l[i] * d_rate;
    }
  };
  const double dL = std::hypot(bL, h), dR = std::hypot(bR, h), al = th + std::atan2(h, bL), be = th - std::atan2(h, bR);
  along(left, r - dL * e(al), u - dL * w * e_rate(al), -1.0, [&](int i) { return L(i); });
  along(right, r + dR * e(be), u + dR * w * e_rate(be), 1.0, [&](int i) { return R(i); });
  return sum;
}

ClosedLimb limb(double zeta) {
  robots::Sheet sheet;
  sheet.zeta = zeta;
  return {ClosedChain(links_of(sheet))};
}

ClosedRobot even_robot(Fault fault) {
  robots::Sheet sheet;
  sheet.n = 2;
  ClosedRobot r;
  r.left = r.right = ClosedChain(links_of(sheet));
  r.fault = fault;
  return r;
}

VectorXd vector(std::initializer_list<double> values) {
  VectorXd v(values.size());
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

}  // namespace sinew::support
