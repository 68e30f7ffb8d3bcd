// What a world asks of a plant, answered by passes along the rod; the methods are in soft_rk4.cpp and soft_alpha.cpp.
#include "sinew/rod/soft_plant.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/rod/soft_statics.h"

namespace sinew::rod {
namespace {

constexpr const char* strain_names[6] = {"Gamma_X", "Gamma_Y", "Gamma_Z", "K_X", "K_Y", "K_Z"};
constexpr const char* twist_names[6] = {"V_X", "V_Y", "V_Z", "Omega_X", "Omega_Y", "Omega_Z"};
constexpr const char* wrench_names[6] = {"N_X", "N_Y", "N_Z", "M_X", "M_Y", "M_Z"};

// Place and turn of a section; turns of the plane by their angle, of space by their rotation vector.
template <class G>
void read_pose(const G& g, std::span<double> out, std::size_t& k) {
  const Posed X = g.pose();
  for (int i = 0; i < 3; i++) out[k++] = X.p[i];
  const Vec3d turn = angular(logarithm(Space({X.R, Vec3d::zero()})));
  for (int i = 0; i < 3; i++) out[k++] = turn[i];
}

// The plan with its equilibrium as the start, and what holds the tip there as a dead load.
template <class G>
SoftPlan settled(SoftPlan plan) {
  if (!plan.at_rest) return plan;
  const SoftModel<G> m = build_soft_model<G>(plan);
  std::vector<double> q = m.plan.q;
  SoftStaticsOptions options{.steps = plan.rest_steps};
  if (plan.hold) options.hold = &*plan.hold;
  const SoftEquilibrium found = solve_statics(m, 0.0, q, options);
  if (!found.converged) throw std::runtime_error("no equilibrium of the soft rod was found");
  plan.q = q;
  plan.points.push_back({plan.length, found.reaction, {}, {.value = 1.0}});
  return plan;
}

}  // namespace

Line load_base(const Line&, const double* a) { return {a[0]}; }
Plane load_base(const Plane&, const double* a) { return {a[0], a[1], a[2], a[3]}; }
Space load_base(const Space&, const double* a) {
  Space g;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) g.R(i, j) = a[3 * i + j];
  g.p = Vec3d(a[9], a[10], a[11]);
  return g;
}
void store_base(const Line& g, double* a) { a[0] = g.x; }
void store_base(const Plane& g, double* a) {
  const double r = 1.0 / std::sqrt(g.c * g.c + g.s * g.s);
  a[0] = g.c * r;
  a[1] = g.s * r;
  a[2] = g.x;
  a[3] = g.y;
}
void store_base(const Space& g, double* a) {
  // one Newton step back to a rotation: R (3 - R^T R) / 2
  const Mat3d Q = transpose(g.R) * g.R;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 1.5 * g.R(i, j);
      for (int k = 0; k < 3; k++) sum -= 0.5 * g.R(i, k) * Q(k, j);
      a[3 * i + j] = sum;
    }
  for (int i = 0; i < 3; i++) a[9 + i] = g.p[i];
}

template <class G>
bool accelerate(const SoftModel<G>& m, const SoftMotion<G>& s, SoftScratch<G>& w, double* a) {
  if (!forward_dynamics(m, s, w, a)) return false;
  if (m.plan.imposed.empty()) return true;
  SoftMotion<G> moved = s;
  moved.a = a;
  inverse_dynamics(m, moved, w, w.r.data());  // what they take follows from all accelerations
  for (const SoftImposed& i : m.plan.imposed) w.power.actuators += w.r[m.nb + i.mode] * s.v[m.nb + i.mode];
  return true;
}

template <class G>
bool follow_input(const SoftModel<G>& m, const SoftLayout<G>& at, const PlantStep& step, double* state,
                  SoftScratch<G>& w) {
  const bool acted = state[at.step] < 0.0;
  if (!acted && !step.input.is_on()) return true;
  const SoftMotion<G> now{step.t, load_base(G{}, state), state + at.q, state + at.v, nullptr, 1.0, step.input};
  if (!accelerate(m, now, w, w.k.data())) return false;
  for (int i = 0; i < m.nv; i++) {
    state[at.alpha + i] += w.k[i] - state[at.rate + i];
    state[at.rate + i] = w.k[i];
  }
  store_power(w.power, state + at.power);
  return true;
}

