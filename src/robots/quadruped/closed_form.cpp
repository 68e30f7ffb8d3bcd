#include "robots/quadruped/closed_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "robots/quadruped/places.h"
#include "sinew/model/compile.h"
#include "sinew/model/readings.h"

namespace sinew::robots {
namespace {

using namespace legged;

struct StanceScratch : Scratch {
  Stance stance;
};

Mat3d turn_about_x(double s, double c) { return Mat3d({1, 0, 0}, {0, c, s}, {0, -s, c}); }
Mat3d turn_about_y(double s, double c) { return Mat3d({c, 0, -s}, {0, 1, 0}, {s, 0, c}); }
Mat3d turn_about_z(double s, double c) { return Mat3d({c, s, 0}, {-s, c, 0}, {0, 0, 1}); }

class StancePlant : public SectionPlant {
 public:
  StancePlant(const QuadrupedInput& in, const StanceProgram& program, RateMap map, const Vec8& q, const Vec8& u)
      : robot_(in.robot), feet_(in.feet), program_(program), map_(map), q_(q), u_(u) {
    add_sections();
    add_readings();
    add_commands();
  }

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<StanceScratch>(); }
  const std::vector<Section>& sections() const override { return sections_; }
  const std::vector<PlantReading>& readings() const override { return readings_; }
  std::string_view prefix() const override { return ""; }
  const std::vector<PlantReading>& commands() const override { return commands_; }
  int state_size() const override { return 16; }
  std::span<const std::string_view> methods() const override {
    static constexpr std::array<std::string_view, 1> names{"rk4"};
    return names;
  }
  void start(std::span<double> state) const override {
    std::ranges::copy(q_, state.begin());
    std::ranges::copy(u_, state.begin() + 8);
  }

  StepReport advance(const PlantStep& step, std::span<double> state, PlantPower& work, Scratch&) const override {
    StanceRun run = run_of(step.t, state);
    StepReport report;
    const StanceSetup now = setup(step.input);
    if (!legged::step(now, step.dt,
                      run)) {  // a foot is out of reach, or the sharing singular: nothing more can be said
      report.finite = report.converged = false;
      return report;
    }
    std::ranges::copy(run.q, state.begin());
    std::ranges::copy(run.u, state.begin() + 8);
    work.actuators += run.work;
    work.external += run.external;
    Vec14 tau{};
    torques_at(now, run.t, run.q, run.u, tau);
    for (const double x : tau) report.torque = std::max(report.torque, std::abs(x));
    return report;
  }

  void place(double t, std::span<const double> state, std::span<SectionMotion> out, Scratch& scratch) const override {
    const StanceRun run = run_of(t, state);
    const StanceState s = stance_of(run.q, run.u);
    Stance& stance = evaluated(s, scratch);
    out[0] = {{s.R, s.p}, s.w, s.v};
    for (int i = 0; i < 4; i++) place_leg(i, s, stance.leg[i], out[1 + 2 * i], out[2 + 2 * i]);
    double sa, ca, sb, cb;
    sincos(s.tail[0], sa, ca);
    sincos(s.tail[1], sb, cb);
    const Mat3d first = s.R * turn_about_x(sa, ca), R = first * turn_about_z(sb, cb);
    const Vec3d w = s.w + s.R.col(0) * s.tail_rate[0] + first.col(2) * s.tail_rate[1];
    const Vec3d tip = s.R * stance.tail.x;
    out[9] = {{R, s.p + tip}, w, s.v + cross(s.w, tip) + s.R * stance.tail.rate};
  }

  void read(double t, const PlantInput& input, std::span<const double> state, std::span<double> out,
            Scratch& scratch) const override {
    const StanceRun run = run_of(t, state);
    const StanceState s = stance_of(run.q, run.u);
    const Stance& stance = evaluated(s, scratch);
    Vec14 tau{};
    Vec8 tau_c{}, want, rate_d, accel_d;
    torques_at(setup(input), t, run.q, run.u, tau, &tau_c);
    const StancePush push = push_of(robot_, s, stance, input.external);
    Vec14 all = tau;
    for (int i = 0; i < 14; i++) all[i] += push.tau[i];
    const Feet f = foot_forces(robot_, stance, forward(robot_, stance, all, push.f, push.n), all);
    std::size_t n = 0;
    for (int c = 3; c < 6; c++) out[n++] = run.q[c];
    for (int i = 0; i < 4; i++) {
      const LegAngles a = angles_of(robot_.leg[i], stance.leg[i].pose);
      const double* rate = stance.leg[i].rate;
      const int* at = actuator_of[i];
      for (const double x : {a.ha, a.hb, rate[0], rate[1], tau[at[0]], tau[at[1]]}) out[n++] = x;
      for (const double x : {a.k, rate[2], tau[at[2]]}) out[n++] = x;
      for (int c = 0; c < 3; c++) out[n++] = f[i][c];
      out[n++] = friction_demand(f[i]);
    }
    for (const double x : {run.q[6], run.q[7], run.u[6], run.u[7], tau[6], tau[7]}) out[n++] = x;
    if (program_.drive == StanceDrive::Torque) return;
    program_.reference.evaluate(t, want, rate_d, accel_d);
    for (int i = 0; i < 8; i++) out[n++] = run.q[i] - want[i];
    for (const double x : tau_c) out[n++] = x;
  }

