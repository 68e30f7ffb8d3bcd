// The quadruped of Liu and Ben-Tzvi 2018, its feet, its states, and random ones.
#pragma once
#include <random>

#include "robots/quadruped/stance.h"

namespace sinew::legged {

inline const Feet reference_feet{Vec3d(0.41, 0.63, 0.0), Vec3d(-0.01, 0.57, 0.0), Vec3d(-0.01, 0.03, 0.0),
                                 Vec3d(0.41, -0.03, 0.0)};
inline const Vec8 q0{0.2, 0.3, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0};

struct GivenState {
  Vec8 q, u;
  Vec14 tau;
};
inline const GivenState state_A{q0, {}, {0, 0, 15, 15, 20.5, 20.5, -7.7, 0}};
inline const GivenState state_B{{0.21, 0.31, 0.39, 0.05, -0.08, 0.12, 0.3, -0.5},
                                {0.2, -0.3, 0.1, 0.8, -0.6, 1.1, 2, -3},
                                {5, -4, 18, 16, 22, 20, -7, 3, 2, -1, 1.5, -2.5, 0.5, -0.5}};
inline const GivenState state_C{{0.18, 0.28, 0.36, -0.12, 0.1, -0.2, -0.6, 0.9},
                                {-0.5, 0.4, -0.3, -1.5, 1.2, -2, -4, 5},
                                {-12, 9, 25, 21, 17, 28, 6, -11, 4, -3, -6, 5, 7, -8}};

// Poses, speeds, torques, lengths, tip mass and knees at random.
struct RandomState : GivenState {
  Quadruped robot;
};
inline RandomState random_state(std::mt19937_64& dice) {
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice); };
  RandomState s;
  s.q = q0;
  for (int i = 0; i < 3; i++) s.q[i] += in(-0.04, 0.04), s.q[3 + i] = in(-0.25, 0.25);
  for (int i = 6; i < 8; i++) s.q[i] = in(-1.2, 1.2);
  for (double& x : s.u) x = in(-3.0, 3.0);
  for (double& x : s.tau) x = in(-30.0, 30.0);
  for (LegShape& leg : s.robot.leg)
    leg.l_th = in(0.27, 0.33), leg.l_sh = in(0.27, 0.33), leg.knee = in(0.0, 1.0) < 0.5 ? -1.0 : 1.0;
  s.robot.tail.tip = in(0.3, 3.0);
  return s;
}

inline Stance stance_at(const Quadruped& robot, const GivenState& s, const Feet& feet = reference_feet) {
  Stance out;
  evaluate(robot, stance_of(s.q, s.u), feet, out);
  return out;
}

}  // namespace sinew::legged
