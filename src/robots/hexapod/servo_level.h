// Servo level of the hexapod (docs/theory/hexapod.md#controller): foot points to angles, angles to torques.
//   tau = kp (q_ref - q) + kd (q_ref' - q') - J^T F_ref,   |tau| <= limit
#pragma once
#include <span>
#include <vector>

#include "robots/hexapod/walk_control.h"
#include "sinew/model/state.h"

namespace sinew::robots {

// What a tick knows.
struct Sight {
  std::array<Vec3d, legged::most_legs> q;       // angles of the legs
  std::array<Vec3d, legged::most_legs> foot;    // in G [m]
  std::array<Vec3d, legged::most_legs> level;   // in axes whose z is up [m]
  std::array<Vec3d, legged::most_legs> felt{};  // forces of the ground, in G [N]
  // Where the weight and what a pressing leg does act on the plane of the feet, and how much the feet that stand carry [m, N].
  Vec3d load;
  double weight = 0.0;
  legged::LegSet released = 0;                 // legs whose pads are off: they carry nothing
  Vec3d com, com_G, up;                        // mass centre in the axes whose z is up, and in G [m]; up in G
  std::array<Posed, legged::most_segments> X;  // of the segments, in R
  Mat3d R_GR;
  Vec3d o;  // of R, in G
};

// Height of a foot that comes down, over nominal ground, so that it meets the ground at a part of the speed of its cycle and loses no time:
//   y' = y (b + (1 - b) n (2 - n)),   n = |y| / H,   dy'/dy = b at y = 0, 1 at |y| = H;   b: landing
double approached(const legged::GaitState& s, int leg, double tick, double landing);

class HexapodServo {
 public:
  HexapodServo(const HexapodControl& control, const legged::SegmentedBody& body, const HexapodWiring& wiring,
               double period);
  Vec3d walking_foot(int leg, const HexapodMemory& m) const;  // where it should be in G [m]
  void drive_leg(int leg, const Vec3d& foot, const Readings& r, const Sight& see, HexapodMemory& m,
                 Input<double>& out) const;
  // pitch: of the hinge of each segment, far end up; that of the middle one does not count.
  void hold_body(const Readings& r, std::span<const double> pitch, Input<double>& out) const;

 private:
  void round_corners(const legged::GaitState& s, int leg, double& along, double& up) const;
  double braked(double torque, double speed) const;
  void give_way(int leg, const Sight& see, const Vec3d& torques, HexapodMemory& m) const;
  bool feels() const { return wiring_.leg[0].force >= 0; }

  HexapodControl c_;
  legged::SegmentedBody body_;
  HexapodWiring wiring_;
  double period_;
  std::vector<Vec3d> neutral_;
  std::vector<legged::YawLeg> leg_;
};

}  // namespace sinew::robots
