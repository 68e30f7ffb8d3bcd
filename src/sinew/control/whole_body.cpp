#include "sinew/control/whole_body.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/dynamics/energy.h"
#include "sinew/dynamics/inverse.h"
#include "sinew/dynamics/mass.h"
#include "sinew/math/check.h"

namespace sinew {
namespace {

constexpr int most_soles = 2, most_x = SmallQp::max_x;
constexpr double regular = 1e-6;  // that all unknowns are small, so that the program is strictly convex
using Row = std::array<double, most_x>;

// A tree that others drive: nothing of a plan but bodies and joints moves.
Plan bare(const Plan& plan) {
  Plan out = plan;
  out.drives.clear();
  out.transmissions.clear();
  out.sensors.clear();
  std::vector<Problem> problems;
  int free = 0;
  for (JointPlan& j : out.joints) {
    if (j.loop) problems.push_back({"loop." + j.name, "whole-body control needs a robot without loops"});
    if (j.kind == JointKind::Free) free++;
    if (j.drive == Drive::Motion)
      problems.push_back({"joint." + j.name + ".drive", "whole-body control needs joints that it can drive"});
    j.armature.clear();
  }
  if (free != 1) problems.push_back({"joint", "whole-body control needs one free joint, for the base"});
  if (!problems.empty()) throw PlanError(std::move(problems));
  return out;
}

}  // namespace

struct WholeBody::Own {
  struct Sole {
    WholeBodySole s;
    int first;  // unknown: f_x, f_y, f_z, m_x, m_y, m_z about P, in its axes
    Posed X_WP;
  };
  explicit Own(const Plan& plan)
      : compiled(compile(bare(plan), Coordinates::Tree)),
        model(*compiled.model),
        frames(model),
        driven(model),
        inverse(model),
        mass_work(model),
        still(model.nu, 0.0),
        axis_torque(model.n_frame_axes),
        M(std::size_t(model.nu) * model.nu),
        h(model.nu) {
    prescribe(model, compiled.params, 0.0, driven);
    for (const Link& link : model.links)
      if (link.kind == JointKind::Free) base = link.u;
    for (const auto& link : compiled.params.links) mass += link.I_F.m;
  }

  void see(std::span<const double> q, std::span<const double> u, std::span<const double> rotors);
  void clear();
  // Acceleration of a point that moves with a link: rows of the freedoms, and what is there when they rest.
  void jacobian(int link, const Vec3d& at, double (*turn)[most_x], double (*move)[most_x]) const;
  Twist<double> coast(int link, const Vec3d& at) const;
  void add_task(const Row& a, double b, double weight);
  // tau of a freedom = row . x + h
  Row torque_row(int freedom) const;
  void bound(const Row& a, double least);
  void add_cone(const Sole& sole);
  void add_base();

