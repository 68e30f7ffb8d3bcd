// Columns of G for all robots of a batch at once; then each robot's problem with its closed rows alone.
#include "sinew/solve/delassus.h"

#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/solve/prox_fixed.h"

namespace sinew {
namespace {

template <Real S>
struct Responses {
  const Model& model;
  const Frames<S>& frames;
  Rows<S>& rows;
  DelassusWork<S>& w;
  Blocks<S>& b;
  Cuts<S>& cuts;

  void clear() { std::fill(b.p.begin(), b.p.end(), Wrench<S>::zero()); }
  template <class Row>
  void push(const Row& r, const Wrench<S>& F) {
    spread(r, F, [this](int link, const Wrench<S>& W) {
      b.p[link].n -= W.n;
      b.p[link].f -= W.f;
    });
  }

  // The robot's answer to the impulses pushed: changes of u in w.du, of the links' velocities in w.moved.
  void respond() {
    solve_impulse(model, frames, 0, model.link_count(), b, w.du.data());
    w.moved = b.a;
    if (!model.has_rows()) return;
    row_velocities(model, cuts, w.moved.data(), cuts.rhs.data());
    solve_cuts(model, frames, b, cuts);
    for (int i = 0; i < model.nu; i++) w.du[i] += cuts.du[i];
    for (int i = 0; i < model.link_count(); i++) w.moved[i] = w.moved[i] + b.a[i];
  }

  // The answer to the impulses of all rows; cuts.P: what cut joints add to work.cut_P.
  void push_all() {
    clear();
    for (int i = 0; i < rows.n_contacts; i++)
      push(rows.contact[i], contact_impulse(rows.contact[i], rows.contact[i].P));
    for (int i = 0; i < rows.n_axes; i++) push(rows.axis[i], axis_impulse(rows.axis[i], rows.axis[i].P));
    respond();
  }

  // The same by the elimination that found the impulses: the rows' own matrix leaves 5 (1e-6 / l)^4 of the softest motions to
  // the joints (solve/redundant.h), which is as much as a certificate in long chains.
  void push_all_by_joints(RecursionWork<S>& k) {
    begin_unsymmetric(k.links);
    const auto add = [&k](int link, const Wrench<S>& W) {
      k.links.p[link].n -= W.n;
      k.links.p[link].f -= W.f;
    };
    for (int i = 0; i < rows.n_contacts; i++)
      spread(rows.contact[i], contact_impulse(rows.contact[i], rows.contact[i].P), add);
    for (int i = 0; i < rows.n_axes; i++) spread(rows.axis[i], axis_impulse(rows.axis[i], rows.axis[i].P), add);
    release_axes(k.cuts);
    solve_cut_trees(model, cuts, k.cuts, k.links);
    read_cut_trees(model, frames, k.cuts, k.links, cuts.P.data(), w.du.data());
    w.moved = k.links.change;
  }

  // The answer as the motion of these robots.
  void take(Mask<S> which, S* u_E) {
    for (int i = 0; i < model.n_rows; i++) cuts.P[i] = select(which, w.cut_P[i] + cuts.P[i], w.cut_P[i]);
    for (int i = 0; i < model.nu; i++) u_E[i] = select(which, u_E[i] + w.du[i], u_E[i]);
  }

  static constexpr Vec3<S> ContactRow<S>::*axes[row::count] = {&ContactRow<S>::n,  &ContactRow<S>::t1,
                                                               &ContactRow<S>::t2, &ContactRow<S>::n,
                                                               &ContactRow<S>::t1, &ContactRow<S>::t2};
  static Wrench<S> unit(const ContactRow<S>& c, int r) {
    SINEW_ASSERT(r >= 0 && r < row::count);
    const Vec3<S>& e = c.*axes[r];
    return r <= row::T2 ? Wrench<S>{Vec3<S>::zero(), e} : Wrench<S>{e, Vec3<S>::zero()};
  }

