// Depth and speed give the force; what a touch began with is kept until it ends.
#include "sinew/step/penalty.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/step/patches.h"

namespace sinew {
namespace {

// What a pair of bodies is to an impact, robots as a whole. The world is infinitely heavy.
template <Real S>
S pair_mass(const Model& model, const SoftWork<S>& soft, const ContactRow<S>& c) {
  const S m2 = soft.robot_mass[model.robot[c.link2]];
  if (c.link1 < 0 || model.robot[c.link1] == model.robot[c.link2]) return m2;
  const S m1 = soft.robot_mass[model.robot[c.link1]];
  return m1 * m2 / (m1 + m2);
}

// The impact speed whose damping is critical at rest, u g / (2 omega), omega^2 = n k x_rest^(n-1) / m.
template <Real S>
S speed_floor(const PenaltyLaw<S>& p, S mass, S g) {
  S omega2 = p.stiffness / mass;
  if (any(p.exponent > S(1.0))) {
    const S x_rest = law::power(mass * g / p.stiffness, S(1.0) / p.exponent);
    omega2 = p.exponent * p.stiffness * law::power(x_rest, p.exponent - S(1.0)) / mass;
  }
  const S critical = p.u * g / (S(2.0) * sqrt(max(omega2, S(1e-300))));
  return max(select(p.floor > S(0.0), p.floor, critical), S(1e-9));
}

// The damping number of a new contact under a load: gravity along the normal, of a body on something that stands. Two bodies
// that fall together do not press on each other.
template <Real S>
S number_of_impact(const PenaltyLaw<S>& p, S mass, S load, S speed) {
  if (!p.compensate_load) return p.u;
  S u = p.u;
  for (int k = 0; k < lanes_of<S>; k++) {
    const PenaltyLaw<double> law = law_in_lane(p, k);
    const double v = lane(speed, k), g = lane(load, k);
    if (v > 0.0 && g > 0.0)
      set_lane(u, k, law::damping_under_load(law, g / (std::sqrt(law.stiffness / lane(mass, k)) * v)));
  }
  return u;
}

// Distance from the origin of a body's link to its farthest point; of what does not move, of that shape alone.
double reach_of(const Model& model, int shape) {
  const ShapeInfo& one = model.shapes[shape];
  if (one.link < 0) return one.shape.reach();
  double most = 0.0;
  for (const ShapeInfo& s : model.shapes)
    if (s.link == one.link) most = std::max(most, norm(s.X_FS.p - one.X_FS.p) + s.shape.reach());
  return most;
}

// A10: the depth that counts at most where two overlap from the start, 5 % of the size of the smaller one.
template <Real S>
S cap_of(const Model& model, const PenaltyLaw<S>& law, const ContactPoint<S>& p) {
  double least = reach_of(model, p.shape2);
  if (p.shape1 >= 0) least = std::min(least, reach_of(model, p.shape1));
  return select(law.cap > S(0.0), law.cap, S(least > 0.0 ? 0.1 * least : law::unbounded));
}

// Some point of the pair was deeper than its cap: on the way out the points change, as on boxes that begin in one place.
template <Real S>
Mask<S> pair_was_deep(const State<S>& state, const ContactPoint<S>& p) {
  Mask<S> was = mask_of<S>(false);
  if (p.old < 0) return was;
  const S* first = state.contact.data() + std::size_t(p.old - (p.slot - p.block)) * slot::size;
  for (int k = 0; k < p.n_slots; k++) was = was | (first[std::size_t(k) * slot::size + slot::stick] > S(1.5));
  return was;
}

// Overlaps of the start push with no more than their cap, until they are shallower than that.
template <Real S>
void limit_depth(const Model& model, const PenaltyLaw<S>& law, const ContactPoint<S>& p, const State<S>& state,
                 SoftContact<S>& s) {
  s.deep = mask_of<S>(false);
  s.at.cap = S(law::unbounded);
  const bool at_start = state.dt <= 0.0;
  const auto was = pair_was_deep(state, p);
  if (!at_start && !any(was)) return;
  const S cap = cap_of(model, law, p);
  s.deep = (s.at.depth > cap) & (at_start ? mask_of<S>(true) : was);
  s.at.cap = select(s.deep, cap, s.at.cap);
  // Damping grows with the depth; what is critical at rest would be far too stiff for any step here. Critical at the cap:
  // k cap d = 2 sqrt(k m).
  const S omega = sqrt(law.stiffness / s.at.mass);
  s.at.d = select(s.deep, min(s.at.d, S(2.0) / (omega * cap)), s.at.d);
}

// The stretch of the last step in the present tangent plane, as long as it was; lost where the normal turned by more than
// 30 degrees (A10), and turned with the bodies.
template <Real S>
Vec2<S> old_stretch(const S* old, const ContactRow<S>& c, const Vec3<S>& spin, S since) {
  const Vec3<S> s{old[slot::stretch], old[slot::stretch + 1], old[slot::stretch + 2]};
  const Vec3<S> n{old[slot::n], old[slot::n + 1], old[slot::n + 2]};
  const Vec3<S> turned = s + cross(spin, s) * since, flat = turned - c.n * dot(c.n, turned);
  const S before = dot(s, s), now = dot(flat, flat);
  const auto keeps = (dot(n, c.n) > S(0.8660254037844386)) & (now > S(0.0));
  const S scale = select(keeps, sqrt(before / select(keeps, now, S(1.0))), S(0.0));
  return {dot(flat, c.t1) * scale, dot(flat, c.t2) * scale};
}

template <Real S>
void share_stiffness(const Contacts<S>& contacts, int n, bool share_it, SoftWork<S>& soft) {
  SINEW_ASSERT(n >= 0 && n <= contacts.count);
  for (int first = 0, last; first < n; first = last) {
    S count = S(0.0);
    for (last = first; last < n && contacts.point[last].pair == contacts.point[first].pair; last++)
      count += select(soft.contact[last].at.depth > S(0.0), S(1.0), S(0.0));
    const S share = share_it ? S(1.0) / max(count, S(1.0)) : S(1.0);
    for (int i = first; i < last; i++) soft.contact[i].at.share = share;
  }
}

}  // namespace

template <Real S>
void prepare_soft(const Model& model, const Params<S>& params, const State<S>& state, double since, bool stage,
                  Workspace<S>& ws) {
  SINEW_ASSERT(ws.rows.n_soft == ws.contacts.count && ws.rows.n_soft <= int(ws.soft.contact.size()));
  SINEW_ASSERT(!(since < 0.0));
  static const S nothing[slot::size] = {};
  SoftWork<S>& soft = ws.soft;
  std::fill(soft.robot_mass.begin(), soft.robot_mass.end(), S(0.0));
  for (int i = 0; i < model.link_count(); i++) soft.robot_mass[model.robot[i]] += params.links[i].I_F.m;
  for (int i = 0; i < ws.rows.n_soft; i++) {
    const ContactRow<S>& c = ws.rows.contact[i];
    const ContactPoint<S>& p = ws.contacts.point[i];
    SoftContact<S>& s = soft.contact[i];
    s.law = patch_penalty(model, params, p, s.own);
    const PenaltyLaw<S>& law = *s.law;
    const S* old = p.old < 0 ? nothing : state.contact.data() + std::size_t(p.old) * slot::size;
    const auto same = (old[slot::key] >= p.key) & (old[slot::key] <= p.key);
    law::PenaltyPoint<S>& at = s.at;
    at.depth = -p.gap;
    at.speed = -c.before[row::N];
    at.mass = c.mass;
    at.sliding = {c.before[row::T1], c.before[row::T2]};
    at.stretch_rate = S(since);
    at.d = old[slot::d];
    if (any(negate(same))) {
      const Vec3<S> where = ws.frames.link[c.link2].X.p, g = fall(params.gravity, where, Vec3<S>::zero());
      const S mass = pair_mass(model, soft, c), load = c.link1 < 0 ? -dot(g, c.n) : S(0.0);
      s.floor = speed_floor(law, mass, sqrt(dot(g, g)));
      S speed = at.speed;
      if (stage && !soft.fastest.empty()) speed = soft.fastest[p.slot] = max(soft.fastest[p.slot], speed);
      at.d = select(same, at.d, number_of_impact(law, mass, load, speed) / max(speed, s.floor));
    }
    limit_depth(model, law, p, state, s);
    const auto stuck = old[slot::stick] > S(0.5), slid_deep = old[slot::stick] > S(1.5),
               stuck_deep = old[slot::stick] > S(2.5);
    at.stick = negate(same) | (stuck & negate(slid_deep)) | stuck_deep;
    Vec3<S> spin = ws.frames.link[c.link2].V.w;
    if (c.link1 >= 0) spin = (spin + ws.frames.link[c.link1].V.w) * S(0.5);
    const Vec2<S> kept = old_stretch(old, c, spin, S(since));
    at.stretch = {select(same, kept.x, S(0.0)) + at.stretch_rate * at.sliding.x,
                  select(same, kept.y, S(0.0)) + at.stretch_rate * at.sliding.y};
  }
  share_stiffness(ws.contacts, ws.rows.n_soft, model.contact.share_stiffness, soft);
}

template <Real S>
void push_softly(const Model&, const Params<S>& params, double dt, Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && ws.applied.size() == params.links.size());
  const auto add = [&](int link, const Wrench<S>& W) {  // about the link's origin
    const Vec3<S> c = ws.frames.link[link].X.R * params.links[link].c_F;
    ws.applied[link].f += W.f;
    ws.applied[link].n += W.n - cross(c, W.f);
  };
  for (int i = 0; i < ws.rows.n_soft; i++) {
    ContactRow<S>& c = ws.rows.contact[i];
    SoftContact<S>& s = ws.soft.contact[i];
    s.force = law::penalty_force(c.law, *s.law, s.at);
    S F[row::count] = {s.force.normal, s.force.friction.x, s.force.friction.y, S(0.0), S(0.0), S(0.0)};
    for (int r = 0; r < row::count; r++) {
      F[r] = select(c.closed, F[r], S(0.0));
      c.P[r] = F[r] * S(dt);
    }
    spread(c, contact_impulse(c, F), add);
  }
}

