// Rows of all set-valued laws of a step, then the solver that suits them: recursion, sweeps or responses.
#include "sinew/step/laws.h"

#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/model/fits.h"
#include "sinew/step/adhere.h"
#include "sinew/step/impact.h"
#include "sinew/step/joint_friction.h"
#include "sinew/step/patches.h"
#include "sinew/step/penalty.h"
#include "sinew/step/rebound.h"

namespace sinew {
namespace {

// Apparent mass of a link at a point: as if it were alone. A step of the local maps; it need not be exact.
template <Real S>
void point_mass(const LinkParams<S>& link, const Mat3<S>& R, const Vec3<S>& arm, S least, S& mass, S& inertia) {
  const Vec3<S> from_c = arm - R * link.c_F;
  const S m = max(link.I_F.m, least), c2 = dot(link.c_F, link.c_F), d2 = dot(from_c, from_c);
  const S mean = (link.I_F.I.xx + link.I_F.I.yy + link.I_F.I.zz) * S(1.0 / 3.0) - link.I_F.m * c2 * S(2.0 / 3.0);
  inertia = max(mean, m * (d2 * S(1e-2) + S(1e-12)));
  mass = m * inertia / (inertia + m * d2);  // 1 / (1/m + d^2/I)
}

template <Real S>
struct Gatherer {
  const Model& model;
  const Params<S>& params;
  const State<S>& state;
  const S* q;
  double dt;
  Workspace<S>& ws;
  bool soft;          // penalty contacts
  int measured = -1;  // the cut joint that `coordinates` belong to
  S coordinates[8];
  bool has_velocities = false;  // of the links, in ws.V

  static bool is_end(const AxisRowInfo& info) {
    return info.kind == AxisRowInfo::Kind::Lower || info.kind == AxisRowInfo::Kind::Upper;
  }
  // From the end of a range.
  S gap_of(const AxisRowInfo& info, S coordinate) const {
    const int at = model.joints[info.joint].axis + info.component;
    return info.kind == AxisRowInfo::Kind::Lower ? coordinate - params.lower[at] : params.upper[at] - coordinate;
  }

  // Friction at the speed of the start; without direction where the body stands upright.
  // Written in place: the law of a row that was stored piece by piece a moment ago is slow to copy.
  void set_law(const ContactPoint<S>& p, double radius, const S* before, ContactRow<S>& c) const {
    ContactLaw<S>& l = c.law;
    l = params.contact_laws[p.law];
    c.stiffness = c.damping = S(0.0);
    if (!model.patches.empty()) put_on_patch(model, params, p, c);
    const S v2 = before[row::T1] * before[row::T1] + before[row::T2] * before[row::T2];
    const S factor = soft ? S(1.0) : law::stribeck_factor(l, v2);  // penalty forces know their speed themselves
    const S least = min(min(l.mu_forward, l.mu_backward), l.mu_trans);
    for (S* mu : {&l.mu_forward, &l.mu_backward, &l.mu_trans}) *mu = select(p.upright, least, *mu) * factor;
    l.rolling += l.mu_roll * S(radius);
    if (soft) l.eps_N = S(0.0);  // they give way by themselves
  }

