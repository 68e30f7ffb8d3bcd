#include "sinew/sim/signals.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/model/glob.h"
#include "sinew/sim/choose_signals.h"
#include "sinew/sim/drive_quantities.h"
#include "sinew/sim/nearest.h"
#include "sinew/sim/run_quantities.h"
#include "sinew/sim/scenario_signals.h"
#include "sinew/sim/static_quantities.h"

namespace sinew::sim {
namespace {

// As many as the quantity has numbers.
int count_of(const Quantity& q, const Model& model, int index) {
  if (q.size == Size::Coordinates) return model.joints[index].n_coords;
  if (q.size == Size::Axes) return model.joints[index].n_axes;
  return q.size == Size::One ? 1 : q.size == Size::Vector ? 3 : 4;
}

// ".x"; of a joint with several coordinates or axes ".0"; "": there is only one.
std::string ending_of(const Quantity& q, int component, int count) {
  if (count == 1) return "";
  if (q.size == Size::Vector) return {'.', "xyz"[component]};
  if (q.size == Size::Quaternion) return {'.', "wxyz"[component]};
  return fmt::format(".{}", component);
}

// Of a drive: the table has "rad or m", and a drive either turns or slides. Its sweep is one of what it controls.
std::string unit_of_drive(const Quantity& q, const drive::Setup& setup) {
  constexpr std::string_view told[] = {"rad or m", "rad/s or m/s", "N m or N", "A", "V"};
  const std::string unit(q.name == "sweep" ? told[drive::command_of(setup.control)] : q.unit);
  const std::size_t at = unit.find(" or ");
  if (at == std::string::npos) return unit;
  return setup.is_angle ? unit.substr(0, at) : unit.substr(at + 4);
}

struct Catalogue {
  const Model& model;
  std::vector<bool> is_base = {};  // per link; {}: bodies are not asked for
  std::vector<Signal> signals = {};

  // name: of the part, for the description; before: what signals of the part begin with, "": they have names of their own
  void add(const Quantity& q, const std::string& before, std::string_view name, int index, int component) {
    const std::string between = before.empty() || q.name.empty() ? "" : ".";
    std::string text = description_of(q, name);
    if (q.size == Size::Vector) text += std::string(", ") + "xyz"[component];
    std::string unit(q.unit_of ? q.unit_of(model.joints[index].kind, component) : q.unit);
    if (q.part == Part::Drive) unit = unit_of_drive(q, model.drives[std::size_t(index)].setup);
    signals.push_back({before + between + std::string(q.name) + ending_of(q, component, count_of(q, model, index)),
                       std::move(unit), std::move(text), &q, index, component});
  }

  void add_part(Part part, const std::string& before = "", std::string_view name = "", int index = 0) {
    for (const Quantity& q : quantities())
      if ((q.part == part || (q.part == Part::Base && part == Part::Body && is_base[index])) &&
          (!q.is_there || q.is_there(model, index)))
        for (int i = 0; i < count_of(q, model, index); i++) add(q, before, name, index, i);
  }

  // Axis by axis.
  void add_following(const JointInfo& joint, int index) {
    if (joint.motion < 0 || joint.driven || joint.n_axes != joint.n_coords) return;
    for (int i = 0; i < joint.n_axes; i++)
      for (const Quantity& q : quantities())
        if (q.part == Part::FollowingJoint) add(q, "joint." + joint.name, joint.name, index, i);
  }

  void add_plant(const Plant& plant) {
    const Quantity& q = quantity_of(Part::Plant, "");
    for (int i = 0; const PlantReading& r : plant.readings())
      signals.push_back({std::string(plant.prefix()) + r.name, r.unit, r.description, &q, i++, 0});
  }

