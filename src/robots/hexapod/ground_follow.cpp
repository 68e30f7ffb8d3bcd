#include "robots/hexapod/ground_follow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "robots/hexapod/ground_sense.h"
#include "robots/hexapod/walk_forecast.h"
#include "sinew/math/elementary.h"

namespace sinew::robots {

using namespace legged;

namespace {

constexpr double kept_behind = 0.8;   // of the middle of the robot [m]
constexpr double renew_every = 20.0;  // ticks: the sensor is no faster
constexpr double unseen = 0.01;       // weight of ground under it when it begins, and up to where its sensor looks
constexpr double stand_time = 0.4;    // in which height and lean over its feet are smoothed: if faster, it rocks [s]
constexpr double bend_time = 0.1;     // in which hinges and body follow what is seen every 20 ms [s]
constexpr double most_bend = 0.7, most_rise = 0.08;  // [rad, m]

double limited(double from, double to, double most) { return from + std::clamp(to - from, -most, most); }

}  // namespace

bool knows_ground(const HexapodControl& c) { return c.bends && (c.looks || c.commands.hump.height > 0.0); }

int follow_place(const HexapodControl& c) { return sense_place(c) + (c.senses_ground ? sense_memory_size() : 0); }

GroundFollower::GroundFollower(const HexapodControl& control, const SegmentedBody& body, const HexapodWiring& wiring,
                               double period)
    : c_(control), body_(body), wiring_(wiring), period_(period) {}

GroundLean GroundFollower::follow(const Readings& r, const Sight& see, HexapodMemory& m,
                                  std::span<double> memory) const {
  const double most = c_.slope_rate * period_;
  if (!knows_ground(c_)) {
    double angle = 0.0;
    if (bend_over_ground(body_, m.gait, m.height, angle)) m.bend = limited(m.bend, angle, most);
    return {};
  }
  double* at = memory.data() + follow_place(c_);
  FollowMemory f;
  std::memcpy(static_cast<void*>(&f), at, sizeof f);
  const double level = std::sqrt(std::max(0.0, 1.0 - see.up[0] * see.up[0]));
  const double part = f.ground.begun == 0.0 ? 1.0 : std::min(1.0, period_ / stand_time);
  f.pitch += (math::atan2(see.up[0], level) - f.pitch) * part;
  f.way += (m.gait.travelled - f.travelled) * m.path.v_x * level;
  f.travelled = m.gait.travelled;
  stand_on(see, m, f);
  if ((f.ticks -= 1.0) <= 0.0) {
    f.ticks = renew_every;
    c_.commands.hump.height > 0.0 ? recall(f) : look(r, see, f);
    const Vec3d ahead = normalized(Vec3d(1.0, 0.0, 0.0) - see.up * see.up[0]);
    lie_over_ground(f.ground, body_, f.way + dot(ahead, see.o), nominal(), f.body);
  }
  const double share = std::min(1.0, period_ / bend_time);
  const auto go = [&](double& from, double to, double bound, double rate) {
    from += std::clamp(share * (std::clamp(to, -bound, bound) - from), -rate, rate);
  };
  for (std::size_t j = 0; j < std::size_t(body_.segments); j++) go(f.hinge[j], f.body.hinge[j], most_bend, most);
  go(f.lean, f.body.slope[std::size_t(body_.middle())] - f.pitch, most_bend, most);
  go(f.rise, f.body.rise - f.height, most_rise, most);
  m.bend = f.hinge[0];
  std::memcpy(at, &f, sizeof f);
  return {f.lean, f.rise};
}

// Feet that stand say how high the robot is over ground that it has seen, and what ground is that it has not.
void GroundFollower::stand_on(const Sight& see, const HexapodMemory& m, FollowMemory& f) const {
  const bool turns = m.path.omega != 0.0 || m.path.v_y != 0.0;
  if (turns && c_.commands.hump.height == 0.0) f.ground.begun = 0.0;  // it knows the way straight ahead alone
  const bool is_new = f.ground.begun == 0.0;
  f.ground.move_to(f.way - kept_behind);
  if (is_new) {
    f.height = 0.0;
    const double slope = math::tan(f.pitch), end = body_.middle() * body_.spacing() + body_.head_ahead + nominal();
    for (double x = -kept_behind; x < end; x += GroundProfile::length) f.ground.see(f.way + x, slope * x, unseen);
  }
  double off = 0.0, n = 0.0;
  for (int i = 0; i < body_.legs(); i++) {
    if (m.gait.leg[i].in_air != 0.0) continue;
    double there = 0.0;
    if (!f.ground.height_at(f.way + see.level[i][0], there)) continue;
    off += there - (f.height + nominal() + see.level[i][2] - body_.foot_radius);
    n += 1.0;
  }
  if (n > 0.0) f.height += off / n * (is_new ? 1.0 : std::min(1.0, period_ / stand_time));
}

// Near views count more: the direction of a ray is not exact.
void GroundFollower::look(const Readings& r, const Sight& see, FollowMemory& f) const {
  if (wiring_.eye < 0 || r.lost[std::size_t(wiring_.eye_sensor)] != 0.0) return;
  const Posed& B = see.X[0];
  const Vec3d from = see.o + see.R_GR * (B * Vec3d(body_.head_ahead, 0.0, 0.0));
  const Vec3d ahead = normalized(Vec3d(1.0, 0.0, 0.0) - see.up * see.up[0]);
  for (int i = 0; i < wiring_.eye_rays; i++) {
    const double angle = wiring_.eye_fan * (double(i) / (wiring_.eye_rays - 1) - 0.5);
    const double said = r.sensor[std::size_t(wiring_.eye + i)];
    if (!(said > 0.02) || !(said < 0.99 * wiring_.eye_most)) continue;
    const Vec3d p = from + see.R_GR * (B.R * Vec3d(math::cos(angle), 0.0, math::sin(angle))) * said;
    f.ground.see(f.way + dot(ahead, p), f.height + nominal() + dot(see.up, p), 1.0 / (said * said));
  }
}

void GroundFollower::recall(FollowMemory& f) const {
  for (int k = 0; k < GroundProfile::cells; k++) {
    const double x = (f.ground.first + k + 0.5) * GroundProfile::length;
    f.ground.put(x, c_.commands.hump.z(x));
  }
}

void GroundFollower::bend(const HexapodMemory& m, std::span<const double> memory, std::span<double> hinge) const {
  if (!knows_ground(c_)) {
    std::ranges::fill(hinge, m.bend);
    return;
  }
  const double* at = memory.data() + follow_place(c_) + offsetof(FollowMemory, hinge) / sizeof(double);
  std::copy(at, at + body_.segments, hinge.begin());
}

void add_follow_signals(const HexapodControl& control, const SegmentedBody& body, std::vector<MemorySignal>& out) {
  const auto place = [&](std::size_t bytes, int j) { return follow_place(control) + int(bytes / sizeof(double)) + j; };
  const std::size_t slopes = offsetof(FollowMemory, body) + offsetof(BodyOverGround, slope);
  for (int j = 0; j < body.segments; j++) {
    const std::string name = fmt::format("walk.segment{}.", j + 1);
    out.push_back(
        {name + "slope", "rad",
         fmt::format("of the ground under segment{}, as it is seen or told: its normal leans back by it", j + 1),
         place(slopes, j)});
    if (j != body.middle())
      out.push_back({name + "bend", "rad", fmt::format("reference of the hinge of segment{}, far end up", j + 1),
                     place(offsetof(FollowMemory, hinge), j)});
  }
}

}  // namespace sinew::robots
