#include "robots/hexapod/body_keys.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew::robots {
namespace {

void describe_leg(Keys& keys, legged::YawLeg& leg) {
  keys.number({"l1", "m", "length of the coxae, from the vertical axis to the first horizontal one", not_negative},
              leg.l1);
  keys.number({"l2", "m", "length of the femora", positive}, leg.l2);
  keys.number({"l3", "m", "length of the tibiae, to the middle of the foot", positive}, leg.l3);
  keys.number({"m_coxa", "kg", "mass of a coxa", positive}, leg.m_coxa);
  keys.number({"m_femur", "kg", "mass of a femur", positive}, leg.m_femur);
  keys.number({"m_tibia", "kg", "mass of a tibia", positive}, leg.m_tibia);
  keys.number({"m_foot", "kg", "mass of a foot", positive}, leg.m_foot);
  const Range part{.low = 0.0, .high = 1.0};
  keys.number({"at_coxa", "1", "mass centre of a coxa, as a part of its length", part}, leg.at_coxa);
  keys.number({"at_femur", "1", "of a femur", part}, leg.at_femur);
  keys.number({"at_tibia", "1", "of a tibia", part}, leg.at_tibia);
  const char* names[3] = {"q1_limits", "q2_limits", "q3_limits"};
  const char* docs[3] = {"ends of the yaw of a leg, 0: outward", "of the femur, 0: level, up is positive",
                         "of the tibia, 0: in line with the femur"};
  for (int i = 0; i < 3; i++) {
    std::vector<double> ends{leg.low[i], leg.high[i]};
    keys.numbers({names[i], "rad", docs[i]}, {.exactly = 2}, ends);
    if (!(ends[0] < ends[1])) {
      keys.reject(names[i], "the first end is not below the second", "give the lower one first");
      continue;
    }
    leg.low[i] = ends[0];
    leg.high[i] = ends[1];
  }
}

}  // namespace

void describe_body(Keys& keys, legged::SegmentedBody& body) {
  keys.integer({"segments", "", "of the body, each with two legs", {.low = 2, .high = legged::most_segments}},
               body.segments);
  keys.number({"a_m", "m", "from the shoulders of a segment to the hinge on the far side", not_negative}, body.a_m);
  keys.number({"l_bs", "m", "from a hinge to the shoulders of the segment behind it", positive}, body.l_bs);
  keys.number({"w_h", "m", "from the axis of the body to a leg's first joint", not_negative}, body.w_h);
  keys.number({"hip_height", "m", "over the middle of the foot, when the robot stands", positive}, body.hip_height);
  keys.number({"r_f", "m", "radius of the feet", positive}, body.foot_radius);
  keys.number({"m_segment", "kg", "mass of a segment, at its shoulders", positive}, body.m_segment);
  keys.number({"m_head", "kg", "mass of the head", positive}, body.m_head);
  keys.number({"head_ahead", "m", "from the front shoulders to the head", not_negative}, body.head_ahead);
  std::vector<double> edges{2.0 * body.block[0], 2.0 * body.block[1], 2.0 * body.block[2]};
  keys.numbers({"block", "m", "edges of a segment's block: along, across, up", positive}, {.exactly = 3}, edges);
  for (int k = 0; k < 3; k++) body.block[k] = 0.5 * edges[std::size_t(k)];
  keys.number({"link_radius", "m", "of the rods that the links of the legs are", positive}, body.link_radius);
  keys.number({"head_radius", "m", "of the head, a ball", positive}, body.head_radius);
  describe_leg(keys, body.leg);
  static constexpr std::array<std::string_view, 2> places{"rectangle", "ellipse"};
  int place = body.on_ellipse ? 1 : 0;
  keys.choice({"feet_on", "", "where feet stand: below their shoulders on a rectangle, or on an ellipse"}, places,
              place);
  body.on_ellipse = place == 1;
  legged::NeutralEllipse& e = body.ellipse;
  keys.number({"ellipse_out", "m", "half of the ellipse across", positive}, e.a_y);
  keys.number({"ellipse_along", "m", "half of it along", positive}, e.a_x);
  keys.number({"ellipse_step", "rad", "angle from row to row on it", {.low = 0.0, .high = 1.5, .above_low = true}},
              e.step);
  if (!std::isfinite(body.neutral_out())) {
    keys.reject("hip_height",
                fmt::format("with tibiae of {:g} m that stand upright, femora of {:g} m do not reach {:g} m",
                            body.leg.l3, body.leg.l2, body.hip_height),
                fmt::format("give {:g} to {:g}", body.leg.l3 - body.leg.l2, body.leg.l3 + body.leg.l2));
    body.hip_height = body.leg.l3;
  }
}

void describe_step(Keys& keys, legged::StepShape& shape) {
  keys.number({"L", "m", "stroke of the feet; 0: they march on the spot", not_negative}, shape.stroke);
  keys.number({"H", "m", "height by which steps adapt to the ground; feet rise twice as high", positive}, shape.height);
  keys.number({"Vtr", "m/s", "speed of the feet in the air over the body", not_negative}, shape.transfer_speed);
  keys.number({"t_march", "s", "time in the air where feet march on the spot", positive}, shape.marching_time);
}

int leg_number(std::string_view name, int segments) {
  if (name.size() != 2 || (name[0] != 'L' && name[0] != 'R')) return -1;
  const int row = name[1] - '1';
  if (row < 0 || row >= segments) return -1;
  return name[0] == 'L' ? row : segments + row;
}

std::string leg_name(int leg, int segments) {
  return fmt::format("{}{}", leg < segments ? 'L' : 'R', leg % segments + 1);
}

}  // namespace sinew::robots
