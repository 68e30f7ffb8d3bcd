// Feedback of joint angles: proportional-differential (pd), or the linear regulator of least cost (lqr), on some or all
// axes of the joints that it follows (docs/theory/control.md#linear-regulator).
//   u = u* - gain (r - r_wanted),   r = (angles, rates),   sampled once per step
//   pd:   gain = [kp, kd] of each actuated axis on its own angle
//   lqr:  gain of control/riccati.h for the robot made linear about a pose; freedoms of joints that it does not follow (a
//         free base) are eliminated, because torques inside a robot cannot change its momentum
// r_wanted is the joints' given motion; with `balance` it is the pose nearest to it that the actuated axes can hold, and u*
// what holds it. What an actuator can give: see Actuator.
#pragma once
#include <memory>
#include <string>

#include "sinew/control/controller.h"
#include "sinew/model/compile.h"

namespace sinew {

enum class ControlKind { ComputedTorque, Pd, Lqr, Policy, Fmu };
inline constexpr std::array<std::string_view, 5> control_names{"computed-torque", "pd", "lqr", "policy", "fmu"};
inline bool is_feedback(ControlKind kind) { return kind == ControlKind::Pd || kind == ControlKind::Lqr; }

// Joint: coordinates of the joints. Link: direction of the link that a joint carries, the sum of all angles up to there.
enum class ControlAngles { Joint, Link };
inline constexpr std::array<std::string_view, 2> control_angle_names{"joint", "link"};

// Vectors have one entry per followed or actuated axis, or one for all of them.
struct FeedbackPlan {
  std::vector<std::string> joints = {};       // followed besides those with drive = "computed"; names with * and ?
  std::vector<std::string> actuated = {"*"};  // those of them that have an actuator
  ControlAngles angles = ControlAngles::Joint;
  std::vector<double> kp = {1.0}, kd = {1.0};                       // pd, per actuated axis [N m/rad, N m s/rad]
  std::vector<double> angle_weights = {1.0}, rate_weights = {1.0};  // lqr, per followed axis
  std::vector<double> torque_weights = {1.0};                       // lqr, per actuated axis
  bool balance = false;
  std::vector<double> limit = {std::numeric_limits<double>::infinity()};        // per actuated axis [N m or N]
  std::vector<double> limit_angle = {std::numeric_limits<double>::infinity()};  // at which nothing of it is left [rad]
  std::vector<double> lag = {0.0};                                              // time constant [s]
};

// The plan with drive = "computed" on the joints that the feedback follows. Throws PlanError.
Plan with_followed_joints(Plan plan, const FeedbackPlan& feedback);

class Feedback : public Controller {
 public:
  // period: time between two updates [s]. Throws PlanError. Designed for the robot, or for a model of its own, compiled here.
  Feedback(const PlannedTree& robot, ControlKind kind, const FeedbackPlan& feedback, double period);
  Feedback(const Plan& own, ControlKind kind, const FeedbackPlan& feedback, double period);
  ~Feedback() override;
  void update(const Readings& readings, std::span<double> memory, Input<double>& out) override;

  // What was designed, in the angles that were chosen.
  struct Design {
    int n_axes, n_actuated;
    std::vector<double> gain;  // row by row: one per actuated axis; angles, then rates
    // Real parts of the eigenvalues of the loop, closed and open, about the pose that it is designed for, the slowest first
    // [1/s]; none for a pd whose base does not follow from the joints.
    std::vector<double> poles_re, poles_open_re;
    std::vector<double> mass;           // of the axes, row by row, in joint coordinates; lqr only
    std::vector<double> held, held_at;  // u* [N m], and the angles it holds [rad]
    // States, angles and rates, that the actuators can bring to any value: 2 n_axes where nothing is out of their reach. Modes that
    // they cannot move are counted by Hautus' test, rank of [F - pole, G]. 0: not known, as poles_re.
    int controllable = 0;
  };
  Design design() const;

  // Puts the joints of the plan into the pose that `balance` holds. False: it holds none.
  bool put_held(Plan& plan) const;

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace sinew
