#include "sinew/control/legs/ledge_plan.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/elementary.h"

namespace sinew::legged {

LedgeStart ledge_start(const SegmentedBody& body, double gap, double head_radius) {
  LedgeStart out;
  out.pose.x = -(gap + head_radius + body.head_ahead + body.spacing());
  out.pose.z = body.hip_height + body.foot_radius;
  for (int row = 0; row < ledge_rows; row++) out.foot[row] = body.neutral(row) + Vec3d(out.pose.x, 0.0, out.pose.z);
  return out;
}

LedgePose pose_between(const LedgePose& a, const LedgePose& b, double s) {
  const auto mix = [&](double from, double to) { return from + (to - from) * s; };
  return {mix(a.x, b.x), mix(a.z, b.z), mix(a.pitch, b.pitch), mix(a.front, b.front), mix(a.rear, b.rear)};
}

namespace {

enum : int { front_row, middle_row, rear_row };
constexpr double lift_by = 0.03, before_edge = 0.05, over_edge = 0.045;  // of feet in the air [m]
constexpr double feet_apart = 0.06;                                      // rows on the same ground [m]
constexpr double well_loaded = 7.0;                                      // of feet that should carry [N]
constexpr int path_samples = 8, deepest = 5;

Vec3d frame_foot(const LedgeFrame& f, int row) { return {f.foot[row][0], f.foot[row][1], f.foot[row][2]}; }
void set_foot(LedgeFrame& f, int row, const Vec3d& p) {
  for (int k = 0; k < 3; k++) f.foot[row][k] = p[k];
}
unsigned carrying(const LedgeFrame& a, const LedgeFrame& b) {
  unsigned rows = 0;
  for (int row = 0; row < ledge_rows; row++)
    if (a.stands[row] != 0.0 && b.stands[row] != 0.0) rows |= 1u << row;
  return rows;
}

}  // namespace

Vec3d foot_between(const LedgeJudge& judge, const LedgeFrame& a, const LedgeFrame& b, int row, double s) {
  if (a.stands[row] != 0.0 && b.stands[row] != 0.0) return frame_foot(a, row);
  const Vec3d from = judge.to_segment(a.pose, row, frame_foot(a, row)),
              to = judge.to_segment(b.pose, row, frame_foot(b, row));
  return judge.from_segment(pose_between(a.pose, b.pose, s), row, from + (to - from) * s);
}

namespace {

class LedgePlanner {
 public:
  LedgePlanner(const LedgeJudge& judge, const LedgeSpeeds& speeds, LedgePlan& plan)
      : judge_(judge), speeds_(speeds), plan_(plan) {}

  void begin(const LedgeStart& start) {
    plan_ = {};
    now_ = {};
    now_.pose = start.pose;
    for (int row = 0; row < ledge_rows; row++) set_foot(now_, row, start.foot[row]);
    append(now_);
  }

  void phase(LedgePhase phase) { now_.phase = double(phase); }
  bool good() const { return plan_.failure.phase < 0.0; }
  double foot_x(int row) const { return now_.foot[row][0]; }

  struct Move {
    LedgePose toward;
    double low = -INFINITY, high = INFINITY;  // of the mass centre
    unsigned loaded = 0;                      // rows that carry at least `load` then [N]
    double load = 0.0, keep = 0.3;
  };
  // Body alone, all feet that stand stay.
  bool move_body(const Move& move) {
    const LedgePose from = now_.pose;
    return attempt([&](double part, double higher) {
      LedgeAsk ask = ask_now();
      ask.low = move.low;
      ask.high = move.high;
      ask.loaded = move.loaded;
      ask.load = move.load;
      LedgeFrame next = now_;
      next.pose = guess(from, move.toward, part, higher);
      const LedgeVerdict v = judge_.find({.near = move.toward, .keep = move.keep}, next.pose, ask);
      return v.holds() ? go(next, deepest) : fail(v);
    });
  }

