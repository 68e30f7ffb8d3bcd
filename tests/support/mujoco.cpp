#include "tests/support/mujoco.h"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <Eigen/Core>
#include <fstream>
#include <memory>

#include "sinew/dynamics/inverse.h"
#include "sinew/dynamics/mass.h"
#include "tests/support/dice.h"
#include "tests/support/folder.h"

namespace sinew::support {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Comparison {
  const sim::Experiment& experiment;
  const mjModel& theirs;
  mjData& data;
  const Model& ours = experiment.model();
  World<double> world = experiment.world();
  MujocoErrors errors = {};
  RowMatrix T = RowMatrix::Zero(ours.nu, theirs.nv);
  bool floats = false;

  // The joint of ours that is theirs: by its name, a free one by the body that it carries.
  int joint_of(const Link& link, const JointInfo& joint) const {
    int id = mj_name2id(&theirs, mjOBJ_JOINT, joint.name.c_str());
    if (id >= 0 || link.kind != JointKind::Free) return id;
    const int body = mj_name2id(&theirs, mjOBJ_BODY, ours.body_names[std::size_t(joint.child)].c_str());
    return body >= 0 && theirs.body_jntnum[body] > 0 ? theirs.body_jntadr[body] : -1;
  }

  Vec3d com_of(int link) const { return -ours.links[std::size_t(link)].X_FB.p; }  // of a free link, in the body's axes

  void place_free(int l, const Link& link, int id, Dice& dice) {
    floats = true;
    Quatd q = normalized(
        Quatd{dice.between(0.5, 1.0), dice.between(-0.5, 0.5), dice.between(-0.5, 0.5), dice.between(-0.5, 0.5)});
    const Vec3d p(dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1)), com = com_of(l);
    const Mat3d R = to_matrix(q);
    const Vec3d c = p + R * com;
    mjtNum* qpos = data.qpos + theirs.jnt_qposadr[id];
    double* mine = world.state.q.data() + link.q;
    for (int i = 0; i < 3; i++) {
      qpos[i] = p[i];
      mine[i] = c[i];
    }
    const double quat[4] = {q.w, q.x, q.y, q.z};
    for (int i = 0; i < 4; i++) qpos[3 + i] = mine[3 + i] = quat[i];
    const int dof = theirs.jnt_dofadr[id];
    for (int i = 0; i < 3; i++) {
      T(link.u + i, dof + 3 + i) = 1.0;
      T(link.u + 3 + i, dof + i) = 1.0;
      Vec3d e = Vec3d::zero();
      e[i] = 1.0;
      const Vec3d v = R * cross(e, com);
      for (int k = 0; k < 3; k++) T(link.u + 3 + k, dof + 3 + i) = v[k];
    }
  }

  // false: it is not theirs
  bool place(Dice& dice) {
    for (int l = 0; l < ours.link_count(); l++) {
      const Link& link = ours.links[std::size_t(l)];
      const int n = joint::freedom_count(link.kind);
      if (n == 0) continue;
      const int id = joint_of(link, ours.joints[std::size_t(link.joint)]);
      if (id < 0 || (n != 1 && n != 6)) {
        errors.unread = fmt::format("they have no joint {}", ours.joints[std::size_t(link.joint)].name);
        return false;
      }
      if (n == 6) {
        place_free(l, link, id, dice);
        continue;
      }
      const double q = dice.between(-0.4, 0.4);
      data.qpos[theirs.jnt_qposadr[id]] = q;
      world.state.q[std::size_t(link.q)] = q;
      T(link.u, theirs.jnt_dofadr[id]) = 1.0;
    }
    if (ours.nu == 0) {
      errors.unread = "nothing moves";
      return false;
    }
    if (ours.nu != theirs.nv) {
      errors.unread = fmt::format("{} freedoms, theirs {}", ours.nu, theirs.nv);
      return false;
    }
    return true;
  }

