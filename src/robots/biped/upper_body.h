// The biped's upper body with joints (docs/theory/biped.md#full-body): a waist of three, two arms of six each. The 10 kg over the hips and their mass centre
// stay those of the rigid trunk while all of it is upright. The waist's yaw and the pitch of both shoulders, one forward and one back, turn against the legs.
#pragma once
#include <array>
#include <string_view>

#include "sinew/control/legs/yaw_balance.h"
#include "sinew/model/keys.h"
#include "sinew/model/plan.h"

namespace sinew::robots {

enum class UpperKind { Rigid, Jointed };
inline constexpr std::array<std::string_view, 2> upper_names{"rigid", "jointed"};
enum class ArmSwing { Cancel, Still };
inline constexpr std::array<std::string_view, 2> arm_swing_names{"cancel", "still"};

struct BipedUpper {
  int kind = 0;
  int swing = 0;
  double waist_above = 0.12, shoulder_above = 0.46, shoulder_beside = 0.20;  // over the hips, from the middle [m]
  double upper_arm = 0.24, forearm = 0.22, hand = 0.08;                      // [m]
  double m_chest = 3.0, m_waist = 0.3;                                       // [kg]
  double m_upper_arm = 0.8, m_forearm = 0.5, m_hand = 0.2;                   // of one arm [kg]
  double kp = 400.0, kd = 12.0;                                              // [N m/rad, N m s/rad]
  double elbow = -0.3;                                                       // how they are bent [rad]
  double forget = 3.0, most_waist = 0.5, most_arm = 0.9;                     // [s, rad, rad]

  bool is_jointed() const { return UpperKind(kind) == UpperKind::Jointed; }
  double m_arm() const { return m_upper_arm + m_forearm + m_hand; }
  double mass() const { return m_chest + m_waist + 2.0 * m_arm(); }
};
void describe_upper_kind(Keys& keys, BipedUpper& upper);
void describe_upper(Keys& keys, const legged::BipedBody& body, double m_hips, BipedUpper& upper);

// First moment of an arm about its shoulder, elbow bent; x: ahead, z: up [kg m]; and what the whole upper body has about its waist's yaw [kg m^2].
struct UpperInertia {
  double arm_x, arm_z, about_waist;
};
UpperInertia upper_inertia(const BipedUpper& upper);
// First moment of all of it about the middle between the hips [kg m].
Vec3d upper_moment(const BipedUpper& upper);
void add_upper(const BipedUpper& upper, Plan& plan);

// All that is remembered of it: doubles alone. Parts: the waist, the arms.
struct UpperMemory {
  double begun = 0.0;
  std::array<Vec3d, 7> point{};  // masses of the last pose, in W [m]
  double L = 0.0;                // of the legs, smoothed [N m s]
  legged::YawPart waist, arms;
};

// Axes of its joints in the plan's list.
struct UpperWiring {
  int waist = -1;
  std::array<int, 2> shoulder{-1, -1};
};
UpperWiring upper_wiring(const Plan& plan);
// Where its parts are one period later, from the pose of the legs; then the torques that make servos of the plan, which pull to rest, follow.
void swing_upper(const BipedUpper& upper, std::span<const legged::MassPoint> now, double period, UpperMemory& m);
void command_upper(const BipedUpper& upper, const UpperWiring& wiring, const UpperMemory& m, std::span<double> torque);

}  // namespace sinew::robots
