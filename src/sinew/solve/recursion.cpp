// Newton's steps over the states of the rows; each is one articulated recursion, with slightly compliant contacts in the links.
// (long because all stages of a solution share one state)
#include "sinew/solve/recursion.h"

#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/solve/line_search.h"
#include "sinew/solve/point_stiffness.h"

namespace sinew {
namespace {

template <Real S>
S code_of(Mask<S> m, double value) {
  return select(m, S(value), S(0.0));
}

template <Real S>
struct Recursion {
  const ImpulseProblem<S>& at;
  Rows<S>& rows;
  RecursionWork<S>& w;
  Blocks<S>& blocks;
  S* u_rate;
  Mask<S> done = mask_of<S>(false);
  S stiff{}, soft{};                    // of the compliant rows, and its inverse
  Mask<S> between = mask_of<S>(false);  // the last iterate is a mixture of two systems' answers
  Mask<S> first = mask_of<S>(true);     // no system solved yet: P is only a guess
  S worst_soft{};                       // error of the compliant law, largest of the last decisions
  S worst_turned{}, worst_rolled{};  // what the rigid law's friction differs in direction, and the rolling part of it
  Mask<S> given_up = mask_of<S>(false);  // its patience is over: the other solver's turn
  S slack = S(1e-2);  // part of the tolerance that counts as exact; less where rigid contacts must keep their energy

  using Local = typename RecursionWork<S>::Contact;
  using Errors = BlockErrors<S>;
  static bool turns(const ContactRow<S>& c) { return c.drills || c.rolls; }  // has rows of turning

  void start() {
    stiff = rows.stiff;
    soft = S(1.0) / stiff;
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      Local& l = w.contact[i];
      l.per_mass = S(1.0) / c.mass;
      // a contact that gives way by itself needs no further compliance
      const auto gives = c.law.eps_N > S(0.0);
      l.stiff_N = select(gives, S(1.0) / select(gives, c.law.eps_N, S(1.0)), stiff);
      l.soft_N = select(gives, S(0.0), soft);
      slack = select(c.closed & negate(gives), S(1e-4), slack);
      const S mu = max(max(c.law.mu_forward, c.law.mu_backward), max(c.law.mu_trans, S(1e-12)));
      l.r_T = c.mass / (mu * mu);
      l.code = S(-1.0);
      std::copy_n(c.P, int(row::count), l.centre);
      if (!turns(c)) continue;
      const S rolling = max(c.law.rolling, S(1e-12));
      // Soft against turning: what normal forces hold, rolling friction need not hold as well, and would slip in a direction
      // that only round-off knows. Its multiplier goes on from the last step instead.
      l.stiff_ang = S(turning_stiffness) * c.inertia;
      l.soft_ang = S(1.0) / l.stiff_ang;
      l.r_V = c.inertia / (rolling * rolling);
    }
    for (int i = 0; i < rows.n_axes; i++) {
      w.axis[i].code = S(-1.0);
      w.axis[i].centre = rows.axis[i].P;
    }
    w.is_factored = false;
    own_parts(at.model, at.params, at.frames, at.external, w.links.own.data());
    if (!at.cuts) return;
    for (Handed<S>& own : w.links.own) own.p = Wrench<S>::zero();
  }

  // Other steps of the local maps: what keeps Newton's method from arriving is often a cycle of states, and these lead past it.
  void change_steps(double factor) {
    for (int i = 0; i < rows.n_contacts; i++) {
      w.contact[i].r_T *= S(factor);
      w.contact[i].r_V *= S(factor);
    }
  }

