#include "sinew/bridge/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sinew/bridge/in_process.h"
#include "sinew/bridge/own_controller.h"
#include "sinew/bridge/remote.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "tests/bridge/robots.h"
#include "tests/support/folder.h"

namespace sinew::bridge {
namespace log_test {

using ::testing::HasSubstr;

TEST(Replay, of_a_log_has_all_answers_bit_by_bit_and_finds_the_first_that_differs) {
  const test::Folder folder;
  const std::string file = folder / "log";
  const sim::Experiment experiment = test::load("hexapod/tripod", {"duration=0.2"});
  const Layout layout = layout_of(experiment, 1e-3);
  MonotonicClock clock;
  {
    OwnController own(layout, experiment);
    InProcess transport([&](std::span<const std::byte> bytes) { return own.answer(bytes, 0); });
    ImageLog log(file, layout);
    Remote remote(layout, experiment.model(), transport, clock, {.step = 5e-4, .log = &log});
    sim::RunHooks hooks;
    hooks.controller = &remote;
    sim::run(experiment, hooks);
    remote.finish();
    log.finish();
  }
  OwnController same(layout, experiment);
  InProcess again([&](std::span<const std::byte> bytes) { return same.answer(bytes, 0); });
  const Replayed equal = replay(file, layout, again, nullptr);
  EXPECT_EQ(equal.sent, 203);  // three on the way up
  EXPECT_EQ(equal.compared, 203);
  EXPECT_EQ(equal.different, 0) << equal.first;

  const sim::Experiment stiffer = test::load("hexapod/tripod", {"kp=200"});
  OwnController other(layout, stiffer);
  InProcess differs([&](std::span<const std::byte> bytes) { return other.answer(bytes, 0); });
  const Replayed found = replay(file, layout, differs, nullptr);
  EXPECT_GT(found.different, 100);
  EXPECT_THAT(found.first, HasSubstr("joint."));
  EXPECT_THROW(replay(file, layout_of(experiment, 2e-3), again, nullptr), InputError);
}

// A controller of timed mode that is late takes the newest image. What it remembers knows nothing of those that it passed over.
TEST(Replay, of_a_timed_log_leaves_out_what_its_controller_did_not_see) {
  const test::Folder folder;
  const std::string file = folder / "log";
  const sim::Experiment experiment = test::load("hexapod/tripod", {"duration=0.2"});
  const Layout layout = layout_of(experiment, 1e-3);
  VirtualClock clock;
  const std::set<int> late{20, 21, 22, 60, 101, 102};
  {
    OwnController own(layout, experiment);
    int asked = 0;
    InProcess transport([&](std::span<const std::byte> bytes) {
      return late.contains(asked++) ? std::span<const std::byte>() : own.answer(bytes, 0);
    });
    ImageLog log(file, layout);
    Remote remote(layout, experiment.model(), transport, clock, {.timed = true, .step = 5e-4, .log = &log});
    sim::RunHooks hooks;
    hooks.controller = &remote;
    sim::run(experiment, hooks);
    log.finish();
    EXPECT_EQ(remote.report().missed, 6);
  }
  OwnController same(layout, experiment);
  InProcess again([&](std::span<const std::byte> bytes) { return same.answer(bytes, 0); });
  const Replayed found = replay(file, layout, again, nullptr);
  EXPECT_EQ(found.different, 0) << found.first;
  EXPECT_EQ(found.unsure, 0);
  EXPECT_GT(found.compared, 190);
}

}  // namespace log_test
}  // namespace sinew::bridge
