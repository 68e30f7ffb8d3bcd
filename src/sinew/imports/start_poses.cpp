#include "sinew/imports/prepare.h"
#include "sinew/math/rotation.h"

namespace sinew::imports {
namespace {

Posed about(const Vec3d& anchor, const Vec3d& axis, double angle) {
  const Mat3d R = to_matrix(quaternion_exp(axis * (angle / norm(axis))));
  return {R, anchor - R * anchor};
}

}  // namespace

std::vector<Posed> start_poses(const ImportedRobot& robot) {
  std::vector<Posed> poses;
  for (const RobotBody& body : robot.bodies) {
    Posed X = body.parent < 0 ? body.X_PB : poses[std::size_t(body.parent)] * body.X_PB;
    for (const RobotJoint& joint : body.joints) {
      const double by = joint.position - joint.zero;
      if (joint.kind == JointKind::Revolute) X = X * about(joint.anchor, joint.axis, by);
      if (joint.kind == JointKind::Ball) {
        const Mat3d R = to_matrix(joint.turned);
        X = X * Posed{R, joint.anchor - R * joint.anchor};
      }
      if (joint.kind == JointKind::Prismatic) X = X * Posed{Mat3d::identity(), joint.axis * (by / norm(joint.axis))};
    }
    poses.push_back(X);
  }
  return poses;
}

}  // namespace sinew::imports
