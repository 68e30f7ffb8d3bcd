#include "sinew/kinematics/frames.h"

#include "sinew/math/check.h"

namespace sinew {

template <Real S>
Frames<S>::Frames(const Model& model)
    : link(model.links.size()),
      axis(model.n_frame_axes),
      trig(model.angles.size() + lane_count),
      rank(std::same_as<S, double> ? model.ranks.size() : 0),
      rank_axis(std::same_as<S, double> ? model.n_rank_axes : 0) {
  coupled.assign(model.coupling_terms.size(), S(0.0));
  if (model.reflected.empty()) return;
  const int n = model.n_frame_axes + (model.cuts.empty() ? 0 : model.n_axes);
  reflected.assign(6 * n, S(0.0));
  reflected_bias.assign(n, S(0.0));
  reflected_u.assign(n, S(0.0));
  strokes.resize(model.n_transmissions);
}

template <Real S>
Prescribed<S>::Prescribed(const Model& model)
    : q(model.n_prescribed_q, S(0.0)),
      u(model.n_prescribed_u, S(0.0)),
      u_rate(model.n_prescribed_u, S(0.0)),
      motion(model.n_motions, S(0.0)),
      motion_rate(model.n_motions, S(0.0)),
      motion_accel(model.n_motions, S(0.0)) {}

template <Real S>
void prescribe(const Model& model, const Params<S>& params, double t, Prescribed<S>& out) {
  SINEW_ASSERT(int(params.motions.size()) == model.n_motions && int(out.motion.size()) == model.n_motions);
  SINEW_ASSERT(int(out.q.size()) == model.n_prescribed_q && int(out.u.size()) == model.n_prescribed_u);
  for (int i = 0; i < model.n_motions; i++)
    params.motions[i].evaluate(t, out.motion[i], out.motion_rate[i], out.motion_accel[i]);
  if (!model.has_driven) return;
  for (const Link& link : model.links) {
    if (!link.driven) continue;
    const int m = model.joints[link.joint].motion;
    SINEW_ASSERT(m >= 0 && m + joint::freedom_count(link.kind) <= model.n_motions);
    joint::visit(link.kind, [&]<class J>() {
      J::prescribe(&out.motion[m], &out.motion_rate[m], &out.motion_accel[m], out.q.data() + link.q,
                   out.u.data() + link.u, out.u_rate.data() + link.u);
    });
  }
}

namespace {

using joint::Dir;

template <Real S>
struct Placing {  // what evaluate_frames hands to each link
  const Model& model;
  const Params<S>& params;
  SplitMotion<S> given;
  const Prescribed<S>& driven;
  Frames<S>& out;
};

template <Real S>
struct JointMotion {  // of one joint; u_b: for the quadratic terms
  const S* q;
  const SinCos<S>* trig;
  const S *u, *u_b;
};

// Whether the velocities for the quadratic terms are u.
enum class Quadratic { AtU, Elsewhere };

template <class J, Quadratic how, Real S>
SINEW_INLINE void place_root(const LinkParams<S>& p, const JointMotion<S>& m, Frame<S>& F, Vec3<S>* axis) {
  F.X = J::place(p.X_PJ, m.q, m.trig);
  F.r = p.X_PJ.p;
  if constexpr (joint::moves_along<J, Dir::Linear>) F.r = F.X.p;
  J::axes(p.X_PJ.R, F.X.R, axis);
  F.V = F.V_b = F.coast = Twist<S>::zero();
  joint::add_motion<J>(axis, m.u, F.V);
  if constexpr (how == Quadratic::AtU)
    F.V_b = F.V;
  else
    joint::add_motion<J>(axis, m.u_b, F.V_b);
  if constexpr (J::drifts) F.coast.w = J::drift(axis, m.u_b).w;
}

template <class J, Quadratic how, Real S>
SINEW_INLINE void place_on_parent(const Mat3<S>& R_WJ, const Vec3<S>& p_PJ, const Frame<S>& parent,
                                  const JointMotion<S>& m, Frame<S>& F, Vec3<S>* axis) {
  constexpr bool turns = joint::moves_along<J, Dir::Angular>, slides = joint::moves_along<J, Dir::Linear>;
  constexpr bool elsewhere = how == Quadratic::Elsewhere;
  Vec3<S> r = parent.X.R * p_PJ;
  const Pose<S> X_WJ{R_WJ, parent.X.p + r};
  const Pose<S> X = J::place(X_WJ, m.q, m.trig);
  Vec3<S> s[J::nu + 1];
  J::axes(X_WJ.R, X.R, s);
  if constexpr (slides) r = X.p - parent.X.p;
  const Vec3<S> w_P = parent.V_b.w;
  const Vec3<S> carried = cross(parent.V.w, r), carried_b = elsewhere ? cross(w_P, r) : carried;
  Twist<S> V{parent.V.w, parent.V.v + carried};
  Twist<S> V_b = elsewhere ? Twist<S>{w_P, parent.V_b.v + carried_b} : V;
  Twist<S> coast = shift_to_child(parent.coast, r);
  if constexpr (turns) {
    const Vec3<S> w_rel = joint::sum_along<J, Dir::Angular>(s, m.u);
    const Vec3<S> w_b = elsewhere ? joint::sum_along<J, Dir::Angular>(s, m.u_b) : w_rel;
    V.w += w_rel;
    V_b.w += w_b;
    Vec3<S> zeta = cross(w_P, w_b);
    if constexpr (J::drifts) zeta += J::drift(s, m.u_b).w;
    coast.w += zeta;
  }
  if constexpr (slides) {
    const Vec3<S> v_rel = joint::sum_along<J, Dir::Linear>(s, m.u);
    const Vec3<S> v_b = elsewhere ? joint::sum_along<J, Dir::Linear>(s, m.u_b) : v_rel;
    V.v += v_rel;
    V_b.v += v_b;
    coast.v += cross(w_P, carried_b + v_b * S(2.0));
  } else {
    coast.v += cross(w_P, carried_b);
  }
  // Stored only now: F and parent may be the same memory for all the compiler knows.
  F = {X, V, V_b, coast, r};
  for (int i = 0; i < J::nu; i++) axis[i] = s[i];
}

// One function for each joint kind, not inlined: the compiler keeps its numbers in registers.
template <class J, Quadratic how, Real S>
[[gnu::noinline]] void place_link(const Placing<S>& at, int i) {
  SINEW_ASSERT(at.model.links[i].parent < i);  // parents come first
  const Link& link = at.model.links[i];
  const LinkParams<S>& p = at.params.links[i];
  Frame<S>& F = at.out.link[i];
  Vec3<S>* axis = at.out.axis.data() + link.axis;
  const JointMotion<S> m{(link.driven ? at.driven.q.data() : at.given.q) + link.q, at.out.trig.data() + link.angle,
                         (link.driven ? at.driven.u.data() : at.given.u) + link.u,
                         (link.driven ? at.given.driven_u_b : at.given.u_b) + link.u};
  if (link.parent < 0) {
    place_root<J, how>(p, m, F, axis);
  } else if constexpr (!std::same_as<J, joint::Free>) {
    const Frame<S>& parent = at.out.link[link.parent];
    const Mat3<S> R_WJ = link.aligned ? parent.X.R : parent.X.R * p.X_PJ.R;
    place_on_parent<J, how>(R_WJ, p.X_PJ.p, parent, m, F, axis);
  }
  if (link.driven) joint::add_motion<J>(axis, at.driven.u_rate.data() + link.u, F.coast);
}

// What place_on_parent reads of the frames that carry the links of a rank.
SINEW_INLINE void gather_parents(const Placing<double>& at, const Rank& rank, Frame<Lanes>& F) {
  const Link* links = at.model.links.data();
  F.X = gather<Pose<Lanes>>(rank.link, SINEW_OF_LINK(at.out.link[links[i].parent].X));
  F.V = gather<Twist<Lanes>>(rank.link, SINEW_OF_LINK(at.out.link[links[i].parent].V));
  F.V_b = gather<Twist<Lanes>>(rank.link, SINEW_OF_LINK(at.out.link[links[i].parent].V_b));
  F.coast = gather<Twist<Lanes>>(rank.link, SINEW_OF_LINK(at.out.link[links[i].parent].coast));
}

// R_WJ of the links of a rank; aligned lanes keep the parent's bits, as in place_link.
SINEW_INLINE Mat3<Lanes> joint_axes(const Placing<double>& at, const Rank& rank, const Mat3<Lanes>& R_WP) {
  if (rank.all_aligned) return R_WP;
  Mat3<Lanes> R = R_WP * gather<Mat3<Lanes>>(rank.link, SINEW_OF_LINK(at.params.links[i].X_PJ.R));
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) R(r, c) = select(rank.aligned, R_WP(r, c), R(r, c));
  return R;
}

// place_link for the links of a rank
template <class J, Quadratic how>
[[gnu::noinline]] void place_rank(const Placing<double>& at, int index) {
  const Rank& rank = at.model.ranks[index];
  const Link* links = at.model.links.data();
  Lanes q[J::nq + 1], u[J::nu + 1], u_b[J::nu + 1];
  SinCos<Lanes> trig[J::angles.size() + 1];
  for (int k = 0; k < J::nq; k++) q[k] = gather_number(rank.link, SINEW_OF_LINK(at.given.q[links[i].q + k]));
  for (int k = 0; k < J::nu; k++) {
    u[k] = gather_number(rank.link, SINEW_OF_LINK(at.given.u[links[i].u + k]));
    u_b[k] = how == Quadratic::AtU ? u[k] : gather_number(rank.link, SINEW_OF_LINK(at.given.u_b[links[i].u + k]));
  }
  for (int k = 0; k < int(J::angles.size()); k++)
    trig[k] = gather<SinCos<Lanes>>(rank.link, SINEW_OF_LINK(at.out.trig[links[i].angle + k]));
  const Vec3<Lanes> p_PJ = gather<Vec3<Lanes>>(rank.link, SINEW_OF_LINK(at.params.links[i].X_PJ.p));
  Frame<Lanes> gathered;
  const bool joins = rank.above < rank.count;  // some parents are not in the rank before
  if (joins) gather_parents(at, rank, gathered);
  const Frame<Lanes>& parent = joins ? gathered : at.out.rank[index - 1];
  Frame<Lanes>& F = at.out.rank[index];
  Vec3<Lanes>* axis = at.out.rank_axis.data() + rank.axis;
  const JointMotion<Lanes> m{q, trig, u, u_b};
  place_on_parent<J, how>(joint_axes(at, rank, parent.X.R), p_PJ, parent, m, F, axis);
  scatter(F, rank.link, 0, rank.count, SINEW_OF_LINK(at.out.link[i]));
  for (int k = 0; k < J::nu; k++)
    scatter(axis[k], rank.link, 0, rank.count, SINEW_OF_LINK(at.out.axis[links[i].axis + k]));
}

// Whole turns count in a tree: its coordinates are not read back from poses.
template <Real S>
void keep_coupled(const Placing<S>& at) {
  for (std::size_t t = 0; t < at.model.coupling_terms.size(); t++) {
    const CouplingTerm& term = at.model.coupling_terms[t];
    if (term.joint < 0 || at.model.joints[std::size_t(term.joint)].link < 0) continue;
    const Link& link = at.model.links[std::size_t(at.model.joints[std::size_t(term.joint)].link)];
    at.out.coupled[t] = (link.driven ? at.driven.q.data() : at.given.q)[link.q + term.axis];
  }
}

template <Quadratic how, Real S>
void place_all(const Placing<S>& at) {
  SINEW_ASSERT(at.params.links.size() == at.model.links.size() && at.out.link.size() == at.model.links.size());
  SINEW_ASSERT(int(at.out.axis.size()) == at.model.n_frame_axes);
  SINEW_ASSERT(at.out.trig.size() >= at.model.angles.size());
  SINEW_ASSERT((at.model.nq == 0 || at.given.q) && (at.model.nu == 0 || (at.given.u && at.given.u_b)));
  SINEW_ASSERT(int(at.driven.q.size()) == at.model.n_prescribed_q);
  SINEW_ASSERT(at.model.n_prescribed_u == 0 || at.given.driven_u_b);
  sincos_of(at.model.angles, at.given.q, at.driven.q.data(), at.out.trig.data());
  const auto place = [&at](int i) {
    joint::visit(at.model.links[i].kind, [&]<class J>() { place_link<J, how>(at, i); });
  };
  if constexpr (std::same_as<S, Lanes>) {
    for (int i = 0; i < at.model.link_count(); i++) place(i);
  } else {
    for (int i : at.model.single) place(i);
    SINEW_ASSERT(at.out.rank.size() == at.model.ranks.size() && int(at.out.rank_axis.size()) == at.model.n_rank_axes);
    for (int r = 0; r < int(at.model.ranks.size()); r++)
      visit_joint(at.model.ranks[r], [&at, r]<class J>() { place_rank<J, how>(at, r); });
  }
  keep_coupled(at);
  if (!at.model.reflected.empty()) reflect(at.model, at.params, at.given, at.driven, at.out);
}

}  // namespace

