// MuJoCo: the standing biped, in MJCF from the same plan. Springs and dampers are those of its joints, its soft convex contacts have their default softness;
// each of its solvers, friction an elliptic cone or a pyramid, dampers implicit.
#include <fmt/format.h>

#include <algorithm>

#include "biped.h"
#include "mujoco_model.h"
#include "sinew/model/compile.h"

namespace sinew::bench {
namespace {

std::string numbers_of(const Vec3d& a) { return fmt::format("{} {} {}", a[0], a[1], a[2]); }

std::string hinge_of(const JointPlan& j, int axis) {
  const std::size_t i = std::size_t(axis);
  return fmt::format(
      "<joint name='{}.{}' type='hinge' axis='{}' stiffness='{}' damping='{}' springref='{}' limited='true' range='{} "
      "{}'/>",
      j.name, axis, numbers_of(axis == 0 ? j.axis : j.axis2), j.kp[i], j.kd[i], j.motion[i].offset, j.lower[i],
      j.upper[i]);
}

std::string body_of(const Plan& plan, const JointPlan& j) {
  const BodyPlan& b = *std::ranges::find(plan.bodies, j.child, &BodyPlan::name);
  const bool is_root = j.kind == JointKind::Free;
  const Vec3d at = is_root ? Vec3d(j.position[0], j.position[1], j.position[2]) - b.com : j.p_parent;
  std::string text = fmt::format("<body name='{}' pos='{}'>", b.name, numbers_of(at));
  text += fmt::format("<inertial pos='{}' mass='{}' diaginertia='{} {} {}'/>", numbers_of(b.com), b.mass, b.inertia.xx,
                      b.inertia.yy, b.inertia.zz);
  if (is_root) text += "<freejoint/>";
  const int hinges = j.kind == JointKind::Revolute ? 1 : j.kind == JointKind::Universal ? 2 : 0;
  for (int i = 0; i < hinges; i++) text += hinge_of(j, i);
  for (const ShapePlan& s : b.shapes)
    text += fmt::format("<geom type='box' pos='{}' size='{}' contype='0' conaffinity='1'/>", numbers_of(s.position),
                        numbers_of(s.shape.half));
  for (const JointPlan& next : plan.joints)
    if (next.parent == b.name) text += body_of(plan, next);
  return text + "</body>";
}

std::string biped_mjcf(const Plan& plan, const char* solver, const char* cone) {
  return fmt::format(
      "<mujoco><compiler angle='radian'/><option timestep='{}' gravity='0 0 -9.81' solver='{}' cone='{}' "
      "integrator='implicit'/>"
      "<size njmax='200' nconmax='40'/><default><geom friction='{} 0 0' condim='3'/></default>"
      "<worldbody><geom type='plane' size='0 0 1' contype='1' conaffinity='0'/>{}</worldbody></mujoco>",
      biped_step, solver, cone, plan.contact.law.mu_forward, body_of(plan, plan.joints.front()));
}

class MujocoBiped : public BipedPeer {
 public:
  MujocoBiped(const char* solver, const char* cone) : mujoco_(biped_mjcf(standing_biped(), solver, cone)) {
    const mjModel* m = mujoco_.model.get();
    for (const JointPlan& j : standing_biped().joints)
      for (std::size_t i = 0; j.kind != JointKind::Free && i < j.position.size(); i++) {
        const int joint = mj_name2id(m, mjOBJ_JOINT, fmt::format("{}.{}", j.name, i).c_str());
        mujoco_.data->qpos[m->jnt_qposadr[joint]] = j.position[i];
      }
    trunk_ = mj_name2id(m, mjOBJ_BODY, "trunk");
    mj_forward(m, mujoco_.data.get());
  }
  void step() override { mj_step(mujoco_.model.get(), mujoco_.data.get()); }
  std::array<double, 3> place() override {
    mj_kinematics(mujoco_.model.get(), mujoco_.data.get());  // a step leaves the poses of its start
    const double* p = mujoco_.data->xipos + 3 * trunk_;
    return {p[0], p[1], p[2]};
  }

 private:
  MujocoModel mujoco_;
  int trunk_ = 0;
};

[[maybe_unused]] const bool mujoco_bipeds_added = [] {
  struct Way {
    const char *name, *solver, *cone;
  };
  for (const Way& way : {Way{"mujoco_newton", "Newton", "elliptic"}, Way{"mujoco_pyramid", "Newton", "pyramidal"},
                         Way{"mujoco_cg", "CG", "elliptic"}, Way{"mujoco_pgs", "PGS", "elliptic"}})
    add_biped_peer(way.name, [way] { return std::make_unique<MujocoBiped>(way.solver, way.cone); });
  return true;
}();

}  // namespace
}  // namespace sinew::bench
