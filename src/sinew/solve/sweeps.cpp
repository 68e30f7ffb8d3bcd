// From rows of robots to contacts of bodies and back: one robot of a batch at a time, since each has islands of its own.
#include "sinew/solve/sweeps.h"

#include <algorithm>
#include <limits>

#include "sinew/math/check.h"

namespace sinew {
namespace {

constexpr int none = std::numeric_limits<int>::min();  // no velocities that could change: the world

template <Real S>
struct Sweeping {
  const Model& model;
  const Frames<S>& frames;
  Rows<S>& rows;
  SweepWork<S>& w;
  Blocks<S>& b;

  static Vec3d lane_of(const Vec3<S>& a, int k) { return {lane(a[0], k), lane(a[1], k), lane(a[2], k)}; }
  int node_of(int link) const { return link < 0 ? none : w.node[link]; }

  // Bodies and trees that a row touches, in the order in which they are first met.
  void number_nodes() {
    SparseProblem& p = w.problem;
    p.clear();
    std::fill(w.node.begin(), w.node.end(), none);
    const auto add = [&](int link) {
      if (link < 0 || w.node[link] != none) return;
      if (w.loose[link]) {
        w.node[link] = int(p.loose.size());
        p.loose.push_back({});
        return;
      }
      const Link& root = model.links[model.links[link].root];
      TreeSpan tree{model.nu, 0};
      for (int i = model.links[link].root; i < root.tree_end; i++) {
        w.node[i] = -1 - int(p.trees.size());
        if (model.links[i].driven) continue;
        tree.first = std::min(tree.first, model.links[i].u);
        tree.n += joint::visit(model.links[i].kind, []<class J>() { return J::nu; });
      }
      p.trees.push_back(tree);
    };
    for (int i = 0; i < rows.n_contacts; i++) {
      add(rows.contact[i].link1);
      add(rows.contact[i].link2);
    }
    for (int i = 0; i < rows.n_axes; i++) add(rows.axis[i].link2);
  }

  // Generalised force of a wrench on a link: its part of one row of J.
  void project(int link, Wrench<S> F, int first, S* J) const {
    SINEW_ASSERT(link >= 0 && link < model.link_count() && J);
    for (int at = link; at >= 0; at = model.links[at].parent) {
      const Link& l = model.links[at];
      if (!l.driven)
        joint::visit(l.kind, [&]<class K>() {
          for (int c = 0; c < K::nu; c++)
            J[l.u - first + c] += dot(frames.axis[l.axis + c], K::dirs[c] == joint::Dir::Angular ? F.n : F.f);
        });
      F = shift_to_parent(F, frames.link[at].r);
    }
  }

  struct UnitPush {  // of a row on one of its links, about the link's origin; link -1: none
    int link;
    Wrench<S> F;
  };

  // J and Y of one row on one tree.
  void add_row(const TreeSpan& tree, int root, const UnitPush& on1, const UnitPush& on2, S* J, S* Y) {
    std::fill_n(J, tree.n, S(0.0));
    const int last = model.links[root].tree_end;
    std::fill(b.p.begin() + root, b.p.begin() + last, Wrench<S>::zero());
    for (const UnitPush* on : {&on1, &on2}) {
      if (on->link < 0) continue;
      project(on->link, on->F, tree.first, J);
      b.p[on->link].n -= on->F.n;
      b.p[on->link].f -= on->F.f;
    }
    solve_impulse(model, frames, root, last, b, w.du.data());
    std::copy_n(w.du.begin() + tree.first, tree.n, Y);
  }

  // Rows on trees. A contact between two links of one tree is a matter of side 2 alone.
  template <class Row, class Unit>
  void add_tree_sides(const Row& r, int n_rows, Unit unit) {
    const int node1 = node_of(r.link1), node2 = node_of(r.link2);
    for (const int side : {1, 2}) {
      w.at.push_back(w.pool.size());
      const int node = side == 1 ? node1 : node2, link = side == 1 ? r.link1 : r.link2;
      if (node >= 0 || node == none || (side == 1 && node1 == node2)) continue;
      const TreeSpan& tree = w.problem.trees[-1 - node];
      const std::size_t at = w.pool.size(), n = tree.n;
      w.pool.resize(at + 2 * n * n_rows);
      for (int k = 0; k < n_rows; k++) {
        const Wrench<S> on2 = shift_to_parent(unit(k), r.arm2);
        Wrench<S> on1 = Wrench<S>::zero();
        if (r.link1 >= 0) {
          on1 = shift_to_parent(unit(k), r.arm1);
          on1 = {-on1.n, -on1.f};
        }
        S *J = w.pool.data() + at + k * n, *Y = J + n_rows * n;
        add_row(tree, model.links[link].root, {node1 == node ? r.link1 : -1, on1}, {node2 == node ? r.link2 : -1, on2},
                J, Y);
      }
    }
  }

