// What the drives of a world have taken, given and lost since the start, and what they had to say.
//   electrical = work + copper + friction + change of what is stored + error
#pragma once
#include <string>
#include <vector>

#include "sinew/world/world.h"

namespace sinew::sim {

struct DriveAccount {
  bool has_drives = false;
  double electrical = 0.0;  // from the supply [J]
  double work = 0.0;        // on the axes [J]
  double copper = 0.0;      // heat in windings [J]
  double friction = 0.0;    // heat in gears, and in friction that is inside a drive [J]
  double magnetic = 0.0;    // stored in windings [J]
  double mechanical = 0.0;  // stored in motors in front of springs and in these springs [J]
  double error = 0.0;       // what is left unexplained [J]
};

DriveAccount account_of_drives(const World<double>& world);

// "drive knee: at its voltage limit 32 % of the time": one line for each drive that was limited for more than 1 % of the time, or that
// has stopped.
std::vector<std::string> remarks_on_drives(const World<double>& world);

// Why the account of drives makes a run that ended here untrustworthy; empty: it does not. Over a step a drive foresees how its axis will
// move, and what it foresees wrongly is left unexplained. As of bodies (world/diagnosis.h) that must stay below
//   (5 % + 1 / n^2) of what went through: |electrical| + |work| + copper + friction + stored,
// or 1 % of all that went to and fro between supply and axes, if that is more: a load that is moved and stopped again has got nothing in the end.
// n: steps; of the first one, from rest, nothing is foreseen. A method that takes forces at the end of a step books work with the velocity at
// the end, and loses as much in the bodies: there only what is left of both counts as energy from nowhere.
// through: RunTotals::through [J].
std::string doubt_about_drives(const World<double>& world, double balance_error, double through);

}  // namespace sinew::sim
