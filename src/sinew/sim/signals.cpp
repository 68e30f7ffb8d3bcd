#include "sinew/sim/signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/model/describe.h"
#include "sinew/model/glob.h"
#include "sinew/sim/choose_signals.h"
#include "sinew/sim/nearest.h"
#include "sinew/sim/run_quantities.h"
#include "sinew/sim/scenario_signals.h"
#include "sinew/sim/static_quantities.h"

namespace sinew::sim {
namespace {

struct Catalogue {
  std::vector<Signal> signals;

  void add(std::string name, std::string_view unit, std::string description, Quantity quantity, int index = 0,
           int component = 0) {
    signals.push_back({std::move(name), std::string(unit), std::move(description), quantity, index, component});
  }

  void add_vector(const std::string& name, std::string_view unit, const std::string& description, Quantity quantity,
                  int index = 0) {
    for (int i = 0; i < 3; i++)
      add(fmt::format("{}.{}", name, "xyz"[i]), unit, fmt::format("{}, {}", description, "xyz"[i]), quantity, index, i);
  }

  void add_body(const std::string& body, int index, bool is_base) {
    const std::string name = "body." + body;
    add_vector(name + ".p", "m", "centre of mass of " + body, Quantity::BodyPosition, index);
    for (int i = 0; i < 4; i++)
      add(fmt::format("{}.quat.{}", name, "wxyz"[i]), "1", "orientation of " + body, Quantity::BodyQuaternion, index,
          i);
    if (is_base) add_vector(name + ".rpy", "rad", "turn of " + body + ", R = Rz Ry Rx", Quantity::BodyAngles, index);
    add_vector(name + ".v", "m/s", "velocity of the centre of mass of " + body, Quantity::BodyVelocity, index);
    add_vector(name + ".w", "rad/s", "angular velocity of " + body + " in world axes", Quantity::BodyRate, index);
  }

  // joint.NAME.q for a joint with one coordinate, joint.NAME.q.0, .q.1, ... for several
  void add_joint(const JointInfo& joint, int index, bool without_laws) {
    const auto entry = [&](const char* letter, int i, int n) {
      return n == 1 ? fmt::format("joint.{}.{}", joint.name, letter)
                    : fmt::format("joint.{}.{}.{}", joint.name, letter, i);
    };
    for (int i = 0; i < joint.n_coords; i++)
      add(entry("q", i, joint.n_coords), coordinate_unit(joint.kind, i), "coordinate of " + joint.name,
          Quantity::JointPosition, index, i);
    for (int i = 0; i < joint.n_axes; i++)
      add(entry("u", i, joint.n_axes), velocity_unit(joint.kind, i), "velocity of " + joint.name,
          Quantity::JointVelocity, index, i);
    for (int i = 0; i < joint.n_axes; i++)
      add(entry("torque", i, joint.n_axes), force_unit(joint.kind, i),
          "of springs, dampers and the drive of " + joint.name, Quantity::JointForce, index, i);
    // a contact or another law would act on the rows as well
    if (joint.cut >= 0 && without_laws)
      add_vector("joint." + joint.name + ".force", "N",
                 "force of " + joint.name + " on its child, where constraints hold it", Quantity::JointReaction, index);
    if (joint.motion < 0 || joint.driven || joint.n_axes != joint.n_coords) return;
    for (int i = 0; i < joint.n_axes; i++) {
      add(entry("command", i, joint.n_axes), force_unit(joint.kind, i), "given by a controller to " + joint.name,
          Quantity::JointCommand, index, i);
      add(entry("error", i, joint.n_axes), coordinate_unit(joint.kind, i),
          "coordinate of " + joint.name + " minus its given motion", Quantity::JointError, index, i);
    }
  }

  // index: 2 rod for the end X = 0, 2 rod + 1 for the end X = l
  void add_rod_end(const std::string& rod, const char* end, int index) {
    const std::string name = fmt::format("rod.{}.{}", rod, end), of = fmt::format(" of the {} of {}", end, rod);
    add_vector(name + ".p", "m", "place" + of, Quantity::RodPosition, index);
    for (int i = 0; i < 4; i++)
      add(fmt::format("{}.quat.{}", name, "wxyz"[i]), "1", "orientation" + of, Quantity::RodQuaternion, index, i);
    add_vector(name + ".v", "m/s", "velocity" + of, Quantity::RodVelocity, index);
    add_vector(name + ".w", "rad/s", "angular velocity" + of + " in world axes", Quantity::RodRate, index);
  }

