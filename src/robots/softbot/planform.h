// From the planform of a soft limb to a chain of rigid links with springs (docs/theory/softbot.md#from-planform-to-links). Pure functions.
//   w(s)    width at s = distance from the root / length, in [0, 1]
//   link i  a trapezoid of length l between the widths w_a (inner end) and w_b, thickness t, density rho:
//     A = l (w_a + w_b)/2,   m = rho t A,   l_c = l (w_a + 2 w_b) / (3 (w_a + w_b)) from the inner end
//     I = rho t l^3 (w_a^2 + 4 w_a w_b + w_b^2) / (36 (w_a + w_b)) + m t^2/12     about the width axis through the centre of mass
//   joint i, at the inner end of link i:
//     k = (E t^3/12) / C / (1 - nu^2),   C = integral of ds/w over the half links on both sides (root: only the first half link)
//     c = 2 zeta sqrt(k (I + m l_c^2))   or   tau_v k
#pragma once
#include <array>
#include <string_view>
#include <vector>

namespace sinew::robots {

enum class PlanformKind { Rectangle, Diamond, Petal, Table };
inline constexpr std::array<std::string_view, 4> planform_names{"rectangle", "diamond", "petal", "table"};

struct Planform {
  PlanformKind kind = PlanformKind::Petal;
  double w0 = 0.4;                       // of a rectangle [m]
  double wr = 0.2, wm = 0.6, wt = 0.1;   // at the root, at the widest place, at the tip (diamond) [m]
  double sm = 0.6;                       // where it is widest, in parts of the length
  std::vector<double> table_s, table_w;  // of a table: places in parts of the length, ascending from 0 to 1; widths [m]
};
double width(const Planform& form, double s);
double usual_widest_place(PlanformKind kind);  // sm where none is given

// Tributary: half links in series. Simple: E w t^3/(12 l) with the width at the joint; converges more slowly.
enum class StiffnessRule { Tributary, Simple };
inline constexpr std::array<std::string_view, 2> stiffness_names{"tributary", "simple"};
enum class DampingRule { Ratio, Material };
inline constexpr std::array<std::string_view, 2> damping_names{"ratio", "material"};

struct Sheet {
  Planform form;
  int n = 3;                    // links
  double length = 1.8;          // [m]
  std::vector<double> lengths;  // of the links [m]; empty: length/n each
  double thickness = 2.54e-3;   // [m]
  double E = 4.36e6;            // modulus [Pa]
  double density = 1000.0;      // [kg/m^3]
  StiffnessRule stiffness = StiffnessRule::Tributary;
  double nu = 0.0;  // Poisson's ratio of a wide sheet; 0: a beam
  DampingRule damping = DampingRule::Ratio;
  double zeta = 0.0;         // damping ratio of each joint
  double tau_v = 0.0;        // relaxation time of the material [s]
  std::vector<double> k, c;  // instead of the rules: one for all joints, or one each
};

struct SheetLink {
  double l, w_a, w_b;  // length, widths at the inner and the outer end [m]
  double A, m, lc;     // area [m^2], mass [kg], centre of mass from the inner end [m]
  double I;            // about the width axis through the centre of mass [kg m^2]
  double I_long;       // about the axis along the link
  double I_normal;     // about the normal of the sheet
  double k, c;         // of the joint at its inner end [N m/rad, N m s/rad]
};
std::vector<SheetLink> links_of(const Sheet& sheet);

}  // namespace sinew::robots
