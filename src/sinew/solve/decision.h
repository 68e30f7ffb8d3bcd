// Step 1 of solve/recursion.h: what each contact decides by itself around its last P and gamma, and how far these are from its law.
#pragma once
#include "sinew/math/lane_pack.h"
#include "sinew/solve/recursion.h"

namespace sinew {

template <Real S>
struct Decision {
  S stiff{}, soft{};                 // of the compliant rows, and its inverse
  S worst_soft{};                    // error of the compliant law, largest of the last decisions
  S worst_turned{}, worst_rolled{};  // what the rigid law's friction differs in direction, and the rolling part of it

  using Local = typename RecursionWork<S>::Contact;
  using Errors = BlockErrors<S>;
  SINEW_INLINE static S code_of(Mask<S> m, double value) { return select(m, S(value), S(0.0)); }

  // One contact's decision around its P and gamma. Returns the distance of P from the local map [m/s].
  SINEW_INLINE S decide(const ContactRow<S>& c, Local& l, Mask<S>& changed) {
    // the states are those of the compliant law, the error is that of the rigid one
    const S v_N = c.gamma[row::N] + c.bias + c.law.eps_N * c.P[row::N];
    const S y_N = c.P[row::N] - c.mass * (v_N + (c.P[row::N] - l.centre[row::N]) * l.soft_N);
    const auto on = (y_N > S(0.0)) & c.closed;
    const S s = l.s = select(on, y_N, S(0.0));
    Errors error{abs(c.P[row::N] - max(c.P[row::N] - c.mass * v_N, S(0.0))), abs(c.P[row::N] - s)};
    l.K_N = select(on, l.stiff_N, S(0.0));
    S code = code_of(on, 1.0);
    const LocalBlock<S> nothing{{S(0.0), S(0.0)}, S(0.0), S(0.0), S(0.0), mask_of<S>(false)};
    if (!c.slides) l.T = nothing;
    if (c.drills && !c.rolls) l.V = nothing;
    if (c.slides) {
      const BlockState<S> now = block_state(c, l, row::T1);
      const S rim = select(c.closed, s + c.law.shear, S(0.0));
      l.T = linear_block<S>(now, sliding_axes(c.law, c.P[row::T1], c.gamma[row::T1]), rim, l.r_T, stiff, soft);
      add_block_error(l.T, now, rim, c.mass, soft, error);
      code += code_of(l.T.stick, 2.0);
    }
    l.K_D = l.slope_D = S(0.0);
    if (c.drills) {
      const S g = c.gamma[row::D] + (c.P[row::D] - l.centre[row::D]) * l.soft_ang;
      const S bound = c.law.drilling * s, y = c.P[row::D] - c.inertia * g;
      const auto stick = (abs(y) <= bound) & (bound > S(0.0));
      l.K_D = select(stick, l.stiff_ang, S(0.0));
      l.slope_D = select(stick, S(0.0), select(y > S(0.0), c.law.drilling, -c.law.drilling));
      const S hard_y = c.P[row::D] - c.inertia * c.gamma[row::D], to_force = c.law.drilling * c.mass / c.inertia;
      error.rigid += abs(c.P[row::D] - law::project_interval(hard_y, -bound, bound)) * to_force;
      error.soft += abs(c.P[row::D] - law::project_interval(y, -bound, bound)) * to_force;
      code += code_of(stick, 4.0);
    }
    if (c.rolls) {
      const BlockState<S> now = block_state(c, l, row::V1);
      l.V = linear_block<S>(now, {c.law.rolling, c.law.rolling}, s, l.r_V, l.stiff_ang, l.soft_ang);
      Errors e;
      add_block_error(l.V, now, s, c.inertia, l.soft_ang, e);
      const S to_force = c.law.rolling * c.mass / c.inertia;
      error.rigid += e.rigid * to_force;
      error.soft += e.soft * to_force;
      error.turned += e.turned * to_force;
      worst_rolled = max(worst_rolled, select(c.closed, e.turned * to_force, S(0.0)) * l.per_mass);
      code += code_of(l.V.stick, 8.0);
    }
    changed = changed | (code < l.code) | (code > l.code);
    l.code = code;
    worst_turned = max(worst_turned, select(c.closed, error.turned, S(0.0)) * l.per_mass);
    // shares of redundant contacts err by this over their compliance, which is large where the law itself gives way
    const S matters = select(l.soft_N > S(0.0), S(1.0), S(0.1));
    worst_soft = max(worst_soft, select(c.closed, error.soft, S(0.0)) * l.per_mass * matters);
    return select(c.closed, error.rigid, S(0.0)) * l.per_mass;
  }

  SINEW_INLINE static BlockState<S> block_state(const ContactRow<S>& c, const Local& l, int r) {
    return {{c.P[r], c.P[r + 1]}, {c.gamma[r], c.gamma[r + 1]}, {l.centre[r], l.centre[r + 1]}};
  }