  struct Step {
    int row;
    double low, high, want;
    bool on_top;
    LedgePose toward;
    double keep = 0.3;
    LedgePhase landing = LedgePhase::Done;  // phase in which it comes down; Done: the same
  };
  // One row of feet: margin without it, up, over, down.
  bool step(const Step& s) {
    const LedgePose from = now_.pose;
    return attempt([&](double part, double higher) { return try_step(s, guess(from, s.toward, part, higher)); });
  }
  // If there is a way; else it stays where it is.
  bool may_move(const Move& move) {
    if (!good()) return false;
    if (move_body(move)) return true;
    plan_.failure = {};
    return false;
  }
  bool may_step(const Step& s) {
    if (!good()) return false;
    if (step(s)) return true;
    plan_.failure = {};
    return false;
  }

  const LedgeFrame& now() const { return now_; }

 private:
  static LedgePose guess(const LedgePose& from, const LedgePose& to, double part, double higher) {
    LedgePose out = pose_between(from, to, part);
    out.z += higher;
    return out;
  }

  // From several first guesses, until one has a way; else the first failure stands.
  template <class Try>
  bool attempt(const Try& try_it) {
    if (!good()) return false;
    const double frames = plan_.frames;
    const LedgeFrame before = now_;
    LedgePlan::Failure first;
    for (int k = 0; k < 8; k++) {
      if (try_it((k % 4) / 3.0, k < 4 ? 0.0 : 0.03)) return true;
      if (k == 0) first = plan_.failure;
      plan_.failure = {};
      plan_.frames = frames;
      now_ = before;
    }
    plan_.failure = first;
    return false;
  }

  bool try_step(const Step& s, const LedgePose& guess) {
    const bool rises = s.on_top && foot_x(s.row) < 0.0;
    LedgeAsk ask = ask_now();
    ask.carries = 7u & ~(1u << s.row);
    ask.above = s.row;
    ask.lift = lift_by;
    LedgeFrame f = now_;
    LedgeVerdict v = judge_.find({.near = now_.pose, .keep = 0.3}, f.pose, ask);
    if (!v.holds()) return fail(v);
    LedgePose after = guess;
    ask.foot[s.row] = Vec3d(std::clamp(s.want, s.low, s.high), judge_.body().neutral_out(), judge_.ground(s.on_top));
    if (rises) {
      ask.via_x = -before_edge;
      ask.via_z = judge_.ground(true) + over_edge;
    }
    v = judge_.find({s.toward, s.keep, s.row, s.low, s.high, s.want, 2.0}, after, ask);
    if (!v.holds()) return fail(v);
    if (!go(f, deepest)) return false;
    const Vec3d from = frame_foot(now_, s.row), to = ask.foot[s.row], up(0.0, 0.0, lift_by);
    f = now_;
    f.stands[s.row] = 0.0;
    set_foot(f, s.row, from + up);
    if (!go(f, 0)) return false;
    if (rises) {  // back from the wall
      set_foot(f, s.row, Vec3d(std::min(from[0], -before_edge), from[1], from[2] + lift_by));
      if (!go(f, 0)) return false;
    }
    f.pose = after;
    if (rises) {
      set_foot(f, s.row, Vec3d(ask.via_x, to[1], ask.via_z));
      if (!go(f, deepest)) return false;
    }
    if (s.landing != LedgePhase::Done) f.phase = double(s.landing);
    set_foot(f, s.row, to + up);
    if (!go(f, deepest)) return false;
    f.stands[s.row] = 1.0;
    set_foot(f, s.row, to);
    return go(f, 0);
  }

  LedgeAsk ask_now() const {
    LedgeAsk ask;
    for (int row = 0; row < ledge_rows; row++) ask.foot[row] = frame_foot(now_, row);
    ask.carries = carrying(now_, now_);
    return ask;
  }

  bool fail(const LedgeVerdict& v) {
    plan_.failure = {now_.phase, double(v.limit), double(v.row), v.lacking};
    return false;
  }

  LedgeVerdict judge_between(const LedgeFrame& a, const LedgeFrame& b, double s) const {
    LedgeAsk ask;
    ask.carries = carrying(a, b);
    ask.flies = 7u & ~ask.carries;
    for (int row = 0; row < ledge_rows; row++) ask.foot[row] = foot_between(judge_, a, b, row, s);
    return judge_.judge(pose_between(a.pose, b.pose, s), ask);
  }

