// MuJoCo: reduced coordinates, its soft convex contacts of default softness, by each of its solvers; friction an elliptic cone or a pyramid.
#include <fmt/format.h>

#include "hexapod.h"
#include "mujoco_model.h"

namespace sinew::bench {
namespace {

std::string text_of(const Triple& a) { return fmt::format("{} {} {}", a[0], a[1], a[2]); }

std::string body_of(const std::vector<HexapodLink>& links, int i) {
  const HexapodLink& l = links[std::size_t(i)];
  std::string text =
      fmt::format("<body name='link{}' pos='{}'>", i, text_of(l.parent < 0 ? Triple{0, 0, hexapod_height} : l.at));
  text += fmt::format("<inertial pos='{}' mass='{}' diaginertia='{}'/>", text_of(l.com), l.mass, text_of(l.inertia));
  if (l.axes == 0) text += "<freejoint/>";
  if (l.axes >= 1) text += fmt::format("<joint type='hinge' axis='{}'/>", text_of(l.axis1));
  if (l.axes == 2) text += fmt::format("<joint type='hinge' axis='{}'/>", text_of(l.axis2));
  if (l.foot != 0.0)
    text +=
        fmt::format("<geom type='sphere' pos='0 0 {}' size='{}' contype='0' conaffinity='1'/>", l.foot, foot_radius);
  for (std::size_t k = 0; k < links.size(); k++)
    if (links[k].parent == i) text += body_of(links, int(k));
  return text + "</body>";
}

std::string hexapod_mjcf(double dt, const char* solver, const char* cone) {
  return fmt::format(
      "<mujoco><compiler angle='radian'/><option timestep='{}' gravity='0 0 -9.81' solver='{}' cone='{}'/>"
      "<size njmax='100' nconmax='20'/><default><geom friction='{} 0 0' condim='3'/></default>"
      "<worldbody><geom type='plane' size='0 0 1' contype='1' conaffinity='0'/>{}</worldbody></mujoco>",
      dt, solver, cone, hexapod_mu, body_of(hexapod_links(), 0));
}

class MujocoHexapod : public HexapodPeer {
 public:
  MujocoHexapod(double dt, const char* solver, const char* cone) : mujoco_(hexapod_mjcf(dt, solver, cone)) {
    mj_forward(mujoco_.model.get(), mujoco_.data.get());
    watched_ = mj_name2id(mujoco_.model.get(), mjOBJ_BODY, fmt::format("link{}", watched_segment).c_str());
    // MuJoCo goes down each branch before the next one; ours are as listed
    const std::vector<HexapodLink> links = hexapod_links();
    for (std::size_t i = 0; i < links.size(); i++) {
      const int body = mj_name2id(mujoco_.model.get(), mjOBJ_BODY, fmt::format("link{}", i).c_str());
      for (int c = 0; c < links[i].axes; c++) axis_.push_back(mujoco_.model->body_jntadr[body] + c);
    }
  }
  void read(double* angle, double* rate) override {
    for (std::size_t i = 0; i < axis_.size(); i++) {
      angle[i] = mujoco_.data->qpos[mujoco_.model->jnt_qposadr[axis_[i]]];
      rate[i] = mujoco_.data->qvel[mujoco_.model->jnt_dofadr[axis_[i]]];
    }
  }
  void command(const double* torque) override {
    for (std::size_t i = 0; i < axis_.size(); i++)
      mujoco_.data->qfrc_applied[mujoco_.model->jnt_dofadr[axis_[i]]] = torque[i];
  }
  void step() override { mj_step(mujoco_.model.get(), mujoco_.data.get()); }
  Triple place() override {
    mj_kinematics(mujoco_.model.get(), mujoco_.data.get());  // a step leaves the poses of its start
    const double* p = mujoco_.data->xipos + 3 * watched_;
    return {p[0], p[1], p[2]};
  }

 private:
  MujocoModel mujoco_;
  std::vector<int> axis_;
  int watched_ = 0;
};

[[maybe_unused]] const bool mujoco_hexapods_added = [] {
  struct Way {
    const char *name, *solver, *cone;
  };
  for (const Way& way : {Way{"mujoco_newton", "Newton", "elliptic"}, Way{"mujoco_pyramid", "Newton", "pyramidal"},
                         Way{"mujoco_cg", "CG", "elliptic"}, Way{"mujoco_pgs", "PGS", "elliptic"}})
    add_hexapod_peer(way.name, [way](double dt) { return std::make_unique<MujocoHexapod>(dt, way.solver, way.cone); });
  return true;
}();

}  // namespace
}  // namespace sinew::bench
