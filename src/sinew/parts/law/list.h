// All set-valued laws, by name: the set that a block of impulses lives in. The contract tests and the documents run over it.
#pragma once
#include <array>
#include <string_view>

#include "sinew/parts/law/axis_list.h"
#include "sinew/parts/law/contact_law.h"

namespace sinew::law {

// Numbers that the sets depend on; each law uses its own.
struct SetParams {
  ContactLaw<double> contact;
  double P_N = 1.0;    // normal impulse that scales friction [N s]
  double bound = 1.0;  // largest torque of a servo or of dry friction [N m]
  double dt = 1.0;     // [s]
};

struct ListedLaw {
  std::string_view name, what;
  int rows;
  void (*project)(const SetParams&, double* P);  // the nearest admissible impulse
};

inline constexpr std::array listed{
    ListedLaw{"ideal", "joints, anchors: any impulse", 1,
              [](const SetParams&, double* P) { P[0] = ideal(0.0).project(P[0]); }},
    ListedLaw{"unilateral", "normal impulse of a contact, Newton's restitution: P >= 0", 1,
              [](const SetParams&, double* P) { P[0] = unilateral(0.0).project(P[0]); }},
    ListedLaw{"coulomb", "sliding: disk, ellipse, or two half ellipses of size mu P_N", 2,
              [](const SetParams& s, double* P) {
                const Coulomb<double> set{s.contact.mu_forward, s.contact.mu_backward, s.contact.mu_trans};
                const Vec2<double> q = set.project({P[0], P[1]}, s.P_N);
                P[0] = q.x;
                P[1] = q.y;
              }},
    ListedLaw{"rolling", "turning about a tangent: disk of radius rolling P_N", 2,
              [](const SetParams& s, double* P) {
                const Vec2<double> q = project_disk(Vec2<double>{P[0], P[1]}, s.contact.rolling * s.P_N);
                P[0] = q.x;
                P[1] = q.y;
              }},
    ListedLaw{"drilling", "spinning about the normal: |P| <= drilling P_N", 1,
              [](const SetParams& s, double* P) {
                const double bound = s.contact.drilling * s.P_N;
                P[0] = project_interval(P[0], -bound, bound);
              }},
    ListedLaw{"limit", "end of a joint's range: P >= 0 away from it", 1,
              [](const SetParams&, double* P) { P[0] = unilateral(0.0).project(P[0]); }},
    ListedLaw{"servo", "implicit PD drive: |P| <= limit dt", 1,
              [](const SetParams& s, double* P) {
                const ServoStep<double> step{.kp = 100.0,
                                             .kd = 1.0,
                                             .lower = -s.bound,
                                             .upper = s.bound,
                                             .error = 0.1,
                                             .rate = 0.0,
                                             .rate_ref = 0.0,
                                             .dt = s.dt,
                                             .theta = 1.0};
                P[0] = servo(step).project(P[0]);
              }},
#define SINEW_LAW(Law, key)                                                              \
  ListedLaw{Law::name, Law::doc, 1, [](const SetParams& s, double* P) {                  \
              P[0] = Law::at(s.bound, AxisMotion<double>{0.1, 0.2, s.dt}).project(P[0]); \
            }},
    SINEW_AXIS_LAWS(SINEW_LAW)
#undef SINEW_LAW
};

}  // namespace sinew::law
