#include "robots/hexapod/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/math/elementary.h"

namespace sinew::robots {
namespace {

using namespace legged;
namespace at = hexapod_order;

struct OrderKey {
  int place;
  std::string_view name, unit, doc;
  Range range;
};
const std::array<OrderKey, 13> order_keys{{
    {at::speed, "speed", "m/s", "forward; back if it is negative", {.low = -1.0, .high = 1.0}},
    {at::left, "left", "m/s", "to the left; with speed: at an angle", {.low = -1.0, .high = 1.0}},
    {at::turn,
     "turn",
     "rad/s",
     "to the left; with speed: an arc of the radius speed / turn",
     {.low = -3.0, .high = 3.0}},
    {at::height, "height", "m", "of the body over its neutral height", {.low = -0.2, .high = 0.2}},
    {at::pitch, "pitch", "rad", "of the body, nose up", {.low = -0.7, .high = 0.7}},
    {at::roll, "roll", "rad", "of the body, left side up", {.low = -0.7, .high = 0.7}},
    {at::stroke,
     "stroke",
     "m",
     "longest way of a foot on the ground, within the reach of the legs; 0: on the spot",
     {.low = 0.0, .high = 0.5}},
    {at::step_height,
     "step_height",
     "m",
     "by which steps adapt to the ground; feet rise twice as high",
     {.low = 0.001, .high = 0.2}},
    {at::transfer_speed, "transfer_speed", "m/s", "of feet in the air over the body", {.low = 0.0, .high = 2.0}},
    {at::press_force, "press_force", "N", "with which the pressing foot pushes", {.low = 0.0, .high = 40.0}},
    {at::press_ahead,
     "press_ahead",
     "m",
     "where it begins to push: ahead of its neutral place",
     {.low = -0.2, .high = 0.2}},
    {at::press_left, "press_left", "m", "to the left of it", {.low = -0.2, .high = 0.2}},
    {at::press_up, "press_up", "m", "above it", {.low = -0.05, .high = 0.2}},
}};

// words: of a choice in front of which stands "same", or not.
template <std::size_t n>
void choose_word(Keys& keys, const Key& key, const std::array<std::string_view, n>& words, bool may_be_same,
                 double& value) {
  if (!may_be_same) {
    int chosen = int(value);
    keys.choice(live(key), words, chosen);
    value = chosen;
    return;
  }
  std::array<std::string_view, n + 1> with{"same"};
  std::ranges::copy(words, with.begin() + 1);
  int chosen = std::isfinite(value) ? int(value) + 1 : 0;
  keys.choice(key, with, chosen);
  value = chosen == 0 ? INFINITY : chosen - 1.0;
}

void describe_order(Keys& keys, HexapodOrder& order, bool is_change) {
  choose_word(keys, {"mode", "", "walk: with the twist below; stand: with all feet down; climb: up the ledge ahead"},
              hexapod_mode_names, is_change, order[at::mode]);
  choose_word(keys, {"gait", "", "which feet step when"}, hexapod_gait_names, is_change, order[at::gait]);
  choose_word(keys, {"body", "", "on slopes: parallel to the ground, or level"}, body_attitude_names, is_change,
              order[at::body]);
  choose_word(keys, {"lost", "", "a leg that breaks: it is folded, and the others go on"}, named_legs, is_change,
              order[at::lost]);
  choose_word(keys, {"press", "", "a leg that lifts and pushes, while it stands on the others"}, named_legs, is_change,
              order[at::press]);
  choose_word(keys, {"press_direction", "", "in which it pushes"}, press_direction_names, is_change,
              order[at::press_direction]);
  for (const OrderKey& k : order_keys) {
    Range range = k.range;
    range.may_be_infinite = is_change;
    if (is_change) range.high = INFINITY;
    keys.number(live({k.name, k.unit, k.doc, range}, !is_change), order[k.place]);
    if (is_change && std::isfinite(order[k.place]) && !k.range.contains(order[k.place])) {
      keys.reject(k.name, fmt::format("{:g} is not possible", order[k.place]), "give " + k.range.text());
      order[k.place] = INFINITY;
    }
  }
}

void describe_hump(Keys& keys, Hump& hump) {
  keys.number({"hump_top", "m", "of a round hump, ahead of the middle of the robot at the start", any_number},
              hump.top);
  keys.number({"hump_radius", "m", "of the cylinder that it is part of", not_negative}, hump.radius);
  keys.number({"hump_height", "m", "over the ground; 0: feet or its range sensor say it", not_negative}, hump.height);
  if (hump.height <= hump.radius && (hump.height > 0.0) == (hump.radius > 0.0)) return;
  keys.reject(hump.height > 0.0 ? "hump_radius" : "hump_height",
              hump.height > hump.radius && hump.radius > 0.0
                  ? fmt::format("a cylinder with a radius of {:g} m is no hump of {:g} m", hump.radius, hump.height)
                  : "of a hump both radius and height are told, or none",
              "give hump_top, hump_radius and a hump_height of at most that, or leave all out");
  hump = {};
}

}  // namespace

void describe_commands(Keys& keys, HexapodCommands& c) {
  keys.number({"start", "s", "it stands before", not_negative}, c.start);
  describe_order(keys, c.first, false);
  keys.number({"edge", "m", "of the ledge, ahead of the middle of the robot at the start; 0: its range sensor says it",
               not_negative},
              c.edge);
  keys.number({"ledge_height", "m", "of the ledge; 0: its range sensor says it", {.low = 0.0, .high = 1.0}},
              c.ledge_height);
  if ((c.edge > 0.0) != (c.ledge_height > 0.0)) {
    keys.reject(c.edge > 0.0 ? "ledge_height" : "edge", "of a ledge both edge and height are told, or none",
                "give edge and ledge_height, or leave both out");
    c.edge = c.ledge_height = 0.0;
  }
  describe_hump(keys, c.hump);
  const Table table(keys, "change", "what changes at a time; what is not given stays as it is");
  std::vector<std::string> present;
  for (const OrderChange& change : c.changes) present.push_back(change.name);
  std::vector<OrderChange> read;
  for (const std::string& name : keys.names(present)) {
    const auto found = std::ranges::find(c.changes, name, &OrderChange::name);
    OrderChange change;
    change.order.fill(INFINITY);
    if (found != c.changes.end()) change = *found;
    change.name = name;
    const Table entry(keys, name);
    keys.number({"at", "s", "when", not_negative}, change.at);
    describe_order(keys, change.order, true);
    read.push_back(std::move(change));
  }
  std::ranges::stable_sort(read, {}, &OrderChange::at);
  c.changes = std::move(read);
}

void describe_own_gait(Keys& keys, int legs, OwnGait& own) {
  const Table table(keys, "own_gait", "the gait \"own\", as other controllers write theirs");
  keys.integer({"stance", "", "counts on the ground", {.low = 1, .high = 1000}}, own.stance);
  keys.integer({"swing", "", "counts in the air", {.low = 1, .high = 1000}}, own.swing);
  keys.integer({"phase_offset", "", "counts by which a multiplier of 1 is late", {.low = 0, .high = 1000}},
               own.phase_offset);
  keys.numbers({"multiplier", "1", "of each leg: L1 to Ln, R1 to Rn; whole numbers"}, {}, own.multiplier);
  keys.choice({"neighbours", "", "who may not be in the air together: ring, all around; chain, on either side"},
              neighbour_names, own.neighbours);
  const bool whole =
      std::ranges::all_of(own.multiplier, [](double x) { return x == std::floor(x) && std::abs(x) < 1e6; });
  if (keys.is_given("multiplier") && (int(own.multiplier.size()) != legs || !whole))
    keys.reject("multiplier", fmt::format("{} numbers are given for {} legs", own.multiplier.size(), legs),
                fmt::format("give {} whole numbers", legs));
  if (int(own.multiplier.size()) == legs && whole) return;
  own.multiplier.assign(std::size_t(legs), 0.0);  // a tripod
  for (int i = 0; i < legs; i++)
    own.multiplier[std::size_t(i)] = (i % (legs / 2) + (i < legs / 2 ? 0 : 1)) % 2 == 0 ? 0.0 : 2.0;
}

GaitTable own_table(const OwnGait& own) {
  std::vector<int> multiplier(own.multiplier.begin(), own.multiplier.end());
  return gait_table({own.stance, own.swing, own.phase_offset, multiplier}, Neighbours(own.neighbours));
}

int named_leg(double order, int segments) {
  const int k = int(order) - 1, row = k % 6;
  return k < 0 || row >= segments ? -1 : k < 6 ? row : segments + row;
}

bool follow_orders(const HexapodCommands& c, double t, OrderMemory& m) {
  bool changed = false;
  for (int k = 0; k < at::count; k++) {
    if (m.set[k] == c.first[k]) continue;
    m.set[k] = m.now[k] = c.first[k];
    changed = true;
  }
  for (; std::size_t(m.done) < c.changes.size() && c.changes[std::size_t(m.done)].at <= t; m.done += 1.0) {
    const HexapodOrder& order = c.changes[std::size_t(m.done)].order;
    for (int k = 0; k < at::count; k++)
      if (std::isfinite(order[k])) m.now[k] = order[k];
    changed = true;
  }
  return changed;
}

Possible possible_of(const HexapodOrder& order, const SegmentedBody& body, const GaitTable& table) {
  Possible out{};
  out.shape = {.stroke = order[at::stroke],
               .height = order[at::step_height],
               .transfer_speed = order[at::transfer_speed],
               .tau = table.tau,
               .marching_time = StepShape{}.marching_time};
  PlaneTwist w{order[at::speed], order[at::left], order[at::turn]};
  double fastest = 0.0;
  for (int i = 0; i < body.legs(); i++) fastest = std::max(fastest, path_scale(w, body.neutral(i)));
  double v_st = timing_of(out.shape).v_body;
  const double share = fastest > v_st ? v_st / fastest : 1.0;
  if (table.free && v_st > 0.0 && fastest > 0.0) {  // whole strokes at any speed: tau from V_st
    v_st = fastest * share;
    out.shape.tau = std::min(table.tau, 2.0 * v_st / (out.shape.transfer_speed + v_st));
  }
  out.speed_share = share;
  if (v_st > 0.0) out.path = {w.v_x * share / v_st, w.v_y * share / v_st, w.omega * share / v_st};
  // so much of the pose that all feet have a hundredth of the stroke at least
  const auto pose_of = [&](double part) {
    BodyPose pose;
    pose.o = Vec3d(0.0, 0.0, part * order[at::height]);
    pose.pitch_up = part * order[at::pitch];
    pose.roll = part * order[at::roll];
    return pose;
  };
  const double least = 0.01 * out.shape.stroke;
  // a leg of a free gait that flies while the body waits comes down so much further ahead
  const double behind = table.free ? 0.5 : 0.75,
               ahead = table.free ? 0.5 + 2.0 * out.shape.tau / (2.0 - out.shape.tau) : 0.5;
  const auto longest = [&](double part) {
    return longest_stroke(body, pose_of(part), out.path, out.shape, behind, ahead);
  };
  double low = 0.0, high = 1.0;
  if (longest(1.0) >= least) low = 1.0;
  for (int k = 0; k < 12 && low < 1.0; k++) {
    const double middle = 0.5 * (low + high);
    (longest(middle) >= least ? low : high) = middle;
  }
  const bool is_posed = order[at::height] != 0.0 || order[at::pitch] != 0.0 || order[at::roll] != 0.0;
  out.pose_share = is_posed ? low : 1.0;
  out.height = low * order[at::height];
  out.pitch = low * order[at::pitch];
  out.roll = low * order[at::roll];
  out.shape.stroke = longest(low);
  return out;
}

}  // namespace sinew::robots