  void add_contact(const ContactPoint<S>& p) {
    SINEW_ASSERT(p.shape2 >= 0 && p.law >= 0 && p.law < int(params.contact_laws.size()));
    SINEW_ASSERT(ws.rows.n_contacts < int(ws.rows.contact.size()) && p.old < model.n_slots);
    ContactRow<S>& c = ws.rows.contact[ws.rows.n_contacts++];
    c.link1 = p.shape1 < 0 ? world_body : model.shapes[p.shape1].link;
    c.link2 = model.shapes[p.shape2].link;
    c.pair = p.pair;
    c.slot = p.slot;
    c.closed = p.closed;
    c.n = p.n;
    c.t1 = p.t1;
    c.t2 = cross(p.n, p.t1);
    const Frame<S>& F2 = ws.frames.link[c.link2];
    c.arm2 = p.p - F2.X.p;
    const S least = ws.rows.total_mass * S(1e-6);
    point_mass(params.links[c.link2], F2.X.R, c.arm2, least, c.mass, c.inertia);
    Twist<S> rel = shift_to_child(F2.V, c.arm2);
    if (c.link1 >= 0) {
      const Frame<S>& F1 = ws.frames.link[c.link1];
      c.arm1 = p.p - F1.X.p;
      rel = rel - shift_to_child(F1.V, c.arm1);
    }
    const Vec3<S>* axes[3] = {&c.n, &c.t1, &c.t2};
    for (int k = 0; k < 3; k++) {
      c.before[k] = c.gamma_0[k] = dot(*axes[k], rel.v);
      c.before[3 + k] = c.gamma_0[3 + k] = dot(*axes[k], rel.w);
    }
    if (model.n_prescribed_u > 0) contact_velocity(c, ws.V_0.data(), c.gamma_0);
    c.radius = model.shapes[p.shape2].shape.radius;
    set_law(p, c.radius, c.before, c);
    c.slides = any((c.law.mu_forward + c.law.mu_backward + c.law.mu_trans) > S(0.0));
    c.drills = any(c.law.drilling > S(0.0));
    c.rolls = any(c.law.rolling > S(0.0));
    const S restitution = is_impulsive(model.contact.response) ? S(0.0) : c.law.restitution;  // has had its turn
    c.bias = law::unilateral_bias(restitution, c.before[row::N], p.gap, model.contact.activation_gap, dt);
    ws.rows.rebounds = ws.rows.rebounds | (c.closed & (restitution * c.before[row::N] < S(-model.contact.tolerance)));
    // the warm start: impulses of the same feature in the last step, velocities that go on as they did
    c.pull = S(0.0);
    static const S nothing[slot::size] = {};
    const S* old = p.old < 0 ? nothing : state.contact.data() + std::size_t(p.old) * slot::size;
    const auto same = (old[slot::key] >= p.key) & (old[slot::key] <= p.key);
    const S scale = S(state.dt > 0.0 ? dt / state.dt : 0.0);
    for (int r = 0; r < row::count; r++) {
      c.P[r] = select(same, old[slot::P + r] * scale, S(0.0));
      c.gamma[r] = c.before[r];
      if (r > row::N) c.gamma[r] += select(same, old[slot::change + r - 1] * scale, S(0.0));
    }
  }

  // Coordinate of a joint's axis. Rows of one joint come one after the other: a cut joint is measured once for all.
  S coordinate_of(const AxisRowInfo& info) {
    const JointInfo& joint = model.joints[info.joint];
    if (joint.link >= 0) return q[model.links[joint.link].q + info.component];
    if (measured != info.joint) {
      measured = info.joint;
      joint::visit(joint.kind, [&]<class J>() {
        if constexpr (J::nu > 0) J::coordinates(ws.cuts.rows[joint.cut].X_JF, coordinates);
      });
    }
    return coordinates[info.component];
  }

  // Place and direction of an axis.
  template <class J>
  void place_axis(const JointInfo& joint, int c, AxisRow<S>& a) const {
    a.link1 = joint.parent;
    a.link2 = joint.child;
    a.dir = J::dirs[c];
    if (joint.link >= 0) {
      const Link& link = model.links[joint.link];
      a.freedom = link.u + c;
      a.e = ws.frames.axis[link.axis + c];
      a.arm2 = Vec3<S>::zero();
      a.arm1 = ws.frames.link[joint.link].r;
    } else {
      const CutRows<S>& rows = ws.cuts.rows[joint.cut];
      Vec3<S> axis[J::nu + 1];
      J::axes(rows.R_WJ, rows.R_WF, axis);
      a.freedom = -1;
      a.e = axis[c];
      a.arm1 = rows.arm1;
      a.arm2 = rows.arm2;
    }
  }

  // The servo's limits are those at the speed of the start; with free play each side has a row of its own. The target is that of the
  // time at which the law looks, by its rates at the end.
  AxisLaw<S> servo_at(const AxisRowInfo& info, const JointInfo& joint, S coordinate, S rate, S mass) const {
    const Servo<S>& servo = params.servos[joint.axis + info.component];
    const int target = joint.motion + info.component;
    const S lower = info.side > 0 ? S(0.0) : servo.lower(rate), upper = info.side < 0 ? S(0.0) : servo.upper(rate);
    const S theta = law::servo_instant(servo.kp, servo.kd, mass, S(dt)), before_end = (S(1.0) - theta) * S(dt);
    const S rate_ref = ws.driven_E.motion_rate[target], accel_ref = ws.driven_E.motion_accel[target];
    const S aim = ws.driven_E.motion[target] - before_end * (rate_ref - S(0.5) * before_end * accel_ref);
    return law::servo<S>({.kp = servo.kp,
                          .kd = servo.kd,
                          .lower = lower,
                          .upper = upper,
                          .error = coordinate - aim + servo.play * S(double(info.side)),
                          .rate = rate,
                          .rate_ref = rate_ref - before_end * accel_ref,
                          .dt = S(dt),
                          .theta = theta});
  }

