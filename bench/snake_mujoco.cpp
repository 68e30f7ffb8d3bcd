// MuJoCo: reduced coordinates, Newton's method on its soft convex contacts, default tolerance. Friction: an elliptic cone or
// a pyramid. Contacts keep its default softness.
#include "snake_mujoco.h"

#include <fmt/format.h>

namespace sinew::bench {
namespace {

std::string mjcf(const SnakeNumbers& n, double dt, const char* cone) {
  std::string text = fmt::format(
      "<mujoco><compiler angle='radian'/><option timestep='{}' gravity='0 0 {}' solver='Newton' cone='{}'/>"
      "<size njmax='{}' nconmax='{}'/><default><geom friction='{} 0 0' condim='3'/></default>"
      "<worldbody><geom type='plane' size='0 0 1' contype='1' conaffinity='0'/>",
      dt, -n.gravity, cone, 8 * n.links + 50, 2 * n.links + 10, n.mu);
  for (int i = 0; i < n.links; i++) {
    text += fmt::format("<body name='link{}' pos='{} 0 {}'>", i, i == 0 ? 0.0 : n.length, i == 0 ? n.radius : 0.0);
    text += fmt::format("<inertial pos='{} 0 0' mass='{}' diaginertia='{} {} {}'/>", 0.5 * n.length, n.mass,
                        n.inertia_along, n.inertia_across, n.inertia_across);
    text += i == 0 ? "<freejoint/>" : "<joint type='hinge' axis='0 0 1'/><joint type='hinge' axis='0 1 0'/>";
    for (const double side : {-1.0, 1.0})
      text += fmt::format("<geom type='sphere' pos='{} 0 0' size='{}' contype='0' conaffinity='1'/>",
                          0.5 * n.length + side * n.offset, n.radius);
  }
  for (int i = 0; i < n.links; i++) text += "</body>";
  return text + "</worldbody></mujoco>";
}

[[maybe_unused]] const bool added = [] {
  for (const char* cone : {"elliptic", "pyramidal"})
    add_snake_peer(fmt::format("mujoco_{}", cone).c_str(), [cone](const SnakeNumbers& numbers, double dt) {
      return std::make_unique<MujocoSnake>(numbers, dt, cone);
    });
  return true;
}();

}  // namespace

MujocoSnake::MujocoSnake(const SnakeNumbers& numbers, double dt, const char* cone)
    : numbers_(numbers), mujoco_(mjcf(numbers, dt, cone)) {
  for (int i = 0; i < numbers.links; i++)
    body_.push_back(mj_name2id(mujoco_.model.get(), mjOBJ_BODY, fmt::format("link{}", i).c_str()));
  mj_forward(mujoco_.model.get(), mujoco_.data.get());
}

void MujocoSnake::read(double* angle, double* rate) {
  mju_copy(angle, mujoco_.data->qpos + 7, numbers_.axes());
  mju_copy(rate, mujoco_.data->qvel + 6, numbers_.axes());
}

void MujocoSnake::command(const double* torque) { mju_copy(mujoco_.data->qfrc_applied + 6, torque, numbers_.axes()); }

void MujocoSnake::step() { mj_step(mujoco_.model.get(), mujoco_.data.get()); }

std::array<double, 3> MujocoSnake::place() {
  mj_kinematics(mujoco_.model.get(), mujoco_.data.get());  // a step leaves the poses of its start
  const double* p = mujoco_.data->xipos + 3 * body_[watched_link];
  return {p[0], p[1], p[2]};
}

}  // namespace sinew::bench
