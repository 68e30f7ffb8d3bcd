// What the robots with soft limbs share: keys of a limb, its bodies and joints, results in the letters of docs/theory/softbot.md.
// The plane of motion is the world's x-z plane, z up: (x, y) of that page. Angles of links are absolute; on the right, and of the
// limb alone, they turn from x to z, on the left from -x to z, so that equal values mirror each other. The coordinates
// of the joints are the angles between neighbours (delta of that page).
#pragma once
#include <string>
#include <vector>

#include "robots/softbot/planform.h"
#include "sinew/model/compile.h"
#include "sinew/model/keys.h"
#include "sinew/model/results.h"

namespace sinew::robots {

struct SoftLimb {
  Sheet sheet;
  std::vector<double> rest;           // angles between neighbours without load; empty: flat [rad]
  std::vector<double> theta0, rate0;  // absolute angles of the links at the start, and their rates; empty: 0
  int count() const { return sheet.lengths.empty() ? sheet.n : int(sheet.lengths.size()); }
};

void describe(Keys& keys, SoftLimb& limb);

// Where a limb begins.
struct Root {
  std::string body = "world", prefix;  // what carries it; of the names of its links
  std::string joint_prefix;            // of the names of its joints
  Vec3d at = Vec3d::zero();            // in the axes of that [m]
  double side = 1.0;                   // 1: along x; -1: the mirror image
  double angle = 0.0, rate = 0.0;      // of what carries it, counted as the limb's own angles
};
void add_limb(const SoftLimb& limb, const Root& root, Plan& plan);

// "+ joint.J1.q + joint.J2.q": the absolute angle (q) or rate (u) of link i = 1 .. n, but for what carries the limb.
std::string link_angle(const std::string& joint_prefix, int i, char what);

// Energies, and what was taken out.
std::vector<ResultPlan> energy_results();

// Numbers of the links: l, w, A, m, lc, I, k, c, mass_total, with a prefix.
void add_numbers(const std::string& prefix, const SoftLimb& limb, std::vector<ResultPlan>& results);

// Largest frequency of the flat robot without gravity [rad/s]. Grows with the square of the number of links.
double fastest_vibration(const PlannedTree& moving);

// Lines of a table with what follows from the planform.
std::vector<std::string> notes_of(const std::string& title, const SoftLimb& limb);

}  // namespace sinew::robots
