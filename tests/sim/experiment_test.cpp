#include "sinew/sim/experiment.h"

#include <gtest/gtest.h>

#include "sinew/sim/errors.h"
#include "sinew/sim/set_number.h"
#include "tests/support/shipped.h"

namespace sinew::sim {
namespace experiment_test {

Scenario snake_with(const char* key, double value) {
  Scenario out = test::shipped("snake/lateral-undulation");
  set_number(out, find_number(out, key), value);
  return out;
}

std::vector<std::string> names_of(const Experiment& experiment) {
  std::vector<std::string> out;
  for (const Signal& s : experiment.signals()) out.push_back(s.name);
  return out;
}

TEST(Experiment, like_another_shares_its_signals_and_keeps_its_own_numbers) {
  const Experiment base(test::shipped("snake/lateral-undulation"));
  const Experiment alone(snake_with("link_mass", 0.5)), like(snake_with("link_mass", 0.5), {}, &base);
  EXPECT_EQ(&like.signals(), &base.signals());
  EXPECT_EQ(&like.formulas(), &base.formulas());
  EXPECT_EQ(names_of(like), names_of(alone));
  ASSERT_EQ(like.results().size(), alone.results().size());
  for (std::size_t i = 0; i < like.results().size(); i++) {
    EXPECT_EQ(like.results()[i].name, alone.results()[i].name);
    EXPECT_EQ(like.results()[i].known, alone.results()[i].known) << like.results()[i].name;
  }
  EXPECT_EQ(like.params().links[0].I_F.m, 0.5);
}

TEST(Experiment, that_reads_other_things_has_signals_of_its_own) {
  const Experiment base(test::shipped("snake/lateral-undulation"));
  Scenario more = base.scenario, named = base.scenario;
  more.results.push_back({"kinetic", "energy.kinetic"});
  named.recorded = {"energy.*"};
  const Experiment with_result(std::move(more), {}, &base), with_names(std::move(named), {}, &base);
  EXPECT_NE(&with_result.signals(), &base.signals());
  EXPECT_EQ(with_result.formulas().size(), base.formulas().size() + 1);
  EXPECT_NE(&with_names.signals(), &base.signals());
  const Experiment other(test::shipped("basics/pendulum"), {}, &base);
  EXPECT_EQ(names_of(other), names_of(Experiment(test::shipped("basics/pendulum"))));
  Scenario bad = base.scenario;
  bad.recorded = {"no.such.signal"};
  EXPECT_THROW(Experiment(std::move(bad), {}, &base), InputError);
}

TEST(Experiment, number_at_a_place_found_once_is_the_one_of_its_key) {
  const Scenario base = test::shipped("snake/lateral-undulation");
  for (const char* key : {"gait.Ah_deg", "contact.mu", "contact.mu_long", "gravity.g[1]", "gait.Ah"}) {
    const NumberPlace place = find_place(base, key);
    Scenario by_place = base, by_key = base;
    // after another one has been set, which may be a shorthand of it or the other way round
    set_number(by_place, find_place(base, "contact.mu_trans"), 0.3);
    set_number(by_key, "contact.mu_trans", 0.3);
    set_number(by_place, place, 0.25);
    set_number(by_key, key, 0.25);
    EXPECT_EQ(number_of(by_place, key), 0.25) << key;
    EXPECT_EQ(by_place.given, by_key.given) << key;
    EXPECT_EQ(number_of(by_place, "contact.mu_trans"), number_of(by_key, "contact.mu_trans")) << key;
  }
  Scenario range = base, pendulum = test::shipped("basics/pendulum");
  EXPECT_THROW(set_number(range, find_place(base, "contact.mu_long"), -1.0), InputError);
  EXPECT_THROW(set_number(pendulum, find_place(base, "gait.Ah_deg"), 30.0), InputError);  // it has no such key
}

}  // namespace experiment_test
}  // namespace sinew::sim