template <Real S>
void book_soft(const Rows<S>& rows, const Twist<S>* V, S weight, Work<S>& work) {
  for (int i = 0; i < rows.n_soft; i++) {
    const ContactRow<S>& c = rows.contact[i];
    S gamma[row::count];
    contact_velocity(c, V, gamma);
    work.impact -= (c.P[row::N] - c.pull) * gamma[row::N] * weight;
    work.friction -= (c.P[row::T1] * gamma[row::T1] + c.P[row::T2] * gamma[row::T2]) * weight;
  }
}

template <Real S>
void end_soft(const Model& model, const S* u_E, Workspace<S>& ws) {
  if (ws.rows.n_soft == 0) return;
  evaluate_velocities(model, ws.frames, u_E, ws.driven_E, 1.0, ws.V);
  for (int i = 0; i < ws.rows.n_soft; i++) contact_velocity(ws.rows.contact[i], ws.V.data(), ws.rows.contact[i].gamma);
}

namespace {

// Speed at which what touched in the last step comes apart at the present frames, the fastest of all points.
template <Real S>
S parting_speed(const Model& model, const State<S>& state, const Frames<S>& frames) {
  S fastest = S(0.0);
  const auto see = [&](const ShapePair& pair, int first) {
    for (int k = first; k < first + pair.n_slots; k++) {
      const S* old = state.contact.data() + std::size_t(k) * slot::size;
      const Vec3<S> p{old[slot::point], old[slot::point + 1], old[slot::point + 2]};
      const Vec3<S> n{old[slot::n], old[slot::n + 1], old[slot::n + 2]};
      const auto velocity = [&](int shape) {
        const int link = shape < 0 ? world_body : model.shapes[shape].link;
        if (link < 0) return Vec3<S>::zero();
        return shift_to_child(frames.link[link].V, p - frames.link[link].X.p).v;
      };
      const S speed = dot(n, velocity(pair.shape2) - velocity(pair.shape1));
      fastest = select((old[slot::key] > S(0.0)) & (speed > fastest), speed, fastest);
    }
  };
  if (!model.crowd) {
    for (const ShapePair& pair : model.pairs) see(pair, pair.slot);
    return fastest;
  }
  for (int at = 0; at < model.n_slots;) {
    const int id = int(lane(state.contact[std::size_t(at) * slot::size + slot::pair], 0)) - 1;
    if (id < 0) break;
    const ShapePair pair = model.pair(id);
    see(pair, at);
    at += pair.n_slots;
  }
  return fastest;
}

}  // namespace