  // One contact's decision around its P and gamma. Returns the distance of P from the local map [m/s].
  SINEW_INLINE S decide(const ContactRow<S>& c, Local& l, Mask<S>& changed) {
    // the states are those of the compliant law, the error is that of the rigid one
    const S v_N = c.gamma[row::N] + c.bias + c.law.eps_N * c.P[row::N];
    const S y_N = c.P[row::N] - c.mass * (v_N + (c.P[row::N] - l.centre[row::N]) * l.soft_N);
    const auto on = (y_N > S(0.0)) & c.closed;
    const S s = l.s = select(on, y_N, S(0.0));
    Errors error{abs(c.P[row::N] - max(c.P[row::N] - c.mass * v_N, S(0.0))), abs(c.P[row::N] - s)};
    l.K_N = select(on, l.stiff_N, S(0.0));
    S code = code_of<S>(on, 1.0);
    const LocalBlock<S> nothing{{S(0.0), S(0.0)}, S(0.0), S(0.0), S(0.0), mask_of<S>(false)};
    if (!c.slides) l.T = nothing;
    if (turns(c) && !c.rolls) l.V = nothing;
    if (c.slides) {
      const BlockState<S> now = block_state(c, l, row::T1);
      const S rim = select(c.closed, s + c.law.shear, S(0.0));
      l.T = linear_block<S>(now, sliding_axes(c.law, c.P[row::T1], c.gamma[row::T1]), rim, l.r_T, stiff, soft);
      add_block_error(l.T, now, rim, c.mass, soft, error);
      code += code_of<S>(l.T.stick, 2.0);
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
      code += code_of<S>(stick, 4.0);
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
      code += code_of<S>(l.V.stick, 8.0);
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

  SINEW_INLINE S decide(const AxisRow<S>& a, typename RecursionWork<S>::Axis& l, Mask<S>& changed) {
    const S v = a.gamma + a.law.compliance * a.P + a.law.bias, hard = stiff * (a.mass / rows.total_mass);
    const auto soft = a.law.compliance > S(0.0);
    const S y = a.P - a.mass * (v + select(soft, S(0.0), (a.P - l.centre) / hard));
    const auto low = y <= a.law.low, high = y >= a.law.high;
    const S code = select(a.closed, select(low, S(1.0), select(high, S(2.0), S(3.0))), S(0.0));
    changed = changed | (code < l.code) | (code > l.code);
    l.code = code;
    worst_soft = max(worst_soft, select(a.closed, abs(a.P - a.law.project(y)) / a.mass, S(0.0)));
    return select(a.closed, abs(a.P - a.law.project(a.P - a.mass * v)) / a.mass, S(0.0));
  }

  // Step 1. Returns the largest error per lane; changed: where some decision is new.
  S decide_all(Mask<S>& changed) {
    changed = mask_of<S>(false);
    worst_soft = worst_turned = worst_rolled = S(0.0);
    S worst = S(0.0);
    for (int i = 0; i < rows.n_contacts; i++) worst = max(worst, decide(rows.contact[i], w.contact[i], changed));
    for (int i = 0; i < rows.n_axes; i++) worst = max(worst, decide(rows.axis[i], w.axis[i], changed));
    return worst;
  }

  // Where turning gains little by one more multiplier: by the certificate itself, for what the compliance turns is but a bound.
  Mask<S> is_exact_though(Mask<S> where, S enough) const {
    if (!any(where)) return where;
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      S P[row::count];
      std::copy_n(c.P, int(row::count), P);
      put_into_cone(c.law, turns(c), P);
      const S left = law_residual(c.law, c.bias + c.law.eps_N * P[row::N], c.mass, P, c.gamma);
      where = where & (negate(c.closed) | (left <= enough));
    }
    return where;
  }

  // Step 3: f, with the multipliers as they are, or from the last impulses where these solve the compliant problem.
  void hold(Mask<S> update) {
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      Local& l = w.contact[i];
      S was[row::count];
      const int n = turns(c) ? int(row::count) : int(row::D);
      for (int r = 0; r < n; r++) {
        was[r] = l.centre[r];
        const S start = r < int(row::D) ? S(0.0) : l.centre[r];
        l.centre[r] = select(first, start, select(update, c.P[r], l.centre[r]));
      }
      const S f_N =
          select(l.K_N > S(0.0), select(l.soft_N > S(0.0), l.centre[row::N], S(0.0)) - l.K_N * c.bias, S(0.0));
      l.f[row::N] = f_N;
      const auto block = [&](int r, const LocalBlock<S>& b) SINEW_INLINE_LAMBDA {
        // what was made linear around the old centre, for the new one and with P_N free
        const S more = f_N - l.s, softness = r == row::T1 ? soft : l.soft_ang;
        const S m1 = (l.centre[r] - was[r]) * softness, m2 = (l.centre[r + 1] - was[r + 1]) * softness;
        const S d1 = b.xx * m1 + b.xy * m2, d2 = b.xy * m1 + b.yy * m2;
        l.f[r] = select(b.stick, select(b.xx > S(0.0), l.centre[r], S(0.0)), b.f.x + d1 + b.slope.x * more);
        l.f[r + 1] = select(b.stick, select(b.yy > S(0.0), l.centre[r + 1], S(0.0)), b.f.y + d2 + b.slope.y * more);
      };
      block(row::T1, l.T);
      if (!turns(c)) continue;
      block(row::V1, l.V);
      l.f[row::D] = select(l.K_D > S(0.0), l.centre[row::D], l.slope_D * f_N);
    }
    for (int i = 0; i < rows.n_axes; i++) {
      const AxisRow<S>& a = rows.axis[i];
      auto& l = w.axis[i];
      // with compliance no multiplier is needed
      const auto between = l.code >= S(3.0), soft = a.law.compliance > S(0.0);
      const S hard = stiff * (a.mass / rows.total_mass), safe = select(soft, a.law.compliance, S(1.0));
      const S bound = select(l.code >= S(2.0), a.law.high, select(l.code >= S(1.0), a.law.low, S(0.0)));
      l.K = select(between, select(soft, S(1.0) / safe, hard), S(0.0));
      l.centre = select(first, S(0.0), select(update, a.P, l.centre));
      l.f = select(between, select(soft, S(0.0), l.centre) - l.K * a.law.bias, bound);
    }
  }

