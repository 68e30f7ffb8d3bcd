// Keys of the hexapod's controller.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "robots/hexapod/walk_control.h"

namespace sinew::robots {

using namespace legged;

GaitTable hexapod_table(int gait, const HexapodControl& c, int segments) {
  if (gait == own_gait) return own_table(c.own);
  if (gait == free_gait) return free_gait_table(segments);
  GaitTable t = gait_table(Gait(gait), segments);
  const double own = t.tau;
  if (c.tau > 0.0) t.tau = c.tau;
  if (c.tau > 0.0 && gait != int(c.commands.first[hexapod_order::gait]) && !problem_of(t).empty()) t.tau = own;
  if (c.tau == 0.0 && Gait(gait) == Gait::Gallop) t.tau = std::min(t.tau, 0.2);
  return t;
}

// Of a table, or of three feet that it needs on the ground. A free gait looks at its margin itself.
static std::string problem_on(const GaitTable& table, int segments) {
  const int stand = 2 * segments - table.most_airborne;
  if (std::string what = problem_of(table); !what.empty() || table.free || stand >= 3) return what;
  return fmt::format("{} feet stand while others are in the air, and it needs three", stand);
}

std::vector<GaitTable> hexapod_tables(const HexapodControl& c, int segments) {
  std::vector<GaitTable> out;
  for (int g = 0; g < hexapod_gaits; g++) {
    GaitTable t = hexapod_table(g, c, segments);
    out.push_back(problem_on(t, segments).empty() ? t : gait_table(Gait::Wave, segments));  // no command names these
  }
  return out;
}

static void describe_feet(Keys& keys, HexapodControl& c) {
  keys.number({"compliance", "m/(N s)", "how fast they do", not_negative}, c.compliance.alpha);
  keys.number({"compliance_most", "m", "by how much at most", not_negative}, c.compliance.most);
  keys.number({"compliance_leak", "s", "in which they forget", positive}, c.compliance.leak);
  keys.number({"force_time", "s", "in which these forces follow", positive}, c.force_time);
  keys.number({"round_time", "s", "half of the time in which feet in the air change their speed", not_negative},
              c.round_time);
  keys.number({"landing",
               "1",
               "speed at which feet come to nominal ground, as a part of that of the cycle",
               {.low = 0.05, .high = 1.0}},
              c.landing);
}

void describe_control(Keys& keys, const SegmentedBody& body, HexapodControl& c) {
  keys.number(
      {"tau", "1", "part of a period in the air, at most 1/2; 0: the gait's, gallop: 0.2", {.low = 0.0, .high = 0.5}},
      c.tau);
  keys.number({"s_min", "m", "static margin that the forecast shift keeps", not_negative}, c.s_min);
  keys.number({"s_guard", "m", "static margin without which no leg lifts", any_number}, c.s_guard);
  keys.number({"shift_speed", "m/s", "of the body's shift over its feet", positive}, c.shift_speed);
  keys.number({"slope_rate", "rad/s", "how fast the body leans with the ground under its feet", not_negative},
              c.slope_rate);
  keys.number({"pose_rate", "rad/s", "how fast it takes another pose, and levels itself", positive}, c.pose_rate);
  keys.number({"kp", "N m/rad", "of the legs' joints", not_negative}, c.kp);
  keys.number({"kd", "N m s/rad", "of the legs' joints", not_negative}, c.kd);
  keys.number({"hinge_kp", "N m/rad", "of the hinges between segments", not_negative}, c.hinge_kp);
  keys.number({"hinge_kd", "N m s/rad", "of the hinges between segments", not_negative}, c.hinge_kd);
  keys.number({"neck_kp", "N m/rad", "of the neck", not_negative}, c.neck_kp);
  keys.number({"neck_kd", "N m s/rad", "of the neck", not_negative}, c.neck_kd);
  keys.number({"torque_limit", "N m", "of the first two joints of a leg", positive}, c.torque_limit);
  keys.number({"knee_limit", "N m", "of the third", positive}, c.knee_limit);
  keys.flag({"shares_force", "", "torques of the legs carry the weight by the forces of least squares"},
            c.shares_force);
  keys.flag({"complies", "", "feet that stand give way to the error of their force"}, c.complies);
  keys.flag({"senses_ground", "", "it finds the stiffness of the ground under each foot: walk.L1.stiffness"},
            c.senses_ground);
  keys.flag({"bends", "",
             "hinges follow the ground: as the range sensor sees it with looks = true, as command.hump_height and the "
             "others tell it, or as the heights of the feet do"},
            c.bends);
  keys.flag({"clings", "", "pads hold its feet ([contact.pad.NAME]): no margin is asked for, no weight shared"},
            c.clings);
  keys.number({"pad_area", "m^2", "clings: of the pad under each foot, where the file has none", not_negative},
              c.pad_area);
  keys.number({"release_time", "s", "clings: for which a pad is off before its foot lifts", not_negative},
              c.release_time);
  keys.integer(
      {"hole_tries", "", "places at which a foot over a hole looks for ground; 0: it halts", {.low = 0, .high = 6}},
      c.hole_tries);
  keys.number({"hole_step", "m", "between these places: ahead, then behind", {.low = 0.005, .high = 0.1}}, c.hole_step);
  keys.flag(
      {"looks", "", "a range sensor in its head: a free gait steps on ground that it has seen, and over what is none"},
      c.looks);
  keys.number({"edge_margin", "m", "of footholds of a free gait to ground on which no foot may stand", not_negative},
              c.edge_margin);
  keys.flag({"climbs", "", "mode = \"climb\" is possible: a range sensor in its head, room for a plan"}, c.climbs);
  keys.flag({"rigid", "", "it climbs with straight hinges, to compare"}, c.rigid);
  describe_feet(keys, c);
  describe_devices(keys, c.devices);
  if (c.climbs && (body.segments != 3 || !c.devices.feels || c.clings)) {
    keys.reject("climbs", "this needs 3 segments, force sensors, and no pads",
                "give segments = 3, feels = true, clings = false");
    c.climbs = false;
  }
  if (c.bends && (!c.devices.feels || c.clings)) {
    keys.reject("bends", "this needs force sensors, and no pads", "give feels = true, clings = false");
    c.bends = false;
  }
  c.devices.looks = c.climbs || c.looks;
  describe_own_gait(keys, body.legs(), c.own);
}

void check_gaits(Keys& keys, const SegmentedBody& body, HexapodControl& c) {
  const auto problem = [&](double gait) {
    const GaitTable table = hexapod_table(int(gait), c, body.segments);
    const std::string what = problem_on(table, body.segments);
    if (what.empty()) return what;
    return fmt::format("{} on {} segments with tau = {:g}: {}", hexapod_gait_names[std::size_t(gait)], body.segments,
                       c.tau, what);
  };
  const double climb = double(HexapodMode::Climb);
  const bool is_told = c.commands.first[hexapod_order::mode] == climb ||
                       std::ranges::any_of(c.commands.changes, [&](const OrderChange& change) {
                         return change.order[hexapod_order::mode] == climb;
                       });
  if (is_told && !c.climbs) {
    keys.reject("mode", "this robot does not climb", "give robot.climbs = true");
    for (OrderChange& change : c.commands.changes) change.order[hexapod_order::mode] = INFINITY;
    c.commands.first[hexapod_order::mode] = double(HexapodMode::Walk);
  }
  if (c.commands.hump.height > 0.0 && !c.bends) {
    keys.reject("hump_height", "the hinges of this robot do not follow the ground", "give robot.bends = true");
    c.commands.hump = {};
  }
  const auto presses = [](const HexapodOrder& order) {
    return std::isfinite(order[hexapod_order::press]) && order[hexapod_order::press] != 0.0;
  };
  const bool told_to_press =
      presses(c.commands.first) ||
      std::ranges::any_of(c.commands.changes, [&](const OrderChange& change) { return presses(change.order); });
  if (told_to_press && !c.devices.feels)
    keys.reject("press", "this robot has no force sensors", "give robot.feels = true");
  double& first = c.commands.first[hexapod_order::gait];
  if (const std::string what = problem(first); !what.empty()) {
    keys.reject("gait", what, "take another gait, or a smaller tau");
    first = double(Gait::Wave);
    c.tau = 0.0;
  }
  for (OrderChange& change : c.commands.changes) {
    double& gait = change.order[hexapod_order::gait];
    if (!std::isfinite(gait)) continue;
    if (const std::string what = problem(gait); !what.empty()) {
      keys.reject("change", fmt::format("{}: {}", change.name, what), "take another gait, or a smaller tau");
      gait = first;
    }
  }
}

}  // namespace sinew::robots
