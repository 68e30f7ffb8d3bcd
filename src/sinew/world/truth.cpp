#include "sinew/world/truth.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/elementary.h"
#include "sinew/parts/touch/ray.h"
#include "sinew/world/contact_point.h"

namespace sinew {
namespace {

template <Real S>
Vec3d one_of(const Vec3<S>& v, int l) {
  return {lane(v[0], l), lane(v[1], l), lane(v[2], l)};
}
template <Real S>
Posed one_of(const Pose<S>& X, int l) {
  return {{one_of(X.R.c[0], l), one_of(X.R.c[1], l), one_of(X.R.c[2], l)}, one_of(X.p, l)};
}
template <Real S>
Gravity<double> one_of(const Gravity<S>& g, int l) {
  return {g.kind, one_of(g.g, l), lane(g.GM, l), one_of(g.centre, l), one_of(g.spin, l), one_of(g.axes, l)};
}
template <Real S>
Inertia<double> one_of(const Inertia<S>& a, int l) {
  return {lane(a.m, l),
          one_of(a.mc, l),
          {lane(a.I.xx, l), lane(a.I.xy, l), lane(a.I.xz, l), lane(a.I.yy, l), lane(a.I.yz, l), lane(a.I.zz, l)}};
}

// Where the sensor is and how it moves.
struct Mount {
  Posed X_WS;
  Vec3d w, v;  // [rad/s, m/s], world axes
};

template <Real S>
Mount mount_of(const RobotView<S>& view, const SensorInfo& info) {
  const Frame<S>& F = view.frames.link[std::size_t(info.link)];
  const Posed X_WF = one_of(F.X, view.lane);
  const Vec3d w = one_of(F.V.w, view.lane);
  return {X_WF * info.X_FS, w, one_of(F.V.v, view.lane) + cross(w, X_WF.R * info.X_FS.p)};
}

// A cut joint does not know how often it has turned. Its drive does; else it is the turn to which the last sample and the velocity lead.
// own, from `turned_at` on: 1 once there is a sample, what it was, its time
constexpr std::size_t turned_at = 8;
template <Real S>
double full_turns(const RobotView<S>& view, const SensorInfo& info, double q, double u, std::span<double> own) {
  const Model& model = view.world.model();
  const State<S>& state = view.world.state;
  const int drive = model.joints[std::size_t(info.joint)].drive;
  double near = own[turned_at] > 0.0 ? own[turned_at + 1] + u * (state.t - own[turned_at + 2]) : q;
  if (drive >= 0 && model.drives[std::size_t(drive)].transmission < 0) {
    const int block = model.drives[std::size_t(drive + info.plan.axis)].memory;
    near = lane(state.memory[std::size_t(block + drive::memory::x)], view.lane);
  }
  own[turned_at] = 1.0;
  own[turned_at + 2] = state.t;
  constexpr double turn = 2.0 * std::numbers::pi;
  return own[turned_at + 1] = q + turn * std::floor((near - q) / turn + 0.5);
}

template <Real S>
double joint_coordinate(const RobotView<S>& view, const SensorInfo& info, std::span<double> own) {
  const Model& model = view.world.model();
  const JointInfo& j = model.joints[std::size_t(info.joint)];
  if (j.link < 0) {
    const JointMotion<S>& seen = view.seen->joints[std::size_t(info.joint)];
    const double q = lane(seen.q[std::size_t(info.plan.axis)], view.lane);
    return info.is_linear ? q : full_turns(view, info, q, lane(seen.u[std::size_t(info.plan.axis)], view.lane), own);
  }
  const Link& link = model.links[std::size_t(j.link)];
  const std::vector<S>& from = link.driven ? view.driven.q : view.world.state.q;
  return lane(from[std::size_t(link.q + info.plan.axis)], view.lane);
}

// A number that the drive remembers.
template <Real S>
double of_drive(const RobotView<S>& view, const SensorInfo& info, int entry) {
  const DriveInfo& drive = view.world.model().drives[std::size_t(info.drive)];
  return lane(view.world.state.memory[std::size_t(drive.memory + entry)], view.lane);
}

// On the shaft of a motor that is not where the joint is. Before the first step it is.
template <Real S>
bool is_on_motor(const RobotView<S>& view, const SensorInfo& info) {
  return info.drive >= 0 && view.world.model().drives[std::size_t(info.drive)].setup.has_spring() &&
         of_drive(view, info, drive::memory::started) > 0.5;
}

Vec3d vector_in(std::span<const double> own, int first) {
  return {own[std::size_t(first)], own[std::size_t(first + 1)], own[std::size_t(first + 2)]};
}
void put_vector(const Vec3d& v, std::span<double> own, int first) {
  for (int i = 0; i < 3; i++) own[std::size_t(first + i)] = v[i];
}

// own: 1 once there is a velocity, the velocity, its time
template <Real S>
void read_inertial(const RobotView<S>& view, const SensorInfo& info, std::span<double> own, std::span<double> out) {
  const Mount at = mount_of(view, info);
  const double t = view.world.state.t, T = t - own[4];
  const Vec3d a = own[0] > 0.0 && T > 0.0 ? (at.v - vector_in(own, 1)) * (1.0 / T) : Vec3d::zero();
  own[0] = 1.0;
  put_vector(at.v, own, 1);
  own[4] = t;
  const Vec3d fall_there = fall(one_of(view.world.params.gravity, view.lane), at.X_WS.p, at.v);
  put_vector(transpose_times(at.X_WS.R, at.w), out, 0);
  put_vector(transpose_times(at.X_WS.R, a - fall_there), out, 3);
}

template <Real S>
void read_inclination(const RobotView<S>& view, const SensorInfo& info, std::span<double> out) {
  const Mount at = mount_of(view, info);
  const Gravity<double> gravity = one_of(view.world.params.gravity, view.lane);
  const Vec3d up = -transpose_times(at.X_WS.R, fall(gravity, at.X_WS.p, Vec3d::zero()));
  out[0] = math::atan2(up[1], up[2]);
  out[1] = math::atan2(-up[0], math::hypot(up[1], up[2]));
}

template <Real S>
void read_pose(const RobotView<S>& view, const SensorInfo& info, std::span<double> out) {
  const Posed X = mount_of(view, info).X_WS;
  put_vector(X.p, out, 0);
  out[3] = math::atan2(X.R(2, 1), X.R(2, 2));
  out[4] = math::atan2(-X.R(2, 0), math::hypot(X.R(0, 0), X.R(1, 0)));
  out[5] = math::atan2(X.R(1, 0), X.R(0, 0));
}

// What it carries itself it does not see. Twice the range is as far as anybody looks, so that what is beyond it is known to be.
template <Real S>
void read_distances(const RobotView<S>& view, const SensorInfo& info, std::span<double> out) {
  const Posed X_WS = mount_of(view, info).X_WS;
  const Model& model = view.world.model();
  for (std::size_t i = 0; i < out.size(); i++) {
    const Ray ray{X_WS.p, X_WS.R * info.rays[i]};
    double nearest = distance_along(ray, model.terrain, 2.0 * info.channels[i].upper);
    for (const ShapeInfo& s : model.shapes) {
      if (s.link == info.link) continue;
      const Posed X = s.link < 0 ? s.X_FS : one_of(view.frames.link[std::size_t(s.link)].X, view.lane) * s.X_FS;
      const Vec3d from = X.p - ray.p;
      const double along = dot(from, ray.d), reach = s.shape.reach();
      if (along < -reach || along - reach > nearest || dot(from, from) - along * along > reach * reach) continue;
      nearest = distance_along({X.inverse() * ray.p, transpose_times(X.R, ray.d)}, s.shape, nearest);
    }
    out[i] = nearest;
  }
}

// f(link of the first shape, link of the second, slot) for all that touch.
template <Real S, class F>
void each_touch(const RobotView<S>& view, F f) {
  const Model& model = view.world.model();
  for_each_slot(model, view.world.state, [&](const ShapePair& pair, int, const S* s) {
    if (lane(s[slot::key], view.lane) > 0.0) f(pair, s);
  });
}

template <Real S>
double pressing_on(const RobotView<S>& view, const SensorInfo& info) {
  const Model& model = view.world.model();
  const double dt = view.world.state.dt;
  if (!(dt > 0.0) || model.n_slots == 0) return 0.0;
  const std::string& name = info.plan.shape;
  double sum = 0.0;
  each_touch(view, [&](const ShapePair& pair, const S* s) {
    for (const int shape : {pair.shape2, pair.shape1}) {
      if (shape < 0 || model.shapes[std::size_t(shape)].link != info.link) continue;
      const std::string& full = model.shapes[std::size_t(shape)].name;  // BODY.SHAPE
      if (name.empty() ||
          (full.size() > name.size() && full.ends_with(name) && full[full.size() - name.size() - 1] == '.'))
        sum += lane(s[slot::P], view.lane) / dt;
    }
  });
  return sum;
}

// Momentum of what lies beyond the cut, and the forces on it, about a place c.
struct Beyond {
  Vec3d p = Vec3d::zero(), L = Vec3d::zero();  // momentum [N s], about the world's origin [N m s]
  Vec3d f = Vec3d::zero(), n = Vec3d::zero();  // force [N], torque about c [N m]

