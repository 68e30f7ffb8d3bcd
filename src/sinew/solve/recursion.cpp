// Newton's steps over the states of the rows; each is one articulated recursion, with slightly compliant contacts in the links.
#include "sinew/solve/recursion.h"

#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/solve/line_search.h"
#include "sinew/solve/linear_laws.h"
#include "sinew/solve/link_contacts.h"
#include "sinew/solve/link_laws.h"

namespace sinew {
namespace {

template <Real S>
struct Recursion {
  const ImpulseProblem<S>& at;
  Rows<S>& rows;
  RecursionWork<S>& w;
  Blocks<S>& blocks;
  S* u_rate;
  LinearLaws<S> laws{rows, w};
  LinkLaws<S>* smooth = nullptr;
  Mask<S> done = mask_of<S>(false);
  Mask<S> between = mask_of<S>(false);   // the last iterate is a mixture of two systems' answers
  Mask<S> given_up = mask_of<S>(false);  // its patience is over: the other solver's turn

  using Local = typename RecursionWork<S>::Contact;

  void start() {
    laws.start();
    own_parts(at.model, at.params, at.frames, at.external, w.links.own.data());
    if (!at.cuts) return;
    for (Handed<S>& own : w.links.own) own.p = Wrench<S>::zero();
  }

  // Step 2: all laws into the recursion, and its answer back.
  void solve() {
    const S rate = S(1.0 / at.dt);
    const bool same = !at.cuts && !smooth && laws.is_factored_so();
    if (same)
      begin_wrenches(w.links);
    else
      begin_unsymmetric(w.links);
    int i = 0;
    if constexpr (std::same_as<S, double>) i = add_by_fours(rows, w.contact, rate, same, w.links);
    for (; i < rows.n_contacts; i++) {
      const int link = rows.contact[i].link2;
      add_contact<S>(rows.contact[i], w.contact[i], rate, same, w.links.I[link], w.links.p[link]);
    }
    if (smooth) smooth->add(w.links, rate);
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

  // New velocities and, from the linear laws, impulses; lanes that are done keep theirs.
  void read() {
    if (smooth) smooth->read(w.links.change, done);
    int first = 0;
    if constexpr (std::same_as<S, double>) {
      SINEW_ASSERT(!done);
      first = read_by_fours(rows, w.contact, w.links.change, at.dt);
    }
    for (int i = first; i < rows.n_contacts; i++) {
      ContactRow<S>& c = rows.contact[i];
      const int n = turns(c) ? int(row::count) : int(row::D);
      S g[row::count], P[row::count];
      const Twist<S>& change = w.links.change[c.link2];
      if (turns(c))
        answer<row::count>(c, w.contact[i], change, S(at.dt), P, g);
      else
        answer<3>(c, w.contact[i], change, S(at.dt), P, g);
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
    if (smooth) smooth->push(w.applied, rate);
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
      read_velocity(c, blocks.a[c.link2] - at.frames.link[c.link2].coast, S(at.dt), row::count, gamma);
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
  LinkLaws<S>* const smooth = r.smooth;
  const S patience = smooth ? S(15.0) : min(max(S(16.0) * count_closed(r.rows), S(40.0)), S(2000.0));
  const double tolerance = r.at.model.contact.tolerance, smooth_tolerance = std::min(1e-2 * tolerance, 1e-10);
  Mask<S> changed;
  S last = S(1e300), last_rolled = S(1e300), updates = S(0.0), previous = S(1e300);
  for (;; iterations++) {
    const S error = r.laws.decide_all(changed);
    auto settled = (r.laws.worst_soft <= S(1e-3 * tolerance)) & negate(changed | r.laws.first);
    if (smooth) settled = settled & (smooth->error() <= S(smooth_tolerance));
    // Multipliers go on while it pays: what the tolerance leaves would add up to a creep. They stop to gain where a row is
    // nearly redundant; its impulse must not be driven up to chase the rest.
    const auto enough = (error <= S(1e-4 * tolerance)) | (error > S(0.1) * last) | (updates >= S(3.0));
    // where all slips and gives way by law, no update is needed, unless the compliance has turned the slip
    const auto exact = (error <= r.laws.slack * S(tolerance)) & (r.laws.worst_turned <= S(0.5 * tolerance));
    // turning rows are softer than the others and may take more of them
    const auto rolls =
        (r.laws.worst_rolled <= S(0.3 * tolerance)) | (updates >= S(8.0)) |
        r.laws.is_exact_though(settled & (r.laws.worst_rolled > S(0.9) * last_rolled), S(0.2 * tolerance));
    r.done = r.done | (settled & (exact | ((error <= S(tolerance)) & enough & rolls & (updates >= S(1.0)))));
    r.given_up = r.given_up | (negate(r.done) & (S(double(iterations)) >= patience));
    r.done = r.done | r.given_up;  // and stays as it is
    if (!any(negate(r.done))) break;
    last = select(settled, error, last);
    last_rolled = select(settled, r.laws.worst_rolled, last_rolled);
    updates += select(settled, S(1.0), S(0.0));
    r.laws.hold(settled);
    r.laws.first = mask_of<S>(false);
    r.solve();
    if (iterations % 25 == 24) r.laws.change_steps(iterations / 25 % 3 == 1 ? 1e-2 : 10.0);  // 1, 10, 0.1, 1, ...
    LineSearch<S> line{r.rows, r.w, r.laws.stiff};
    // no state is new and the error falls: the full step is right
    const auto calm = negate(changed) & (error <= previous) & mask_of<S>(iterations < 40);
    // what smooth laws do between two iterates it does not know
    const bool search = iterations >= 3 && !smooth && any(negate(r.done | calm));
    if (search) line.keep();
    r.read();
    if (search) r.between = r.between | line.run(r.done | calm);
    previous = error;
  }
  return iterations;
}

}  // namespace

template <Real S>
SolveReport solve_by_recursion(const ImpulseProblem<S>& problem, Rows<S>& rows, RecursionWork<S>& work,
                               Blocks<S>& blocks, S* u_rate, Mask<S>& failed) {
  SINEW_ASSERT(!problem.model.has_rows() && rows.local() && problem.dt > 0.0 && problem.external);
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
SolveReport solve_by_recursion(const SmoothProblem<S>& problem, Rows<S>& rows, RecursionWork<S>& work,
                               Blocks<S>& blocks, S* u_rate, Mask<S>& failed) {
  SINEW_ASSERT(!problem.rest.model.has_rows() && rows.local() && problem.rest.dt > 0.0 && problem.rest.external);
  Recursion<S> r{problem.rest, rows, work, blocks, u_rate};
  r.smooth = &problem.laws;
  SolveReport report;
  r.start();
  report.iterations = iterate(r);
  r.finish();
  const S residual = certify(rows, report);
  failed = negate((residual <= S(problem.rest.model.contact.tolerance)) & (problem.laws.error() <= S(1e-8)));
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
template SolveReport solve_by_recursion(const SmoothProblem<double>&, Rows<double>&, RecursionWork<double>&,
                                        Blocks<double>&, double*, Mask<double>&);
template SolveReport solve_by_recursion(const SmoothProblem<Lanes>&, Rows<Lanes>&, RecursionWork<Lanes>&,
                                        Blocks<Lanes>&, Lanes*, Mask<Lanes>&);
template int solve_by_cut_trees(const CutProblem<double>&, Rows<double>&, RecursionWork<double>&, Blocks<double>&);
template int solve_by_cut_trees(const CutProblem<Lanes>&, Rows<Lanes>&, RecursionWork<Lanes>&, Blocks<Lanes>&);

}  // namespace sinew