  // The laws made linear are those of the last solve, but for what they push with: multipliers go on from there, which most
  // iterations of contacts that stick do.
  bool is_factored_so() {
    const auto differ = [](const S& a, const S& b) { return any((a < b) | (a > b)); };
    bool same = w.is_factored;
    for (int i = 0; i < rows.n_contacts; i++) {
      const Local& l = w.contact[i];
      const std::array<S, 7> now{l.K_N, l.T.slope.x, l.T.slope.y, l.T.xx, l.T.xy, l.T.yy, l.code};
      same = same && !turns(rows.contact[i]);  // there are many that turn a little each time: not worth a look
      for (std::size_t k = 0; k < now.size() && same; k++) same = !differ(now[k], w.factored[i][k]);
      w.factored[i] = now;
    }
    for (int i = 0; i < rows.n_axes; i++) {
      same = same && !differ(w.axis[i].K, w.factored_axis[i]);
      w.factored_axis[i] = w.axis[i].K;
    }
    w.is_factored = true;
    return same;
  }

  // factored: the blocks have it already.
  SINEW_INLINE void add_contact(const ContactRow<S>& c, const Local& l, S rate, bool factored) {
    Block6<S>& I = w.links.I[c.link2];
    const Vec3<S> n_N = (c.n + c.t1 * l.T.slope.x + c.t2 * l.T.slope.y) * l.K_N;  // friction follows the normal force
    const Vec3<S> k1 = c.t1 * l.T.xx + c.t2 * l.T.xy, k2 = c.t1 * l.T.xy + c.t2 * l.T.yy;
    // equal stiffness along all axes is that along any axes
    const auto firm = l.T.stick & (l.T.xx > S(0.0)) & (l.T.yy > S(0.0)) & (c.law.eps_N <= S(0.0));
    if (!factored && !any(negate(firm))) {
      add_firm_point(c.arm2, l.K_N, I);
    } else if (!factored) {
      Mat3<S> K;
      for (int k = 0; k < 3; k++) {
        const Vec3<S> column = n_N * c.n[k] + k1 * c.t1[k] + k2 * c.t2[k];
        for (int i = 0; i < 3; i++) K(i, k) = select(firm, i == k ? l.K_N : S(0.0), column[i]);
      }
      add_point(c.arm2, K, I);
    }
    const S *f = l.f, *g = c.gamma_0;
    const Vec3<S> F =
        c.n * f[row::N] + c.t1 * f[row::T1] + c.t2 * f[row::T2] - (n_N * g[row::N] + k1 * g[row::T1] + k2 * g[row::T2]);
    Vec3<S> torque = cross(c.arm2, F);
    if (turns(c)) {
      const Mat3<S> K_ang = in_world(c, l.K_D, l.V);
      const Vec3<S> m = (c.n * l.slope_D + c.t1 * l.V.slope.x + c.t2 * l.V.slope.y) * l.K_N;
      add_turning(c.arm2, c.n, K_ang, m, I);
      torque += c.n * f[row::D] + c.t1 * f[row::V1] + c.t2 * f[row::V2] - m * g[row::N] -
                K_ang * (c.n * g[row::D] + c.t1 * g[row::V1] + c.t2 * g[row::V2]);
    }
    w.links.p[c.link2].n -= torque * rate;
    w.links.p[c.link2].f -= F * rate;
  }