  // Joints as the tree has them, where Places says.
  bool sense(const State<double>& state, Readings& out) const override {
    const StanceRun run = run_of(state.t, state.plant);
    const StanceState s = stance_of(run.q, run.u);
    Stance stance;
    legged::evaluate(robot_, s, feet_, stance);
    const Places at;
    out.q.resize(Places::closed_coordinates);
    out.u.resize(Places::closed_velocities);
    const Quatd turn = to_quaternion(s.R);
    const double plate[7] = {s.p[0], s.p[1], s.p[2], turn.w, turn.x, turn.y, turn.z};
    std::copy_n(plate, 7, out.q.begin() + at.plate_q);
    for (int c = 0; c < 3; c++) {
      out.u[at.plate_u + c] = stance.plate.w[c];
      out.u[at.plate_u + 3 + c] = s.v[c];
    }
    for (int i = 0; i < 4; i++) {
      const LegAngles a = angles_of(robot_.leg[i], stance.leg[i].pose);
      const double angle[3] = {a.ha, a.hb, a.k};
      for (int c = 0; c < 3; c++) {
        out.q[at.q[i][c]] = angle[c];
        out.u[at.u[i][c]] = stance.leg[i].rate[c];
      }
    }
    for (int c = 0; c < 2; c++) {
      out.q[at.tail_q + c] = s.tail[c];
      out.u[at.tail_u + c] = s.tail_rate[c];
    }
    return true;
  }

  PlantEnergy energy(double t, std::span<const double> state, Scratch& scratch) const override {
    const StanceRun run = run_of(t, state);
    const StanceEnergy e = energy_of(robot_, evaluated(stance_of(run.q, run.u), scratch), feet_, {});
    return {.potential = e.V, .kinetic = e.T};
  }

 private:
  StanceSetup setup(const PlantInput& input) const {
    StanceSetup s{robot_, feet_, program_, map_, input.external};
    if (input.command.empty()) return s;
    const Places at;
    for (int i = 0; i < 4; i++)
      for (int a = 0; a < 3; a++) s.command[actuator_of[i][a]] = input.command[at.u[i][a]];
    for (int c = 0; c < 2; c++) s.command[6 + c] = input.command[at.tail_u + c];
    return s;
  }
  static StanceRun run_of(double t, std::span<const double> state) {
    StanceRun run{.t = t};
    std::copy_n(state.begin(), 8, run.q.begin());
    std::copy_n(state.begin() + 8, 8, run.u.begin());
    return run;
  }
  Stance& evaluated(const StanceState& s, Scratch& scratch) const {
    Stance& stance = static_cast<StanceScratch&>(scratch).stance;
    legged::evaluate(robot_, s, feet_, stance);
    return stance;
  }

  // Thigh Ry(ha) Rx(-hb), shank Ry(ha) Rx(-g), each along its -z from the joint above; shown at the middle.
  void place_leg(int i, const StanceState& s, const HeldLeg& leg, SectionMotion& thigh, SectionMotion& shank) const {
    const LegShape& shape = robot_.leg[i];
    const LegPose& p = leg.pose;
    const Mat3d swung = s.R * turn_about_y(p.ha.sin, p.ha.cos);
    const Vec3d side = s.w + s.R.col(1) * leg.rate[ha], forward = swung.col(0);
    const double g_rate = leg.rate[hb] - shape.knee * leg.rate[knee];
    thigh.X_WS.R = swung * turn_about_x(-p.hb.sin, p.hb.cos);
    thigh.w = side - forward * leg.rate[hb];
    shank.X_WS.R = swung * turn_about_x(-p.g.sin, p.g.cos);
    shank.w = side - forward * g_rate;
    const Vec3d hip = s.R * shape.hip, b = s.R * p.b, c = s.R * p.c;
    thigh.X_WS.p = s.p + hip + b * 0.5;
    shank.X_WS.p = s.p + hip + b + c * 0.5;
    const Vec3d v_hip = s.v + cross(s.w, hip);
    thigh.v = v_hip + cross(thigh.w, b * 0.5);
    shank.v = v_hip + cross(thigh.w, b) + cross(shank.w, c * 0.5);
  }

