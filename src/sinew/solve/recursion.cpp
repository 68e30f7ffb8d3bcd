#include "sinew/solve/recursion.h"

#include <algorithm>

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
  S stiff_N{}, stiff{};
  Mask<S> first = mask_of<S>(true);  // no system solved yet: P is only a guess
  S worst_soft{};                    // error of the compliant law, largest of the last decisions

  using Local = typename RecursionWork<S>::Contact;

  void start() {
    stiff_N = rows.stiff_N, stiff = rows.stiff;
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      w.contact[i].stiff_ang = stiff * c.inertia / c.mass;
      w.contact[i].code = S(-1.0);
      std::copy_n(c.P, int(row::count), w.contact[i].centre);
    }
    for (int i = 0; i < rows.n_axes; i++) w.axis[i].code = S(-1.0), w.axis[i].centre = rows.axis[i].P;
    own_parts(at.model, at.params, at.frames, at.external, w.links.own.data());
  }

  // One contact's decision around its P and gamma. Returns the distance of P from the local map [m/s].
  SINEW_INLINE S decide(const ContactRow<S>& c, Local& l, Mask<S>& changed) {
    // the states are those of the compliant law, the error is that of the rigid one
    const S v_N = c.gamma[row::N] + c.bias;
    const S y_N = c.P[row::N] - c.mass * (v_N + (c.P[row::N] - l.centre[row::N]) / stiff_N);
    const auto on = (y_N > S(0.0)) & c.closed;
    const S s = l.s = select(on, y_N, S(0.0));
    S error = abs(c.P[row::N] - max(c.P[row::N] - c.mass * v_N, S(0.0))), soft_error = abs(c.P[row::N] - s);
    l.K_N = select(on, stiff_N, S(0.0));
    S code = code_of<S>(on, 1.0);
    l.T = {{S(0.0), S(0.0)}, S(0.0), S(0.0), S(0.0), mask_of<S>(false)};
    l.V = l.T;
    if (c.slides) {
      const Vec2<S> a = sliding_axes(c.law, c.P[row::T1], c.gamma[row::T1]);
      const S a_max = max(max(a.x, a.y), S(1e-12));
      const Vec2<S> P{c.P[row::T1], c.P[row::T2]}, gamma{c.gamma[row::T1], c.gamma[row::T2]};
      l.T = linear_block<S>(P, gamma, a, s, c.mass / (a_max * a_max), stiff, {l.centre[row::T1], l.centre[row::T2]});
      add_block_error(l.T, P, gamma, {l.centre[row::T1], l.centre[row::T2]}, s, c.mass, stiff, error, soft_error);
      code += code_of<S>(l.T.stick, 2.0);
    }
    l.K_D = l.slope_D = S(0.0);
    if (c.drills) {
      const S g = c.gamma[row::D] + (c.P[row::D] - l.centre[row::D]) / l.stiff_ang;
      const S bound = c.law.drilling * s, y = c.P[row::D] - c.inertia * g;
      const auto stick = (abs(y) <= bound) & (bound > S(0.0));
      l.K_D = select(stick, l.stiff_ang, S(0.0));
      l.slope_D = select(stick, S(0.0), select(y > S(0.0), c.law.drilling, -c.law.drilling));
      const S hard_y = c.P[row::D] - c.inertia * c.gamma[row::D], to_force = c.law.drilling * c.mass / c.inertia;
      error += abs(c.P[row::D] - law::project_interval(hard_y, -bound, bound)) * to_force;
      soft_error += abs(c.P[row::D] - law::project_interval(y, -bound, bound)) * to_force;
      code += code_of<S>(stick, 4.0);
    }
    if (c.rolls) {
      const Vec2<S> a{c.law.rolling, c.law.rolling};
      const S a_max = max(a.x, S(1e-12));
      const Vec2<S> P{c.P[row::V1], c.P[row::V2]}, gamma{c.gamma[row::V1], c.gamma[row::V2]};
      l.V = linear_block<S>(P, gamma, a, s, c.inertia / (a_max * a_max), l.stiff_ang,
                            {l.centre[row::V1], l.centre[row::V2]});
      S e = S(0.0), e_soft = S(0.0);
      add_block_error(l.V, P, gamma, {l.centre[row::V1], l.centre[row::V2]}, s, c.inertia, l.stiff_ang, e, e_soft);
      const S to_force = c.law.rolling * c.mass / c.inertia;
      error += e * to_force, soft_error += e_soft * to_force;
      code += code_of<S>(l.V.stick, 8.0);
    }
    changed = changed | (code < l.code) | (code > l.code);
    l.code = code;
    worst_soft = max(worst_soft, select(c.closed, soft_error, S(0.0)) / c.mass);
    return select(c.closed, error, S(0.0)) / c.mass;
  }

  // |P - map(P, gamma)| of the rigid and of the compliant law: while it sticks mass |gamma|, while it slips the distance
  // to the rim.
  SINEW_INLINE static void add_block_error(const LocalBlock<S>& b, const Vec2<S>& P, const Vec2<S>& gamma,
                                           const Vec2<S>& centre, S s, S mass, S hard, S& rigid, S& soft) {
    const Vec2<S> off{P.x - s * b.slope.x, P.y - s * b.slope.y};
    const auto length = [&](S x, S y) {
      const S ex = select(b.stick, mass * x, off.x), ey = select(b.stick, mass * y, off.y);
      return sqrt(ex * ex + ey * ey);
    };
    rigid += length(gamma.x, gamma.y);
    soft += length(gamma.x + (P.x - centre.x) / hard, gamma.y + (P.y - centre.y) / hard);
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
    worst_soft = S(0.0);
    S worst = S(0.0);
    for (int i = 0; i < rows.n_contacts; i++) worst = max(worst, decide(rows.contact[i], w.contact[i], changed));
    for (int i = 0; i < rows.n_axes; i++) worst = max(worst, decide(rows.axis[i], w.axis[i], changed));
    return worst;
  }

  // Step 3: f, with the multipliers as they are, or from the last impulses where these solve the compliant problem.
  void hold(Mask<S> update) {
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      Local& l = w.contact[i];
      S was[row::count];
      const int n = c.drills || c.rolls ? int(row::count) : int(row::D);
      for (int r = 0; r < n; r++)
        was[r] = l.centre[r], l.centre[r] = select(first, S(0.0), select(update, c.P[r], l.centre[r]));
      const S f_N = select(l.K_N > S(0.0), l.centre[row::N] - l.K_N * c.bias, S(0.0));
      l.f[row::N] = f_N;
      const auto block = [&](int r, const LocalBlock<S>& b) SINEW_INLINE_LAMBDA {
        // what was made linear around the old centre, for the new one and with P_N free
        const S more = f_N - l.s, hard = r == row::T1 ? stiff : l.stiff_ang;
        const S m1 = (l.centre[r] - was[r]) / hard, m2 = (l.centre[r + 1] - was[r + 1]) / hard;
        const S d1 = b.xx * m1 + b.xy * m2, d2 = b.xy * m1 + b.yy * m2;
        l.f[r] = select(b.stick, select(b.xx > S(0.0), l.centre[r], S(0.0)), b.f.x + d1 + b.slope.x * more);
        l.f[r + 1] = select(b.stick, select(b.yy > S(0.0), l.centre[r + 1], S(0.0)), b.f.y + d2 + b.slope.y * more);
      };
      block(row::T1, l.T);
      if (!c.drills && !c.rolls) continue;
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

  SINEW_INLINE void add_contact(const ContactRow<S>& c, const Local& l, S rate) {
    Block6<S>& I = w.links.added[c.link2];
    const Vec3<S> n_N = (c.n + c.t1 * l.T.slope.x + c.t2 * l.T.slope.y) * l.K_N;  // friction follows the normal force
    const Vec3<S> k1 = c.t1 * l.T.xx + c.t2 * l.T.xy, k2 = c.t1 * l.T.xy + c.t2 * l.T.yy;
    Mat3<S> K;
    for (int k = 0; k < 3; k++) K.col(k) = n_N * c.n[k] + k1 * c.t1[k] + k2 * c.t2[k];
    add_point(c.arm2, K, I);
    const S *f = l.f, *g = c.gamma_0;
    const Vec3<S> F =
        c.n * f[row::N] + c.t1 * f[row::T1] + c.t2 * f[row::T2] - (n_N * g[row::N] + k1 * g[row::T1] + k2 * g[row::T2]);
    Vec3<S> torque = cross(c.arm2, F);
    if (c.drills || c.rolls) {
      const Mat3<S> K_ang = in_world(c, l.K_D, l.V);
      const Vec3<S> m = (c.n * l.slope_D + c.t1 * l.V.slope.x + c.t2 * l.V.slope.y) * l.K_N;
      add_turning(c.arm2, c.n, K_ang, m, I);
      torque += c.n * f[row::D] + c.t1 * f[row::V1] + c.t2 * f[row::V2] - m * g[row::N] -
                K_ang * (c.n * g[row::D] + c.t1 * g[row::V1] + c.t2 * g[row::V2]);
    }
    w.links.push[c.link2].n -= torque * rate, w.links.push[c.link2].f -= F * rate;
  }

  // Step 2: all laws into the recursion, and its answer back.
  void solve() {
    const S rate = S(1.0 / at.dt);
    std::fill(w.links.added.begin(), w.links.added.end(), Block6<S>::zero());
    std::fill(w.links.push.begin(), w.links.push.end(), Wrench<S>::zero());
    for (int i = 0; i < rows.n_contacts; i++) add_contact(rows.contact[i], w.contact[i], rate);
    push_axes(rate);
    solve_unsymmetric(at.model, at.frames, w.tau.data(), w.diag.data(), w.links, u_rate);
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

  // What the compliant laws answer to the velocities gamma.
  SINEW_INLINE void answer(const ContactRow<S>& c, const Local& l, const S* gamma, S* P) const {
    const S s = select(c.closed, max(l.centre[row::N] - stiff_N * (gamma[row::N] + c.bias), S(0.0)), S(0.0));
    P[row::N] = s;
    const auto disk = [&](int r, const Vec2<S>& a, S hard) SINEW_INLINE_LAMBDA {
      // nearest in the scaled variables: the same set, and the same answer where it matters, on the rim
      const Vec2<S> y{l.centre[r] - hard * gamma[r], l.centre[r + 1] - hard * gamma[r + 1]};
      const Vec2<S> p = law::project_disk(Vec2<S>{over(y.x, a.x), over(y.y, a.y)}, s);
      P[r] = a.x * p.x, P[r + 1] = a.y * p.y;
    };
    disk(row::T1, sliding_axes(c.law, l.centre[row::T1] - stiff * gamma[row::T1], gamma[row::T1]), stiff);
    disk(row::V1, {c.law.rolling, c.law.rolling}, l.stiff_ang);
    const S bound = c.law.drilling * s;
    P[row::D] = law::project_interval(l.centre[row::D] - l.stiff_ang * gamma[row::D], -bound, bound);
  }

  // Slope of what is minimised, at the share alpha of the way from the last iterate to the new one.
  S slope_at(S alpha) const {
    S slope = S(0.0);
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      const Local& l = w.contact[i];
      S gamma[row::count], P[row::count];
      for (int r = 0; r < row::count; r++) gamma[r] = l.gamma[r] + alpha * (c.gamma[r] - l.gamma[r]);
      answer(c, l, gamma, P);
      for (int r = 0; r < row::count; r++)
        slope += (l.P[r] + alpha * (c.P[r] - l.P[r]) - P[r]) * (c.gamma[r] - l.gamma[r]);
    }
    for (int i = 0; i < rows.n_axes; i++) {
      const AxisRow<S>& a = rows.axis[i];
      const auto& l = w.axis[i];
      const S gamma = l.gamma + alpha * (a.gamma - l.gamma), hard = stiff * (a.mass / rows.total_mass);
      const auto soft = a.law.compliance > S(0.0);
      const S free = select(soft, -(gamma + a.law.bias) / select(soft, a.law.compliance, S(1.0)),
                            l.centre - hard * (gamma + a.law.bias));
      const S P = select(a.closed, a.law.project(free), S(0.0));
      slope += (l.P + alpha * (a.P - l.P) - P) * (a.gamma - l.gamma);
    }
    return slope;
  }

  // Both ends of the Newton step satisfy the dynamics, and so does every point between: the best of them is where the slope
  // of the energy changes its sign. (Exact for given normal forces, for which the laws are the gradient of a convex function.)
  void search_line() {
    const S start = slope_at(S(0.0)), end = slope_at(S(1.0));
    const auto overshot = (end > abs(start) * S(0.2)) & (start < S(0.0)) & negate(done);
    if (!any(overshot)) return;
    S low = S(0.0), high = S(1.0), g_low = start, g_high = end;
    for (int k = 0; k < 8; k++) {
      const S mix = low + (high - low) * (g_low / (g_low - g_high)), half = S(0.5) * (low + high);
      const S alpha = k % 2 ? half : mix;
      const S g = slope_at(alpha);
      const auto left = g < S(0.0);
      low = select(left, alpha, low), g_low = select(left, g, g_low);
      high = select(left, high, alpha), g_high = select(left, g_high, g);
    }
    const S alpha = select(overshot, max(low, S(1e-3)), S(1.0));
    for (int i = 0; i < rows.n_contacts; i++) {
      ContactRow<S>& c = rows.contact[i];
      const Local& l = w.contact[i];
      for (int r = 0; r < row::count; r++) {
        c.P[r] = select(overshot, l.P[r] + alpha * (c.P[r] - l.P[r]), c.P[r]);
        c.gamma[r] = select(overshot, l.gamma[r] + alpha * (c.gamma[r] - l.gamma[r]), c.gamma[r]);
      }
    }
    for (int i = 0; i < rows.n_axes; i++) {
      AxisRow<S>& a = rows.axis[i];
      const auto& l = w.axis[i];
      a.P = select(overshot, l.P + alpha * (a.P - l.P), a.P);
      a.gamma = select(overshot, l.gamma + alpha * (a.gamma - l.gamma), a.gamma);
    }
  }

  void keep_iterate() {
    for (int i = 0; i < rows.n_contacts; i++) {
      std::copy_n(rows.contact[i].P, int(row::count), w.contact[i].P);
      std::copy_n(rows.contact[i].gamma, int(row::count), w.contact[i].gamma);
    }
    for (int i = 0; i < rows.n_axes; i++) w.axis[i].P = rows.axis[i].P, w.axis[i].gamma = rows.axis[i].gamma;
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
      const int n = c.drills || c.rolls ? int(row::count) : int(row::D);
      if (n == int(row::count)) {
        P[row::D] = l.f[row::D] - (l.K_D * g[row::D] + l.slope_D * k);
        P[row::V1] = l.f[row::V1] - (l.V.xx * g[row::V1] + l.V.xy * g[row::V2] + l.V.slope.x * k);
        P[row::V2] = l.f[row::V2] - (l.V.xy * g[row::V1] + l.V.yy * g[row::V2] + l.V.slope.y * k);
      }
      for (int r = 0; r < n; r++) c.P[r] = select(done, c.P[r], P[r]), c.gamma[r] = select(done, c.gamma[r], g[r]);
    }
    for (int i = 0; i < rows.n_axes; i++) {
      AxisRow<S>& a = rows.axis[i];
      const S g = a.gamma_0 + a.sign * S(at.dt) * u_rate[a.freedom];
      a.P = select(done, a.P, w.axis[i].f - w.axis[i].K * g);
      a.gamma = select(done, a.gamma, g);
    }
  }

  // The motion that the impulses in their cones cause.
  void finish() {
    const S rate = S(1.0 / at.dt);
    w.applied = *at.external;
    for (int i = 0; i < rows.n_contacts; i++) {
      ContactRow<S>& c = rows.contact[i];
      project_on_cone(c.law, c.P);
      const Wrench<S> F = contact_impulse(c, c.P);
      const Vec3<S> from_com = c.arm2 - at.frames.link[c.link2].X.R * at.params.links[c.link2].c_F;
      w.applied[c.link2].f += F.f * rate;
      w.applied[c.link2].n += (F.n + cross(from_com, F.f)) * rate;
    }
    std::copy_n(at.tau, at.model.nu, w.tau.begin());
    for (int i = 0; i < rows.n_axes; i++) {
      AxisRow<S>& a = rows.axis[i];
      a.P = a.law.project(a.P);
      w.tau[a.freedom] += a.sign * a.P * rate;
    }
    forward_dynamics(at.model, at.params, at.frames, w.tau.data(), &w.applied, at.diag, blocks, u_rate);
    for (int i = 0; i < rows.n_contacts; i++) {
      ContactRow<S>& c = rows.contact[i];
      read_velocity(c, blocks.a[c.link2] - at.frames.link[c.link2].coast, S(at.dt), c.gamma);
    }
    for (int i = 0; i < rows.n_axes; i++) {
      AxisRow<S>& a = rows.axis[i];
      a.gamma = a.gamma_0 + a.sign * S(at.dt) * u_rate[a.freedom];
    }
  }
};

}  // namespace