  // Step 2: all laws into the recursion, and its answer back.
  void solve() {
    const S rate = S(1.0 / at.dt);
    const bool same = !at.cuts && is_factored_so();
    if (same)
      begin_wrenches(w.links);
    else
      begin_unsymmetric(w.links);
    for (int i = 0; i < rows.n_contacts; i++) add_contact(rows.contact[i], w.contact[i], rate, same);
    if (at.cuts) {
      push_cut_axes();
      solve_cut_trees(at.model, *at.cuts, w.cuts, w.links);
      return;
    }
    push_axes(rate);
    if (same)
      resolve_unsymmetric(at.model, at.frames, w.tau.data(), w.links, w.u_rate.data());
    else
      solve_unsymmetric(at.model, at.frames, w.tau.data(), w.diag.data(), w.links, w.u_rate.data());
  }

  void push_cut_axes() {
    release_axes(w.cuts);
    for (int i = 0; i < rows.n_axes; i++) {
      const AxisRow<S>& a = rows.axis[i];
      const AxisRowInfo& info = at.model.axis_rows[a.index];
      auto& hold = w.cuts.axis[at.model.joints[info.joint].axis + info.component];
      hold.stiff += w.axis[i].K;
      hold.e = a.e;
      hold.dir = a.dir;
      push(a, axis_impulse(a, w.axis[i].f - w.axis[i].K * a.gamma_0));
    }
  }
  template <class Row>
  void push(const Row& r, const Wrench<S>& F) {
    spread(r, F, [this](int link, const Wrench<S>& W) {
      w.links.p[link].n -= W.n;
      w.links.p[link].f -= W.f;
    });
  }

  void push_axes(S rate) {
    std::copy_n(at.tau, at.model.nu, w.tau.begin());
    if (at.diag)
      std::copy_n(at.diag, at.model.nu, w.diag.begin());
    else
      std::fill(w.diag.begin(), w.diag.end(), S(0.0));
    for (int i = 0; i < rows.n_axes; i++) {
      const AxisRow<S>& a = rows.axis[i];
      w.diag[a.freedom] += w.axis[i].K;
      w.tau[a.freedom] += a.sign * (w.axis[i].f - w.axis[i].K * a.gamma_0) * rate;
    }
  }

