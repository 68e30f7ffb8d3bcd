// A soft rod: an arm that is clamped, or a body that floats; bent by its weight, loads, cables, chambers or servos
// (docs/theory/soft_rods.md). Statics: start = "rest". Vibrations and the elastica are measurements.
#include <fmt/format.h>

#include <numbers>

#include "robots/rod/soft_rod_keys.h"
#include "sinew/math/elementary.h"
#include "sinew/model/compile.h"
#include "sinew/rod/soft_plant.h"
#include "sinew/rod/soft_statics.h"

namespace sinew::robots {
namespace {

template <class G>
std::shared_ptr<const SectionPlant> make_soft(const rod::SoftPlan& plan) {
  try {
    return std::make_shared<const rod::Soft<G>>(plan);
  } catch (const std::runtime_error& e) {
    throw PlanError(std::vector<Problem>{{"robot.start", fmt::format("{}: use smaller loads", e.what())}});
  }
}

struct SoftRod : Robot {
  SoftRodKeys given;
  int frequencies = 0;
  std::vector<double> PL2_EI;

  void describe(Keys& keys) override {
    given.describe(keys);
    keys.integer({"frequencies",
                  "",
                  "how many of the small vibrations about the straight rod are measured",
                  {.low = 0, .high = 100}},
                 frequencies);
    keys.numbers({"PL2_EI", "1", "loads P l^2 / EI across the tip under which it is measured", not_negative}, {},
                 PL2_EI);
    given.describe_wave(keys);
  }

  Plan plan() const override {
    Plan plan;
    plan.gravity.g = Vec3d::zero();
    plan.make_plant = [keys = given](const Plan& final) {
      if (final.gravity.kind != GravityKind::Uniform && final.gravity.kind != GravityKind::None)
        throw PlanError(
            std::vector<Problem>{{"gravity.kind", "a soft rod needs uniform gravity: use \"uniform\" or \"none\""}});
      const Vec3d g = final.gravity.kind == GravityKind::None ? Vec3d::zero() : final.gravity.g;
      const rod::SoftPlan soft = keys.plan(g);
      return keys.is_planar() ? make_soft<rod::Plane>(soft) : make_soft<rod::Space>(soft);
    };
    return plan;
  }

  std::vector<std::string_view> methods() const override { return {"generalized-alpha", "rk4"}; }

  // Without gravity.
  template <class G>
  void measure_vibrations(std::vector<Measurement>& out) const {
    const auto m = rod::build_soft_model<G>(given.plan(Vec3d::zero()));
    rod::SoftVibration v = rod::vibrations(m, 0.0, std::vector<double>(m.nq));
    v.frequency.resize(std::min<std::size_t>(v.frequency.size(), frequencies));
    out.push_back({"Hz", "Hz", v.frequency, true});
    Measurement omega{"omega", "rad/s", v.frequency};
    for (double& f : omega.values) f *= 2.0 * std::numbers::pi;
    out.push_back(std::move(omega));
    if (given.floating)
      out.push_back(
          {given.is_planar() ? "number_of_zero_modes_planar" : "number_of_zero_modes", "", {double(v.zero_modes)}});
  }

  // Place of the tip over l, and its angle, under dead loads across the axis.
  template <class G>
  void measure_elastica(std::vector<Measurement>& out) const {
    Measurement tips{"x_l_y_l_theta", "1", {}, true};
    for (const double load : PL2_EI) {
      SoftRodKeys keys = given;
      keys.tip_force = Vec3d(0, load * given.bending() / (given.length * given.length), 0);
      const auto m = rod::build_soft_model<G>(keys.plan(Vec3d::zero()));
      std::vector<double> q(m.nq), zero(m.nv), r(m.nv);
      const bool good = rod::solve_statics(m, 0.0, q, {}).converged;
      rod::SoftScratch<G> w(m);
      rod::inverse_dynamics(m, {0.0, m.base, q.data(), zero.data(), zero.data()}, w, r.data());
      const Posed tip = (m.base * w.g.back()).pose();
      for (const double x : {tip.p[0] / given.length, tip.p[1] / given.length, math::atan2(tip.R(1, 0), tip.R(0, 0))})
        tips.values.push_back(good ? x : NAN);
    }
    out.push_back(tips);
  }

  std::vector<Measurement> measure(std::uint64_t) const override {
    std::vector<Measurement> out;
    if (frequencies > 0) given.is_planar() ? measure_vibrations<rod::Plane>(out) : measure_vibrations<rod::Space>(out);
    if (!PL2_EI.empty()) given.is_planar() ? measure_elastica<rod::Plane>(out) : measure_elastica<rod::Space>(out);
    return out;
  }
};

}  // namespace

std::unique_ptr<Robot> make_soft_rod() { return std::make_unique<SoftRod>(); }

}  // namespace sinew::robots
