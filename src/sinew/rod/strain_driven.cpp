// Methods for the twist of the head: explicit ones in the algebra of the group, and one that is implicit in the twist.
#include "sinew/rod/strain_driven.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/math/butcher.h"
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
    std::span<const Wrench<double>> external;  // of the present call
    Memory(const Rod<G>& rod, std::size_t sections) : Base::Passing(rod, sections) {}
  };

  // Motion since the start of a step: g = g_start exp(u), twist eta. Also its rate.
  struct Point {
    Twist u, eta;
    Point operator+(const Point& b) const { return {u + b.u, eta + b.eta}; }
    Point operator*(double h) const { return {u * h, eta * h}; }
  };

 public:
  explicit StrainDriven(StrainDrivenPlan<G> plan) : Base(plan.rod, plan.looks), plan_(std::move(plan)) {}

  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<Memory>(rod_, this->sections().size());
  }
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
      const Totals<G> k = pass_along(rod_, 0.0, plan_.start, Twist::zero(), Depth::Powers, work);
      eta = -solve_positive(matrix_of(k.end.M), k.momentum);
    }
    store_twist<G>(eta, state.data() + pose);
    state[pose + n] = -1.0;
  }

  StepReport advance(const PlantStep& step, std::span<double> state, PlantPower& work,
                     Scratch& scratch) const override {
    SINEW_ASSERT(int(state.size()) == state_size() && step.dt > 0.0);
    Memory& memory = static_cast<Memory&>(scratch);
    const double t = step.t, dt = step.dt;
    memory.external = pushed(step.input);
    StepReport report;
    const bool watch = rod_.loads.ground_k > 0.0 && state[pose + n] < 0.0;
    if (watch) std::copy_n(state.begin(), pose + n, memory.before);
    if (step.method == "rk45")
      adaptive(t, dt, state, work, memory, report);
    else if (step.method == "euler")
      implicit(t, dt, state, work, memory, report);
    else
      classical(t, dt, state, work, memory, report);
    report.finite = report.finite && Base::all_finite(state);
    if (watch && report.finite) state[pose + n] = touch(t, dt, state.data(), memory);
    return report;
  }

  void read(double t, const PlantInput& input, std::span<const double> state, std::span<double> out,
            Scratch& scratch) const override {
    SINEW_ASSERT(int(state.size()) == state_size() && out.size() == Base::readings().size());
    Memory& memory = static_cast<Memory&>(scratch);
    memory.external = pushed(input);
    const G head = load_pose<G>(state.data());
    Snapshot<G>& s = look(t, head, load_twist<G>(state.data() + pose), memory, true);
    s.pose = Base::pose_read(head, state);
    s.touch_time = state[pose + n];
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
    pass_along(rod_, t, head, load_twist<G>(state + pose), Depth::Motion, memory.work);
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

  // None: the pass need not be stored.
  static std::span<const Wrench<double>> pushed(const PlantInput& input) {
    if (PlantInput{.external = input.external}.is_on()) return input.external;
    return {};
  }

  Snapshot<G>& look(double t, const G& head, const Twist& eta, Memory& memory, bool store) const {
    Snapshot<G>& s = memory.snapshot;
    s.t = t;
    s.head = head;
    s.eta_o = eta;
    const bool is_pushed = !memory.external.empty();
    s.totals = store || is_pushed ? pass_along(rod_, t, head, eta, Depth::Powers, memory.work)
                                  : totals_along(rod_, t, head, eta, Depth::Powers, memory.work);
    s.pushes.clear();
    if (is_pushed) s.totals.F_o += push_sections(rod_, this->sections(), memory.external, memory.work, s);
    s.eta_o_t = solve_positive(s.totals.M_o, s.totals.F_o);
    s.connection = {eta, s.eta_o_t, 0, 0.0, 0.0, n, {}};
    settle_power(s);
    return s;
  }

  // Its power is in the snapshot.
  Point rate(double t, const G& start, const Point& at, Memory& memory) const {
    const Snapshot<G>& s = look(t, start * exponential<G>(at.u), at.eta, memory, false);
    return {local_rate(at.u, at.eta), s.eta_o_t};
  }
  static void finish(const Point& p, std::span<double> state) {
    move_pose<G>(state.data(), p.u);
    store_twist<G>(p.eta, state.data() + pose);
  }

  void classical(double t, double h, std::span<double> state, PlantPower& work, Memory& memory, StepReport&) const {
    const G g = load_pose<G>(state.data());
    const Point p{Twist::zero(), load_twist<G>(state.data() + pose)};
    int stage = 0;
    const auto stage_rate = [&](double time, const Point& at) {
      const Point k = rate(time, g, at, memory);
      tally(memory.snapshot.power, stage == 0 || stage == 3 ? h / 6.0 : h / 3.0, work);
      stage++;
      return k;
    };
    const Point k1 = stage_rate(t, p);
    finish(butcher::classical_step(p, k1, t, h, stage_rate), state);
  }

  // Dormand and Prince 5(4): as many steps of its own as the tolerance asks for.
  void adaptive(double t, double dt, std::span<double> state, PlantPower& work, Memory& memory,
                StepReport& report) const {
    constexpr auto& dp = butcher::dormand_prince;
    double done = 0.0, h = dt;
    for (report.iterations = 0; done < dt && report.iterations < 20000; report.iterations++) {
      h = std::min(h, dt - done);
      const G g = load_pose<G>(state.data());
      const Point p{Twist::zero(), load_twist<G>(state.data() + pose)};
      Point k[7], at = p, off{Twist::zero(), Twist::zero()};
      PlantPower power[7];
      for (int i = 0; i < 7; i++) {
        at = p;
        for (int j = 0; j < i; j++) at = at + k[j] * (h * dp.a[i][j]);
        k[i] = rate(t + done + dp.node[i] * h, g, at, memory);
        power[i] = memory.snapshot.power;
        off = off + k[i] * (h * butcher::dormand_prince_error[i]);
      }
      const double wrong = std::max(norm(off.u), norm(off.eta) / (1.0 + norm(p.eta))) / plan_.tolerance;
      if (wrong <= 1.0) {
        for (int i = 0; i < 6; i++) tally(power[i], h * dp.weight[i], work);
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
  void implicit(double t, double h, std::span<double> state, PlantPower& work, Memory& memory, StepReport&) const {
    constexpr double c = 0.29289321881345254;  // 1 - 1/sqrt(2)
    const G g = load_pose<G>(state.data());
    const Point p{Twist::zero(), load_twist<G>(state.data() + pose)};
    const Point first = rate(t, g, p, memory);
    tally(memory.snapshot.power, 0.5 * h, work);
    double A[n][2 * n];
    for (int j = 0; j < n; j++) {
      const double step = 1e-6 * (1.0 + std::abs(p.eta[j]));
      Point q = p;
      q.eta[j] += step;
      const Twist column = (rate(t, g, q, memory).eta - first.eta) * (1.0 / step);
      for (int i = 0; i < n; i++) {
        A[i][j] = (i == j) - c * h * column[i];
        A[i][n + j] = i == j;
      }
    }
    invert(A);
    const auto solve = [&A](const Twist& b) {
      Twist x = Twist::zero();
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x[i] += A[i][n + j] * b[j];
      return x;
    };
    const double ahead = 1e-3 * h;
    const Point soon = rate(t + ahead, g, {first.u * ahead, p.eta}, memory);
    const Twist drift = (soon.eta - first.eta) * (c * h * h / ahead);
    const Twist k1 = solve(first.eta * h + drift);
    const Point second = rate(t + h, g, {first.u * h, p.eta + k1}, memory);
    tally(memory.snapshot.power, 0.5 * h, work);
    const Twist k2 = solve(second.eta * h - k1 * 2.0 - drift);
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
std::shared_ptr<const SectionPlant> make_strain_driven(StrainDrivenPlan<G> plan) {
  SINEW_CHECK(plan.rod.law, "make_strain_driven: a rod without a law of strain");
  return std::make_shared<StrainDriven<G>>(std::move(plan));
}
template std::shared_ptr<const SectionPlant> make_strain_driven<Line>(StrainDrivenPlan<Line>);
template std::shared_ptr<const SectionPlant> make_strain_driven<Plane>(StrainDrivenPlan<Plane>);
template std::shared_ptr<const SectionPlant> make_strain_driven<Space>(StrainDrivenPlan<Space>);

}  // namespace sinew::rod
