// Test bench of the biped's closed forms: legs, zero-moment points, pendulum, preview control, in the letters and axes of Konyev 2011, chapter 4
// (docs/theory/biped.md). What it measures are results.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "robots/biped/body_keys.h"
#include "robots/catalog.h"
#include "robots/hexapod/thesis_axes.h"
#include "sinew/control/legs/pendulum.h"
#include "sinew/control/legs/preview.h"
#include "sinew/control/legs/zmp.h"
#include "sinew/model/describe_tools.h"

namespace sinew::robots {
namespace {

using namespace legged;

enum class BipedTask { Leg, Zmp, ZmpTotal, Pendulum, Preview };
constexpr std::array<std::string_view, 5> biped_task_names{"leg", "zmp", "zmp_total", "pendulum", "preview"};

struct BipedBench : Robot {
  BipedBody body;
  int bench = 0;
  std::vector<double> q{0.1, -0.05, -0.4, 0.8, -0.4, 0.05};
  std::vector<double> F{12.0, 230.0, -8.0}, cop{0.02, 0.03};
  std::vector<double> ranges{300.0, 400.0, 300.0, 10.0, 20.0, 10.0};
  int bits = 12;
  double h = 0.08;
  std::vector<double> left{120.0, 0.1, 0.03}, right{80.0, -0.09, -0.01};
  CartTable cart;
  int steps = 6;
  double step_time = 0.8, beside = 0.09, lead = 2.0, away = 0.2;

  void describe(Keys& keys) override {
    keys.choice(
        {"bench", "", "leg: angles and foot; zmp, zmp_total: from forces; pendulum, preview: plans of a mass centre"},
        biped_task_names, bench);
    describe_body(keys, body);
    keys.numbers({"q", "rad", "leg: hip yaw, roll, pitch, knee, ankle pitch, roll"}, {.exactly = 6}, q);
    keys.numbers({"F", "N", "zmp: force of the ground on the foot: left, up, forward"}, {.exactly = 3}, F);
    keys.numbers({"cop", "m", "zmp: where it acts, left and forward of the sensor"}, {.exactly = 2}, cop);
    keys.number({"h", "m", "zmp: height of the sensor over the sole", not_negative}, h);
    keys.numbers({"ranges", "N, N m", "zmp: of the sensor's six components, either way"}, {.exactly = 6}, ranges);
    keys.integer({"bits", "", "zmp: of the sensor", {.low = 4, .high = 24}}, bits);
    keys.numbers({"left", "N, m", "zmp_total: load of the left foot, its point left and forward"}, {.exactly = 3},
                 left);
    keys.numbers({"right", "N, m", "zmp_total: the same of the right foot"}, {.exactly = 3}, right);
    describe_plans(keys);
    for (const double range : ranges)
      if (!(range > 0.0)) {
        keys.reject("ranges", fmt::format("a range is {:g}", range), "give positive numbers");
        ranges = {300.0, 400.0, 300.0, 10.0, 20.0, 10.0};
        break;
      }
  }

  void describe_plans(Keys& keys) {
    keys.number({"z_c", "m", "pendulum, preview: height of the mass centre", positive}, cart.z_c);
    keys.number({"g", "m/s^2", "gravity", positive}, cart.g);
    keys.number({"T", "s", "preview: sample", {.low = 1e-4, .high = 0.1}}, cart.T);
    keys.number({"Q_e", "1", "preview: weight of the error", positive}, cart.Q_e);
    keys.number({"R", "1", "preview: weight of the jerk", positive}, cart.R);
    keys.integer({"horizon", "", "preview: samples that are known ahead", {.low = 1, .high = 10000}}, cart.horizon);
    keys.integer({"steps", "", "pendulum, preview: from side to side", {.low = 1, .high = 100}}, steps);
    keys.number({"step_time", "s", "pendulum, preview: of a step", {.low = 0.1, .high = 10.0}}, step_time);
    keys.number({"beside", "m", "pendulum, preview: zero-moment point of a step, beside the middle", positive}, beside);
    keys.number({"lead", "s", "pendulum, preview: rest before the steps and after them", {.low = 0.0, .high = 10.0}},
                lead);
    keys.number({"away", "s", "preview: samples nearer to a switch are not judged", not_negative}, away);
  }

  bool is_bench() const override { return true; }
  Plan plan() const override { return {}; }

  std::vector<Measurement> measure(std::uint64_t) const override {
    std::vector<Measurement> out;
    switch (BipedTask(bench)) {
      case BipedTask::Leg:
        measure_leg(out);
        break;
      case BipedTask::Zmp:
        measure_zmp(out);
        break;
      case BipedTask::ZmpTotal:
        measure_total(out);
        break;
      case BipedTask::Pendulum:
        measure_pendulum(out);
        break;
      case BipedTask::Preview:
        measure_preview(out);
        break;
    }
    return out;
  }

  void measure_leg(std::vector<Measurement>& out) const {
    SixAngles angles, back{};
    std::copy_n(q.begin(), 6, angles.begin());
    const Posed X = foot_pose(body.leg, angles);
    const Reach reach = reach_for(body.leg, X, back);
    double error = reach == Reach::Good ? 0.0 : NAN;
    for (int i = 0; i < six::count; i++) error = std::max(error, std::abs(back[i] - angles[i]));
    std::vector<double> R;  // rows and columns left, up, forward
    for (const int row : {1, 2, 0})
      for (const int column : {1, 2, 0}) R.push_back(X.R(row, column));
    out.push_back({"p", "m", to_thesis(X.p), true});
    out.push_back({"R", "1", R});
    out.push_back({"ik_error", "rad", {error}, true});
    out.push_back({"beyond", "1", {double(first_beyond(body.leg, angles))}});
  }