  // |P - map(P, gamma)| of the rigid and of the compliant law: while it sticks mass |gamma|, while it slips the distance
  // to the rim. turned: by which the compliance turns the slip, along the rim.
  SINEW_INLINE static void add_block_error(const LocalBlock<S>& b, const BlockState<S>& now, S s, S mass, S softness,
                                           Errors& sum) {
    const auto& [P, gamma, centre] = now;
    const Vec2<S> off{P.x - s * b.slope.x, P.y - s * b.slope.y};
    const Vec2<S> given{(P.x - centre.x) * softness, (P.y - centre.y) * softness};
    const auto length = [&](S x, S y) {  // no square root: it only has to be small
      return abs(select(b.stick, mass * x, off.x)) + abs(select(b.stick, mass * y, off.y));
    };
    sum.rigid += length(gamma.x, gamma.y);
    sum.soft += length(gamma.x + given.x, gamma.y + given.y);
    const S x = b.xx * given.x + b.xy * given.y, y = b.xy * given.x + b.yy * given.y;
    sum.turned += select(b.stick, S(0.0), abs(x) + abs(y));
  }
};

// Numbers that lie in a row in each of four contacts, side by side.
template <int n, class Get>
SINEW_INLINE void read_four(Get get, Lanes* to) {
  lane_pack::Each<const double> from;
  for (int k = 0; k < lane_count; k++) from[k] = get(k);
  lane_pack::load<n>(from, to);
}
template <int n, class Get>
SINEW_INLINE void write_four(const Lanes* from, Get get) {
  lane_pack::Each<double> to;
  for (int k = 0; k < lane_count; k++) to[k] = get(k);
  lane_pack::store<n>(from, to);
}

// Adds to what lies there, one lane after the other: two may lead to the same place.
template <int n, class Get>
SINEW_INLINE void add_four(const Lanes* what, Get get) {
  lane_pack::Each<double> to;
  for (int k = 0; k < lane_count; k++) to[k] = get(k);
  lane_pack::add<n>(what, to);
}

// What a decision about four contacts that do not turn needs of them, one in each lane.
SINEW_INLINE void read_four(const ContactRow<double>* c, const RecursionWork<double>::Contact* l,
                            ContactRow<Lanes>& row, RecursionWork<Lanes>::Contact& local) {
  read_four<3>([c](int k) { return c[k].gamma; }, row.gamma);
  read_four<3>([c](int k) { return c[k].P; }, row.P);
  read_four<3>([l](int k) { return l[k].centre; }, local.centre);
  read_four<3>([c](int k) { return &c[k].law.mu_forward; }, &row.law.mu_forward);
  read_four<1>([c](int k) { return &c[k].law.eps_N; }, &row.law.eps_N);
  read_four<1>([c](int k) { return &c[k].law.shear; }, &row.law.shear);
  read_four<1>([c](int k) { return &c[k].bias; }, &row.bias);
  read_four<1>([c](int k) { return &c[k].mass; }, &row.mass);
  read_four<1>([l](int k) { return &l[k].r_T; }, &local.r_T);
  read_four<3>([l](int k) { return &l[k].per_mass; }, &local.per_mass);  // stiff_N, soft_N
  read_four<1>([l](int k) { return &l[k].code; }, &local.code);
  row.slides = c->slides;
  row.drills = row.rolls = false;
  row.closed = lane_pack::number([c](int k) { return c[k].closed ? 1.0 : 0.0; }) > Lanes(0.0);
}

// Contacts of a single robot side by side, as those of a batch are, with the same bits. Returns how many had their turn: the first ones, up
// to one that turns or slides otherwise than its neighbours.
inline int decide_by_fours(const Rows<double>& rows, Decision<double>& one, RecursionWork<double>& w, double& worst,
                           bool& changed) {
  Decision<Lanes> four;
  four.stiff = Lanes(one.stiff);
  four.soft = Lanes(one.soft);
  four.worst_soft = four.worst_turned = four.worst_rolled = Lanes(0.0);
  Lanes most(0.0);
  LaneMask any_changed = mask_of<Lanes>(false);
  int i = 0;
  for (; i + lane_count <= rows.n_contacts; i += lane_count) {
    const ContactRow<double>* c = rows.contact.data() + i;
    RecursionWork<double>::Contact* l = w.contact.data() + i;
    bool alike = true;
    for (int k = 0; k < lane_count; k++) alike = alike && !c[k].drills && !c[k].rolls && c[k].slides == c[0].slides;
    if (!alike) break;
    ContactRow<Lanes> row;
    RecursionWork<Lanes>::Contact local;
    read_four(c, l, row, local);
    most = max(most, four.decide(row, local, any_changed));
    write_four<2>(&local.code, [l](int k) { return &l[k].code; });  // s
    write_four<1>(&local.K_N, [l](int k) { return &l[k].K_N; });
    write_four<5>(&local.T.f.x, [l](int k) { return &l[k].T.f.x; });  // xx, xy, yy
    write_four<2>(&local.T.slope.x, [l](int k) { return &l[k].T.slope.x; });
    for (int k = 0; k < lane_count; k++) {
      l[k].K_D = l[k].slope_D = 0.0;
      l[k].T.stick = lane(local.T.stick, k);
    }
  }
  for (int k = 0; k < lane_count && i > 0; k++) {
    worst = max(worst, most[k]);
    one.worst_soft = max(one.worst_soft, four.worst_soft[k]);
    one.worst_turned = max(one.worst_turned, four.worst_turned[k]);
  }
  changed = changed || any(any_changed);
  return i;
}

}  // namespace sinew
