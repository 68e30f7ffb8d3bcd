#include "sinew/report/plot_bode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/sim/errors.h"

namespace sinew::report {
namespace plot_bode_test {

struct Record {
  std::vector<double> t, x, y;
};

// A lag of first order behind an input, exactly: y' = (x - y) / lag, x held between samples.
template <class Input>
Record lag_behind(double lag, double step, int n, Input input) {
  Record run;
  double y = 0.0;
  for (int k = 0; k < n; k++) {
    run.t.push_back(k * step);
    run.x.push_back(input(k * step));
    run.y.push_back(y);
    y = run.x.back() + (y - run.x.back()) * std::exp(-step / lag);
  }
  return run;
}

Traces traces_of(const Record& run) {
  return {{"t", "wanted", "found"}, {"s", "N", "N"}, [&run](std::size_t i) {
            return i == 0 ? run.t : i == 1 ? run.x : run.y;
          }};
}

std::string words_of(const Record& run, const std::string& signals) {
  try {
    plot_bode(traces_of(run), {"", "", signals}, "run.h5");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

// Differences are taken over one sample, in which the output has moved with the held input: the sampled lag is
// (1 - a) / (z - a), a = exp(-step / lag).
TEST(FrequencyResponse, of_a_sampled_lag_is_its_transfer_function_for_a_step_and_a_sweep) {
  constexpr double lag = 0.01, step = 1e-4;
  const auto jump = [](double t) { return t < 0.01 ? 0.0 : 1.0; };
  const auto sweep = [](double t) {  // 2 to 500 Hz, with a soft end
    const double T = 2.0, rate = std::log(250.0), end = t < T ? 1.0 : 0.0;
    return end * std::sin(2.0 * std::numbers::pi * 2.0 * T / rate * (std::exp(rate * t / T) - 1.0));
  };
  for (const Record& run : {lag_behind(lag, step, 5000, jump), lag_behind(lag, step, 25000, sweep)}) {
    const Response found = frequency_response(run.t, run.x, run.y);
    ASSERT_GT(found.frequency.size(), 100u);
    const double a = std::exp(-step / lag);
    for (std::size_t i = 0; i < found.frequency.size(); i++) {
      const std::complex<double> z = std::polar(1.0, 2.0 * std::numbers::pi * found.frequency[i] * step);
      EXPECT_LT(std::abs(found.transfer[i] - (1.0 - a) / (z - a)), 1e-9) << found.frequency[i];
    }
  }
}

TEST(FrequencyResponse, bandwidth_is_where_the_magnitude_has_fallen_by_three_decibels) {
  const Record run = lag_behind(0.01, 1e-5, 20000, [](double) { return 1.0; });
  Record from_rest = run;
  from_rest.x[0] = 0.0;
  EXPECT_NEAR(bandwidth_of(frequency_response(from_rest.t, from_rest.x, from_rest.y)),
              1.0 / (2.0 * std::numbers::pi * 0.01), 0.1);
}

TEST(PlotBode, has_panels_of_magnitude_and_phase_over_a_logarithmic_axis) {
  const Record run = lag_behind(0.01, 1e-4, 5000, [](double t) { return t < 0.01 ? 0.0 : 1.0; });
  const figure::Figure f = plot_bode(traces_of(run), {"title", "", "wanted,found"}, "run.h5");
  ASSERT_EQ(f.panels.size(), 2u);
  EXPECT_TRUE(f.panels[0].x.is_logarithm);
  EXPECT_EQ(f.panels[0].y.unit, "dB");
  EXPECT_EQ(f.panels[1].y.unit, "deg");
  EXPECT_NE(f.subtitle.find("-3 dB at 15.9"), std::string::npos) << f.subtitle;
}

TEST(PlotBode, says_why_it_cannot) {
  const auto rest = [](double) { return 0.0; };
  const auto late = [](double t) { return t < 0.48 ? 0.0 : 1.0; };
  const Record run = lag_behind(0.1, 1e-4, 5000, late);
  EXPECT_NE(words_of(run, "wanted,found").find("still moves when the recording ends: run it longer"),
            std::string::npos);
  EXPECT_NE(words_of(run, "wanted").find("give two signals"), std::string::npos);
  EXPECT_NE(words_of(run, "wanted,fuond").find("did you mean found"), std::string::npos);
  EXPECT_NE(words_of(lag_behind(0.1, 1e-4, 5000, rest), "wanted,found").find("does not move"), std::string::npos);
}

}  // namespace plot_bode_test
}  // namespace sinew::report
