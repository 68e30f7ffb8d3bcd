#include "sinew/rod/strain_driven.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/rod/given_strain.h"

namespace sinew::rod {
namespace {

template <class G>
class StrainDriven final : public GivenStrain<G> {
  using Base = GivenStrain<G>;
  using Base::pose, Base::rod_, Base::readout_, Base::tally;
  using Twist = typename G::Twist;
  static constexpr int n = G::n;

  struct Memory : Base::Passing {
    double before[pose + n];
    explicit Memory(const Rod<G>& rod) : Base::Passing(rod) {}
  };

  // Motion since the start of a step: g = g_start exp(u), twist eta.
  struct Point {
    Twist u, eta;
  };
  struct Rate {
    Twist u, eta;
    EnginePower power;
    Mat<n> M_o;
    double torque = 0.0;
  };

 public:
  explicit StrainDriven(StrainDrivenPlan<G> plan) : Base(plan.rod, plan.looks), plan_(std::move(plan)) {}

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Memory>(rod_); }
  int state_size() const override { return pose + n + 1; }
  std::span<const std::string_view> methods() const override {
    static constexpr std::array<std::string_view, 3> names{"rk4", "rk45", "euler"};
    return names;
  }

  void start(std::span<double> state) const override {
    SINEW_CHECK(int(state.size()) == state_size(), "StrainDriven: a state of ", state.size(), " numbers, it has ",
                state_size());
    store_pose(plan_.start, state.data());
    Twist eta = plan_.start_twist;
    if (plan_.rest_start) {  // M_o eta_o = -integral of Ad* M eta_s
      Workspace<G> work(rod_);
      const Totals<G> k = sweep(rod_, 0.0, plan_.start, Twist::zero(), Depth::Powers, work);
      eta = -solve_positive(matrix_of(k.end.M), k.momentum);
    }
    store_twist<G>(eta, state.data() + pose);
    state[pose + n] = -1.0;
  }

  EngineReport step(std::string_view method, double t, double dt, std::span<double> state, EnginePower& work,
                    Scratch& scratch) const override {
    SINEW_ASSERT(int(state.size()) == state_size() && dt > 0.0);
    Memory& memory = static_cast<Memory&>(scratch);
    EngineReport report;
    const bool watch = rod_.loads.ground_k > 0.0 && state[pose + n] < 0.0;
    if (watch) std::copy_n(state.begin(), pose + n, memory.before);
    if (method == "rk45")
      adaptive(t, dt, state, work, memory, report);
    else if (method == "euler")
      implicit(t, dt, state, work, memory, report);
    else
      classical(t, dt, state, work, memory, report);
    report.finite = report.finite && Base::all_finite(state);
    if (watch && report.finite) state[pose + n] = touch(t, dt, state.data(), memory);
    return report;
  }

  void read(double t, std::span<const double> state, std::span<double> out, Scratch& scratch) const override {
    SINEW_ASSERT(int(state.size()) == state_size() && out.size() == Base::readings().size());
    Memory& memory = static_cast<Memory&>(scratch);
    const G head = load_pose<G>(state.data());
    Snapshot<G>& s = look(t, head, load_twist<G>(state.data() + pose), memory, true);
    s.pose = Base::pose_read(head, state), s.touch_time = state[pose + n];
    readout_.write(rod_, s, memory.work, out);
  }

 private:
  struct Gap {
    double gap, rate;
    int node;
  };
  // Above the ground: the lowest node, or the one that is named.
  Gap gap(double t, const double* state, int node, Memory& memory) const {
    const Loads& k = rod_.loads;
    const G head = load_pose<G>(state);
    const Lin<G> normal = from3<G>(k.ground_normal);
    sweep(rod_, t, head, load_twist<G>(state + pose), Depth::Motion, memory.work);
    Gap lowest{0.0, 0.0, -1};
    for (int i = 0; i < int(memory.work.nodes.size()); i++) {
      if (node >= 0 && i != node) continue;
      const G g = head * memory.work.nodes[i].g;
      const double height = dot(normal, sinew::rod::place(g)) - k.ground_height - k.ground_radius;
      if (lowest.node >= 0 && height >= lowest.gap) continue;
      lowest = {height, dot(normal, turned(g, linear_of<G>(memory.work.nodes[i].eta()))), i};
    }
    return lowest;
  }

