// Plan: what a person writes. Named bodies, joints between them, loops, gravity. SI units, radians, quaternions w-x-y-z.
// A plan is an editable value; compile() checks it and turns it into a Model.
#pragma once
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sinew/model/coupling_plan.h"
#include "sinew/model/drive_plan.h"
#include "sinew/model/load_plan.h"
#include "sinew/model/memory.h"
#include "sinew/model/rod_parameters.h"
#include "sinew/model/sensor_plan.h"
#include "sinew/model/transmission_plan.h"
#include "sinew/parts/device/motion.h"
#include "sinew/parts/force/gravity.h"
#include "sinew/parts/force/sunlight.h"
#include "sinew/parts/joint/list.h"
#include "sinew/parts/law/adhesion.h"
#include "sinew/parts/law/axis_list.h"
#include "sinew/parts/law/contact_law.h"
#include "sinew/parts/law/electroadhesion.h"
#include "sinew/parts/law/penalty.h"
#include "sinew/parts/shape/shape.h"
#include "sinew/parts/terrain/terrain.h"

namespace sinew {

class SectionPlant;
struct Plan;

// A surface of a body, at which it touches the ground and other bodies.
struct ShapePlan {
  std::string name;
  Shape shape;
  Vec3d position = Vec3d::zero();         // of the shape's origin in the body's axes [m]
  Quatd orientation = Quatd::identity();  // of the shape's axes in the body's
  Vec3d along = Vec3d(1, 0, 0);           // body's axis along which mu_long acts
  std::string material = "default";
  // Where the mesh of a hull or mesh comes from: read and put into shape.mesh by io. A plan made in code gives shape.mesh.
  std::string file = {};            // STL, OBJ or PLY
  double scale = 1.0;               // of the file's numbers [m]
  std::vector<double> points = {};  // of a hull without a file: x, y, z of each [m]
};

struct BodyPlan {
  std::string name;
  double mass = 1.0;                     // [kg]
  Vec3d com = Vec3d::zero();             // centre of mass in the body's axes [m]
  Sym3d inertia = Sym3d::diagonal(0.0);  // about the centre of mass, body axes [kg m^2]
  std::vector<ShapePlan> shapes = {};
  double plate_area = 0.0;              // on which sunlight presses, at the centre of mass [m^2]
  Vec3d plate_normal = Vec3d(0, 0, 1);  // in the body's axes
  std::vector<ShapePlan> drawn = {};    // looks: they are drawn and touch nothing
  // Viscous drag of a slender body that is centred at its centre of mass, see parts/force/drag.h.
  double drag_length = 0.0;                    // [m]
  double drag_along = 0.0, drag_across = 0.0;  // for each metre of it [N s/m^2]
  Vec3d drag_axis = Vec3d(1, 0, 0);            // its long axis, in the body's axes
  // What a file does not give follows from the shapes, filled evenly; done by text/fill_bodies.cpp once meshes are read.
  double density = 0.0;  // of the filling; 0: so that the mass is as given [kg/m^3]
  double gravity_compensation =
      0.0;  // share of its weight that is carried at its centre of mass, as if by ideal drives
  bool mass_of_shapes = false, com_of_shapes = false, inertia_of_shapes = false;
};

// An elastic or driven rod: becomes bodies and joints, see rods.h. Its own axes: x along the rod.
enum class RodFreedoms { Full, Kirchhoff, Planar };
inline constexpr std::array<std::string_view, 3> rod_freedom_names{"full", "kirchhoff", "planar"};
inline constexpr std::array<std::string_view, 2> rod_bend_names{"y", "z"};
enum class RodShape { Capsule, Sphere, Box, None };
inline constexpr std::array<std::string_view, 4> rod_shape_names{"capsule", "sphere", "box", "none"};

struct RodWavePlan : RodWave {
  bool on = false;  // the rod follows it exactly
  int axis = 1;     // about which it bends: rod_bend_names
};

struct RodPlan : RodSize, RodElasticity {
  std::string name;
  std::string parent = "world", child = {};     // bodies at X = 0 and X = l; parent "free": none
  Vec3d p_parent = Vec3d::zero();               // of the end X = 0 in the parent's axes [m]
  Quatd orientation = Quatd::identity();        // of the rod's axes there
  Vec3d p_child = Vec3d::zero();                // of the end X = l in the child's axes [m]
  Quatd child_orientation = Quatd::identity();  // of the rod's axes there, in the child's
  double width = 0.0, height = 0.0;             // along y and z, of a rectangular section; 0: a round one [m]
  double shear_viscosity = -1.0;                // < 0: viscosity, as G to E [Pa s]
  Vec3d rest_curvature = Vec3d::zero();         // about x (twist), y, z [rad/m]
  int segments = 20;
  RodFreedoms freedoms = RodFreedoms::Full;
  RodWavePlan wave = {};
  RodShape shape = RodShape::Capsule;
  std::string material = "default";
  double drag_along = 0.0, drag_across = 0.0;  // [N s/m^2]
  bool made = false;                           // its bodies and joints are in the plan
};

// A cable over points of bodies. Tension: what it pulls with is given. Spring: it pulls where it is longer than it would
// like to be, which a winch may change. Chamber: it pushes with pressure times area. Strut: a spring that also pushes, where it is shorter.
enum class CableKind { Tension, Spring, Chamber, Strut };
inline constexpr std::array<std::string_view, 4> cable_kind_names{"tension", "spring", "chamber", "strut"};
constexpr bool is_elastic(CableKind kind) { return kind == CableKind::Spring || kind == CableKind::Strut; }

struct CablePlan {
  std::string name;
  CableKind kind = CableKind::Tension;
  std::vector<std::string> bodies = {};               // from which to which it runs, or "world"
  std::vector<double> points = {};                    // x, y, z of its place in the axes of each [m]
  std::string rod = {};                               // instead: along this rod
  double offset_y = 0.0, offset_z = 0.0, end = -1.0;  // beside its axis, to the abscissa end; < 0: to the tip [m]
  double value = 0.0;                               // tension [N], pressure [Pa] or length that the winch takes in [m]
  double amplitude = 0.0;                           // of an oscillation about it, in the same unit
  double frequency = 0.0, phase = 0.0, ramp = 0.0;  // [Hz, rad, s]
  double area = 0.0;                                // of a chamber [m^2]
  double stiffness = 0.0, damping = 0.0, length0 = 0.0;  // of a spring or strut [N/m, N s/m, m]
};

// Something that stands on the ground or hangs above it and does not move.
enum class ObstacleKind { Peg, Box, Sphere };
inline constexpr std::array<std::string_view, 3> obstacle_names{"peg", "box", "sphere"};

struct ObstaclePlan {
  std::string name;
  ObstacleKind kind = ObstacleKind::Peg;
  Vec3d position = Vec3d::zero();      // of the centre; peg: x and y of its axis [m]
  double radius = 0.05, height = 0.3;  // of a peg (above the ground there) or sphere [m]
  Vec3d size = Vec3d(1, 0.1, 0.3);     // of a box: its edges [m]
  double yaw = 0.0;                    // of a box: turn about z [rad]
  std::string material = "obstacle";
};

struct PegsPlan {                      // many equal pegs
  std::vector<double> x, y;            // of their axes [m]
  double radius = 0.05, height = 0.3;  // [m]
  std::string material = "obstacle";
};

// Where the mesh of the ground comes from: read and put into terrain.mesh by io. A plan made in code gives terrain.mesh.
struct GroundMeshPlan {
  std::string file = {};                              // STL, OBJ or PLY
  double scale = 1.0;                                 // of the file's numbers [m]
  std::vector<double> vertices = {}, triangles = {};  // without a file: x, y, z of each [m]; three indices each, from 0
  Vec3d position = Vec3d::zero();                     // of the mesh's origin [m]
};

// A part of the ground, as seen from above, with a surface of its own (docs/contact.md#patches). Later ones lie over former ones.
struct PatchPlan {
  std::string name;
  std::vector<double> x = {}, y = {};  // from, to; empty: without limits [m]
  std::vector<double> center = {};     // of a disc: x, y [m]
  double radius = 0.0;                 // of it; 0: no disc [m]
  std::string material = {};           // empty: the ground's
  double stiffness = 0.0;              // of soft ground under a shape; 0: as hard as elsewhere [N/m^exponent]
  double damping = 0.0;                // of soft ground [N s/m]
  double mu = -1.0;                    // below 0: that of the materials
  double restitution = -1.0;           // below 0: that of the materials
};

struct GroundPlan {
  Terrain terrain;
  std::string material = "ground";
  std::vector<ObstaclePlan> obstacles = {};
  PegsPlan pegs = {};
  GroundMeshPlan mesh = {};
  std::vector<PatchPlan> patches = {};
};

// The law between two materials.
struct PairPlan {
  std::string name;
  std::string material1, material2;
  ContactLaw<double> law;
  PenaltyLaw<double> penalty;
};

// A material of its own, of which pairs are made that [contact.pair] does not name (docs/contact.md#materials): springs in a row,
// k = k1 k2 / (k1 + k2), and geometric means of restitution and friction. What only one of two gives is as it says.
struct MaterialPlan {
  std::string name;
  double stiffness = 0.0;     // k of this surface on something rigid [N/m^exponent]; 0: not given
  double restitution = -1.0;  // below 0: not given
  double mu = -1.0;           // below 0: not given
};

// What answers to a contact (docs/contact.md#laws).
//   Rigid                impulses in their sets, solved exactly in every step
//   Penalty              forces that grow with the overlap
//   ImpulsePropagation   impacts one after the other at the start of a step, then Rigid without restitution
//   ImpulseSimultaneous  impacts all at once, then as before
//   Complementarity      Rigid with friction pyramids, as a linear complementarity problem
enum class Response { Rigid, Penalty, ImpulsePropagation, ImpulseSimultaneous, Complementarity };
constexpr bool is_impulsive(Response r) {
  return r == Response::ImpulsePropagation || r == Response::ImpulseSimultaneous;
}
inline constexpr std::array<std::string_view, 5> response_names{"rigid", "penalty", "impulse-propagation",
                                                                "impulse-simultaneous", "complementarity"};

// How much of its normal speed an impact gives back (all laws but penalty and impulse-propagation).
//   NewtonBounded  as Newton, but no more than puts no energy in: step/rebound.h
//   Newton         the restitution times the speed before, also where friction then makes energy
enum class ImpactLaw { NewtonBounded, Newton };
inline constexpr std::array<std::string_view, 2> impact_law_names{"newton-bounded", "newton"};

// NewtonNormal: the scheme of Tambornini 2020, to compare with (solve/newton_normal.h).
enum class ContactSolver { Auto, Recursion, Sweep, Newton, ProxFixed, Sparse, NewtonNormal };
inline constexpr std::array<std::string_view, 7> contact_solver_names{
    "auto", "recursion", "sweep", "newton", "prox-fixed", "sparse", "newton-normal"};

// Of the solver "prox-fixed": the constants of Transeth et al. 2008, section VIII-A.
struct ProxSteps {
  double r_N = 0.1, r_T = 0.01, r_V = 0.05;  // steps of normal, sliding and rolling rows [kg]
  int max_iter = 1000;                       // after which a step is left as it is
};

// How pairs of shapes that may touch are found. Auto: all against all where they are few, else grid.
enum class Culling { Auto, All, Sweep, Grid };
inline constexpr std::array<std::string_view, 4> culling_names{"auto", "all", "sweep", "grid"};

// Penalty forces in moreau. Explicit: in the middle of a step, as it is known. Implicit: there, found by iteration. Auto: explicit where
// up to ten parts of a step will do (model/contact_parts.h), beyond that of the end of the step, found by iteration.
enum class PenaltyForces { Explicit, Implicit, Auto };
inline constexpr std::array<std::string_view, 3> penalty_forces_names{"explicit", "implicit", "auto"};

// How contacts are found and solved.
struct ContactOptions {
  Response response = Response::Rigid;
  ImpactLaw impact = ImpactLaw::NewtonBounded;
  PenaltyForces forces = PenaltyForces::Auto;
  double stiff_step = 0.0;  // length of a step, for Auto; 0: explicit [s]
  ContactSolver solver = ContactSolver::Auto;
  double tolerance = 1e-8;       // of the certified residual [m/s]
  double activation_gap = 1e-6;  // below which a contact counts as closed [m]
  double beta = 0.0;             // share of a penetration that one step takes out [1]
  bool between_bodies = true;    // bodies touch each other, not only the ground
  bool share_stiffness = true;   // penalty: points of a pair share its k; false: each has all of it, to compare
  Culling culling = Culling::Auto;
  int capacity = 0;  // contact points that fit when pairs are found step by step; 0: judged by the shapes
  ProxSteps prox = {};
};

// What pulls closed contacts together (docs/theory/laws.md#a-contact-point).
enum class Adhesion { None, Cohesion, Electro };
inline constexpr std::array<std::string_view, 3> adhesion_names{"none", "cohesion", "electro"};

// Shapes that adhere as one area. It acts while at least `points` of their contact points are closed, in equal shares;
// with fewer it lies on by an edge.
struct PadPlan {
  std::string name;
  std::vector<std::string> shapes = {"*"};  // "BODY.SHAPE", with * and ?; a shape may be part of several pads
  double area = 0.0, width = 0.0;           // [m^2]; of the edge by which it peels [m]
  int points = 1;
  bool per_body = false;   // each body that has such shapes gets a pad of its own, of this area
  std::string group = {};  // switched together; empty: always on
};

// When the electrodes of a group are on: from on[0] to on[1], from on[2] to on[3], ...; or for a part of each period; with neither, always.
struct PadGroupPlan {
  std::string name;
  std::vector<double> on = {};       // [s]
  double period = 0.0, phase = 0.0;  // on while (t - phase) mod period < duty period; 0: see `on` [s]
  double duty = 0.5;                 // [1]
};

struct AdhesionPlan {
  Adhesion kind = Adhesion::None;
  double area = 0.0;                            // of a contact point whose shape is part of no pad [m^2]
  double cohesion = 0.2, shear_strength = 0.0;  // [Pa]
  double bed_strength = std::numeric_limits<double>::infinity();  // [Pa]
  double grain_layer = 2e-4;                                      // [m]
  law::ElectroPad pad = {};
  int surface = 3;                                                                     // in law::electro_materials
  double image_factor = -1.0, roughness = -1.0, series_gap = -1.0, conformity = -1.0;  // < 0: the surface's own
  double charge_time = 0.0, discharge_time = 0.0;                                      // [s]
  double peel_length = 0.0;                                                            // [m]
  std::vector<PadPlan> pads = {};
  std::vector<PadGroupPlan> groups = {};
};

struct ContactPlan {
  ContactLaw<double> law{.mu_forward = 0.5, .mu_backward = 0.5, .mu_trans = 0.5};  // where no pair says otherwise
  PenaltyLaw<double> penalty;
  std::vector<PairPlan> pairs;
  std::vector<MaterialPlan> materials = {};
  AdhesionPlan adhesion = {};
  std::vector<std::string> ignore = {};  // "BODY:BODY", names with * and ?: never touch each other
  ContactOptions options;
};

// Motion: the joint follows its given motion and has no freedom of its own. Servo: a drive with gains aims at the motion.
// Computed: a controller gives torques that should make it follow the motion. Torque: the motion is the torque itself (or the
// force of a sliding axis), taken at every time at which a stepper asks for it. Device: a [drive.NAME] aims at the motion.
enum class Drive { None, Motion, Servo, Computed, Torque, Device };

// Vectors with one entry per axis (nu) or per coordinate (nq) of the joint may stay empty: zero, or the neutral pose.
struct JointPlan : law::AxisLawNumbers<double> {  // dry_friction and what else axis_list.h has (nu)
  std::string name;
  JointKind kind = JointKind::Revolute;
  TiePlan tie = {};
  std::string parent = "world", child;
  Vec3d p_parent = Vec3d::zero();         // joint's place in the parent's axes [m]
  Vec3d p_child = Vec3d::zero();          // joint's place in the child's axes [m]
  Quatd orientation = Quatd::identity();  // child's axes in the parent's when all coordinates are zero
  Vec3d axis = Vec3d(0, 0, 1);   // revolute, prismatic, first of universal, planar normal; child's axes at zero
  Vec3d axis2 = Vec3d(0, 1, 0);  // second of universal; also y of planar, ball and free
  bool loop = false;             // closes a loop: always cut, never carries the child
  std::vector<double> position, velocity;     // initial q (nq) and u (nu)
  std::vector<double> stiffness, damping;     // spring and damper on the axes (nu)
  std::vector<double> dry_friction_backward;  // against motion backward (nu); empty: as dry_friction
  std::vector<double> friction_static_ratio, friction_stribeck_speed, friction_load;  // law::FrictionDetails (nu)
  std::vector<double> armature;  // inertia of rotors, reflected to the axes (nu) [kg m^2 or kg]
  std::vector<double> rest;      // coordinates at which the spring is relaxed (nq)
  Drive drive = Drive::None;
  std::vector<Motion<double>> motion;  // of a driven joint, the servo's target, or the torque (nu)
  std::string table_file;              // CSV: times, then columns that become the tables of the motions
  std::vector<int> table_columns;      // which of them, 1 after the times (nu); empty: 1, 2, ...
  bool table_smooth = false;           // of tables: a spline instead of straight lines
  std::vector<double> kp, kd, limit;   // servo (nu); empty limit: none
  std::vector<double> no_load_speed;   // of a servo with a limit: where nothing of it is left (nu); empty: none
  std::vector<double> free_play;       // of a servo: half of the free play (nu)
  bool second_of_pair = false;         // with the joint before it stands for one joint with two axes (gaits, contacts)
  int wave_axis =
      -1;  // of a chain whose axes alternate: 0 turns to the sides, 1 up and down; -1: none; told by with_gait
  double wave_sign = 1.0;            // -1: about the opposite axis
  std::vector<double> lower, upper;  // ends of the range (nu), of joints with as many coordinates as axes; empty: none
};

enum class Coordinates { Tree, Maximal };

// Of cut joints in moreau: what their velocity is made zero for (docs/theory/step.md#moreau). Auto: the end where the robot
// touches something, the mean of start and end elsewhere.
enum class JointRule { Auto, End, Mid };
inline constexpr std::array<std::string_view, 3> joint_rule_names{"auto", "end", "mid"};
// Of moreau: where in a step terms quadratic in velocities, and dampers, are taken. Start: as Transeth et al. do it, of first order,
// and momentum is kept to first order only.
enum class VelocityTerms { Middle, Start };
inline constexpr std::array<std::string_view, 2> velocity_terms_names{"middle", "start"};
// How gaps of cut joints are closed after a step. Mass: the least displacement in the metric of the
// masses; Head: from parents to children; None: they are left.
enum class Projection { Mass, Head, None };
inline constexpr std::array<std::string_view, 3> projection_names{"mass", "head", "none"};

// What moves.
struct RobotPlan {
  std::vector<BodyPlan> bodies = {};
  std::vector<JointPlan> joints = {};
  std::vector<RodPlan> rods = {};
  std::vector<CablePlan> cables = {};
  std::vector<CouplingPlan> couplings = {};
  std::vector<TransmissionPlan> transmissions = {};  // by their Jacobians: reflected inertia on the axes of joints
  std::vector<DrivePlan> drives = {};
  std::vector<SensorPlan> sensors = {};
  std::vector<LoadPlan> loads = {};
  std::vector<MarkerPlan> markers = {};
  std::vector<MemoryBlock> memory = {};  // what controllers and devices remember
  // Of a robot whose motion has equations of its own (model/section_plant.h): makes them from the finished plan, which then has a
  // body for each section and no other; see with_sections(). May throw PlanError.
  std::function<std::shared_ptr<const SectionPlant>(const Plan&)> make_plant = {};
  std::shared_ptr<const SectionPlant> plant = {};  // what it has made
};

// Where it moves: what pulls, presses, and can be touched.
struct ScenePlan {
  Gravity<double> gravity = {};
  double incline = 0.0, downhill_azimuth = 0.0;  // turn a uniform field as seen on a slope [rad]; see tilted()
  Sunlight<double> sun = {};                     // the direction may have any length
  GroundPlan ground = {};
  ContactPlan contact = {};
};

// How its motion is computed.
struct MethodPlan {
  bool implicit_servos = false;  // moreau: servos act with their values at the end of the step
  JointRule joint_rule = JointRule::Auto;
  VelocityTerms velocity_terms = VelocityTerms::Middle;
  Projection projection = Projection::Mass;
  int substeps = 1;                  // equal parts of a step; 0: as many as penalty contacts need
  double adaptive_tolerance = 1e-9;  // of rk45: error of a step over the velocities
  bool freeze_forces = false;        // of rk4: weight acts on the freedoms as at the start of the step
};

struct Plan : RobotPlan, ScenePlan, MethodPlan {};

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
