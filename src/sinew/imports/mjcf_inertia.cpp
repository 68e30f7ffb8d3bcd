// The diagonal of M at ref: for a joint about the axis a through p, over all bodies b that it carries,
//   sum m_b |a x (c_b - p)|^2 + a.I_b a + armature;   along a: sum m_b + armature
#include "sinew/imports/mjcf_parts.h"
#include "sinew/imports/prepare.h"

namespace sinew::imports {

double inertia_at_ref(const ImportedRobot& robot, const std::string& joint) {
  std::vector<Posed> X;  // joints turn about points that do not move at ref
  int carrier = -1;
  RobotJoint found;
  for (const RobotBody& body : robot.bodies) {
    X.push_back(body.parent < 0 ? body.X_PB : X[std::size_t(body.parent)] * body.X_PB);
    for (const RobotJoint& j : body.joints)
      if (j.name == joint && carrier < 0) {
        carrier = int(X.size()) - 1;
        found = j;
      }
  }
  if (carrier < 0) return 0.0;
  const Posed& at = X[std::size_t(carrier)];
  const Vec3d a = at.R * found.axis * (1.0 / norm(found.axis)), p = at * found.anchor;
  std::vector<bool> carried(robot.bodies.size(), false);
  double sum = found.armature;
  for (std::size_t b = std::size_t(carrier); b < robot.bodies.size(); b++) {  // parents come first
    const RobotBody& body = robot.bodies[b];
    carried[b] = int(b) == carrier || (body.parent >= 0 && carried[std::size_t(body.parent)]);
    if (!carried[b]) continue;
    const Vec3d arm = cross(a, X[b] * body.com - p), own = transpose_times(X[b].R, a);
    sum += found.kind == JointKind::Prismatic ? body.mass : body.mass * dot(arm, arm) + dot(own, body.inertia * own);
  }
  return sum;
}

}  // namespace sinew::imports