  // -1, or when in this step the gap became zero: on a cubic through gaps and rates at its ends.
  double touch(double t, double h, const double* after, Memory& memory) const {
    const Gap b = gap(t + h, after, -1, memory);
    if (b.gap > 0.0) return -1.0;
    const Gap a = gap(t, memory.before, b.node, memory);
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 60; k++) {
      const double s = 0.5 * (low + high), u = 1.0 - s;
      const double at =
          u * u * ((1.0 + 2.0 * s) * a.gap + s * h * a.rate) + s * s * ((3.0 - 2.0 * s) * b.gap - u * h * b.rate);
      (at > 0.0 ? low : high) = s;
    }
    return t + h * low;
  }

  Snapshot<G>& look(double t, const G& head, const Twist& eta, Memory& memory, bool store) const {
    Snapshot<G>& s = memory.snapshot;
    s.t = t, s.head = head, s.eta_o = eta;
    s.totals = sweep(rod_, t, head, eta, Depth::Powers, memory.work, store);
    s.eta_o_t = solve_positive(s.totals.M_o, s.totals.F_o);
    s.connection = {eta, s.eta_o_t, 0, 0.0, 0.0, n, {}};
    settle_power(s);
    return s;
  }

  Rate rate(double t, const G& start, const Point& at, Memory& memory) const {
    const Snapshot<G>& s = look(t, start * exponential<G>(at.u), at.eta, memory, false);
    return {local_rate(at.u, at.eta), s.eta_o_t, s.power, s.totals.M_o};
  }

  static Point shift(const Point& p, const Rate& k, double h) { return {p.u + k.u * h, p.eta + k.eta * h}; }
  static void finish(const Point& p, std::span<double> state) {
    move_pose<G>(state.data(), p.u);
    store_twist<G>(p.eta, state.data() + pose);
  }

  void classical(double t, double h, std::span<double> state, EnginePower& work, Memory& memory, EngineReport&) const {
    const G g = load_pose<G>(state.data());
    const Point p{Twist::zero(), load_twist<G>(state.data() + pose)};
    const Rate k1 = rate(t, g, p, memory), k2 = rate(t + 0.5 * h, g, shift(p, k1, 0.5 * h), memory);
    const Rate k3 = rate(t + 0.5 * h, g, shift(p, k2, 0.5 * h), memory), k4 = rate(t + h, g, shift(p, k3, h), memory);
    const Point end{(k1.u + (k2.u + k3.u) * 2.0 + k4.u) * (h / 6.0),
                    p.eta + (k1.eta + (k2.eta + k3.eta) * 2.0 + k4.eta) * (h / 6.0)};
    tally(k1.power, h / 6.0, work), tally(k2.power, h / 3.0, work);
    tally(k3.power, h / 3.0, work), tally(k4.power, h / 6.0, work);
    finish(end, state);
  }

