// What a biped wants to do, all of it known before it begins (but for the action "commands": command.h) (docs/theory/biped.md#walking): where its feet are, where its mass centre goes, and over
// which zero-moment points. All in axes of the ground: on a slope, x is along it and z across, and the weight pulls back, so the mass centre is ahead of its
// zero-moment point by z_c tan(slope).
//   static: the zero-moment point goes from sole to sole at shift_speed while both feet stand, waits there while the other foot steps
//   dynamic: it changes soles within the time of double support; preview control finds the mass centre
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "sinew/control/legs/biped_body.h"
#include "sinew/control/legs/footsteps.h"
#include "sinew/control/legs/pendulum.h"
#include "sinew/control/legs/preview.h"

namespace sinew::robots {

enum class BipedAction { Stand, Squat, WalkStatic, WalkDynamic, Commands };
inline constexpr std::array<std::string_view, 5> biped_action_names{"stand", "squat", "walk-static", "walk-dynamic",
                                                                    "commands"};

struct BipedOrder {
  int action = 0;
  double start = 0.5;                           // it stands before [s]
  double hip_height = 0.76;                     // when it stands [m]
  double squat_depth = 0.05, squat_time = 2.0;  // down, and as long up [m, s]
  int steps = 10;
  double length = 0.10, left = 0.0, turn = 0.0;                          // of a step [m, m, rad]
  std::vector<double> stairs;                                            // heights of treads; none: flat ground [m]
  double cycle = 6.0, shift_speed = 0.05, s_min = 0.02, beside = 0.085;  // static: of a step [s, m/s, m, m]
  double step_time = 0.8, double_part = 0.25;                            // dynamic [s, 1]
  double slope = 0.0;                                                    // by which the ground rises ahead [rad]
  double ahead = 0.02;                                                   // of the zero-moment point, from the ankle [m]
  legged::SwingShape swing;
  bool operator==(const BipedOrder&) const = default;
};

struct BipedMoment {
  Vec3d c = Vec3d::zero(), v = Vec3d::zero(), a = Vec3d::zero();  // mass centre that is wanted [m, m/s, m/s^2]
  Vec3d p = Vec3d::zero();                                        // zero-moment point that is wanted [m]
  std::array<Vec3d, 2> over;                                      // points of the soles that may carry all alone [m]
  std::array<legged::Footprint, 2> foot;                          // height: of the sole
  std::array<legged::Footprint, 2> stands;                        // where feet are, as far as it is known
  std::array<double, 2> height{};                                 // of the soles, without what a controller adds [m]
  int swings = -1;                                                // the foot in the air; -1: none
  double part = 0.0, left = 0.0;                                  // of that swing; time until it ends [s]
};

class BipedPlan {
 public:
  BipedPlan(const legged::BipedBody& body, const BipedOrder& order, double g);
  // Made of just these: it need not be made again.
  bool is_of(const legged::BipedBody& body, const BipedOrder& order, double g) const {
    return body == body_ && order == asked_ && g == weight_;
  }

  BipedMoment at(double t) const;
  double duration() const { return end_; }  // after which it stands still [s]
  double com_height() const { return z_c_; }
  Vec3d gravity() const { return gravity_; }  // in the axes of the ground [m/s^2]
  double rate() const { return w_; }          // omega0 [1/s]
  // Joint angles and pelvis of the stand, over feet side by side at the origin. Bad: the legs do not reach.
  legged::Reach stand(Vec3d& p_WP, legged::BothLegs& q) const;
  // Where the robot's parts are at a moment.
  legged::BipedAim aim_of(const BipedMoment& moment) const;
  // Empty: it can be done; else why not. Joints are looked at every 50 ms.
  std::string problem() const { return problem_; }

 private:
  struct Span {
    double begin, time;
    int swings;  // -1: both feet stand
    std::array<legged::Footprint, 2> from;
    legged::Footprint to;  // of the foot that swings
  };
  void add_static(const std::vector<legged::PlannedStep>& steps);
  void add_dynamic(const std::vector<legged::PlannedStep>& steps);
  void add_span(double time, int swings, const legged::Footprint& to);
  void move_zmp(double time, const Vec3d& to);
  void run_preview(double g);
  std::array<std::vector<double>, 2> off_by_momentum(int n, double g) const;
  Vec3d over_sole(const std::array<legged::Footprint, 2>& foot, int side) const;
  Vec3d over_both() const;
  double floor_at(const Span& span, double part) const;
  void find_height();
  void check_joints();

  legged::BipedBody body_;
  BipedOrder order_, asked_;                               // as it is carried out, and as it was given
  double weight_;                                          // of a mass [m/s^2]
  double z_c_ = 0.6, w_ = 4.0, end_ = 0.0, uphill_ = 0.0;  // uphill_: of the mass centre, ahead of its point [m]
  Vec3d gravity_;
  std::array<legged::Footprint, 2> foot_;  // while it is planned
  Vec3d p_ = Vec3d::zero();
  std::vector<Span> spans_;
  std::array<std::vector<legged::ZmpStretch>, 2> zmp_;
  std::array<std::vector<legged::ComStretch>, 2> com_;
  legged::CartTable cart_;
  std::array<std::vector<legged::CartState>, 2> carts_;  // of dynamic walking, a sample each
  std::string problem_;
};

}  // namespace sinew::robots
