#include "sinew/step/devices.h"

#include <algorithm>

#include "sinew/kinematics/reflect.h"
#include "sinew/math/check.h"
#include "sinew/step/workspace.h"

namespace sinew {
namespace {

namespace at = drive::memory;

int largest_block(const Model& model) {
  int size = 0;
  for (const DriveInfo& d : model.drives) size = std::max(size, d.setup.memory_size());
  return size;
}

// How the axes of a joint are and move: as the state has them; of a cut joint as its bodies do, with angles as wide as half a turn.
template <Real S>
struct AxesNow {
  CutMotion<S> cut;
  const S *q, *u;

  AxesNow(const Model& model, const Params<S>& params, int joint, const State<S>& state, const Workspace<S>& ws) {
    const JointInfo& j = model.joints[std::size_t(joint)];
    if (j.link >= 0) {
      q = state.q.data() + model.links[std::size_t(j.link)].q;
      u = state.u.data() + model.links[std::size_t(j.link)].u;
      return;
    }
    read_cut(model.cuts[std::size_t(j.cut)], params.cuts[std::size_t(j.cut)], ws.frames_E, cut);
    q = cut.q;
    u = cut.u;
  }
};

// The joint that the rods of a drive move.
int moved_joint(const Model& model, const DriveInfo& d) {
  if (d.by_jacobian) return d.joint;
  const auto is_moved = [&](const JointInfo& j) { return j.axis == d.moved_axis && j.n_axes > 0; };
  return int(std::ranges::find_if(model.joints, is_moved) - model.joints.begin());
}

// In maximal coordinates: the bodies as the state has them, for AxesNow.
template <Real S>
void look_at_bodies(const Model& model, const Params<S>& params, double t, const State<S>& state, Workspace<S>& ws) {
  if (model.drives.empty() || model.coordinates == Coordinates::Tree) return;
  prescribe(model, params, t, ws.driven_E);
  evaluate_frames(model, params, state.q.data(), state.u.data(), ws.driven_E, ws.frames_E);
}

// The place of a drive on an axis of its own. A cut joint does not know how often it has turned, but the drive does.
template <Real S>
S place_of(const Model& model, const DriveInfo& d, const S& q, const S* own) {
  if (model.joints[std::size_t(d.joint)].link >= 0 || !d.setup.is_angle) return q;
  return own[at::x] + wrap_angle(q - own[at::x]);
}

// The joint that drives move, before the step.
template <Real S>
void place_moved(const Params<S>& params, const DriveInfo& d, const Input<S>& input, double dt, const AxesNow<S>& moved,
                 MovedJoint<S>& out) {
  const Transmission<S>& t = params.transmissions[std::size_t(d.transmission)].rods;
  const S *q = moved.q, *u = moved.u;
  S middle[2] = {S(0.0), S(0.0)};
  for (int i = 0; i < t.n; i++) {
    out.q[i] = q[i];
    middle[i] = q[i] + S(0.5 * dt) * u[i];
  }
  out.start = transmission::strokes(t, q, u);
  out.middle = transmission::strokes(t, middle, u);
  transmission::stroke_rates(t, out.start, u, out.rate);
  transmission::drive_forces(t, out.middle, input.torque.data() + d.moved_axis, out.commanded);
}

template <Real S>
struct DriveCall {
  const Model& model;
  const Params<S>& params;
  const Input<S>& input;
  const Devices<S>& devices;
  double t, dt;
  int index;

