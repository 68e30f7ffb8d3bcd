// A robot of one's own, from outside the library: its keys, its equations of motion (a plant), a channel by which it is told
// something, a controller with memory. A mass on a spring is pushed along x by a piston:
//   m x'' = -k x - d x' + F + (force from outside)
// The controller is a PI one; it brings the mass to where the key `target` says, which the spring alone would not allow.
#include <cmath>
#include <cstdio>

#include "sinew/robots.h"
#include "sinew/scenario.h"
#include "sinew/simulation.h"

namespace {

using namespace sinew;

struct Numbers {
  double mass = 1.0, stiffness = 40.0, damping = 4.0;  // [kg, N/m, N s/m]
};

class Piston : public SectionPlant {
 public:
  explicit Piston(const Numbers& numbers) : n_(numbers) {}

  std::span<const std::string_view> methods() const override {
    static constexpr std::string_view names[] = {"rk4"};
    return names;
  }
  std::string_view prefix() const override { return "piston."; }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Scratch>(); }
  const std::vector<Section>& sections() const override { return sections_; }
  const std::vector<PlantReading>& readings() const override { return readings_; }
  const std::vector<PlantReading>& commands() const override { return commands_; }
  int state_size() const override { return 2; }
  void start(std::span<double> s) const override { s[0] = s[1] = 0.0; }

  StepReport advance(const PlantStep& step, std::span<double> s, PlantPower& work, Scratch&) const override {
    const double F = force(step.input), outside = step.input.external.empty() ? 0.0 : step.input.external[0].f[0];
    const double h = step.dt, weight[4] = {h / 6, h / 3, h / 3, h / 6}, ahead[4] = {0.0, h / 2, h / 2, h};
    double x = s[0], v = s[1], dx = 0.0, dv = 0.0, a = 0.0;
    for (int i = 0; i < 4; i++) {
      const double x_i = s[0] + ahead[i] * v, v_i = s[1] + ahead[i] * a;
      v = v_i;
      a = (F + outside - n_.stiffness * x_i - n_.damping * v_i) / n_.mass;
      dx += weight[i] * v;
      dv += weight[i] * a;
      work.add({F * v, outside * v, n_.damping * v * v, 0.0}, weight[i]);
    }
    s[0] = x + dx;
    s[1] += dv;
    return {};
  }
  void place(double, std::span<const double> s, std::span<SectionMotion> out, Scratch&) const override {
    out[0] = {{}, Vec3d::zero(), Vec3d(s[1], 0, 0)};
    out[0].X_WS.R = Mat3d::identity();
    out[0].X_WS.p = Vec3d(s[0], 0, 0);
  }
  void read(double, const PlantInput& input, std::span<const double>, std::span<double> out, Scratch&) const override {
    out[0] = force(input);
  }
  PlantEnergy energy(double, std::span<const double> s, Scratch&) const override {
    return {0.5 * n_.stiffness * s[0] * s[0], 0.0, 0.5 * n_.mass * s[1] * s[1]};
  }
  bool sense(const State<double>& state, Readings& out) const override {
    out.q.assign(1, state.plant[0]);
    out.u.assign(1, state.plant[1]);
    return true;
  }

 private:
  static double force(const PlantInput& input) { return input.command.empty() ? 0.0 : input.command[0]; }

  Numbers n_;
  std::vector<Section> sections_{{"mass", 0.0, n_.mass, Sym3d::diagonal(1e-3), 0.05, 0.1}};
  std::vector<PlantReading> readings_{{"felt", "N", "force of the piston on the mass"}};
  std::vector<PlantReading> commands_{{"force", "N", "of the piston on the mass, along x"}};
};

// F = kp e + ki (integral of e): what it sums up is in the state, so that a run can be resumed.
class Servo : public Controller {
 public:
  Servo(double target, double period, int memory) : target_(target), period_(period), memory_(memory) {}
  void update(const Readings& readings, std::span<double> memory, Input<double>& out) override {
    const double error = target_ - readings.q[0];
    memory[memory_] += error * period_;
    out.torque[0] = 20.0 * error + 60.0 * memory[memory_];
  }

 private:
  double target_, period_;
  int memory_;
};

class PistonRobot : public robots::Robot {
 public:
  void describe(Keys& keys) override {
    keys.number({"mass", "kg", "that is pushed", positive}, numbers_.mass);
    keys.number({"stiffness", "N/m", "of the spring behind it", not_negative}, numbers_.stiffness);
    keys.number({"damping", "N s/m", "of its guide", not_negative}, numbers_.damping);
    keys.number({"target", "m", "where the controller brings it"}, target_);
    keys.flag({"controlled", "", "false: somebody else pushes"}, controlled_);
  }
  Plan plan() const override {
    Plan plan;
    plan.gravity.g = Vec3d::zero();
    plan.memory.push_back({"piston.integral", 1});
    plan.make_plant = [numbers = numbers_](const Plan&) { return std::make_shared<Piston>(numbers); };
    return plan;
  }
  std::vector<std::string_view> methods() const override { return {"rk4"}; }
  std::unique_ptr<Controller> controller(const Plan& plan, double period) const override {
    if (!controlled_) return nullptr;
    return std::make_unique<Servo>(target_, period, memory_offset(plan, "piston.integral"));
  }

 private:
  Numbers numbers_;
  double target_ = 0.1;
  bool controlled_ = true;
};

// Where it should be and where it is; non-zero if they differ.
int compare(const char* what, double should, double is) {
  std::printf("%s %.6f m\n", what, is);
  return std::abs(is - should) < 1e-6 ? 0 : 1;
}

}  // namespace

int main() try {
  robots::add_robot({"piston", "a mass on a spring, pushed by a piston",
                     [] { return std::unique_ptr<robots::Robot>(std::make_unique<PistonRobot>()); }});
  const char* const file = "[robot]\nkind = \"piston\"\ntarget = 0.2\n[integrator]\nstep = 0.001\n";
  sim::Simulation own(text::parse_experiment(file, "piston.toml"));
  if (own.step(20000)) return 3;
  int wrong = compare("its controller brings it to", 0.2, own.get("body.mass.p.x"));

  // The same, stopped on the way and gone on elsewhere.
  sim::Simulation other(text::parse_experiment(file, "piston.toml"));
  if (other.step(700)) return 3;
  const auto half_way = other.snapshot();
  sim::Simulation resumed(text::parse_experiment(file, "piston.toml"));
  resumed.restore(half_way);
  if (resumed.step(19300)) return 3;
  if (resumed.hash() != own.hash()) wrong++;

  // Somebody else pushes, by the robot's own channel: F = k x at rest.
  sim::Simulation pushed(text::parse_experiment("[robot]\nkind = \"piston\"\ncontrolled = false\n", "pushed.toml"));
  const sim::Channel force = pushed.command("piston.force");
  pushed.set(force, 10.0);
  if (pushed.step(20000)) return 3;
  wrong += compare("a force of 10 N brings it to", 0.25, pushed.get("body.mass.p.x"));
  if (std::abs(pushed.get("piston.felt") - 10.0) > 1e-12 || std::abs(pushed.balance_error()) > 1e-9) wrong++;
  return wrong;
} catch (const InputError& e) {
  for (const std::string& problem : e.problems) std::fprintf(stderr, "error: %s\n", problem.c_str());
  return 2;
}