  void add_trees() {
    w.pool.clear();
    w.at.clear();
    if (w.problem.trees.empty()) return;
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      const Vec3<S>* e[3] = {&c.n, &c.t1, &c.t2};
      add_tree_sides(c, turns(c) ? 6 : 3, [&](int k) {
        return k < 3 ? Wrench<S>{Vec3<S>::zero(), *e[k]} : Wrench<S>{*e[k - 3], Vec3<S>::zero()};
      });
    }
    for (int i = 0; i < rows.n_axes; i++)
      add_tree_sides(rows.axis[i], 1, [&](int) { return axis_impulse(rows.axis[i], S(1.0)); });
  }

  // A loose body's factor is its inverse: the origin is the mass centre.
  LooseBody loose_at(int link, int k) const {
    SINEW_ASSERT(w.loose[link] && k < lanes_of<S>);
    const Sym3<S>& A = b.I[link].A;
    return {lane(b.I[link].C.xx, k),
            {lane(A.xx, k), lane(A.xy, k), lane(A.xz, k), lane(A.yy, k), lane(A.yz, k), lane(A.zz, k)}};
  }

  SparseSide side_of(int link, std::size_t at) const {
    const int node = node_of(link);
    if (node == none) return {};
    if (node >= 0) return {node, -1, 0};
    return {-1, -1 - node, at};
  }

  void add_contact(const ContactRow<S>& c, int i, int k) {
    SparseProblem& p = w.problem;
    SparseContact& s = p.contacts.emplace_back();
    s.side1 = side_of(c.link1, p.trees.empty() ? 0 : w.at[2 * i]);
    s.side2 = side_of(c.link2, p.trees.empty() ? 0 : w.at[2 * i + 1]);
    if (s.side1.tree >= 0 && s.side1.tree == s.side2.tree) s.side1 = {};
    s.n = lane_of(c.n, k);
    s.t1 = lane_of(c.t1, k);
    s.t2 = lane_of(c.t2, k);
    s.arm1 = c.link1 >= 0 ? lane_of(c.arm1, k) : Vec3d::zero();
    s.arm2 = lane_of(c.arm2, k);
    const ContactLaw<S>& l = c.law;
    s.law = int(p.laws.size());
    p.laws.push_back(
        {lane(l.mu_forward, k), lane(l.mu_backward, k), lane(l.mu_trans, k), lane(l.drilling, k), lane(l.rolling, k)});
    for (int r = 0; r < 3; r++) {
      s.c[r] = lane(c.gamma[r], k);
      s.P[r] = lane(c.P[r], k);
    }
    s.c[row::N] += lane(c.bias, k);
    s.give = lane(l.eps_N, k);
    s.mass = lane(c.mass, k);
    s.inertia = lane(c.inertia, k);
    s.turning = -1;
    if (!turns(c)) return;
    s.turning = int(p.turning.size());
    SparseTurning& t = p.turning.emplace_back();
    for (int r = 0; r < 3; r++) {
      t.c[r] = lane(c.gamma[3 + r], k);
      t.P[r] = lane(c.P[3 + r], k);
    }
  }

  // The problem of one robot: its closed rows.
  void extract(int k) {
    SparseProblem& p = w.problem;
    p.contacts.clear();
    p.turning.clear();
    p.laws.clear();
    p.axes.clear();
    p.pool.clear();
    for (int i = 0; i < model.link_count(); i++)
      if (w.node[i] >= 0) p.loose[w.node[i]] = loose_at(i, k);
    for (const S& x : w.pool) p.pool.push_back(lane(x, k));
    for (int i = 0; i < rows.n_contacts; i++)
      if (lane(rows.contact[i].closed, k)) add_contact(rows.contact[i], i, k);
    for (int i = 0; i < rows.n_axes; i++) {
      const AxisRow<S>& a = rows.axis[i];
      if (!lane(a.closed, k)) continue;
      const AxisLaw<S>& l = a.law;
      p.axes.push_back({side_of(a.link2, w.at[2 * (rows.n_contacts + i) + 1]),
                        {lane(l.low, k), lane(l.high, k), lane(l.compliance, k), lane(l.bias, k)},
                        lane(a.gamma, k),
                        lane(a.P, k),
                        0.0,
                        lane(a.mass, k)});
    }
    p.soft = 1.0 / lane(rows.stiff, k);
  }

  void put_back(int k) {
    SINEW_ASSERT(int(w.problem.contacts.size()) <= rows.n_contacts && int(w.problem.axes.size()) <= rows.n_axes);
    const SparseProblem& p = w.problem;
    int next = 0, next_axis = 0;
    for (int i = 0; i < rows.n_contacts; i++) {
      ContactRow<S>& c = rows.contact[i];
      for (int r = 0; r < row::count; r++) set_lane(c.P[r], k, 0.0);
      if (!lane(c.closed, k)) continue;
      const SparseContact& s = p.contacts[next++];
      for (int r = 0; r < 3; r++) set_lane(c.P[r], k, s.P[r]);
      if (s.turning >= 0)
        for (int r = 0; r < 3; r++) set_lane(c.P[3 + r], k, p.turning[s.turning].P[r]);
    }
    for (int i = 0; i < rows.n_axes; i++) {
      set_lane(rows.axis[i].P, k, 0.0);
      if (lane(rows.axis[i].closed, k)) set_lane(rows.axis[i].P, k, p.axes[next_axis++].P);
    }
  }