  SINEW_INLINE static void read_velocity(const ContactRow<S>& c, const Twist<S>& change, S dt, S* gamma) {
    const Twist<S> moved = shift_to_child(change, c.arm2);
    const Vec3<S>* axes[3] = {&c.n, &c.t1, &c.t2};
    for (int k = 0; k < 3; k++) {
      gamma[k] = c.gamma_0[k] + dt * dot(*axes[k], moved.v);
      gamma[3 + k] = c.gamma_0[3 + k] + dt * dot(*axes[k], moved.w);
    }
  }

  // New velocities and, from the linear laws, impulses; lanes that are done keep theirs.
  void read() {
    for (int i = 0; i < rows.n_contacts; i++) {
      ContactRow<S>& c = rows.contact[i];
      const Local& l = w.contact[i];
      S g[row::count], P[row::count];
      read_velocity(c, w.links.change[c.link2], S(at.dt), g);
      const S k = l.K_N * g[row::N];  // friction follows the normal impulse f - k
      P[row::N] = l.f[row::N] - k;
      P[row::T1] = l.f[row::T1] - (l.T.xx * g[row::T1] + l.T.xy * g[row::T2] + l.T.slope.x * k);
      P[row::T2] = l.f[row::T2] - (l.T.xy * g[row::T1] + l.T.yy * g[row::T2] + l.T.slope.y * k);
      const int n = turns(c) ? int(row::count) : int(row::D);
      if (n == int(row::count)) {
        P[row::D] = l.f[row::D] - (l.K_D * g[row::D] + l.slope_D * k);
        P[row::V1] = l.f[row::V1] - (l.V.xx * g[row::V1] + l.V.xy * g[row::V2] + l.V.slope.x * k);
        P[row::V2] = l.f[row::V2] - (l.V.xy * g[row::V1] + l.V.yy * g[row::V2] + l.V.slope.y * k);
      }
      for (int r = 0; r < n; r++) {
        c.P[r] = select(done, c.P[r], P[r]);
        c.gamma[r] = select(done, c.gamma[r], g[r]);
      }
    }
    for (int i = 0; i < rows.n_axes; i++) {
      AxisRow<S>& a = rows.axis[i];
      const S change = at.cuts ? axis_velocity(a, w.links.change.data()) : a.sign * S(at.dt) * w.u_rate[a.freedom];
      const S g = a.gamma_0 + change;
      a.P = select(done, a.P, w.axis[i].f - w.axis[i].K * g);
      a.gamma = select(done, a.gamma, g);
    }
    if (!at.cuts)
      for (int i = 0; i < at.model.nu; i++) u_rate[i] = select(done, u_rate[i], w.u_rate[i]);
    between = between & done;
  }

  // P into the cones. Returns where that, or a mixture of two iterates, asks for the motion once more. Otherwise P and the
  // motion are those of the last system, which satisfies the dynamics.
  Mask<S> put_into_cones(Mask<S> which = mask_of<S>(true)) {
    Mask<S> again = between | given_up;
    for (int i = 0; i < rows.n_contacts; i++) {
      ContactRow<S>& c = rows.contact[i];
      const S allowed = S(1e-9) * c.P[row::N];
      const int n = turns(c) ? int(row::count) : int(row::D);
      S before[row::count];
      std::copy_n(c.P, n, before);
      put_into_cone(c.law, turns(c), c.P);
      for (int r = 0; r < n; r++) {
        again = again | (abs(c.P[r] - before[r]) > allowed);
        c.P[r] = select(which, c.P[r], before[r]);
      }
    }
    for (int i = 0; i < rows.n_axes; i++) {
      AxisRow<S>& a = rows.axis[i];
      const S before = a.P;
      a.P = select(which, a.law.project(a.P), before);
      again = again | (abs(a.P - before) > S(1e-12) * abs(a.P));
    }
    return again;
  }

