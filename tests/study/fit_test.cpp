#include "sinew/study/fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/math/counter_random.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/simulation.h"
#include "sinew/study/identify.h"
#include "sinew/text/load_scenario.h"

namespace fit_test {
using namespace sinew;
using namespace sinew::study;

using One = std::function<std::vector<double>(const std::vector<double>&)>;

Residuals each(const One& one) {
  return [one](std::span<const std::vector<double>> points) {
    std::vector<std::vector<double>> out;
    for (const auto& p : points) out.push_back(one(p));
    return out;
  };
}

// A line: closed forms of values and covariance.
TEST(Fit, of_a_line_is_the_closed_form) {
  const std::vector<double> x{0, 1, 2, 3, 4, 5}, y{1.1, 2.9, 5.2, 6.8, 9.1, 11.2};
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = double(x.size());
  for (std::size_t i = 0; i < x.size(); i++) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx), offset = (sy - slope * sx) / n;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); i++) sum += std::pow(offset + slope * x[i] - y[i], 2);
  const double s2 = sum / (n - 2.0);
  const Fit found = fit(each([&](const std::vector<double>& p) {
                          std::vector<double> r;
                          for (std::size_t i = 0; i < x.size(); i++) r.push_back(p[0] + p[1] * x[i] - y[i]);
                          return r;
                        }),
                        {{"offset", 0, -100, 100, 1}, {"slope", 1, -100, 100, 1}});
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.at[0], offset, 1e-7);
  EXPECT_NEAR(found.at[1], slope, 1e-7);
  EXPECT_NEAR(found.deviation[1], std::sqrt(s2 * n / (n * sxx - sx * sx)), 1e-6);
  EXPECT_NEAR(found.deviation[0], std::sqrt(s2 * sxx / (n * sxx - sx * sx)), 1e-6);
  EXPECT_NEAR(found.correlation(0, 1), -sx / std::sqrt(n * sxx), 1e-6);
  EXPECT_TRUE(found.doubts.empty());
}

TEST(Fit, of_data_without_noise_has_deviations_of_none) {
  const Fit found = fit(each([](const std::vector<double>& p) {
                          return std::vector<double>{p[0] - 2.0, p[1] - 4.0, p[0] + p[1] - 6.0};
                        }),
                        {{"a", 2, -9, 9, 1}, {"b", 4, -9, 9, 1}});
  EXPECT_EQ(found.sum, 0.0);
  EXPECT_EQ(found.deviation, (std::vector<double>{0.0, 0.0}));
  EXPECT_NEAR(found.correlation(0, 1), -0.5, 1e-6);
}

TEST(Fit, finds_the_bottom_of_rosenbrocks_valley_and_stays_within_bounds) {
  const auto f = each([](const std::vector<double>& p) {
    return std::vector<double>{10.0 * (p[1] - p[0] * p[0]), 1.0 - p[0], 1e-3 * (p[0] - 1.0)};
  });
  const Fit free = fit(f, {{"a", -1.2, -10, 10, 1}, {"b", 1, -10, 10, 1}});
  EXPECT_NEAR(free.at[0], 1.0, 1e-5);
  EXPECT_NEAR(free.at[1], 1.0, 1e-5);
  const Fit bound = fit(f, {{"a", -1.2, -10, 0.5, 1}, {"b", 1, -10, 10, 1}});
  EXPECT_NEAR(bound.at[0], 0.5, 1e-9);
  EXPECT_NEAR(bound.at[1], 0.25, 1e-5);
  EXPECT_TRUE(bound.at_bound[0]);
  EXPECT_FALSE(bound.at_bound[1]);
}

TEST(Fit, says_what_cannot_be_told_apart) {
  const auto product = each([](const std::vector<double>& p) {
    std::vector<double> r;
    for (int i = 1; i < 8; i++) r.push_back(p[0] * p[1] * i - 6.0 * i + (i % 2 ? 0.1 : -0.1));
    return r;
  });
  const Fit both = fit(product, {{"k", 1, 0, 10, 1}, {"m", 1, 0, 10, 1}});
  EXPECT_NEAR(both.at[0] * both.at[1], 6.0, 0.1);
  ASSERT_FALSE(both.doubts.empty());
  EXPECT_NE(both.doubts[0].find("k, m"), std::string::npos) << both.doubts[0];
  const Fit idle = fit(product, {{"k", 1, 0, 10, 1}, {"m", 6, 5, 7, 1}, {"idle", 1, 0, 2, 1}});
  bool told = false;
  for (const std::string& doubt : idle.doubts) told = told || doubt.find("idle changes nothing") != std::string::npos;
  EXPECT_TRUE(told);
}