  // Dormand and Prince 5(4): as many steps of its own as the tolerance asks for.
  void adaptive(double t, double dt, std::span<double> state, EnginePower& work, Memory& memory,
                EngineReport& report) const {
    static constexpr double c[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
    static constexpr double a[7][6] = {{},
                                       {1.0 / 5},
                                       {3.0 / 40, 9.0 / 40},
                                       {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                       {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                       {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                       {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static constexpr double error[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                        -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    double done = 0.0, h = dt;
    for (report.iterations = 0; done < dt && report.iterations < 20000; report.iterations++) {
      h = std::min(h, dt - done);
      const G g = load_pose<G>(state.data());
      const Point p{Twist::zero(), load_twist<G>(state.data() + pose)};
      Rate k[7];
      Point at = p;
      for (int i = 0; i < 7; i++) {
        at = p;
        for (int j = 0; j < i; j++) at = shift(at, k[j], h * a[i][j]);
        k[i] = rate(t + done + c[i] * h, g, at, memory);
      }
      Point off{Twist::zero(), Twist::zero()};
      for (int i = 0; i < 7; i++) off = shift(off, k[i], h * error[i]);
      const double wrong = std::max(norm(off.u), norm(off.eta) / (1.0 + norm(p.eta))) / plan_.tolerance;
      if (wrong <= 1.0) {
        for (int i = 0; i < 6; i++) tally(k[i].power, h * a[6][i], work);
        finish(at, state);
        done = h < dt - done ? done + h : dt;
      } else if (!std::isfinite(wrong)) {
        report.finite = false;
        return;
      }
      h *= std::clamp(0.9 * math::pow(std::max(wrong, 1e-10), -0.2), 0.2, 5.0);
      report.residual = wrong * plan_.tolerance;
    }
    report.converged = done >= dt;
  }

  // (1 - c h J) k1 = h f(t, y) + c h^2 f_t,  (1 - c h J) k2 = h f(t + h, y + k1) - 2 k1 - c h^2 f_t,  y += (3 k1 + k2) / 2: order 2
  // for any J and f_t. Here J = M_o^-1 dF_o/d eta_o and f_t, which also follows the pose, by differences; the pose itself is
  // explicit. Without f_t stiff friction would make it of first order.
  void implicit(double t, double h, std::span<double> state, EnginePower& work, Memory& memory, EngineReport&) const {
    constexpr double c = 0.29289321881345254;  // 1 - 1/sqrt(2)
    const G g = load_pose<G>(state.data());
    const Point p{Twist::zero(), load_twist<G>(state.data() + pose)};
    const Rate first = rate(t, g, p, memory);
    double A[n][2 * n];
    for (int j = 0; j < n; j++) {
      const double step = 1e-6 * (1.0 + std::abs(p.eta[j]));
      Point q = p;
      q.eta[j] += step;
      const Twist column = (rate(t, g, q, memory).eta - first.eta) * (1.0 / step);
      for (int i = 0; i < n; i++) A[i][j] = (i == j) - c * h * column[i], A[i][n + j] = i == j;
    }
    invert(A);
    const auto solve = [&A](const Twist& b) {
      Twist x = Twist::zero();
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x[i] += A[i][n + j] * b[j];
      return x;
    };
    const double ahead = 1e-3 * h;
    const Rate soon = rate(t + ahead, g, {first.u * ahead, p.eta}, memory);
    const Twist drift = (soon.eta - first.eta) * (c * h * h / ahead);
    const Twist k1 = solve(first.eta * h + drift);
    const Rate second = rate(t + h, g, {first.u * h, p.eta + k1}, memory);
    const Twist k2 = solve(second.eta * h - k1 * 2.0 - drift);
    tally(first.power, 0.5 * h, work), tally(second.power, 0.5 * h, work);
    finish({(first.u + second.u) * (0.5 * h), p.eta + k1 * 1.5 + k2 * 0.5}, state);
  }

  // Gauss-Jordan with row pivots on [A | 1].
  static void invert(double (&A)[n][2 * n]) {
    for (int k = 0; k < n; k++) {
      int best = k;
      for (int i = k + 1; i < n; i++)
        if (std::abs(A[i][k]) > std::abs(A[best][k])) best = i;
      std::swap(A[k], A[best]);
      const double pivot = 1.0 / A[k][k];
      for (double& x : A[k]) x *= pivot;
      for (int i = 0; i < n; i++) {
        if (i == k) continue;
        const double f = A[i][k];
        for (int j = 0; j < 2 * n; j++) A[i][j] -= f * A[k][j];
      }
    }
  }

  StrainDrivenPlan<G> plan_;
};

}  // namespace

template <class G>
std::shared_ptr<const Engine> make_strain_driven(StrainDrivenPlan<G> plan) {
  SINEW_CHECK(plan.rod.law, "make_strain_driven: a rod without a law of strain");
  return std::make_shared<StrainDriven<G>>(std::move(plan));
}
template std::shared_ptr<const Engine> make_strain_driven<Line>(StrainDrivenPlan<Line>);
template std::shared_ptr<const Engine> make_strain_driven<Plane>(StrainDrivenPlan<Plane>);
template std::shared_ptr<const Engine> make_strain_driven<Space>(StrainDrivenPlan<Space>);

}  // namespace sinew::rod