  void add_sections() {
    const auto bar = [&](const std::string& name, double m, double l) {
      const double I = m * l * l / 12.0;
      sections_.push_back({name, 0.0, m, {I, 0, 0, I, 0, 0}, 0.02, l, Vec3d(0, 0, 1)});
    };
    sections_.push_back({"plate", 0.0, robot_.m_b, robot_.I_b, 0.06, 0.6, Vec3d(0, 1, 0)});
    for (int i = 0; i < 4; i++) {
      bar("thigh" + std::to_string(i + 1), robot_.leg[i].m_th, robot_.leg[i].l_th);
      bar("shank" + std::to_string(i + 1), robot_.leg[i].m_sh, robot_.leg[i].l_sh);
    }
    sections_.push_back({"tail", 0.0, robot_.tail.tip, {}, 0.045, 1e-3, Vec3d(0, 1, 0)});
  }

  void add_readings() {
    const auto add = [&](const std::string& name, const char* unit, const std::string& is) {
      readings_.push_back({name, unit, is});
    };
    for (const char c : {'x', 'y', 'z'}) add(fmt::format("body.plate.rpy.{}", c), "rad", "turn of plate, R = Rz Ry Rx");
    const auto add_joint = [&](const std::string& name, int n) {
      const auto entry = [&](const char* what, int c) {
        return n == 1 ? fmt::format("joint.{}.{}", name, what) : fmt::format("joint.{}.{}.{}", name, what, c);
      };
      for (int c = 0; c < n; c++) add(entry("q", c), "rad", "coordinate of " + name);
      for (int c = 0; c < n; c++) add(entry("u", c), "rad/s", "velocity of " + name);
      for (int c = 0; c < n; c++) add(entry("torque", c), "N m", "of the drive of " + name);
    };
    for (int i = 1; i <= 4; i++) {
      const std::string foot = fmt::format("foot{}", i);
      add_joint(fmt::format("hip{}", i), 2);
      add_joint(fmt::format("knee{}", i), 1);
      for (const char c : {'x', 'y', 'z'})
        add(fmt::format("joint.{}.force.{}", foot, c), "N",
            fmt::format("force of {} on its child, all that it hands on", foot));
      add(fmt::format("foot.{}.demand", i), "1", "friction that foot needs; below 0: it would have to pull");
    }
    add_joint("tail", 2);
    if (program_.drive == StanceDrive::Torque) return;
    static constexpr const char* names[8] = {"x", "y", "z", "phi_x", "phi_y", "phi_z", "ta", "tb"};
    for (int i = 0; i < 8; i++)
      add(fmt::format("motion.error.{}", names[i]), i < 3 ? "m" : "rad", "q less the motion that is wanted");
    for (int i = 0; i < 8; i++)
      add(fmt::format("motion.feedback.{}", actuator_names[i]), "N m", "torque that the feedback adds");
  }

  void add_commands() {
    static constexpr const char* joints[3] = {"ha", "hb", "k"};
    for (int i = 1; i <= 4; i++)
      for (const char* joint : joints) commands_.push_back({fmt::format("{}{}", joint, i), "N m", "torque, added"});
    for (const char* joint : {"ta", "tb"}) commands_.push_back({joint, "N m", "torque, added"});
  }

  Quadruped robot_;
  Feet feet_;
  StanceProgram program_;
  RateMap map_;
  Vec8 q_, u_;
  std::vector<Section> sections_;
  std::vector<PlantReading> readings_, commands_;
};

}  // namespace

std::shared_ptr<const SectionPlant> make_stance_plant(const QuadrupedInput& in, const StanceProgram& program,
                                                      RateMap map, const Vec8& q, const Vec8& u) {
  return std::make_shared<StancePlant>(in, program, map, q, u);
}

double gravity_along_z(const Plan& plan) {
  const Gravity<double> field = tilted(plan);
  if (field.kind == GravityKind::None) return 0.0;
  if (field.kind != GravityKind::Uniform || field.g[0] != 0.0 || field.g[1] != 0.0 || field.g[2] > 0.0)
    throw PlanError(std::vector<Problem>{
        {"gravity", "the closed form knows a uniform field along -z only: use formulation = \"tree\""}});
  return -field.g[2];
}

}  // namespace sinew::robots
