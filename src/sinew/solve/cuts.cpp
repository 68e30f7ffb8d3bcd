// Block by block: two rows meet in their system only where an impulse on one moves a body of the other.
#include "sinew/solve/cuts.h"

#include <algorithm>
#include <numbers>

#include "sinew/math/check.h"
#include "sinew/solve/axis_inertia.h"
#include "sinew/solve/redundant.h"

namespace sinew {

namespace {

// Roots of the trees whose bodies each cut, and then each coupling, pushes.
std::vector<std::vector<int>> pushed_trees(const Model& model) {
  std::vector<std::vector<int>> out;
  const auto add = [&](int body) {
    if (body < 0 || std::ranges::find(out.back(), model.links[body].root) != out.back().end()) return;
    out.back().push_back(model.links[body].root);
  };
  for (const Cut& cut : model.cuts) {
    out.emplace_back();
    add(cut.body2);
    add(cut.body1);
  }
  for (const Coupling& c : model.couplings) {
    out.emplace_back();
    for (int t = c.term; t < c.term + c.n_terms; t++) {
      add(model.coupling_terms[t].body2);
      add(model.coupling_terms[t].body1);
    }
  }
  return out;
}

// Blocks of rows meet when an impulse on one moves a body of the other: when they share a tree.
std::vector<std::vector<int>> neighbours_of(const Model& model) {
  const auto trees = pushed_trees(model);
  std::vector<std::vector<int>> by_tree(model.links.size()), out(trees.size());
  for (std::size_t i = 0; i < trees.size(); i++)
    for (const int root : trees[i]) by_tree[root].push_back(int(i));
  for (const auto& tree : by_tree)
    for (int i : tree)
      for (int j : tree)
        if (i != j) out[i].push_back(j);
  for (auto& list : out) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return out;
}

std::vector<int> row_counts(const Model& model) {
  std::vector<int> sizes;
  for (const Cut& cut : model.cuts) sizes.push_back(cut.n_rows);
  sizes.resize(model.cuts.size() + model.couplings.size(), 1);
  return sizes;
}

template <Real S>
Pose<S> joint_frame(const Cut& cut, const CutParams<S>& p, const Frames<S>& frames) {
  SINEW_ASSERT(cut.body1 < int(frames.link.size()) && cut.body2 >= 0 && cut.body2 < int(frames.link.size()));
  return cut.body1 < 0 ? p.X_1J : frames.link[cut.body1].X * p.X_1J;
}

}  // namespace

template <Real S>
Cuts<S>::Cuts(const Model& model)
    : pattern(row_counts(model), neighbours_of(model)),
      G(pattern),
      rows(model.cuts.size()),
      sides(model.coupling_terms.size()),
      seen_sides(model.coupling_terms.size()),
      seen_V(model.links.size()),
      trees(pushed_trees(model)),
      is_pushed(model.links.size()),
      shift(model.n_rows),
      bias(model.n_rows, S(0.0)),
      compliance(std::size_t(model.n_rows) + model.cuts.size(), S(0.0)),
      gamma_A(model.n_rows),
      gap(model.n_rows),
      want(model.n_rows, S(0.0)),
      want_rate(model.n_rows, S(0.0)),
      rhs(model.n_rows),
      P(model.n_rows, S(0.0)),
      last(model.n_rows),
      du(model.nu) {}

namespace {

template <Real S>
void place_cut(const Model& model, const CutParams<S>& p, const Frames<S>& frames, const Cut& cut, bool with_springs,
               CutRows<S>& out) {
  const Pose<S> X_WJ = joint_frame(cut, p, frames), X_WF = frames.link[cut.body2].X * p.X_2F;
  out.R_WJ = X_WJ.R;
  out.R_WF = X_WF.R;
  out.X_JF = {transpose_times(X_WJ.R, X_WF.R), transpose_times(X_WJ.R, X_WF.p - X_WJ.p)};
  out.arm1 = cut.body1 < 0 ? X_WF.p : X_WF.p - frames.link[cut.body1].X.p;
  out.arm2 = X_WF.p - frames.link[cut.body2].X.p;
  const bool axes_active = model.joints[cut.joint].driven || with_springs;
  joint::visit(cut.kind, [&]<class J>() {
    constexpr int n_ideal = 6 - J::nu;
    J::rows(X_WJ.R, X_WF.R, out.e.data());
    for (int r = 0; r < n_ideal; r++) out.dir[r] = J::row_dirs[r];
    if (cut.n_rows == n_ideal) return;
    J::axes(X_WJ.R, X_WF.R, out.e.data() + n_ideal);
    for (int r = 0; r < J::nu; r++) {
      out.dir[n_ideal + r] = J::dirs[r];
      if (!axes_active) out.e[n_ideal + r] = Vec3<S>::zero();
    }
  });
}

}  // namespace

template <Real S>
void place_cuts(const Model& model, const Params<S>& params, const Frames<S>& frames, bool with_springs,
                Cuts<S>& cuts) {
  SINEW_ASSERT(params.cuts.size() == model.cuts.size() && cuts.rows.size() == model.cuts.size());
  SINEW_ASSERT(frames.link.size() == model.links.size() && int(cuts.bias.size()) == model.n_rows);
  std::fill(cuts.compliance.begin(), cuts.compliance.end(), S(0.0));
  std::fill(cuts.bias.begin(), cuts.bias.end(), S(0.0));
  for (std::size_t i = 0; i < model.cuts.size(); i++) {
    place_cut(model, params.cuts[i], frames, model.cuts[i], with_springs, cuts.rows[i]);
    own_mobility(model.cuts[i], params, cuts.rows[i].linear, cuts.rows[i].angular);
  }
  for (const ReflectedInfo& info : model.reflected)
    if (is_cut(info)) hold_axes<S>(model, frames, info, nullptr, cuts);
  place_couplings(model, params, frames, cuts.sides);
}

template <Real S>
Twist<S> relative_velocity(const Cut& cut, const CutRows<S>& rows, const Twist<S>* V) {
  const Twist<S> V2 = shift_to_child(V[cut.body2], rows.arm2);
  return cut.body1 < 0 ? V2 : V2 - shift_to_child(V[cut.body1], rows.arm1);
}

template <Real S>
void row_velocities(const Model& model, const Cuts<S>& cuts, const Twist<S>* V, S* gamma) {
  SINEW_ASSERT(cuts.rows.size() == model.cuts.size() && (model.n_rows == 0 || (V && gamma)));
  for (std::size_t i = 0; i < model.cuts.size(); i++) {
    const Cut& cut = model.cuts[i];
    const CutRows<S>& rows = cuts.rows[i];
    const Twist<S> rel = relative_velocity(cut, rows, V);
    for (int r = 0; r < cut.n_rows; r++) gamma[cut.row + r] = row_dot(rows.e[r], rows.dir[r], rel);
  }
  for (int k = 0; k < int(model.couplings.size()); k++)
    gamma[model.couplings[k].row] = coupling_velocity(model, k, cuts.sides, V);
}

namespace {

// e_rate . rel of the rows, and of the axes where they are rows as well, that turn as seen from body 1
template <class J, Real S>
void add_turning(const Cut& cut, const CutRows<S>& rows, const Twist<S>& rel, S* gamma_rate) {
  Vec3<S> e_rate[6];
  if constexpr (!J::turning_rows.empty()) {
    J::rows_rate(rows.R_WJ, rows.R_WF, rel.w, e_rate);
    for (const int r : J::turning_rows) gamma_rate[r] += row_dot(e_rate[r], J::row_dirs[r], rel);
  }
  if constexpr (!J::turning_axes.empty()) {
    if (cut.n_rows == cut.n_ideal) return;
    J::axes_rate(rows.R_WJ, rows.R_WF, rel.w, e_rate);
    for (const int i : J::turning_axes) gamma_rate[cut.n_ideal + i] += row_dot(e_rate[i], J::dirs[i], rel);
  }
}

}  // namespace

// gamma = e . rel, e fixed in body 1 but for rows_rate:  d/dt gamma = e . (d/dt rel - w_1 x rel) + e_rate . rel
//   d/dt rel.v = a_2(F) - a_1(F) - w_1 x rel.v, where a_1(F) moves with body 1's material point at F's place
template <Real S>
void row_accelerations(const Model& model, const Frames<S>& frames, const Cuts<S>& cuts, const Twist<S>* a,
                       S* gamma_rate) {
  SINEW_ASSERT(cuts.rows.size() == model.cuts.size() && frames.link.size() == model.links.size());
  SINEW_ASSERT(model.n_rows == 0 || (a && gamma_rate));
  const auto at_F = [](const Twist<S>& acc, const Vec3<S>& w, const Vec3<S>& arm) {
    return Twist<S>{acc.w, acc.v + cross(acc.w, arm) + cross(w, cross(w, arm))};
  };
  for (std::size_t i = 0; i < model.cuts.size(); i++) {
    const Cut& cut = model.cuts[i];
    const CutRows<S>& rows = cuts.rows[i];
    const Frame<S>& F2 = frames.link[cut.body2];
    Twist<S> rel = shift_to_child(F2.V, rows.arm2);
    Twist<S> rate = at_F(a[cut.body2], F2.V.w, rows.arm2);
    if (cut.body1 >= 0) {
      const Frame<S>& F1 = frames.link[cut.body1];
      const Twist<S> a1 = at_F(a[cut.body1], F1.V.w, rows.arm1);
      rel = rel - shift_to_child(F1.V, rows.arm1);
      // twice w_1 x rel.v (Coriolis): once because F moves over body 1, once because e turns with body 1
      rate = {rate.w - a1.w - cross(F1.V.w, rel.w), rate.v - a1.v - cross(F1.V.w, rel.v) * S(2.0)};
    }
    for (int r = 0; r < cut.n_rows; r++) gamma_rate[cut.row + r] = row_dot(rows.e[r], rows.dir[r], rate);
    joint::visit(cut.kind, [&]<class J>() { add_turning<J>(cut, rows, rel, gamma_rate + cut.row); });
  }
  for (int k = 0; k < int(model.couplings.size()); k++)
    gamma_rate[model.couplings[k].row] = coupling_acceleration(model, k, frames, cuts.sides, a);
}

template <Real S>
S row_gaps(const Model& model, const Params<S>& params, const Frames<S>& frames, const Prescribed<S>& driven,
           Cuts<S>& cuts) {
  SINEW_ASSERT(params.cuts.size() == model.cuts.size() && int(cuts.gap.size()) == model.n_rows);
  S* const gap = cuts.gap.data();
  S largest = S(0.0);
  for (std::size_t i = 0; i < model.cuts.size(); i++) {
    const Cut& cut = model.cuts[i];
    const Pose<S> X_WJ = joint_frame(cut, params.cuts[i], frames);
    const Pose<S> X_WF = frames.link[cut.body2].X * params.cuts[i].X_2F;
    const Pose<S> X_JF{transpose_times(X_WJ.R, X_WF.R), transpose_times(X_WJ.R, X_WF.p - X_WJ.p)};
    const JointInfo& info = model.joints[cut.joint];
    joint::visit(cut.kind, [&]<class J>() {
      S* g = gap + cut.row;
      J::gap(X_JF, g);
      if (cut.n_rows == cut.n_ideal) return;
      std::fill(g + cut.n_ideal, g + cut.n_rows, S(0.0));
      if (!info.driven) return;
      S q[J::nq + 1], q_d[J::nq + 1], u[J::nu + 1], u_rate[J::nu + 1];
      J::coordinates(X_JF, q);
      J::prescribe(&driven.motion[info.motion], &driven.motion_rate[info.motion], &driven.motion_accel[info.motion],
                   q_d, u, u_rate);
      J::displacement(q, q_d, g + cut.n_ideal);
      for (int a : J::angles) g[cut.n_ideal + a] = wrap_angle(g[cut.n_ideal + a]);
    });
    for (int r = 0; r < cut.n_rows; r++) largest = max(largest, abs(gap[cut.row + r]));
  }
  place_couplings(model, params, frames, cuts.seen_sides);
  for (int k = 0; k < int(model.couplings.size()); k++) {
    gap[model.couplings[k].row] = coupling_gap(model, k, params, cuts.seen_sides);
    largest = max(largest, abs(gap[model.couplings[k].row]));
  }
  return largest;
}

template <Real S>
void row_velocity_errors(const Model& model, const Params<S>& params, const Frames<S>& frames,
                         const Prescribed<S>& driven, Cuts<S>& cuts, S* error) {
  SINEW_ASSERT(params.cuts.size() == model.cuts.size() && (model.n_rows == 0 || error));
  driven_rows(model, driven, cuts.want.data(), cuts.want_rate.data());
  for (std::size_t i = 0; i < model.cuts.size(); i++) {
    const Cut& cut = model.cuts[i];
    CutRows<S> rows = cuts.rows[i];
    place_cut(model, params.cuts[i], frames, cut, false, rows);
    Twist<S> rel = shift_to_child(frames.link[cut.body2].V, rows.arm2);
    if (cut.body1 >= 0) rel = rel - shift_to_child(frames.link[cut.body1].V, rows.arm1);
    for (int r = 0; r < cut.n_rows; r++)
      error[cut.row + r] = row_dot(rows.e[r], rows.dir[r], rel) - cuts.want[cut.row + r];
  }
  if (model.couplings.empty()) return;
  place_couplings(model, params, frames, cuts.seen_sides);
  for (int i = 0; i < model.link_count(); i++) cuts.seen_V[i] = frames.link[i].V;
  for (int k = 0; k < int(model.couplings.size()); k++)
    error[model.couplings[k].row] = coupling_velocity(model, k, cuts.seen_sides, cuts.seen_V.data());
}

template <Real S>
void driven_rows(const Model& model, const Prescribed<S>& driven, S* velocity, S* acceleration) {
  SINEW_ASSERT(int(driven.motion.size()) == model.n_motions && (model.n_rows == 0 || (velocity && acceleration)));
  if (!model.has_driven) return;
  for (const Cut& cut : model.cuts) {
    const JointInfo& info = model.joints[cut.joint];
    if (!info.driven) continue;
    joint::visit(cut.kind, [&]<class J>() {
      S q[J::nq + 1], u[J::nu + 1], u_rate[J::nu + 1];
      J::prescribe(&driven.motion[info.motion], &driven.motion_rate[info.motion], &driven.motion_accel[info.motion], q,
                   u, u_rate);
      std::copy_n(u, J::nu, velocity + cut.row + cut.n_ideal);
      std::copy_n(u_rate, J::nu, acceleration + cut.row + cut.n_ideal);
    });
  }
}

template <Real S>
void add_row_wrenches(const Model& model, const Params<S>& params, const Frames<S>& frames, const Cuts<S>& cuts,
                      S scale, std::vector<Wrench<S>>& wrenches) {
  SINEW_ASSERT(wrenches.size() == model.links.size() && int(cuts.P.size()) == model.n_rows);
  for (std::size_t i = 0; i < model.cuts.size(); i++) {
    const Cut& cut = model.cuts[i];
    const Wrench<S> F = cut_impulse(cut, cuts.rows[i], cuts.P.data());
    const auto add = [&](int body, const Vec3<S>& arm, S factor) {
      if (body < 0) return;
      const Vec3<S> from_com = arm - frames.link[body].X.R * params.links[body].c_F;
      wrenches[body].f += F.f * factor;
      wrenches[body].n += (F.n + cross(from_com, F.f)) * factor;
    };
    add(cut.body2, cuts.rows[i].arm2, scale);
    add(cut.body1, cuts.rows[i].arm1, -scale);
  }
  for (int k = 0; k < int(model.couplings.size()); k++) {
    const S P = cuts.P[model.couplings[k].row] * scale;
    spread_coupling(model, k, cuts.sides, P, [&](int body, const Wrench<S>& W) {
      wrenches[body].f += W.f;
      wrenches[body].n += W.n - cross(frames.link[body].X.R * params.links[body].c_F, W.f);
    });
  }
}

template <Real S>
void cut_coordinates(const Cut& cut, const CutRows<S>& rows, S* q) {
  joint::visit(cut.kind, [&]<class J>() { J::coordinates(rows.X_JF, q); });
}

#define SINEW_INSTANTIATE_CUTS(S)                                                                                     \
  template struct Cuts<S>;                                                                                            \
  template void place_cuts(const Model&, const Params<S>&, const Frames<S>&, bool, Cuts<S>&);                         \
  template Twist<S> relative_velocity(const Cut&, const CutRows<S>&, const Twist<S>*);                                \
  template void row_velocities(const Model&, const Cuts<S>&, const Twist<S>*, S*);                                    \
  template void row_accelerations(const Model&, const Frames<S>&, const Cuts<S>&, const Twist<S>*, S*);               \
  template S row_gaps(const Model&, const Params<S>&, const Frames<S>&, const Prescribed<S>&, Cuts<S>&);              \
  template void row_velocity_errors(const Model&, const Params<S>&, const Frames<S>&, const Prescribed<S>&, Cuts<S>&, \
                                    S*);                                                                              \
  template void driven_rows(const Model&, const Prescribed<S>&, S*, S*);                                              \
  template void add_row_wrenches(const Model&, const Params<S>&, const Frames<S>&, const Cuts<S>&, S,                 \
                                 std::vector<Wrench<S>>&);                                                            \
  template void cut_coordinates(const Cut&, const CutRows<S>&, S*);

SINEW_FOR_SCALARS(SINEW_INSTANTIATE_CUTS)

}  // namespace sinew
