// A robot that does not come with sinew: a plate on six legs of three joints each, and a controller for it from the parts in
// sinew/legs.h: which forces the feet should have, which torques make them, PD about the angles of the stance.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "sinew/controller.h"
#include "sinew/legs.h"
#include "sinew/world.h"

namespace hexapod {

using sinew::Vec3d;
using namespace sinew::legged;

struct Hexapod {
  double mass = 12.0, g = 9.81, height = 0.3;
  sinew::Sym3d inertia{0.30, 0.0, 0.0, 0.12, 0.0, 0.38};
  std::array<LegShape, 6> leg;
  std::array<LegAngles, 6> stance;  // feet below the hips

  Hexapod() {
    for (int i = 0; i < 6; i++) {
      const double side = i % 2 ? -1.0 : 1.0;
      leg[i] = {.hip = Vec3d(0.2 * side, 0.3 * (1 - i / 2), 0.0), .l_th = 0.2, .l_sh = 0.2, .m_th = 0.05, .m_sh = 0.05};
      stance[i] = angles_of(leg[i], reach_for(leg[i], Vec3d(0.03 * side, 0.0, -height)));
    }
  }
};

inline sinew::Plan plan_of(const Hexapod& robot) {
  sinew::Plan plan;
  plan.bodies.push_back({.name = "plate", .mass = robot.mass, .inertia = robot.inertia});
  sinew::JointPlan air;
  air.name = air.child = "plate", air.kind = sinew::JointKind::Free;
  air.position = {0.0, 0.0, robot.height, 1.0, 0.0, 0.0, 0.0};
  plan.joints.push_back(air);
  for (int i = 0; i < 6; i++) {
    const LegShape& leg = robot.leg[i];
    const auto bar = [](const std::string& name, double m, double l) {
      const double I = m * l * l / 12.0;
      return sinew::BodyPlan{
          .name = name, .mass = m, .com = Vec3d(0, 0, -0.5 * l), .inertia = {I, 0, 0, I, 0, 1e-3 * I}};
    };
    const std::string n = std::to_string(i + 1);
    sinew::BodyPlan thigh = bar("thigh" + n, leg.m_th, leg.l_th), shank = bar("shank" + n, leg.m_sh, leg.l_sh);
    sinew::ShapePlan foot;
    foot.name = "foot", foot.shape.kind = sinew::ShapeKind::Sphere, foot.position = Vec3d(0, 0, -leg.l_sh);
    foot.shape.radius = 0.0;
    shank.shapes = {foot};
    sinew::JointPlan hip, knee;
    hip.name = "hip" + n, hip.kind = sinew::JointKind::Universal, hip.parent = "plate", hip.child = thigh.name;
    hip.p_parent = leg.hip, hip.axis = Vec3d(0, 1, 0), hip.axis2 = Vec3d(-1, 0, 0);
    hip.position = {robot.stance[i].ha, robot.stance[i].hb};
    knee.name = "knee" + n, knee.parent = thigh.name, knee.child = shank.name;
    knee.p_parent = Vec3d(0, 0, -leg.l_th), knee.axis = Vec3d(leg.knee, 0, 0);
    knee.orientation = {0.0, -leg.knee, 0.0, 0.0}, knee.position = {robot.stance[i].k};
    hip.drive = knee.drive = sinew::Drive::Torque;
    plan.bodies.push_back(thigh), plan.bodies.push_back(shank);
    plan.joints.push_back(hip), plan.joints.push_back(knee);
  }
  plan.gravity.g = Vec3d(0, 0, -robot.g);
  plan.ground.terrain.kind = sinew::TerrainKind::Plane;
  plan.contact.options.between_bodies = false;
  return plan;
}

// Readings: x, y, z, quaternion of the plate, then ha, hb, k of each leg; speeds: turn in the plate's axes, velocity, joints.
class Balance : public sinew::Controller {
 public:
  explicit Balance(const Hexapod& robot) : robot_(robot) {
    goal.p = Vec3d(0.0, 0.0, robot.height);
    double all = robot.mass;
    for (const LegShape& leg : robot.leg) all += leg.m_th + leg.m_sh;
    mass_ = all;
  }
  BodyGoal goal;
  double mu = 0.6, kp = 20.0, kd = 1.0;  // friction that is counted on; PD about the stance [N m/rad, N m s/rad]
  double missed = 0.0;                   // largest part of a wanted wrench that the feet could not give

  void update(const sinew::Readings& r, std::span<double>, sinew::Input<double>& out) override {
    const sinew::Mat3d R = sinew::to_matrix(sinew::Quatd{r.q[3], r.q[4], r.q[5], r.q[6]});
    const BodyState body{Vec3d(r.q[0], r.q[1], r.q[2]), Vec3d(r.u[3], r.u[4], r.u[5]),
                         R * Vec3d(r.u[0], r.u[1], r.u[2]), R};
    std::array<LegPose, 6> pose;
    std::array<Foothold, 6> feet;
    for (int i = 0; i < 6; i++) {
      pose[i] = pose_of(robot_.leg[i], {r.q[7 + 3 * i], r.q[8 + 3 * i], r.q[9 + 3 * i]});
      feet[i].point = body.p + R * (robot_.leg[i].hip + pose[i].s), feet[i].mu = mu;
    }
    std::array<Vec3d, 6> force;
    const BodyWrench wanted = wanted_wrench(mass_, robot_.inertia, robot_.g, goal, body);
    missed = std::max(missed, share_support(feet, body.p, wanted, qp_, force).missed);
    for (int i = 0; i < 6; i++) {
      const Vec3d push = leg_torques(robot_.leg[i], pose[i], R, force[i]);
      const double stance[3] = {robot_.stance[i].ha, robot_.stance[i].hb, robot_.stance[i].k};
      for (int c = 0; c < 3; c++)
        out.torque[6 + 3 * i + c] = push[c] + kp * (stance[c] - r.q[7 + 3 * i + c]) - kd * r.u[6 + 3 * i + c];
    }
  }

 private:
  Hexapod robot_;
  double mass_;
  sinew::SmallQp qp_;
};

}  // namespace hexapod
