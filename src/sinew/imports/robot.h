// A robot as files of other programs have it, in the house's units and axes: what readers of URDF, MJCF and SDF make, and what becomes a
// scenario (write_scenario.h). Bodies stand after what carries them.
#pragma once
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sinew/imports/notes.h"
#include "sinew/math/rotation.h"
#include "sinew/math/spatial.h"
#include "sinew/parts/joint/list.h"
#include "sinew/parts/shape/shape.h"
#include "sinew/parts/terrain/terrain.h"

namespace sinew::imports {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

struct Surface {                       // how a shape touches
  double mu_long = -1, mu_trans = -1;  // below 0: not given
  double drilling = 0, rolling = 0;    // [m]
  double restitution = 0;
  double stiffness = 0;          // of penalty contacts; 0: not given [N/m]
  Vec3d along = Vec3d(1, 0, 0);  // in the body's axes

  bool is_given() const { return mu_long >= 0 || mu_trans >= 0 || stiffness > 0 || restitution > 0; }
};

struct RobotShape {
  std::string name;
  Shape shape;  // a hull has no mesh yet: see file
  Posed X_BS = Posed::identity();
  std::string file = {},
              written = {};  // of a hull: the path that was found, empty if none was; the name as it is written
  Vec3d scale = Vec3d(1, 1, 1);
  Surface surface = {};
  bool thinned = false;  // its hull has fewer points than that of its file
  int line = 0;
};

struct RobotJoint {
  std::string name;
  JointKind kind = JointKind::Revolute;
  Vec3d anchor = Vec3d::zero();  // in the body's axes [m]
  Vec3d axis = Vec3d(0, 0, 1);   // in the body's axes
  double zero = 0;               // its coordinate where the body is at its place in the parent [rad or m]
  double lower = -infinite, upper = infinite;
  double damping = 0, friction = 0, armature = 0, stiffness = 0, rest = 0;
  double effort = 0, speed = 0;  // most that its drive gives, and how fast; 0: not said [N m or N, rad/s or m/s]
  std::string drive = "none";    // none, servo, torque
  double kp = 0, kd = 0;         // of a servo
  double target = 0;             // of a servo: where it aims; of a torque: what it gives
  double target_speed = 0;       // of a servo without kp [rad/s or m/s]
  double position = 0;           // at the start; of a joint with one axis
  Quatd turned{1, 0, 0, 0};      // the same of a ball joint: of the child against its place in the parent
  int line = 0;
};

struct RobotBody {
  std::string name;
  int parent = -1;                     // -1: the world
  Posed X_PB = Posed::identity();      // where it is in the parent's axes when all joints are at their zero
  std::vector<RobotJoint> joints;      // none: it is fixed to its parent; several act one after the other
  bool held = false;                   // by the file itself it does not move in the world
  bool free = false;                   // floats in the world; position and velocity of X_PB are its start
  double mass = 0;                     // [kg]
  double gravcomp = 0;                 // share of its weight that is carried
  Vec3d com = Vec3d::zero();           // [m]
  Sym3d inertia = Sym3d::diagonal(0);  // about com, in the body's axes [kg m^2]
  std::vector<RobotShape> shapes;      // with which it touches
  std::vector<std::string> merged;     // bodies that were fixed to it and are part of it now
  bool is_seen = false;                // it has looks or shapes by the file: a thing, not only a frame between joints
  int line = 0;
};

// Holds two bodies together where they are parts of a tree already.
struct RobotLoop {
  std::string name;
  JointKind kind = JointKind::Ball;                                 // or Weld, Revolute, Prismatic
  Vec3d axis = Vec3d(0, 0, 1);                                      // in the joint's frame
  std::array<std::string, 2> bodies = {};                           // the first may be "world"
  std::array<Posed, 2> X = {Posed::identity(), Posed::identity()};  // the joint's frame in the axes of each
  int line = 0;
};

// sum_i (a_i q_i + b_i q_i^2 + c_i q_i^3 + d_i q_i^4) = sum; the first joint, with a factor of 1, follows the others.
struct RobotCoupling {
  struct Term {
    std::string joint;
    std::array<double, 4> factor = {};
  };
  std::string name;
  std::vector<Term> terms;
  double sum = 0;
  int line = 0;
};

// An instrument, or a point that is looked at.
struct RobotSensor {
  std::string name = {}, kind = {};   // of [sensor.NAME]; or "marker"
  std::string body = {}, joint = {};  // one of them
  Posed X = Posed::identity();        // in the body's axes
  int line = 0;
};

struct ImportedRobot {
  std::string name, file;
  std::vector<RobotBody> bodies;
  bool touches_itself = false;
  std::vector<std::array<std::string, 2>> apart;  // bodies that never touch
  bool has_ground = false, place_on_ground = true;
  double ground_height = 0;  // along its normal [m]
  Vec3d ground_normal = Vec3d(0, 0, 1);
  std::optional<HeightField> heights = {};  // the ground, instead of a plane
  MeshPtr ground_mesh = {};                 // the same
  std::vector<RobotLoop> loops;
  std::vector<RobotCoupling> couplings;
  std::vector<RobotSensor> sensors;
  std::vector<std::string> unweighed;  // bodies whose mass is that of a mesh that is missing: "FILE:LINE: WHAT"
  Vec3d gravity = Vec3d(0, 0, -9.81);
  double step = 0.002;
  int visuals = 0;  // looks that are not drawn
  Notes notes;
};

}  // namespace sinew::imports
