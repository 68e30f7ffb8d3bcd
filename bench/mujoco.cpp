// The same robots in MuJoCo: the plan is written as MJCF, and the calls do what ours do, from q and v alone.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "mujoco_model.h"
#include "sinew_dynamics.h"

namespace sinew::bench {
namespace {

std::string text(const Vec3d& a) { return fmt::format("{} {} {}", a[0], a[1], a[2]); }

std::string hinge(const Vec3d& axis, const Vec3d& at) {
  return fmt::format("<joint type='hinge' axis='{}' pos='{}'/>", text(axis), text(at));
}

std::string joints_of(const JointPlan& joint) {
  switch (joint.kind) {
    case JointKind::Free:
      return "<freejoint/>";
    case JointKind::Revolute:
      return hinge(joint.axis, joint.p_child);
    case JointKind::Universal:
      return hinge(joint.axis, joint.p_child) + hinge(joint.axis2, joint.p_child);
    default:
      throw std::runtime_error("bench: this joint kind is not exported to MuJoCo");
  }
}

std::string bodies_on(const Plan& plan, const std::string& parent) {
  std::string out;
  for (const JointPlan& joint : plan.joints) {
    if (joint.parent != parent) continue;
    for (const BodyPlan& body : plan.bodies) {
      if (body.name != joint.child) continue;
      const Quatd& q = joint.orientation;
      const Vec3d at = joint.p_parent - to_matrix(q) * joint.p_child;
      const Sym3d& I = body.inertia;
      out += fmt::format("<body name='{}' pos='{}' quat='{} {} {} {}'>", body.name, text(at), q.w, q.x, q.y, q.z);
      out += fmt::format("<inertial pos='{}' mass='{}' fullinertia='{} {} {} {} {} {}'/>", text(body.com), body.mass,
                         I.xx, I.yy, I.zz, I.xy, I.xz, I.yz);
      for (const ShapePlan& shape : body.shapes)  // spheres only
        out += fmt::format(
            "<geom type='sphere' size='{}' pos='{}' friction='0.2 0 0' mass='0' contype='1' conaffinity='2'/>",
            shape.shape.radius, text(shape.position));
      out += joints_of(joint) + bodies_on(plan, body.name) + "</body>";
    }
  }
  return out;
}

std::string to_mjcf(const Plan& plan) {
  std::string ground;  // its friction is the larger of the two
  if (plan.ground.terrain.kind == TerrainKind::Plane)
    ground = "<geom type='plane' size='0 0 1' friction='0.2 0 0' contype='2' conaffinity='1'/>";
  return fmt::format(
      "<mujoco><compiler angle='radian'/><option gravity='{}' timestep='0.00025' cone='pyramidal' solver='Newton'/>"
      "<worldbody>{}{}</worldbody></mujoco>",
      text(plan.gravity.g), ground, bodies_on(plan, "world"));
}

class Peer {
 public:
  explicit Peer(const Plan& plan)
      : motion_(motion_of(plan)),
        axes_(int(motion_.angle.size())),
        mujoco_(to_mjcf(plan)),
        model_(mujoco_.model.get()),
        data_(mujoco_.data.get()) {
    out_.resize(model_->nv);
    mj_resetData(model_, data_);
    mju_copy(data_->qpos + 7, motion_.angle.data(), axes_);
    mju_copy(data_->qvel + 6, motion_.rate.data(), axes_);
    mju_copy(data_->qacc + 6, motion_.accel.data(), axes_);
  }

  const std::vector<double>& forward() {
    place();
    mj_crb(model_, data_);
    mj_factorM(model_, data_);
    mj_comVel(model_, data_);
    mj_rne(model_, data_, 0, data_->qfrc_bias);
    mju_scl(data_->qfrc_smooth, data_->qfrc_bias, -1.0, model_->nv);
    mju_addTo(data_->qfrc_smooth + 6, motion_.torque.data(), axes_);
    mj_solveM(model_, data_, out_.data(), data_->qfrc_smooth, 1);
    return out_;
  }
  const std::vector<double>& inverse() {
    place();
    mj_comVel(model_, data_);
    mj_rne(model_, data_, 1, out_.data());
    return out_;
  }
  // One whole step from the plan's start; the number of contacts is returned.
  void start() {
    mj_resetData(model_, data_);
    data_->qpos[2] = 0.0525;
  }
  int step() {
    mj_step(model_, data_);
    return data_->ncon;
  }
  // Sparse, as MuJoCo keeps it; full() makes it dense for the comparison.
  void mass() {
    place();
    mj_crb(model_, data_);
  }
  std::vector<double> full() {
    mass();
    std::vector<double> M(model_->nv * model_->nv);
    mj_fullM(model_, M.data(), data_->qM);
    return M;
  }

 private:
  void place() {
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
  }

  Motion motion_;
  int axes_;
  MujocoModel mujoco_;
  mjModel* model_;
  mjData* data_;
  std::vector<double> out_;
};

// Both must have computed the same: compared on the joint axes, where both use the same coordinates.
bool agree(const std::vector<double>& ours, const std::vector<double>& theirs) {
  double error = 0.0, size = 0.0;
  for (std::size_t i = 6; i < ours.size(); i++) {
    error = std::max(error, std::abs(ours[i] - theirs[i]));
    size = std::max(size, std::abs(theirs[i]));
  }
  return ours.size() == theirs.size() && error <= 1e-9 * size;
}

// With the root's linear motion at different points only the joints' own block is the same.
std::vector<double> joint_block(const std::vector<double>& M) {
  const int n = int(std::lround(std::sqrt(double(M.size()))));
  std::vector<double> block(6);
  for (int r = 6; r < n; r++)
    for (int c = 6; c < n; c++) block.push_back(M[r * n + c]);
  return block;
}

template <class Call, class Check>
void add(const char* what, const Robot& robot, Call call, Check check) {
  benchmark::RegisterBenchmark(fmt::format("{}/{}/mujoco", what, robot.name).c_str(),
                               [&robot, call, check](benchmark::State& state) {
                                 Peer peer(robot.plan);
                                 Dynamics<double> ours(robot.plan);
                                 if (!check(ours, peer)) state.SkipWithError("sinew and MuJoCo disagree");
                                 for (auto _ : state) {
                                   call(peer);
                                   benchmark::ClobberMemory();
                                 }
                                 state.counters["robots"] = 1;
                               });
}

// 22 contacts at rest: as its documentation recommends for speed, a pyramid of friction.
void contact_step(benchmark::State& state) {
  Peer peer(lying_snake(11));
  peer.start();
  for (int k = 0; k < 2000; k++) peer.step();  // it sinks in and settles
  if (peer.step() != 22) state.SkipWithError("MuJoCo has lost contacts");
  for (auto _ : state) peer.step();
  state.counters["robots"] = 1;
}
BENCHMARK(contact_step)->Name("contact_step/lying22/mujoco")->Unit(benchmark::kMicrosecond);

const bool added = [] {
  using Ours = Dynamics<double>;
  for (const Robot& robot : robots()) {
    add(
        "forward_dynamics", robot, [](Peer& p) { p.forward(); },
        [](Ours& o, Peer& p) { return agree(o.forward(), p.forward()); });
    add(
        "inverse_dynamics", robot, [](Peer& p) { p.inverse(); },
        [](Ours& o, Peer& p) { return agree(o.inverse(), p.inverse()); });
    add(
        "mass_matrix", robot, [](Peer& p) { p.mass(); },
        [](Ours& o, Peer& p) { return agree(joint_block(o.mass()), joint_block(p.full())); });
  }
  return true;
}();

}  // namespace
}  // namespace sinew::bench
