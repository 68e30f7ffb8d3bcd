// A ball that flies freely, for robots of several.
#pragma once
#include <fmt/format.h>

#include "sinew/model/plan.h"

namespace sinew::robots {

struct Ball {
  double mass, radius;    // [kg, m]
  Vec3d place, velocity;  // at the start
};

inline void add_ball(const Ball& ball, Plan& plan) {
  const std::size_t number = plan.bodies.size() + 1;
  BodyPlan body;
  body.name = fmt::format("ball{}", number);
  body.mass = ball.mass;
  body.inertia = Sym3d::diagonal(0.4 * ball.mass * ball.radius * ball.radius);
  body.shapes.push_back({.name = "skin", .shape = {.kind = ShapeKind::Sphere, .radius = ball.radius}});
  JointPlan air;
  air.name = fmt::format("air{}", number);
  air.kind = JointKind::Free;
  air.child = body.name;
  air.position = {ball.place[0], ball.place[1], ball.place[2], 1.0, 0.0, 0.0, 0.0};
  if (norm(ball.velocity) > 0.0) air.velocity = {0.0, 0.0, 0.0, ball.velocity[0], ball.velocity[1], ball.velocity[2]};
  plan.bodies.push_back(std::move(body));
  plan.joints.push_back(std::move(air));
}

}  // namespace sinew::robots
