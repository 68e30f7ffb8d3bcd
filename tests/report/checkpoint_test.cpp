#include "sinew/report/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "sinew/files/errors.h"
#include "sinew/report/report.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "tests/support/folder.h"
#include "tests/support/shipped.h"

namespace sinew::report {
namespace checkpoint_test {

using test::Folder;
using test::shipped;

// The checkpoints of a run, one every so often.
std::vector<Checkpoint> checkpoints(const sim::Scenario& scenario, double every) {
  std::vector<Checkpoint> list;
  sim::RunHooks hooks;
  hooks.checkpoint_every = every;
  hooks.checkpoint = [&](const sim::Progress& p) {
    list.push_back(make_checkpoint(sim::Experiment(scenario), p, "1.2.3"));
  };
  sim::run(scenario, hooks);
  return list;
}

std::string report(const sim::RunResult& result) { return to_json(result, 1.0, "", ""); }

// Contact, statistics and sums over the whole run, snapshots, loops, computed torque: all that a run carries along.
TEST(Checkpoint, a_run_goes_on_as_if_it_had_never_stopped) {
  const Folder folder;
  const std::vector<std::string> at{"output.at=[0.05, 0.3, 0.45]", "output.t_avg_start=0.07"};
  for (const char* name : {"basics/bouncing-ball", "basics/rocking-block", "basics/four-bar", "basics/spinning-top",
                           "basics/block-on-incline", "basics/stack", "snake/sidewinding"}) {
    SCOPED_TRACE(name);
    sim::Scenario scenario = shipped(name, at);
    scenario.duration = 0.5;
    const std::string straight = report(sim::run(scenario));
    sim::Scenario half = scenario;
    half.duration = 0.25;
    for (const auto& list : {checkpoints(scenario, 0.1), checkpoints(half, 0.1)}) {
      ASSERT_GE(list.size(), 2u);
      write_checkpoint(folder / "c", list.back().progress.state.t < 0.5 ? list.back() : list[list.size() - 2]);
      const Checkpoint back = read_checkpoint(folder / "c", "1.2.3");
      EXPECT_GT(back.progress.k, 0);
      check_resume(back, "c", sim::Experiment(scenario));
      sim::RunHooks hooks;
      hooks.resume = &back.progress;
      EXPECT_EQ(report(sim::run(scenario, hooks)), straight);
    }
  }
}

TEST(Checkpoint, carries_its_scenario) {
  const Folder folder;
  sim::Scenario scenario = shipped("basics/pendulum");
  scenario.seed = 7;
  write_checkpoint(folder / "c", checkpoints(scenario, 4.0).front());
  const Checkpoint c = read_checkpoint(folder / "c", "1.2.3");
  const sim::Scenario back = experiment_of(c, "c").scenario;
  EXPECT_EQ(back.name, "basics/pendulum");
  EXPECT_EQ(back.seed, 7u);
  EXPECT_EQ(sim::run(back).hash, sim::run(scenario).hash);
  check_resume(c, "c", sim::Experiment(back));
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& e) {
    std::string all;
    for (const auto& problem : e.problems) all += problem + "\n";
    return all;
  }
  return "";
}

TEST(Checkpoint, of_another_model_or_version_is_refused_with_the_reason) {
  const Folder folder;
  const sim::Scenario scenario = shipped("basics/pendulum");
  const Checkpoint c = checkpoints(scenario, 1.0).front();
  const auto refused = [&](const sim::Scenario& s) {
    return complaint([&] { check_resume(c, "c", sim::Experiment(s)); });
  };
  EXPECT_EQ(refused(scenario), "");
  const std::vector<std::string> heavier{"mass=2"}, more{"output.result.v=body.bob.v"}, shorter{"duration=0.5"},
      longer{"duration=50"};
  EXPECT_NE(refused(shipped("basics/pendulum", heavier)).find("body.bob.mass was 1.0"), std::string::npos);
  EXPECT_NE(refused(shipped("basics/pendulum", more)).find("output.result.v.from was not there"), std::string::npos);
  EXPECT_NE(refused(shipped("basics/pendulum", shorter)).find("after the end"), std::string::npos);
  EXPECT_EQ(refused(shipped("basics/pendulum", longer)), "");
  EXPECT_NE(refused(shipped("basics/spinning-top")), "");
  sim::Scenario seeded = scenario;
  seeded.seed = 3;
  EXPECT_NE(refused(seeded).find("seed was 0"), std::string::npos);
  write_checkpoint(folder / "c", c);
  EXPECT_NE(complaint([&] { read_checkpoint(folder / "c", "1.2.4"); }).find("sinew 1.2.3, this is sinew 1.2.4"),
            std::string::npos);
}

TEST(Checkpoint, that_is_damaged_is_refused) {
  const Folder folder;
  write_checkpoint(folder / "c", checkpoints(shipped("basics/block-on-incline"), 1.0).front());
  std::ifstream in(folder / "c", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  const auto refused = [&](const std::string& bytes) {
    std::ofstream(folder / "x", std::ios::binary) << bytes;
    return !complaint([&] { read_checkpoint(folder / "x", "1.2.3"); }).empty();
  };
  ASSERT_FALSE(refused(whole));
  for (std::size_t n = 0; n < whole.size(); n += 7) EXPECT_TRUE(refused(whole.substr(0, n))) << n;
  std::mt19937_64 dice(3);
  for (int i = 0; i < 500; i++) {
    std::string bytes = whole;
    bytes[dice() % bytes.size()] ^= char(1 << dice() % 8);
    EXPECT_TRUE(refused(bytes) || bytes == whole);
  }
  EXPECT_TRUE(refused(whole + "more"));
  EXPECT_TRUE(refused("sinew checkpoint 1 "));
}

// With the right checksum, as somebody would make it who means harm: first FNV-1a, as in the file.
std::string sealed(const std::string& body) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char byte : body) hash = (hash ^ byte) * 0x100000001b3u;
  char line[64];
  std::snprintf(line, sizeof line, "sinew checkpoint 1 %016llx\n", static_cast<unsigned long long>(hash));
  return line + body;
}

