// Snake: n rigid links in a row, joined by universal joints whose two axes, yaw and pitch, have servos; each link touches the
// ground with a sphere at either end (Transeth et al. 2008; docs/theory/snake.md).
// Link's axes: z along the link, towards the next link (the tail); y up where the robot lies flat; x across. Link 1 is the
// head, at the +x end of a straight robot.
//   joint i, between links i and i+1:   R_{i+1} = R_i Ry(yaw) Rx(pitch)
//   r_{i+1} = r_i + l a_i + d z_c + l a_{i+1},   2 l + d = L,   a_i = R_i e_z,   z_c = R_i Ry(yaw) e_z
// L link_length, d axis_offset [m] (docs/theory/snake.md#links-and-joints). With d > 0 each joint is two, jointI_yaw and
// jointI_pitch, with the cross piece crossI between them.
// Joints that the gait moves start where `initial` says; the pose puts the mean heading along +x, link (n+1)/2 at x0, y0 and
// the robot drop_height above where it would first touch the ground.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "robots/catalog.h"
#include "robots/on_ground.h"
#include "sinew/math/elementary.h"
#include "sinew/math/rotation.h"

namespace sinew::robots {
namespace {

enum class Preset { Paper, Consistent };
constexpr std::array<std::string_view, 2> preset_names{"aiko_paper", "aiko_consistent"};
enum class Initial { Straight, Gait, Dropped };
constexpr std::array<std::string_view, 3> initial_names{"straight", "gait", "dropped"};
enum class Surface { Spheres, Capsule };
constexpr std::array<std::string_view, 2> surface_names{"spheres", "capsule"};

double value_at_start(const Motion<double>& motion) {
  double value, rate, acceleration;
  motion.evaluate(0.0, value, rate, acceleration);
  return value;
}

Mat3d turn(int axis, double angle) {
  double e[3] = {0.0, 0.0, 0.0};
  e[axis] = math::sin(0.5 * angle);
  return to_matrix(Quatd{math::cos(0.5 * angle), e[0], e[1], e[2]});
}
constexpr int x = 0, y = 1, z = 2;
constexpr double degree = std::numbers::pi / 180.0;

struct Snake : Robot {
  int preset = 0, initial = 0, surface = 0;
  int n_links = 11;
  double link_length = 0.122, sphere_radius = 0.0525, sphere_offset = 0.0393, link_mass = 7.5 / 11.0;
  double inertia_transverse = 9.63e-4, inertia_axial = 2.35e-4;
  double Khp = 40.0, Khd = 0.2, Kvp = 800.0, Kvd = 0.2;
  double torque_limit = std::numeric_limits<double>::infinity(),
         no_load_speed = std::numeric_limits<double>::infinity(), free_play = 0.0;
  double yaw_limit = 85 * degree, pitch_limit = 85 * degree;
  double axis_offset = 0.0, cross_mass = 0.0;
  double x0 = 0.0, y0 = 0.0, drop_height = 0.0, yaw0 = 0.0, pitch0 = 0.0, roll0 = 0.0;
  Vec3d v0 = Vec3d::zero(), w0 = Vec3d::zero();

  void describe(Keys& keys) override {
    describe_body(keys);
    describe_drives(keys);
    describe_start(keys);
  }

  void describe_body(Keys& keys) {
    const int before = preset;
    keys.choice(
        {"preset", "",
         "inertias: as Transeth et al. 2008 print them for Aiko (of half the radius), or of a cylinder of mass, "
         "length and radius"},
        preset_names, preset);
    keys.integer({"n_links", "", "number of links", {.low = 1, .high = 500}}, n_links);
    keys.number({"link_length", "m", "distance of neighbouring joints", positive}, link_length);
    keys.number({"sphere_radius", "m", "of the spheres that touch the ground, and of the link", positive},
                sphere_radius);
    keys.number({"sphere_offset", "m", "from the link's centre to that of a sphere", not_negative}, sphere_offset);
    keys.number(live({"link_mass", "kg", "of each link", positive}), link_mass);
    if (preset != before) take_inertias_of_preset();
    keys.number({"inertia_transverse", "kg m^2", "of a link about an axis across it", positive}, inertia_transverse);
    keys.number({"inertia_axial", "kg m^2", "of a link about its long axis", positive}, inertia_axial);
    keys.choice({"surface", "", "what touches: two spheres a link, or all of the capsule around them (edges, pegs)"},
                surface_names, surface);
    keys.number({"axis_offset", "m", "between yaw and pitch axis of a joint, along the robot; the real Aiko has 0.022",
                 not_negative},
                axis_offset);
    if (!(axis_offset < link_length))
      keys.reject("axis_offset", "the axes of a joint are as far apart as the joints themselves",
                  "make it less than robot.link_length");
    keys.number({"cross_mass", "kg", "of the piece between the two axes, a ball of that diameter", not_negative},
                cross_mass);
  }

