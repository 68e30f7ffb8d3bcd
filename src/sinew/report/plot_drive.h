// How a drive was used: torque over speed inside of what it can do, current and voltage over time.
//   i_q between the currents that the voltage can hold at the motor's speed (parts/drive/motor.h: reach), at most the current limit;
//   torque of the axis = N K i_q eta where it drives, N K i_q / eta where it is driven; at most the limit of the drive
#pragma once
#include "sinew/report/plot_signals.h"
#include "sinew/sim/experiment.h"

namespace sinew::report {

// What a drive can hold at a speed of its axis [rad/s or m/s, N m or N].
struct Envelope {
  std::vector<double> speed, least, most;
};
// Up to the speed `most_speed` in both directions, or as far as the voltage lets it turn. Empty: it has no bounds.
Envelope envelope_of(const drive::Numbers<double>& numbers, double most_speed);

// Throws InputError: no drive of this name, signals of it that are not recorded.
figure::Figure plot_drive(const Traces& traces, const sim::Experiment& experiment, const std::string& name,
                          const std::string& place);

}  // namespace sinew::report