template <Real S>
void count_bounces(const Model& model, double t, double dt, const Workspace<S>& ws, State<S>& state) {
  SINEW_ASSERT(dt > 0.0 && state.contact.size() == std::size_t(model.n_slots) * slot::size);
  Bounces<S>& b = state.bounces;
  Mask<S> touching = mask_of<S>(false);
  S force = S(0.0), depth = S(0.0), speed = S(0.0), d = S(0.0), floor = S(0.0);
  for (int i = 0; i < ws.rows.n_soft; i++) {
    const ContactRow<S>& c = ws.rows.contact[i];
    const SoftContact<S>& s = ws.soft.contact[i];
    const auto there = c.closed & (s.at.depth > S(0.0));
    touching = touching | there;
    force += select(there, c.P[row::N] * S(1.0 / dt), S(0.0));
    depth = select(there, max(depth, s.at.depth), depth);
    const auto faster = there & (s.at.speed > speed);
    speed = select(faster, s.at.speed, speed);
    d = select(faster, s.at.d, d);
    floor = select(faster, s.floor, floor);
  }
  const Mask<S> before = b.touching > S(0.0), closes = touching & negate(before), opens = before & negate(touching);
  const auto first = closes & (b.touches < S(0.5));
  b.first_touch = select(first, S(t), b.first_touch);
  b.first_speed = select(first, speed, b.first_speed);
  b.first_d = select(first, d, b.first_d);
  b.first_floor = select(first, floor, b.first_floor);
  b.touches += select(closes, S(1.0), S(0.0));
  const auto early = touching & (b.releases < S(0.5));
  b.first_force = select(early, max(b.first_force, force), b.first_force);
  b.first_depth = select(early, max(b.first_depth, depth), b.first_depth);
  if (any(opens)) {
    const S parting = parting_speed(model, state, ws.frames);
    b.first_release = select(opens & (b.releases < S(0.5)), S(t), b.first_release);
    for (int k = 0; k < Bounces<S>::most; k++) {
      const auto this_one = opens & (b.releases > S(k - 0.5)) & (b.releases < S(k + 0.5));
      b.rebound[k] = select(this_one, parting, b.rebound[k]);
    }
    b.releases += select(opens, S(1.0), S(0.0));
  }
  b.touching = select(touching, S(1.0), S(0.0));
}