  void push(const Vec3d& force, const Vec3d& torque, const Vec3d& arm) {
    f += force;
    n += torque + cross(arm, force);
  }
};

template <Real S>
void add_link(const RobotView<S>& view, int link, const Gravity<double>& gravity, const Vec3d& c, Beyond& sum) {
  const LinkParams<S>& params = view.world.params.links[std::size_t(link)];
  const Frame<S>& F = view.frames.link[std::size_t(link)];
  const Posed X = one_of(F.X, view.lane);
  const Vec3d w = one_of(F.V.w, view.lane), c_F = one_of(params.c_F, view.lane), arm = X.R * c_F;
  const Vec3d p_WC = X.p + arm, v_WC = one_of(F.V.v, view.lane) + cross(w, arm);
  const Inertia<double> I_F = one_of(params.I_F, view.lane);
  const Sym3d I_C = rotate(X.R, central(I_F.I, c_F, I_F.mc));
  const Vec3d momentum = v_WC * I_F.m;
  sum.p += momentum;
  sum.L += cross(p_WC, momentum) + I_C * w;
  sum.push(fall(gravity, p_WC, v_WC) * I_F.m,
           turns(gravity.kind) ? turning_torque(gravity.spin, I_C, w) : Vec3d::zero(), p_WC - c);
  const Wrench<S>& external = view.world.input.external[std::size_t(link)];
  sum.push(one_of(external.f, view.lane), one_of(external.n, view.lane), p_WC - c);
}

template <Real S>
void add_touches(const RobotView<S>& view, const SensorInfo& info, const Vec3d& c, Beyond& sum) {
  const Model& model = view.world.model();
  const double dt = view.world.state.dt;
  if (!(dt > 0.0) || model.n_slots == 0) return;
  const auto is_beyond = [&](int shape) {
    const int link = shape < 0 ? world_body : model.shapes[std::size_t(shape)].link;
    return link >= 0 && info.touched[std::size_t(link)] != 0;
  };
  const auto add = [&](const ShapePair& pair, const S* s) {
    const double sign = double(is_beyond(pair.shape2)) - double(is_beyond(pair.shape1));
    if (sign == 0.0) return;
    const auto force = [&](int row) { return sign * lane(s[slot::P + row], view.lane) / dt; };
    const Vec3d n = one_of(vector_at(s, slot::n), view.lane), t1 = one_of(vector_at(s, slot::t1), view.lane);
    const Vec3d t2 = cross(n, t1), at = one_of(vector_at(s, slot::point), view.lane);
    const double net = force(0) - sign * lane(s[slot::pull], view.lane) / dt;
    sum.push(n * net + t1 * force(1) + t2 * force(2), n * force(3) + t1 * force(4) + t2 * force(5), at - c);
  };
  if (model.crowd) return each_touch(view, add);
  for (const int i : info.pairs) {
    const ShapePair& pair = model.pairs[std::size_t(i)];
    for (int k = pair.slot; k < pair.slot + pair.n_slots; k++)
      if (const S* s = view.world.state.contact.data() + std::size_t(k) * slot::size;
          lane(s[slot::key], view.lane) > 0.0)
        add(pair, s);
  }
}

// own: 1 once there is a momentum; p, L; impulses of force and torque in the sensor's axes; over which time; when
enum Kept : int { has = 0, p = 1, L = 4, J_f = 7, J_n = 10, time = 13, when = 14 };

template <Real S>
void read_wrench(const RobotView<S>& view, const SensorInfo& info, std::span<double> own, std::span<double> out) {
  if (own[time] == 0.0) add_impulse(view, info, own);
  const double rate = own[time] > 0.0 ? 1.0 / own[time] : 0.0;
  for (std::size_t i = 0; i < out.size(); i++) out[i] = own[std::size_t(J_f) + i] * rate;
  for (int i = J_f; i <= time; i++) own[std::size_t(i)] = 0.0;
}

}  // namespace

// Before the first step no time has passed: what would have to be transmitted if nothing moved counts as a step of length 1.
template <Real S>
void add_impulse(const RobotView<S>& view, const SensorInfo& info, std::span<double> own) {
  const Posed X_WS = mount_of(view, info).X_WS;
  const Gravity<double> gravity = one_of(view.world.params.gravity, view.lane);
  Beyond sum;
  for (const int i : info.beyond) add_link(view, i, gravity, X_WS.p, sum);
  add_touches(view, info, X_WS.p, sum);
  const double t = view.world.state.t;
  double dt = 1.0;
  if (own[has] > 0.0 && t > own[when]) {
    dt = t - own[when];
    const Vec3d gained = sum.p - vector_in(own, p), turned = sum.L - vector_in(own, L);
    sum.f -= gained * (1.0 / dt);
    sum.n -= (turned - cross(X_WS.p, gained)) * (1.0 / dt);
  }
  own[has] = 1.0;
  own[when] = t;
  put_vector(sum.p, own, p);
  put_vector(sum.L, own, L);
  put_vector(vector_in(own, J_f) + transpose_times(X_WS.R, sum.f) * dt, own, J_f);
  put_vector(vector_in(own, J_n) + transpose_times(X_WS.R, sum.n) * dt, own, J_n);
  own[time] += dt;
}

template <Real S>
void read_truth(const RobotView<S>& view, const SensorInfo& info, std::span<double> own, std::span<double> out) {
  switch (info.plan.kind) {
    case SensorKind::Potentiometer:
    case SensorKind::AbsoluteEncoder:
    case SensorKind::LimitSwitch:
      out[0] = joint_coordinate(view, info, own);
      return;
    case SensorKind::IncrementalEncoder:
      out[0] =
          is_on_motor(view, info) ? of_drive(view, info, drive::memory::motor_x) : joint_coordinate(view, info, own);
      return;
    case SensorKind::Contact:
      out[0] = pressing_on(view, info);
      return;
    case SensorKind::Force3:
    case SensorKind::Force6:
      return read_wrench(view, info, own, out);
    case SensorKind::Inertial:
      return read_inertial(view, info, own, out);
    case SensorKind::Inclination:
      return read_inclination(view, info, out);
    case SensorKind::Range:
      return read_distances(view, info, out);
    case SensorKind::Camera:
      return read_pose(view, info, out);
    case SensorKind::Current:
      out[0] = of_drive(view, info, drive::memory::i_q);
      return;
    case SensorKind::Hall:
      out[0] = of_drive(view, info, drive::memory::force) /
               lane(view.world.params.drives[std::size_t(info.drive)].k_s, view.lane);
      return;
  }
}

#define SINEW_INSTANTIATE_TRUTH(S)                                                      \
  template void add_impulse(const RobotView<S>&, const SensorInfo&, std::span<double>); \
  template void read_truth(const RobotView<S>&, const SensorInfo&, std::span<double>, std::span<double>);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_TRUTH)

}  // namespace sinew
