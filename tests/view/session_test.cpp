#include "view/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "sinew/sim/errors.h"
#include "tests/support/page.h"
#include "tests/support/shipped.h"

namespace sinew::view {
namespace session_test {

using test::Json;
using test::Page;

sim::Experiment load(const std::string& name, const std::vector<std::string>& sets) {
  if (name.find("..") != std::string::npos) throw InputError("load: no scenario is named " + name);
  return sinew::test::shipped_experiment(name, sets);
}

// A session with a page that looks at it, paused at the start.
struct Watched {
  explicit Watched(const std::string& name, const std::vector<std::string>& sets = {}) : session(name, sets, load) {
    session.request(R"({"type": "pause"})");
    session.attach(page);
    page.hello();
    page.until_rows(1);
  }
  ~Watched() { session.detach(page); }

  std::string ask(const Json& request) { return session.request(request.dump()); }
  // Asks, and waits for the next message of this type.
  Json ask(const Json& request, const std::string& answer) {
    const std::size_t before = page.count();
    EXPECT_EQ(ask(request), "");
    return page.next(answer, before);
  }

  Session session;
  Page page;
};

TEST(Session, begins_with_a_hello_that_says_everything) {
  Watched w("snake/sidewinding");
  const Json hello = w.page.all().front();
  EXPECT_EQ(hello["type"], "hello");
  EXPECT_EQ(hello["protocol"], 1);
  EXPECT_EQ(hello["generation"], 1);
  EXPECT_EQ(hello["scenario"], "snake/sidewinding");
  EXPECT_EQ(hello["interactive"], true);
  EXPECT_EQ(hello["running"], false);
  EXPECT_EQ(hello["speed"], 1.0);
  EXPECT_EQ(hello["scene"]["format"], "sinew scene 1");
  EXPECT_EQ(hello["scene"]["bodies"].size(), 11u);
  EXPECT_EQ(hello["signals"][0], Json({{"name", "t"}, {"unit", "s"}, {"description", "time"}}));
  const Json parameter = w.page.parameter("gait.Ah_deg");
  EXPECT_EQ(parameter["value"], 30.0);
  EXPECT_EQ(parameter["default"], 30.0);
  EXPECT_EQ(parameter["unit"], "deg");
  EXPECT_TRUE(parameter["low"].is_null());
  for (const char* drawn : {"body.link1.p.x", "body.link11.quat.w", "joint.joint1.torque.0", "com.p.z",
                            "contact.link1.front:ground.normal", "external.force.x"})
    w.page.column(drawn);
  EXPECT_EQ(w.page.values("t").front(), 0.0);
}

TEST(Session, throws_what_the_scenario_has_wrong) {
  EXPECT_THROW(Session("basics/pendulum", {"body.bob.mass=-1"}, load), InputError);
}

TEST(Session, runs_and_pauses) {
  Watched w("basics/pendulum");
  EXPECT_EQ(w.ask({{"type", "play"}}, "state")["running"], true);
  ASSERT_TRUE(w.page.until_rows(5));
  const Json paused = w.ask({{"type", "pause"}}, "state");
  EXPECT_EQ(paused["running"], false);
  const std::vector<double> t = w.page.values("t");
  EXPECT_EQ(t.front(), 0.0);
  EXPECT_EQ(std::ranges::adjacent_find(t, std::greater_equal<>()), t.end());
  w.ask({{"type", "speed"}, {"value", 2}}, "state");  // nothing moves until that is told
  EXPECT_EQ(w.page.values("t").back(), paused["t"].get<double>());
}

TEST(Session, waits_for_somebody_to_look) {
  Session session("basics/pendulum", {}, load);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  Page page;
  session.attach(page);
  ASSERT_TRUE(page.until_rows(2));
  EXPECT_EQ(page.values("t").front(), 0.0);
  session.detach(page);
}

TEST(Session, steps_by_a_row) {
  Watched w("basics/pendulum");
  for (int i = 1; i <= 3; i++) {
    w.ask({{"type", "step"}}, "state");
    ASSERT_TRUE(w.page.until_rows(std::size_t(i) + 1));
    EXPECT_NEAR(w.page.values("t").back(), 0.01 * i, 1e-12);
  }
}

TEST(Session, rows_are_closer_in_slow_motion) {
  Watched w("basics/pendulum");
  w.ask({{"type", "speed"}, {"value", 0.1}}, "state");
  w.ask({{"type", "play"}}, "state");
  ASSERT_TRUE(w.page.until_rows(20));
  const std::vector<double> t = w.page.values("t");
  for (std::size_t i = 1; i < 20; i++) EXPECT_LT(t[i] - t[i - 1], 0.0025);  // 0.1 / 60 s; the step is 0.001 s
}

TEST(Session, goes_as_fast_as_it_can) {
  Watched w("basics/pendulum");
  w.ask({{"type", "speed"}, {"value", 0}}, "state");
  EXPECT_EQ(w.ask({{"type", "play"}}, "state")["speed"], 0.0);
  ASSERT_TRUE(w.page.until_rows(100));
}

TEST(Session, reset_reproduces_the_start) {
  Watched w("snake/sidewinding");
  const auto start = w.page.seen().front().values;
  for (int i = 0; i < 3; i++) w.ask({{"type", "step"}}, "state");
  ASSERT_TRUE(w.page.until_rows(4));
  const auto third = w.page.seen().back().values;
  EXPECT_EQ(w.ask({{"type", "reset"}}, "hello")["generation"], 2);
  ASSERT_TRUE(w.page.until_rows(1));
  EXPECT_EQ(w.page.seen().front().generation, 2u);
  const auto same = [](const std::vector<double>& a, const std::vector<double>& b) { return std::ranges::equal(a, b); };
  EXPECT_TRUE(same(w.page.seen().front().values, start));
  for (int i = 0; i < 3; i++) w.ask({{"type", "step"}}, "state");
  ASSERT_TRUE(w.page.until_rows(4));
  EXPECT_TRUE(same(w.page.seen().back().values, third));
}

TEST(Session, a_changed_parameter_is_told_and_seen) {
  Watched w("basics/pendulum");
  for (int i = 0; i < 30; i++) w.ask({{"type", "step"}}, "state");
  const double before = w.page.values("energy.potential").back(), error = w.page.values("energy.balance_error").back();
  const std::size_t rows = w.page.seen().size();
  EXPECT_EQ(w.ask({{"type", "set"}, {"key", "gravity.g[1]"}, {"value", -1.0}}, "parameter"),
            Json({{"type", "parameter"}, {"key", "gravity.g[1]"}, {"value", -1.0}}));
  ASSERT_TRUE(w.page.until_rows(rows + 1));
  EXPECT_NEAR(w.page.values("energy.potential").back(), before / 9.81, 1e-9);
  EXPECT_NEAR(w.page.values("energy.balance_error").back(), error, 1e-12);
  Page late;  // hears the present value
  w.session.attach(late);
  EXPECT_EQ(late.parameter("gravity.g[1]")["value"], -1.0);
  EXPECT_EQ(late.parameter("gravity.g[1]")["default"], -9.81);
  w.session.detach(late);
}

TEST(Session, of_many_values_the_last_one_counts) {
  Watched w("snake/sidewinding");
  for (int i = 1; i <= 100; i++) EXPECT_EQ(w.ask({{"type", "set"}, {"key", "gait.Ah_deg"}, {"value", 0.5 * i}}), "");
  EXPECT_TRUE(w.page.until_told([](const Json& m) { return m["type"] == "parameter" && m["value"] == 50.0; }));
  w.ask({{"type", "reset"}}, "hello");
  EXPECT_EQ(w.page.parameter("gait.Ah_deg")["value"], 50.0);
}

TEST(Session, a_bad_value_is_an_error_and_changes_nothing) {
  Watched w("basics/pendulum");
  const Json error = w.ask({{"type", "set"}, {"key", "joint.pivot.damping"}, {"value", -1}}, "error");
  EXPECT_NE(error["what"].get<std::string>().find("it must be >= 0"), std::string::npos) << error;
  const Json unknown = Json::parse(w.ask({{"type", "set"}, {"key", "integrator.step"}, {"value", 0.1}}));
  EXPECT_EQ(unknown["type"], "error");
  EXPECT_NE(unknown["what"].get<std::string>().find("integrator.step"), std::string::npos);
  w.ask({{"type", "reset"}}, "hello");
  EXPECT_EQ(w.page.parameter("joint.pivot.damping")["value"], 0.0);
}

TEST(Session, garbage_is_answered_by_an_error) {
  Watched w("basics/pendulum");
  for (const std::string text :
       {"", "{", "[[[[[", "{\"type\": \"push\", \"body\": \"bob\"}", "\xff", "{\"type\": \"x\xc3\"}",
        "{\"type\": \"push\", \"body\": \"nobody\", \"point\": [0,0,0], \"target\": [0,0,0]}"})
    EXPECT_EQ(Json::parse(w.session.request(text))["type"], "error") << text;
  EXPECT_EQ(w.ask({{"type", "step"}}, "state")["running"], false);  // it lives
}

TEST(Session, a_push_is_a_force_from_outside) {
  Watched w("basics/pendulum", {"gravity.g=[0, 0, 0]"});
  EXPECT_EQ(w.ask({{"type", "push"}, {"body", "bob"}, {"point", {0, 0, 0}}, {"target", {-1, 0.5, 0}}}), "");
  for (int i = 0; i < 20; i++) w.ask({{"type", "step"}}, "state");
  ASSERT_TRUE(w.page.until_rows(21));
  EXPECT_GT(w.page.values("external.force.y")[1], 1.0);
  const double work = w.page.values("energy.work_external").back();
  EXPECT_GT(work, 0.1);
  EXPECT_LT(std::abs(w.page.values("energy.balance_error").back()), 0.01 * work);
  EXPECT_EQ(w.ask({{"type", "release"}}), "");
  w.ask({{"type", "step"}}, "state");
  ASSERT_TRUE(w.page.until_rows(22));
  EXPECT_EQ(w.page.values("external.force.y").back(), 0.0);
}

TEST(Session, loads_another_scenario_or_keeps_this_one) {
  Watched w("basics/pendulum");
  EXPECT_NE(w.ask({{"type", "load"}, {"scenario", "../secret"}}, "error")["what"], "");
  const Json hello = w.ask({{"type", "load"}, {"scenario", "basics/double-pendulum"}}, "hello");
  EXPECT_EQ(hello["scenario"], "basics/double-pendulum");
  EXPECT_EQ(hello["generation"], 2);
  EXPECT_EQ(hello["running"], true);
  ASSERT_TRUE(w.page.until_rows(2));
  for (const auto& row : w.page.seen()) EXPECT_EQ(row.generation, 2u);
}

TEST(Session, says_why_it_failed_and_can_begin_again) {
  Watched w("basics/pendulum", {"integrator.method=moreau", "joint.pivot.position=0.5"});
  w.ask({{"type", "set"}, {"key", "joint.pivot.stiffness"}, {"value", 1e7}}, "parameter");
  const Json failed = w.ask({{"type", "play"}}, "failed");
  EXPECT_NE(failed["what"].get<std::string>().find("too stiff for the step"), std::string::npos) << failed;
  EXPECT_EQ(w.page.next("state", w.page.count() - 1)["running"], false);
  for (const auto& row : w.page.seen())
    for (const double x : row.values) EXPECT_TRUE(std::isfinite(x));
  w.ask({{"type", "set"}, {"key", "joint.pivot.stiffness"}, {"value", 0}}, "parameter");
  w.ask({{"type", "reset"}}, "hello");
  w.ask({{"type", "play"}}, "state");
  EXPECT_TRUE(w.page.until_rows(10));
}

TEST(Session, pages_come_and_go_from_every_thread) {
  Session session("basics/pendulum", {}, load);
  std::vector<std::thread> threads;
  for (int n = 0; n < 3; n++)
    threads.emplace_back([&session, n] {
      for (int i = 0; i < 10; i++) {
        auto page = std::make_unique<Page>();
        session.attach(*page);
        session.request(n == 0 ? R"({"type": "reset"})" : R"({"type": "set", "key": "body.bob.mass", "value": 2})");
        EXPECT_TRUE(page->until_rows(1));
        session.detach(*page);  // from here on it may be gone
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace session_test
}  // namespace sinew::view