  void add_axis(int index) {
    SINEW_ASSERT(index >= 0 && index < int(state.axis_P.size()) && ws.rows.n_axes < int(ws.rows.axis.size()));
    using Kind = AxisRowInfo::Kind;
    const AxisRowInfo& info = model.axis_rows[index];
    if (info.kind == Kind::Servo && !ws.servos_in_rows) return;
    const JointInfo& joint = model.joints[info.joint];
    const int at = joint.axis + info.component;
    const S coordinate = coordinate_of(info);
    const S gap = is_end(info) ? gap_of(info, coordinate) : S(0.0);
    AxisRow<S>& a = ws.rows.axis[ws.rows.n_axes];
    a.closed = gap <= S(model.contact.activation_gap);
    if (!any(a.closed)) return;  // the end of a range, far away: most of them, in most steps
    if (!has_velocities)
      for (int i = 0; i < model.link_count(); i++) ws.V[i] = ws.frames.link[i].V;
    has_velocities = true;
    a.index = index;
    joint::visit(joint.kind, [&]<class J>() {
      if constexpr (J::nu > 0) place_axis<J>(joint, info.component, a);
    });
    a.sign = S(info.kind == Kind::Upper ? -1.0 : 1.0);
    a.e = a.e * a.sign;
    a.before = axis_velocity(a, ws.V.data());
    a.gamma_0 = model.n_prescribed_u > 0 ? axis_velocity(a, ws.V_0.data()) : a.before;
    S mass, inertia, least = ws.rows.total_mass * S(1e-6);
    point_mass(params.links[a.link2], ws.frames.link[a.link2].X.R, Vec3<S>::zero(), least, mass, inertia);
    a.mass = a.dir == joint::Dir::Angular ? inertia : mass;
    const int first = joint.link >= 0 ? model.links[joint.link].axis : model.n_frame_axes + joint.axis;
    if (!ws.frames.reflected.empty()) a.mass += ws.frames.reflected[6 * first + info.component * (joint.n_axes + 1)];
    if (is_end(info)) {
      a.law = law::unilateral(law::unilateral_bias(S(0.0), a.before, gap, model.contact.activation_gap, dt));
    } else if (info.kind == Kind::Servo) {
      a.law = servo_at(info, joint, coordinate, a.before, a.mass);
    } else {
      const law::AxisMotion<S> now = axis_motion<S>(params, state, model, index, {coordinate, a.before, S(dt)}, ws);
      law::visit_axis_law(info.law, params, [&]<class L>(const auto& numbers) { a.law = L::at(numbers[at], now); });
    }
    a.P = state.axis_P[index] * S(state.dt > 0.0 ? dt / state.dt : 0.0);
    a.gamma = a.before;
    ws.rows.n_axes++;
  }
};

// Velocities of all rows for the links' velocities V: where no impulse acts.
template <Real S>
void set_velocities(Mask<S> which, const Twist<S>* V, Rows<S>& rows) {
  S gamma[row::count];
  for (int i = 0; i < rows.n_contacts; i++) {
    ContactRow<S>& c = rows.contact[i];
    contact_velocity(c, V, gamma);
    for (int r = 0; r < row::count; r++) c.gamma[r] = select(which, gamma[r], c.gamma[r]);
  }
  for (int i = 0; i < rows.n_axes; i++)
    rows.axis[i].gamma = select(which, axis_velocity(rows.axis[i], V), rows.axis[i].gamma);
}

// Compliance that picks forces of least norm: small enough that two or three multipliers take it out again, large enough
// that rows which are redundant but for round-off do not count as independent. Where many contacts bear the robot it goes by
// what one of them bears: stiffer ones change between stick and slip so suddenly that long chains need more iterations.
template <Real S>
void set_stiffness(Rows<S>& rows) {
  rows.stiff = rows.total_mass * (S(1e4) * min(S(1.0), S(5.0) / max(count_closed(rows), S(1.0))));
}

// Many rows between bodies: a matrix of all of them would take longer than sweeps over their contacts.
template <Real S>
bool use_sweeps(const Model& model, const Rows<S>& rows) {
  constexpr int many = 100;
  if (model.has_rows() || model.has_shear) return false;
  if (model.contact.solver != ContactSolver::Auto) return model.contact.solver == ContactSolver::Sparse;
  int n = rows.n_axes;
  for (int i = 0; i < rows.n_contacts; i++) {
    const ContactRow<S>& c = rows.contact[i];
    n += 1 + (c.slides ? 2 : 0) + (c.drills ? 1 : 0) + (c.rolls ? 2 : 0);
  }
  return n > many && !rows.local();
}

// Free bodies in trees of cut joints on the ground: their joints are eliminated one by one, with the laws in them.
template <Real S>
bool use_joints(const Model& model, const Workspace<S>& ws) {
  return model.contact.solver == ContactSolver::Auto && model.contact.response == Response::Rigid &&
         ws.recursion.cuts.trees.hold_all && ws.rows.on_ground();
}

// From the velocities without laws in u_E.
template <Real S>
SolveReport solve_from_free(const Model& model, const Params<S>& params, Mask<S> which, S* u_E, Workspace<S>& ws) {
  evaluate_velocities(model, ws.frames, u_E, ws.driven_E, 1.0, ws.V);
  if (use_joints(model, ws))
    return solve_by_joints({model, ws.frames, ws.blocks, ws.cuts}, {params, ws.V.data(), ws.recursion}, which, ws.rows,
                           ws.delassus, u_E);
  set_velocities(which, ws.V.data(), ws.rows);
  if (has_other_rules(model)) return solve_by_other_rules(model, which, u_E, ws);
  if (use_sweeps(model, ws.rows))
    return solve_by_sweeps({model, ws.frames, ws.blocks, ws.cuts}, which, {model.contact.tolerance}, ws.rows, ws.sweeps,
                           u_E);
  const DenseMethod method = model.contact.solver == ContactSolver::Sweep ? DenseMethod::Sweep : DenseMethod::Newton;
  return solve_by_responses({model, ws.frames, ws.blocks, ws.cuts}, method, which, ws.rows, ws.delassus, u_E);
}

}  // namespace

template <Real S>
bool gather(const Model& model, const Params<S>& params, const State<S>& state, const S* q, LawSpan span,
            Workspace<S>& ws) {
  const auto [dt, mode, gaps_of_start] = span;
  SINEW_ASSERT(fits(model, state) && params.links.size() == model.links.size());
  SINEW_ASSERT(dt > 0.0 || mode == SoftMode::Stage);
  Rows<S>& rows = ws.rows;
  rows.n_contacts = rows.n_axes = rows.n_soft = 0;
  rows.rebounds = mask_of<S>(false);
  rows.has_struck = false;
  rows.lost_in_impact = rows.lost_in_friction = S(0.0);
  if (!model.has_laws()) return false;
  if (model.n_prescribed_u > 0)
    evaluate_velocities(model, ws.frames, state.u.data(), ws.driven_E, 1.0, ws.V_0);
  else
    for (int i = 0; i < model.link_count(); i++) ws.V_0[i] = ws.frames.link[i].V;
  const bool soft = model.contact.response == Response::Penalty;
  detect(model, ws.frames, state.contact,
         soft ? soft_margin(model, ws.frames, mode == SoftMode::Implicit, dt) : model.contact.activation_gap,
         ws.contacts);
  rows.total_mass = S(0.0);
  for (const auto& link : params.links) rows.total_mass += link.I_F.m;
  Gatherer<S> g{model, params, state, q, dt, ws, soft, -1, {}};
  for (const ContactPoint<S>& p : ws.contacts) g.add_contact(p);
  if (soft) {
    std::swap(rows.n_contacts, rows.n_soft);
    ws.soft.implicit = mode == SoftMode::Implicit;
    prepare_soft(model, params, state, ws.soft.implicit ? 0.0 : dt, mode == SoftMode::Stage, ws);
  }
  if (model.soft_ground && !soft) sink(model, span, ws);
  rows.span = mode == SoftMode::Stage ? 1.0 : dt;
  if (!model.pads.empty()) adhere(model, params, state, ws);
  for (int i = 0; i < int(model.axis_rows.size()) && mode != SoftMode::Stage; i++) g.add_axis(i);
  set_stiffness(rows);
  return !rows.empty();
}

template <Real S>
Mask<S> acting(const Rows<S>& rows) {
  Mask<S> any_closed = mask_of<S>(false);
  for (int i = 0; i < rows.n_contacts; i++) any_closed = any_closed | rows.contact[i].closed;
  for (int i = 0; i < rows.n_axes; i++) any_closed = any_closed | rows.axis[i].closed;
  return any_closed;
}

template <Real S>
bool use_recursion(const Model& model, const Workspace<S>& ws) {
  const ContactSolver solver = model.contact.solver;
  const Response response = model.contact.response;
  return (solver == ContactSolver::Auto || solver == ContactSolver::Recursion) && !model.has_rows() &&
         ws.rows.local() && (response == Response::Rigid || response == Response::Penalty);
}

template <Real S>
SolveReport solve_laws_by_recursion(const Model& model, const Params<S>& params, const S* diag, const S* u_A, double dt,
                                    Workspace<S>& ws) {
  S* u_E = ws.u.data();
  SINEW_ASSERT(dt > 0.0 && (model.nu == 0 || (u_A && u_E && u_A != u_E)));
  const ImpulseProblem<S> problem{model, params, ws.frames, ws.tau.data(), &ws.applied, diag, dt};
  Mask<S> failed;
  SolveReport report = solve_by_recursion(problem, ws.rows, ws.recursion, ws.blocks, ws.u_rate.data(), failed);
  for (int i = 0; i < model.nu; i++) u_E[i] = u_A[i] + S(dt) * ws.u_rate[i];
  bool is_factored = false;  // the other solver needs the smooth step, and the factor without contacts in it
  const auto free = [&](Mask<S> which) {
    if (!is_factored)
      forward_dynamics(model, params, ws.frames, {ws.tau.data(), &ws.applied, diag}, ws.blocks, ws.u_rate.data());
    is_factored = true;
    for (int i = 0; i < model.nu; i++) u_E[i] = select(which, u_A[i] + S(dt) * ws.u_rate[i], u_E[i]);
  };
  if (!report.converged) {
    const int before = report.iterations;
    free(failed);
    report = solve_laws_by_responses(model, params, failed, u_E, ws);
    report.iterations += before;
  }
  const Mask<S> rebounds = may_make_energy(model, ws.rows) & negate(failed);
  if (!any(rebounds)) return report;
  return bound_rebounds(model, ws.rows.span, rebounds, report, ws, [&](Mask<S> again) {
    free(again);
    return solve_from_free(model, params, again, u_E, ws);
  });
}

template <Real S>
SolveReport solve_laws_by_responses(const Model& model, const Params<S>& params, Mask<S> which, S* u_E,
                                    Workspace<S>& ws) {
  SINEW_ASSERT(model.nu == 0 || (u_E && u_E != ws.u_rate.data()));
  if (is_impulsive(model.contact.response)) strike(model, u_E, ws);
  const Mask<S> rebounds = may_make_energy(model, ws.rows) & which;
  if (!any(rebounds)) return solve_from_free(model, params, which, u_E, ws);
  keep_free(model, u_E, ws);
  const SolveReport report = solve_from_free(model, params, which, u_E, ws);
  return bound_rebounds(model, ws.rows.span, rebounds, report, ws, [&](Mask<S> again) {
    back_to_free(model, again, u_E, ws);
    return solve_from_free(model, params, again, u_E, ws);
  });
}

template <Real S>
void apply_laws(const Params<S>& params, double dt, Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && ws.applied.size() == params.links.size());
  const S rate = S(1.0 / dt);
  const auto add = [&](int link, const Wrench<S>& W) {  // about the link's origin
    const Vec3<S> c = ws.frames.link[link].X.R * params.links[link].c_F;
    ws.applied[link].f += W.f * rate;
    ws.applied[link].n += (W.n - cross(c, W.f)) * rate;
  };
  const int n = ws.rows.n_contacts + (ws.soft.implicit ? ws.rows.n_soft : 0);
  for (int i = 0; i < n; i++) {
    S P[row::count];
    for (int r = 0; r < row::count; r++) P[r] = whole_impulse(ws.rows, i, r);
    spread(ws.rows.contact[i], contact_impulse(ws.rows.contact[i], P), add);
  }
  for (int i = 0; i < ws.rows.n_axes; i++)
    spread(ws.rows.axis[i], axis_impulse(ws.rows.axis[i], ws.rows.axis[i].P), add);
}

#define SINEW_INSTANTIATE_LAWS(S)                                                                           \
  template bool gather(const Model&, const Params<S>&, const State<S>&, const S*, LawSpan, Workspace<S>&);  \
  template Mask<S> acting(const Rows<S>&);                                                                  \
  template bool use_recursion(const Model&, const Workspace<S>&);                                           \
  template SolveReport solve_laws_by_recursion(const Model&, const Params<S>&, const S*, const S*, double,  \
                                               Workspace<S>&);                                              \
  template SolveReport solve_laws_by_responses(const Model&, const Params<S>&, Mask<S>, S*, Workspace<S>&); \
  template void apply_laws(const Params<S>&, double, Workspace<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_LAWS)

}  // namespace sinew
