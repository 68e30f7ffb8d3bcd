// TransmissionPlan: what is between the drives of a joint and its axes, as a person writes it (docs/theory/transmissions.md).
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/keys.h"
#include "sinew/parts/transmission/transmission.h"

namespace sinew {

struct JointPlan;
struct RobotPlan;

enum class Mechanism { Direct, Differential, Parallel, Knee };
inline constexpr std::array<std::string_view, 4> mechanism_names{"direct", "differential", "parallel", "knee"};

// Places and directions in the axes of the joint's parent and, at zero coordinates, of its child, from the joint's centre.
struct TransmissionPlan {
  Mechanism kind = Mechanism::Direct;
  double ratio = 1.0;  // direct, differential: turns of a drive for one of the joint
  // parallel: ball points of the first drive, or of both; the second is the first mirrored at y = 0
  std::vector<double> base = {-0.06, 0.045, 0.17}, moving = {-0.06, 0.045, 0.01};  // [m]
  Vec3d along = Vec3d(0, 0, 1);        // parallel, knee: direction in which strokes count
  double rod = 0.16;                   // parallel, knee: length of the rods [m]
  double radius = 0.07;                // knee: of the crank [m]
  double angle = -0.8726646259971648;  // knee: of the crank at q = 0, counted from across the drive [rad]
  double offset = -0.0585;             // knee: of the drive's line from the axis [m]

  // Where it is and what moves with its drives: of RobotPlan::transmissions, and of add_transmission_bodies.
  std::string name = {}, joint = {};
  double reflected =
      0.0;  // of each drive: rotor and screw, as the stroke feels them; weightless [kg, or kg m^2 without rods]
  double slider_mass = 0.0;  // of each drive: what slides, real mass [kg]

  bool operator==(const TransmissionPlan& other) const;
  bool has_rods() const { return kind == Mechanism::Parallel || kind == Mechanism::Knee; }
};

// Its numbers, keys of the open table.
void describe(Keys& keys, TransmissionPlan& plan);
void describe_numbers(Keys& keys, TransmissionPlan& plan);  // all but the kind

// For the joint's axes. The plan is checked.
Transmission<double> make_transmission(const TransmissionPlan& plan, const JointPlan& joint);
// The same for axes that are given: unit vectors in the parent's axes at zero coordinates.
struct JointAxes {
  int n;
  Vec3d first, second;
};
Transmission<double> make_transmission(const TransmissionPlan& plan, const JointAxes& axes);

// What is wrong with it: key of the open table, what; empty: nothing.
struct TransmissionProblem {
  std::string key, what;
};
std::vector<TransmissionProblem> problems_of(const TransmissionPlan& plan, const JointPlan& joint);

// The mechanism as real bodies: for each drive a slider on the joint's parent, NAME.slider1, with the joint NAME.stroke1, and a rod, NAME.rod1,
// that a loop, NAME.end1, holds to the child. They start in the pose of the joint, with its velocities. Forces act on the strokes. Only of plans
// with rods; the bodies need masses above 0.
void add_transmission_bodies(const TransmissionPlan& plan, double rod_mass, RobotPlan& robot);

}  // namespace sinew
