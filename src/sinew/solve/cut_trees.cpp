// Elimination of bodies with their joints, leaves first; no fill, because a body has one joint left when its turn comes.
#include "sinew/solve/cut_trees.h"

#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/math/small_solve.h"

namespace sinew {

using joint::Dir;

namespace {

constexpr int most_columns = 12;  // of a joint: six rows, and stiffness along its axes

// Nothing but rows of cut joints is between a body and all others: no force on the axes of its free joint that the body's own block
// would not know.
bool is_free(const Model& model, const Link& link) {
  if (link.parent >= 0 || link.kind != JointKind::Free || link.driven) return false;
  return link.joint < 0 || !model.joints[link.joint].has_spring;
}

// A joint that leaves no motion, welded or driven, passes the stiffness of contacts on in all directions: what round-off leaves of it
// would be as large as a certificate.
bool holds_all_six(const Model& model, const Cut& cut) { return cut.n_ideal == 6 || model.joints[cut.joint].driven; }

bool all_free(const Model& model) {
  return model.couplings.empty() &&
         std::ranges::none_of(model.cuts, [&](const Cut& cut) { return holds_all_six(model, cut); }) &&
         std::ranges::all_of(model.links, [&](const Link& link) { return is_free(model, link); }) &&
         std::ranges::all_of(model.axis_rows, [&](const AxisRowInfo& row) { return model.joints[row.joint].cut >= 0; });
}

int columns_of(const Model& model, const Cut& cut) { return cut.n_rows + model.joints[cut.joint].n_axes; }

}  // namespace

CutTrees::CutTrees(const Model& model) {
  if (model.cuts.empty() || !all_free(model)) return;
  const int n = model.link_count();
  std::vector<std::vector<int>> cuts_of(n + 1);  // of each body; the world is the last
  const auto place = [n](int body) { return body < 0 ? n : body; };
  for (int k = 0; k < int(model.cuts.size()); k++)
    for (int body : {model.cuts[k].body1, model.cuts[k].body2}) cuts_of[place(body)].push_back(k);
  std::vector<bool> seen(n + 1, false);
  std::vector<int> reached;
  const auto walk = [&](int root) {
    seen[root] = true;
    reached.assign(1, root);
    for (std::size_t i = 0; i < reached.size(); i++)
      for (int k : cuts_of[reached[i]]) {
        const int body1 = place(model.cuts[k].body1), other = body1 == reached[i] ? model.cuts[k].body2 : body1;
        if (seen[other]) continue;
        seen[other] = true;
        reached.push_back(other);
        joints.push_back({k, other, reached[i] == n ? world_body : reached[i], n_columns});
        n_columns += columns_of(model, model.cuts[k]);
      }
  };
  walk(n);
  for (int i = 0; i < n; i++) {
    if (seen[i]) continue;
    roots.push_back(i);
    walk(i);
  }
  std::reverse(joints.begin(), joints.end());
  hold_all = joints.size() == model.cuts.size();
}

template <Real S>
CutTreesWork<S>::CutTreesWork(const Model& model)
    : trees(model),
      axis(model.n_axes),
      X(trees.n_columns),
      Y(trees.n_columns),
      P(trees.n_columns),
      n(trees.joints.size()),
      alone(trees.joints.size()) {}

template <Real S>
void release_axes(CutTreesWork<S>& work) {
  for (auto& a : work.axis) a.stiff = S(0.0);
}

namespace {

// I^-1 by blocks of three, without pivoting: I is a mass with a smaller unsymmetric part.
template <Real S>
struct Inverse6 {
  Mat3<S> A, C, G, E;