  // A servo within its limits is linear. The motion that is computed at the end keeps it so: its torque, once it is given, would
  // leave the joint free to answer to what the cones have taken away.
  static Mask<S> yields(const AxisRow<S>& a, const typename RecursionWork<S>::Axis& l) {
    return (l.code >= S(3.0)) & (a.law.compliance > S(0.0));
  }
  void fix_axes_at_end() {
    for (int i = 0; i < rows.n_axes; i++) {
      const AxisRow<S>& a = rows.axis[i];
      auto& l = w.axis[i];
      const auto linear = yields(a, l);
      l.K = select(linear, l.K, S(0.0));
      l.f = select(linear, l.f, a.P);
    }
  }

  // With cut joints: P into the cones. Servos within their limits answer to what that changes; the motion is for the caller.
  void finish_cuts(Mask<S> which) {
    const Mask<S> again = put_into_cones(which) & which;
    if (rows.n_axes == 0 || !any(again)) return;
    begin_unsymmetric(w.links);
    for (int i = 0; i < rows.n_contacts; i++)
      push(rows.contact[i], contact_impulse(rows.contact[i], rows.contact[i].P));
    fix_axes_at_end();
    push_cut_axes();
    solve_cut_trees(at.model, *at.cuts, w.cuts, w.links);
    for (int i = 0; i < rows.n_axes; i++) {
      AxisRow<S>& a = rows.axis[i];
      const S gamma = a.gamma_0 + axis_velocity(a, w.links.change.data());
      a.P = select(again & yields(a, w.axis[i]), a.law.project(w.axis[i].f - w.axis[i].K * gamma), a.P);
    }
  }

  // The motion that the impulses in their cones cause.
  void finish() {
    const Mask<S> again = put_into_cones();
    if (!any(again)) return;
    const S rate = S(1.0 / at.dt);
    w.applied = *at.external;
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      const Wrench<S> F = contact_impulse(c, c.P);
      const Vec3<S> from_com = c.arm2 - at.frames.link[c.link2].X.R * at.params.links[c.link2].c_F;
      w.applied[c.link2].f += F.f * rate;
      w.applied[c.link2].n += (F.n + cross(from_com, F.f)) * rate;
    }
    fix_axes_at_end();
    push_axes(rate);
    forward_dynamics(at.model, at.params, at.frames, {w.tau.data(), &w.applied, w.diag.data()}, blocks,
                     w.u_rate.data());
    for (int i = 0; i < rows.n_contacts; i++) {
      ContactRow<S>& c = rows.contact[i];
      S gamma[row::count];
      read_velocity(c, blocks.a[c.link2] - at.frames.link[c.link2].coast, S(at.dt), gamma);
      for (int r = 0; r < row::count; r++) c.gamma[r] = select(again, gamma[r], c.gamma[r]);
    }
    for (int i = 0; i < rows.n_axes; i++) {
      AxisRow<S>& a = rows.axis[i];
      a.gamma = select(again, a.gamma_0 + a.sign * S(at.dt) * w.u_rate[a.freedom], a.gamma);
      a.P = select(again & yields(a, w.axis[i]), a.law.project(w.axis[i].f - w.axis[i].K * a.gamma), a.P);
    }
    for (int i = 0; i < at.model.nu; i++) u_rate[i] = select(again, w.u_rate[i], u_rate[i]);
  }
};