  void measure_zmp(std::vector<Measurement>& out) const {
    const Vec3d f = from_thesis(F[0], F[1], F[2]), r = from_thesis(cop[0], -h, cop[1]);
    const FootWrench w{f, cross(r, f)};
    FootWrench rounded;
    for (int i = 0; i < 3; i++) {  // ranges: left, up, forward
      const int to = i == 0 ? 1 : i == 1 ? 2 : 0;
      rounded.f[to] = count_of(w.f[to], ranges[i]);
      rounded.m[to] = count_of(w.m[to], ranges[3 + i]);
    }
    out.push_back({"M", "N m", to_thesis(w.m), true});
    add_zmp("zmp", zmp_of_wrench(w, h), out);
    add_zmp("zmp_quantised", zmp_of_wrench(rounded, h), out);
  }

  double count_of(double value, double range) const {
    const double count = 2.0 * range / double(1 << bits);
    return std::clamp(std::round(value / count) * count, -range, range - count);
  }

  static void add_zmp(const std::string& name, const legged::Zmp& zmp, std::vector<Measurement>& out) {
    const double none = zmp.is_valid ? 0.0 : NAN;
    out.push_back({name, "m", {zmp.y + none, zmp.x + none}, true});
  }

  void measure_total(std::vector<Measurement>& out) const {
    const legged::Zmp feet[2] = {{left[0] > 0.0, left[2], left[1], left[0]},
                                 {right[0] > 0.0, right[2], right[1], right[0]}};
    add_zmp("zmp", joint_zmp(feet), out);
  }

  // The plan of a walk from side to side against the closed form, stretch by stretch; and where it ends.
  void measure_pendulum(std::vector<Measurement>& out) const {
    const double w = pendulum_rate(cart.z_c, cart.g);
    std::vector<ZmpStretch> stretches{{lead, 0.0, 0.0}};
    double p = 0.0;
    for (int i = 0; i < steps; i++) {
      const double next = i % 2 == 0 ? beside : -beside;
      stretches.push_back({0.25 * step_time, p, next});
      stretches.push_back({0.75 * step_time, next, next});
      p = next;
    }
    stretches.push_back({0.25 * step_time, p, 0.0});
    stretches.push_back({lead, 0.0, 0.0});
    std::vector<ComStretch> plan(stretches.size());
    plan_com(stretches, 0.0, w, plan);
    double error = 0.0, zmp = 0.0, amplitude = 0.0;
    for (const ComStretch& s : plan) {
      const PendulumState start{s.x, w * (s.xi - s.x)};
      for (int k = 0; k <= 50; k++) {
        const double t = s.zmp.time * k / 50.0;
        const ComPoint c = com_at(s, t, w);
        const PendulumState exact = swing(start, s.zmp, t, w);
        error = std::max({error, std::abs(c.x - exact.x), std::abs(c.v - exact.v)});
        zmp = std::max(zmp, std::abs(c.x - c.a / (w * w) - c.p));
        amplitude = std::max(amplitude, std::abs(c.x));
      }
    }
    const ComPoint end = com_at(plan.back(), lead, w);
    out.push_back({"omega0", "1/s", {w}, true});
    out.push_back({"plan_error", "m", {error}, true});
    out.push_back({"zmp_error", "m", {zmp}});
    out.push_back({"com_amplitude", "m", {amplitude}, true});
    out.push_back({"capture_end", "m", {capture_point({end.x, end.v}, w)}});
  }

  // Both ends of the last step belong to it.
  std::vector<double> preview_reference() const {
    const int rest = int(std::lround(lead / cart.T)), length = int(std::lround(step_time / cart.T));
    std::vector<double> p(rest, 0.0);
    for (int i = 0; i < steps; i++) p.insert(p.end(), length + (i + 1 == steps ? 1 : 0), i % 2 == 0 ? beside : -beside);
    p.insert(p.end(), rest, 0.0);
    return p;
  }

  void measure_preview(std::vector<Measurement>& out) const {
    const PreviewGains gains = preview_gains(cart);
    const double none = gains.problem.empty() ? 0.0 : NAN;
    out.push_back({"Gi", "1", {gains.G_i + none}, true});
    out.push_back({"Gx", "1", {gains.G_x[0], gains.G_x[1], gains.G_x[2]}, true});
    if (!gains.problem.empty()) return;
    out.push_back({"Gd1", "1", {gains.G_d[0]}});
    if (cart.horizon > 1) out.push_back({"Gd2", "1", {gains.G_d[1]}});
    std::vector<double> p = preview_reference();
    const int n = int(p.size());
    p.resize(n + cart.horizon, p.empty() ? 0.0 : p.back());
    std::vector<int> since(n, n);  // samples to the nearest switch
    for (int k = 1; k < n; k++)
      if (p[k] != p[k - 1])
        for (int i = 0; i < n; i++) since[i] = std::min(since[i], std::abs(i - k));
    CartState s;
    double amplitude = 0.0, error = 0.0;
    for (int k = 0; k < n; k++) {
      amplitude = std::max(amplitude, std::abs(s.x));
      if (since[k] * cart.T >= away - 1e-9) error = std::max(error, std::abs(cart_zmp(cart, s) - p[k]));
      choose_jerk(cart, gains, {p.data() + k, std::size_t(cart.horizon) + 1}, s);
      s = cart_after(s, cart.T);
    }
    out.push_back({"com_amplitude", "m", {amplitude}, true});
    out.push_back({"zmp_error_away_from_switches", "m", {error}, true});
  }
};

}  // namespace

std::unique_ptr<Robot> make_biped_bench() { return std::make_unique<BipedBench>(); }

}  // namespace sinew::robots