  void fill_column(int n, int column) {
    SINEW_ASSERT(column >= 0 && column < n && w.G.size() >= std::size_t(n) * n);
    S* out = w.G.data() + std::size_t(column) * n;
    S gamma[row::count];
    for (int i = 0, k = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      contact_velocity(c, w.moved.data(), gamma);
      for (int r = 0; r < row::count; r++)
        if (has_row(c, r)) out[k++] = gamma[r];
    }
    for (int i = 0; i < rows.n_axes; i++) out[n - rows.n_axes + i] = axis_velocity(rows.axis[i], w.moved.data());
  }

  static bool has_row(const ContactRow<S>& c, int r) {
    return r == row::N || (r <= row::T2 ? c.slides : r == row::D ? c.drills : c.rolls);
  }

  int count() {
    int n = 0;
    w.first.clear();
    for (int i = 0; i < rows.n_contacts; i++) {
      w.first.push_back(n);
      for (int r = 0; r < row::count; r++) n += has_row(rows.contact[i], r) ? 1 : 0;
    }
    return n + rows.n_axes;
  }

  // The columns of a single robot, four at a time.
  void build_by_four(int n) {
    FourAnswers& four = *w.four;
    int column = 0, lane = 0;
    four.take({model, frames, b, cuts});
    const auto answer = [&] {
      four.respond({model, frames, b, cuts});
      for (int k = 0; k < lane; k++) {
        four.read(k, w.moved.data());
        fill_column(n, column++);
      }
      four.clear();
      lane = 0;
    };
    const auto ask = [&](const auto& row, const Wrench<double>& F) {
      spread(row, F, [&](int link, const Wrench<double>& W) { four.push(lane, link, W); });
      if (++lane == lane_count) answer();
    };
    for (int i = 0; i < rows.n_contacts; i++)
      for (int r = 0; r < row::count; r++)
        if (has_row(rows.contact[i], r)) ask(rows.contact[i], unit(rows.contact[i], r));
    for (int i = 0; i < rows.n_axes; i++) ask(rows.axis[i], axis_impulse(rows.axis[i], 1.0));
    if (lane > 0) answer();
    SINEW_ASSERT(column == n);
  }

  int build() {
    const int n = count();
    if (w.G.size() < std::size_t(n) * n) w.G.resize(std::size_t(n) * n);
    if constexpr (std::same_as<S, double>) {
      if (w.four && n > 1) {
        build_by_four(n);
        return n;
      }
    }
    int column = 0;
    for (int i = 0; i < rows.n_contacts; i++)
      for (int r = 0; r < row::count; r++) {
        if (!has_row(rows.contact[i], r)) continue;
        clear();
        push(rows.contact[i], unit(rows.contact[i], r));
        respond();
        fill_column(n, column++);
      }
    for (int i = 0; i < rows.n_axes; i++) {
      clear();
      push(rows.axis[i], axis_impulse(rows.axis[i], S(1.0)));
      respond();
      fill_column(n, column++);
    }
    SINEW_ASSERT(column == n);
    return n;
  }

  // The problem of one robot: its closed rows.
  void extract(int n, int k) {
    DenseProblem& p = w.problem;
    p.contacts.clear();
    p.axes.clear();
    w.map.clear();
    p.c.clear();
    p.P.clear();
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      if (!lane(c.closed, k)) continue;
      const ContactLaw<S>& l = c.law;
      p.contacts.push_back({int(w.map.size()),
                            c.slides,
                            c.drills,
                            c.rolls,
                            {lane(l.mu_forward, k), lane(l.mu_backward, k), lane(l.mu_trans, k), lane(l.drilling, k),
                             lane(l.rolling, k)},
                            lane(c.bias, k),
                            c.radius,
                            lane(c.inertia, k)});
      p.contacts.back().law.shear = lane(l.shear, k);
      int at = w.first[i];
      for (int r = 0; r < row::count; r++) {
        if (!has_row(c, r)) continue;
        w.map.push_back(at++);
        p.c.push_back(lane(c.gamma[r], k));
        p.P.push_back(lane(c.P[r], k));
      }
    }
    for (int i = 0; i < rows.n_axes; i++) {
      const AxisRow<S>& a = rows.axis[i];
      if (!lane(a.closed, k)) continue;
      p.axes.push_back({int(w.map.size()),
                        {lane(a.law.low, k), lane(a.law.high, k), lane(a.law.compliance, k), lane(a.law.bias, k)}});
      w.map.push_back(n - rows.n_axes + i);
      p.c.push_back(lane(a.gamma, k));
      p.P.push_back(lane(a.P, k));
    }
    p.n = int(w.map.size());
    p.G.resize(std::size_t(p.n) * p.n);
    p.gamma.resize(p.n);
    for (int i = 0; i < p.n; i++)
      for (int j = 0; j <= i; j++) {  // symmetric to the last bit
        const double g = 0.5 * (lane(w.G[std::size_t(w.map[j]) * n + w.map[i]], k) +
                                lane(w.G[std::size_t(w.map[i]) * n + w.map[j]], k));
        p.G[std::size_t(j) * p.n + i] = p.G[std::size_t(i) * p.n + j] = g;
      }
    for (int i = 0, at = 0; i < rows.n_contacts; i++)  // a contact that gives way: part of its own response
      if (lane(rows.contact[i].closed, k)) {
        const int N = p.contacts[at++].first;
        p.G[std::size_t(N) * p.n + N] += lane(rows.contact[i].law.eps_N, k);
      }
    p.soft_N = p.soft = 1.0 / lane(rows.stiff, k);
  }

