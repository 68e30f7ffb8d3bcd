#include "sinew/validate/validate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sinew/model/compile_count.h"
#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"
#include "sinew/validate/page.h"

namespace sinew::validate {
namespace validate_test {

namespace fs = std::filesystem;

// x = 1 m + 2 m/s t, y = 0; nothing acts on it.
constexpr const char* glider = R"(
title = "glider <one> & only"
duration = 1.0
[gravity]
kind = "none"
[body.ball]
mass = 1.0
[joint.air]
kind = "prismatic"
axis = [1.0, 0.0, 0.0]
child = "ball"
position = 1.0
velocity = 2.0
[integrator]
step = 0.1
[output.result]
p = "body.ball.p"
x = "body.ball.p.x"
[validate.far]
source = "x = x0 + v t"
[validate.far.expect]
x = { value = 3.0, tolerance = 1e-12 }
p = { value = [3.0, 0.0, 0.0], tolerance = 1e-12 }
energy = { of = "energy.balance_error", at_most = 1e-12 }
[validate.far.figure.way]
title = "way & time"
paper = "page <3>"
claim = "a straight line"
panels = ["body.ball.p", "body.ball.v.x"]
[validate.slow]
set = ["velocity=1.0"]
[validate.slow.expect]
x = { value = 2.0, tolerance = 1e-12 }
)";

class Validate : public testing::Test {
 protected:
  void SetUp() override {
    options_.folder = (fs::temp_directory_path() / ("sinew-validate-" + std::to_string(getpid()))).string();
    fs::create_directories(options_.folder + "/group");
    write("group/glider", glider);
  }
  void TearDown() override { fs::remove_all(options_.folder); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(options_.folder + "/" + name + ".toml") << text;
  }
  void write_changed(const std::string& from, const std::string& to) {
    std::string text = glider;
    text.replace(text.find(from), from.size(), to);
    write("group/glider", text);
  }
  std::vector<std::string> problems() {
    try {
      validate(options_);
    } catch (const InputError& e) {
      return e.problems;
    }
    return {};
  }

  Options options_;
};

TEST_F(Validate, compiles_each_case_once) {
  const auto before = compile_count();
  validate(options_);
  EXPECT_EQ(compile_count() - before, 2);  // far and slow: checked and run
}

TEST_F(Validate, cases_come_in_order_with_what_they_set) {
  write("group/another", glider);
  for (const int threads : {1, 3}) {
    options_.threads = threads;
    const auto outcomes = validate(options_);
    ASSERT_EQ(outcomes.size(), 4u);
    EXPECT_EQ(outcomes[0].scenario, "group/another");
    EXPECT_EQ(outcomes[2].scenario, "group/glider");
    EXPECT_EQ(outcomes[2].plan.name, "far");
    EXPECT_EQ(outcomes[3].entries[0].id, "group/glider/slow/x");
    EXPECT_EQ(count(outcomes).all, 12);
    EXPECT_EQ(count(outcomes).pass, 12);
  }
}

TEST_F(Validate, a_wrong_number_fails) {
  write_changed("x = { value = 3.0", "x = { value = 3.1");
  const auto outcomes = validate(options_);
  EXPECT_EQ(count(outcomes).pass, count(outcomes).all - 1);
  EXPECT_FALSE(outcomes[0].entries[0].pass);
}

TEST_F(Validate, only_what_was_asked_for_runs) {
  options_.only = "far/p";
  const auto outcomes = validate(options_);
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(outcomes[0].entries.size(), 3u);
  options_.only = "*.2";
  EXPECT_EQ(validate(options_)[0].entries.size(), 1u);
  options_.only = "nothing";
  ASSERT_EQ(problems().size(), 1u);
  EXPECT_NE(problems()[0].find("--only nothing"), std::string::npos);
}

TEST_F(Validate, a_run_that_diverges_fails_its_numbers_and_not_the_command) {
  write_changed("set = [\"velocity=1.0\"]", "set = [\"stiffness=1e9\", \"damping=1e9\", \"method=rk4\"]");
  const auto outcomes = validate(options_);
  EXPECT_NE(outcomes[1].failure.find("failed at t ="), std::string::npos);
  EXPECT_FALSE(outcomes[1].entries[0].pass);
  EXPECT_TRUE(outcomes[0].entries[0].pass);
  const auto json = nlohmann::json::parse(to_json(outcomes));
  EXPECT_TRUE(json.back()["measured"].is_null());
  EXPECT_EQ(json.back()["pass"], false);
}

TEST_F(Validate, mistakes_in_the_file_are_named_with_their_line) {
  const auto first = [&](const char* from, const char* to) {
    write_changed(from, to);
    const auto found = problems();
    return found.empty() ? "none" : found[0].substr(found[0].find("glider.toml") + 11);
  };
  EXPECT_EQ(first("energy.balance_error", "energy.balance_errror").substr(0, 4), ":24:");
  EXPECT_EQ(first("[3.0, 0.0, 0.0]", "[3.0, 0.0]").substr(0, 4), ":23:");
  EXPECT_EQ(first("at_most = 1e-12", "at_least = 1e-12").substr(0, 4), ":24:");
  EXPECT_NE(first("velocity=1.0", "velocitty=1.0").find(":31: in set: velocitty=1.0: unknown key"), std::string::npos);
  EXPECT_NE(first("body.ball.v.x\"]", "body.bell.v.x\"]")
                .find(":29: no signal is named \"body.bell.v.x\": did you mean body.ball.v.x"),
            std::string::npos);
  EXPECT_NE(first("claim = ", "claims = ").find(":28:"), std::string::npos);
  EXPECT_NE(first(", tolerance = 1e-12 }\np", " }\np").find("no tolerance"), std::string::npos);
}

TEST_F(Validate, check_finds_them_without_a_run) {
  const text::ScenarioFile file{"group/glider", options_.folder + "/group/glider.toml"};
  const auto load = [&] { return text::load_experiment(file.file, file.name); };
  EXPECT_NO_THROW(check_cases(file, load()));
  write_changed("energy.balance_error", "energy.balance");
  EXPECT_THROW(check_cases(file, load()), InputError);
}

TEST_F(Validate, check_compiles_no_case_again_that_sets_nothing) {
  const text::ScenarioFile file{"group/glider", options_.folder + "/group/glider.toml"};
  const auto before = compile_count();
  check_cases(file, text::load_experiment(file.file, file.name));
  EXPECT_EQ(compile_count() - before, 2);  // the file, which is far as well, and slow
}

TEST_F(Validate, the_page_needs_nothing_else_and_shows_everything) {
  options_.figures = true;
  const auto outcomes = validate(options_);
  ASSERT_EQ(outcomes[0].pictures.size(), 1u);
  const std::string page = page_of(outcomes, "1.2.3");
  for (const char* text :
       {"Version 1.2.3", "group/glider/far/p.2", "glider &lt;one&gt; &amp; only", "way &amp; time", "page &lt;3&gt;",
        "a straight line", "x = x0 + v t", "body.ball.v.x [m/s]", "6 of 6 pass", "--set velocity=1.0"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
  for (const char* text : {"http", "<script", "<?xml", "<one>"}) EXPECT_EQ(page.find(text), std::string::npos) << text;
}

TEST_F(Validate, the_report_makes_its_folder) {
  const std::string folder = options_.folder + "/made/for/it";
  write_report(validate(options_), "1", folder);
  EXPECT_TRUE(fs::exists(folder + "/index.html"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
  EXPECT_ANY_THROW(write_report({}, "1", "/dev/null/folder"));
}

}  // namespace validate_test
}  // namespace sinew::validate