  // sensor.NAME.fx, sensor.NAME.true.fx, ...
  void add_sensor(const SensorInfo& s, int index) {
    const std::string before = "sensor." + s.plan.name;
    const auto push = [&](std::string_view row, const std::string& ending, std::string_view unit, int i) {
      const Quantity& q = quantity_of(Part::Sensor, row);
      const std::string between = row.empty() ? "" : ".";
      signals.push_back({before + between + std::string(row) + ending, std::string(unit),
                         description_of(q, s.plan.name), &q, index, i});
    };
    for (const std::string_view row : {"", "true"})
      for (int i = 0; i < s.n; i++)
        push(row, component_ending(s.plan, i),
             row.empty() ? component_unit(s.plan, i, s.is_linear)
             : s.n == 1  ? channel_unit(s.plan, i, s.is_linear)
                         : component_unit(s.plan, i, s.is_linear),
             i);
    if (measures_position(s.plan.kind)) push("rate", "", s.is_linear ? "m/s" : "rad/s", 0);
    for (int i = 0; s.plan.kind == SensorKind::Force6 && i < s.m; i++) push("bridge", fmt::format(".{}", i), "1", i);
    push("saturated", "", "1", 0);
    push("lost", "", "1", 0);
  }
};

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

void add_contact_signals(const Model& model, int pair, std::vector<Signal>& out) {
  Catalogue c{model};
  const std::string contact = contact_name(model, pair);
  c.add_part(Part::Contact, "contact." + contact, contact, pair);
  out.insert(out.end(), c.signals.begin(), c.signals.end());
}

std::vector<Signal> signals_of(const Model& model) {
  Catalogue c{model, bases_of(model)};
  const std::vector<bool> has_shape = links_with_shapes(model);
  c.add_part(Part::Time);
  for (int i = 0; i < model.link_count(); i++)
    c.add_part(Part::Body, "body." + model.body_names[i], model.body_names[i], i);
  const Plant& plant = plant_of(model);
  for (int i = 0; plant.has_joints() && i < int(model.joints.size()); i++) {
    const JointInfo& joint = model.joints[i];
    c.add_part(Part::Joint, "joint." + joint.name, joint.name, i);
    c.add_following(joint, i);
  }
  c.add_plant(plant);
  for (int i = 0; i < 2 * int(model.rods.size()); i++) {
    const std::string &rod = model.rods[i / 2].name, end = i % 2 == 0 ? "base" : "tip";
    c.add_part(Part::RodEnd, fmt::format("rod.{}.{}", rod, end), fmt::format("{} of {}", end, rod), i);
  }
  for (int i = 0; i < int(model.cables.size()); i++)
    c.add_part(Part::Cable, "cable." + model.cables[i].name, model.cables[i].name, i);
  for (int i = 0; i < int(model.markers.size()); i++)
    c.add_part(Part::Marker, "marker." + model.markers[std::size_t(i)].name, model.markers[std::size_t(i)].name, i);
  for (int i = 0; i < model.link_count(); i++)
    if (has_shape[i]) c.add_part(Part::TouchedBody, "body." + model.body_names[i], model.body_names[i], i);
  for (int i = 0; i < int(model.shapes.size()); i++)
    if (const ShapeInfo& s = model.shapes[i]; s.link >= 0 && is_point(s.shape))
      c.add_part(Part::Point, "point." + s.name, s.name, i);
  for (int i = 0; i < int(model.pairs.size()); i++) add_contact_signals(model, i, c.signals);
  if (model.n_slots > 0) c.add_part(Part::AllContacts);
  for (int i = 0; i < int(model.pads.size()); i++)
    c.add_part(Part::Pad, "pad." + model.pads[i].name, model.pads[i].name, i);
  for (int i = 0; i < int(model.drives.size()); i++)
    c.add_part(Part::Drive, "drive." + model.drives[i].name, model.drives[i].name, i);
  for (const ServoDriveInfo& d : model.servo_drives) c.add_part(Part::Servo, "drive." + d.name, d.name, d.joint);
  for (int i = 0; i < int(model.sensors.size()); i++) c.add_sensor(model.sensors[std::size_t(i)], i);
  c.add_part(Part::Robot);
  if (model.has_laws()) c.add_part(Part::Solver);
  c.add_part(Part::Account);
  if (!model.drives.empty()) c.add_part(Part::DriveTotal);
  return std::move(c.signals);
}

Look look_for(const Signal& signal) {
  const Quantity& q = *signal.quantity;
  switch (q.part) {
    case Part::Account:
      return Look::All;
    case Part::Joint:
    case Part::FollowingJoint:
    case Part::Plant:
    case Part::Cable:
    case Part::Servo:
      return Look::Joints;
    case Part::Drive: {
      const bool moves = q.read == quantity_table::drive_speed || q.read == quantity_table::drive_motor_speed;
      return moves ? Look::Joints : Look::Places;
    }
    default:
      return Look::Places;
  }
}

double evaluate(const Signal& signal, const World<double>& world, const Observation<double>& seen) {
  return signal.quantity->read({world, seen}, signal.index, signal.component);
}

void evaluate(std::span<const Signal> signals, const World<double>& world, const Observation<double>& seen,
              std::span<double> values) {
  SINEW_ASSERT(values.size() >= signals.size());
  for (std::size_t i = 0; i < signals.size(); i++) values[i] = evaluate(signals[i], world, seen);
}

std::vector<int> find_signals(std::span<const Signal> signals, std::string_view name) {
  const std::string group = std::string(name) + ".";
  const bool has_pattern = has_wildcard(name);
  std::vector<int> found;
  for (std::size_t i = 0; i < signals.size(); i++) {
    if (signals[i].name == name) return {int(i)};
    // a group is the last step before the components: body.bob.p, not body.bob
    if (has_pattern
            ? matches(name, signals[i].name)
            : signals[i].name.starts_with(group) && signals[i].name.find('.', group.size()) == std::string::npos)
      found.push_back(int(i));
  }
  // different quantities, such as the terms of energy, are no vector
  const auto differs = [&](int i) { return signals[i].quantity != signals[found[0]].quantity; };
  if (found.empty() || (found.size() < 2 && !has_pattern) || std::ranges::any_of(found, differs)) found.clear();
  return found;
}

std::vector<Signal> select_signals(std::vector<Signal> all, std::span<const std::string> wanted,
                                   const std::string& place) {
  std::vector<std::string> names;
  for (const Signal& signal : all) names.push_back(signal.name);
  std::vector<bool> is_meant(all.size(), false);
  is_meant[0] = true;
  for (const std::string& name : wanted)
    for (const std::size_t i : choose_signals(names, name, place))
      if (name != "*" || !all[i].quantity->by_name) is_meant[i] = true;
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
