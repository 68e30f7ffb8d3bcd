// A step takes no memory from the heap. Where nothing is counted (tests/support/allocations.h) this file is empty.
#include <cstdlib>
#if !defined(SINEW_SANITIZED) && defined(__GLIBC__)
#include <gtest/gtest.h>

#include <cstddef>

#include "sinew/report/recorder.h"
#include "sinew/sim/run.h"
#include "tests/support/allocations.h"
#include "tests/support/folder.h"
#include "tests/support/touching.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace allocation_test {

template <Real S>
long allocations_of_1000_steps(World<S>& world) {
  const long before = allocations();
  for (int k = 0; k < 1000; k++) world.step(1e-4);
  return allocations() - before;
}

TEST(Allocation, the_watch_sees_new_and_malloc) {
  const long before = allocations();
  std::vector<double> v(10);
  void* volatile p = std::malloc(8);
  EXPECT_EQ(allocations() - before, 2);
  std::free(p);
  EXPECT_EQ(v[9], 0.0);
}

// The very first step counts, too: nothing is made on first use.
TEST(Allocation, a_thousand_steps_allocate_nothing) {
  for (const Stepper& stepper : fixed_steppers())
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      for (const Plan& plan : {everything(), mixed_chain(), floating_chain(), bricard()}) {
        World<double> world = make_world(plan, {c, stepper.name});
        EXPECT_EQ(allocations_of_1000_steps(world), 0);
      }
    }
}

TEST(Allocation, a_thousand_steps_of_many_robots_at_once_allocate_nothing) {
  for (const Stepper& stepper : fixed_steppers())
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      World<Lanes> world = widen(make_world(everything(), {c, stepper.name}));
      EXPECT_EQ(allocations_of_1000_steps(world), 0);
    }
}

// Contacts make their scratch as large as they need it once; then a thousand steps allocate nothing.
TEST(Allocation, steps_with_contact_allocate_nothing) {
  for (const Stepper& stepper : fixed_steppers())
    for (const Coordinates c : both_coordinates)
      for (const Plan& plan : {tumbling_arm(), crawler(4, {.mu_forward = 0.1, .mu_backward = 0.3, .mu_trans = 0.5})}) {
        SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
        World<double> world = make_world(plan, {c, stepper.name});
        for (int k = 0; k < 3000; k++) world.step(2e-4);
        EXPECT_EQ(allocations_of_1000_steps(world), 0);
      }
}

// Not the step alone: the loop around it, with its checks and the recording of every step. The writing thread may allocate.
TEST(Allocation, a_recorded_run_allocates_nothing_in_the_stepping_thread) {
  const Folder folder;
  sim::Scenario scenario;
  scenario.plan = crawler(4, {.mu_forward = 0.1, .mu_backward = 0.3, .mu_trans = 0.5});
  scenario.duration = 1.0, scenario.step = scenario.every = 2e-4;
  report::Recorder recorder(sim::Experiment(scenario), folder / "r.h5", "test");
  long at_rest = 0, at_end = 0;
  sim::RunHooks hooks;
  hooks.watcher = &recorder;
  hooks.progress = [&](double t) { (t < 0.6 ? at_rest : at_end) = allocations(); };
  sim::run(scenario, hooks);
  recorder.finish("{}");
  EXPECT_GT(at_rest, 0);
  EXPECT_EQ(at_end - at_rest, 0);
}

}  // namespace allocation_test
}  // namespace sinew::test
#endif
