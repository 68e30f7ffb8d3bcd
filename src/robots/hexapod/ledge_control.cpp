#include "robots/hexapod/ledge_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "sinew/math/elementary.h"
#include "sinew/math/ramp.h"

namespace sinew::robots {

using namespace legged;

namespace {

constexpr double stop_gap = 0.04;  // of the head before the wall [m]
constexpr double rest_time = 0.4;  // between walk and climb [s]
constexpr double above_ground = 0.03,
                 on_face = 0.02;     // what rays meet higher is a wall; depth in which they meet it [m]
constexpr double top_error = 0.003;  // of what rays say of the top [m]
constexpr double search_speed = 0.03, search_depth = 0.03;  // of a foot that has not met the ground [m/s, m]
constexpr double unload_time = 0.25;                        // of feet before they lift [s]
constexpr double relief_rate = 5e-4;                        // [m/(N s)]
constexpr double forget_time = 0.1;                         // of feet in the air [s]

}  // namespace

LedgeClimber::LedgeClimber(const HexapodControl& control, const SegmentedBody& body, const HexapodWiring& wiring,
                           double period, double g)
    : c_(control), body_(body), wiring_(wiring), period_(period), g_(g) {
  rules_.torque_limit = 2.0 * control.torque_limit;
  rules_.timeout = 3.0;
}

// Where the head ends when the body is straight and over the middle of its feet, in G.
double LedgeClimber::head_front() const {
  return body_.middle() * body_.spacing() + body_.head_ahead + body_.head_radius;
}

LedgeJudge LedgeClimber::judge_of(const LedgeProgress& l) const {
  LedgePoseRules rules;
  rules.torque_limit = c_.torque_limit;
  rules.knee_limit = c_.knee_limit;
  rules.hinge_limit = 2.0 * c_.torque_limit;
  rules.g = g_;
  rules.rigid = c_.rigid;
  rules.block_along = body_.block[0];
  rules.block_up = body_.block[2];
  rules.head_radius = body_.head_radius;
  return {body_, Ledge{l.height}, rules};
}

// The wall is the nearest thing above the ground; rays that pass its face at a height bound that of the ledge from below or above.
void LedgeClimber::look_ahead(const Readings& r, const Sight& see, LedgeProgress& l) const {
  if (wiring_.eye < 0 || r.lost[std::size_t(wiring_.eye_sensor)] != 0.0) return;
  const Posed& B = see.X[0];
  const Vec3d from = see.o + see.R_GR * (B * Vec3d(body_.head_ahead, 0.0, 0.0));
  const Vec3d ahead = normalized(Vec3d(1.0, 0.0, 0.0) - see.up * see.up[0]);
  const double ground = -nominal(), height = dot(see.up, from) - ground;
  double x[most_rays], z[most_rays], slope[most_rays], wall = INFINITY;
  bool met[most_rays];
  for (int i = 0; i < wiring_.eye_rays; i++) {
    const double angle = wiring_.eye_fan * (double(i) / (wiring_.eye_rays - 1) - 0.5);
    const Vec3d d = see.R_GR * (B.R * Vec3d(math::cos(angle), 0.0, math::sin(angle)));
    const double said = r.sensor[std::size_t(wiring_.eye + i)], along = dot(ahead, d), rise = dot(see.up, d);
    x[i] = dot(ahead, from) + said * along;
    z[i] = height + said * rise;
    slope[i] = along > 0.05 ? rise / along : INFINITY;
    met[i] = said < 0.99 * wiring_.eye_most && z[i] > above_ground && along > 0.0;
    if (met[i]) wall = std::min(wall, x[i]);
  }
  if (!std::isfinite(wall)) return;
  l.edge = wall;
  l.seen = 1.0;
  for (int i = 0; i < wiring_.eye_rays; i++) {
    if (!std::isfinite(slope[i])) continue;
    const double there = height + slope[i] * (wall - dot(ahead, from));
    if (there <= above_ground) continue;
    if (x[i] <= wall + on_face)
      l.low = std::max(l.low, there);
    else
      l.high = std::min(l.high, there);
    if (!met[i] || x[i] <= wall + on_face || slope[i] >= 0.0) continue;
    l.low = std::max(l.low, z[i] - top_error);  // it looks at the top
    l.high = std::min(l.high, z[i] + top_error);
  }
  l.height = l.high < 10.0 ? 0.5 * (l.low + l.high) : l.low;
}

void LedgeClimber::begin(const Readings& r, const Sight& see, std::span<double> memory, const HexapodMemory& m,
                         LedgeTurn& turn) const {
  LedgeProgress& l = turn.progress;
  turn.memory = memory.first(sizeof l / sizeof(double));
  turn.plan = memory.subspan(sizeof l / sizeof(double), sizeof(LedgePlan) / sizeof(double));
  if (turn.memory[0] != 0.0) std::memcpy(static_cast<void*>(&l), turn.memory.data(), sizeof l);
  const bool told = m.order.now[hexapod_order::mode] == double(HexapodMode::Climb);
  if (!told && !turn.runs()) l = {};
  if (told && l.now() == LedgeState::Off) {
    l.state = double(LedgeState::Approach);
    l.edge = c_.commands.edge - m.gait.travelled * m.path.v_x;
    l.travelled = m.gait.travelled;
  }
  if (l.now() != LedgeState::Approach) return;
  turn.goes_on = approach(r, see, m, l);
  make_plan(m, l, turn.plan);
}

void LedgeClimber::end(HexapodMemory& m, LedgeTurn& turn) const {
  LedgeProgress& l = turn.progress;
  if (turn.runs() && l.climb.now() == LedgePhase::Done) {
    hand_over(turn.plan, m, l);
    l.state = double(LedgeState::Over);
  }
  std::memcpy(turn.memory.data(), &l, sizeof l);
}

bool LedgeClimber::approach(const Readings& r, const Sight& see, const HexapodMemory& m, LedgeProgress& l) const {
  const double way = (m.gait.travelled - l.travelled) * m.path.v_x;
  l.travelled = m.gait.travelled;
  l.edge -= way;
  if (c_.commands.ledge_height > 0.0) {
    l.seen = 1.0;
    l.height = c_.commands.ledge_height;
  } else {
    look_ahead(r, see, l);
  }
  const double gap = l.edge - head_front();
  if (l.seen != 0.0 && gap <= stop_gap) l.near = 1.0;
  if (l.near == 0.0) return true;
  if (m.gait.walk_mode() == WalkMode::Stand) l.rested += period_;
  return false;
}

void LedgeClimber::make_plan(const HexapodMemory& m, LedgeProgress& l, std::span<double> plan) const {
  if (l.rested < rest_time) return;
  LedgeStart start;
  start.pose.x = m.shift[0] - l.edge;
  start.pose.z = m.height + nominal();
  for (int row = 0; row < ledge_rows; row++) start.foot[row] = body_.neutral(row) + Vec3d(-l.edge, 0.0, nominal());
  LedgePlan made;
  plan_ledge(judge_of(l), start, {}, made);
  const bool was_seen = c_.commands.ledge_height == 0.0 && l.high < 10.0;
  for (const double height :
       {l.low, l.high}) {  // rays leave a few millimetres open, on which a way at the limit depends
    if (made.works() || !was_seen) break;
    LedgeProgress other = l;
    other.height = height;
    LedgePlan again;
    plan_ledge(judge_of(other), start, {}, again);
    if (!again.works()) continue;
    made = again;
    l.height = height;
  }
  l.failure = made.failure;
  l.no_plan = made.works() ? 0.0 : 1.0;
  for (int i = 0; i < body_.legs(); i++) {
    const GaitState::Leg& leg = m.gait.leg[i];
    l.off[i] = foot_on_path(m.path, body_.neutral(i), m.anchor[i], leg.along) - body_.neutral(i) + Vec3d(0, 0, leg.up);
    l.landed[i] = 1.0;
  }
  l.frame = l.ticks = 0.0;
  l.state = double(made.works() ? LedgeState::Climb : LedgeState::Over);
  l.climb = {};
  std::memcpy(plan.data(), &made, sizeof made);
  if (made.works()) return;
  l.climb.phase = double(LedgePhase::Failed);
  l.climb.failed_in = made.failure.phase;
  l.climb.lacking = made.failure.lacking;
}

LedgeFrame LedgeClimber::frame_at(std::span<const double> plan, double k) const {
  LedgeFrame out;
  const std::size_t at =
      offsetof(LedgePlan, frame) / sizeof(double) + std::size_t(k) * sizeof(LedgeFrame) / sizeof(double);
  std::memcpy(static_cast<void*>(&out), plan.data() + at, sizeof out);
  return out;
}

LedgeSight LedgeClimber::sight_of(const Readings& r, const Sight& see, const HexapodMemory& m,
                                  const LedgeProgress& l) const {
  LedgeSight s;
  s.to_wall = l.edge - head_front();
  s.least_load.fill(INFINITY);
  s.least_support = s.rear_to_edge = INFINITY;
  for (int i = 0; i < body_.legs(); i++) {
    const int row = body_.segment_of(i);
    if (row == 0) s.front_feet_to_wall = std::max(s.front_feet_to_wall, l.edge - see.foot[i][0]);
    if (row == 2) s.rear_to_edge = std::min(s.rear_to_edge, see.foot[i][0] - l.edge);
    s.least_load[std::size_t(row)] = std::min(s.least_load[std::size_t(row)], m.felt[i]);
    if (row == 1) s.com_to_middle_feet += 0.5 * (see.com[0] - see.level[i][0]);
    if (m.gait.leg[i].in_air != 0.0) continue;
    s.least_support = std::min(s.least_support, m.felt[i]);
    const Vec3d f = see.felt[i];
    const double n = dot(see.up, f);
    if (n > 2.0) s.friction_used = std::max(s.friction_used, norm(f - see.up * n) / n);
  }
  s.margin = m.margin;
  const HexapodWiring::Hinge& h = wiring_.hinge[2];
  s.hinge_torque = c_.hinge_kp * (l.rear - r.q[h.q + 1]) - c_.hinge_kd * r.u[h.u + 1];
  s.pitch = math::atan2(m.up[0], m.up[2]);
  return s;
}

struct LedgeClimber::Tick {
  const LedgeJudge& judge;
  LedgeFrame a, b;
  double s, late;  // part of the way; time since its end [s]
};

void LedgeClimber::climb(const Readings& r, const Sight& see, HexapodMemory& m, LedgeTurn& turn,
                         std::span<Vec3d> feet) const {
  LedgeProgress& l = turn.progress;
  const std::span<const double> plan = turn.plan;
  const LedgeJudge judge = judge_of(l);
  const double frames = plan[offsetof(LedgePlan, frames) / sizeof(double)];
  const LedgeFrame a = frame_at(plan, l.frame);
  const bool ends = l.frame + 1.0 >= frames;
  LedgeFrame b = ends ? a : frame_at(plan, l.frame + 1.0);
  const bool over = l.climb.now() == LedgePhase::Done || l.climb.now() == LedgePhase::Failed;
  const bool waits = over || ends || b.phase > l.climb.phase;
  if (waits) {
    step_ledge(l.climb, rules_, sight_of(r, see, m, l), period_);
    b = a;
    l.ticks = 0.0;
  } else {
    l.ticks += 1.0;
  }
  double lifts = 0.0;
  for (int row = 0; row < ledge_rows; row++)
    if (a.stands[row] != 0.0 && b.stands[row] == 0.0) lifts = unload_time;
  const double t = std::max(0.0, l.ticks * period_ - lifts);
  const Tick tick{judge, a, b, ramp_at(t, b.time).value, std::max(0.0, t - b.time)};
  const LedgePose pose = pose_between(a.pose, b.pose, tick.s);
  m.shift[0] = pose.x + l.edge;
  m.shift[1] = 0.0;
  m.height = pose.z - nominal();
  m.pitch = pose.pitch;
  l.front = pose.front;
  l.rear = pose.rear;
  bool all_down = true;
  for (int i = 0; i < body_.legs(); i++) {
    place_foot(i, tick, see, m, l, feet[std::size_t(i)]);
    if (b.stands[body_.segment_of(i)] != 0.0 && l.landed[i] == 0.0) all_down = false;
  }
  l.worst_margin = std::min(l.worst_margin, m.margin);
  l.worst_hinge = std::max(l.worst_hinge, std::abs(sight_of(r, see, m, l).hinge_torque));
  if (waits || t < b.time) return;
  if (!all_down && tick.late * search_speed < search_depth) return;
  for (int i = 0; i < body_.legs(); i++)
    if (b.stands[body_.segment_of(i)] != 0.0) l.landed[i] = 1.0;  // what it carries is a condition of the phase
  l.frame += 1.0;
  l.ticks = 0.0;
}

// Feet that stand for long press against one another through the body: each gives way along the ground.
Vec3d LedgeClimber::relief(int i, const Sight& see) const {
  const Vec3d& f = see.felt[i];
  return (f - see.up * dot(see.up, f)) * (relief_rate * period_);
}

void LedgeClimber::place_foot(int i, const Tick& tick, const Sight& see, HexapodMemory& m, LedgeProgress& l,
                              Vec3d& foot) const {
  const int row = body_.segment_of(i);
  const bool was = tick.a.stands[row] != 0.0, will = tick.b.stands[row] != 0.0;
  Vec3d p = foot_between(tick.judge, tick.a, tick.b, row, tick.s);
  if (!will) l.landed[i] = 0.0;
  if (!was && will && l.landed[i] == 0.0) {
    p[2] -= std::min(search_depth, tick.late * search_speed);
    if (m.touching[i] != 0.0 && tick.s > 0.3) {
      l.landed[i] = 1.0;
      l.off[i] = p + l.off[i] - Vec3d(tick.b.foot[row][0], tick.b.foot[row][1], tick.b.foot[row][2]);
    }
  }
  const bool stands = will && l.landed[i] != 0.0;
  if (stands && !was) p = Vec3d(tick.b.foot[row][0], tick.b.foot[row][1], tick.b.foot[row][2]);
  if (!stands) l.off[i] = l.off[i] * (1.0 - std::min(1.0, period_ / forget_time));
  m.gait.leg[i].in_air = stands ? 0.0 : 1.0;
  if (stands) l.off[i] += relief(i, see);
  if (i >= body_.segments) p[1] = -p[1];
  foot = p + l.off[i] + Vec3d(l.edge, 0.0, -nominal());
}

// After the climb: the walk goes on from where the feet are.
void LedgeClimber::hand_over(std::span<const double> plan, HexapodMemory& m, const LedgeProgress& l) const {
  const LedgeFrame last = frame_at(plan, l.frame);
  const double x = last.foot[1][0];
  m.shift[0] = last.pose.x - x;
  m.height = last.pose.z - l.height - nominal();
  m.pitch = last.pose.pitch;
  m.shift_rate[0] = m.shift_rate[1] = 0.0;
  for (int i = 0; i < body_.legs(); i++) {
    GaitState::Leg& leg = m.gait.leg[i];
    const int row = body_.segment_of(i);
    const double side = i < body_.segments ? 1.0 : -1.0;
    leg.along = 0.0;
    leg.up = last.foot[row][2] - body_.foot_radius - l.height + l.off[i][2];
    m.anchor[i].shift_x = last.foot[row][0] - x + l.off[i][0] - body_.neutral(i)[0];
    m.anchor[i].shift_y = side * last.foot[row][1] + l.off[i][1] - body_.neutral(i)[1];
  }
}

void add_ledge_signals(std::vector<MemorySignal>& out) {
  const auto add = [&](const char* name, const char* unit, const char* doc, std::size_t bytes) {
    out.push_back({std::string("walk.ledge.") + name, unit, doc, hexapod_memory_size() + int(bytes / sizeof(double))});
  };
  add("phase", "1",
      "0 approach, 1 feet to the wall, 2 front feet up, 3 body up, 4 middle feet up, 5 body forward, "
      "6 rear feet up, 7 level, 8 done, 9 failed",
      offsetof(LedgeProgress, climb) + offsetof(LedgeClimb, phase));
  add("height", "m", "of the ledge, as it is seen or told", offsetof(LedgeProgress, height));
  add("edge", "m", "of the ledge, ahead of the neutral place of the middle shoulders", offsetof(LedgeProgress, edge));
  add("margin", "m", "least static margin of the climb", offsetof(LedgeProgress, worst_margin));
  add("hinge", "N m", "largest torque of the rear hinge in the climb", offsetof(LedgeProgress, worst_hinge));
}

std::vector<std::string> ledge_remarks(std::span<const double> memory) {
  LedgeProgress l;
  std::memcpy(static_cast<void*>(&l), memory.data(), sizeof l);
  const LedgePhase now = l.climb.now();
  if (l.now() == LedgeState::Off) return {};
  if (l.now() == LedgeState::Approach && l.seen == 0.0) return {"no ledge was seen"};
  if (now == LedgePhase::Done) return {};
  if (now != LedgePhase::Failed)
    return {fmt::format("the run ended before the ledge was climbed, in phase {} of 8, {}", int(l.climb.phase) + 1,
                        ledge_phase_names[std::size_t(l.climb.phase)])};
  const std::size_t phase = std::size_t(l.climb.failed_in);
  const std::string_view rows[] = {"front ", "middle ", "rear "};
  const std::string what =
      l.no_plan != 0.0
          ? fmt::format("{}{}", l.failure.row >= 0.0 ? rows[std::size_t(l.failure.row)] : "",
                        ledge_limit_names[std::size_t(l.failure.limit)])
          : std::string(conditions_of(LedgePhase(int(phase)), {}, {}).of[std::size_t(l.climb.failed_of)].what);
  return {fmt::format("the ledge of {:.3f} m was not climbed: phase {} of 8, {}: {}: {:.3g} lacking{}", l.height,
                      phase + 1, ledge_phase_names[phase], what, l.climb.lacking,
                      l.no_plan != 0.0 ? ", so that it did not begin" : "")};
}

}  // namespace sinew::robots
