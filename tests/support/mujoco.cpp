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

struct DebianModel : MujocoModel {
  std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model;
  std::unique_ptr<mjData, decltype(&mj_deleteData)> data;

  static std::string text(const char* name) { return name ? name : ""; }

  explicit DebianModel(mjModel* read) : model(read, mj_deleteModel), data(mj_makeData(read), mj_deleteData) {
    for (int j = 0; j < read->njnt; j++)
      joints.push_back(
          {read->jnt_qposadr[j], read->jnt_dofadr[j], read->jnt_bodyid[j], text(mj_id2name(read, mjOBJ_JOINT, j))});
    for (int b = 0; b < read->nbody; b++) bodies[text(mj_id2name(read, mjOBJ_BODY, b))] = b;
    qpos.assign(read->qpos0, read->qpos0 + read->nq);
    nv = read->nv;
  }

  Answer forward(const std::vector<double>& at, const std::vector<double>& qvel) override {
    std::ranges::copy(at, data->qpos);
    std::ranges::copy(qvel, data->qvel);
    mj_forward(model.get(), data.get());
    Answer answer;
    answer.xpos.assign(data->xpos, data->xpos + 3 * model->nbody);
    answer.M.resize(std::size_t(nv) * std::size_t(nv));
    mj_fullM(model.get(), answer.M.data(), data->qM);
    answer.bias.assign(data->qfrc_bias, data->qfrc_bias + nv);
    answer.mass.assign(model->body_subtreemass, model->body_subtreemass + model->nbody);
    return answer;
  }
};

struct Comparison {
  const sim::Experiment& experiment;
  MujocoModel& theirs;
  const Model& ours = experiment.model();
  World<double> world = experiment.world();
  MujocoErrors errors = {};
  RowMatrix T = RowMatrix::Zero(ours.nu, theirs.nv);
  std::vector<double> qpos = theirs.qpos;
  struct Floating {
    int u, their_u;
    Mat3d R;
    Vec3d com;
  };
  std::vector<Floating> floating = {};
  RowMatrix M = RowMatrix::Zero(ours.nu, ours.nu);

  // The joint of ours that is theirs: by its name, or the only one of the body that it carries.
  const MujocoModel::Joint* joint_of(const JointInfo& joint) const {
    const auto named = std::ranges::find(theirs.joints, joint.name, &MujocoModel::Joint::name);
    if (named != theirs.joints.end()) return &*named;
    const auto body = theirs.bodies.find(ours.body_names[std::size_t(joint.child)]);
    if (body == theirs.bodies.end() || std::ranges::count(theirs.joints, body->second, &MujocoModel::Joint::body) != 1)
      return nullptr;
    return &*std::ranges::find(theirs.joints, body->second, &MujocoModel::Joint::body);
  }

  Vec3d com_of(int link) const { return -ours.links[std::size_t(link)].X_FB.p; }  // of a free link, in the body's axes

  static Quatd turn(Dice& dice) {
    const double w = dice.between(0.5, 1.0), x = dice.between(-0.5, 0.5), y = dice.between(-0.5, 0.5);
    return normalized(Quatd{w, x, y, dice.between(-0.5, 0.5)});
  }

  void place_ball(const Link& link, const MujocoModel::Joint& joint, Dice& dice) {
    const Quatd q = turn(dice);
    const double quat[4] = {q.w, q.x, q.y, q.z};
    for (int i = 0; i < 4; i++) qpos[std::size_t(joint.q + i)] = world.state.q[std::size_t(link.q + i)] = quat[i];
    for (int i = 0; i < 3; i++) T(link.u + i, joint.u + i) = 1.0;
  }

