#include "tests/support/sdformat.h"

#include <sdf/Box.hh>
#include <sdf/Capsule.hh>
#include <sdf/Collision.hh>
#include <sdf/Cylinder.hh>
#include <sdf/Ellipsoid.hh>
#include <sdf/Geometry.hh>
#include <sdf/Joint.hh>
#include <sdf/JointAxis.hh>
#include <sdf/Link.hh>
#include <sdf/Model.hh>
#include <sdf/Root.hh>
#include <sdf/Sphere.hh>

#include "sinew/math/rotation.h"

namespace sinew::support {
namespace {

Vec3d vector_of_sdf(const ignition::math::Vector3d& v) { return {v.X(), v.Y(), v.Z()}; }
Posed pose_of_sdf(const ignition::math::Pose3d& p) {
  const auto& q = p.Rot();
  return {to_matrix(Quatd{q.W(), q.X(), q.Y(), q.Z()}), vector_of_sdf(p.Pos())};
}

// In the axes of the model.
Posed placed_by_sdf(const sdf::SemanticPose& pose) {
  ignition::math::Pose3d X;
  const sdf::Errors errors = pose.Resolve(X, "__model__");
  return errors.empty() ? pose_of_sdf(X) : Posed{Mat3d::identity(), Vec3d(1e9, 1e9, 1e9)};
}

SdformatShape shape_by_sdf(const sdf::Collision& collision) {
  SdformatShape out{.name = collision.Name(), .X_MS = placed_by_sdf(collision.SemanticPose())};
  const sdf::Geometry& g = *collision.Geom();
  if (g.BoxShape()) out.size = vector_of_sdf(g.BoxShape()->Size());
  if (g.SphereShape()) out.size[0] = g.SphereShape()->Radius();
  if (g.CylinderShape()) out.size = {g.CylinderShape()->Radius(), g.CylinderShape()->Length(), 0};
  if (g.CapsuleShape()) out.size = {g.CapsuleShape()->Radius(), g.CapsuleShape()->Length(), 0};
  if (g.EllipsoidShape()) out.size = vector_of_sdf(g.EllipsoidShape()->Radii());
  const sdf::ElementPtr ode =
      collision.Element()->GetElement("surface")->GetElement("friction")->GetElement("ode");  // with defaults
  out.mu = ode->Get<double>("mu");
  out.mu2 = ode->Get<double>("mu2");
  out.along = vector_of_sdf(ode->Get<ignition::math::Vector3d>("fdir1"));
  return out;
}

SdformatLink link_by_sdf(const sdf::Link& link) {
  SdformatLink out{.name = link.Name(), .X_M = placed_by_sdf(link.SemanticPose()), .shapes = {}};
  const ignition::math::Inertiald& inertial = link.Inertial();
  out.mass = inertial.MassMatrix().Mass();
  out.com = vector_of_sdf(inertial.Pose().Pos());
  const ignition::math::Matrix3d I = inertial.Moi();
  out.inertia = {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
  for (std::uint64_t i = 0; i < link.CollisionCount(); i++)
    out.shapes.push_back(shape_by_sdf(*link.CollisionByIndex(i)));
  return out;
}

SdformatJoint joint_by_sdf(const sdf::Joint& joint) {
  SdformatJoint out{
      .name = joint.Name(), .parent = {}, .child = {}, .X_M = placed_by_sdf(joint.SemanticPose()), .axes = {}};
  joint.ResolveParentLink(out.parent);
  joint.ResolveChildLink(out.child);
  for (const unsigned i : {0U, 1U}) {
    const sdf::JointAxis* axis = joint.Axis(i);
    if (!axis) break;
    ignition::math::Vector3d along;
    axis->ResolveXyz(along, "__model__");
    out.axes.push_back({vector_of_sdf(along), axis->Lower(), axis->Upper(), axis->Damping(), axis->Friction(),
                        axis->SpringStiffness(), axis->SpringReference()});
  }
  return out;
}

}  // namespace

SdformatModel read_with_sdformat(const std::string& text) {
  SdformatModel out;
  sdf::Root root;
  for (const sdf::Error& error : root.LoadSdfString(text)) out.problem += error.Message() + "\n";
  const sdf::Model* model = root.Model();
  if (!model) out.problem += "no model";
  if (!out.problem.empty()) return out;
  for (std::uint64_t i = 0; i < model->LinkCount(); i++) out.links.push_back(link_by_sdf(*model->LinkByIndex(i)));
  for (std::uint64_t i = 0; i < model->JointCount(); i++) out.joints.push_back(joint_by_sdf(*model->JointByIndex(i)));
  return out;
}

}  // namespace sinew::support
