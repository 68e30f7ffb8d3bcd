// One pass of forward and one of inverse dynamics. Of a joint in a tree the wrench is what its child needs, of a cut joint the sum of
// its rows and of what drives and springs do on its axes.
#include "sinew/world/reactions.h"

#include <algorithm>

#include "sinew/dynamics/inverse.h"
#include "sinew/math/check.h"
#include "sinew/step/devices.h"
#include "sinew/step/smooth.h"
#include "sinew/step/workspace.h"
#include "sinew/world/contacts.h"

namespace sinew {

struct LazyReactions::Work {
  std::shared_ptr<const Model> model;
  Workspace<double> ws;
  std::vector<Vec3d> p_WC;                   // per link
  std::vector<BodyContact<double>> touched;  // per link
  std::vector<double> law;                   // per joint axis: of ends of ranges and dry friction
  Reactions found;

  explicit Work(const std::shared_ptr<const Model>& of)
      : model(of),
        ws(*of),
        p_WC(of->links.size()),
        touched(of->links.size()),
        law(std::size_t(of->n_axes)),
        found{std::vector<BodyAcceleration>(of->links.size()), std::vector<JointReaction>(of->joints.size())} {}

  void find(const World<double>& world) {
    const State<double>& s = world.state;
    recall_devices(*model, s, ws);
    forces(*model, world.params, world.input, {s.t, s.q.data(), s.u.data()}, ws);
    touch(world);
    act_on_axes(world);
    accelerations_at_frames(*model, world.params, ws);
    if (model->has_rows()) add_row_wrenches(*model, world.params, ws.frames, ws.cuts, 1.0, ws.applied);
    const InverseInput<double> in{ws.u_rate.data(), &ws.applied};
    inverse_dynamics(*model, world.params, ws.frames, in, ws.inverse, ws.axis_torque.data());
    for (std::size_t i = 0; i < found.bodies.size(); i++) found.bodies[i] = acceleration_of(world, i);
    for (std::size_t k = 0; k < found.joints.size(); k++) found.joints[k] = reaction_of(world, int(k));
  }

 private:
  void touch(const World<double>& world) {
    for (std::size_t i = 0; i < p_WC.size(); i++)
      p_WC[i] = ws.frames.link[i].X.p + ws.frames.link[i].X.R * world.params.links[i].c_F;
    if (model->n_slots == 0) return;
    read_bodies_touched(world, p_WC, touched);
    for (std::size_t i = 0; i < p_WC.size(); i++) ws.applied[i] += Wrench<double>{touched[i].torque, touched[i].force};
  }

  // Servos that a step has as laws are torques here already.
  void act_on_axes(const World<double>& world) {
    const State<double>& s = world.state;
    std::fill(law.begin(), law.end(), 0.0);
    for (std::size_t k = 0; k < model->axis_rows.size() && s.dt > 0.0; k++) {
      using Kind = AxisRowInfo::Kind;
      const AxisRowInfo& row = model->axis_rows[k];
      if (row.kind == Kind::Servo) continue;
      law[std::size_t(model->joints[std::size_t(row.joint)].axis + row.component)] +=
          (row.kind == Kind::Upper ? -1.0 : 1.0) * s.axis_P[k] / s.dt;
    }
    for (const JointInfo& joint : model->joints) {
      if (joint.driven) continue;
      const double* at = law.data() + joint.axis;
      if (joint.link >= 0)
        for (int c = 0; c < joint.n_axes; c++)
          ws.tau[std::size_t(model->links[std::size_t(joint.link)].u + c)] += at[c];
      else
        push_cut(world, joint, at);
    }
  }

  // Sum over the axes of a cut joint.
  Wrench<double> along_axes(const JointInfo& joint, const double* force) const {
    const CutRows<double>& rows = ws.cuts.rows[std::size_t(joint.cut)];
    Wrench<double> F = Wrench<double>::zero();
    joint::visit(joint.kind, [&]<class J>() {
      Vec3d axis[J::nu + 1];
      J::axes(rows.R_WJ, rows.R_WF, axis);
      for (int c = 0; c < J::nu; c++)
        (J::dirs[std::size_t(c)] == joint::Dir::Angular ? F.n : F.f) += axis[c] * force[c];
    });
    return F;
  }