  Compiled compiled;
  const Model& model;
  Frames<double> frames;
  Prescribed<double> driven;
  InverseWork<double> inverse;
  MassWork<double> mass_work;
  std::vector<double> still, axis_torque, M, h;
  double mass = 0.0;
  int base = 0, n_soles = 0;
  std::array<Sole, most_soles> sole;
  double J[most_soles][6][most_x];  // of P, in its axes: moves, turns
  Vec3d c = Vec3d::zero(), c_rate = Vec3d::zero(), spin = Vec3d::zero();
  SmallQp qp;
};

void WholeBody::Own::see(std::span<const double> q, std::span<const double> u, std::span<const double> rotors) {
  const Params<double>& params = compiled.params;
  evaluate_frames(model, params, q.data(), u.data(), driven, frames);
  std::ranges::fill(M, 0.0);
  mass_matrix(model, params, frames, mass_work, M.data());
  for (std::size_t i = 0; i < rotors.size(); i++) M[i * std::size_t(model.nu) + i] += rotors[i];
  inverse_dynamics<double>(model, params, frames, {still.data()}, inverse, axis_torque.data());
  Vec3d first = Vec3d::zero();
  for (std::size_t i = 0; i < model.links.size(); i++) {
    const Link& link = model.links[i];
    joint::visit(link.kind, [&]<class K>() {
      for (int k = 0; k < K::nu; k++) h[std::size_t(link.u + k)] = axis_torque[std::size_t(link.axis + k)];
    });
    first += frames.link[i].X * params.links[i].c_F * params.links[i].I_F.m;
  }
  const Mechanics<double> all = mechanics(model, params, frames);
  c = first * (1.0 / mass);
  c_rate = all.linear * (1.0 / mass);
  spin = all.angular - cross(c, all.linear);
}

void WholeBody::Own::clear() {
  n_soles = 0;
  qp.n = model.nu;
  qp.n_equal = qp.n_rows = 0;
  for (int i = 0; i < most_x; i++) {
    qp.g[i] = 0.0;
    for (int k = 0; k <= i; k++) qp.H[i][k] = i == k ? regular : 0.0;
  }
}

void WholeBody::Own::jacobian(int link, const Vec3d& at, double (*turn)[most_x], double (*move)[most_x]) const {
  for (int k = 0; k < 3; k++) {
    std::fill_n(turn[k], most_x, 0.0);
    std::fill_n(move[k], most_x, 0.0);
  }
  for (int i = link; i >= 0; i = model.links[std::size_t(i)].parent) {
    const Link& on = model.links[std::size_t(i)];
    const Vec3d arm = at - frames.link[std::size_t(i)].X.p;
    joint::visit(on.kind, [&]<class K>() {
      for (int d = 0; d < K::nu; d++) {
        const Vec3d& axis = frames.axis[std::size_t(on.axis + d)];
        const bool turns = K::dirs[std::size_t(d)] == joint::Dir::Angular;
        const Vec3d moved = turns ? cross(axis, arm) : axis;
        for (int k = 0; k < 3; k++) {
          turn[k][on.u + d] = turns ? axis[k] : 0.0;
          move[k][on.u + d] = moved[k];
        }
      }
    });
  }
}

Twist<double> WholeBody::Own::coast(int link, const Vec3d& at) const {
  const Frame<double>& F = frames.link[std::size_t(link)];
  const Vec3d r = at - F.X.p;
  return {F.coast.w, F.coast.v + cross(F.coast.w, r) + cross(F.V.w, cross(F.V.w, r))};
}

void WholeBody::Own::add_task(const Row& a, double b, double weight) {
  for (int i = 0; i < qp.n; i++) {
    if (a[std::size_t(i)] == 0.0) continue;
    const double scaled = weight * a[std::size_t(i)];
    qp.g[i] -= scaled * b;
    for (int k = 0; k <= i; k++) qp.H[i][k] += scaled * a[std::size_t(k)];
  }
}

Row WholeBody::Own::torque_row(int freedom) const {
  Row out{};
  std::copy_n(M.data() + std::size_t(freedom) * std::size_t(model.nu), model.nu, out.data());
  for (int s = 0; s < n_soles; s++)
    for (int k = 0; k < 6; k++) out[std::size_t(sole[std::size_t(s)].first + k)] = -J[s][k][freedom];
  return out;
}

void WholeBody::Own::bound(const Row& a, double least) {
  const int row = qp.add_row(least);
  std::copy_n(a.data(), qp.n, qp.c[row]);
}

void WholeBody::Own::add_base() {
  for (int i = 0; i < 6; i++) bound(torque_row(base + i), -h[std::size_t(base + i)]);
  qp.n_equal = qp.n_rows;
}

void WholeBody::Own::add_cone(const Sole& on) {
  const auto add = [&](double z, int entry, double sign) {  // z f_z + sign w_entry >= 0
    Row a{};
    a[std::size_t(on.first + 2)] = z;
    a[std::size_t(on.first + entry)] += sign;
    bound(a, 0.0);
  };
  Row up{};
  up[std::size_t(on.first + 2)] = 1.0;
  bound(up, on.s.least);
  const double mu = on.s.mu / std::sqrt(2.0);
  for (const double sign : {-1.0, 1.0}) {
    add(mu, 0, sign);
    add(mu, 1, sign);
    add(on.s.beside, 3, sign);
    add(on.s.mu_turn, 5, sign);
  }
  add(on.s.ahead, 4, 1.0);  // x = -m_y / f_z
  add(on.s.behind, 4, -1.0);
}

WholeBody::WholeBody(const Plan& plan) : own_(std::make_unique<Own>(plan)) {
  SINEW_CHECK(model().nu + 6 * most_soles <= most_x, "WholeBody: ", model().nu,
              " freedoms and two soles, there is room for ", most_x, " unknowns");
}
WholeBody::~WholeBody() = default;
WholeBody::WholeBody(WholeBody&&) noexcept = default;

const Model& WholeBody::model() const { return own_->model; }
int WholeBody::link_of(std::string_view joint) const {
  const auto found = std::ranges::find(own_->model.joints, joint, &JointInfo::name);
  return found == own_->model.joints.end() ? -1 : found->link;
}
double WholeBody::mass() const { return own_->mass; }
Vec3d WholeBody::com() const { return own_->c; }
Vec3d WholeBody::com_rate() const { return own_->c_rate; }
Vec3d WholeBody::spin() const { return own_->spin; }
Posed WholeBody::pose(int link) const {
  return own_->frames.link[std::size_t(link)].X * own_->model.links[std::size_t(link)].X_FB;
}

void WholeBody::look(std::span<const double> q, std::span<const double> u, std::span<const double> rotors) {
  SINEW_ASSERT(int(q.size()) == model().nq && int(u.size()) == model().nu);
  SINEW_ASSERT(rotors.empty() || int(rotors.size()) == model().nu);
  own_->see(q, u, rotors);
  own_->clear();
}

void WholeBody::stand_on(const WholeBodySole& from) {
  Own& own = *own_;
  SINEW_ASSERT(own.n_soles < most_soles && own.qp.n + 6 <= most_x);
  Own::Sole& s = own.sole[std::size_t(own.n_soles)];
  s = {from, own.qp.n, pose(from.link) * from.X_BP};
  own.qp.n += 6;
  double turn[3][most_x], move[3][most_x];
  own.jacobian(from.link, s.X_WP.p, turn, move);
  const Twist<double> rest = own.coast(from.link, s.X_WP.p);
  const Vec3d wanted[2] = {transpose_times(s.X_WP.R, from.a - rest.v), transpose_times(s.X_WP.R, from.alpha - rest.w)};
  for (int k = 0; k < 6; k++) {
    const auto& rows = k < 3 ? move : turn;
    const Vec3d axis = s.X_WP.R.col(k % 3);
    Row a{};
    for (int i = 0; i < model().nu; i++)
      a[std::size_t(i)] = axis[0] * rows[0][i] + axis[1] * rows[1][i] + axis[2] * rows[2][i];
    std::copy_n(a.data(), most_x, own.J[own.n_soles][k]);
    own.add_task(a, wanted[k / 3][k % 3], from.weight);
  }
  own.n_soles++;
}

void WholeBody::want_accel(int freedom, double accel, double weight) {
  Row a{};
  a[std::size_t(freedom)] = 1.0;
  own_->add_task(a, accel, weight);
}

void WholeBody::want_turn(int link, const Vec3d& alpha, double weight) {
  double turn[3][most_x], move[3][most_x];
  const Vec3d at = pose(link).p;
  own_->jacobian(link, at, turn, move);
  const Vec3d wanted = alpha - own_->coast(link, at).w;
  for (int k = 0; k < 3; k++) {
    Row a{};
    std::copy_n(turn[k], most_x, a.data());
    own_->add_task(a, wanted[k], weight);
  }
}

void WholeBody::want_momentum(const Vec3d& force, const Vec3d& weight) {
  for (int k = 0; k < 3; k++) {
    Row a{};
    for (int s = 0; s < own_->n_soles; s++)
      for (int i = 0; i < 3; i++)
        a[std::size_t(own_->sole[std::size_t(s)].first + i)] = own_->sole[std::size_t(s)].X_WP.R(k, i);
    own_->add_task(a, force[k], weight[k]);
  }
}

void WholeBody::want_spin(const Vec3d& moment, const Vec3d& weight) {
  for (int k = 0; k < 3; k++) {
    Row a{};
    for (int s = 0; s < own_->n_soles; s++) {
      const Own::Sole& on = own_->sole[std::size_t(s)];
      for (int i = 0; i < 3; i++) {
        a[std::size_t(on.first + i)] = cross(on.X_WP.p - own_->c, on.X_WP.R.col(i))[k];
        a[std::size_t(on.first + 3 + i)] = on.X_WP.R(k, i);
      }
    }
    own_->add_task(a, moment[k], weight[k]);
  }
}

void WholeBody::want_push(int sole, const Vec3d& force, double weight) {
  const Own::Sole& on = own_->sole[std::size_t(sole)];
  const Vec3d wanted = transpose_times(on.X_WP.R, force);
  for (int i = 0; i < 3; i++) {
    Row a{};
    a[std::size_t(on.first + i)] = 1.0;
    own_->add_task(a, wanted[i], weight);
  }
}

void WholeBody::want_pressure_at(int sole, const Vec3d& at, double weight) {
  const Own::Sole& on = own_->sole[std::size_t(sole)];
  const Vec3d r = transpose_times(on.X_WP.R, at - on.X_WP.p);
  // m - r x f = 0 along the sole
  Row x{}, y{};
  x[std::size_t(on.first + 3)] = y[std::size_t(on.first + 4)] = 1.0;
  x[std::size_t(on.first + 2)] = -r[1];
  y[std::size_t(on.first + 2)] = r[0];
  own_->add_task(x, 0.0, weight);
  own_->add_task(y, 0.0, weight);
}

void WholeBody::limit(const WholeBodyDrive& drive) {
  Own& own = *own_;
  if (own.qp.n_equal == 0) own.add_base();
  for (int i = 0; i < drive.n; i++) {
    Row a{};
    double at_rest = 0.0;
    for (int k = 0; k < drive.n; k++) {
      const Row tau = own.torque_row(drive.first + k);
      for (int j = 0; j < own.qp.n; j++) a[std::size_t(j)] += drive.L[i][k] * tau[std::size_t(j)];
      at_rest += drive.L[i][k] * own.h[std::size_t(drive.first + k)];
    }
    own.bound(a, -drive.most - at_rest);
    for (double& x : a) x = -x;
    own.bound(a, -drive.most + at_rest);
  }
}

SmallQp::Status WholeBody::solve() {
  Own& own = *own_;
  if (own.qp.n_equal == 0) own.add_base();
  for (int s = 0; s < own.n_soles; s++) own.add_cone(own.sole[std::size_t(s)]);
  return own.qp.solve();
}

double WholeBody::torque(int freedom) const {
  const Row row = own_->torque_row(freedom);
  double out = own_->h[std::size_t(freedom)];
  for (int i = 0; i < own_->qp.n; i++) out += row[std::size_t(i)] * own_->qp.x[i];
  return out;
}
double WholeBody::accel(int freedom) const { return own_->qp.x[freedom]; }
Vec3d WholeBody::force(int sole) const {
  const Own::Sole& on = own_->sole[std::size_t(sole)];
  const double* f = own_->qp.x + on.first;
  return on.X_WP.R * Vec3d(f[0], f[1], f[2]);
}
int WholeBody::iterations() const { return own_->qp.iterations; }

}  // namespace sinew
