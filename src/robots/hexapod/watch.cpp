#include "robots/hexapod/watch.h"

#include <cmath>

namespace sinew::robots {

using legged::WalkFault;

namespace {

constexpr double most_behind = 0.15, most_apart = 0.1, fault_time = 0.05;  // [rad, rad, s]
constexpr double stuck_time = 0.15;  // for which no leg of a robot that walks feels the same [s]

}  // namespace

WalkFault watch_joints(LegWatch& w, const JointErrors& e, double period) {
  w.behind = e.following > most_behind ? w.behind + 1.0 : 0.0;
  w.apart = e.apart > most_apart ? w.apart + 1.0 : 0.0;
  if (e.lost) return WalkFault::JointSensor;
  if (w.apart * period > fault_time) return WalkFault::Disagreement;
  return w.behind * period > fault_time ? WalkFault::Following : WalkFault::None;
}

void watch_force(LegWatch& w, const Vec3d& said, double period) {
  const bool same = said[0] == w.said[0] && said[1] == w.said[1] && said[2] == w.said[2];
  w.same = same && dot(said, said) > 0.0 ? w.same + 1.0 : 0.0;
  w.said = said;
  if (w.same * period > stuck_time) w.blind = 1.0;
}

}  // namespace sinew::robots