  void place_free(int l, const Link& link, const MujocoModel::Joint& joint, Dice& dice) {
    const Quatd q = turn(dice);
    const Vec3d p(dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1)), com = com_of(l);
    const Mat3d R = to_matrix(q);
    const Vec3d c = p + R * com;
    floating.push_back({link.u, joint.u, R, com});
    double* place = qpos.data() + joint.q;
    double* mine = world.state.q.data() + link.q;
    for (int i = 0; i < 3; i++) {
      place[i] = p[i];
      mine[i] = c[i];
    }
    const double quat[4] = {q.w, q.x, q.y, q.z};
    for (int i = 0; i < 4; i++) place[3 + i] = mine[3 + i] = quat[i];
    for (int i = 0; i < 3; i++) {
      T(link.u + i, joint.u + 3 + i) = 1.0;
      T(link.u + 3 + i, joint.u + i) = 1.0;
      Vec3d e = Vec3d::zero();
      e[i] = 1.0;
      const Vec3d v = R * cross(e, com);
      for (int k = 0; k < 3; k++) T(link.u + 3 + k, joint.u + 3 + i) = v[k];
    }
  }

  // false: it is not theirs
  bool place(Dice& dice) {
    for (int l = 0; l < ours.link_count(); l++) {
      const Link& link = ours.links[std::size_t(l)];
      const int n = joint::freedom_count(link.kind);
      if (n == 0) continue;
      const MujocoModel::Joint* joint = joint_of(ours.joints[std::size_t(link.joint)]);
      if (!joint || (n != 1 && link.kind != JointKind::Ball && link.kind != JointKind::Free)) {
        errors.unread = fmt::format("they have no joint {}", ours.joints[std::size_t(link.joint)].name);
        return false;
      }
      if (link.kind == JointKind::Free) place_free(l, link, *joint, dice);
      if (link.kind == JointKind::Ball) place_ball(link, *joint, dice);
      if (n != 1) continue;
      const double q = dice.between(-0.4, 0.4);
      qpos[std::size_t(joint->q)] = q;
      world.state.q[std::size_t(link.q)] = q;
      T(link.u, joint->u) = 1.0;
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
    for (int i = 0; i < theirs.nv; i++) u[i] = dice.between(-1, 1);
    Eigen::Map<Eigen::VectorXd>(world.state.u.data(), ours.nu) = T * u;
    const MujocoModel::Answer answer = theirs.forward(qpos, {u.data(), u.data() + theirs.nv});
    Prescribed<double> driven(ours);
    Frames<double> frames(ours);
    evaluate_frames(ours, world.params, world.state.q.data(), world.state.u.data(), driven, frames);
    compare_places(frames, answer);
    compare_inertia(frames, answer);
    compare_bias(frames, answer, u);
    compare_masses(answer);
  }

  // Of each body with all that it carries.
  void compare_masses(const MujocoModel::Answer& answer) {
    std::vector<double> mass(ours.links.size());
    for (int l = ours.link_count(); l-- > 0;) {
      const Link& link = ours.links[std::size_t(l)];
      mass[std::size_t(l)] += world.params.links[std::size_t(l)].I_F.m;
      if (link.parent >= 0) mass[std::size_t(link.parent)] += mass[std::size_t(l)];
      const auto body = theirs.bodies.find(ours.body_names[std::size_t(l)]);
      if (body == theirs.bodies.end()) continue;
      const double want = answer.mass[std::size_t(body->second)];
      errors.mass = std::max(errors.mass, std::abs(mass[std::size_t(l)] - want) / std::max(want, 1e-9));
    }
  }

  void compare_places(const Frames<double>& frames, const MujocoModel::Answer& answer) {
    for (int l = 0; l < ours.link_count(); l++) {
      const auto body = theirs.bodies.find(ours.body_names[std::size_t(l)]);
      if (body == theirs.bodies.end()) continue;
      const Posed X = frames.link[std::size_t(l)].X * ours.links[std::size_t(l)].X_FB;
      for (int i = 0; i < 3; i++)
        errors.place = std::max(errors.place, std::abs(X.p[i] - answer.xpos[std::size_t(3 * body->second + i)]));
      errors.bodies++;
    }
    errors.freedoms = ours.nu;
  }

  void compare_inertia(const Frames<double>& frames, const MujocoModel::Answer& answer) {
    MassWork<double> work(ours);
    mass_matrix(ours, world.params, frames, work, M.data());
    const RowMatrix want = Eigen::Map<const RowMatrix>(answer.M.data(), theirs.nv, theirs.nv);
    const RowMatrix got = T.transpose() * M * T;
    for (int i = 0; i < theirs.nv; i++)
      for (int j = 0; j < theirs.nv; j++)
        errors.inertia =
            std::max(errors.inertia, std::abs(got(i, j) - want(i, j)) / std::sqrt(want(i, i) * want(j, j)));
  }

  void compare_bias(const Frames<double>& frames, const MujocoModel::Answer& answer, const Eigen::VectorXd& u) {
    std::vector<double> rate(std::size_t(ours.nu), 0.0), torque(frames.axis.size(), 0.0);
    InverseWork<double> work(ours);
    inverse_dynamics(ours, world.params, frames, {.u_rate = rate.data()}, work, torque.data());
    Eigen::VectorXd h(ours.nu);
    for (const Link& link : ours.links)
      for (int i = 0; i < joint::freedom_count(link.kind); i++) h[link.u + i] = torque[std::size_t(link.axis + i)];
    // where T changes as well: the centre of mass moves with w x (w x com) while their origin goes straight on
    Eigen::VectorXd drift = Eigen::VectorXd::Zero(ours.nu);
    for (const Floating& f : floating) {
      const Vec3d w(u[f.their_u + 3], u[f.their_u + 4], u[f.their_u + 5]), a = f.R * cross(w, cross(w, f.com));
      for (int i = 0; i < 3; i++) drift[f.u + 3 + i] = a[i];
    }
    const Eigen::VectorXd got = T.transpose() * (h + M * drift),
                          want = Eigen::Map<const Eigen::VectorXd>(answer.bias.data(), theirs.nv);
    const double scale = std::max(want.cwiseAbs().maxCoeff(), 1e-3);
    errors.bias = (got - want).cwiseAbs().maxCoeff() / scale;
  }
};

}  // namespace

std::unique_ptr<MujocoModel> read_by_debian(const std::string& file, std::string& error) {
  char text[1000] = "";
  mjModel* model = mj_loadXML(file.c_str(), nullptr, text, sizeof text);
  error = text;
  return model ? std::make_unique<DebianModel>(model) : nullptr;
}

MujocoErrors compare_with_model(const sim::Experiment& experiment, MujocoModel& model, unsigned seed) {
  Comparison comparison{experiment, model};
  comparison.run(seed);
  return comparison.errors;
}

MujocoErrors compare_with_mujoco(const sim::Experiment& experiment, const std::string& file, unsigned seed) {
  std::string error;
  const auto model = read_by_debian(file, error);
  if (model) return compare_with_model(experiment, *model, seed);
  MujocoErrors none;
  none.unread = fmt::format("MuJoCo: {}", error);
  return none;
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
