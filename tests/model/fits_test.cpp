#include "sinew/model/fits.h"

#include <gtest/gtest.h>

#include "sinew/model/compile.h"
#include "tests/support/call_errors.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace fits_test {

TEST(Fits, what_is_compiled_fits_its_model_in_both_coordinates) {
  for (const Coordinates c : both_coordinates) {
    const Compiled made = compile(everything(), c);
    EXPECT_TRUE(fits(*made.model, made.params));
    EXPECT_TRUE(fits(*made.model, made.state));
    EXPECT_TRUE(fits(*made.model, neutral_input<double>(*made.model)));
    EXPECT_TRUE(fits(*made.model, broadcast<Lanes>(made.params)));
    EXPECT_TRUE(fits(*made.model, broadcast<Lanes>(made.state)));
  }
}

TEST(Fits, every_list_of_a_state_is_looked_at) {
  const Compiled made = compile(everything());
  for (auto list : {&State<double>::q, &State<double>::u, &State<double>::contact, &State<double>::axis_P,
                    &State<double>::pad, &State<double>::plant, &State<double>::memory}) {
    State<double> state = made.state;
    (state.*list).push_back(0.0);
    EXPECT_FALSE(fits(*made.model, state));
    EXPECT_NE(call_error([&] { check_fits("Test", *made.model, state); }), "");
  }
}

TEST(Fits, what_does_not_fit_is_named_with_both_numbers) {
  const Compiled made = compile(pinned_rod());
  State<double> state = made.state;
  state.q.resize(3);
  EXPECT_EQ(call_error([&] { check_fits("Test", *made.model, state); }),
            "Test: the state has 3 coordinates, the model 1");
  Params<double> params = made.params;
  params.links.clear();
  EXPECT_EQ(call_error([&] { check_fits("Test", *made.model, params); }),
            "Test: the set of parameters has 0 links, the model 1");
  Input<double> input = neutral_input<double>(*made.model);
  input.torque.resize(2);
  EXPECT_EQ(call_error([&] { check_fits("Test", *made.model, input); }), "Test: the input has 2 torques, the model 1");
}

}  // namespace fits_test
}  // namespace sinew::test