// Two lines with nearly no slope: each says something, but less than the noise.
TEST(Fit, says_what_is_lost_in_the_noise) {
  const Residuals flat = each([](const std::vector<double>& p) {
    std::vector<double> r;
    for (int i = 0; i < 20; i++) r.push_back(1e-3 * p[0] * i + p[1] * i * i + (i % 2 == 0 ? 1.0 : -1.0));
    return r;
  });
  const Fit found = fit(flat, {{"k", 1, -1000, 1000, 1}, {"m", 1, -10, 10, 1}});
  ASSERT_EQ(found.doubts.size(), 1u) << found.doubts[0];
  EXPECT_NE(found.doubts[0].find("k is hardly told by the data"), std::string::npos) << found.doubts[0];
}

const char* const damped = R"(duration = 1.0
[gravity]
g = [0.0, -9.81, 0.0]
[body.bob]
mass = 1.0
[joint.pivot]
child = "bob"
p_child = [-1.0, 0.0, 0.0]
damping = 0.3
[integrator]
step = 0.005
)";

Measured made(std::uint64_t seed, double noise) {
  Measured data{"made", {}, {"body.bob.p.x", "body.bob.p.y"}, {{}, {}}};
  sim::Simulation simulation(text::parse_experiment(damped, "truth.toml"));
  for (std::uint64_t k = 1; k <= 24; k++) {
    simulation.step(5);
    data.t.push_back(simulation.time());
    const auto pair = math::normal_pair({seed, 0, 1, k});
    data.values[0].push_back(simulation.get("body.bob.p.x") + noise * pair.first);
    data.values[1].push_back(simulation.get("body.bob.p.y") + noise * pair.second);
  }
  return data;
}

Identified found_in(const Measured& data, std::vector<std::string> fit) {
  IdentifyPlan plan;
  plan.sets = {"joint.pivot.damping=0.2"};
  plan.fit = std::move(fit);
  plan.threads = 1;
  return identify(plan, {"truth", "truth.toml", damped}, data);
}

TEST(Identify, without_noise_the_values_come_back) {
  const Identified found = found_in(made(1, 0.0), {"gravity.g[1]", "damping"});
  EXPECT_TRUE(found.fit.converged);
  EXPECT_NEAR(found.fit.at[0], -9.81, 1e-6);
  EXPECT_NEAR(found.fit.at[1], 0.3, 1e-6);
}

// 95 of 100 are expected in 1.96 deviations; 88 to 100 are within three deviations of the binomial law. It calls nothing that the others
// do not: under sanitizers it would only take long.
#ifndef SINEW_SANITIZED
TEST(Identify, values_lie_within_their_stated_error_as_often_as_they_should) {
  int inside[2] = {0, 0};
  for (std::uint64_t seed = 1; seed <= 100; seed++) {
    const Identified found = found_in(made(seed, 0.01), {"gravity.g[1]", "damping"});
    const double truth[2] = {-9.81, 0.3};
    for (int i = 0; i < 2; i++)
      inside[i] += std::abs(found.fit.at[std::size_t(i)] - truth[i]) < 1.96 * found.fit.deviation[std::size_t(i)];
  }
  EXPECT_GE(inside[0], 88);
  EXPECT_GE(inside[1], 88);
  EXPECT_LT(inside[0] + inside[1], 200) << "deviations that are too large to ever miss say nothing";
}
#endif

