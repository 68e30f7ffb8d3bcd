// Bodies for the sections of a rod: free, drawn as pieces of a tube, put where its equations say.
#include <fmt/format.h>

#include "sinew/model/compile.h"
#include "sinew/model/section_plant.h"

namespace sinew {
namespace {

BodyPlan body_of(const Section& section) {
  BodyPlan body;
  body.name = section.name;
  body.mass = section.mass;
  body.inertia = section.inertia;
  ShapePlan tube;
  tube.name = "tube";
  tube.shape.kind = ShapeKind::Capsule;
  tube.shape.radius = section.radius;
  tube.shape.half_length = 0.5 * section.length;
  const Vec3d& a = section.along;  // a capsule lies along its z: the least turn that brings it there
  tube.orientation = normalized(Quatd{1.0 + a[2], -a[1], a[0], 0.0});
  body.drawn.assign(1, tube);
  return body;
}

}  // namespace

Plan with_sections(Plan plan) {
  if (!plan.make_plant || plan.plant) return plan;
  if (!plan.bodies.empty() || !plan.joints.empty())
    throw PlanError(std::vector<Problem>{
        {"robot", "a robot with equations of its own cannot have other bodies and joints: remove them"}});
  plan.plant = plan.make_plant(plan);
  for (const Section& section : plan.plant->sections()) {
    plan.bodies.push_back(body_of(section));
    JointPlan joint;
    joint.name = joint.child = section.name;
    joint.kind = JointKind::Free;
    plan.joints.push_back(std::move(joint));
  }
  return plan;
}

}  // namespace sinew
