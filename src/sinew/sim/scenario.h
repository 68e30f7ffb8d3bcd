// Scenario: one experiment, complete. A robot, where it is, how it is integrated, how long, and what is read out.
#pragma once
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sinew/control/computed_torque.h"
#include "sinew/control/feedback.h"
#include "sinew/control/fmu_plan.h"
#include "sinew/control/policy.h"
#include "sinew/model/results.h"
#include "sinew/sim/bridge_plan.h"
#include "sinew/sim/cases.h"
#include "sinew/sim/chosen.h"
#include "sinew/sim/schedule.h"
#include "sinew/world/world.h"

namespace sinew::sim {

// What a scenario is for. GoOn: numbers for a run that is under way and has a state; whether a run could start with them is not
// asked.
enum class Purpose { Start, GoOn };

struct Scenario {
  std::string name;    // of a built-in scenario, or the file's path
  std::string folder;  // of its file: paths of meshes start there
  std::string title, source;
  double duration = 10.0;  // [s]
  double step = 0.001;     // [s]
  std::string method = "moreau";
  Coordinates coordinates = Coordinates::Tree;
  std::string robot = "bodies";      // kind: bodies given one by one, or a robot of the catalogue
  Chosen<robots::Robot> robot_keys;  // parameters of the latter
  std::string gait = "none";         // kind: a gait of the catalogue, or the motions that the joints give
  Chosen<gaits::Gait> gait_keys;     // parameters of the former
  Plan plan;                         // as written: without the gait's motions
  ControlKind control_kind = ControlKind::ComputedTorque;
  ComputedTorqueGains control;             // of joints with drive = "computed"
  FeedbackPlan feedback;                   // of kinds pd and lqr
  PolicyPlan policy;                       // of kind policy
  FmuPlan fmu;                             // of kind fmu
  Schedule schedule;                       // of all of them
  BridgePlan bridge;                       // of sinew bridge alone
  double every = 0.01;                     // between rows of the recording [s]
  std::vector<std::string> recorded{"*"};  // signals: names, groups or wildcards
  std::vector<double> at;                  // times of snapshots [s]
  double t_avg_start = 0.0;                // from where on run.speed is taken [s]
  std::vector<ResultPlan> results;         // its own; results_of() has those of the robot as well
  std::uint64_t seed = 0;
  std::vector<Case> cases;  // what is known about its outcome
  Purpose purpose = Purpose::Start;
  std::set<std::string> given;  // dotted keys and tables that its file has; made in code: none
};

// Declares every key of an experiment. Those of its cases are declared by cases.h.
void describe(Keys& keys, Scenario& scenario);

// Its robot is a test bench, which measures: nothing moves, no time passes, and there are no signals but the time.
bool is_bench(const Scenario& scenario);

// Why something that needs a motion is refused for a bench: "NAME: it is a test bench ...".
std::string no_motion_of(const Scenario& scenario);

// All numbers that a run reports: those of the robot, then the scenario's own; one of the same name replaces the robot's.
std::vector<ResultPlan> results_of(const Scenario& scenario);

// The plan that runs: the motions of a gait are in its joints, and those that a feedback follows are driven. Throws PlanError.
Plan moving_plan(const Scenario& scenario);

// Purpose::GoOn: without a state that means something; put one in.
World<double> make_world(const Scenario& scenario);

// The controller of the joints with drive = "computed", or the robot's own; nullptr: there is none. moving: its moving_plan(). Throws
// PlanError, and InputError or FileError if an FMU cannot be started.
std::unique_ptr<Controller> make_controller(const Scenario& scenario, const PlannedTree& moving);

}  // namespace sinew::sim