template <Real S>
SolveReport solve_by_recursion(const ImpulseProblem<S>& problem, int max_iterations, Rows<S>& rows,
                               RecursionWork<S>& work, Blocks<S>& blocks, S* u_rate, Mask<S>& failed) {
  Recursion<S> r{problem, rows, work, blocks, u_rate};
  SolveReport report;
  r.start();
  Mask<S> changed;
  const double tolerance = problem.model.contact.tolerance;
  S last = S(1e300), updates = S(0.0);
  for (;; report.iterations++) {
    const S error = r.decide_all(changed);
    const auto settled = (r.worst_soft <= S(1e-3 * tolerance)) & negate(changed | r.first);
    // Multipliers go on while it pays: what the tolerance leaves would add up to a creep. They stop to gain where a row is
    // nearly redundant; its impulse must not be driven up to chase the rest.
    const auto enough = (error <= S(1e-4 * tolerance)) | (error > S(0.1) * last) | (updates >= S(3.0));
    r.done = r.done | ((error <= S(tolerance)) & enough & (updates >= S(1.0)) & settled);
    if (!any(negate(r.done)) || report.iterations == max_iterations) break;
    last = select(settled, error, last), updates += select(settled, S(1.0), S(0.0));
    r.hold(settled);
    r.first = mask_of<S>(false);
    r.solve();
    const bool search = report.iterations >= 3;
    if (search) r.keep_iterate();
    r.read();
    if (search) r.search_line();
  }
  failed = negate(r.done);
  r.finish();
  const S residual = certify(rows, report);
  failed = negate(residual <= S(problem.model.contact.tolerance));
  report.converged = !any(failed);
  return report;
}

#define SINEW_INSTANTIATE(S)                                                                                          \
  template SolveReport solve_by_recursion(const ImpulseProblem<S>&, int, Rows<S>&, RecursionWork<S>&, Blocks<S>&, S*, \
                                          Mask<S>&);
SINEW_INSTANTIATE(double)
SINEW_INSTANTIATE(Lanes)

}  // namespace sinew
