// Implicit penalty forces of many contacts (step/soft_newton.h): Newton's systems (I + D G) dP = r, D = -dt F', by GMRES, where
// products with G are passes over the contacts: what all impulses do to the bodies, and what that does to the contacts. Preconditioned
// by a sweep of block Gauss-Seidel forward and one back, each contact with its own G. Time and memory grow with the contacts;
// the number of products by how far a push goes on in the time of a step, at most through the pile and back. A step that this does not
// solve is tried again with steps by a slope, see next_length, and of up to 900 rows with I + D G as a matrix.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/math/check.h"
#include "sinew/math/dense_lu.h"
#include "sinew/solve/sparse_local.h"
#include "sinew/step/laws.h"
#include "sinew/step/soft_newton.h"

namespace sinew {
namespace {

// Inverse of I + D G.
void invert_own(const double (&D)[3][3], const Sym3d& G, double (&B)[3][3]) {
  const double g[3][3] = {{G.xx, G.xy, G.xz}, {G.xy, G.yy, G.yz}, {G.xz, G.yz, G.zz}};
  double a[3][3];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      a[r][c] = (r == c ? 1.0 : 0.0) + D[r][0] * g[0][c] + D[r][1] * g[1][c] + D[r][2] * g[2][c];
  const auto minor = [&a](int r, int c) {  // with its sign
    const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
    return a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1];
  };
  const double det = a[0][0] * minor(0, 0) + a[0][1] * minor(0, 1) + a[0][2] * minor(0, 2);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) B[r][c] = minor(c, r) / det;
}

template <Real S>
struct SparseSoft final : SparseLaneSolver {
  const ImplicitRule rule;
  Workspace<S>& ws;
  SolveReport report = {};
  SparseProblem* problem = nullptr;  // of the lane at work; its free velocities are in the lines
  enum class Way { Residual, Slope, Matrix } by = Way::Residual;

  SparseSoft(const SoftSpan& span, Workspace<S>& w) : rule(span), ws(w) {}

  static void push(SparseProblem& p, const SparseContact& c, const double* P) {
    const double all[6] = {P[0], P[1], P[2], 0.0, 0.0, 0.0};
    sparse::push(p, c, all);
  }
  static void rest(SparseProblem& p) {
    std::fill(p.V.begin(), p.V.end(), Twist<double>::zero());
    std::fill(p.u.begin(), p.u.end(), 0.0);
  }

  double evaluate(const std::vector<double>& P, std::vector<double>& residual) {
    SparseProblem& p = *problem;
    rest(p);
    for (std::size_t i = 0; i < p.contacts.size(); i++) push(p, p.contacts[i], P.data() + 3 * i);
    double most = 0.0, g[6];
    for (std::size_t i = 0; i < p.contacts.size(); i++) {
      const SparseContact& c = p.contacts[i];
      SoftLine& line = ws.soft.lines[i];
      sparse::velocities(p, c, g);
      for (int r = 0; r < 3; r++) line.gamma[r] = line.free[r] + g[r];
      line.gamma[0] += c.give * P[3 * i];
      const SoftPoint& point = ws.soft.points[i];
      const law::PenaltyForce<double>& f = ws.soft.forces[i] = soft_force(point, line.gamma, line.slides, rule);
      const double F[3] = {f.normal, line.slides ? f.friction.x : 0.0, line.slides ? f.friction.y : 0.0};
      for (int r = 0; r < 3; r++) {
        residual[3 * i + r] = P[3 * i + r] - rule.dt * F[r];
        most = std::max(most, std::abs(residual[3 * i + r]) / point.at.mass);
      }
    }
    return most;
  }

