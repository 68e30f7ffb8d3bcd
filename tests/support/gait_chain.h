// Chains of bodies with a gait, as scenario text, and what their joints are told to do.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/sim/errors.h"
#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"

namespace sinew::support {

inline const std::string cardan =
    "kind = \"universal\"\naxis = [0, 1, 0]\naxis2 = [1, 0, 0]\ndrive = \"servo\"\nkp = 50\nkd = 1";
inline const std::string hinge = "drive = \"servo\"\nkp = 10\nkd = 1";

inline std::string chain(int joints, const std::string& joint_keys, const std::string& gait) {
  std::string text = "[gait]\n" + gait + "\n";
  for (int i = 0; i <= joints; i++) text += "[body.b" + std::to_string(i) + "]\ninertia = [0.1, 0.1, 0.1]\n";
  text += "[joint.air]\nkind = \"free\"\nchild = \"b0\"\n";
  for (int i = 1; i <= joints; i++)
    text += "[joint.j" + std::to_string(i) + "]\nparent = \"b" + std::to_string(i - 1) + "\"\nchild = \"b" +
            std::to_string(i) + "\"\np_parent = [0, 0, 0.1]\np_child = [0, 0, -0.1]\n" + joint_keys + "\n";
  return text;
}

inline std::vector<Motion<double>> motions_of(const std::string& text, int joint) {
  return sim::moving_plan(text::parse_scenario(text, "file")).joints[joint].motion;
}

inline double value(const Motion<double>& motion, double t) {
  double m, rate, accel;
  motion.evaluate(t, m, rate, accel);
  return m;
}

inline void expect_refused(const std::string& text, const std::string& key, const std::string& what) {
  try {
    text::parse_scenario(text, "file");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& e) {
    EXPECT_THAT(e.problems.at(0), testing::HasSubstr(key));
    EXPECT_THAT(e.problems.at(0), testing::HasSubstr(what));
  }
}

}  // namespace sinew::support
