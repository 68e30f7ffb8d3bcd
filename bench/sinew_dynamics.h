// One robot (S = double) or one register of robots (S = Lanes) with all that its dynamics need.
#pragma once
#include "robots.h"
#include "sinew/dynamics/articulated.h"
#include "sinew/dynamics/inverse.h"
#include "sinew/dynamics/mass.h"

namespace sinew::bench {

template <Real S>
class Dynamics {
 public:
  explicit Dynamics(const Plan& plan)
      : compiled_(compile(plan)),
        model_(*compiled_.model),
        params_(broadcast<S>(compiled_.params)),
        state_(broadcast<S>(compiled_.state)),
        frames_(model_),
        driven_(model_),
        blocks_(model_),
        inverse_(model_),
        mass_(model_),
        torque_(model_.nu, S(0.0)),
        given_accel_(model_.nu, S(0.0)),
        accel_(model_.nu, S(0.0)),
        axis_torque_(model_.n_frame_axes),
        M_(model_.nu * model_.nu) {
    const Motion motion = motion_of(plan);
    for (std::size_t i = 0; i < motion.angle.size(); i++) {
      state_.q[7 + i] = S(motion.angle[i]);
      state_.u[6 + i] = S(motion.rate[i]);
      torque_[6 + i] = S(motion.torque[i]);
      given_accel_[6 + i] = S(motion.accel[i]);
    }
  }

  // Each starts from q and u alone.
  const std::vector<S>& forward() {
    evaluate();
    forward_dynamics<S>(model_, params_, frames_, {torque_.data()}, blocks_, accel_.data());
    return accel_;
  }
  const std::vector<S>& inverse() {
    evaluate();
    inverse_dynamics<S>(model_, params_, frames_, {given_accel_.data()}, inverse_, axis_torque_.data());
    return axis_torque_;
  }
  const std::vector<S>& mass() {
    evaluate();
    mass_matrix<S>(model_, params_, frames_, mass_, M_.data());
    return M_;
  }

 private:
  void evaluate() { evaluate_frames(model_, params_, state_.q.data(), state_.u.data(), driven_, frames_); }

  Compiled compiled_;
  const Model& model_;
  Params<S> params_;
  State<S> state_;
  Frames<S> frames_;
  Prescribed<S> driven_;
  Blocks<S> blocks_;
  InverseWork<S> inverse_;
  MassWork<S> mass_;
  std::vector<S> torque_, given_accel_, accel_, axis_torque_, M_;
};

}  // namespace sinew::bench