  void run(unsigned seed) {
    Dice dice(seed);
    if (!place(dice)) return;
    Eigen::VectorXd u = Eigen::VectorXd::Zero(theirs.nv);
    if (!floats)
      for (int i = 0; i < theirs.nv; i++) u[i] = dice.between(-1, 1);
    for (int i = 0; i < theirs.nv; i++) data.qvel[i] = u[i];
    Eigen::Map<Eigen::VectorXd>(world.state.u.data(), ours.nu) = T * u;
    mj_forward(&theirs, &data);
    Prescribed<double> driven(ours);
    Frames<double> frames(ours);
    evaluate_frames(ours, world.params, world.state.q.data(), world.state.u.data(), driven, frames);
    compare_places(frames);
    compare_inertia(frames);
    compare_bias(frames);
  }

  void compare_places(const Frames<double>& frames) {
    for (int l = 0; l < ours.link_count(); l++) {
      const int body = mj_name2id(&theirs, mjOBJ_BODY, ours.body_names[std::size_t(l)].c_str());
      if (body < 0) continue;
      const Posed X = frames.link[std::size_t(l)].X * ours.links[std::size_t(l)].X_FB;
      for (int i = 0; i < 3; i++) errors.place = std::max(errors.place, std::abs(X.p[i] - data.xpos[3 * body + i]));
      errors.bodies++;
    }
    errors.freedoms = ours.nu;
  }

  void compare_inertia(const Frames<double>& frames) {
    RowMatrix M(ours.nu, ours.nu), want(theirs.nv, theirs.nv);
    MassWork<double> work(ours);
    mass_matrix(ours, world.params, frames, work, M.data());
    mj_fullM(&theirs, want.data(), data.qM);
    const RowMatrix got = T.transpose() * M * T;
    for (int i = 0; i < theirs.nv; i++)
      for (int j = 0; j < theirs.nv; j++)
        errors.inertia =
            std::max(errors.inertia, std::abs(got(i, j) - want(i, j)) / std::sqrt(want(i, i) * want(j, j)));
  }

  void compare_bias(const Frames<double>& frames) {
    std::vector<double> rate(std::size_t(ours.nu), 0.0), torque(frames.axis.size(), 0.0);
    InverseWork<double> work(ours);
    inverse_dynamics(ours, world.params, frames, {.u_rate = rate.data()}, work, torque.data());
    Eigen::VectorXd h(ours.nu);
    for (const Link& link : ours.links)
      for (int i = 0; i < joint::freedom_count(link.kind); i++) h[link.u + i] = torque[std::size_t(link.axis + i)];
    const Eigen::VectorXd got = T.transpose() * h, want = Eigen::Map<Eigen::VectorXd>(data.qfrc_bias, theirs.nv);
    const double scale = std::max(want.cwiseAbs().maxCoeff(), 1e-3);
    errors.bias = (got - want).cwiseAbs().maxCoeff() / scale;
  }
};

}  // namespace

MujocoErrors compare_with_mujoco(const sim::Experiment& experiment, const std::string& file, unsigned seed) {
  char error[1000] = "";
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model(
      mj_loadXML(file.c_str(), nullptr, error, sizeof error), mj_deleteModel);
  MujocoErrors none;
  none.unread = fmt::format("MuJoCo: {}", error);
  if (!model) return none;
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> data(mj_makeData(model.get()), mj_deleteData);
  Comparison comparison{experiment, *model, *data};
  comparison.run(seed);
  return comparison.errors;
}

std::vector<double> heights_by_mujoco(const std::string& file, const std::vector<std::array<double, 2>>& points) {
  char error[1000] = "";
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model(
      mj_loadXML(file.c_str(), nullptr, error, sizeof error), mj_deleteModel);
  std::vector<double> heights;
  if (!model) return heights;
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> data(mj_makeData(model.get()), mj_deleteData);
  mj_forward(model.get(), data.get());
  constexpr double above = 100.0;
  for (const auto& [x, y] : points) {
    const double from[] = {x, y, above}, down[] = {0, 0, -1};
    int geom = -1;
    heights.push_back(above - mj_ray(model.get(), data.get(), from, down, nullptr, 1, -1, &geom));
  }
  return heights;
}

MujocoErrors compare_text_with_mujoco(const sim::Experiment& experiment, const std::string& text, unsigned seed) {
  const test::Folder folder;
  const std::string file = folder / "robot.xml";
  std::ofstream(file) << text;
  return compare_with_mujoco(experiment, file, seed);
}

}  // namespace sinew::support