  SINEW_INLINE explicit Inverse6(const Block6<S>& I) : C(inverse(I.C)), E(I.E) {
    G = I.B * C;
    const Mat3<S> GE = G * E;
    A = inverse(Mat3<S>{I.A.col(0) - GE.col(0), I.A.col(1) - GE.col(1), I.A.col(2) - GE.col(2)});
  }
  SINEW_INLINE Twist<S> operator*(const Wrench<S>& F) const {
    const Vec3<S> w = A * (F.n - G * F.f);
    return {w, C * (F.f - E * w)};
  }
};

template <Real S>
void add_outer(const Wrench<S>& a, const Wrench<S>& b, Block6<S>& I) {
  for (int k = 0; k < 3; k++) {
    I.A.col(k) += a.n * b.n[k];
    I.B.col(k) += a.n * b.f[k];
    I.E.col(k) += a.f * b.n[k];
    I.C.col(k) += a.f * b.f[k];
  }
}

// Unit impulses of a joint on its two bodies, about their origins, and how far each row gives way.
template <Real S>
struct Columns {
  int n = 0;
  Wrench<S> child[most_columns], parent[most_columns];
  S give[most_columns];

  void add(const CutTrees::Joint& joint, const Cut& cut, const CutRows<S>& rows, const Vec3<S>& e, Dir dir, S gives) {
    SINEW_ASSERT(n < most_columns);
    const auto unit = [&](const Vec3<S>& d, const Vec3<S>& arm) {
      return dir == Dir::Angular ? Wrench<S>{d, Vec3<S>::zero()} : Wrench<S>{cross(arm, d), d};
    };
    const Wrench<S> on_2 = unit(e, rows.arm2), on_1 = unit(-e, rows.arm1);
    child[n] = joint.child == cut.body2 ? on_2 : on_1;
    parent[n] = joint.child == cut.body2 ? on_1 : on_2;
    give[n++] = gives;
  }
};

// D <- D^-1, Gauss and Jordan. A row that rests has nothing but zeros.
template <Real S>
void invert(int n, S* D) {
  for (int k = 0; k < n; k++) {
    S* row = D + k * n;
    const S pivot = S(1.0) / select(abs(row[k]) > S(0.0), row[k], S(1.0));
    row[k] = S(1.0);
    for (int c = 0; c < n; c++) row[c] *= pivot;
    for (int r = 0; r < n; r++) {
      if (r == k) continue;
      const S f = D[r * n + k];
      D[r * n + k] = S(0.0);
      for (int c = 0; c < n; c++) D[r * n + c] -= f * row[c];
    }
  }
}

template <Real S>
void find_columns(const Model& model, const Cuts<S>& cuts, const CutTreesWork<S>& w, const CutTrees::Joint& joint,
                  Columns<S>& out) {
  const Cut& cut = model.cuts[joint.cut];
  const CutRows<S>& rows = cuts.rows[joint.cut];
  for (int r = 0; r < cut.n_rows; r++) out.add(joint, cut, rows, rows.e[r], rows.dir[r], cuts.compliance[cut.row + r]);
  const JointInfo& info = model.joints[cut.joint];
  for (int c = 0; c < info.n_axes; c++) {
    const auto& a = w.axis[info.axis + c];
    const auto holds = a.stiff > S(0.0);
    if (!any(holds)) continue;
    const S one = select(holds, S(1.0), S(0.0));
    out.add(joint, cut, rows, a.e * one, a.dir, one / select(holds, a.stiff, S(1.0)));
  }
}

template <Real S>
void eliminate(const Model& model, const Cuts<S>& cuts, int at, CutTreesWork<S>& w, UnsymmetricWork<S>& links) {
  const CutTrees::Joint& joint = w.trees.joints[at];
  Columns<S> G;
  find_columns(model, cuts, w, joint, G);
  const int n = G.n;
  Twist<S>* X = w.X.data() + joint.first;
  Wrench<S>* Y = w.Y.data() + joint.first;
  const Inverse6<S> inverse_I(links.I[joint.child]);
  const Twist<S> own = inverse_I * links.p[joint.child];
  S L[most_columns * most_columns], y[most_columns];
  for (int c = 0; c < n; c++) {
    X[c] = inverse_I * G.child[c];
    for (int r = 0; r < n; r++) L[r * n + c] = power(G.child[r], X[c]);
    L[c * n + c] += G.give[c];
    y[c] = power(G.child[c], own);
  }
  const Cut& cut = model.cuts[joint.cut];
  if (const int a = cut.n_ideal; cut.n_rows == a + 2) {
    const S& coupling = cuts.compliance[model.n_rows + joint.cut];
    L[a * n + a + 1] += coupling;
    L[(a + 1) * n + a] += coupling;
  }
  invert(n, L);
  Twist<S> alone{-own.w, -own.v};
  for (int r = 0; r < n; r++) {
    S sum = S(0.0);
    Y[r] = Wrench<S>::zero();
    for (int c = 0; c < n; c++) {
      sum += L[r * n + c] * y[c];
      Y[r].n += G.parent[c].n * L[r * n + c];
      Y[r].f += G.parent[c].f * L[r * n + c];
    }
    w.P[joint.first + r] = sum;
    alone.w += X[r].w * sum;
    alone.v += X[r].v * sum;
    if (joint.parent < 0) continue;
    add_outer(G.parent[r], Y[r], links.I[joint.parent]);
    links.p[joint.parent].n -= G.parent[r].n * sum;
    links.p[joint.parent].f -= G.parent[r].f * sum;
  }
  w.alone[at] = alone;
  w.n[at] = n;
}

}  // namespace

template <Real S>
void solve_cut_trees(const Model& model, const Cuts<S>& cuts, CutTreesWork<S>& w, UnsymmetricWork<S>& links) {
  SINEW_ASSERT(w.trees.hold_all && cuts.rows.size() == model.cuts.size());
  SINEW_ASSERT(links.I.size() == model.links.size() && links.change.size() == model.links.size());
  const int n = int(w.trees.joints.size());
  for (int i = 0; i < n; i++) eliminate(model, cuts, i, w, links);
  for (int root : w.trees.roots) {
    const Twist<S> back = Inverse6<S>(links.I[root]) * links.p[root];
    links.change[root] = {-back.w, -back.v};
  }
  for (int i = n - 1; i >= 0; i--) {
    const CutTrees::Joint& joint = w.trees.joints[i];
    Twist<S> V = w.alone[i];
    if (joint.parent >= 0) {
      for (int c = joint.first; c < joint.first + w.n[i]; c++) {
        const S x = power(w.Y[c], links.change[joint.parent]);
        w.P[c] -= x;
        V.w -= w.X[c].w * x;
        V.v -= w.X[c].v * x;
      }
    }
    links.change[joint.child] = V;
  }
}

template <Real S>
void read_cut_trees(const Model& model, const Frames<S>& frames, const CutTreesWork<S>& w,
                    const UnsymmetricWork<S>& links, S* P, S* du) {
  SINEW_ASSERT(w.trees.hold_all && P && du && links.change.size() == model.links.size());
  for (const CutTrees::Joint& joint : w.trees.joints) {
    const Cut& cut = model.cuts[joint.cut];
    std::copy_n(w.P.begin() + joint.first, cut.n_rows, P + cut.row);
  }
  for (int i = 0; i < model.link_count(); i++) {
    const Vec3<S>* axis = frames.axis.data() + model.links[i].axis;
    S* out = du + model.links[i].u;
    for (int k = 0; k < 3; k++) {
      out[k] = dot(axis[k], links.change[i].w);
      out[3 + k] = dot(axis[3 + k], links.change[i].v);
    }
  }
}

#define SINEW_INSTANTIATE_CUT_TREES(S)                                                                                \
  template struct CutTreesWork<S>;                                                                                    \
  template void release_axes(CutTreesWork<S>&);                                                                       \
  template void solve_cut_trees(const Model&, const Cuts<S>&, CutTreesWork<S>&, UnsymmetricWork<S>&);                 \
  template void read_cut_trees(const Model&, const Frames<S>&, const CutTreesWork<S>&, const UnsymmetricWork<S>&, S*, \
                               S*);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_CUT_TREES)

}  // namespace sinew
