// Sums over the links of a robot are always in their order: one robot and a batch give the same bits.
#include "sinew/step/momentum.h"

#include "sinew/dynamics/rigid.h"
#include "sinew/math/check.h"
#include "sinew/math/small_solve.h"
#include "sinew/step/laws.h"

namespace sinew {
namespace {

// A robot's inertia and momentum about the origin of its root.
template <Real S>
struct Whole {
  S m;
  Vec3<S> mc, P, L;
  Sym3<S> I;
};

// (a.b) 1 - (a b^T + b a^T) / 2: what two arms are to an inertia
template <Real S>
SINEW_INLINE Sym3<S> arms(const Vec3<S>& a, const Vec3<S>& b) {
  const S x = a[0] * b[0], y = a[1] * b[1], z = a[2] * b[2], half = S(-0.5);
  return {y + z, (a[0] * b[1] + a[1] * b[0]) * half, (a[0] * b[2] + a[2] * b[0]) * half,
          x + z, (a[1] * b[2] + a[2] * b[1]) * half, x + y};
}
template <Real S>
SINEW_INLINE Sym3<S> scaled(const Sym3<S>& a, const S& k) {
  return {a.xx * k, a.xy * k, a.xz * k, a.yy * k, a.yz * k, a.zz * k};
}

// Where a link is and how it moves: evaluate_frames without what accelerations need.
template <class J, Real S>
[[gnu::noinline]] void follow(const Model& model, const Params<S>& params, const State<S>& state,
                              const Prescribed<S>& driven, int i, Workspace<S>& ws) {
  const Link& link = model.links[i];
  const LinkParams<S>& p = params.links[i];
  const S* q = (link.driven ? driven.q.data() : state.q.data()) + link.q;
  const S* u = (link.driven ? driven.u.data() : state.u.data()) + link.u;
  const SinCos<S>* trig = ws.frames_E.trig.data() + link.angle;
  Pose<S> X_WJ = p.X_PJ;
  Twist<S> V = Twist<S>::zero();
  if (link.parent >= 0) {
    const Frame<S>& parent = ws.frames_E.link[link.parent];
    X_WJ = {link.aligned ? parent.X.R : parent.X.R * p.X_PJ.R, parent.X.p + parent.X.R * p.X_PJ.p};
  }
  const Pose<S> X = J::place(X_WJ, q, trig);
  Vec3<S> axis[J::nu + 1];
  J::axes(X_WJ.R, X.R, axis);
  if (link.parent >= 0) V = shift_to_child(ws.frames_E.link[link.parent].V, X.p - ws.frames_E.link[link.parent].X.p);
  joint::add_motion<J>(axis, u, V);
  ws.frames_E.link[i].X = X;
  ws.frames_E.link[i].V = V;
}

// Sums over the links of a tree, always in their order: several at once for a single robot, see rigid.h.
template <Real S>
Whole<S> sum_up(const Model& model, const Params<S>& params, const Frames<S>& frames, int root) {
  SINEW_ASSERT(root >= 0 && model.links[root].root == root && model.links[root].tree_end > root);
  const int n = model.links[root].tree_end - root;
  const Frame<S>* link = frames.link.data() + root;
  const LinkParams<S>* of = params.links.data() + root;
  Whole<S> sum{S(0.0), Vec3<S>::zero(), Vec3<S>::zero(), Vec3<S>::zero(), Sym3<S>::diagonal(S(0.0))};
  for (int at = 0; at < packs_of<S>(n); at++) {
    const Pack<S> pack(at, n);
    const Mat3<Lanes> R = pack.matrix(SINEW_OF_LINK(link[i].X.R));
    const Vec3<Lanes> r = pack.vector(SINEW_OF_LINK(link[i].X.p)) - Pack<S>(0, 1).vector(SINEW_OF_LINK(link[i].X.p));
    const Vec3<Lanes> w = pack.vector(SINEW_OF_LINK(link[i].V.w)), v = pack.vector(SINEW_OF_LINK(link[i].V.v));
    const Lanes m = pack.number(SINEW_OF_LINK(of[i].I_F.m));
    const Vec3<Lanes> mc = R * pack.vector(SINEW_OF_LINK(of[i].I_F.mc));
    Sym3<Lanes> I = rotate(R, pack.symmetric(SINEW_OF_LINK(of[i].I_F.I)));
    const Vec3<Lanes> P = v * m + cross(w, mc);
    const Vec3<Lanes> L = I * w + cross(mc, v) + cross(r, P);
    I += arms(r, r * m + mc * Lanes(2.0));
    const Vec3<Lanes> moment = mc + r * m;
    for (int k = 0; k < links_per_pack<S> && at * links_per_pack<S> + k < n; k++) {
      sum.m += take<S>(m, k);
      sum.mc += take<S>(moment, k);
      sum.P += take<S>(P, k);
      sum.L += take<S>(L, k);
      sum.I += take<S>(I, k);
    }
  }
  return sum;
}

// The same about the mass centre, which is in mc, from the root's origin.
template <Real S>
Whole<S> about_centre(Whole<S> whole) {
  whole.mc = whole.mc * (S(1.0) / whole.m);
  whole.L -= cross(whole.mc, whole.P);
  whole.I += scaled(arms(whole.mc, whole.mc), -whole.m);
  return whole;
}

template <Real S>
Whole<S> measure(const Model& model, const Params<S>& params, const State<S>& state, const Prescribed<S>& driven,
                 int root, Workspace<S>& ws) {
  for (int i = root; i < model.links[root].tree_end; i++)
    joint::visit(model.links[i].kind, [&]<class J>() { follow<J>(model, params, state, driven, i, ws); });
  return about_centre(sum_up(model, params, ws.frames_E, root));
}

template <Real S>
Vec3<S> read3(const S* from) {
  return {from[0], from[1], from[2]};
}
// Sets what is remembered under `what`.
template <Real S>
void put(Mask<S> which, const Vec3<S>& x, int what, S* own) {
  SINEW_ASSERT(what == momentum::P || what == momentum::L || what == momentum::C);
  for (int i = what; i < what + 3; i++) {
    own[i] = select(which, x[i - what], own[i]);
    own[momentum::rest + i] = select(which, S(0.0), own[momentum::rest + i]);
  }
}
// Adds to it, with compensation (Kahan 1965): there are as many terms as steps.
template <Real S>
void add_to(const Vec3<S>& x, int what, S* own) {
  SINEW_ASSERT(what == momentum::P || what == momentum::L || what == momentum::C);
  for (int i = what; i < what + 3; i++) {
    const S term = x[i - what] + own[momentum::rest + i], sum = own[i] + term;
    own[momentum::rest + i] = term - (sum - own[i]);
    own[i] = sum;
  }
}

// Impulses from outside other than weight, about the mass centre, as the step took them.
template <Real S>
Wrench<S> impulse_of(const Model& model, const Params<S>& params, int root, double dt, const Workspace<S>& ws) {
  SINEW_ASSERT(model.links[root].kind == JointKind::Free && !model.links[root].driven);
  const Frame<S>& F = ws.frames.link[root];
  Twist<S> push = Twist<S>::zero();
  joint::add_motion<joint::Free>(ws.frames.axis.data() + model.links[root].axis, ws.tau.data() + model.links[root].u,
                                 push);
  Wrench<S> sum{push.w, push.v};
  S mass = S(0.0);
  Vec3<S> moment = Vec3<S>::zero();
  for (int i = root; i < model.links[root].tree_end; i++) {
    const Vec3<S> c = ws.frames.link[i].X.p + ws.frames.link[i].X.R * params.links[i].c_F - F.X.p;
    sum.f += ws.applied[i].f;
    sum.n += ws.applied[i].n + cross(c, ws.applied[i].f);
    mass += params.links[i].I_F.m;
    moment += c * params.links[i].I_F.m;
  }
  sum.n -= cross(moment * (S(1.0) / mass), sum.f);
  return {sum.n * S(dt), sum.f * S(dt)};
}

template <Real S>
Vec3<S> mass_centre_of(const Frame<S>* link, const LinkParams<S>* of, int n) {
  S mass = S(0.0);
  Vec3<S> moment = Vec3<S>::zero();
  for (int at = 0; at < packs_of<S>(n); at++) {
    const Pack<S> pack(at, n);
    const Mat3<Lanes> R = pack.matrix(SINEW_OF_LINK(link[i].X.R));
    const Lanes m = pack.number(SINEW_OF_LINK(of[i].I_F.m));
    const Vec3<Lanes> mc = (pack.vector(SINEW_OF_LINK(link[i].X.p)) + R * pack.vector(SINEW_OF_LINK(of[i].c_F))) * m;
    for (int k = 0; k < links_per_pack<S> && at * links_per_pack<S> + k < n; k++) {
      mass += take<S>(m, k);
      moment += take<S>(mc, k);
    }
  }
  return moment * (S(1.0) / mass);
}

inline Vec3<Lanes> to_lanes(const Vec3<double>& v) { return broadcast<Lanes>(v); }
inline const Vec3<Lanes>& to_lanes(const Vec3<Lanes>& v) { return v; }

// The impulses that move a robot as one rigid body by the twist w about its mass centre and v of it: added to the applied wrenches of a
// step of dt. Returns their sum, about the mass centre.
template <Real S>
Wrench<S> move_as_one(const Model& model, const Params<S>& params, int root, double dt, const Twist<S>& by,
                      Workspace<S>& ws) {
  const int n = model.links[root].tree_end - root;
  const Frame<S>* link = ws.frames.link.data() + root;
  const LinkParams<S>* of = params.links.data() + root;
  Wrench<S>* applied = ws.applied.data() + root;
  const Vec3<Lanes> C = to_lanes(mass_centre_of(link, of, n)), w = to_lanes(by.w), v = to_lanes(by.v);
  Wrench<S> sum = Wrench<S>::zero();
  for (int at = 0; at < packs_of<S>(n); at++) {
    const Pack<S> pack(at, n);
    const Mat3<Lanes> R = pack.matrix(SINEW_OF_LINK(link[i].X.R));
    const Vec3<Lanes> c = pack.vector(SINEW_OF_LINK(of[i].c_F));
    const Vec3<Lanes> r = pack.vector(SINEW_OF_LINK(link[i].X.p)) + R * c - C;
    const Lanes m = pack.number(SINEW_OF_LINK(of[i].I_F.m));
    Sym3<Lanes> about_c = pack.symmetric(SINEW_OF_LINK(of[i].I_F.I));
    about_c += scaled(arms(c, c), -m);
    const Wrench<Lanes> impulse{rotate(R, about_c) * w, (v + cross(w, r)) * m};
    const Wrench<Lanes> about_C{impulse.n + cross(r, impulse.f), impulse.f};
    const Wrench<Lanes> rate{impulse.n * Lanes(1.0 / dt), impulse.f * Lanes(1.0 / dt)};
    for (int k = 0; k < links_per_pack<S> && at * links_per_pack<S> + k < n; k++) {
      sum += take<S>(about_C, k);
      applied[at * links_per_pack<S> + k] += take<S>(rate, k);
    }
  }
  return sum;
}

bool is_for(GravityKind kind) { return kind == GravityKind::None || kind == GravityKind::Uniform; }

}  // namespace

template <Real S>
void begin_momentum(const Model& model, const Params<S>& params, State<S>& state, Workspace<S>& ws) {
  const Past<S> past = past_of(model, state);
  if (!past.is_kept() || !is_for(params.gravity.kind)) return;
  bool prepared = false;
  for (std::size_t k = 0; k < model.flyers.size(); k++) {
    S* own = past.momenta + k * momentum::size;
    const auto is_new = negate(ws.continues) | (own[momentum::state] < S(0.5 * momentum::flies));
    if (!any(is_new)) continue;
    if (!prepared) {
      prescribe(model, params, state.t, ws.driven);
      sincos_of(model.angles, state.q.data(), ws.driven.q.data(), ws.frames_E.trig.data());
      prepared = true;
    }
    const int root = model.flyers[k];
    const Whole<S> now = measure(model, params, state, ws.driven, root, ws);
    put(is_new, now.P, momentum::P, own);
    put(is_new, now.L, momentum::L, own);
    put(is_new, ws.frames_E.link[root].X.p + now.mc, momentum::C, own);
    own[momentum::state] = select(is_new, S(momentum::flies), own[momentum::state]);
    for (int i = 0; i < 6; i++) own[momentum::late + i] = select(is_new, S(0.0), own[momentum::late + i]);
  }
}

template <Real S>
void give_late_momentum(const Model& model, const Params<S>& params, double dt, State<S>& state, Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && ws.late_given.size() == model.flyers.size() && ws.applied.size() == model.links.size());
  const Past<S> past = past_of(model, state);
  if (!past.is_kept() || !is_for(params.gravity.kind)) return;
  for (std::size_t k = 0; k < model.flyers.size(); k++) {
    const S* own = past.momenta + k * momentum::size;
    ws.late_given[k] = Wrench<S>::zero();
    if (!any(own[momentum::state] > S(0.5 * (momentum::flies + momentum::touches))))
      continue;  // nothing is late in flight
    const Twist<S> late{read3(own + momentum::late), read3(own + momentum::late_v)};
    ws.late_given[k] = move_as_one(model, params, model.flyers[k], dt, late, ws);
  }
}

