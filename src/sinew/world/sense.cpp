#include "sinew/world/sense.h"

#include <algorithm>
#include <array>

#include "sinew/parts/sensor/bridges.h"
#include "sinew/parts/sensor/encoder.h"

namespace sinew {
namespace {

constexpr double slack_of_step = 1e-9;
constexpr double at_start = 0x1p54;                        // number of the sample that is taken before the first is due
constexpr std::uint64_t once = std::uint64_t(1) << 63;     // of the counter: what is drawn once for a run
constexpr std::uint64_t of_loss = std::uint64_t(3) << 61;  // and whether a sample is lost
constexpr int most_channels = most_rays;                   // most_rays is more than any other kind has

using Layout = SensorLayout;

// One sensor of one robot at one time.
struct Sampling {
  const SensorInfo& info;
  const SensorRun& run;
  std::uint32_t robot;
  double t, slack;
  std::span<double> block;

  std::span<double> part(int first, int n) const { return block.subspan(std::size_t(first), std::size_t(n)); }
  std::span<double> own() const { return part(info.at.own, Layout::n_own); }
  std::span<double> line() const { return block.subspan(std::size_t(info.at.line)); }
  math::Counter dice(std::uint64_t k) const { return {run.seed, robot, info.device, k}; }
  double& at(int i) const { return block[std::size_t(i)]; }
};

// Most sensors report one number, for which a call would take longer than the copy.
SINEW_INLINE void copy_numbers(const double* from, int n, double* to) {
  if (n == 1)
    *to = *from;
  else
    std::copy_n(from, n, to);
}

bool is_between(double t, double from, double until, double slack) { return t >= from - slack && t < until - slack; }

void draw_once(const Sampling& s) {
  const SensorInfo& info = s.info;
  const auto spread = [&](int i) {
    const std::vector<double>& all = info.plan.offset_spread;
    return all.empty() ? 0.0 : all[all.size() == 1 ? 0 : std::size_t(i)];
  };
  for (int i = 0; i < info.m; i++)
    s.at(info.at.null + i) = spread(i) > 0.0 ? spread(i) * math::normal(s.dice(once + std::uint64_t(i))) : 0.0;
  const double cross = info.plan.cross_talk_spread;
  for (int i = 0; i < info.at.own - info.at.cross; i++)
    s.at(info.at.cross + i) = info.plan.cross_talk.empty()
                                  ? cross * (2.0 * math::uniform(s.dice(once + 1000 + std::uint64_t(i))) - 1.0)
                                  : info.plan.cross_talk[std::size_t(i)];
}

// Errors of channel i from the null on; y has its gain and cross-talk.
SINEW_INLINE bool read_channel(const Sampling& s, int i, double y, bool is_first, std::uint64_t draw) {
  const sensor::Channel& c = s.info.channels[std::size_t(i)];
  y += s.at(s.info.at.null + i);
  double& held = s.at(s.info.at.held + i);
  if (is_first) held = y + c.offset + c.drift * s.t;
  const std::span<double, sensor::Normals::count + 1> kept(&s.at(Layout::normals), sensor::Normals::count + 1);
  const double n = c.noise > 0.0 ? sensor::Normals::get(kept, s.dice(0), draw) : 0.0;
  const sensor::Reading r = sensor::read(c, y, s.t, held, n);
  s.at(s.info.at.raw + i) = r.value;
  return r.saturated;
}

// Gain and cross-talk of the true values x, which are bridges where there are some; then all other errors of each channel.
bool read_channels(const Sampling& s, std::span<const double> x, bool is_first, double number) {
  const SensorInfo& info = s.info;
  const bool mixes = info.at.own > info.at.cross;
  bool saturated = false;
  const std::uint64_t first = std::uint64_t(number) * std::uint64_t(info.m);
  for (int i = 0; i < info.m; i++) {
    double y = info.channels[std::size_t(i)].gain * x[std::size_t(i)];
    for (int k = 0; mixes && k < info.m; k++) y += s.at(info.at.cross + i * info.m + k) * x[std::size_t(k)];
    saturated = read_channel(s, i, y, is_first, first + std::uint64_t(i)) || saturated;
  }
  return saturated;
}

bool read_bridges(const Sampling& s, std::span<const double> loads, bool is_first, double number,
                  std::span<double> out) {
  const SensorInfo& info = s.info;
  std::array<double, sensor::n_bridges> b{};
  for (std::size_t i = 0; i < b.size(); i++)
    for (std::size_t k = 0; k < loads.size(); k++) b[i] += info.bridges[i * loads.size() + k] * loads[k];
  bool saturated = read_channels(s, b, is_first, number);
  const std::span<const double> raw = s.part(info.at.raw, info.m);
  for (std::size_t i = 0; i < out.size(); i++) {
    double load = 0.0;
    for (std::size_t k = 0; k < raw.size(); k++) load += info.calibration[i * raw.size() + k] * raw[k];
    const sensor::Reading r = sensor::in_range(info.loads[i], load);
    out[i] = r.value;
    saturated = saturated || r.saturated;
  }
  return saturated;
}

// own: counts at the start, offset, time of the last sample
double count_up(const Sampling& s, double q, bool is_first, const double* absolute) {
  const std::span<double> own = s.own();
  const double counts = sensor::counts_at(q, s.info.count);
  if (is_first) own[0] = counts;
  const double relative = (counts - own[0]) * s.info.count;
  if (absolute) {
    const SensorPlan& p = s.info.plan;
    own[1] = is_first ? *absolute : sensor::corrected(own[1], relative, *absolute, s.t - own[2], p.fusion_time);
  }
  own[2] = s.t;
  return relative + own[1];
}

double set_flag(const Sampling& s, double measured) {
  const std::span<double> own = s.own();
  if (s.info.plan.kind == SensorKind::LimitSwitch) return sensor::switched(s.info.plan.limit, measured, own[0]);
  sensor::DebounceState state{own[0], own[1], own[2]};
  const double flag = sensor::debounced(s.info.plan.debounce, measured, s.t, s.slack, state);
  own[0] = state.flag;
  own[1] = state.is_waiting;
  own[2] = state.since;
  return flag;
}

// What the sensor says of the truth.
bool measure(const Sampling& s, bool is_first, double number, const double* absolute, std::span<double> out) {
  const SensorInfo& info = s.info;
  const std::span<double> truth = s.part(info.at.truth, info.n);
  if (info.plan.kind == SensorKind::IncrementalEncoder) {
    const bool errs = sensor::has_errors(info.channels[0]) || s.at(info.at.null) != 0.0;
    const bool is_at_end = errs && read_channels(s, truth, is_first, number);
    out[0] = count_up(s, errs ? s.at(info.at.raw) : truth[0], is_first, absolute);
    return is_at_end;
  }
  if (info.plan.kind == SensorKind::Force6) return read_bridges(s, truth, is_first, number, out);
  const bool saturated = read_channels(s, truth, is_first, number);
  const double* raw = &s.at(info.at.raw);
  copy_numbers(raw, info.m, out.data());
  if (info.plan.kind == SensorKind::LimitSwitch || info.plan.kind == SensorKind::Contact) out[0] = set_flag(s, raw[0]);
  return saturated;
}

// entry: the numbers, whether one is saturated, when it was taken
void deliver(const Sampling& s, std::span<const double> entry) {
  const SensorInfo& info = s.info;
  const SensorPlan& p = info.plan;
  const std::span<double> value = s.part(Layout::value, info.n);
  const double before = value[0], taken = entry[std::size_t(info.n + 1)];
  const bool is_stuck = is_between(s.t, p.stuck_from, p.stuck_until, s.slack);
  if (!is_stuck) {
    copy_numbers(entry.data(), info.n, value.data());
    s.at(Layout::saturated) = entry[std::size_t(info.n)];
  } else if (!p.stuck_at.empty()) {
    std::ranges::copy(p.stuck_at, value.begin());
    s.at(Layout::saturated) = 0.0;
  }
  const double T = taken - s.at(Layout::of_time);
  if (measures_position(p.kind) && s.at(Layout::arrived) > 0.0 && T > 0.0) {
    const sensor::Channel& c = info.channels[0];
    const double change = value[0] - before;
    const double way = c.wraps ? sensor::short_way(change, c.upper - c.lower) : change;
    const double share = p.rate_filter > 0.0 ? sensor::share_of(T, p.rate_filter) : 1.0;
    s.at(Layout::rate) += (way / T - s.at(Layout::rate)) * share;
  }
  s.at(Layout::of_time) = taken;
  s.at(Layout::arrived) += 1.0;
}

template <Real S>
void take_sample(const Sampling& s, const RobotView<S>& view, double number, const double* absolute) {
  const SensorInfo& info = s.info;
  const bool is_first = s.at(Layout::arrived) == 0.0;
  if (is_first) draw_once(s);
  read_truth(view, info, s.own(), s.part(info.at.truth, info.n));
  std::array<double, most_channels + 2> entry;
  const std::span<double> all(entry.data(), std::size_t(info.n + 2));
  const bool saturated = measure(s, is_first, number, absolute, all.first(std::size_t(info.n)));
  all[std::size_t(info.n)] = saturated ? 1.0 : 0.0;
  all[std::size_t(info.n + 1)] = s.t;
  s.at(Layout::sampled) = s.t;
  const SensorPlan& p = info.plan;
  const bool is_dropped = p.loss > 0.0 && math::uniform(s.dice(of_loss + std::uint64_t(number))) < p.loss;
  if (is_first) deliver(s, all);
  if (is_dropped || is_first) return;
  if (p.delay > 0.0)
    sensor::put_in(s.line(), s.t + p.delay, all);
  else if (s.at(Layout::lost) == 0.0)
    deliver(s, all);
}

template <Real S>
void sample_one(const Sampling& s, const RobotView<S>& view, const double* absolute) {
  const SensorInfo& info = s.info;
  const SensorPlan& p = info.plan;
  s.at(Layout::lost) = is_between(s.t, p.lost_from, p.lost_until, s.slack) ? 1.0 : 0.0;
  if (measures_force(p.kind) && s.at(Layout::arrived) > 0.0) add_impulse(view, info, s.own());
  const double number = sensor::due_sample(p, s.t, s.at(Layout::taken), s.slack);
  if (number >= 0.0 || s.at(Layout::arrived) == 0.0) take_sample(s, view, number >= 0.0 ? number : at_start, absolute);
  if (number >= 0.0) s.at(Layout::taken) = number + 1.0;
  if (p.delay == 0.0) return;
  std::array<double, most_channels + 2> entry;
  const std::span<double> arrived(entry.data(), std::size_t(info.n + 2));
  while (sensor::take_out(s.line(), s.t, s.slack, arrived))
    if (s.at(Layout::lost) == 0.0) deliver(s, arrived);
}

}  // namespace

template <Real S>
Sensors<S>::Sensors(const Model& model) : frames_(model), driven_(model) {
  for (const bool is_fused : {false, true})
    for (int i = 0; i < int(model.sensors.size()); i++)
      if ((model.sensors[std::size_t(i)].absolute >= 0) == is_fused) order_.push_back(i);
  for (int i = 0; i < int(model.sensors.size()); i++) {
    const SensorInfo& info = model.sensors[std::size_t(i)];
    const JointInfo* joint = measures_joint(info.plan.kind) ? &model.joints[std::size_t(info.joint)] : nullptr;
    const Look look{i, !joint && info.plan.kind != SensorKind::Contact && !measures_drive(info.plan.kind),
                    joint && joint->link < 0, joint && joint->driven};
    if (measures_force(info.plan.kind))
      always_bodies_ = true;
    else if (look.bodies || look.cut || look.given)
      looks_.push_back(look);
    if (look.cut && !observer_) observer_ = std::make_unique<Observer<S>>(model);
  }
  memory_.resize(std::size_t(memory_size(model.memory)));
}

// Only what somebody is about to ask for.
template <Real S>
void Sensors<S>::look(const World<S>& world, double slack, bool has_frames) {
  const Model& model = world.model();
  const State<S>& s = world.state;
  bool bodies = always_bodies_, cuts = false, given = false;
  for (const Look& want : looks_) {
    const SensorInfo& info = model.sensors[std::size_t(want.sensor)];
    const double taken = lane(s.memory[std::size_t(info.memory + Layout::taken)], 0);
    const bool is_due = lane(s.memory[std::size_t(info.memory + Layout::arrived)], 0) == 0.0 ||
                        sensor::due_sample(info.plan, s.t, taken, slack) >= 0.0;
    bodies = bodies || (is_due && want.bodies);
    cuts = cuts || (is_due && want.cut);
    given = given || (is_due && want.given);
  }
  bodies = bodies && !has_frames;
  if (bodies || given) prescribe(model, world.params, s.t, driven_);
  if (bodies) evaluate_frames(model, world.params, s.q.data(), s.u.data(), driven_, frames_);
  if (cuts) seen_ = &observer_->observe(world);
}

template <Real S>
void Sensors<S>::sample(const SensorRun& run, World<S>& world, const Frames<S>* frames) {
  const Model& model = world.model();
  if (model.sensors.empty()) return;
  const double slack = slack_of_step * run.step;
  look(world, slack, frames != nullptr);
  std::vector<S>& memory = world.state.memory;
  for (int l = 0; l < lanes_of<S>; l++) {
    std::span<double> all;
    if constexpr (std::same_as<S, double>) {
      all = memory;
    } else {
      for (std::size_t i = 0; i < memory_.size(); i++) memory_[i] = lane(memory[i], l);
      all = memory_;
    }
    const RobotView<S> view{world, frames ? *frames : frames_, driven_, seen_, l};
    for (const int i : order_) {
      const SensorInfo& info = model.sensors[std::size_t(i)];
      const double* absolute =
          info.absolute < 0 ? nullptr
                            : &all[std::size_t(model.sensors[std::size_t(info.absolute)].memory + Layout::value)];
      sample_one({info, run, run.robot + std::uint32_t(l), world.state.t, slack,
                  all.subspan(std::size_t(info.memory), std::size_t(info.memory_end - info.memory))},
                 view, absolute);
    }
    if constexpr (!std::same_as<S, double>)
      for (std::size_t i = 0; i < memory_.size(); i++) set_lane(memory[i], l, memory_[i]);
  }
}

template class Sensors<double>;
template class Sensors<Lanes>;

void read_samples(const Model& model, const State<double>& state, Readings& out) {
  out.sensor.clear();
  out.saturated.clear();
  out.lost.clear();
  for (const SensorInfo& info : model.sensors) {
    const double* block = state.memory.data() + info.memory;
    out.sensor.insert(out.sensor.end(), block + Layout::value, block + Layout::value + info.n);
    out.saturated.push_back(block[Layout::saturated]);
    out.lost.push_back(block[Layout::lost]);
    if (!info.is_read || block[Layout::arrived] == 0.0) continue;
    const JointInfo& j = model.joints[std::size_t(info.joint)];
    out.q[std::size_t(j.coord + info.plan.axis)] = block[Layout::value];
    out.u[std::size_t(j.axis + info.plan.axis)] = block[Layout::rate];
  }
}

}  // namespace sinew
