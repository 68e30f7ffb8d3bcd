#include "view/watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <latch>

#include "sinew/record/reader.h"
#include "sinew/report/recorder.h"
#include "tests/support/folder.h"
#include "tests/support/page.h"
#include "tests/support/shipped.h"

namespace sinew::view {
namespace watch_test {

using test::Json;
using test::Page;

sim::Scenario snake(double duration) {
  sim::Scenario scenario = sinew::test::shipped("snake/sidewinding");
  scenario.duration = duration;
  return scenario;
}

sim::RunResult run(const sim::Scenario& scenario, sim::Watcher& watcher,
                   const std::atomic<bool>* interrupted = nullptr) {
  sim::RunHooks hooks;
  hooks.watcher = &watcher;
  hooks.interrupted = interrupted;
  return sim::run(scenario, hooks);
}

TEST(Watch, does_not_change_the_run) {
  const sim::Scenario scenario = snake(0.5);
  Watch watch(sim::Experiment(scenario), nullptr);
  Page page;
  watch.attach(page);
  EXPECT_EQ(run(scenario, watch).hash, sim::run(scenario).hash);
  watch.detach(page);
}

TEST(Watch, shows_the_run_to_its_end) {
  const sim::Scenario scenario = snake(0.5);
  Page page;
  {
    Watch watch(sim::Experiment(scenario), nullptr);
    watch.attach(page);
    const Json hello = page.hello();
    EXPECT_EQ(hello["interactive"], false);
    EXPECT_EQ(hello["parameters"].size(), 0u);
    EXPECT_EQ(hello["scene"]["bodies"].size(), 11u);
    const sim::RunResult result = run(scenario, watch);
    watch.finish(result);
    EXPECT_TRUE(page.until_told([](const Json& m) { return m["type"] == "state" && m["running"] == false; }));
    watch.detach(page);
  }
  const std::vector<double> t = page.values("t");
  EXPECT_EQ(t.back(), 0.5);
  EXPECT_EQ(t.front(), 0.0);
  EXPECT_TRUE(std::ranges::is_sorted(t));
}

TEST(Watch, tells_what_there_is_to_note_with_each_state) {
  const sim::Scenario scenario = snake(0.1);
  Watch watch(sim::Experiment(scenario), nullptr);
  watch.set_note([] { return "cycle 1 ms"; });
  Page page;
  watch.attach(page);
  const sim::RunResult result = run(scenario, watch);
  watch.finish(result);
  EXPECT_TRUE(page.until_told([](const Json& m) { return m["type"] == "state" && m["note"] == "cycle 1 ms"; }));
  watch.detach(page);
}

// Hears its first rows only when the run is over.
struct Sleeper : Page {
  void rows(const Rows& message) override {
    over.wait();
    Page::rows(message);
  }
  std::latch over{1};
};

TEST(Watch, is_not_slowed_by_a_page_that_sleeps) {
  const sim::Scenario scenario = snake(0.5);
  Sleeper page;
  {
    Watch watch(sim::Experiment(scenario), nullptr);
    watch.attach(page);
    EXPECT_EQ(run(scenario, watch).end, 0.5);  // would wait for ever
    page.over.count_down();
    EXPECT_TRUE(page.until_rows(2));
    watch.detach(page);
  }
}

TEST(Watch, leaves_out_rows_when_there_is_no_room) {
  sim::Scenario scenario = sinew::test::shipped("basics/pendulum");
  scenario.duration = 20.0, scenario.every = scenario.step;
  Sleeper page;
  Watch watch(sim::Experiment(scenario), nullptr);
  watch.attach(page);
  const sim::RunResult result = run(scenario, watch);
  watch.finish(result);
  page.over.count_down();
  EXPECT_TRUE(
      page.until_told([](const Json& m) { return m["type"] == "state" && m["dropped"] > 10'000; }));  // of 20 001
  watch.detach(page);
}

TEST(Watch, pauses_and_goes_on) {
  const sim::Scenario scenario = snake(0.5);
  Watch watch(sim::Experiment(scenario), nullptr);
  Page page;
  watch.attach(page);
  EXPECT_EQ(watch.request(R"({"type": "pause"})"), "");
  auto result = std::async(std::launch::async, [&] { return run(scenario, watch); });
  EXPECT_EQ(result.wait_for(std::chrono::milliseconds(200)), std::future_status::timeout);
  EXPECT_EQ(watch.request(R"({"type": "play"})"), "");
  EXPECT_EQ(result.get().hash, sim::run(scenario).hash);
  watch.detach(page);
}

TEST(Watch, a_pause_ends_with_its_last_page_or_an_interrupt) {
  const sim::Scenario scenario = snake(0.1);
  std::atomic<bool> interrupted = false;
  Watch watch(sim::Experiment(scenario), nullptr, &interrupted);
  Page page;
  watch.attach(page);
  watch.request(R"({"type": "pause"})");
  auto first = std::async(std::launch::async, [&] { return run(scenario, watch, &interrupted); });
  watch.detach(page);
  EXPECT_EQ(first.get().ending, sim::Ending::Done);
  watch.request(R"({"type": "pause"})");
  auto second = std::async(std::launch::async, [&] { return run(scenario, watch, &interrupted); });
  interrupted = true;
  EXPECT_EQ(second.get().ending, sim::Ending::Interrupted);
}

TEST(Watch, cannot_be_used_to_change_the_run) {
  Watch watch(sim::Experiment(snake(0.1)), nullptr);
  for (const char* text : {R"({"type": "reset"})", R"({"type": "set", "key": "contact.mu", "value": 1})", "{", "[]",
                           R"({"type": "push", "body": "link1", "point": [0,0,0], "target": [0,0,0]})"})
    EXPECT_EQ(Json::parse(watch.request(text))["type"], "error") << text;
}

TEST(Watch, records_at_the_same_time) {
  const sinew::test::Folder folder;
  const sim::Scenario scenario = snake(0.1);
  report::Recorder recorder(sim::Experiment(scenario), folder / "a.h5", "test");
  Watch watch(sim::Experiment(scenario), &recorder);
  run(scenario, watch);
  recorder.finish("{}");
  EXPECT_EQ(record::Reader(folder / "a.h5").rows(), 11u);
}

TEST(Watch, tells_why_a_run_failed) {
  const std::vector<std::string> sets{"joint.pivot.stiffness=1e7", "integrator.method=moreau",
                                      "joint.pivot.position=0.5"};
  const sim::Scenario scenario = sinew::test::shipped("basics/pendulum", sets);
  Page page;
  Watch watch(sim::Experiment(scenario), nullptr);
  watch.attach(page);
  page.hello();
  const sim::RunResult result = run(scenario, watch);
  ASSERT_EQ(result.ending, sim::Ending::Failed);
  watch.finish(result);
  EXPECT_EQ(page.next("failed")["what"], text_of(*result.diagnosis, "basics/pendulum"));
  for (const auto& row : page.seen())
    for (const double x : row.values) EXPECT_TRUE(std::isfinite(x));
  watch.detach(page);
}

}  // namespace watch_test
}  // namespace sinew::view