  void check(Keys& keys, Coordinates coordinates) const override {
    if (coordinates == Coordinates::Maximal && has_cross_pieces() && cross_mass == 0.0 && n_links > 1)
      keys.reject("cross_mass", "in maximal coordinates every body needs mass, and cross_mass is 0",
                  "give robot.cross_mass some (0.02), or use robot.coordinates = \"tree\"");
  }
  bool has_cross_pieces() const { return axis_offset > 0.0; }
  double centre_to_axis() const { return 0.5 * (link_length - axis_offset); }

  // Of a solid cylinder (docs/theory/snake.md#links-and-joints); the paper's are the defaults.
  void take_inertias_of_preset() {
    if (Preset(preset) == Preset::Paper) return;
    inertia_transverse = link_mass * (3.0 * sphere_radius * sphere_radius + link_length * link_length) / 12.0;
    inertia_axial = 0.5 * link_mass * sphere_radius * sphere_radius;
  }

  void describe_drives(Keys& keys) {
    keys.number(live({"Khp", "N m/rad", "gain of the yaw servos on the angle", not_negative}), Khp);
    keys.number(live({"Khd", "N m s/rad", "gain of the yaw servos on the rate", not_negative}), Khd);
    keys.number(live({"Kvp", "N m/rad", "gain of the pitch servos on the angle", not_negative}), Kvp);
    keys.number(live({"Kvd", "N m s/rad", "gain of the pitch servos on the rate", not_negative}), Kvd);
    const Range or_none{.low = 0.0, .above_low = true, .may_be_infinite = true};
    keys.number(live({"torque_limit", "N m", "most that a servo can give", or_none}), torque_limit);
    keys.number(live({"no_load_speed", "rad/s", "at which a servo can drive no more; needs torque_limit", or_none}),
                no_load_speed);
    if (std::isfinite(no_load_speed) && std::isinf(torque_limit))
      keys.reject("no_load_speed", "what a servo can give falls with speed from its limit, but that is infinite",
                  "give robot.torque_limit");
    keys.number(live({"free_play", "rad", "of each servo, to either side", not_negative, true}), free_play);
    keys.number({"yaw_limit", "rad", "hard stops of the yaw axes, to either side", or_none, true}, yaw_limit);
    keys.number({"pitch_limit", "rad", "hard stops of the pitch axes, to either side", or_none, true}, pitch_limit);
  }

  void describe_start(Keys& keys) {
    keys.choice({"initial", "", "joints: straight (dropped: the same), or where the gait has them at t = 0"},
                initial_names, initial);
    keys.number({"x0", "m", "x of the middle link at the start"}, x0);
    keys.number({"y0", "m", "y of the middle link at the start"}, y0);
    keys.number({"drop_height", "m", "at the start, above where the robot would touch the ground", not_negative},
                drop_height);
    keys.number({"yaw0", "rad", "mean heading at the start, from x towards y", any_number, true}, yaw0);
    keys.number({"pitch0", "rad", "turn at the start that lifts the head", any_number, true}, pitch0);
    keys.number({"roll0", "rad", "turn about the long axis at the start", any_number, true}, roll0);
    const auto vector = [&](const char* letter, const char* unit, const char* doc, Vec3d& v) {
      for (int i = 0; i < 3; i++)
        keys.number({fmt::format("{}_{}", letter, "xyz"[i]), unit, fmt::format("{}, {}", doc, "xyz"[i])}, v[i]);
    };
    vector("v0", "m/s", "velocity at the start", v0);
    vector("w0", "rad/s", "angular velocity at the start, of the whole about its centre of mass", w0);
  }

  BodyPlan link(int i) const {
    BodyPlan body;
    body.name = fmt::format("link{}", i);
    body.mass = link_mass;
    body.inertia = {inertia_transverse, 0.0, 0.0, inertia_transverse, 0.0, inertia_axial};
    ShapePlan shape;
    shape.along = Vec3d(0, 0, -1);  // forward: towards the head
    if (Surface(surface) == Surface::Capsule) {
      shape.name = "capsule";
      shape.shape = {.kind = ShapeKind::Capsule, .radius = sphere_radius, .half_length = sphere_offset};
      body.shapes = {shape};
      return body;
    }
    shape.shape = {.kind = ShapeKind::Sphere, .radius = sphere_radius};
    for (const bool front : {true, false}) {  // the front is the side of the next link
      shape.name = front ? "front" : "rear";
      shape.position = Vec3d(0, 0, front ? sphere_offset : -sphere_offset);
      body.shapes.push_back(shape);
    }
    return body;
  }