  void make_lines() {
    for (std::size_t i = 0; i < ws.soft.points.size(); i++) {
      SoftLine& line = ws.soft.lines[i];
      double J[3][3];
      soft_slope(ws.soft.points[i], ws.soft.forces[i], rule, J);
      const int rows = line.slides ? 3 : 1;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) line.D[a][b] = a < rows && b < rows ? -rule.dt * J[a][b] : 0.0;
      invert_own(line.D, problem->contacts[i].G, line.B);
    }
  }

  // What the contact's equation still lacks: r - (z + D G z), G z by the present velocities.
  void lack(std::size_t i, const double* r, const double* z, double (&out)[3]) {
    const SparseContact& c = problem->contacts[i];
    const SoftLine& line = ws.soft.lines[i];
    double g[6];
    sparse::velocities(*problem, c, g);
    g[0] += c.give * z[0];
    for (int a = 0; a < 3; a++) out[a] = r[a] - z[a] - line.D[a][0] * g[0] - line.D[a][1] * g[1] - line.D[a][2] * g[2];
  }

  // z solves (I + D G) z = m v as well as two sweeps can; w = (I + D G) z / m. m: what a push meets, so that v and w are velocities.
  void apply(const double* v, double* z, double* w) {
    SparseProblem& p = *problem;
    const std::size_t n = p.contacts.size();
    rest(p);
    std::fill_n(z, 3 * n, 0.0);
    double r[3], missing[3], d[3];
    const auto visit = [&](std::size_t i) {
      const double m = ws.soft.points[i].at.mass;
      const SoftLine& line = ws.soft.lines[i];
      for (int a = 0; a < 3; a++) r[a] = m * v[3 * i + a];
      lack(i, r, z + 3 * i, missing);
      for (int a = 0; a < 3; a++) {
        d[a] = line.B[a][0] * missing[0] + line.B[a][1] * missing[1] + line.B[a][2] * missing[2];
        z[3 * i + a] += d[a];
      }
      push(p, p.contacts[i], d);
    };
    for (std::size_t i = 0; i < n; i++) visit(i);
    for (std::size_t i = n; i-- > 0;) visit(i);
    const double nothing[3] = {};
    for (std::size_t i = 0; i < n; i++) {
      lack(i, nothing, z + 3 * i, missing);
      for (int a = 0; a < 3; a++) w[3 * i + a] = -missing[a] / ws.soft.points[i].at.mass;
    }
  }

  // I + D G, column by column: velocities after one unit impulse.
  bool solve_matrix(int n, const std::vector<double>& residual, std::vector<double>& way) {
    SoftWork<S>& w = ws.soft;
    w.matrix.resize(std::size_t(n) * n);
    w.pivots.resize(n);
    w.scale.resize(n);
    const double nothing[3] = {};
    double lacks[3];
    for (int k = 0; k < n; k++) {
      double unit[3] = {};
      unit[k % 3] = 1.0;
      rest(*problem);
      push(*problem, problem->contacts[k / 3], unit);
      for (int i = 0; i < n / 3; i++) {
        lack(i, nothing, i == k / 3 ? unit : nothing, lacks);
        for (int a = 0; a < 3; a++) w.matrix[std::size_t(k) * n + 3 * i + a] = -lacks[a];
      }
    }
    if (!factor_dense(n, w.matrix.data(), n, w.pivots.data(), w.scale.data())) return false;
    way = residual;
    solve_factored(n, w.matrix.data(), n, w.pivots.data(), way.data());
    return true;
  }

  bool direction(const std::vector<double>& residual, std::vector<double>& way) {
    constexpr double part = 1e-3;  // of the residual is left: Newton's next step takes it
    constexpr int most_products = 60;
    make_lines();
    const int n = int(residual.size());
    if (by == Way::Matrix) return solve_matrix(n, residual, way);
    std::vector<double>& b = ws.soft.trial;  // free until the step is tried
    double size = 0.0;
    ws.soft.matrix.resize(2 * std::size_t(n));  // velocities and residual where the step begins
    for (std::size_t i = 0; i < ws.soft.points.size(); i++)
      std::copy_n(ws.soft.lines[i].gamma, 3, ws.soft.matrix.data() + 3 * i);
    std::copy(residual.begin(), residual.end(), ws.soft.matrix.begin() + n);
    for (int i = 0; i < n; i++) {
      b[i] = residual[i] / ws.soft.points[i / 3].at.mass;
      size += b[i] * b[i];
    }
    const auto product = [this](const double* v, double* z, double* w) { apply(v, z, w); };
    const GmresLimits limits{part * std::sqrt(size), most_products};
    report.iterations += gmres(n, b.data(), limits, ws.soft.gmres, way.data(), product);
    return true;
  }

  // Were it not for friction that grows with the normal force, the forces would be the slopes of a convex function of the velocities,
  // which falls along Newton's step as sum (P - dt F) . dgamma says. In large piles the largest residual of all is no guide: any
  // contact that opens or slips holds it up.
  double next_length(double length, double found, double before) const {
    if (by != Way::Slope) return found < before ? length : 0.5 * length;
    double start = 0.0, now = 0.0;
    const std::size_t n = 3 * ws.soft.lines.size();
    for (std::size_t i = 0; i < n; i++) {
      const double way = ws.soft.lines[i / 3].gamma[i % 3] - ws.soft.matrix[i];
      start += way * ws.soft.matrix[n + i];
      now += way * ws.soft.residual[i];
    }
    if (found < before || now <= -0.9 * start) return length;
    return length * std::clamp(start / (start - now), 0.1, 0.5);
  }

  void load(int k) {
    SoftWork<S>& w = ws.soft;
    w.points.clear();
    w.lines.clear();
    for (int i = 0; i < ws.rows.n_contacts; i++) {
      const ContactRow<S>& c = ws.rows.contact[i];
      if (!lane(c.closed, k)) continue;
      w.points.push_back(soft_point(c, w.contact[i], rule, k));
      SoftLine& line = w.lines.emplace_back();
      for (int r = 0; r < 3; r++) line.free[r] = lane(c.gamma[r], k);
      line.slides = c.slides;
    }
    w.forces.resize(w.points.size());
  }

  DenseReport solve_in_turn(const SparseProblem& p) {
    constexpr std::size_t most_rows = 900;  // of a matrix
    std::vector<double>& P = ws.soft.found;
    DenseReport done;
    for (const Way way : {Way::Residual, Way::Slope, Way::Matrix}) {
      if (way == Way::Matrix && 3 * p.contacts.size() > most_rows) break;
      by = way;
      P.clear();
      for (const SparseContact& c : p.contacts) P.insert(P.end(), c.P, c.P + 3);
      done = soft_newton(*this, P, ws.soft);
      if (done.converged) break;
    }
    return done;
  }

  void solve(int k, SparseProblem& p) override {
    problem = &p;
    load(k);
    SINEW_ASSERT(ws.soft.points.size() == p.contacts.size());
    start_velocities(p);
    for (SparseContact& c : p.contacts) {
      std::fill_n(c.c, 3, 0.0);
      set_own_response(p, c);
    }
    for (SparseTurning& t : p.turning) {
      std::fill_n(t.c, 3, 0.0);
      std::fill_n(t.P, 3, 0.0);
    }
    const DenseReport done = solve_in_turn(p);
    for (std::size_t i = 0; i < p.contacts.size(); i++) std::copy_n(ws.soft.found.data() + 3 * i, 3, p.contacts[i].P);
    add_lane(done, k, report);
    std::size_t next = 0;
    for (int i = 0; i < ws.rows.n_contacts; i++) {
      if (!lane(ws.rows.contact[i].closed, k)) continue;
      const SoftLine& line = ws.soft.lines[next];
      keep_soft(ws.soft.points[next], ws.soft.forces[next], {line.gamma, line.slides}, rule, k,
                ws.soft.contact[i].force);
      next++;
    }
  }
};

}  // namespace

template <Real S>
SolveReport solve_soft_sparsely(const Model& model, const SoftSpan& span, Mask<S> which, S* u_E, Workspace<S>& ws) {
  SparseSoft<S> newton(span, ws);
  solve_sparsely({model, ws.frames, ws.blocks, ws.cuts}, newton, which & acting(ws.rows), ws.rows, ws.sweeps, u_E);
  return newton.report;
}

#define SINEW_INSTANTIATE_SOFT_SPARSELY(S) \
  template SolveReport solve_soft_sparsely(const Model&, const SoftSpan&, Mask<S>, S*, Workspace<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_SOFT_SPARSELY)

}  // namespace sinew
