// Model: a compiled plan. Topology as index arrays; immutable and shared by all worlds that run it.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/plan.h"
#include "sinew/model/ranks.h"
#include "sinew/model/sensor_info.h"

namespace sinew {

inline constexpr int world_body = -1;

// A moving body with the joint that carries it in the forest. Parents come before children.
struct Link {
  JointKind kind;
  int parent;  // link, or world_body
  int joint;   // the plan's joint that is this tree joint; -1 for the free joint of maximal coordinates
  int q, u;    // first coordinate and freedom in State; of a driven joint: in the prescribed arrays
  int axis;    // first axis in Frames::axis
  bool driven;
  bool aligned;        // X_PJ does not turn: its rotation is skipped
  bool leaf;           // carries no other link
  bool last_child;     // of its parent: the first to hand something over when going from the leaves to the roots
  int angle;           // first of its angle coordinates in Frames::trig
  int root, tree_end;  // links of its tree: [root, tree_end)
  int limb = -1;       // of a link in a rank: its limb
  Posed X_FB;          // the plan's body frame in the link's own frame
};

// A joint of the plan, however it is realised. Drives, springs and read-outs are numbered by its axes and coordinates,
// the same in all coordinate choices.
struct JointInfo {
  std::string name;
  JointKind kind;
  int parent, child;        // links
  int axis, n_axes;         // first and number of joint axes
  int coord, n_coords;      // first and number of joint coordinates
  int link = -1, cut = -1;  // the tree joint or the cut that realises it: exactly one
  bool has_spring = false, has_servo = false, driven = false, has_torque = false;
  int motion = -1;             // first motion of a drive
  int drive = -1;              // of its first axis, in Model::drives; -1: none
  bool servo_in_rows = false;  // implicit_servos, and the joint's coordinates are its axes'
};

// A joint realised by rows: 6 - n_axes ideal ones, then one per axis if the axes are driven, sprung, servoed or carry inertia (a driven
// axis is ideal; inertia and, where the stepper is implicit, springs are compliance; else the row rests).
struct Cut {
  int joint;
  JointKind kind;
  int body1, body2;  // links; body1 may be the world
  int row;           // first row
  int n_ideal, n_rows;
};

// A term of a coupling: an axis of a joint, or, without a joint, the line between two points. What it says of bodies: as a row of a cut.
struct CouplingTerm {
  int joint, axis;   // plan joint, or -1; which of its axes
  int body1, body2;  // links, or the world
};

// One equation beside those of joints, which is one more row (solve/couplings.h); numbers in Params::couplings and coupling_terms.
struct Coupling {
  std::string name;
  int row;
  int term, n_terms;  // in Model::coupling_terms
  int joint = -1;     // plan joint whose tie it is; -1: of the plan's couplings
};

// A shape and the link that carries it (the world for steps and obstacles).
struct ShapeInfo {
  std::string name;  // body.shape, ground.step0, obstacle.NAME, peg.1
  Shape shape;
  int link;
  Posed X_FS;     // in the link's frame
  Vec3d along_F;  // where mu_long acts, in the link's axes
  std::string material;
  int material_index;      // in Model::materials
  bool is_ground = false;  // a piece of the ground: patches lie on it
};

// Two shapes that may touch. Contact points live in slots: a feature keeps its slot while it touches.
struct ShapePair {
  int shape1, shape2;  // shape1: -1 is the ground. The normal points from 1 to 2; shape2 is on a body
  int law;             // in Params::contact_laws
  int slot, n_slots;
  int axes_of;  // the shape whose long axis orients friction
};

// What two materials are to each other.
struct MaterialPair {
  int law;             // in Params::contact_laws
  bool first_orients;  // the shape of the first material orients friction
};

// A part of the ground with a surface of its own; numbers in Params::patches.
struct Patch {
  std::string name;
  double x[2], y[2];     // [m]
  bool disc;             // and not farther than the radius from the centre
  double center[2];      // [m]
  double radius2;        // [m^2]
  std::vector<int> law;  // with each of Model::materials, in Params::contact_laws; empty: that of the ground
};

// Shapes that adhere as one area; numbers in Params::pads, what it remembers in State::pad.
struct Pad {
  std::string name;
  int group;       // in Model::pad_groups; -1: always on
  int points;      // closed contact points with which it lies on
  bool per_point;  // each point has the whole area: of a shape without a pad
};

// A set-valued law on an axis of a joint.
struct AxisRowInfo {
  enum class Kind { Lower, Upper, Law, Servo } kind;
  int joint;                  // plan joint
  int component;              // its axis
  law::AxisLawKind law = {};  // of Kind::Law
  int side = 0;               // of Kind::Servo with free play: pushes only up (1) or down (-1)
};

// A drive with a state of its own (step/devices.h); numbers in Params::drives.
struct DriveInfo {
  std::string name;
  int joint, axis;     // plan joint, and the axis of all joints
  int q, u;            // in State; a cut joint has none there
  int memory, motion;  // where its block begins in State::memory; its set-point's motion, the first of a transmission's
  drive::Setup setup;
  // Of a drive that moves a joint by rods or gears: `joint` and `axis` are where it acts, its place is stroke `row`.
  int transmission = -1, row = 0;                // in Params::transmissions
  int moved_q = 0, moved_u = 0, moved_axis = 0;  // first ones of the joint that is moved
  bool by_jacobian = false;  // its force acts on the axes of that joint; else on a stroke that is a joint