  void push_cut(const World<double>& world, const JointInfo& joint, const double* force) {
    const Cut& cut = model->cuts[std::size_t(joint.cut)];
    const CutRows<double>& rows = ws.cuts.rows[std::size_t(joint.cut)];
    const Wrench<double> F = along_axes(joint, force);
    const auto add = [&](int body, const Vec3d& arm, double sign) {
      if (body < 0) return;
      const std::size_t i = std::size_t(body);
      const Vec3d from_com = arm - ws.frames.link[i].X.R * world.params.links[i].c_F;
      ws.applied[i] += Wrench<double>{(F.n + cross(from_com, F.f)) * sign, F.f * sign};
    };
    add(cut.body2, rows.arm2, 1.0);
    add(cut.body1, rows.arm1, -1.0);
  }

  BodyAcceleration acceleration_of(const World<double>& world, std::size_t i) const {
    const Twist<double>& a = ws.inverse.a[i];
    const Frame<double>& F = ws.frames.link[i];
    const Vec3d c = F.X.R * world.params.links[i].c_F;
    return {a.v + cross(a.w, c) + cross(F.V.w, cross(F.V.w, c)), a.w};
  }

  JointReaction reaction_of(const World<double>& world, int k) {
    const JointInfo& joint = model->joints[std::size_t(k)];
    Wrench<double> F;
    if (joint.link >= 0) {
      const InverseInput<double> in{ws.u_rate.data(), &ws.applied};
      F = joint_wrench(*model, world.params, ws.frames, in, ws.inverse, joint.link);
    } else {
      const std::size_t cut = std::size_t(joint.cut);
      F = cut_impulse(model->cuts[cut], ws.cuts.rows[cut], ws.cuts.P.data());
      double on_axis[6] = {};
      for (int c = 0; c < joint.n_axes && !joint.driven; c++) {
        const std::size_t at = std::size_t(joint.axis + c);
        on_axis[c] = ws.axis.actuator[at] + ws.axis.spring[at] + ws.axis.damper[at] + law[at];
      }
      F += along_axes(joint, on_axis);
    }
    add_couplings(k, F);
    return {F.f, F.n};
  }

  // What couplings do on the joint's axes, and its own tie.
  void add_couplings(int k, Wrench<double>& F) const {
    for (const Coupling& c : model->couplings)
      for (int t = c.term; t < c.term + c.n_terms; t++) {
        if (model->coupling_terms[std::size_t(t)].joint != k && c.joint != k) continue;
        const CouplingSide<double>& side = ws.cuts.sides[std::size_t(t)];
        (side.dir == joint::Dir::Angular ? F.n : F.f) += side.e * (side.factor * ws.cuts.P[std::size_t(c.row)]);
      }
  }
};

LazyReactions::LazyReactions() = default;
LazyReactions::~LazyReactions() = default;
LazyReactions::LazyReactions(const LazyReactions&) {}
LazyReactions& LazyReactions::operator=(const LazyReactions&) {
  forget();
  return *this;
}
LazyReactions::LazyReactions(LazyReactions&&) noexcept = default;
LazyReactions& LazyReactions::operator=(LazyReactions&&) noexcept = default;

const Reactions& LazyReactions::of(const World<double>& world) const {
  SINEW_CHECK(!world.model().plant, "LazyReactions: a robot with equations of its own has no joints to look into");
  if (!work_ || work_->model != world.shared_model()) {
    work_ = std::make_unique<Work>(world.shared_model());
    is_known_ = false;
  }
  if (!is_known_) work_->find(world);
  is_known_ = true;
  return work_->found;
}

}  // namespace sinew
