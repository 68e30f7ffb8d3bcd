// Pitch in flight by the tail (docs/theory/quadruped.md#flight): every 10 ms the angle of the tail that leads to the wanted pitch is
// planned anew from attitude and momentum as they are, by the closed form; PD takes the tail there. Legs are locked.
//   wanted turn = goal - phi_x - (L_x / I_x) (time left),   I_x: of the whole robot about its mass centre, tail as it is
#include <algorithm>
#include <cmath>

#include "robots/quadruped/control.h"
#include "robots/quadruped/flight.h"
#include "robots/quadruped/places.h"

namespace sinew::robots {
namespace {

using namespace legged;

class Flight : public Controller {
 public:
  Flight(const QuadrupedControl& c, const QuadrupedInput& in, const Plan& plan)
      : c_(c),
        tail_(in.robot.tail),
        at_(plan),
        walker_(in.robot),
        now_(in.state()),
        memory_(memory_offset(plan, flight_memory)) {
    now_.mode.fill(LegMode::Locked);
    for (int i = 0; i < 4; i++) now_.theta[i] = {in.swing[i][0], in.swing[i][1], in.swing[i][2]};
    walker_.evaluate(now_);
    body_ = walker_.composite();
  }

  void update(const Readings& r, std::span<double> memory, Input<double>& out) override {
    double &next = memory[std::size_t(memory_)], &aim = memory[std::size_t(memory_) + 1];
    if (r.t >= next - 1e-9) {
      aim = planned(r);
      next = r.t + period;
    }
    const double want[2] = {aim, 0.0};
    for (int c = 0; c < 2; c++) {
      const int q = at_.tail_q + c, u = at_.tail_u + c;
      out.torque[u] = c_.tail_kp * (want[c] - r.q[q]) - c_.tail_kd * r.u[u];
    }
  }

 private:
  static constexpr double period = 0.01;  // [s]

  // Angle of the tail.
  double planned(const Readings& r) {
    const double *q = r.q.data() + at_.plate_q, *u = r.u.data() + at_.plate_u;
    now_.p = Vec3d(q[0], q[1], q[2]);
    now_.R = to_matrix(Quatd{q[3], q[4], q[5], q[6]});
    now_.w = now_.R * Vec3d(u[0], u[1], u[2]);
    now_.v = Vec3d(u[3], u[4], u[5]);
    for (int c = 0; c < 2; c++) {
      now_.tail[c] = r.q[at_.tail_q + c];
      now_.tail_rate[c] = r.u[at_.tail_u + c];
    }
    walker_.evaluate(now_);
    const double ta = now_.tail[0], L = dot(now_.R.col(0), walker_.angular_momentum());
    const double left = std::max(0.0, c_.flight_time - r.t), drift = L / pitch_inertia(body_, tail_, ta) * left;
    const double turn = c_.flight_goal - angles_of(now_.R)[0] - drift;
    const double aim = tail_for_pitch(body_, tail_, pitch_by_tail(body_, tail_, 0.0, ta) + turn, c_.tail_range);
    return std::isnan(aim) ? std::copysign(c_.tail_range, -turn) : aim;  // out of reach: as far as it goes
  }

  QuadrupedControl c_;
  TailShape tail_;
  Places at_;
  Walker walker_;
  WalkerState now_;
  Walker::Composite body_;
  int memory_;  // two numbers: when it plans next [s], and the angle of the tail [rad]
};

}  // namespace

std::unique_ptr<Controller> make_flight_controller(const QuadrupedControl& control, const QuadrupedInput& in,
                                                   const Plan& plan) {
  return std::make_unique<Flight>(control, in, plan);
}

}  // namespace sinew::robots