  void put_back(int k) {
    SINEW_ASSERT(int(w.problem.P.size()) == w.problem.n);
    const DenseProblem& p = w.problem;
    int next = 0;
    for (int i = 0; i < rows.n_contacts; i++) {
      ContactRow<S>& c = rows.contact[i];
      for (int r = 0; r < row::count; r++) {
        set_lane(c.P[r], k, 0.0);
        if (lane(c.closed, k) && has_row(c, r)) set_lane(c.P[r], k, p.P[next++]);
      }
    }
    for (int i = 0; i < rows.n_axes; i++) {
      set_lane(rows.axis[i].P, k, 0.0);
      if (lane(rows.axis[i].closed, k)) set_lane(rows.axis[i].P, k, p.P[next++]);
    }
  }
};

}  // namespace

// Memory is taken here, so that no step has to, but for very many rows: of a chain of hundreds of links it would be
// a hundred megabytes, which it hardly ever needs.
template <Real S>
DelassusWork<S>::DelassusWork(const Model& model) : moved(model.links.size()), du(model.nu), cut_P(model.n_rows) {
  const int contacts = model.n_slots, axes = int(model.axis_rows.size()), rows = contacts * row::count + axes;
  if (std::same_as<S, double> && FourAnswers::is_worth_it(model)) four.emplace(model);
  if (rows > 400) return;
  G.reserve(std::size_t(rows) * rows);
  first.reserve(contacts);
  map.reserve(rows);
  problem.reserve(contacts, axes);
  solver.reserve(contacts, axes);
}

namespace {

// Velocities of the rows without laws: kept, and put back.
template <Real S>
void set_free_velocities(Mask<S> which, const Twist<S>* V, Rows<S>& rows) {
  S gamma[row::count];
  for (int i = 0; i < rows.n_contacts; i++) {
    ContactRow<S>& c = rows.contact[i];
    contact_velocity(c, V, gamma);
    for (int r = 0; r < row::count; r++) c.gamma_0[r] = select(which, gamma[r], c.gamma_0[r]);
  }
  for (int i = 0; i < rows.n_axes; i++)
    rows.axis[i].gamma_0 = select(which, axis_velocity(rows.axis[i], V), rows.axis[i].gamma_0);
}
template <Real S>
void back_to_free_velocities(Mask<S> which, Rows<S>& rows) {
  for (int i = 0; i < rows.n_contacts; i++) {
    ContactRow<S>& c = rows.contact[i];
    for (int r = 0; r < row::count; r++) c.gamma[r] = select(which, c.gamma_0[r], c.gamma[r]);
  }
  for (int i = 0; i < rows.n_axes; i++) {
    AxisRow<S>& a = rows.axis[i];
    a.gamma = select(which, a.gamma_0, a.gamma);
  }
}

struct LawSolver final : LaneSolver {
  const ContactOptions& options;
  DenseMethod method;
  DenseSolver& dense;