  BodyPlan cross_piece(int i) const {
    BodyPlan body;
    body.name = fmt::format("cross{}", i);
    body.mass = cross_mass;
    body.com = Vec3d(0, 0, 0.5 * axis_offset);
    body.inertia = Sym3d::diagonal(0.1 * cross_mass * axis_offset * axis_offset);  // 2/5 m r^2
    return body;
  }

  // A joint with some of the two axes, yaw (0) and pitch (1).
  JointPlan joint(std::string name, std::initializer_list<int> axes) const {
    const double kp[] = {Khp, Kvp}, kd[] = {Khd, Kvd}, stop[] = {yaw_limit, pitch_limit};
    JointPlan j;
    j.name = std::move(name);
    j.drive = Drive::Servo;
    for (const int a : axes) {
      j.kp.push_back(kp[a]);
      j.kd.push_back(kd[a]);
      j.limit.push_back(torque_limit);
      j.no_load_speed.push_back(no_load_speed);
      j.free_play.push_back(free_play);
      j.lower.push_back(-stop[a]);
      j.upper.push_back(stop[a]);
    }
    return j;
  }

  void add_joint(int i, Plan& plan) const {
    const Vec3d yaw_axis(0, 1, 0), pitch_axis(1, 0, 0), to_axis(0, 0, centre_to_axis());
    const std::string name = fmt::format("joint{}", i), here = fmt::format("link{}", i),
                      next = fmt::format("link{}", i + 1);
    if (!has_cross_pieces()) {
      JointPlan j = joint(name, {0, 1});
      j.kind = JointKind::Universal;
      j.parent = here;
      j.child = next;
      j.axis = yaw_axis;
      j.axis2 = pitch_axis;
      j.p_parent = to_axis;
      j.p_child = -to_axis;
      plan.joints.push_back(j);
      return;
    }
    plan.bodies.push_back(cross_piece(i));
    JointPlan yaw = joint(name + "_yaw", {0}), pitch = joint(name + "_pitch", {1});
    yaw.parent = here;
    yaw.child = pitch.parent = plan.bodies.back().name;
    pitch.child = next;
    yaw.axis = yaw_axis;
    pitch.axis = pitch_axis;
    yaw.p_parent = to_axis;
    pitch.p_parent = Vec3d(0, 0, axis_offset);
    pitch.p_child = -to_axis;
    pitch.second_of_pair = true;
    plan.joints.push_back(yaw);
    plan.joints.push_back(pitch);
  }

  Plan plan() const override {
    Plan plan;
    for (int i = 1; i <= n_links; i++) plan.bodies.push_back(link(i));
    JointPlan base;
    base.name = "base";
    base.kind = JointKind::Free;
    base.child = "link1";
    plan.joints = {base};
    for (int i = 1; i < n_links; i++) add_joint(i, plan);
    plan.ground.terrain.kind = TerrainKind::Plane;
    plan.contact.options.between_bodies = false;
    plan.contact.law.mu_roll = 0.01;
    plan.contact.law.eps_N = 1e-3;  // redundant normal forces are unique (docs/theory/snake.md#redundant-normal-forces)
    pose(plan);
    return plan;
  }

  // Attitudes of the links, and the directions of the cross pieces, behind each link but the last.
  struct Posture {
    std::vector<Mat3d> R{Mat3d::identity()};
    std::vector<Vec3d> cross;
  };

  void pose(Plan& plan) const override {
    Posture posture;
    double yaw = 0.0, sum_of_yaws = 0.0;
    auto j = plan.joints.begin() + 1;
    for (int i = 1; i < n_links; i++) {
      double start[2] = {0.0, 0.0};
      int axis = 0;
      for (; axis < 2; j++) {
        const int n_axes = joint::freedom_count(j->kind);
        j->position.assign(n_axes, 0.0);
        for (int k = 0; k < n_axes; k++, axis++)
          if (Initial(initial) == Initial::Gait && !j->motion.empty())
            start[axis] = j->position[k] = value_at_start(j->motion[k]);
      }
      const Mat3d turned = posture.R.back() * turn(y, start[0]);
      posture.cross.push_back(turned.col(2));
      posture.R.push_back(turned * turn(x, start[1]));
      sum_of_yaws += yaw += start[0];
    }
    // docs/theory/snake.md#gait-and-start: R_0 = [-e_y, e_z, -e_x], then the mean heading
    const Mat3d flat = Mat3d(Vec3d(0, -1, 0), Vec3d(0, 0, 1), Vec3d(-1, 0, 0));
    const Mat3d posed = turn(z, yaw0) * turn(y, -pitch0) * turn(x, roll0) * turn(z, -sum_of_yaws / n_links) * flat;
    for (Mat3d& r : posture.R) r = posed * r;
    for (Vec3d& c : posture.cross) c = posed * c;
    place(posture, plan);
  }