TEST(Identify, a_delay_is_a_parameter_and_mass_of_a_pendulum_cannot_be_told) {
  Measured data = made(1, 0.0);
  for (double& t : data.t) t += 0.03;
  const Identified late = found_in(data, {"damping", "delay=0:0.1"});
  EXPECT_NEAR(late.fit.at[1], 0.03, 1e-5);
  const Identified mass = found_in(made(1, 0.01), {"mass", "damping"});
  ASSERT_FALSE(mass.fit.doubts.empty()) << "only damping over mass shows in how it swings";
  IdentifyPlan plan;
  plan.sets = {"joint.pivot.damping=0"};
  plan.fit = {"gravity.g[1]", "mass"};
  Measured free = made(1, 0.01);
  const Identified idle = identify(plan, {"truth", "truth.toml", damped}, free);
  EXPECT_EQ(idle.fit.at[1], 1.0) << "without damping mass does nothing but round-off";
  EXPECT_TRUE(std::isnan(idle.fit.deviation[1]));
  plan.fit = {"gravity.g[1]"};
  const Identified alone = identify(plan, {"truth", "truth.toml", damped}, free);
  EXPECT_NEAR(idle.fit.deviation[0] / alone.fit.deviation[0], 1.0, 0.02) << "and takes nothing from g";
  ASSERT_FALSE(idle.fit.doubts.empty());
  EXPECT_NE(idle.fit.doubts[0].find("mass changes nothing in the data"), std::string::npos) << idle.fit.doubts[0];
}

TEST(Identify, times_and_columns_that_never_change_are_no_measurements) {
  Measured data = made(1, 0.01);
  for (double& t : data.t) t += 0.03;
  const Identified without = found_in(data, {"damping", "delay=0:0.1"});
  data.names.insert(data.names.end(), {"t", "body.bob.p.z"});
  data.values.push_back(data.t);
  data.values.emplace_back(data.t.size(), 0.0);
  const Identified found = found_in(data, {"damping", "delay=0:0.1"});
  EXPECT_EQ(found.fit.residuals, 48);
  EXPECT_EQ(found.fit.at, without.fit.at);
  EXPECT_EQ(found.fit.deviation, without.fit.deviation);
  EXPECT_EQ(found.left_out, std::vector<std::string>{"body.bob.p.z"});
  EXPECT_NEAR(found.fit.at[1], 0.03, 3.0 * found.fit.deviation[1]);
  IdentifyPlan plan;
  plan.fit = {"damping"};
  plan.maps = {"t=t"};
  EXPECT_THROW(identify(plan, {"truth", "truth.toml", damped}, data), InputError);
}

// A recording has all signals: also the account of energies, whose balance is round-off, and places along an axis that are.
TEST(Identify, round_off_and_accounts_do_not_drown_what_was_measured) {
  Measured data = made(1, 0.0);
  data.names.insert(data.names.end(), {"energy.balance_error", "body.bob.p.z"});
  data.values.resize(4);
  for (std::size_t k = 0; k < data.t.size(); k++) {
    data.values[2].push_back(k % 2 == 0 ? 1e-15 : -2e-15);
    data.values[3].push_back(k % 3 == 0 ? 1e-17 : 0.0);
  }
  const Identified found = found_in(data, {"gravity.g[1]=-12:-8", "damping"});
  EXPECT_NEAR(found.fit.at[0], -9.81, 1e-6);
  EXPECT_NEAR(found.fit.at[1], 0.3, 1e-6);
  EXPECT_EQ(found.left_out, std::vector<std::string>{"energy.balance_error"});
}

TEST(Identify, bad_input_is_named) {
  EXPECT_THROW(found_in(made(1, 0.0), {}), InputError);
  EXPECT_THROW(found_in(made(1, 0.0), {"damp"}), InputError);
  EXPECT_THROW(found_in(made(1, 0.0), {"damping=2:1"}), InputError);
  EXPECT_THROW(found_in(made(1, 0.0), {"delay"}), InputError);
  EXPECT_THROW(found_in(made(1, 0.0), {"damping", "joint.pivot.damping"}), InputError);
  EXPECT_THROW(found_in(made(1, 0.0), {"delay=0:0.1", "delay=0:0.2"}), InputError);
  Measured other = made(1, 0.0);
  other.names = {"a", "b"};
  EXPECT_THROW(found_in(other, {"damping"}), InputError);
  Measured empty = made(1, 0.0);
  for (std::vector<double>& column : empty.values) column.assign(column.size(), NAN);
  EXPECT_THROW(found_in(empty, {"damping"}), InputError);
}

}  // namespace fit_test