template <Real S>
void keep_momentum(const Model& model, const Params<S>& params, double dt, Moves moves, State<S>& state,
                   Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && int(ws.touches_other.size()) == model.n_robots);
  const Past<S> past = past_of(model, state);
  if (!past.is_kept() || !is_for(params.gravity.kind) || model.flyers.empty()) return;
  if (!model.has_driven) apply_laws(params, dt, ws);  // else the work of given motions needed them already
  sincos_of(model.angles, state.q.data(), ws.driven_E.q.data(), ws.frames_E.trig.data());
  for (std::size_t k = 0; k < model.flyers.size(); k++) {
    S* own = past.momenta + k * momentum::size;
    const int root = model.flyers[k];
    const Mask<S> touches = ws.touches_other[model.robot[root]], flies = negate(touches);
    const Mask<S> flew = own[momentum::state] < S(0.5 * (momentum::flies + momentum::touches));
    own[momentum::state] = select(touches, S(momentum::touches), S(momentum::flies));
    const Whole<S> now = measure(model, params, state, ws.driven_E, root, ws);
    const Vec3<S> C = ws.frames_E.link[root].X.p + now.mc;
    Wrench<S> impulse = impulse_of(model, params, root, dt, ws);
    impulse.n -= ws.late_given[k].n;
    impulse.f -= ws.late_given[k].f;
    if (params.gravity.kind == GravityKind::Uniform) impulse.f += params.gravity.g * (now.m * S(dt));
    const Vec3<S> P_A = read3(own + momentum::P);
    add_to(impulse.f, momentum::P, own);
    add_to(impulse.n, momentum::L, own);
    const Vec3<S> P = read3(own + momentum::P), L = read3(own + momentum::L);
    const Vec3<S> moving = moves == Moves::ByMean ? (P_A + P) * S(0.5) : P;
    add_to(moving * (S(dt) / now.m), momentum::C, own);
    put(touches | negate(flew), C, momentum::C, own);
    const Vec3<S> w = inverse(now.I) * (L - now.L), v = (P - now.P) * (S(1.0) / now.m);
    const Vec3<S> v_root = v - cross(w, now.mc), by = read3(own + momentum::C) - C;
    const Mat3<S>& R_WJ = params.links[root].X_PJ.R;
    S *u = state.u.data() + model.links[root].u, *q = state.q.data() + model.links[root].q;
    for (int i = 0; i < 3; i++) {
      u[i] += select(flies, dot(ws.frames_E.link[root].X.R.col(i), w), S(0.0));
      u[3 + i] += select(flies, dot(R_WJ.col(i), v_root), S(0.0));
      q[i] += dot(R_WJ.col(i), by);
      own[momentum::late + i] = select(touches, w[i], S(0.0));
      own[momentum::late_v + i] = select(touches, v[i], S(0.0));
    }
  }
}

#define SINEW_INSTANTIATE_MOMENTUM(S)                                                                 \
  template void begin_momentum(const Model&, const Params<S>&, State<S>&, Workspace<S>&);             \
  template void give_late_momentum(const Model&, const Params<S>&, double, State<S>&, Workspace<S>&); \
  template void keep_momentum(const Model&, const Params<S>&, double, Moves, State<S>&, Workspace<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_MOMENTUM)

}  // namespace sinew