TEST(Checkpoint, that_is_hostile_is_refused_or_harmless) {
  const Folder folder;
  const sim::Scenario scenario = shipped("basics/block-on-incline");
  write_checkpoint(folder / "c", checkpoints(scenario, 1.0).front());
  std::ifstream in(folder / "c", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}}, body = whole.substr(whole.find('\n') + 1);
  const auto use = [&](const std::string& bytes) {
    std::ofstream(folder / "x", std::ios::binary) << bytes;
    return complaint([&] {
      const Checkpoint c = read_checkpoint(folder / "x", "1.2.3");
      sim::Scenario again = experiment_of(c, "x").scenario;
      check_resume(c, "x", sim::Experiment(again));
      if (!(again.duration - c.progress.state.t <= 10.0)) return;
      again.duration = c.progress.state.t + 10 * again.step;
      sim::RunHooks hooks;
      hooks.resume = &c.progress;
      sim::run(again, hooks);
    });
  };
  ASSERT_EQ(use(sealed(body)), "");
  EXPECT_NE(use(sealed(std::string(5'000'000, '\x81'))), "");          // arrays in arrays in arrays
  EXPECT_NE(use(sealed("\x9b\xff\xff\xff\xff\xff\xff\xff\xff")), "");  // an array of 2^64 numbers
  EXPECT_NE(use(sealed("\x7b\x7f\xff\xff\xff\xff\xff\xff\xff")), "");  // a text of 2^63 letters
  EXPECT_NE(use(sealed("")), "");
  EXPECT_NE(use(sealed("\xa0")), "");
  std::mt19937_64 dice(5);
  int refused = 0;
  for (int i = 0; i < 400; i++) {
    std::string bytes = body;
    for (int k = 1 << dice() % 4; k > 0; k--) bytes[dice() % bytes.size()] ^= char(1 << dice() % 8);
    refused += !use(sealed(bytes)).empty();
  }
  EXPECT_GT(refused, 50);
}

TEST(Checkpoint, that_cannot_be_written_leaves_the_old_one) {
  const Folder folder;
  const Checkpoint c = checkpoints(shipped("basics/pendulum"), 1.0).front();
  EXPECT_THROW(write_checkpoint(folder / "nowhere/c", c), FileError);
  std::filesystem::create_directory(folder / "d");
  EXPECT_THROW(write_checkpoint(folder / "d", c), FileError);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace checkpoint_test
}  // namespace sinew::report