  void add_body_contact(const std::string& body, int index) {
    const std::string name = "body." + body + ".contact", on = " on " + body;
    add_vector(name + ".force", "N", "sum of all contact forces" + on, Quantity::TouchedForce, index);
    add_vector(name + ".torque", "N m", "of all contacts" + on + ", about its centre of mass", Quantity::TouchedTorque,
               index);
    add_vector(name + ".point", "m", "centre of pressure of all contacts" + on, Quantity::TouchedPoint, index);
    add(name + ".normal", "N", "sum of all normal forces" + on, Quantity::TouchedNormal, index);
    add(name + ".count", "1", "points that touch " + body, Quantity::TouchedCount, index);
  }

  void add_contact(const std::string& contact, int index) {
    const std::string name = "contact." + contact, of = " of " + contact;
    add(name + ".normal", "N", "normal force" + of, Quantity::ContactNormal, index);
    add_vector(name + ".push", "N", "normal force as a vector, on the first-named shape" + of, Quantity::ContactPush,
               index);
    add_vector(name + ".friction", "N", "friction on the first-named shape" + of, Quantity::ContactFriction, index);
    add_vector(name + ".torque", "N m", "drilling and rolling torque" + of, Quantity::ContactTorque, index);
    add_vector(name + ".point", "m", "centre of pressure" + of, Quantity::ContactPoint, index);
    add(name + ".gap", "m", "least gap" + of + "; infinite while open", Quantity::ContactGap, index);
    add(name + ".slip", "m/s", "sliding speed" + of, Quantity::ContactSlip, index);
    add(name + ".state", "1", "0 open, 1 stick, 2 slip: " + contact, Quantity::ContactState, index);
    add(name + ".count", "1", "points that touch" + of, Quantity::ContactCount, index);
  }
};

}  // namespace

namespace {
bool is_point(const Shape& s) { return s.kind == ShapeKind::Sphere && s.radius == 0.0; }

// Links that carry others and that nothing holds: their attitude is asked for.
std::vector<bool> bases_of(const Model& model) {
  std::vector<bool> is_free(model.links.size()), carries(model.links.size()), is_base(model.links.size());
  for (const JointInfo& j : model.joints) {
    if (j.kind == JointKind::Free) is_free[j.child] = true;
    if (j.parent >= 0) carries[j.parent] = true;
  }
  for (std::size_t i = 0; i < is_base.size(); i++) is_base[i] = is_free[i] && carries[i];
  return is_base;
}
std::vector<bool> links_with_shapes(const Model& model) {
  std::vector<bool> has_shape(model.links.size());
  for (const ShapeInfo& s : model.shapes)
    if (s.link >= 0) has_shape[s.link] = true;
  return has_shape;
}
}  // namespace

void add_contact_signals(const std::string& contact, int index, std::vector<Signal>& out) {
  Catalogue c;
  c.add_contact(contact, index);
  out.insert(out.end(), c.signals.begin(), c.signals.end());
}

std::vector<Signal> signals_of(const Model& model) {
  Catalogue c;
  c.add("t", "s", "time", Quantity::Time);
  const std::vector<bool> is_base = bases_of(model), has_shape = links_with_shapes(model);
  for (int i = 0; i < model.link_count(); i++) c.add_body(model.body_names[i], i, is_base[i]);
  const Plant& plant = plant_of(model);
  if (plant.has_joints())
    for (std::size_t i = 0; i < model.joints.size(); i++) c.add_joint(model.joints[i], int(i), !model.has_laws());
  for (int i = 0; const PlantReading& r : plant.readings())
    c.add(std::string(plant.prefix()) + r.name, r.unit, r.description, Quantity::PlantReading, i++);
  for (std::size_t i = 0; i < model.rods.size(); i++) {
    c.add_rod_end(model.rods[i].name, "base", 2 * int(i));
    c.add_rod_end(model.rods[i].name, "tip", 2 * int(i) + 1);
  }
  for (std::size_t i = 0; i < model.cables.size(); i++) {
    const std::string name = "cable." + model.cables[i].name, of = " of cable " + model.cables[i].name;
    c.add(name + ".length", "m", "length" + of, Quantity::CableLength, int(i));
    c.add(name + ".tension", "N", "tension" + of + "; below 0: it pushes", Quantity::CableTension, int(i));
  }
  for (int i = 0; i < model.link_count(); i++)
    if (has_shape[i]) c.add_body_contact(model.body_names[i], i);
  for (std::size_t i = 0; i < model.shapes.size(); i++)
    if (const ShapeInfo& s = model.shapes[i]; s.link >= 0 && is_point(s.shape))
      c.add_vector("point." + s.name, "m", "place of the point " + s.name, Quantity::PointPosition, int(i));
  for (std::size_t i = 0; i < model.pairs.size(); i++) c.add_contact(contact_name(model, int(i)), int(i));
  if (model.n_slots > 0) {
    c.add("contacts.count", "1", "points that touch, all contacts", Quantity::TotalCount);
    c.add("contacts.normal", "N", "sum of all normal forces", Quantity::TotalNormal);
    c.add("contacts.penetration", "m", "depth of the deepest contact", Quantity::TotalPenetration);
  }
  for (std::size_t i = 0; i < model.pads.size(); i++) {
    const std::string name = "pad." + model.pads[i].name, of = " of pad " + model.pads[i].name;
    c.add(name + ".pull", "N", "force of adhesion" + of, Quantity::PadPull, int(i));
    c.add(name + ".level", "1", "charge" + of + ", 1: full", Quantity::PadLevel, int(i));
    c.add(name + ".covered", "1", "share that grains cover" + of, Quantity::PadCovered, int(i));
    c.add(name + ".attached", "1", "1: enough contact points are closed" + of, Quantity::PadAttached, int(i));
  }
  c.add_vector("com.p", "m", "centre of mass of all bodies", Quantity::ComPosition);
  c.add_vector("com.v", "m/s", "velocity of the centre of mass of all bodies", Quantity::ComVelocity);
  c.add("heading_deg", "deg", "direction from the last body to the first in the horizontal plane, from x towards y",
        Quantity::Heading);
  c.add_vector("external.force", "N", "sum of the forces applied from outside", Quantity::ExternalForce);
  if (model.has_laws()) {
    c.add("solver.iterations", "1", "of the contact solver in the last step", Quantity::SolverIterations);
    c.add("solver.residual", "m/s", "by which the last step misses the laws", Quantity::SolverResidual);
  }
  c.add("energy.kinetic", "J", "kinetic energy", Quantity::Kinetic);
  c.add("energy.potential", "J", "energy in the gravity field", Quantity::Potential);
  c.add("energy.elastic", "J", "energy in springs", Quantity::Elastic);
  c.add("energy.work_actuators", "J", "work done by drives so far", Quantity::WorkActuators);
  c.add("energy.work_external", "J", "work done by forces from outside so far", Quantity::WorkExternal);
  c.add("energy.dissipated_friction", "J", "taken out by friction so far", Quantity::DissipatedFriction);
  c.add("energy.dissipated_damping", "J", "taken out by dampers so far", Quantity::DissipatedDamping);
  c.add("energy.dissipated_impact", "J", "taken out by impacts so far", Quantity::DissipatedImpact);
  c.add("energy.balance_error", "J", "energy that is left unexplained", Quantity::BalanceError);
  c.add_vector("momentum.linear", "N s", "linear momentum of all bodies", Quantity::MomentumLinear);
  c.add_vector("momentum.angular", "N m s", "angular momentum about the world's origin", Quantity::MomentumAngular);
  c.add("loops.gap", "m or rad", "largest gap of a joint that is held by constraints", Quantity::Gap);
  return std::move(c.signals);
}

std::vector<int> find_signals(std::span<const Signal> signals, std::string_view name) {
  const std::string group = std::string(name) + ".";
  std::vector<int> found;
  for (std::size_t i = 0; i < signals.size(); i++) {
    if (signals[i].name == name) return {int(i)};
    // a group is the last step before the components: body.bob.p, not body.bob
    if (has_wildcard(name)
            ? matches(name, signals[i].name)
            : signals[i].name.starts_with(group) && signals[i].name.find('.', group.size()) == std::string::npos)
      found.push_back(int(i));
  }
  // different quantities, such as the terms of energy, are no vector
  const auto differs = [&](int i) { return signals[i].quantity != signals[found[0]].quantity; };
  if (found.empty() || (found.size() < 2 && !has_wildcard(name)) || std::ranges::any_of(found, differs)) found.clear();
  return found;
}

std::vector<Signal> select_signals(std::vector<Signal> all, std::span<const std::string> wanted,
                                   const std::string& place) {
  std::vector<std::string> names;
  for (const Signal& signal : all) names.push_back(signal.name);
  std::vector<bool> is_meant(all.size(), false);
  is_meant[0] = true;
  for (const std::string& name : wanted)
    for (const std::size_t i : choose_signals(names, name, place)) is_meant[i] = true;
  std::vector<Signal> chosen;
  for (std::size_t i = 0; i < all.size(); i++)
    if (is_meant[i]) chosen.push_back(std::move(all[i]));
  return chosen;
}

std::string suggest_signals(std::span<const Signal> signals, std::string_view name) {
  std::vector<std::string> names;
  for (const Signal& signal : signals) names.push_back(signal.name);
  for (const RunQuantity& q : run_quantities()) names.emplace_back(q.name);
  for (const StaticQuantity& q : static_quantities()) names.emplace_back(q.name);
  return did_you_mean(name, names) + "sinew show SCENARIO --signals lists all of them";
}

}  // namespace sinew::sim