  // Straight, or by a pose half-way that holds.
  bool go(const LedgeFrame& next, int depth) {
    LedgeVerdict worst;
    for (int k = 1; k <= path_samples; k++) {
      const LedgeVerdict v = judge_between(now_, next, double(k) / path_samples);
      if (v.worst < worst.worst) worst = v;
    }
    if (worst.worst >= -0.05) {
      append(next);
      return true;
    }
    if (depth == 0) return fail(worst);
    LedgeFrame half = next;
    LedgeAsk ask;
    ask.carries = carrying(now_, next);
    for (int row = 0; row < ledge_rows; row++) {
      half.stands[row] = carrying(now_, next) >> row & 1u;
      ask.foot[row] = foot_between(judge_, now_, next, row, 0.5);
      set_foot(half, row, ask.foot[row]);
    }
    half.pose = pose_between(now_.pose, next.pose, 0.5);
    const LedgePose wanted = half.pose;
    if (!judge_.find({.near = wanted, .keep = 0.3}, half.pose, ask).holds()) return fail(worst);
    return go(half, depth - 1) && go(next, depth - 1);
  }

  void append(LedgeFrame next) {
    if (plan_.frames >= most_ledge_frames) {
      plan_.failure.phase = now_.phase;
      return;
    }
    if (plan_.frames > 0.0) {
      next.time = duration(now_, next);
      const LedgeVerdict v = judge_between(now_, next, 1.0);
      plan_.margin = std::min(plan_.margin, v.margin);
      plan_.torque = std::max(plan_.torque, v.torque);
      plan_.hinge = std::max(plan_.hinge, v.hinge);
    }
    plan_.frame[std::size_t(plan_.frames)] = next;
    plan_.frames += 1.0;
    now_ = next;
  }

  // A smooth ramp is 15/8 as fast in its middle.
  double duration(const LedgeFrame& a, const LedgeFrame& b) const {
    const LedgePose &p = a.pose, &q = b.pose;
    double time =
        std::max(math::hypot(q.x - p.x, q.z - p.z) / speeds_.body, std::abs(q.pitch - p.pitch) / speeds_.turn);
    time = std::max({time, std::abs(q.front - p.front) / speeds_.turn, std::abs(q.rear - p.rear) / speeds_.turn});
    for (int row = 0; row < ledge_rows; row++)
      if ((carrying(a, b) >> row & 1u) == 0)
        time = std::max(
            time, norm(judge_.to_segment(q, row, frame_foot(b, row)) - judge_.to_segment(p, row, frame_foot(a, row))) /
                      speeds_.foot);
    return std::max(speeds_.least, 1.875 * time);
  }