template <Real S>
void evaluate_frames(const Model& model, const Params<S>& params, const S* q, const S* u, const Prescribed<S>& driven,
                     Frames<S>& out) {
  place_all<Quadratic::AtU>(Placing<S>{model, params, {q, u, u, driven.u.data()}, driven, out});
}

template <Real S>
void evaluate_frames(const Model& model, const Params<S>& params, const SplitMotion<S>& at, const Prescribed<S>& driven,
                     Frames<S>& out) {
  place_all<Quadratic::Elsewhere>(Placing<S>{model, params, at, driven, out});
}

template <Real S>
void evaluate_velocities(const Model& model, const Frames<S>& frames, const S* u, const Prescribed<S>& driven,
                         double drive_scale, std::vector<Twist<S>>& V) {
  SINEW_ASSERT(frames.link.size() == model.links.size() && V.size() == model.links.size());
  SINEW_ASSERT(model.nu == 0 || u);
  SINEW_ASSERT(drive_scale == 0.0 || int(driven.u.size()) == model.n_prescribed_u);
  for (int i = 0; i < model.link_count(); i++) {
    const Link& link = model.links[i];
    Twist<S> Vi = link.parent < 0 ? Twist<S>::zero() : shift_to_child(V[link.parent], frames.link[i].r);
    joint::visit(link.kind, [&]<class J>() {
      const Vec3<S>* axis = frames.axis.data() + link.axis;
      if (!link.driven) {
        joint::add_motion<J>(axis, u + link.u, Vi);
      } else if (drive_scale != 0.0) {
        Twist<S> rel = Twist<S>::zero();
        joint::add_motion<J>(axis, driven.u.data() + link.u, rel);
        Vi = Vi + Twist<S>{rel.w * S(drive_scale), rel.v * S(drive_scale)};
      }
    });
    V[i] = Vi;
  }
}

template <Real S>
void advance(const Model& model, const S* u, S dt, S* q) {
  SINEW_ASSERT((model.nu == 0 || u) && (model.nq == 0 || q));
  for (const Link& link : model.links)
    if (!link.driven) joint::visit(link.kind, [&]<class J>() { J::advance(q + link.q, u + link.u, dt); });
}

#define SINEW_INSTANTIATE_FRAMES(S)                                                                                    \
  template struct Frames<S>;                                                                                           \
  template struct Prescribed<S>;                                                                                       \
  template void prescribe(const Model&, const Params<S>&, double, Prescribed<S>&);                                     \
  template void evaluate_frames(const Model&, const Params<S>&, const S*, const S*, const Prescribed<S>&, Frames<S>&); \
  template void evaluate_frames(const Model&, const Params<S>&, const SplitMotion<S>&, const Prescribed<S>&,           \
                                Frames<S>&);                                                                           \
  template void evaluate_velocities(const Model&, const Frames<S>&, const S*, const Prescribed<S>&, double,            \
                                    std::vector<Twist<S>>&);                                                           \
  template void advance(const Model&, const S*, S, S*);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_FRAMES)

}  // namespace sinew
