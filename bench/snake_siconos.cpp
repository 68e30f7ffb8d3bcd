// Siconos: its solver NSGS (relative tolerance 1e-4) on the contacts of Moreau's midpoint time stepping, the same set-valued
// Coulomb law as ours. It has no tree of universal joints, so inertia, bias forces and Jacobians are MuJoCo's.
#include <algorithm>

#include "snake_mujoco.h"

extern "C" {
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
}

namespace sinew::bench {
namespace {

class SiconosSnake : public MujocoSnake {
 public:
  SiconosSnake(const SnakeNumbers& numbers, double dt)
      : MujocoSnake(numbers, dt, "elliptic"),
        dt_(dt),
        options_(solver_options_create(SICONOS_FRICTION_3D_NSGS)),
        velocity_(mujoco_.model->nv),
        row_(3 * mujoco_.model->nv),
        remembered_(6 * numbers.links, 0.0) {
    options_->dparam[SICONOS_DPARAM_TOL] = 1e-4;
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = 1000;
  }
  SiconosSnake(const SiconosSnake&) = delete;
  SiconosSnake& operator=(const SiconosSnake&) = delete;
  ~SiconosSnake() override { solver_options_delete(options_); }

  void step() override {
    mjModel* m = mujoco_.model.get();
    mjData* d = mujoco_.data.get();
    mj_integratePos(m, d->qpos, d->qvel, 0.5 * dt_);
    free_velocity(m, d);
    close_contacts(m, d);
    if (!touching_.empty()) solve_contacts(m, d);
    mju_copy(d->qvel, velocity_.data(), m->nv);
    mj_integratePos(m, d->qpos, d->qvel, 0.5 * dt_);
  }

  int unsolved() const override { return unsolved_; }

 private:
  void free_velocity(const mjModel* m, mjData* d) {
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_crb(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    for (int i = 0; i < m->nv; i++) d->qfrc_smooth[i] = dt_ * (d->qfrc_applied[i] - d->qfrc_bias[i]);
    mj_solveM(m, d, velocity_.data(), d->qfrc_smooth, 1);
    mju_addTo(velocity_.data(), d->qvel, m->nv);
  }

  // Jacobians of the spheres that touch or penetrate: rows z, x, y each.
  void close_contacts(const mjModel* m, const mjData* d) {
    touching_.clear();
    jacobian_.clear();
    for (int k = 0; k < 2 * numbers_.links; k++) {
      const int body = body_[k / 2];
      const double local[3] = {0.5 * numbers_.length + (k % 2 == 0 ? -1.0 : 1.0) * numbers_.offset, 0.0, 0.0};
      double p[3];
      mju_rotVecMat(p, local, d->xmat + 9 * body);
      mju_addTo3(p, d->xpos + 3 * body);
      if (p[2] > numbers_.radius) continue;
      p[2] = 0.0;
      mj_jac(m, d, row_.data(), nullptr, p, body);
      jacobian_.insert(jacobian_.end(), row_.begin() + 2 * m->nv, row_.end());
      jacobian_.insert(jacobian_.end(), row_.begin(), row_.begin() + 2 * m->nv);
      touching_.push_back(k);
    }
  }

  void solve_contacts(const mjModel* m, mjData* d) {
    const int nv = m->nv, contacts = int(touching_.size()), n = 3 * contacts;
    response_.resize(n * nv), W_.resize(n * n), q_.resize(n), impulse_.resize(n);
    after_.assign(n, 0.0), mu_.assign(contacts, numbers_.mu);
    mj_solveM(m, d, response_.data(), jacobian_.data(), n);
    for (int i = 0; i < n; i++) {
      q_[i] = mju_dot(&jacobian_[i * nv], velocity_.data(), nv);
      for (int j = i; j < n; j++) W_[i * n + j] = W_[j * n + i] = mju_dot(&jacobian_[i * nv], &response_[j * nv], nv);
      impulse_[i] = remembered_[3 * touching_[i / 3] + i % 3];
    }
    NumericsMatrix* matrix = NM_create_from_data(NM_DENSE, n, n, W_.data());
    FrictionContactProblem* problem = frictionContactProblem_new_with_data(3, contacts, matrix, q_.data(), mu_.data());
    unsolved_ += fc3d_driver(problem, impulse_.data(), after_.data(), options_) != 0;
    matrix->matrix0 = nullptr, problem->q = nullptr, problem->mu = nullptr;  // ours
    frictionContactProblem_free(problem);
    std::fill(remembered_.begin(), remembered_.end(), 0.0);
    for (int i = 0; i < n; i++) {
      remembered_[3 * touching_[i / 3] + i % 3] = impulse_[i];
      mju_addToScl(velocity_.data(), &response_[i * nv], impulse_[i], nv);
    }
  }

  double dt_;
  SolverOptions* options_;
  int unsolved_ = 0;
  std::vector<int> touching_;  // spheres
  std::vector<double> velocity_, row_, jacobian_, response_, W_, q_, mu_, impulse_, after_;
  std::vector<double> remembered_;  // impulses of the last step, per sphere
};

[[maybe_unused]] const bool added = [] {
  add_snake_peer("siconos",
                 [](const SnakeNumbers& numbers, double dt) { return std::make_unique<SiconosSnake>(numbers, dt); });
  return true;
}();

}  // namespace
}  // namespace sinew::bench
