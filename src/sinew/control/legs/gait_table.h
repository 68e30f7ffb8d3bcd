// Gaits as tables: which part of a period each foot is in the air, when it begins, and who may not be in the air with it
// (docs/theory/hexapod.md#gaits). Legs in rows from front to rear, left ones first: L1 L2 ... Ln R1 R2 ... Rn.
//   psi_i = frac(Phi - offset_i)      Phi master phase, psi_i that of leg i; psi_i < tau: in the air
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sinew::legged {

inline constexpr int most_legs = 12;
using LegSet = std::uint32_t;  // bit i: leg i
constexpr LegSet leg_bit(int i) { return LegSet(1) << i; }
constexpr bool has_leg(LegSet set, int i) { return (set >> i & 1) != 0; }
int count_legs(LegSet set);

struct GaitTable {
  std::string name;
  int legs = 6;
  double tau = 0.5;                            // swing / (swing + stance)
  std::array<double, most_legs> offset{};      // of Phi where the swing of a leg begins, in [0, 1)
  std::array<LegSet, most_legs> neighbours{};  // of each leg: never in the air together with it
  int most_airborne = 3;  // while legs are placed before the first step; of a free gait: at any time
  // No offset says when a leg steps: a StepChooser does (gait_generator.h). tau is the largest; smaller ones make a slower body.
  bool free = false;
};

// Ring: along the left side from front to rear, and back along the right. Chain: both sides without the links across.
enum class Neighbours { Ring, Chain };
inline constexpr std::array<std::string_view, 2> neighbour_names{"ring", "chain"};
std::array<LegSet, most_legs> neighbours_of(Neighbours graph, int rows);

// wave: one leg after the other, from the rear, left before right. gallop: left and right leg of a row together, from the rear.
// tripod: two groups in turn (of two rows: a trot). ripple: waves on both sides, half a period apart. amble: two legs that lie opposite
// to one another through the middle.
enum class Gait { Wave, Gallop, Tripod, Ripple, Amble };
inline constexpr std::array<std::string_view, 5> gait_names{"wave", "gallop", "tripod", "ripple", "amble"};
GaitTable gait_table(Gait gait, int rows = 3);
// Feet start at the places of a wave.
GaitTable free_gait_table(int rows = 3);

// As users of other controllers write it: swing and stance in counts, and each leg's begin of swing as `phase_offset` times its multiplier.
struct GaitCounts {
  int stance = 2, swing = 2, phase_offset = 1;
  std::span<const int> offset_multiplier;  // one for each leg: L1 L2 ... R1 R2 ...
};
GaitTable gait_table(const GaitCounts& counts, Neighbours graph = Neighbours::Ring);

// Empty: good; else what is wrong. Two neighbours whose swings overlap are wrong: the rules would hold one of them for ever.
std::string problem_of(const GaitTable& table);

// Of the table, not of its legs on the ground.
LegSet airborne_at(const GaitTable& table, double Phi);

}  // namespace sinew::legged