template <class G>
Soft<G>::Soft(const SoftPlan& plan) : m_(build_soft_model<G>(settled<G>(plan))), layout_(m_) {
  list_sections();
  name_readings();
  name_commands();
  start_.assign(layout_.size, 0.0);
  store_base(m_.base, start_.data());
  std::ranges::copy(m_.plan.q, start_.begin() + layout_.q);
  const auto twist = from_six<G>(plan.base_twist);
  for (int i = 0; i < m_.nb; i++) start_[layout_.v + i] = twist[i];
  for (int i = 0; i < m_.nq; i++) start_[layout_.v + m_.nb + i] = m_.plan.q_rate[i];
  double* s = start_.data();
  impose(m_, 0.0, s + layout_.q, s + layout_.v);
  SoftScratch<G> w(m_);
  accelerate(m_, {0.0, m_.base, s + layout_.q, s + layout_.v, nullptr}, w, s + layout_.rate);
  std::copy(s + layout_.rate, s + layout_.rate + m_.nv, s + layout_.alpha);
  store_power(w.power, s + layout_.power);
}

template <class G>
void Soft<G>::start(std::span<double> state) const {
  SINEW_CHECK(state.size() == start_.size(), "Soft: a state of ", state.size(), " numbers, it has ", start_.size());
  std::ranges::copy(start_, state.begin());
}

template <class G>
std::string Soft<G>::change_refusal() const {
  return m_.plan.hold ? "what pulls at the tip was found with the values of the start (tip_hold)" : "";
}

// Accelerations belong to the parameters before: they are found anew, as where input ends. The tangent of the alpha method is kept
// until it converges slowly.
template <class G>
void Soft<G>::take_over(std::span<double> state) const {
  SINEW_CHECK(int(state.size()) == layout_.size, "Soft: a state of ", state.size(), " numbers, it has ", layout_.size);
  double& step = state[layout_.step];
  step = step == 0.0 ? -1.0 : -std::abs(step);
}

template <class G>
std::span<const std::string_view> Soft<G>::methods() const {
  static constexpr std::array<std::string_view, 2> names{"generalized-alpha", "rk4"};
  return names;
}

template <class G>
StepReport Soft<G>::advance(const PlantStep& step, std::span<double> state, PlantPower& work, Scratch& scratch) const {
  SINEW_ASSERT(int(state.size()) == layout_.size && step.dt > 0.0);
  auto& w = static_cast<SoftScratch<G>&>(scratch);
  if (step.method == "rk4") return step_rk4(m_, layout_, step, state.data(), work, w);
  return step_alpha(m_, layout_, step, state.data(), work, w);
}

template <class G>
SoftMotion<G> Soft<G>::motion(double t, std::span<const double> state, const PlantInput& input) const {
  SINEW_ASSERT(int(state.size()) == layout_.size);
  const double* s = state.data();
  return {t, load_base(G{}, s), s + layout_.q, s + layout_.v, s + layout_.rate, 1.0, input};
}

// Largest entry of the residual that is not an imposed mode's.
template <class G>
double Soft<G>::evaluate(const SoftMotion<G>& motion, SoftScratch<G>& w) const {
  inverse_dynamics(m_, motion, w, w.r.data());
  double largest = 0.0;
  for (int i = 0; i < m_.nv; i++) {
    bool is_imposed = false;
    for (const SoftImposed& imposed : m_.plan.imposed) is_imposed = is_imposed || m_.nb + imposed.mode == i;
    if (!is_imposed) largest = std::max(largest, std::abs(w.r[i]));
  }
  return largest;
}

template <class G>
void Soft<G>::list_sections() {
  for (int k = 0; k < m_.stations; k++) {
    const double s = 1.0 + (m_.plan.taper - 1.0) * m_.X_station[k] / m_.plan.length, f = m_.w_station[k] * s * s;
    Sym3d inertia = Sym3d::diagonal(0.0);
    inertia.xx = f * s * s * m_.plan.inertia[3];
    inertia.yy = f * s * s * m_.plan.inertia[4];
    inertia.zz = f * s * s * m_.plan.inertia[5];
    std::string name = "s";
    name += std::to_string(k);
    sections_.push_back({name, m_.X_station[k], f * m_.plan.inertia[0], inertia, m_.plan.radius * s, m_.w_station[k]});
  }
}