  const LedgeJudge& judge_;
  LedgeSpeeds speeds_;
  LedgePlan& plan_;
  LedgeFrame now_;
};

// The nearest place to the wall on the ground.
double near_wall(const LedgeJudge& judge) { return -(judge.body().foot_radius + 0.008); }

// Rear, middle, front in turn, as near to the wall as they come.
void gather(LedgePlanner& p, const LedgeJudge& judge) {
  p.phase(LedgePhase::Gather);
  const double near = near_wall(judge), pitched = judge.rules().rigid ? 0.0 : 0.6;
  for (int wave = 0; wave < 2; wave++) {
    LedgePose toward = p.now().pose;
    toward.x = judge.rules().rigid ? toward.x : std::min(toward.x + 0.08, -0.26);
    toward.front = pitched;
    const double front = p.foot_x(front_row), middle = p.foot_x(middle_row), rear = p.foot_x(rear_row);
    p.may_step({rear_row, rear, middle - feet_apart, middle - 0.07, false, toward});
    p.may_step({middle_row, middle, front - feet_apart, front - 0.09, false, toward});
    p.may_step({front_row, front, near, near, false, toward});
  }
}

// Front feet on top, then the body, until the mass centre is near the middle feet.
void climb_front(LedgePlanner& p, const LedgeJudge& judge) {
  p.phase(LedgePhase::FrontUp);
  LedgePose to = p.now().pose;
  to.front = judge.rules().rigid ? 0.0 : 1.0;
  p.step({front_row, 0.02, 0.14, 0.06, true, to, 0.1});
  p.move_body({.toward = p.now().pose, .loaded = 1, .load = well_loaded});

  p.phase(LedgePhase::BodyUp);
  const double middle = p.foot_x(middle_row), s_min = judge.rules().s_min;
  to = p.now().pose;
  to.x = middle;
  to.z += 0.03;
  if (!p.may_move({to, middle + s_min, middle + 0.018})) p.move_body({to, middle - 0.018, middle + 0.018});
}

// Rear feet nearer, middle feet onto the edge, front feet forward; then the mass centre ahead of the middle feet.
void climb_middle(LedgePlanner& p, const LedgeJudge& judge) {
  p.phase(LedgePhase::MiddleUp);
  const double h = judge.ledge().height, below = p.foot_x(middle_row);
  for (int k = 0; k < 2; k++)
    p.may_step({rear_row, p.foot_x(rear_row), below - feet_apart, below - 0.07, false, p.now().pose});
  LedgePose to = p.now().pose;
  to.x = 0.0;
  to.z = h + 0.06;
  p.step({middle_row, 0.02, 0.12, 0.02, true, to, 0.1});
  const double middle = p.foot_x(middle_row);
  p.may_step({front_row, p.foot_x(front_row), middle + 0.3, middle + 0.2, true, p.now().pose});
  p.move_body({.toward = p.now().pose, .loaded = 7, .load = well_loaded});

  p.phase(LedgePhase::BodyForward);
  to = p.now().pose;
  to.x = middle;
  to.z = h + judge.body().hip_height;
  p.move_body({.toward = to, .low = middle + judge.rules().s_min + 0.005});
}

// Rear feet over the edge; then all rows to their neutral places, and the body level.
void climb_rear(LedgePlanner& p, const LedgeJudge& judge) {
  p.phase(LedgePhase::RearUp);
  const SegmentedBody& body = judge.body();
  const double h = judge.ledge().height;
  LedgePose to;
  to.x = p.foot_x(middle_row) + 0.08;
  to.z = h + body.hip_height;
  p.step({rear_row, 0.02, 0.1, 0.02, true, to, 0.1, LedgePhase::Level});

  p.phase(LedgePhase::Level);
  to.x = p.foot_x(rear_row) + body.spacing();
  to.z = h + body.hip_height + body.foot_radius;
  const double behind_front = p.foot_x(front_row) - feet_apart;
  if (behind_front < to.x) p.step({middle_row, 0.02, behind_front, behind_front, true, to, 0.5});
  p.step({front_row, 0.02, 1.0, to.x + body.spacing(), true, to, 0.5});
  p.step({middle_row, 0.02, 1.0, to.x, true, to, 0.5});
  to.x = p.foot_x(middle_row);
  p.move_body({.toward = to, .keep = 3.0});
}

}  // namespace

void plan_ledge(const LedgeJudge& judge, const LedgeStart& start, const LedgeSpeeds& speeds, LedgePlan& plan) {
  LedgePlanner p(judge, speeds, plan);
  p.begin(start);
  gather(p, judge);
  climb_front(p, judge);
  climb_middle(p, judge);
  climb_rear(p, judge);
}

double greatest_ledge(const SegmentedBody& body, const LedgePoseRules& rules, double low, double high, double fine) {
  const auto works = [&](double height) {
    LedgePlan plan;
    plan_ledge(LedgeJudge(body, {height}, rules), ledge_start(body, 0.03, rules.head_radius), {}, plan);
    return plan.works();
  };
  if (!works(low)) return 0.0;
  double bad = high;
  for (double h = low + 0.02; h < high; h += 0.02) {
    if (!works(h)) {
      bad = h;
      break;
    }
    low = h;
  }
  while (bad - low > fine) {
    const double middle = 0.5 * (low + bad);
    (works(middle) ? low : bad) = middle;
  }
  return low;
}

}  // namespace sinew::legged
