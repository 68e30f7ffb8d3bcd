#include "robots/quadruped/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "robots/catalog.h"
#include "sinew/parts/device/torque_table.h"

namespace sinew::robots {
namespace {

using legged::LegShape;

// One number per leg, or one for all.
void per_leg(Keys& keys, const Key& key, double LegShape::*field, QuadrupedInput& in) {
  std::vector<double> values;
  for (const LegShape& leg : in.robot.leg) values.push_back(leg.*field);
  keys.numbers(key, {.exactly = 4, .one_for_all = true}, values);
  for (int i = 0; i < 4; i++) in.robot.leg[i].*field = values[i];
}

void four_points(Keys& keys, const Key& key, const auto& point_of) {
  std::vector<double> values;
  for (int i = 0; i < 4; i++)
    for (int c = 0; c < 3; c++) values.push_back(point_of(i)[c]);
  keys.numbers(key, {.exactly = 12}, values);
  for (int i = 0; i < 4; i++)
    for (int c = 0; c < 3; c++) point_of(i)[c] = values[3 * i + c];
}

void describe_legs(Keys& keys, QuadrupedInput& in) {
  per_leg(keys, {"l_th", "m", "length of the thighs", positive}, &LegShape::l_th, in);
  per_leg(keys, {"l_sh", "m", "length of the shanks", positive}, &LegShape::l_sh, in);
  per_leg(keys, {"m_th", "kg", "mass of the thighs, uniform bars", positive}, &LegShape::m_th, in);
  per_leg(keys, {"m_sh", "kg", "mass of the shanks, uniform bars", positive}, &LegShape::m_sh, in);
  per_leg(keys, {"sigma", "1", "1: the knee points forward, -1: backward"}, &LegShape::knee, in);
  const auto is_wrong = [](const LegShape& leg) { return leg.knee != 1.0 && leg.knee != -1.0; };
  if (std::ranges::any_of(in.robot.leg, is_wrong)) {
    keys.reject("sigma", "a knee points forward (1) or backward (-1)", "give 1 or -1 for each leg");
    for (LegShape& leg : in.robot.leg) leg.knee = 1.0;
  }
  four_points(keys, {"a", "m", "hips in the plate's axes: x, y, z of front right, front left, rear left, rear right"},
              [&](int i) -> Vec3d& { return in.robot.leg[i].hip; });
  four_points(keys, {"d", "m", "feet on the ground: x, y, z of each leg"}, [&](int i) -> Vec3d& { return in.feet[i]; });
}

void describe_tail(Keys& keys, QuadrupedInput& in) {
  legged::TailShape& tail = in.robot.tail;
  int kind = int(tail.kind);
  keys.choice({"tail", "",
               "pendulum: a point mass on a rod; segments: bars with a universal joint each; shared: bars that bend "
               "together; arc: a rod of constant curvature"},
              legged::tail_names, kind);
  tail.kind = legged::TailKind(kind);
  keys.vector({"r", "m", "root of the tail in the plate's axes"}, tail.root);
  double l_t = tail.length[0], m_t = tail.tip;
  std::vector<double> tl, tm;
  if (tail.kind != legged::TailKind::Pendulum && tail.length.size() > 1) {
    tl = tail.length;
    tm = tail.mass;
  }
  keys.number({"l_t", "m", "length of the tail, if tl is not given", positive}, l_t);
  keys.number({"m_t", "kg", "mass of the tail: of the tip of a pendulum, else spread along it", positive}, m_t);
  keys.numbers({"tl", "m", "lengths of the segments", positive}, {}, tl);
  keys.numbers({"tm", "kg", "masses of the segments", not_negative}, {.exactly = int(tl.size()), .one_for_all = true},
               tm);
  if (tl.size() != tm.size())
    keys.reject("tl", fmt::format("there are {} lengths and {} masses of segments", tl.size(), tm.size()),
                "give a mass in robot.tm for each length in robot.tl, or l_t, m_t and N");
  int N = 1;
  keys.integer({"N", "", "number of equal segments, if tl is not given", {.low = 1, .high = 200}}, N);
  double tip = 0.0;
  keys.number({"tip", "kg", "point mass at the end of a tail of segments", not_negative}, tip);
  keys.flag({"half_root", "", "shared: the root joint bends half as much as the others"}, tail.half_root);
  if (tail.kind == legged::TailKind::Pendulum) {
    tail.length = {l_t};
    tail.mass = {0.0};
    tail.tip = m_t;
  } else if (!tl.empty() && tl.size() == tm.size()) {
    tail.length = tl;
    tail.mass = tm;
    tail.tip = tip;
  } else {
    const int n = tail.kind == legged::TailKind::Arc ? 1 : N;
    tail.length.assign(n, l_t / n);
    tail.mass.assign(n, m_t / n);
    tail.tip = tip;
  }
}

// A list of the right length, or empty: zeros.
void list(Keys& keys, const Key& key, int n, std::vector<double>& values) {
  if (!keys.is_given(key.name)) values.resize(n, 0.0);  // the tail may have changed since the default was made
  keys.numbers(key, {}, values);
  if (!values.empty() && int(values.size()) != n) {
    keys.reject(key.name, fmt::format("{} numbers are given, {} are needed", values.size(), n),
                fmt::format("give {}, or none", n));
    values.clear();
  }
  values.resize(n, 0.0);
}

void describe_state(Keys& keys, QuadrupedInput& in) {
  const int nq = 6 + in.tail_size();
  int n_free = 0;
  std::vector<double>& stance = in.stance;
  keys.numbers({"stance", "1", "of each leg: 1 if its foot is held, else 0", {.low = 0, .high = 1}},
               {.exactly = 4, .one_for_all = true}, stance);
  for (int i = 0; i < 4; i++) n_free += stance[i] < 0.5;
  for (int i = 0; i < 4; i++) {
    const std::string name = fmt::format("swing_theta_{}", i + 1);
    keys.numbers({name, "rad", "ha, hb, k of this leg if its foot is not held"}, {.exactly = 3}, in.swing[i]);
  }
  in.q.resize(nq, 0.0);
  in.u.resize(nq + 3 * n_free, 0.0);
  list(keys, {"q", "m, rad", "at the start: x, y, z, phi_x, phi_y, phi_z of the plate, then the tail"}, nq, in.q);
  list(keys,
       {"u", "m/s, rad/s", "at the start: v, omega (world axes), rates of the tail, then of legs that are not held"},
       nq + 3 * n_free, in.u);
  const int n = in.actuators();
  list(keys, {"tau", "N m", "torques: ha1 ha2 k1 k2 k3 k4, tail, ha3 ha4 hb1 hb2 hb3 hb4"}, n, in.tau);
  list(keys, {"tau_sin", "N m", "amplitudes of what is added to tau: tau_sin sin(tau_omega t)"}, n, in.tau_sin);
  list(keys, {"tau_omega", "rad/s", "of tau_sin"}, n, in.tau_omega);
  static constexpr std::array<std::string_view, 2> ways{"linear", "smooth"};
  int way = in.tau_smooth;
  keys.numbers({"tau_t", "s", "times of a table of torques that is added as well; it stays before and after"}, {},
               in.tau_t);
  keys.numbers({"tau_table", "N m", "its numbers: for each time the torques of all actuators, in the order of tau"}, {},
               in.tau_table);
  keys.choice({"tau_interpolate", "", "table of torques: straight lines, or a spline"}, ways, way);
  in.tau_smooth = way == 1;
  const std::string wrong = table_problem(in.tau_t, in.tau_table, std::size_t(in.actuators()));
  if (wrong.empty()) return;
  const bool wrong_times = in.tau_table.size() == in.tau_t.size() * std::size_t(in.actuators());
  keys.reject(wrong_times ? "tau_t" : "tau_table", wrong,
              fmt::format("give times that increase, and for each {} torques", in.actuators()));
  in.tau_t.clear();
  in.tau_table.clear();
}

}  // namespace

int QuadrupedInput::actuator(int leg, int joint) const {
  const int at = legged::actuator_of[leg][joint];
  return at < 6 ? at : at - 2 + tail_size();
}

Motion<double> QuadrupedInput::torque(int at) const {
  Motion<double> m;
  m.offset = tau[at];
  m.amplitude = tau_sin[at];
  m.frequency = tau_omega[at] / (2.0 * std::numbers::pi);
  std::vector<double> column;
  for (std::size_t i = 0; i < tau_t.size(); i++) column.push_back(tau_table[i * actuators() + at]);
  if (!column.empty()) m.table = make_torque_table(tau_t, std::move(column), tau_smooth);
  return m;
}

std::function<void(double t, legged::Vec14& tau)> QuadrupedInput::profile() const {
  std::array<Motion<double>, 14> torques;
  for (int i = 0; i < 14; i++) torques[i] = torque(i);
  return [torques](double time, legged::Vec14& out) {
    double rate, accel;
    for (int i = 0; i < 14; i++) torques[i].evaluate(time, out[i], rate, accel);
  };
}

legged::Vec8 QuadrupedInput::q8() const {
  legged::Vec8 x{};
  std::copy_n(q.begin(), 8, x.begin());
  return x;
}
legged::Vec8 QuadrupedInput::u8() const {
  legged::Vec8 x{};
  std::copy_n(u.begin(), 8, x.begin());
  return x;
}

legged::WalkerState QuadrupedInput::state() const {
  legged::WalkerState s;
  s.p = Vec3d(q[0], q[1], q[2]);
  s.R = legged::rotation_of({q[3], q[4], q[5]});
  s.v = Vec3d(u[0], u[1], u[2]);
  s.w = Vec3d(u[3], u[4], u[5]);
  const int n = tail_size();
  s.tail.assign(q.begin() + 6, q.begin() + 6 + n);
  s.tail_rate.assign(u.begin() + 6, u.begin() + 6 + n);
  s.foot = feet;
  int at = 6 + n;
  for (int i = 0; i < 4; i++) {
    s.mode[i] = stance[i] > 0.5 ? legged::LegMode::Held : legged::LegMode::Free;
    s.theta[i] = {swing[i][0], swing[i][1], swing[i][2]};
    if (s.mode[i] == legged::LegMode::Free)
      for (double& x : s.theta_rate[i]) x = u[at++];
  }
  return s;
}

legged::WalkerTorques QuadrupedInput::torques(const std::vector<double>& t) const {
  legged::WalkerTorques out;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) out.leg[i][j] = t[actuator(i, j)];
  out.tail.assign(t.begin() + 6, t.begin() + 6 + tail_size());
  return out;
}

void describe(Keys& keys, QuadrupedInput& in) {
  keys.number({"m_b", "kg", "mass of the plate", positive}, in.robot.m_b);
  Sym3d& I = in.robot.I_b;
  std::vector<double> inertia{I.xx, I.yy, I.zz};
  if (I.xy != 0.0 || I.xz != 0.0 || I.yz != 0.0) inertia = {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
  keys.numbers({"I_b", "kg m^2", "inertia of the plate about its mass centre: xx, yy, zz, or xx, xy, xz, yy, yz, zz"},
               {.exactly = 3, .or_exactly = 6}, inertia);
  if (inertia.size() == 3) I = {inertia[0], 0.0, 0.0, inertia[1], 0.0, inertia[2]};
  if (inertia.size() == 6) I = {inertia[0], inertia[1], inertia[2], inertia[3], inertia[4], inertia[5]};
  keys.number({"g", "m/s^2", "gravity of this robot's scenarios, along -z", not_negative}, in.robot.g);
  describe_legs(keys, in);
  describe_tail(keys, in);
  describe_state(keys, in);
}

}  // namespace sinew::robots