template <Real S>
double fastest_shape(const Model& model, const Frames<S>& frames) {
  S fastest = S(0.0);
  for (const ShapeInfo& s : model.shapes) {
    if (s.link < 0) continue;
    const Twist<S>& V = frames.link[s.link].V;
    fastest = max(fastest, sqrt(dot(V.v, V.v)) + sqrt(dot(V.w, V.w)) * S(norm(s.X_FS.p) + s.shape.reach()));
  }
  double most = 0.0;
  for (int k = 0; k < lanes_of<S>; k++) most = std::max(most, lane(fastest, k));
  return most;
}

template <Real S>
double soft_margin(const Model& model, const Frames<S>& frames, bool implicit, double dt) {
  // adhesion reaches as far as rigid contacts count as closed
  const double least = model.pads.empty() ? 0.0 : model.contact.activation_gap;
  return implicit ? std::max(2.0 * fastest_shape(model, frames) * dt, least) : least;
}

#define SINEW_INSTANTIATE_PENALTY(S)                                                                        \
  template void prepare_soft(const Model&, const Params<S>&, const State<S>&, double, bool, Workspace<S>&); \
  template void push_softly(const Model&, const Params<S>&, double, Workspace<S>&);                         \
  template void book_soft(const Rows<S>&, const Twist<S>*, S, Work<S>&);                                    \
  template void count_bounces(const Model&, double, double, const Workspace<S>&, State<S>&);                \
  template void end_soft(const Model&, const S*, Workspace<S>&);                                            \
  template double fastest_shape(const Model&, const Frames<S>&);                                            \
  template double soft_margin(const Model&, const Frames<S>&, bool, double);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_PENALTY)

}  // namespace sinew
