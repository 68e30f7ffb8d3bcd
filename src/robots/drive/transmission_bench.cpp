// The bench for transmissions (docs/theory/transmissions.md): strokes, Jacobian and torques of a joint with rods in one pose, and how well
// Newton's method finds the pose back over a range of poses. Pure geometry: nothing moves.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "robots/catalog.h"
#include "sinew/math/elementary.h"
#include "sinew/model/transmission_plan.h"

namespace sinew::robots {
namespace {

enum class BenchJoint { Ankle, Hip, Knee, PelvisYaw, Differential };
constexpr std::array<std::string_view, 5> joint_names{"ankle", "hip", "knee", "pelvis-yaw", "differential"};

// The numbers of a joint as its drawing has them; keys change them.
TransmissionPlan plan_of(BenchJoint joint) {
  TransmissionPlan plan;
  plan.kind = Mechanism::Parallel;
  if (joint == BenchJoint::Hip) {
    plan.base = {0.07, 0.05, 0.16};
    plan.moving = {0.07, 0.05, -0.02};
    plan.rod = 0.18;
  }
  if (joint == BenchJoint::Knee || joint == BenchJoint::PelvisYaw) plan.kind = Mechanism::Knee;
  if (joint == BenchJoint::PelvisYaw) {
    plan.along = {0, 1, 0};
    plan.radius = 0.05;
    plan.angle = 0.0;
    plan.offset = -0.05;
    plan.rod = 0.12;
  }
  if (joint == BenchJoint::Differential) plan.kind = Mechanism::Differential;
  return plan;
}

// Axes of the joint in the order of its coordinates; of a hip roll comes first.
JointAxes axes_of(BenchJoint joint) {
  const Vec3d forward(1, 0, 0), left(0, 1, 0), up(0, 0, 1);
  if (joint == BenchJoint::Hip) return {2, forward, left};
  if (joint == BenchJoint::Knee) return {1, left, {}};
  if (joint == BenchJoint::PelvisYaw) return {1, up, {}};
  return {2, left, joint == BenchJoint::Differential ? up : forward};
}

struct TransmissionBench : Robot {
  int joint = 0;
  TransmissionPlan plan_ = plan_of(BenchJoint::Ankle);
  double pitch = 0.0, roll = 0.0, force = 128.0;
  std::vector<double> pitch_range = {-35.0 * degree, 35.0 * degree}, roll_range = {-20.0 * degree, 20.0 * degree};
  static constexpr double degree = std::numbers::pi / 180.0;

  void describe(Keys& keys) override {
    const int before = joint;
    keys.choice({"joint", "", "whose drives are looked at"}, joint_names, joint);
    if (joint != before) plan_ = plan_of(BenchJoint(joint));
    keys.number({"pitch", "rad", "first angle of the pose; flexion of a knee, yaw of a pelvis", any_number, true},
                pitch);
    keys.number({"roll", "rad", "second angle of the pose; yaw of a differential", any_number, true}, roll);
    keys.number({"force", "N", "of each drive, for the torques; of a differential N m", not_negative}, force);
    keys.numbers({"pitch_range", "rad", "over which poses are found back from their strokes", any_number, true},
                 {.exactly = 2}, pitch_range);
    keys.numbers({"roll_range", "rad", "the same", any_number, true}, {.exactly = 2}, roll_range);
    const Mechanism kind = plan_.kind;
    sinew::describe(keys, plan_);
    if (plan_.kind != kind) keys.reject("transmission", "it follows from the joint", "leave it out, or change joint");
    plan_.kind = kind;
    if (kind == Mechanism::Knee && std::abs(dot(normalized(plan_.along), axes_of(BenchJoint(joint)).first)) > 1e-9)
      keys.reject("along", "the drive of a crank moves across the joint's axis",
                  "give a direction perpendicular to the axis");
  }
  bool is_bench() const override { return true; }
  Plan plan() const override { return {}; }

  bool roll_first() const { return BenchJoint(joint) == BenchJoint::Hip; }
  Transmission<double> made() const { return make_transmission(plan_, axes_of(BenchJoint(joint))); }
  void put(double first, double second, double* q) const {
    q[0] = roll_first() ? second : first;
    q[1] = roll_first() ? first : second;
  }

  void measure_pose(const Transmission<double>& t, std::vector<Measurement>& out) const {
    using namespace transmission;
    double q[2];
    put(pitch, roll, q);
    const Strokes<double> at = strokes(t, q);
    const bool linear = t.kind == transmission::Kind::Rods;
    const char *length = linear ? "m" : "rad", *lever = linear ? "m/rad" : "1";
    out.push_back({"strokes", length, {at.s, at.s + t.n}, true});
    std::vector<double> J(at.J, at.J + t.n * t.n);
    if (roll_first()) J = {at.J[1], at.J[0], at.J[3], at.J[2]};
    out.push_back({"jacobian", lever, J, true});
    for (const bool opposed : {false, true}) {
      if (opposed && t.n == 1) break;
      const double F[2] = {force, opposed ? -force : force};
      double tau[2];
      torques(t, at, F, tau);
      std::vector<double> values(tau, tau + t.n);
      if (roll_first()) std::swap(values[0], values[1]);
      out.push_back({opposed ? "torques_opposed" : "torques", "N m", values, true});
    }
    out.push_back({"determinant", linear && t.n == 2 ? "m^2" : lever, {determinant(t, at)}});
    if (!linear) return;
    out.push_back(
        {"rod_angle", "rad", {at.room < 0.0 ? 0.5 * std::numbers::pi : math::acos(std::min(at.upright, 1.0))}});
    out.push_back({"is_in_workspace", "1", {at.room < 0.0 ? 0.0 : 1.0}, true});
    out.push_back({"is_at_rod_stop", "1", {at.upright < cos_most_tilt ? 1.0 : 0.0}});
  }

  // Forward after inverse, from the middle, on a grid over the ranges.
  void measure_range(const Transmission<double>& t, std::vector<Measurement>& out) const {
    constexpr int n = 15;
    double worst = 0.0, least = 1e300;
    int most = 0, poses = 0, reached = 0;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < (t.n == 2 ? n : 1); k++) {
        double q[2];
        const auto between = [](const std::vector<double>& r, int at) { return r[0] + (r[1] - r[0]) * at / (n - 1); };
        put(between(pitch_range, i), between(roll_range, k), q);
        const Strokes<double> at = transmission::strokes(t, q);
        poses++;
        if (at.room < 0.0) continue;
        reached++;
        double start[2];
        put(0.5 * (pitch_range[0] + pitch_range[1]), 0.5 * (roll_range[0] + roll_range[1]), start);
        const auto found = transmission::forward(t, at.s, start);
        for (int c = 0; c < t.n; c++) worst = std::max(worst, std::abs(found.q[c] - q[c]));
        most = std::max(most, int(found.iterations));
        least = std::min(least, std::abs(transmission::determinant(t, at)));
      }
    out.push_back({"workspace_share", "1", {double(reached) / poses}, true});
    if (reached == 0) return;
    out.push_back({"round_trip_error", "rad", {worst}, true});
    out.push_back({"newton_iterations", "1", {double(most)}, true});
    out.push_back({"least_determinant", t.n == 2 ? "m^2" : "m/rad", {least}});
  }

  std::vector<Measurement> measure(std::uint64_t) const override {
    std::vector<Measurement> out;
    const Transmission<double> t = made();
    measure_pose(t, out);
    measure_range(t, out);
    return out;
  }
};

}  // namespace

std::unique_ptr<Robot> make_transmission_bench() { return std::make_unique<TransmissionBench>(); }

}  // namespace sinew::robots
