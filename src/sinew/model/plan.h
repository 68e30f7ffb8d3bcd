// Plan: what a person writes. Named bodies, joints between them, loops, gravity. SI units, radians, quaternions w-x-y-z.
// A plan is an editable value; compile() checks it and turns it into a Model.
#pragma once
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "sinew/parts/device/motion.h"
#include "sinew/parts/force/gravity.h"
#include "sinew/parts/joint/list.h"

namespace sinew {

struct BodyPlan {
  std::string name;
  double mass = 1.0;                     // [kg]
  Vec3d com = Vec3d::zero();             // centre of mass in the body's axes [m]
  Sym3d inertia = Sym3d::diagonal(0.0);  // about the centre of mass, body axes [kg m^2]
};

// Motion: the joint follows its given motion and has no freedom of its own. Servo: a drive with gains aims at the motion.
// Computed: a controller gives torques that should make it follow the motion.
enum class Drive { None, Motion, Servo, Computed };

// Vectors with one entry per axis (nu) or per coordinate (nq) of the joint may stay empty: zero, or the neutral pose.
struct JointPlan {
  std::string name;
  JointKind kind = JointKind::Revolute;
  std::string parent = "world", child;
  Vec3d p_parent = Vec3d::zero();         // joint's place in the parent's axes [m]
  Vec3d p_child = Vec3d::zero();          // joint's place in the child's axes [m]
  Quatd orientation = Quatd::identity();  // child's axes in the parent's when all coordinates are zero
  Vec3d axis = Vec3d(0, 0, 1);   // revolute, prismatic, first of universal, planar normal; child's axes at zero
  Vec3d axis2 = Vec3d(0, 1, 0);  // second of universal; also y of planar, ball and free
  bool loop = false;             // closes a loop: always cut, never carries the child
  std::vector<double> position, velocity;  // initial q (nq) and u (nu)
  std::vector<double> stiffness, damping;  // spring and damper on the axes (nu)
  std::vector<double> rest;                // coordinates at which the spring is relaxed (nq)
  Drive drive = Drive::None;
  std::vector<Motion<double>> motion;  // of a driven joint, or the servo's target (nu)
  std::vector<double> kp, kd, limit;   // servo (nu); empty limit: none
};

enum class Coordinates { Tree, Maximal };

struct Plan {
  std::vector<BodyPlan> bodies;
  std::vector<JointPlan> joints;
  Gravity<double> gravity;
};

// One thing wrong with a plan: the dotted key it concerns (as in a scenario file) and what is wrong, with the fix.
struct Problem {
  std::string key, what;
};

// All problems of a plan at once.
class PlanError : public std::runtime_error {
 public:
  explicit PlanError(std::vector<Problem> problems);
  std::vector<Problem> problems;
};

}  // namespace sinew