// Newton's steps until every robot is done; how many there were.
template <Real S>
int iterate(Recursion<S>& r) {
  int iterations = 0;
  // of each robot by itself; the other solver costs as much as hundreds of iterations where there are many contacts
  const S patience = min(max(S(16.0) * count_closed(r.rows), S(40.0)), S(2000.0));
  const double tolerance = r.at.model.contact.tolerance;
  Mask<S> changed;
  S last = S(1e300), last_rolled = S(1e300), updates = S(0.0), previous = S(1e300);
  for (;; iterations++) {
    const S error = r.decide_all(changed);
    const auto settled = (r.worst_soft <= S(1e-3 * tolerance)) & negate(changed | r.first);
    // Multipliers go on while it pays: what the tolerance leaves would add up to a creep. They stop to gain where a row is
    // nearly redundant; its impulse must not be driven up to chase the rest.
    const auto enough = (error <= S(1e-4 * tolerance)) | (error > S(0.1) * last) | (updates >= S(3.0));
    // where all slips and gives way by law, no update is needed, unless the compliance has turned the slip
    const auto exact = (error <= r.slack * S(tolerance)) & (r.worst_turned <= S(0.5 * tolerance));
    // turning rows are softer than the others and may take more of them
    const auto rolls = (r.worst_rolled <= S(0.3 * tolerance)) | (updates >= S(8.0)) |
                       r.is_exact_though(settled & (r.worst_rolled > S(0.9) * last_rolled), S(0.2 * tolerance));
    r.done = r.done | (settled & (exact | ((error <= S(tolerance)) & enough & rolls & (updates >= S(1.0)))));
    r.given_up = r.given_up | (negate(r.done) & (S(double(iterations)) >= patience));
    r.done = r.done | r.given_up;  // and stays as it is
    if (!any(negate(r.done))) break;
    last = select(settled, error, last);
    last_rolled = select(settled, r.worst_rolled, last_rolled);
    updates += select(settled, S(1.0), S(0.0));
    r.hold(settled);
    r.first = mask_of<S>(false);
    r.solve();
    if (iterations % 25 == 24) r.change_steps(iterations / 25 % 3 == 1 ? 1e-2 : 10.0);  // 1, 10, 0.1, 1, ...
    LineSearch<S> line{r.rows, r.w, r.stiff};
    const bool search = iterations >= 3;
    if (search) line.keep();
    r.read();
    // no state is new and the error falls: the full step is right
    const auto calm = negate(changed) & (error <= previous) & mask_of<S>(iterations < 40);
    if (search) r.between = r.between | line.run(r.done | calm);
    previous = error;
  }
  return iterations;
}

}  // namespace

template <Real S>
SolveReport solve_by_recursion(const ImpulseProblem<S>& problem, Rows<S>& rows, RecursionWork<S>& work,
                               Blocks<S>& blocks, S* u_rate, Mask<S>& failed) {
  SINEW_ASSERT(problem.model.cuts.empty() && rows.local() && problem.dt > 0.0 && problem.external);
  Recursion<S> r{problem, rows, work, blocks, u_rate};
  SolveReport report;
  r.start();
  report.iterations = iterate(r);
  r.finish();
  const S residual = certify(rows, report);
  failed = negate(residual <= S(problem.model.contact.tolerance));
  report.converged = !any(failed);
  return report;
}

template <Real S>
int solve_by_cut_trees(const CutProblem<S>& problem, Rows<S>& rows, RecursionWork<S>& work, Blocks<S>& blocks) {
  SINEW_ASSERT(work.cuts.trees.hold_all && rows.n_contacts <= int(work.contact.size()));
  const ImpulseProblem<S> at{problem.model, problem.params, problem.frames, nullptr, nullptr, nullptr,
                             1.0,           &problem.cuts};
  Recursion<S> r{at, rows, work, blocks, nullptr};
  r.done = negate(problem.which);
  r.start();
  const int iterations = iterate(r);
  r.finish_cuts(problem.which);
  return iterations;
}

template SolveReport solve_by_recursion(const ImpulseProblem<double>&, Rows<double>&, RecursionWork<double>&,
                                        Blocks<double>&, double*, Mask<double>&);
template SolveReport solve_by_recursion(const ImpulseProblem<Lanes>&, Rows<Lanes>&, RecursionWork<Lanes>&,
                                        Blocks<Lanes>&, Lanes*, Mask<Lanes>&);
template int solve_by_cut_trees(const CutProblem<double>&, Rows<double>&, RecursionWork<double>&, Blocks<double>&);
template int solve_by_cut_trees(const CutProblem<Lanes>&, Rows<Lanes>&, RecursionWork<Lanes>&, Blocks<Lanes>&);

}  // namespace sinew