template <class G>
void Soft<G>::name_readings() {
  auto& out = readings_;
  for (const std::string end : {"head", "tip"}) {
    for (const char* axis : {"x", "y", "z"}) out.push_back({end + "." + axis, "m", "place of the " + end});
    for (const char* axis : {"x", "y", "z"})
      out.push_back({end + ".turn." + axis, "rad", "rotation vector of the " + end});
    for (const int i : components_of<G>)
      out.push_back({end + "." + twist_names[i], i < 3 ? "m/s" : "rad/s", "twist of the " + end + " in its axes"});
  }
  for (const int i : components_of<G>)
    out.push_back(
        {std::string("base.") + wrench_names[i], i < 3 ? "N" : "N m", "wrench that holds the base, in its axes"});
  for (const int i : components_of<G>)
    out.push_back({std::string("tip.") + wrench_names[i], i < 3 ? "N" : "N m", "wrench on the tip, in its axes"});
  for (int i = 0; i < m_.nq; i++) {
    const int c = m_.plan.modes[i].component;
    out.push_back({"q." + std::to_string(i), c < 3 ? "1" : "1/m", std::string("coordinate of ") + strain_names[c]});
  }
  for (std::size_t k = 0; k < m_.cables.size(); k++)
    out.push_back({"cable." + std::to_string(k) + ".length", "m", "of the cable or chamber"});
  for (std::size_t k = 0; k < m_.profile.size(); k++)
    for (const int i : components_of<G>)
      out.push_back(
          {"Lambda." + std::to_string(k) + "." + wrench_names[i], i < 3 ? "N" : "N m", "internal wrench at X_profile"});
  for (const SoftImposed& imposed : m_.plan.imposed)
    out.push_back({"effort." + std::to_string(imposed.mode), "J m or J", "generalised force of an imposed coordinate"});
  out.push_back({"w_l3_over_EI", "1", "weight per length, times l^3 / EI"});
  out.push_back({"residual", "J m or J", "largest generalised force that is not balanced"});
}

template <class G>
void Soft<G>::name_commands() {
  for (std::size_t k = 0; k < m_.cables.size(); k++)
    commands_.push_back({"cable." + std::to_string(k) + ".tension", "N", "added; of a chamber: -pressure area"});
  if (m_.plan.servo.is_on)
    commands_.push_back(
        {"servo.strain", m_.plan.servo.component < 3 ? "1" : "1/m", "added to the strain that is wanted"});
}

template <class G>
void Soft<G>::read(double t, const PlantInput& input, std::span<const double> state, std::span<double> out,
                   Scratch& scratch) const {
  SINEW_ASSERT(out.size() == readings_.size());
  auto& w = static_cast<SoftScratch<G>&>(scratch);
  const double residual = evaluate(motion(t, state, input), w);
  const G base = load_base(G{}, state.data());
  std::size_t k = 0;
  for (const int station : {0, m_.stations - 1}) {
    read_pose(base * w.g[station], out, k);
    for (int i = 0; i < G::n; i++) out[k++] = w.eta[station][i];
  }
  for (int i = 0; i < G::n; i++) out[k++] = w.beyond[0][i];
  const auto on_tip = internal_wrench(w, m_.stations - 1);
  for (int i = 0; i < G::n; i++) out[k++] = on_tip[i];
  for (int i = 0; i < m_.nq; i++) out[k++] = state[layout_.q + i];
  for (const double length : w.cable_length) out[k++] = length;
  for (const int station : m_.profile) {
    const auto F = internal_wrench(w, station);
    for (int i = 0; i < G::n; i++) out[k++] = F[i];
  }
  for (const SoftImposed& imposed : m_.plan.imposed) out[k++] = w.r[m_.nb + imposed.mode];
  out[k++] = m_.plan.inertia[0] * std::sqrt(dot(m_.plan.gravity, m_.plan.gravity)) * math::pow(m_.plan.length, 3) /
             m_.plan.stiffness[5];
  out[k++] = residual;
  SINEW_ASSERT(k == out.size());  // as many as were named
}

template <class G>
void Soft<G>::place(double t, std::span<const double> state, std::span<SectionMotion> out, Scratch& scratch) const {
  SINEW_ASSERT(int(out.size()) >= m_.stations);
  auto& w = static_cast<SoftScratch<G>&>(scratch);
  evaluate(motion(t, state, {}), w);
  const G base = load_base(G{}, state.data());
  for (int k = 0; k < m_.stations; k++) {
    const Six eta = to_six<G>(w.eta[k]);
    out[k].X_WS = (base * w.g[k]).pose();
    out[k].v = out[k].X_WS.R * Vec3d(eta[0], eta[1], eta[2]);
    out[k].w = out[k].X_WS.R * Vec3d(eta[3], eta[4], eta[5]);
  }
}

template <class G>
PlantEnergy Soft<G>::energy(double t, std::span<const double> state, Scratch& scratch) const {
  return soft_energy(m_, motion(t, state, {}), static_cast<SoftScratch<G>&>(scratch));
}

#define SINEW_INSTANTIATE_SOFT_PLANT(G)                                                                              \
  template bool accelerate(const SoftModel<G>&, const SoftMotion<G>&, SoftScratch<G>&, double*);                     \
  template bool follow_input(const SoftModel<G>&, const SoftLayout<G>&, const PlantStep&, double*, SoftScratch<G>&); \
  template class Soft<G>;
SINEW_FOR_GROUPS(SINEW_INSTANTIATE_SOFT_PLANT)

}  // namespace sinew::rod