  // The motion from the impulses alone.
  void respond(Mask<S> which, S* u_E) {
    std::fill(b.p.begin(), b.p.end(), Wrench<S>::zero());
    const auto push = [this](int link, const Wrench<S>& W) {
      b.p[link].n -= W.n;
      b.p[link].f -= W.f;
    };
    for (int i = 0; i < rows.n_contacts; i++)
      spread(rows.contact[i], contact_impulse(rows.contact[i], rows.contact[i].P), push);
    for (int i = 0; i < rows.n_axes; i++) spread(rows.axis[i], axis_impulse(rows.axis[i], rows.axis[i].P), push);
    solve_impulse(model, frames, 0, model.link_count(), b, w.du.data());
    for (int i = 0; i < model.nu; i++) u_E[i] = select(which, u_E[i] + w.du[i], u_E[i]);
    add_velocities(which, b.a.data(), rows);
  }
};

struct SweepsOfLane final : SparseLaneSolver {
  SparseSolver& sparse;
  const SparseLimits& limits;
  int iterations = 0;

  SweepsOfLane(SparseSolver& s, const SparseLimits& l) : sparse(s), limits(l) {}
  void solve(int, SparseProblem& problem) override {
    iterations = std::max(iterations, sparse.solve(problem, limits).iterations);
  }
};

}  // namespace

template <Real S>
SweepWork<S>::SweepWork(const Model& model) : node(model.links.size()), loose(model.links.size()), du(model.nu) {
  for (int i = 0; i < model.link_count(); i++) {
    const Link& l = model.links[i];
    loose[i] = l.kind == JointKind::Free && l.parent < 0 && l.leaf && !l.driven;
    if (l.joint >= 0) loose[i] = loose[i] && !model.joints[l.joint].has_spring && !model.joints[l.joint].has_servo;
  }
  for (const AxisRowInfo& row : model.axis_rows)
    if (model.joints[row.joint].link >= 0) loose[model.joints[row.joint].link] = false;
  // what most models need; piles of thousands grow into theirs
  const int contacts = std::min(model.n_slots, 2000);
  int freedoms = 0;  // of all trees
  for (int i = 0; i < model.link_count(); i++)
    if (!loose[i]) freedoms += joint::freedom_count(model.links[i].kind);
  const std::size_t rows = 6 * std::size_t(std::min(contacts, 50)) + model.axis_rows.size();
  pool.reserve(2 * rows * freedoms);
  problem.pool.reserve(2 * rows * freedoms);
  problem.reserve(contacts, int(model.axis_rows.size()), model.link_count(), model.nu);
  solver.reserve(contacts, int(model.axis_rows.size()), model.link_count(), model.nu);
  at.reserve(2 * (std::size_t(contacts) + model.axis_rows.size()));
}

template <Real S>
void solve_sparsely(const FactoredRobot<S>& robot, SparseLaneSolver& solver, Mask<S> which, Rows<S>& rows,
                    SweepWork<S>& work, S* u_E) {
  SINEW_ASSERT(!robot.model.has_rows());  // their rows are no part of a sweep
  SINEW_ASSERT(work.node.size() == robot.model.links.size() && int(work.du.size()) == robot.model.nu);
  SINEW_ASSERT(robot.model.nu == 0 || u_E);
  Sweeping<S> sweeping{robot.model, robot.frames, rows, work, robot.blocks};
  sweeping.number_nodes();
  sweeping.add_trees();
  for (int k = 0; k < lanes_of<S>; k++) {
    if (!lane(which, k)) continue;
    sweeping.extract(k);
    solver.solve(k, work.problem);
    sweeping.put_back(k);
  }
  sweeping.respond(which, u_E);
}

template <Real S>
SolveReport solve_by_sweeps(const FactoredRobot<S>& robot, Mask<S> which, const SparseLimits& limits, Rows<S>& rows,
                            SweepWork<S>& work, S* u_E) {
  SweepsOfLane solver(work.solver, limits);
  solve_sparsely(robot, solver, which, rows, work, u_E);
  SolveReport report;
  report.iterations = solver.iterations;
  certify(rows, report);
  report.converged = report.residual <= limits.tolerance;
  return report;
}

#define SINEW_INSTANTIATE_SWEEPS(S)                                                                                    \
  template struct SweepWork<S>;                                                                                        \
  template void solve_sparsely(const FactoredRobot<S>&, SparseLaneSolver&, Mask<S>, Rows<S>&, SweepWork<S>&, S*);      \
  template SolveReport solve_by_sweeps(const FactoredRobot<S>&, Mask<S>, const SparseLimits&, Rows<S>&, SweepWork<S>&, \
                                       S*);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_SWEEPS)

}  // namespace sinew
