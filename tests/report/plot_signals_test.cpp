#include "sinew/report/plot_signals.h"

#include <gtest/gtest.h>

#include "sinew/sim/choose_signals.h"
#include "sinew/sim/errors.h"

namespace sinew::report {
namespace plot_signals_test {

Traces traces_of(std::vector<std::string> names, std::vector<std::string> units) {
  Traces t{std::move(names), std::move(units), {}};
  t.read = [](std::size_t i) { return std::vector<double>{double(i), double(i) + 0.5}; };
  return t;
}

Traces pendulum() {
  return traces_of({"t", "body.bob.p.x", "body.bob.p.y", "body.bob.v.x", "energy.kinetic", "energy.potential"},
                   {"s", "m", "m", "m/s", "J", "J"});
}

std::vector<std::string> labels(const figure::Panel& panel) {
  std::vector<std::string> out;
  for (const auto& c : panel.curves) out.push_back(c.label);
  return out;
}

figure::Figure plot(const Traces& traces, std::vector<std::string> panels, std::string x = "t") {
  return plot_signals(traces, {"", "", std::move(panels), std::move(x)}, "place");
}

std::string problem_of(const Traces& traces, std::vector<std::string> panels, std::string x = "t") {
  try {
    plot(traces, std::move(panels), std::move(x));
  } catch (const InputError& e) {
    return e.what();
  }
  return "none";
}

TEST(PlotSignals, of_one_unit_share_a_panel) {
  const auto f = plot(pendulum(), {"body.bob, energy.kinetic"});
  ASSERT_EQ(f.panels.size(), 3u);
  EXPECT_EQ(labels(f.panels[0]), (std::vector<std::string>{"body.bob.p.x", "body.bob.p.y"}));
  EXPECT_EQ(f.panels[0].y.label, "body.bob.p");
  EXPECT_EQ(f.panels[0].y.unit, "m");
  EXPECT_EQ(f.panels[0].x.label, "time");
  EXPECT_EQ(f.panels[1].y.label, "body.bob.v.x");
  EXPECT_EQ(f.panels[1].curves[0].label, "");  // its axis bears the name
  EXPECT_EQ(f.panels[2].y.unit, "J");
  EXPECT_EQ(f.panels[0].curves[1].y, (std::vector<double>{2.0, 2.5}));
  EXPECT_EQ(f.panels[0].curves[1].x, (std::vector<double>{0.0, 0.5}));
}

TEST(PlotSignals, are_chosen_by_name_by_group_and_with_wildcards_each_once) {
  const auto names = pendulum().names;
  EXPECT_EQ(sim::choose_signals(names, "body.bob.p.y", ""), std::vector<std::size_t>{2});
  EXPECT_EQ(sim::choose_signals(names, "energy,\n  body.bob.p ", ""), (std::vector<std::size_t>{4, 5, 1, 2}));
  EXPECT_EQ(sim::choose_signals(names, "*.x,body.*", ""), (std::vector<std::size_t>{1, 3, 2}));
  EXPECT_EQ(sim::choose_signals(names, "*", "").size(), 5u);  // t is the axis
  EXPECT_EQ(sim::choose_signals(names, "t", "").size(), 1u);
}

TEST(PlotSignals, more_than_six_get_a_panel_per_group) {
  std::vector<std::string> names{"t"}, units{"s"};
  for (const char* body : {"a", "b", "c"})
    for (const char* axis : {"x", "y", "z"})
      names.push_back(std::string("body.") + body + ".p." + axis), units.push_back("m");
  const auto f = plot(traces_of(names, units), {"*"});
  ASSERT_EQ(f.panels.size(), 3u);
  EXPECT_EQ(f.panels[1].y.label, "body.b.p");
}

TEST(PlotSignals, groups_of_one_share_panels_of_six) {
  std::vector<std::string> names{"t"}, units{"s"};
  for (int i = 0; i < 14; i++) names.push_back("joint.j" + std::to_string(i) + ".q"), units.push_back("rad");
  const auto f = plot(traces_of(names, units), {"joint"});
  ASSERT_EQ(f.panels.size(), 3u);
  EXPECT_EQ(f.panels[0].curves.size(), 6u);
  EXPECT_EQ(f.panels[2].curves.size(), 2u);
  EXPECT_EQ(f.panels[0].y.label, "joint");
}

TEST(PlotSignals, over_another_signal_have_equal_axes_if_both_are_metres) {
  const auto path = plot(pendulum(), {"body.bob.p.y"}, "body.bob.p.x");
  EXPECT_TRUE(path.panels[0].equal_axes);
  EXPECT_EQ(path.panels[0].x.label, "body.bob.p.x");
  EXPECT_FALSE(plot(pendulum(), {"body.bob.v.x"}, "body.bob.p.x").panels[0].equal_axes);
  EXPECT_FALSE(plot(pendulum(), {"body.bob.p.y"}).panels[0].equal_axes);
}

TEST(PlotSignals, unknown_ones_are_an_error_that_names_the_nearest) {
  EXPECT_NE(problem_of(pendulum(), {"body.bob.p.xx"}).find("did you mean body.bob.p.x"), std::string::npos);
  EXPECT_NE(problem_of(pendulum(), {"nothing"}).find("there are t, body.bob.p.x"), std::string::npos);
  EXPECT_NE(problem_of(pendulum(), {"energy"}, "body.bob.p").find("takes one"), std::string::npos);
  EXPECT_NE(problem_of(pendulum(), {" , "}), "none");
}

TEST(PlotSignals, too_many_panels_are_an_error) {
  std::vector<std::string> names{"t"}, units{"s"};
  for (int i = 0; i < 30; i++)
    for (const char* axis : {".x", ".y"}) names.push_back("body.b" + std::to_string(i) + axis), units.push_back("m");
  EXPECT_NE(problem_of(traces_of(names, units), {"*"}).find("choose fewer"), std::string::npos);
}

}  // namespace plot_signals_test
}  // namespace sinew::report
