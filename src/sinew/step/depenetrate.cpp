// Solved by few sweeps, since it is repeated every step, and with normals alone, since friction has nothing to say to it.
#include "sinew/step/depenetrate.h"

#include <algorithm>

#include "sinew/math/check.h"

namespace sinew {
namespace {

// What counts as none: far less than the gap up to which a contact holds, so that bodies which are moved apart a little too
// far still touch. If they did not, each would fall for a step and be as deep again as one step's fall.
double slight(const Model& model) { return std::max(0.1 * model.contact.activation_gap, 1e-12); }

// What sinks into soft ground is meant to.
template <Real S>
Mask<S> is_hard(const ContactRow<S>& c) {
  return c.closed & (c.stiffness <= S(0.0));
}

// The rows: normals alone, at rest, with the wanted displacement as their bias. Returns the robots that have any.
template <Real S>
Mask<S> gather_penetrations(const Model& model, Workspace<S>& ws) {
  SINEW_ASSERT(ws.rows.n_contacts == ws.contacts.count);  // row i is that of contact i
  Mask<S> some = mask_of<S>(false);
  const double margin = slight(model);
  for (int i = 0; i < ws.rows.n_contacts; i++)
    some = some | (is_hard(ws.rows.contact[i]) & (ws.contacts.point[i].gap < S(-margin)));
  if (!any(some)) return some;
  ws.penetrations.n_contacts = ws.rows.n_contacts;
  ws.penetrations.n_axes = 0;
  if (ws.penetrations.contact.size() < ws.rows.contact.size()) ws.penetrations.contact.resize(ws.rows.contact.size());
  ws.penetrations.total_mass = ws.rows.total_mass;
  ws.penetrations.stiff = ws.rows.stiff;
  for (int i = 0; i < ws.rows.n_contacts; i++) {
    ContactRow<S>& c = ws.penetrations.contact[i];
    c = ws.rows.contact[i];
    c.closed = is_hard(c);
    c.slides = c.drills = c.rolls = false;
    c.law = ContactLaw<S>{};
    c.bias = min(ws.contacts.point[i].gap + S(margin), S(0.0)) * S(model.contact.beta);
    std::fill_n(c.gamma, int(row::count), S(0.0));
    std::fill_n(c.P, int(row::count), S(0.0));
  }
  return some;
}

}  // namespace

template <Real S>
void depenetrate(const Model& model, const Params<S>& params, State<S>& state, Workspace<S>& ws) {
  if (model.contact.beta <= 0.0 || model.has_rows() || ws.rows.n_contacts == 0) return;
  const Mask<S> which = gather_penetrations(model, ws);
  if (!any(which)) return;
  constexpr int few = 30;  // sweeps: what they leave is for the next step
  if (ws.rows.local() ||
      ws.held.n > 0)  // the factor may be another engine's, with contacts in it, or have servos in it
    forward_dynamics(model, params, ws.frames, {ws.tau.data(), &ws.applied}, ws.blocks, ws.phi.data());
  std::fill(ws.depenetrated_by.begin(), ws.depenetrated_by.end(), S(0.0));
  solve_by_sweeps({model, ws.frames, ws.blocks, ws.cuts}, which, {slight(model), few, false}, ws.penetrations,
                  ws.sweeps, ws.depenetrated_by.data());
  ws.q = state.q;
  advance(model, ws.depenetrated_by.data(), S(1.0), ws.q.data());
  for (int i = 0; i < model.nq; i++) state.q[i] = select(which, ws.q[i], state.q[i]);
  evaluate_velocities(model, ws.frames, ws.depenetrated_by.data(), ws.driven, 0.0, ws.V);
  for (int i = 0; i < model.link_count(); i++) {
    const LinkParams<S>& link = params.links[i];
    const Frame<S>& F = ws.frames.link[i];
    const Vec3<S> c = F.X.R * link.c_F, p = F.X.p + c, d = ws.V[i].v + cross(ws.V[i].w, c);
    const Sym3<S> I_C = rotate(F.X.R, central(link.I_F.I, link.c_F, link.I_F.mc));
    const S lifted = gravity_potential(params.gravity, link.I_F.m, p + d, I_C) -
                     gravity_potential(params.gravity, link.I_F.m, p, I_C);
    state.work.impact -= select(which, lifted, S(0.0));
  }
}

template void depenetrate(const Model&, const Params<double>&, State<double>&, Workspace<double>&);
template void depenetrate(const Model&, const Params<Lanes>&, State<Lanes>&, Workspace<Lanes>&);

}  // namespace sinew