  const DriveInfo& info() const { return model.drives[std::size_t(index)]; }
  // Torque or force that is commanded on the joint: a set-point of its drive.
  S commanded() const {
    const DriveInfo& d = info();
    if (d.transmission < 0) return input.torque[std::size_t(d.axis)];
    const S through = devices.moved[std::size_t(d.transmission)].commanded[d.row];
    return d.by_jacobian ? through : through + input.torque[std::size_t(d.axis)];
  }
  // Over the step from place x and velocity u with mean acceleration a.
  SINEW_INLINE void advance(const S& x, const S& u, const S& a, S* own) const {
    const DriveInfo& d = info();
    const Motion<S>* motion = d.motion >= 0 ? &params.motions[std::size_t(d.motion)] : nullptr;
    drive::Step<S> step{t, dt, x, u, a, motion, input.drive.data() + index * drive::command::size};
    step.extra_torque = commanded();
    if (d.setup.sweep.amplitude != 0.0) step.extra = S(d.setup.sweep.at(t));
    if (d.transmission >= 0) {
      step.rods = &params.transmissions[std::size_t(d.transmission)].rods;
      step.row = d.row;
      step.is_at_stop =
          devices.moved[std::size_t(d.transmission)].start.lean[d.row] < S(transmission::cos_watched_tilt);
    }
    drive::advance(d.setup, params.drives[std::size_t(index)], step, own);
  }
};

template <Real S>
struct Line {
  S constant, slope;
};

// The torque as a line in the end velocity, by two trials. A drive that gains from speed counts as one that does not feel it: the step
// must stay solvable.
template <Real S>
Line<S> find_line(const DriveCall<S>& call, const S& x, const S& u, const S* own, std::vector<S>& trial) {
  const int n = call.info().setup.memory_size();
  const S delta = S(1e-4) * (abs(u) + S(1.0));
  std::copy_n(own, n, trial.begin());
  call.advance(x, u, S(0.0), trial.data());
  const S still = trial[at::torque];
  std::copy_n(own, n, trial.begin());
  call.advance(x, u, delta * S(1.0 / call.dt), trial.data());
  const S slope = max((still - trial[at::torque]) / delta, S(0.0));
  return {still + slope * u, slope};
}

// Puts the line of a drive on its axis, or on all axes of the joint that it moves by its Jacobian.
template <Real S>
void put_line(const DriveInfo& d, int n, const Line<S>& line, const S* u, Devices<S>& devices) {
  if (!d.by_jacobian) {
    devices.constant[std::size_t(d.axis)] = line.constant;
    devices.slope[std::size_t(d.axis)] = line.slope;
    return;
  }
  const S* J = devices.moved[std::size_t(d.transmission)].middle.J + d.row * n;
  for (int r = 0; r < n; r++) {
    S F = line.constant;
    for (int k = 0; k < n; k++)
      if (k != r) F -= line.slope * J[k] * u[k];
    const auto axis = std::size_t(d.moved_axis + r);
    devices.constant[axis] = (d.row == 0 ? S(0.0) : devices.constant[axis]) + J[r] * F;
    devices.slope[axis] = (d.row == 0 ? S(0.0) : devices.slope[axis]) + J[r] * J[r] * line.slope;
  }
}

// Of a drive by its Jacobian after a step: its mean force, way, the velocity of its stroke, and what acted on its axis.
template <Real S>
struct StrokeEnd {
  S force, way, rate, axis_torque;
};
template <Real S>
StrokeEnd<S> end_of_stroke(const Params<S>& params, const DriveInfo& d, const AxesNow<S>& axes,
                           const Devices<S>& devices) {
  const Transmission<S>& t = params.transmissions[std::size_t(d.transmission)].rods;
  const MovedJoint<S>& moved = devices.moved[std::size_t(d.transmission)];
  const S *q = axes.q, *u = axes.u;
  const S zero(0.0);
  S tau[2] = {zero, zero}, F[2] = {zero, zero}, step[2] = {zero, zero}, way[2] = {zero, zero}, rate[2] = {zero, zero};
  for (int r = 0; r < t.n; r++) {
    const auto axis = std::size_t(d.moved_axis + r);
    tau[r] = devices.constant[axis] - devices.slope[axis] * u[r];
    step[r] = q[r] - moved.q[r];
  }
  transmission::drive_forces(t, moved.middle, tau, F);
  transmission::stroke_rates(t, moved.middle, step, way);
  transmission::stroke_rates(t, transmission::strokes(t, q), u, rate);
  return {F[d.row], way[d.row], rate[d.row], tau[d.row]};
}

template <Real S>
StrokeEnd<S> end_of_axis(const DriveInfo& d, const S& way, const S& rate, const Devices<S>& devices) {
  const S force = devices.constant[std::size_t(d.axis)] - devices.slope[std::size_t(d.axis)] * rate;
  return {force, way, rate, S(0.0)};
}

}  // namespace

template <Real S>
Devices<S>::Devices(const Model& model)
    : constant(model.drives.empty() ? 0 : std::size_t(model.n_axes), S(0.0)),
      slope(constant),
      trial(std::size_t(largest_block(model)), S(0.0)),
      moved(model.drives.empty() ? 0 : std::size_t(model.n_transmissions)) {}

template <Real S>
void begin_devices(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                   Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && params.drives.size() == model.drives.size());
  Devices<S>& devices = ws.devices;
  look_at_bodies(model, params, state.t, state, ws);
  const int n_drives = int(model.drives.size());
  const bool is_implicit = devices.is_implicit;
  for (int i = 0; i < n_drives; i++) {
    const DriveInfo& d = model.drives[std::size_t(i)];
    MovedJoint<S>* moved = d.transmission >= 0 ? &devices.moved[std::size_t(d.transmission)] : nullptr;
    if (moved && d.row == 0)
      place_moved(params, d, input, dt, AxesNow<S>(model, params, moved_joint(model, d), state, ws), *moved);
    S* own = state.memory.data() + d.memory;
    const AxesNow<S> axes(model, params, d.joint, state, ws);
    const int c = d.axis - model.joints[std::size_t(d.joint)].axis;
    const S x = d.by_jacobian ? moved->start.s[d.row] : place_of(model, d, axes.q[c], own),
            u = d.by_jacobian ? moved->rate[d.row] : axes.u[c];
    const int n = d.by_jacobian ? params.transmissions[std::size_t(d.transmission)].rods.n : 1;
    const DriveCall<S> call{model, params, input, devices, state.t, dt, i};
    Line<S> line;
    if (is_implicit) {
      line = find_line(call, x, u, own, devices.trial);
    } else {
      const S last = own[at::dt_before];
      const Mask<S> has_moved = last > S(0.0);
      const S a = select(has_moved, (u - own[at::u_before]) / select(has_moved, last, S(1.0)), S(0.0));
      call.advance(x, u, a, own);
      line = {own[at::torque], S(0.0)};
    }
    put_line(d, n, line, axes.u, devices);
    own[at::x] = x;
    own[at::u_before] = u;
    own[at::dt_before] = S(dt);
  }
}

