// All that acts on axes is summed here once, explicit or linearised at the end of the step, and booked by the same numbers.
#include "sinew/step/actuate.h"

#include <algorithm>

#include "sinew/dynamics/joint_forces.h"
#include "sinew/math/check.h"
#include "sinew/solve/axis_inertia.h"
#include "sinew/step/loads.h"

namespace sinew {
namespace {

// Springs' forces, servo errors and velocities of one joint's axes.
template <Real S>
struct AxisState {
  S elastic[6], servo_e[6], servo_rate[6], u[6];  // servo_rate: velocity of the target
};

// The angular velocity of a target, given in its own axes, in those of the body that follows.
template <class J, Real S>
void turn_to_follower(const S* q, const S* target, S* rate) {
  const Quat<S> q_FT = conjugate(joint::read_quat(q + J::nq - 4)) * joint::read_quat(target + J::nq - 4);
  const Vec3<S> w = to_matrix(q_FT) * Vec3<S>(rate[0], rate[1], rate[2]);
  for (int i = 0; i < 3; i++) rate[i] = w[i];
}

template <Real S>
struct AxisSource {  // what the axes of all joints are read from
  const Model& model;
  const Params<S>& params;
  const S *q, *u;
  const Workspace<S>& ws;
};

template <class J, Real S>
void read_axes(const AxisSource<S>& from, const JointInfo& joint, AxisState<S>& out) {
  const auto& [model, params, q, u, ws] = from;
  SINEW_ASSERT(joint.link >= 0 || joint.cut >= 0);
  S coords[J::nq + 1];
  const S* qj = coords;
  if (joint.link >= 0) {
    const Link& link = model.links[joint.link];
    qj = (link.driven ? ws.driven.q.data() : q) + link.q;
    std::copy_n((link.driven ? ws.driven.u.data() : u) + link.u, J::nu, out.u);
  } else {
    const CutRows<S>& rows = ws.cuts.rows[joint.cut];
    J::coordinates(rows.X_JF, coords);
    std::copy_n(ws.axis_u.data() + joint.axis, J::nu, out.u);
  }
  constexpr bool has_quaternion = J::nq != J::nu;
  if (joint.has_spring) spring_forces<J>(joint, params, qj, out.elastic);
  if (joint.has_servo) {
    S target[J::nq], accel[J::nu];
    SINEW_ASSERT(joint.motion >= 0 && joint.motion + J::nu <= int(ws.driven.motion.size()));
    J::prescribe(&ws.driven.motion[joint.motion], &ws.driven.motion_rate[joint.motion],
                 &ws.driven.motion_accel[joint.motion], target, out.servo_rate, accel);
    J::displacement(target, qj, out.servo_e);
    wrap_angles<J>(joint, out.servo_e);
    if constexpr (has_quaternion) turn_to_follower<J>(qj, target, out.servo_rate);
  }
}

// Joint force tau along axis c of a cut joint, as wrenches about the mass centres of its two bodies.
template <class J, Real S>
void push_cut(const Model& model, const Params<S>& params, const JointInfo& joint, const S* tau, Workspace<S>& ws) {
  SINEW_ASSERT(joint.cut >= 0 && joint.cut < int(model.cuts.size()) && tau);
  const Cut& cut = model.cuts[joint.cut];
  const CutRows<S>& rows = ws.cuts.rows[joint.cut];
  Vec3<S> axis[J::nu + 1];
  J::axes(rows.R_WJ, rows.R_WF, axis);
  Wrench<S> F = Wrench<S>::zero();
  for (int c = 0; c < J::nu; c++) (J::dirs[c] == joint::Dir::Angular ? F.n : F.f) += axis[c] * tau[c];
  const auto add = [&](int body, const Vec3<S>& arm, S sign) {
    if (body < 0) return;
    const Vec3<S> from_com = arm - ws.frames.link[body].X.R * params.links[body].c_F;
    ws.applied[body].f += F.f * sign;
    ws.applied[body].n += (F.n + cross(from_com, F.f)) * sign;
  };
  add(cut.body2, rows.arm2, S(1.0));
  add(cut.body1, rows.arm1, S(-1.0));
}

template <class J, Real S>
void apply_to_joint(const Model& model, const Params<S>& params, const JointInfo& joint, const S* tau,
                    Workspace<S>& ws) {
  if (joint.driven) return;  // a driven joint takes what it needs
  if (joint.link >= 0)
    std::copy_n(tau, J::nu, ws.tau.data() + model.links[joint.link].u);
  else
    push_cut<J>(model, params, joint, tau, ws);
}

// What sunlight does to a body, at its mass centre.
template <Real S>
Vec3<S> push_of_sun(const Params<S>& params, const Frame<S>& F, int link) {
  return push_of(params.sun, params.links[link].area, F.X.R * params.links[link].n_F);
}

template <Real S>
void begin(const Model& model, const Params<S>& params, const Input<S>& input, const S* u, Workspace<S>& ws) {
  SINEW_ASSERT(int(input.torque.size()) == model.n_axes && input.external.size() == model.links.size());
  SINEW_ASSERT(int(params.springs.size()) == model.n_axes && int(params.servos.size()) == model.n_axes);
  SINEW_ASSERT(int(params.rest.size()) == model.n_coords);
  ws.applied = input.external;
  for (int i = 0; model.has_sun && i < model.link_count(); i++)
    ws.applied[i].f += push_of_sun(params, ws.frames.link[i], i);
  add_loads(model, params, ws);
  if (model.cuts.empty()) return;
  for (int i = 0; i < model.link_count(); i++) ws.V[i] = ws.frames.link[i].V;
  axis_velocities(model, ws.cuts, ws.driven, ws.V.data(), u, ws.axis_u.data());
}

// Commanded from outside, and by drive = "torque".
template <Real S>
S given_torque(const JointInfo& joint, int c, const Input<S>& input, const Workspace<S>& ws) {
  SINEW_ASSERT(c >= 0 && c < joint.n_axes);
  if (joint.drive >= 0) return S(0.0);  // a set-point of its drive
  const S commanded = input.torque[joint.axis + c];
  return joint.has_torque ? commanded + ws.driven.motion[joint.motion + c] : commanded;
}

// A drive in an implicit step (step/devices.h).
template <Real S>
void add_line_of_drive(int axis, S& slope, S& tau_0, Workspace<S>& ws) {
  ws.axis.servo_slope[axis] = ws.devices.slope[axis];
  ws.axis.actuator[axis] += ws.devices.constant[axis];
  slope += ws.devices.slope[axis];
  tau_0 += ws.devices.constant[axis];
}

// A spring or a servo on an axis of a cut joint: a row with compliance. Returns what acts without one.
template <Real S>
struct AxisLine {  // tau_E = tau_0 - slope u_E
  S dt, slope, tau_0;
};
template <Real S>
S put_in_row(const Model& model, const JointInfo& joint, int c, const AxisLine<S>& line, Workspace<S>& ws) {
  const auto soft = line.slope > S(0.0);
  const S safe = select(soft, line.slope, S(1.0));
  if (joint.has_spring || joint.has_servo) {
    const Cut& cut = model.cuts[joint.cut];
    const int row = cut.row + cut.n_ideal + c;
    ws.cuts.compliance[row] = select(soft, S(1.0) / (line.dt * safe), S(0.0));
    ws.cuts.bias[row] = select(soft, -line.tau_0 / safe, S(0.0));
    Vec3<S>& e = ws.cuts.rows[joint.cut].e[cut.n_ideal + c];
    for (int k = 0; k < 3; k++) e[k] = select(soft, e[k], S(0.0));
  }
  return select(soft, S(0.0), line.tau_0);
}

// All axes of a cut joint with inertia A, as solve/axis_inertia.h: gamma_E + R P = R (A gamma_A + dt (tau_0 - bias)).
// What acts on axes that have neither inertia nor slope goes to held.
template <Real S>
struct AxisLines {
  S dt;
  const S *dt_slope, *tau_0;  // of each axis
};
template <Real S>
void put_in_rows(const Model& model, const ReflectedInfo& info, const AxisLines<S>& line, S* held, Workspace<S>& ws) {
  hold_axes(model, ws.frames, info, line.dt_slope, ws.cuts);
  const int n = info.n_axes, at = reflected_axis(model, info), row = first_axis_row(model, info);
  const S *A = ws.frames.reflected.data() + 6 * at, *bias = ws.frames.reflected_bias.data() + at;
  S aim[6];
  for (int r = 0; r < n; r++) {
    aim[r] = line.dt * (line.tau_0[r] - bias[r]);
    for (int c = 0; c < n; c++) aim[r] += A[r * n + c] * ws.axis_u[info.axis + c];
    ws.cuts.bias[row + r] = S(0.0);
    held[r] += select(ws.cuts.compliance[row + r] > S(0.0), S(0.0), line.tau_0[r]);
  }
  add_compliant(model, info, ws.cuts, aim, S(-1.0), ws.cuts.bias.data() + row);
}

template <Real S>
S push(const Servo<S>& servo, S e, S e_rate, S u, Mask<S>& saturated) {
  const S tau = servo.torque(e, e_rate, u);
  saturated = saturated | ((tau >= servo.upper(u)) & (tau > S(0.0))) | ((tau <= servo.lower(u)) & (tau < S(0.0)));
  return tau;
}

}  // namespace

template <Real S>
void actuate(const Model& model, const Params<S>& params, const Input<S>& input, const S* q, const S* u,
             Workspace<S>& ws) {
  SINEW_ASSERT((model.nq == 0 || q) && (model.nu == 0 || u) && int(ws.tau.size()) == model.nu);
  begin(model, params, input, u, ws);
  ws.saturated = mask_of<S>(false);
  if (model.coordinates == Coordinates::Maximal) std::fill(ws.tau.begin(), ws.tau.end(), S(0.0));
  for (const JointInfo& joint : model.joints)
    joint::visit(joint.kind, [&]<class J>() {
      if constexpr (J::nu > 0) {
        AxisState<S> a;
        if (joint.has_spring || joint.has_servo) read_axes<J>({model, params, q, u, ws}, joint, a);
        S tau[J::nu];
        for (int c = 0; c < J::nu; c++) {
          const int at = joint.axis + c;
          const Spring<S>& spring = params.springs[at];
          S actuator = given_torque(joint, c, input, ws);
          if (joint.has_servo && !(ws.servos_in_rows && joint.servo_in_rows))
            actuator += push(params.servos[at], a.servo_e[c], a.servo_rate[c] - a.u[c], a.u[c], ws.saturated);
          if (joint.drive >= 0)
            actuator += ws.devices.constant[at] -
                        ws.devices.slope[at] * (joint.link >= 0 ? u[model.links[joint.link].u + c] : ws.axis_u[at]);
          ws.axis.actuator[at] = actuator;
          ws.axis.spring[at] = joint.has_spring ? a.elastic[c] : S(0.0);
          ws.axis.damper[at] = joint.has_spring ? spring.damping_force(a.u[c]) : S(0.0);
          tau[c] = actuator + ws.axis.spring[at] + ws.axis.damper[at];
        }
        apply_to_joint<J>(model, params, joint, tau, ws);
      }
    });
}

template <Real S>
void actuate_implicit(const Model& model, const Params<S>& params, const Input<S>& input, const S* q, const S* u, S dt,
                      Workspace<S>& ws) {
  SINEW_ASSERT((model.nq == 0 || q) && (model.nu == 0 || u) && int(ws.diag.size()) == model.nu);
  SINEW_ASSERT(all(dt > S(0.0)));
  begin(model, params, input, u, ws);
  ws.saturated = mask_of<S>(false);
  std::fill(ws.tau.begin(), ws.tau.end(), S(0.0));
  std::fill(ws.diag.begin(), ws.diag.end(), S(0.0));
  for (const JointInfo& joint : model.joints)
    joint::visit(joint.kind, [&]<class J>() {
      if constexpr (J::nu > 0) {
        AxisState<S> a;
        if (joint.has_spring || joint.has_servo) read_axes<J>({model, params, q, u, ws}, joint, a);
        S held[J::nu], added[J::nu] = {}, aimed[J::nu] = {};
        const ReflectedInfo* const inertia = inertia_of(model, joint);
        for (int c = 0; c < J::nu; c++) {
          const int at = joint.axis + c;
          const Spring<S>& spring = params.springs[at];
          S slope = S(0.0), tau_0 = S(0.0);  // tau_E = tau_0 - slope u_E
          const S given = given_torque(joint, c, input, ws);
          ws.axis.actuator[at] = given;
          ws.axis.spring[at] = ws.axis.damper[at] = ws.axis.servo_slope[at] = S(0.0);
          if (joint.has_spring) {
            slope = dt * spring.k + spring.d;
            tau_0 = ws.axis.spring[at] = a.elastic[c];
          }
          if (joint.has_servo) {
            const auto [constant, of_servo] = params.servos[at].line(a.servo_e[c], a.servo_rate[c], a.u[c], dt);
            ws.axis.servo_slope[at] = of_servo;
            slope += of_servo;
            tau_0 += constant;
            ws.saturated = ws.saturated | ((of_servo <= S(0.0)) & (abs(constant) > S(0.0)));
            ws.axis.actuator[at] += constant;
          }
          if (joint.drive >= 0) add_line_of_drive(at, slope, tau_0, ws);
          if (joint.driven) {
            held[c] = S(0.0);
          } else if (joint.link >= 0) {
            const int f = model.links[joint.link].u + c;
            held[c] = given + tau_0 - slope * u[f];
            ws.diag[f] = dt * slope;
          } else if (inertia) {
            held[c] = given;
            added[c] = dt * slope;
            aimed[c] = tau_0;
          } else {
            held[c] = given + put_in_row(model, joint, c, {dt, slope, tau_0}, ws);
          }
        }
        if (inertia) put_in_rows(model, *inertia, {dt, added, aimed}, held, ws);
        apply_to_joint<J>(model, params, joint, held, ws);
      }
    });
}

template <Real S>
void recover_implicit_forces(const Model& model, const Params<S>& params, S dt, Workspace<S>& ws) {
  SINEW_ASSERT(all(dt > S(0.0)) && int(ws.axis_u.size()) == model.n_axes);
  for (const JointInfo& joint : model.joints)
    for (int c = 0; c < joint.n_axes; c++) {
      const int at = joint.axis + c;
      const S u_E = ws.axis_u[at];
      if (joint.has_spring) {
        ws.axis.spring[at] -= params.springs[at].k * dt * u_E;
        ws.axis.damper[at] = params.springs[at].damping_force(u_E);
      }
      if (joint.has_servo || joint.drive >= 0) ws.axis.actuator[at] -= ws.axis.servo_slope[at] * u_E;
    }
}

template <Real S>
void axis_velocities(const Model& model, const Cuts<S>& cuts, const Prescribed<S>& driven, const Twist<S>* V,
                     const S* u, S* axis_u) {
  SINEW_ASSERT((model.links.empty() || V) && (model.nu == 0 || u) && (model.n_axes == 0 || axis_u));
  for (const JointInfo& joint : model.joints)
    joint::visit(joint.kind, [&]<class J>() {
      if constexpr (J::nu > 0) {
        S* out = axis_u + joint.axis;
        if (joint.link >= 0) {
          const Link& link = model.links[joint.link];
          std::copy_n((link.driven ? driven.u.data() : u) + link.u, J::nu, out);
        } else {
          const CutRows<S>& rows = cuts.rows[joint.cut];
          const Twist<S> rel = relative_velocity(model.cuts[joint.cut], rows, V);
          Vec3<S> axis[J::nu];
          J::axes(rows.R_WJ, rows.R_WF, axis);
          for (int c = 0; c < J::nu; c++) out[c] = dot(axis[c], J::dirs[c] == joint::Dir::Angular ? rel.w : rel.v);
        }
      }
    });
}

template <Real S>
Work<S> work_rates(const Model& model, const Params<S>& params, const Input<S>& input, const Twist<S>* V,
                   const Workspace<S>& ws) {
  SINEW_ASSERT((model.links.empty() || V) && input.external.size() == model.links.size());
  Work<S> rate;
  for (const JointInfo& joint : model.joints)
    for (int at = joint.axis; at < joint.axis + joint.n_axes; at++) {
      rate.actuators += ws.axis.actuator[at] * ws.axis_u[at];
      rate.damping -= ws.axis.damper[at] * ws.axis_u[at];
    }
  for (int i = 0; i < model.link_count(); i++) {
    const Vec3<S> c = ws.frames.link[i].X.R * params.links[i].c_F;
    const Vec3<S> v_WC = V[i].v + cross(V[i].w, c);
    rate.external += dot(input.external[i].f, v_WC) + dot(input.external[i].n, V[i].w);
    if (model.has_sun) rate.external += dot(push_of_sun(params, ws.frames.link[i], i), v_WC);
  }
  add_load_rates(model, params, V, ws, rate);
  return rate;
}

#define SINEW_INSTANTIATE_ACTUATE(S)                                                                                \
  template void actuate(const Model&, const Params<S>&, const Input<S>&, const S*, const S*, Workspace<S>&);        \
  template void actuate_implicit(const Model&, const Params<S>&, const Input<S>&, const S*, const S*, S,            \
                                 Workspace<S>&);                                                                    \
  template void recover_implicit_forces(const Model&, const Params<S>&, S, Workspace<S>&);                          \
  template void axis_velocities(const Model&, const Cuts<S>&, const Prescribed<S>&, const Twist<S>*, const S*, S*); \
  template Work<S> work_rates(const Model&, const Params<S>&, const Input<S>&, const Twist<S>*, const Workspace<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_ACTUATE)

}  // namespace sinew
