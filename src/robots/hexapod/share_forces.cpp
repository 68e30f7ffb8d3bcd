#include "robots/hexapod/share_forces.h"

#include "sinew/control/legs/clinging_forces.h"

namespace sinew::robots {

using namespace legged;

void share_forces(const HexapodControl& control, const SegmentedBody& body, const Sight& see, double part, SmallQp& qp,
                  HexapodMemory& m) {
  Vec3d stand[most_legs];
  int which[most_legs], n = 0;
  for (int i = 0; i < body.legs(); i++) {
    if (m.gait.leg[i].in_air != 0.0 || has_leg(see.released, i)) continue;
    which[n] = i;
    stand[n++] = control.clings ? see.foot[i] : see.level[i];
  }
  std::array<Vec3d, most_legs> force{};
  if (control.clings) {
    Vec3d push[most_legs];
    share_clinging({stand, std::size_t(n)}, see.com_G, see.up * see.weight, {push, std::size_t(n)});
    for (int k = 0; k < n; k++) force[which[k]] = push[k];
  } else if (control.shares_force) {
    const VerticalForces wanted = share_weight({stand, std::size_t(n)}, see.load, see.weight, qp);
    for (int k = 0; k < n; k++) force[which[k]] = see.up * wanted.F[k];
  }
  for (int i = 0; i < body.legs(); i++) {
    m.push[i] += (force[i] - m.push[i]) * part;
    m.force[i] = dot(see.up, m.push[i]);
  }
}

}  // namespace sinew::robots
