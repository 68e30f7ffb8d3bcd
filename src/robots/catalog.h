// The robots that come with sinew. To add one: write it in robots/<name>/, then one line in catalog.cpp.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/control/controller.h"
#include "sinew/model/catalog.h"
#include "sinew/model/compile.h"
#include "sinew/model/keys.h"
#include "sinew/model/results.h"

namespace sinew::robots {

// A number, or several, that are no signal of a motion: what a test bench reads.
struct Measurement {
  std::string name, unit;
  std::vector<double> values;
  bool is_main = false;  // stands in the summary of a run
};

// A number of the robot's own block of State::memory that is a signal: `place` counts from the begin of the block.
struct MemorySignal {
  std::string name, unit, description;
  int place = 0;
};

// A robot given by a few parameters instead of bodies and joints one by one.
class Robot {
 public:
  virtual ~Robot() = default;
  virtual void describe(Keys& keys) = 0;  // its parameters, keys of the table [robot]
  virtual Plan plan() const = 0;          // bodies and joints; ground and contact: what its scenarios have by default
  // A test bench: measure() is all that it does. Nothing moves and no time passes; its plan is empty.
  virtual bool is_bench() const { return false; }
  // Of a robot with equations of its own: names for integrator.method, the first is the default; others: none, any stepper will do.
  virtual std::vector<std::string_view> methods() const { return {}; }
  // It can be told what to do: keys of the table [command], after describe().
  virtual bool takes_commands() const { return false; }
  virtual void describe_commands(Keys&) {}
  // Drives and sensors of its own; those that the file gives for the same joints, or with the same names, replace them.
  virtual void equip(Plan&) const {}
  // Of its controller: the name of its block of memory, what of it are signals, and what it has to say at the end of a run.
  virtual std::string_view memory_block() const { return {}; }
  virtual std::vector<MemorySignal> memory_signals() const { return {}; }
  virtual std::vector<std::string> remarks(std::span<const double>) const { return {}; }
  // Rules that join its keys with robot.coordinates.
  virtual void check(Keys&, Coordinates) const {}
  // Joints and place at the start, for a robot that starts where its gait has it: the plan's joints have their motions.
  virtual void pose(Plan&) const {}
  virtual std::vector<ResultPlan> results() const { return {}; }  // numbers that all its scenarios report
  // A controller of its own, for the plan that moves, called once every `period` seconds; nullptr: none, [control] decides.
  virtual std::unique_ptr<Controller> controller(const Plan&, double) const { return nullptr; }
  // What it measures besides any motion, the same for the same seed. Done once, at the end of a run.
  virtual std::vector<Measurement> measure(std::uint64_t) const { return {}; }
  virtual std::vector<std::string*> files() { return {}; }  // paths that its keys name
  // Largest frequency of its springs in the plan that moves: explicit steppers are refused if their step is too long for it [rad/s];
  // 0: not known.
  virtual double fastest(const PlannedTree&) const { return 0.0; }
  virtual std::vector<std::string> notes() const { return {}; }  // what follows from its keys, for `sinew show`
  // The key under which it is given a file of tables for its joints; empty: none, joints have keys of their own.
  virtual std::string table_key() const { return {}; }
};

using Entry = CatalogEntry<Robot>;
Catalog<Robot> catalog();

// One from outside: scenario files can then name it as those that come with sinew. Before the first scenario is read, in one thread;
// the texts of the entry must stay. Throws std::invalid_argument if the name is taken.
void add_robot(const Entry& entry);

}  // namespace sinew::robots
