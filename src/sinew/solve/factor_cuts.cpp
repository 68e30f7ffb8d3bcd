// The rows' own system, block by block: two rows meet in it only where an impulse on one moves a body of the other.
#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/solve/cuts.h"
#include "sinew/solve/redundant.h"

namespace sinew {

using joint::Dir;

namespace {

// Of the combination of iterates (n + 1) P_n - n P_(n+1) that solve_cuts takes, see solve/redundant.h.
constexpr int iterates = 4;  // n

// Wrench of a unit impulse on the body whose origin is at -arm from F's.
template <Real S>
Wrench<S> unit_wrench(const Vec3<S>& e, Dir dir, const Vec3<S>& arm) {
  return dir == Dir::Angular ? Wrench<S>{e, Vec3<S>::zero()} : Wrench<S>{cross(arm, e), e};
}

// An impulse P on the row of coupling k as loads of solve_impulse.
template <Real S>
void push_coupling(const Model& model, int k, const Cuts<S>& cuts, const S& P, Blocks<S>& b) {
  spread_coupling(model, k, cuts.sides, P, [&](int body, const Wrench<S>& W) {
    b.p[body].n -= W.n;
    b.p[body].f -= W.f;
  });
}

// Response of the trees of a block to a unit impulse on its row r: velocity changes in blocks.a and cuts.du.
template <Real S>
void unit_response(const Model& model, const Frames<S>& frames, int block, int r, Blocks<S>& b, Cuts<S>& cuts) {
  for (const int root : cuts.trees[block])
    for (int i = root; i < model.links[root].tree_end; i++) b.p[i] = Wrench<S>::zero();
  const int n_cuts = int(model.cuts.size());
  if (block < n_cuts) {
    const Cut& cut = model.cuts[block];
    const CutRows<S>& rows = cuts.rows[block];
    SINEW_ASSERT(r >= 0 && r < cut.n_rows);
    const auto push = [&](int body, const Vec3<S>& arm, S sign) {
      const Wrench<S> F = unit_wrench(rows.e[r], rows.dir[r], arm);
      b.p[body].n -= F.n * sign;
      b.p[body].f -= F.f * sign;
    };
    push(cut.body2, rows.arm2, S(1.0));
    if (cut.body1 >= 0) push(cut.body1, rows.arm1, S(-1.0));
  } else {
    push_coupling(model, block - n_cuts, cuts, S(1.0), b);
  }
  for (const int root : cuts.trees[block])
    solve_impulse(model, frames, root, model.links[root].tree_end, b, cuts.du.data());
}

// Velocities of the rows of a block where only the pushed trees have moved: other links have old numbers, which must not count.
template <Real S>
void moved_rows(const Model& model, int block, const Blocks<S>& b, Cuts<S>& cuts, S* gamma) {
  const auto has_moved = [&](int body) { return body >= 0 && cuts.is_pushed[model.links[body].root]; };
  const int n_cuts = int(model.cuts.size());
  if (block >= n_cuts) {
    const Coupling& c = model.couplings[block - n_cuts];
    for (int t = c.term; t < c.term + c.n_terms; t++)
      for (const int body : {model.coupling_terms[t].body1, model.coupling_terms[t].body2})
        if (body >= 0) cuts.seen_V[body] = has_moved(body) ? b.a[body] : Twist<S>::zero();
    gamma[0] = coupling_velocity(model, block - n_cuts, cuts.sides, cuts.seen_V.data());
    return;
  }
  const Cut& cut = model.cuts[block];
  const CutRows<S>& rows = cuts.rows[block];
  Twist<S> rel = Twist<S>::zero();
  if (has_moved(cut.body2)) rel = shift_to_child(b.a[cut.body2], rows.arm2);
  if (has_moved(cut.body1)) rel = rel - shift_to_child(b.a[cut.body1], rows.arm1);
  for (int r = 0; r < cut.n_rows; r++) gamma[r] = row_dot(rows.e[r], rows.dir[r], rel);
}

// What the compliance of two axes of one joint has between them (solve/axis_inertia.h).
template <Real S>
void add_between_axes(const Model& model, const BlockPattern::Column& column, Cuts<S>& cuts) {
  if (column.block >= int(model.cuts.size())) return;
  const Cut& cut = model.cuts[column.block];
  if (cut.n_rows != cut.n_ideal + 2) return;
  const int first = column.diagonal + cut.n_ideal * (cut.n_rows + 1);
  const S& coupling = cuts.compliance[model.n_rows + column.block];
  cuts.G.values[first + 1] += coupling;
  cuts.G.values[first + cut.n_rows] += coupling;
}

}  // namespace

template <Real S>
void factor_cuts(const Model& model, const Frames<S>& frames, Blocks<S>& b, Cuts<S>& cuts) {
  SINEW_ASSERT(cuts.pattern.n_rows == model.n_rows && cuts.rows.size() == model.cuts.size());
  SINEW_ASSERT(int(cuts.du.size()) == model.nu && int(cuts.shift.size()) == model.n_rows);
  const BlockPattern& pattern = cuts.pattern;
  cuts.G.clear();
  for (const auto& column : pattern.columns) {
    const int n = pattern.size[column.block], first = pattern.first[column.block];
    for (const int root : cuts.trees[column.block]) cuts.is_pushed[root] = true;
    for (int c = 0; c < n; c++) {
      unit_response(model, frames, column.block, c, b, cuts);
      const auto fill = [&](int block, int offset) {
        S gamma[6] = {};
        moved_rows(model, block, b, cuts, gamma);
        for (int r = 0; r < pattern.size[block]; r++) cuts.G.values[offset + r * n + c] = gamma[r];
      };
      fill(column.block, column.diagonal);
      cuts.G.values[column.diagonal + c * n + c] += cuts.compliance[first + c];
      for (const auto& e : column.below) fill(e.row, e.offset);
    }
    add_between_axes(model, column, cuts);
    for (const int root : cuts.trees[column.block]) cuts.is_pushed[root] = false;
  }
  choose_shifts(model, cuts);
  cuts.G.factor(pattern, cuts.shift.data());
}

namespace {

template <Real S, Real F>
void solve_cuts_by(const BlockLdlt<F>& G, const Model& model, const Frames<S>& frames, Blocks<S>& b, Cuts<S>& cuts) {
  SINEW_ASSERT(int(cuts.rhs.size()) == model.n_rows && int(cuts.P.size()) == model.n_rows);
  SINEW_ASSERT(b.p.size() == model.links.size() && int(cuts.du.size()) == model.nu);
  for (S& x : cuts.rhs) x = -x;
  cuts.G.solve_by(G, cuts.pattern, iterates - 1, cuts.rhs.data(), cuts.P.data());
  cuts.G.solve_by(G, cuts.pattern, 0, cuts.rhs.data(), cuts.last.data());  // P_(n+1) - P_n
  for (int r = 0; r < model.n_rows; r++) cuts.P[r] -= S(double(iterates)) * cuts.last[r];
  std::fill(b.p.begin(), b.p.end(), Wrench<S>::zero());
  for (std::size_t i = 0; i < model.cuts.size(); i++) {
    const Cut& cut = model.cuts[i];
    const CutRows<S>& rows = cuts.rows[i];
    const Wrench<S> F_2 = cut_impulse(cut, rows, cuts.P.data());
    const Wrench<S> on_2 = shift_to_parent(F_2, rows.arm2), on_1 = shift_to_parent(F_2, rows.arm1);
    b.p[cut.body2].n -= on_2.n;
    b.p[cut.body2].f -= on_2.f;
    if (cut.body1 >= 0) b.p[cut.body1] += on_1;
  }
  for (int k = 0; k < int(model.couplings.size()); k++)
    push_coupling(model, k, cuts, cuts.P[model.couplings[k].row], b);
  solve_impulse(model, frames, 0, model.link_count(), b, cuts.du.data());
}

}  // namespace

template <Real S>
void solve_cuts(const Model& model, const Frames<S>& frames, Blocks<S>& b, Cuts<S>& cuts) {
  solve_cuts_by(cuts.G, model, frames, b, cuts);
}
void solve_cuts(const Model& model, const BlockLdlt<double>& G, const Frames<Lanes>& frames, Blocks<Lanes>& b,
                Cuts<Lanes>& cuts) {
  solve_cuts_by(G, model, frames, b, cuts);
}

#define SINEW_INSTANTIATE_FACTOR_CUTS(S)                                           \
  template void factor_cuts(const Model&, const Frames<S>&, Blocks<S>&, Cuts<S>&); \
  template void solve_cuts(const Model&, const Frames<S>&, Blocks<S>&, Cuts<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_FACTOR_CUTS)

}  // namespace sinew
