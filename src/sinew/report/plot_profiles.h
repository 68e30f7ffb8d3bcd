// Profiles along a body: a group of signals NAME.0, NAME.1, ... over another such group, at a few moments.
#pragma once
#include "sinew/report/plot_signals.h"

namespace sinew::report {

struct ProfilePlan {
  std::string title, subtitle;
  std::string profiles;         // groups of numbered signals, separated by commas: rod.M_z,rod.N_x
  std::string x = "rod.X";      // the group they are plotted over
  std::vector<double> at = {};  // moments [s]; none: the start, the end and two between
};

// One panel a profile, one curve a moment (the nearest that was recorded). Throws InputError.
figure::Figure plot_profiles(const Traces& traces, const ProfilePlan& plan, const std::string& place);

}  // namespace sinew::report
