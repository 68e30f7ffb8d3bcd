#include "sinew/world/observe.h"

#include <algorithm>

#include "sinew/dynamics/energy.h"
#include "sinew/math/check.h"
#include "sinew/model/fits.h"
#include "sinew/model/section_plant.h"
#include "sinew/step/smooth.h"
#include "sinew/world/sense.h"

namespace sinew {
namespace {

template <Real S>
BodyMotion<S> body_motion(const Link& link, const LinkParams<S>& params, const Frame<S>& F) {
  const Vec3<S> c = F.X.R * params.c_F;
  return {F.X * broadcast<S>(link.X_FB), F.X.p + c, F.V.w, F.V.v + cross(F.V.w, c)};
}

// Needs ws.driven and, of cut joints, the rows of ws.cuts in their places.
template <Real S>
void read_coordinates(const World<S>& world, const JointInfo& joint, const Workspace<S>& ws, S* q) {
  SINEW_ASSERT((joint.link >= 0 || joint.cut >= 0) && (q || joint.n_coords == 0));
  if (joint.link >= 0) {
    const Link& link = world.model().links[joint.link];
    const auto& from = link.driven ? ws.driven.q : world.state.q;
    std::copy_n(from.begin() + link.q, joint.n_coords, q);
  } else {
    cut_coordinates(world.model().cuts[joint.cut], ws.cuts.rows[joint.cut], q);
  }
}

template <Real S>
void read_joint(const World<S>& world, const JointInfo& joint, const Workspace<S>& ws, JointMotion<S>& m) {
  SINEW_ASSERT(int(m.u.size()) == joint.n_axes && int(m.q.size()) == joint.n_coords);
  std::copy_n(ws.axis_u.begin() + joint.axis, joint.n_axes, m.u.begin());
  for (int i = 0; i < joint.n_axes; i++) {
    const int at = joint.axis + i;
    m.torque[i] = joint.driven ? ws.axis.actuator[at] : ws.axis.actuator[at] + ws.axis.spring[at] + ws.axis.damper[at];
  }
  read_coordinates(world, joint, ws, m.q.data());
}

// Energy of a joint's springs at its coordinates q.
template <Real S>
S elastic_energy(const Params<S>& params, const JointInfo& joint, const S* q) {
  S sum = S(0.0);
  if (!joint.has_spring) return sum;
  joint::visit(joint.kind, [&]<class J>() {
    S e[J::nu + 1];
    J::strain(q, params.rest.data() + joint.coord, e);
    if (joint.link < 0)
      for (int a : J::angles) e[a] = wrap_angle(e[a]);
    for (int c = 0; c < J::nu; c++) sum += params.springs[joint.axis + c].energy(e[c]);
  });
  return sum;
}

template <Real S>
S balance_error(const Energy<S>& energy, const Work<S>& w) {
  return energy.total() - w.start - w.actuators - w.external + w.damping + w.friction + w.impact;
}

template <Real S>
CentreOfMass<S> centre_of_mass(const Params<S>& params, const std::vector<BodyMotion<S>>& bodies) {
  SINEW_ASSERT(params.links.size() == bodies.size());
  CentreOfMass<S> sum{Vec3<S>::zero(), Vec3<S>::zero()};
  S mass = S(0.0);
  for (std::size_t i = 0; i < bodies.size(); i++) {
    const S m = params.links[i].I_F.m;
    mass += m;
    sum.p += bodies[i].p_WC * m;
    sum.v += bodies[i].v_WC * m;
  }
  const S rate = S(1.0) / select(mass > S(0.0), mass, S(1.0));
  return {sum.p * rate, sum.v * rate};
}

// Bodies are the sections that the plant has put in their places; energies are its own.
void observe_sections(const World<double>& world, Workspace<double>& ws, Scratch& scratch, Observation<double>& out) {
  SINEW_ASSERT(world.model().plant && out.bodies.size() == world.model().links.size());
  const Model& model = world.model();
  const SectionPlant& plant = *model.plant;
  const State<double>& s = world.state;
  evaluate_frames(model, world.params, s.q.data(), s.u.data(), ws.driven, ws.frames);
  for (int i = 0; i < model.link_count(); i++)
    out.bodies[i] = body_motion(model.links[i], world.params.links[i], ws.frames.link[i]);
  const PlantEnergy e = plant.energy(s.t, s.plant, scratch);
  out.energy = {e.kinetic, e.potential, e.elastic};
  const Mechanics<double> m = mechanics(model, world.params, ws.frames);
  out.momentum = {m.linear, m.angular};
  out.com = centre_of_mass(world.params, out.bodies);
  out.balance_error = balance_error(out.energy, s.work);
  out.gap = 0.0;
  out.plant.resize(plant.readings().size());
  plant.read(s.t, plant_input(world.input), s.plant, out.plant, scratch);
}

}  // namespace

template <Real S>
Observer<S>::Observer(const Model& model)
    : ws_(std::make_unique<Workspace<S>>(model)), scratch_(model.plant ? model.plant->make_scratch() : nullptr) {
  seen_.bodies.resize(model.link_count());
  seen_.cables.resize(model.cables.size());
  for (const JointInfo& joint : model.joints)
    seen_.joints.push_back(
        {std::vector<S>(joint.n_coords), std::vector<S>(joint.n_axes), std::vector<S>(joint.n_axes)});
  seen_.touched.resize(model.link_count());
  p_WC_.resize(model.link_count());
  seen_.contacts.resize(model.pairs.size());
  for (std::size_t i = 0; i < model.pairs.size(); i++) seen_.contacts[i].name = contact_name(model, int(i));
}

template <Real S>
Observer<S>::~Observer() = default;
template <Real S>
Observer<S>::Observer(Observer&&) noexcept = default;

template <Real S>
const Frames<S>& Observer<S>::frames() const {
  return ws_->frames;
}

template <Real S>
void Observer<S>::observe_joints(const World<S>& world) {
  const Model& model = world.model();
  Workspace<S>& ws = *ws_;
  if (model.has_driven) accelerations_at_frames(model, world.params, ws);  // torques of given motions
  read_back_drives(model, world.params, ws.u_rate.data(), S(1.0), ws);
  for (int i = 0; i < model.link_count(); i++) ws.V[i] = ws.frames.link[i].V;
  axis_velocities(model, ws.cuts, ws.driven, ws.V.data(), world.state.u.data(), ws.axis_u.data());
  for (std::size_t i = 0; i < model.joints.size(); i++) read_joint(world, model.joints[i], ws, seen_.joints[i]);
  for (std::size_t i = 0; i < model.cables.size(); i++) seen_.cables[i] = {ws.cable_length[i], ws.cable_tension[i]};
}

template <Real S>
void Observer<S>::observe_energy(const World<S>& world) {
  const Model& model = world.model();
  Observation<S>& out = seen_;
  S elastic = S(0.0);
  for (std::size_t i = 0; i < model.joints.size(); i++)
    elastic += elastic_energy(world.params, model.joints[i], out.joints[i].q.data());
  const Mechanics<S> m = mechanics(model, world.params, ws_->frames);
  out.energy = {m.kinetic, m.potential, elastic};
  out.momentum = {m.linear, m.angular};
  out.balance_error = balance_error(out.energy, world.state.work);
  out.gap = row_gaps(model, world.params, ws_->frames, ws_->driven, ws_->cuts);
}

template <Real S>
void Observer<S>::check_is_of(const World<S>& world) const {
  SINEW_CHECK(seen_.bodies.size() == world.model().links.size() && seen_.joints.size() == world.model().joints.size(),
              "Observer: made for ", seen_.bodies.size(), " bodies and ", seen_.joints.size(),
              " joints, the world has ", world.model().links.size(), " and ", world.model().joints.size());
  check_fits("Observer", world.model(), world.state);
  check_fits("Observer", world.model(), world.params);
}

template <Real S>
void Observer<S>::read_joints(const World<S>& world, std::vector<S>& q, std::vector<S>& u) {
  check_is_of(world);
  const Model& model = world.model();
  const State<S>& s = world.state;
  Workspace<S>& ws = *ws_;
  SINEW_CHECK(int(q.size()) == model.n_coords && int(u.size()) == model.n_axes, "Observer: ", q.size(), " and ",
              u.size(), " numbers for ", model.n_coords, " coordinates and ", model.n_axes, " axes");
  if (model.has_driven || !model.cuts.empty()) prescribe(model, world.params, s.t, ws.driven);
  if (!model.cuts.empty()) {
    evaluate_frames(model, world.params, s.q.data(), s.u.data(), ws.driven, ws.frames);
    place_cuts(model, world.params, ws.frames, false, ws.cuts);
    for (int i = 0; i < model.link_count(); i++) ws.V[i] = ws.frames.link[i].V;
  }
  axis_velocities(model, ws.cuts, ws.driven, ws.V.data(), s.u.data(), u.data());
  for (const JointInfo& joint : model.joints) read_coordinates(world, joint, ws, q.data() + joint.coord);
}

template <Real S>
const Observation<S>& Observer<S>::observe(const World<S>& world, Look look) {
  check_is_of(world);
  const Model& model = world.model();
  const State<S>& s = world.state;
  Workspace<S>& ws = *ws_;
  Observation<S>& out = seen_;
  out.reactions.forget();
  if constexpr (std::same_as<S, double>)
    if (scratch_) {
      observe_sections(world, ws, *scratch_, out);
      return out;
    }
  if (look >= Look::Joints) {
    recall_devices(model, s, ws);
    forces(model, world.params, world.input, {s.t, s.q.data(), s.u.data()}, ws);
    observe_joints(world);
  } else {
    prescribe(model, world.params, s.t, ws.driven);
    evaluate_frames(model, world.params, s.q.data(), s.u.data(), ws.driven, ws.frames);
  }
  for (int i = 0; i < model.link_count(); i++)
    out.bodies[i] = body_motion(model.links[i], world.params.links[i], ws.frames.link[i]);
  out.com = centre_of_mass(world.params, out.bodies);
  if (look >= Look::All) observe_energy(world);
  if (model.n_slots == 0) return out;
  read_contacts(world, out.contacts);
  for (int i = 0; i < model.link_count(); i++) p_WC_[i] = out.bodies[i].p_WC;
  read_bodies_touched(world, p_WC_, out.touched);
  out.total = total_of(world);
  return out;
}

template <Real S>
Observation<S> observe(const World<S>& world) {
  return Observer<S>(world.model()).observe(world);
}

namespace {

void read_encoders(const World<double>& world, Observer<double>* observer, Readings& out) {
  const Model& model = world.model();
  if (world.plant().sense(world.state, out)) return;
  out.q.resize(model.n_coords);
  out.u.resize(model.n_axes);
  if (model.cuts.empty() && !model.has_driven) {
    for (const JointInfo& joint : model.joints) {
      const Link& link = model.links[joint.link];
      std::copy_n(world.state.q.begin() + link.q, joint.n_coords, out.q.begin() + joint.coord);
      std::copy_n(world.state.u.begin() + link.u, joint.n_axes, out.u.begin() + joint.axis);
    }
    return;
  }
  if (observer)
    observer->read_joints(world, out.q, out.u);
  else
    Observer<double>(model).read_joints(world, out.q, out.u);
}

void read_all(const World<double>& world, Observer<double>* observer, Readings& out) {
  check_fits("read_sensors", world.model(), world.state);
  out.t = world.state.t;
  read_encoders(world, observer, out);
  if (!world.model().sensors.empty()) read_samples(world.model(), world.state, out);
}

}  // namespace

void read_sensors(const World<double>& world, Readings& out) { read_all(world, nullptr, out); }
void read_sensors(const World<double>& world, Observer<double>& observer, Readings& out) {
  read_all(world, &observer, out);
}

template class Observer<double>;
template class Observer<Lanes>;
template Observation<double> observe(const World<double>&);
template Observation<Lanes> observe(const World<Lanes>&);

}  // namespace sinew
