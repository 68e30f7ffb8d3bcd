#include "sinew/solve/couplings.h"

#include "sinew/math/check.h"
#include "sinew/math/trig.h"

namespace sinew {
namespace {

// p(q) = a q + b q^2 + c q^3 + d q^4 with its derivatives.
template <Real S>
void evaluate_polynomial(const S* a, const S& q, CouplingSide<S>& side) {
  side.value = q * (a[0] + q * (a[1] + q * (a[2] + q * a[3])));
  side.factor = a[0] + q * (S(2.0) * a[1] + q * (S(3.0) * a[2] + q * (S(4.0) * a[3])));
  side.curve = S(2.0) * a[1] + q * (S(6.0) * a[2] + q * (S(12.0) * a[3]));
}

// A link's origin lies on its joint.
template <Real S>
void place_in_tree(const Model& model, const Frames<S>& frames, const CouplingTerm& term, CouplingSide<S>& side) {
  const int i = model.joints[std::size_t(term.joint)].link;
  const Link& link = model.links[std::size_t(i)];
  side.e = frames.axis[std::size_t(link.axis + term.axis)];
  joint::visit(link.kind, [&]<class J>() { side.dir = J::dirs[std::size_t(term.axis)]; });
  side.arm1 = link.parent < 0 ? frames.link[std::size_t(i)].X.p : frames.link[std::size_t(i)].r;
  side.arm2 = Vec3<S>::zero();
}

// The coordinate is read back from the two bodies.
template <Real S>
S place_at_cut(const Model& model, const Params<S>& params, const Frames<S>& frames, const CouplingTerm& term,
               CouplingSide<S>& side) {
  const int k = model.joints[std::size_t(term.joint)].cut;
  const Cut& cut = model.cuts[std::size_t(k)];
  const CutParams<S>& p = params.cuts[std::size_t(k)];
  const Pose<S> X_WJ = cut.body1 < 0 ? p.X_1J : frames.link[std::size_t(cut.body1)].X * p.X_1J;
  const Pose<S> X_WF = frames.link[std::size_t(cut.body2)].X * p.X_2F;
  side.arm1 = cut.body1 < 0 ? X_WF.p : X_WF.p - frames.link[std::size_t(cut.body1)].X.p;
  side.arm2 = X_WF.p - frames.link[std::size_t(cut.body2)].X.p;
  S q[7] = {};
  joint::visit(cut.kind, [&]<class J>() {
    Vec3<S> axes[J::nu + 1];
    J::axes(X_WJ.R, X_WF.R, axes);
    J::coordinates({transpose_times(X_WJ.R, X_WF.R), transpose_times(X_WJ.R, X_WF.p - X_WJ.p)}, q);
    side.e = axes[term.axis];
    side.dir = J::dirs[std::size_t(term.axis)];
  });
  return q[term.axis];
}

template <Real S>
void place_line(const CouplingTermParams<S>& p, const Frames<S>& frames, const CouplingTerm& term,
                CouplingSide<S>& side) {
  const auto arm = [&](int body, const Vec3<S>& point) {
    return body < 0 ? point : frames.link[std::size_t(body)].X.R * point;
  };
  const auto origin = [&](int body) { return body < 0 ? Vec3<S>::zero() : frames.link[std::size_t(body)].X.p; };
  side.arm1 = arm(term.body1, p.p_1);
  side.arm2 = arm(term.body2, p.p_2);
  const Vec3<S> line = origin(term.body2) + side.arm2 - origin(term.body1) - side.arm1;
  const S length = norm(line);
  const S inverse = select(length > S(0.0), S(1.0) / length, S(0.0));
  side.e = line * inverse;
  side.dir = joint::Dir::Linear;
  side.value = length;
  side.factor = S(1.0);
  side.curve = inverse;
}

template <Real S>
Twist<S> relative_at(const CouplingTerm& term, const CouplingSide<S>& side, const Twist<S>* V) {
  const Twist<S> V2 = term.body2 < 0 ? Twist<S>::zero() : shift_to_child(V[term.body2], side.arm2);
  return term.body1 < 0 ? V2 : V2 - shift_to_child(V[term.body1], side.arm1);
}

template <Real S>
S along(const CouplingSide<S>& side, const Twist<S>& V) {
  return dot(side.e, side.dir == joint::Dir::Angular ? V.w : V.v);
}

// Of a term that is a joint's: e is fixed in body 1, and F moves over it (solve/cuts.h, row_accelerations). Of a line: p_1 is fixed in
// body 1, and e turns with what is left of the velocity across it.
template <Real S>
S side_acceleration(const CouplingTerm& term, const Frames<S>& frames, const CouplingSide<S>& side, const Twist<S>* a) {
  const auto rate_at = [&](int body, const Vec3<S>& arm) {
    const Twist<S>& V = frames.link[std::size_t(body)].V;
    return Twist<S>{a[body].w, a[body].v + cross(a[body].w, arm) + cross(V.w, cross(V.w, arm))};
  };
  const auto velocity_at = [&](int body, const Vec3<S>& arm) {
    return shift_to_child(frames.link[std::size_t(body)].V, arm);
  };
  Twist<S> rate = term.body2 < 0 ? Twist<S>::zero() : rate_at(term.body2, side.arm2);
  Twist<S> rel = term.body2 < 0 ? Twist<S>::zero() : velocity_at(term.body2, side.arm2);
  if (term.body1 >= 0) {
    rate = rate - rate_at(term.body1, side.arm1);
    rel = rel - velocity_at(term.body1, side.arm1);
  }
  const S speed = along(side, rel);
  if (term.joint < 0) return dot(side.e, rate.v) + (dot(rel.v, rel.v) - speed * speed) * side.curve;
  if (term.body1 >= 0) {
    const Vec3<S>& w_1 = frames.link[std::size_t(term.body1)].V.w;
    rate = {rate.w - cross(w_1, rel.w), rate.v - cross(w_1, rel.v) * S(2.0)};
  }
  return along(side, rate) * side.factor + side.curve * speed * speed;
}

}  // namespace

template <Real S>
void place_couplings(const Model& model, const Params<S>& params, const Frames<S>& frames,
                     std::vector<CouplingSide<S>>& sides) {
  SINEW_ASSERT(sides.size() == model.coupling_terms.size() && params.coupling_terms.size() == sides.size());
  SINEW_ASSERT(frames.coupled.size() == sides.size());
  for (std::size_t t = 0; t < sides.size(); t++) {
    const CouplingTerm& term = model.coupling_terms[t];
    const CouplingTermParams<S>& p = params.coupling_terms[t];
    if (term.joint < 0) {
      place_line(p, frames, term, sides[t]);
      continue;
    }
    S q = frames.coupled[t];
    if (model.joints[std::size_t(term.joint)].link >= 0)
      place_in_tree(model, frames, term, sides[t]);
    else
      q = place_at_cut(model, params, frames, term, sides[t]);
    evaluate_polynomial(p.factor, q, sides[t]);
  }
}

template <Real S>
S coupling_velocity(const Model& model, int k, const std::vector<CouplingSide<S>>& sides, const Twist<S>* V) {
  const Coupling& c = model.couplings[std::size_t(k)];
  S sum = S(0.0);
  for (int t = c.term; t < c.term + c.n_terms; t++) {
    const CouplingSide<S>& side = sides[std::size_t(t)];
    sum += side.factor * along(side, relative_at(model.coupling_terms[std::size_t(t)], side, V));
  }
  return sum;
}

template <Real S>
S coupling_acceleration(const Model& model, int k, const Frames<S>& frames, const std::vector<CouplingSide<S>>& sides,
                        const Twist<S>* a) {
  const Coupling& c = model.couplings[std::size_t(k)];
  S sum = S(0.0);
  for (int t = c.term; t < c.term + c.n_terms; t++)
    sum += side_acceleration(model.coupling_terms[std::size_t(t)], frames, sides[std::size_t(t)], a);
  return sum;
}

template <Real S>
S coupling_gap(const Model& model, int k, const Params<S>& params, const std::vector<CouplingSide<S>>& sides) {
  const Coupling& c = model.couplings[std::size_t(k)];
  const CouplingParams<S>& p = params.couplings[std::size_t(k)];
  S gap = p.value * S(-1.0);
  for (int t = c.term; t < c.term + c.n_terms; t++) gap += sides[std::size_t(t)].value;
  const S turns = select(p.modulus > S(0.0), round_to_integer(gap / p.modulus), S(0.0));
  return select(p.modulus > S(0.0), gap - p.modulus * turns, gap);
}

#define SINEW_INSTANTIATE_COUPLINGS(S)                                                                            \
  template void place_couplings(const Model&, const Params<S>&, const Frames<S>&, std::vector<CouplingSide<S>>&); \
  template S coupling_velocity(const Model&, int, const std::vector<CouplingSide<S>>&, const Twist<S>*);          \
  template S coupling_acceleration(const Model&, int, const Frames<S>&, const std::vector<CouplingSide<S>>&,      \
                                   const Twist<S>*);                                                              \
  template S coupling_gap(const Model&, int, const Params<S>&, const std::vector<CouplingSide<S>>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_COUPLINGS)

}  // namespace sinew