  // Explained in docs/snake.md.
  std::vector<ResultPlan> results() const override {
    std::vector<ResultPlan> all;
    const auto add_place = [&](const char* name, int link) {
      for (const char c : {'x', 'y', 'z'})
        all.push_back({fmt::format("{}_{}", name, c), fmt::format("body.link{}.p.{}", link, c)});
    };
    add_place("mid", (n_links + 1) / 2);
    add_place("head", 1);
    add_place("tail", n_links);
    const ResultPlan more[] = {{"com_dx", "com.p.x", Take::Change},
                               {"com_dy", "com.p.y", Take::Change},
                               {"com_speed", "run.speed"},
                               {"heading_deg", "heading_deg"},
                               {"distance", "run.distance"},
                               {"cost_of_transport", "run.cost_of_transport"},
                               {"ekin", "energy.kinetic"},
                               {"epot", "energy.potential"},
                               {"work_actuators", "energy.work_actuators"},
                               {"work_contact", "run.work_contact"},
                               {"work_joints", "run.work_joints"},
                               {"energy_residual", "energy.balance_error"},
                               {"max_torque", "run.torque_max"},
                               {"saturated_time", "run.saturated_time"},
                               {"mean_normal_force", "run.normal_mean"},
                               {"mean_contacts", "run.contacts_mean"},
                               {"max_penetration", "run.penetration_max"},
                               {"max_joint_drift", "run.gap_max"},
                               {"max_cone_violation", "run.outside_cone_max"},
                               {"max_friction_gain", "run.friction_gain_max"},
                               {"mean_iterations", "run.iterations_mean"},
                               {"failed_steps", "run.unconverged_steps"},
                               {"worst_residual", "run.residual_max"},
                               {"wall_time", "run.wall_time"}};
    all.insert(all.end(), std::begin(more), std::end(more));
    return all;
  }

  // Positions along the chain, on the ground, and the velocities of a rigid body.
  void place(const Posture& posture, Plan& plan) const {
    const std::vector<Mat3d>& R = posture.R;
    std::vector<Vec3d> p{Vec3d::zero()};
    Vec3d sum = Vec3d::zero();  // of mass times place
    for (int i = 1; i < n_links; i++) {
      const Vec3d hinge = p.back() + R[i - 1].col(2) * centre_to_axis(), across = posture.cross[i - 1] * axis_offset;
      sum += (hinge + across * 0.5) * (has_cross_pieces() ? cross_mass : 0.0);
      p.push_back(hinge + across + R[i].col(2) * centre_to_axis());
    }
    const double crosses = has_cross_pieces() ? (n_links - 1) * cross_mass : 0.0;
    for (const Vec3d& at : p) sum += at * link_mass;
    const Vec3d mean = sum * (1.0 / (n_links * link_mass + crosses));
    Vec3d shift = Vec3d(x0, y0, 0.0) - p[(n_links + 1) / 2 - 1];
    shift[2] = 0.0;
    std::vector<PlacedShape> shapes;
    for (int i = 0; i < n_links; i++)
      for (const ShapePlan& s : plan.bodies[i].shapes)
        shapes.push_back({s.shape, {R[i], p[i] + R[i] * s.position + shift}});
    shift[2] = drop_height - way_to_ground(plan.ground.terrain, shapes);
    for (PlacedShape& s : shapes) s.X_WS.p[2] += shift[2];
    check_obstacles(plan.ground, shapes);
    const Quatd q = to_quaternion(R[0]);
    JointPlan& base = plan.joints[0];
    base.position = {shift[0], shift[1], shift[2], q.w, q.x, q.y, q.z};
    const Vec3d w = transpose_times(R[0], w0), v = v0 + cross(w0, p[0] - mean);
    base.velocity = {w[0], w[1], w[2], v[0], v[1], v[2]};
  }
};

}  // namespace

std::unique_ptr<Robot> make_snake() { return std::make_unique<Snake>(); }

}  // namespace sinew::robots