template <Real S>
void end_devices(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                 Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && params.drives.size() == model.drives.size());
  const Devices<S>& devices = ws.devices;
  look_at_bodies(model, params, state.t + dt, state, ws);
  const int n_drives = int(model.drives.size());
  for (int i = 0; i < n_drives; i++) {
    const DriveInfo& d = model.drives[std::size_t(i)];
    S* own = state.memory.data() + d.memory;
    const S x = own[at::x], u = own[at::u_before];
    const AxesNow<S> axes(model, params, d.joint, state, ws);
    const int c = d.axis - model.joints[std::size_t(d.joint)].axis;
    const S x_E = d.by_jacobian ? x : place_of(model, d, axes.q[c], own);
    const StrokeEnd<S> end =
        d.by_jacobian ? end_of_stroke(params, d, axes, devices) : end_of_axis(d, S(x_E - x), axes.u[c], devices);
    if (devices.is_implicit) {
      const DriveCall<S> call{model, params, input, devices, state.t, dt, i};
      call.advance(x, u, (end.rate - u) * S(1.0 / dt), own);
      own[at::torque] = end.force;
    }
    own[at::work] += own[at::torque] * end.way;
    if (d.by_jacobian) {
      state.memory[std::size_t(d.axis_torque())] = end.axis_torque;
      own[at::x] = x + end.way;
    } else {
      own[at::x] = x_E;
    }
  }
}

template <Real S>
void recall_devices(const Model& model, const State<S>& state, Workspace<S>& ws) {
  ws.devices.is_implicit = false;
  for (const DriveInfo& d : model.drives) {
    const int entry = d.by_jacobian ? d.axis_torque() : d.memory + at::torque;
    ws.devices.constant[std::size_t(d.axis)] = state.memory[std::size_t(entry)];
    ws.devices.slope[std::size_t(d.axis)] = S(0.0);
  }
}

#define SINEW_INSTANTIATE_DEVICES(S)                                                                              \
  template struct Devices<S>;                                                                                     \
  template void begin_devices(const Model&, const Params<S>&, const Input<S>&, double, State<S>&, Workspace<S>&); \
  template void end_devices(const Model&, const Params<S>&, const Input<S>&, double, State<S>&, Workspace<S>&);   \
  template void recall_devices(const Model&, const State<S>&, Workspace<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_DEVICES)

}  // namespace sinew