  int axis_torque() const {
    return memory + setup.memory_size();
  }  // by_jacobian: mean torque on `axis` in the last step
};

// A drive of kind servo, which is its joint's own and has no state: for the names of signals.
struct ServoDriveInfo {
  std::string name;
  int joint;  // plan joint
};

// A joint whose axes carry reflected inertia (docs/theory/transmissions.md#reflected-inertia), of cut joints those with a drive as well;
// numbers in Params::armature and Params::transmissions.
struct ReflectedInfo {
  int link;               // whose joint; of a cut joint -1 - its cut
  int axis;               // first joint axis
  int n_axes;             // of the joint
  int transmission = -1;  // in Params::transmissions
};

// The bodies at the two ends of a rod, whose frames have their origins there.
struct RodInfo {
  std::string name;
  int base, tip;  // links
};

// A cable over points of bodies; their places are in Params::cable_points.
struct CableInfo {
  std::string name;
  CableKind kind;
  int point, n_points;  // in Model::cable_links
  int motion;           // of what it is given, in Params::motions
};

// A load over time on a link; where and how large: Params::loads.
struct LoadInfo {
  std::string name;
  int link;
  int motion;    // its factor, in Params::motions
  bool follows;  // it turns with the link
};

// A point of a body that is looked at.
struct MarkerInfo {
  std::string name;
  int link;
  Vec3d p_B;  // in the plan's body axes [m]
};

struct Model {
  Coordinates coordinates;
  std::vector<Link> links;
  std::vector<std::string> body_names;  // of the links
  std::vector<int> robot;               // of each link: bodies that joints hold together, in all coordinates the same
  int n_robots = 0;
  std::vector<int> flyers;  // roots of robots that are one tree, with nothing between the world and its free joint
  std::vector<JointInfo> joints;  // in the plan's order
  std::vector<Cut> cuts;
  std::vector<Coupling> couplings;  // their rows come after those of cuts
  std::vector<CouplingTerm> coupling_terms;
  int nq = 0, nu = 0;       // sizes of State::q and u
  int n_frame_axes = 0;     // of all links, driven ones included
  std::vector<int> angles;  // coordinates that are angles: index into State::q, or -1 - prescribed q
  int n_prescribed_q = 0, n_prescribed_u = 0;
  int n_axes = 0, n_coords = 0;  // of all joints of the plan
  int n_rows = 0;
  int n_motions = 0;
  std::vector<RodInfo> rods;
  std::vector<DriveInfo> drives;
  std::vector<ServoDriveInfo> servo_drives;
  std::vector<CableInfo> cables;
  std::vector<int> cable_links;   // link of each point; may be the world
  std::vector<int> drag_links;    // links that are dragged, as Params::drags
  std::vector<int> lifted_links;  // links whose weight is carried, as Params::lifts
  std::vector<LoadInfo> loads;
  std::vector<ReflectedInfo> reflected;  // joints with reflected inertia
  int n_transmissions = 0;
  bool has_sun = false;      // sunlight presses on some body
  bool has_driven = false;   // some joint follows a given motion
  bool has_torques = false;  // some joint has drive = "torque"
  bool has_dampers = false;  // some tree joint has a spring or damper
  std::vector<Rank> ranks;   // links that a single robot takes side by side, after the others
  std::vector<int> single;   // the links in no rank
  int n_rank_axes = 0, n_limbs = 0;
  std::vector<ShapeInfo> shapes;
  std::vector<ShapePair> pairs;  // listed pairs: all, unless they are a crowd
  bool crowd = false;            // pairs are found step by step by a broad phase, and get slots while they touch
  int n_slots = 0;
  std::vector<std::string> materials;  // the ground's is the first
  std::vector<MaterialPair> between;   // of two materials, row by row
  std::vector<Patch> patches;
  bool soft_ground = false;                // some patch is soft
  std::vector<std::pair<int, int>> apart;  // links that never touch, ascending: joined ones, ignored ones
  std::vector<AxisRowInfo> axis_rows;
  std::vector<Pad> pads;                  // none: nothing adheres
  std::vector<std::vector<int>> pads_of;  // of each shape
  std::vector<PadGroupPlan> pad_groups;
  bool has_shear = false;  // adhesion with a shear strength
  Terrain terrain;
  ContactOptions contact;
  bool implicit_servos = false;
  int substeps = 1;                // 0: judged by contact_frequency
  double contact_frequency = 0.0;  // largest of a penalty contact, roughly [rad/s]
  bool stiff_contacts = false;     // penalty contacts act with forces of the end of a step (ContactOptions::stiff_step)
  double thinnest = 0.0;           // extent of the thinnest shape: faster bodies would pass it unseen [m]
  double adaptive_tolerance = 1e-9;
  bool freeze_forces = false;  // of rk4: see Plan
  JointRule joint_rule = JointRule::Auto;
  VelocityTerms velocity_terms = VelocityTerms::Middle;
  Projection projection = Projection::Mass;
  std::vector<SensorInfo> sensors;
  std::vector<MarkerInfo> markers;
  std::vector<MemoryBlock> memory;            // blocks of State::memory
  std::vector<int> cuts_downward;             // Projection::Head: the cuts by child, parents first
  std::shared_ptr<const SectionPlant> plant;  // moves all bodies, which are its sections; nullptr: they are a forest
  bool has_laws() const { return n_slots > 0 || !axis_rows.empty(); }  // set-valued ones

  bool has_rows() const { return !cuts.empty() || !couplings.empty(); }  // ideal ones

  int link_count() const { return int(links.size()); }
  int body(std::string_view name) const;   // index of a body's link; -1: the world or unknown
  int joint(std::string_view name) const;  // index of a joint; -1: unknown

  bool may_touch(int shape_a, int shape_b) const;
  // A pair by its number: an index of `pairs`; in a crowd any two shapes have one, see crowd_pair.
  ShapePair pair(int id) const;
  int pair_count() const { return crowd ? int((shapes.size() + 1) * (shapes.size() + 1)) : int(pairs.size()); }
};

// Of a crowd: the number of the pair of shapes a < b; b may be shapes.size(), the ground. Ascends with (a, b).
inline int crowd_pair(const Model& model, int a, int b) { return a * (int(model.shapes.size()) + 1) + b; }

}  // namespace sinew
