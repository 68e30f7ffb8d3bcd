#include "sinew/step/devices.h"

#include <algorithm>
#include <array>

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

template <Real S>
struct DriveCall {
  const Model& model;
  const Params<S>& params;
  const Input<S>& input;
  double t, dt;
  int index;

  const DriveInfo& info() const { return model.drives[std::size_t(index)]; }
  // Over the step from place x and velocity u with mean acceleration a.
  void advance(const S& x, const S& u, const S& a, S* own) const {
    const DriveInfo& d = info();
    const Motion<S>* motion = d.motion >= 0 ? &params.motions[std::size_t(d.motion)] : nullptr;
    const drive::Numbers<S>& numbers = params.drives[std::size_t(index)];
    std::array<S, drive::command::size> given;
    std::copy_n(input.drive.begin() + index * drive::command::size, given.size(), given.begin());
    // A torque that is commanded on the joint is a set-point of its drive.
    const S none(drive::command::none), set = numbers.set[drive::command::torque];
    S& torque = given[drive::command::torque];
    torque = select(torque < none, torque, select(set < none, set, S(0.0))) + input.torque[std::size_t(d.axis)];
    if (const double sweep = d.setup.sweep.at(t); sweep != 0.0) {
      const auto which = std::size_t(drive::command_of(d.setup.control));
      given[which] = S(sweep) + select(given[which] < none, given[which],
                                       select(numbers.set[which] < none, numbers.set[which], S(0.0)));
    }
    drive::advance(d.setup, numbers, drive::Step<S>{t, dt, x, u, a, motion, given.data()}, own);
  }
};

// The torque as a line in the end velocity, by two trials. A drive that gains from speed counts as one that does not feel it: the step
// must stay solvable.
template <Real S>
void find_line(const DriveCall<S>& call, const S& x, const S& u, const S* own, Devices<S>& devices) {
  const DriveInfo& d = call.info();
  const int n = d.setup.memory_size();
  const S delta = S(1e-4) * (abs(u) + S(1.0));
  std::copy_n(own, n, devices.trial.begin());
  call.advance(x, u, S(0.0), devices.trial.data());
  const S still = devices.trial[at::torque];
  std::copy_n(own, n, devices.trial.begin());
  call.advance(x, u, delta * S(1.0 / call.dt), devices.trial.data());
  const S slope = max((still - devices.trial[at::torque]) / delta, S(0.0));
  devices.slope[std::size_t(d.axis)] = slope;
  devices.constant[std::size_t(d.axis)] = still + slope * u;
}

}  // namespace

template <Real S>
Devices<S>::Devices(const Model& model)
    : constant(model.drives.empty() ? 0 : std::size_t(model.n_axes), S(0.0)),
      slope(constant),
      trial(std::size_t(largest_block(model)), S(0.0)) {}

template <Real S>
void begin_devices(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                   Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && params.drives.size() == model.drives.size());
  for (int i = 0; i < int(model.drives.size()); i++) {
    const DriveInfo& d = model.drives[std::size_t(i)];
    S* own = state.memory.data() + d.memory;
    const S x = state.q[std::size_t(d.q)], u = state.u[std::size_t(d.u)];
    const DriveCall<S> call{model, params, input, state.t, dt, i};
    if (ws.devices.is_implicit) {
      find_line(call, x, u, own, ws.devices);
    } else {
      const S last = own[at::dt_before];
      const S a = select(last > S(0.0), (u - own[at::u_before]) / select(last > S(0.0), last, S(1.0)), S(0.0));
      call.advance(x, u, a, own);
      ws.devices.constant[std::size_t(d.axis)] = own[at::torque];
      ws.devices.slope[std::size_t(d.axis)] = S(0.0);
    }
    own[at::x] = x;
    own[at::u_before] = u;
    own[at::dt_before] = S(dt);
  }
}

template <Real S>
void end_devices(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                 Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && params.drives.size() == model.drives.size());
  for (int i = 0; i < int(model.drives.size()); i++) {
    const DriveInfo& d = model.drives[std::size_t(i)];
    S* own = state.memory.data() + d.memory;
    const S x = own[at::x], u = own[at::u_before], u_E = state.u[std::size_t(d.u)];
    if (ws.devices.is_implicit) {
      const DriveCall<S> call{model, params, input, state.t, dt, i};
      call.advance(x, u, (u_E - u) * S(1.0 / dt), own);
      own[at::torque] = ws.devices.constant[std::size_t(d.axis)] - ws.devices.slope[std::size_t(d.axis)] * u_E;
    }
    own[at::work] += own[at::torque] * (state.q[std::size_t(d.q)] - x);
    own[at::x] = state.q[std::size_t(d.q)];
  }
}

template <Real S>
void recall_devices(const Model& model, const State<S>& state, Workspace<S>& ws) {
  ws.devices.is_implicit = false;
  for (const DriveInfo& d : model.drives) {
    ws.devices.constant[std::size_t(d.axis)] = state.memory[std::size_t(d.memory + at::torque)];
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