  LawSolver(const ContactOptions& o, DenseMethod m, DenseSolver& d) : options(o), method(m), dense(d) {}
  DenseReport solve(int, DenseProblem& problem) override {
    if (options.solver == ContactSolver::ProxFixed) return solve_prox_fixed(problem, options.prox, options.tolerance);
    DenseReport report = dense.solve(problem, method, options.tolerance);
    if (!report.converged) dense.persevere(problem, options.tolerance, report);
    return report;
  }
};

}  // namespace

template <Real S>
SolveReport solve_by_responses(const FactoredRobot<S>& robot, DenseMethod method, Mask<S> which, Rows<S>& rows,
                               DelassusWork<S>& work, S* u_E) {
  LawSolver solver(robot.model.contact, method, work.solver);
  return solve_by_responses(robot, solver, which, rows, work, u_E);
}

template <Real S>
SolveReport solve_by_responses(const FactoredRobot<S>& robot, LaneSolver& solver, Mask<S> which, Rows<S>& rows,
                               DelassusWork<S>& work, S* u_E) {
  const auto& [model, frames, blocks, cuts] = robot;
  SINEW_ASSERT(frames.link.size() == model.links.size() && work.moved.size() == model.links.size());
  SINEW_ASSERT(int(work.du.size()) == model.nu && (model.nu == 0 || (u_E && u_E != work.du.data())));
  SINEW_ASSERT(rows.n_contacts <= int(rows.contact.size()) && rows.n_axes <= int(rows.axis.size()));
  Responses<S> r{model, frames, rows, work, blocks, cuts};
  work.cut_P = cuts.P;
  const int n = r.build();
  SolveReport report;
  for (int k = 0; k < lanes_of<S>; k++) {
    if (!lane(which, k)) continue;
    r.extract(n, k);
    const DenseReport d = solver.solve(k, work.problem);
    report.iterations = std::max(report.iterations, d.iterations);
    r.put_back(k);
  }
  r.push_all();
  add_velocities(which, work.moved.data(), rows);
  r.take(which, u_E);
  certify(rows, report);
  report.converged = report.residual <= model.contact.tolerance;
  return report;
}

template <Real S>
SolveReport solve_by_joints(const FactoredRobot<S>& robot, const JointsInput<S>& input, Mask<S> which, Rows<S>& rows,
                            DelassusWork<S>& work, S* u_E) {
  const auto& [model, frames, blocks, cuts] = robot;
  SINEW_ASSERT(input.work.cuts.trees.hold_all && input.params.links.size() == model.links.size() && input.V);
  SINEW_ASSERT(int(work.du.size()) == model.nu && (model.nu == 0 || (u_E && u_E != work.du.data())));
  set_free_velocities(which, input.V, rows);
  Responses<S> r{model, frames, rows, work, blocks, cuts};
  work.cut_P = cuts.P;
  SolveReport report;
  report.iterations = solve_by_cut_trees({model, input.params, frames, cuts, which}, rows, input.work, blocks);
  back_to_free_velocities(which, rows);
  r.push_all_by_joints(input.work);
  add_velocities(which, work.moved.data(), rows);
  const S residual = certify(rows, report);
  const Mask<S> failed = which & negate(residual <= S(model.contact.tolerance));
  r.take(which & negate(failed), u_E);
  report.converged = report.residual <= model.contact.tolerance;
  if (!any(failed)) return report;
  const int before = report.iterations;
  back_to_free_velocities(failed, rows);
  report = solve_by_responses(robot, DenseMethod::Newton, failed, rows, work, u_E);
  report.iterations += before;
  return report;
}

#define SINEW_INSTANTIATE_DELASSUS(S)                                                                                \
  template struct DelassusWork<S>;                                                                                   \
  template SolveReport solve_by_responses(const FactoredRobot<S>&, DenseMethod, Mask<S>, Rows<S>&, DelassusWork<S>&, \
                                          S*);                                                                       \
  template SolveReport solve_by_responses(const FactoredRobot<S>&, LaneSolver&, Mask<S>, Rows<S>&, DelassusWork<S>&, \
                                          S*);                                                                       \
  template SolveReport solve_by_joints(const FactoredRobot<S>&, const JointsInput<S>&, Mask<S>, Rows<S>&,            \
                                       DelassusWork<S>&, S*);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_DELASSUS)

}  // namespace sinew
