#include "robots/biped/body_keys.h"

#include <fmt/format.h>

namespace sinew::robots {
namespace {

using namespace legged;

constexpr std::array<std::string_view, six::count> limit_keys{
    "hip_yaw_limits", "hip_roll_limits", "hip_pitch_limits", "knee_limits", "ankle_pitch_limits", "ankle_roll_limits"};
constexpr std::array<std::string_view, six::count> limit_docs{
    "ends of the hip's yaw, to the left", "of its roll, left side up",      "of its pitch, thigh backward",
    "of the knee, 0: straight",           "of the ankle's pitch, toe down", "of its roll, left side up"};

void describe_limits(Keys& keys, SixJointLeg& leg) {
  for (int i = 0; i < six::count; i++) {
    std::vector<double> ends{leg.low[i], leg.high[i]};
    keys.numbers({limit_keys[i], "rad", limit_docs[i]}, {.exactly = 2}, ends);
    if (!(ends[0] < ends[1])) {
      keys.reject(limit_keys[i], "the first end is not below the second", "give the lower one first");
      continue;
    }
    leg.low[i] = ends[0];
    leg.high[i] = ends[1];
  }
}

}  // namespace

void describe_body(Keys& keys, BipedBody& body) {
  keys.number({"thigh", "m", "from hip to knee", positive}, body.leg.thigh);
  keys.number({"shank", "m", "from knee to ankle", positive}, body.leg.shank);
  keys.number({"ankle_height", "m", "of the ankle over the sole", positive}, body.ankle_height);
  keys.number({"hip_beside", "m", "of a hip beside the middle", positive}, body.hip_beside);
  keys.number({"heel", "m", "of the sole, behind the ankle", positive}, body.heel);
  keys.number({"toe", "m", "of the sole, ahead of the ankle", positive}, body.toe);
  keys.number({"sole_width", "m", "of the sole", positive}, body.sole_width);
  keys.number({"m_trunk", "kg", "mass of trunk and pelvis", positive}, body.m_trunk);
  keys.number({"trunk_above", "m", "their mass centre over the hips", positive}, body.trunk_above);
  keys.number({"m_thigh", "kg", "mass of a thigh, at half its length", positive}, body.m_thigh);
  keys.number({"m_shank", "kg", "mass of a shank, at half its length", positive}, body.m_shank);
  keys.number({"m_foot", "kg", "mass of a foot, in the middle of its box", positive}, body.m_foot);
  describe_limits(keys, body.leg);
  if (!(body.sole_width < 2.0 * body.hip_beside)) {
    keys.reject("sole_width",
                fmt::format("soles of {:g} m overlap with hips at {:g} m", body.sole_width, body.hip_beside),
                fmt::format("give less than {:g}", 2.0 * body.hip_beside));
    body.sole_width = 0.11;
    body.hip_beside = 0.09;
  }
}

}  // namespace sinew::robots
