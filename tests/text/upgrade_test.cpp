#include "sinew/text/upgrade.h"

#include <gmock/gmock.h>

#include "sinew/sim/errors.h"
#include "sinew/sim/scenario_version.h"
#include "sinew/text/load_scenario.h"
#include "sinew/text/renamed_keys.h"
#include "sinew/version.h"

namespace sinew::text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> problems_in(std::string_view text, const std::vector<std::string>& sets = {}) {
  try {
    parse_scenario(text, "file", sets);
  } catch (const InputError& e) {
    return e.problems;
  }
  return {};
}

const std::string worm = "sinew = \"0.1\"\n[robot]\nkind = \"rod-worm\"\n";

TEST(OldKeys, are_named_with_the_new_ones_all_at_once) {
  EXPECT_THAT(problems_in(worm + "l = 0.4\nX_profile = [0.4]\nrad = 0.01\n"),
              ElementsAre("file:4: robot.l is called robot.length now: rename it, or run sinew upgrade file",
                          "file:6: robot.rad is called robot.radius now: rename it, or run sinew upgrade file"));
}

// The value is read, so that nothing else is wrong because of it, but its own problems are told.
TEST(OldKeys, have_values_that_are_checked) {
  EXPECT_THAT(problems_in(worm + "l = -1.0\n"), ElementsAre(HasSubstr("file:4: robot.l is called robot.length now"),
                                                            HasSubstr("file:4: robot.length is -1")));
}

TEST(OldKeys, beside_new_ones_are_to_be_removed) {
  EXPECT_THAT(problems_in(worm + "l = 0.4\nlength = 0.4\n"),
              ElementsAre("file:4: robot.l is called robot.length now: robot.length is given as well: remove robot.l"));
}

TEST(OldKeys, that_moved_into_a_table_are_found_there) {
  EXPECT_THAT(problems_in("[robot]\nkind = \"soft-rod\"\nphase_deg = 90\n"),
              ElementsAre(HasSubstr("robot.phase_deg is called robot.wave.phase_deg now")));
}

TEST(OldKeys, of_another_robot_are_unknown) {
  EXPECT_THAT(problems_in("[robot]\nkind = \"snake\"\nrad = 1.0\n"), ElementsAre(HasSubstr("unknown key rad")));
}

TEST(OldKeys, given_by_set_are_named_too) {
  EXPECT_THAT(problems_in(worm, {"l=0.4", "robot.rad=0.01", "nonsense=1"}),
              ElementsAre("--set l=0.4: l is called robot.length now: write robot.length=0.4",
                          "--set robot.rad=0.01: robot.rad is called robot.radius now: write robot.radius=0.01",
                          HasSubstr("unknown key nonsense")));
}

// Else an old name would be taken for a key that means something else, or lead nowhere.
TEST(OldKeys, are_no_keys_and_the_new_ones_are) {
  for (const RenamedKey& r : renamed_keys()) {
    EXPECT_EQ(sim::problem_of_version(r.since), "");
    const std::string kind = r.robot == "rod-*" ? "rod-swimmer" : std::string(r.robot);
    const Document document("[robot]\nkind = \"" + kind + "\"\n", "file");
    const std::string set = std::string(r.table) + "." + std::string(r.was);
    EXPECT_EQ(new_key(document, set), std::string(r.table) + "." + std::string(r.is));
    EXPECT_THAT(problems_in("[robot]\nkind = \"" + kind + "\"\n", {set + "=nonsense"}),
                ElementsAre(HasSubstr("is called " + std::string(r.table) + "." + std::string(r.is) + " now")));
    const auto with_new = problems_in("[robot]\nkind = \"" + kind + "\"\n",
                                      {std::string(r.table) + "." + std::string(r.is) + "=nonsense"});
    ASSERT_EQ(with_new.size(), 1) << r.is;
    EXPECT_THAT(with_new[0], testing::Not(HasSubstr("unknown"))) << r.is;  // a key that wants something else
  }
}

TEST(Version, is_read_and_compared) {
  EXPECT_EQ(sim::problem_of_version("0.0"), "");
  EXPECT_EQ(sim::problem_of_version(sim::scenario_version), "");
  EXPECT_THAT(sim::problem_of_version("0.10"), HasSubstr("written for sinew 0.10, this program reads up to 0.1"));
  EXPECT_THAT(sim::problem_of_version("1.0"), HasSubstr("written for sinew 1.0"));
  for (const char* bad : {"", "1", "0.", ".1", "0.1.0", "0.1 ", "-0.1", "new", "0.-1"})
    EXPECT_THAT(sim::problem_of_version(bad), HasSubstr("is no version")) << bad;
  EXPECT_TRUE(
      std::string_view(SINEW_VERSION).starts_with(sim::scenario_version));  // no program reads what is not yet released
}

TEST(Version, of_a_file_may_not_be_newer) {
  EXPECT_THAT(problems_in("title = \"x\"\nsinew = \"7.0\"\n"),
              ElementsAre(HasSubstr("file:2: the file is written for")));
  EXPECT_THAT(problems_in("sinew = 7\n"), ElementsAre(HasSubstr("it needs text in quotes")));
}

TEST(Upgrade, keeps_everything_but_the_names) {
  const std::string old =
      "# l is what it was\n\ntitle = \"l\"  # l\n\n[robot]\nkind = \"rod-worm\"\n"
      "  l   = 0.4   # [m], l = rad\n\"rad\" = 0.01\nlam=0.2\n\n[validate.a]\nset = [\"l=0.3\", 'robot.rad=0.02', "
      "\"eps=0.01\"]\n";
  const Upgraded now = upgrade_scenario(old, "f");
  EXPECT_EQ(now.text,
            "# l is what it was\n\nsinew = \"0.1\"\ntitle = \"l\"  # l\n\n[robot]\nkind = \"rod-worm\"\n"
            "  length   = 0.4   # [m], l = rad\nradius = 0.01\nwavelength=0.2\n\n[validate.a]\n"
            "set = [\"robot.length=0.3\", 'robot.radius=0.02', \"eps=0.01\"]\n");
  EXPECT_THAT(now.changes, ElementsAre("f:3: sinew = \"0.1\"", "f:7: robot.l -> robot.length",
                                       "f:8: robot.rad -> robot.radius", "f:9: robot.lam -> robot.wavelength",
                                       "f:12: set l -> robot.length", "f:12: set robot.rad -> robot.radius"));
  EXPECT_THAT(upgrade_scenario(now.text, "f").changes, IsEmpty());
  EXPECT_THAT(problems_in(now.text), IsEmpty());
}

TEST(Upgrade, counts_characters_and_keeps_line_ends) {
  const std::string old =
      "\xEF\xBB\xBFrobot = { kind = \"soft-rod\", note = \"\xC3\xA4\xF0\x9F\x98\x80\", a0 = 8, kp = 1.0 }\r\nduration "
      "= 1.0";
  EXPECT_EQ(upgrade_scenario(old, "f").text,
            "\xEF\xBB\xBFsinew = \"0.1\"\r\nrobot = { kind = \"soft-rod\", note = \"\xC3\xA4\xF0\x9F\x98\x80\", "
            "wave.amplitude = 8, kp = 1.0 }\r\nduration = 1.0");
}

TEST(Upgrade, dotted_keys_and_tables_of_tables) {
  EXPECT_EQ(
      upgrade_scenario("robot.kind = \"soft-robot\"\nrobot . left . \"t\" = 1e-3\n[robot.right]\nL = 2\n", "f").text,
      "sinew = \"0.1\"\nrobot.kind = \"soft-robot\"\nrobot . left . thickness = 1e-3\n[robot.right]\nlength = 2\n");
}

TEST(Upgrade, values_and_results) {
  const std::string old =
      "[contact]\nrestitution_rule = 'seed'\n[output.result]\na = \"run.restitution_seed\"\nb = { signal = \"body.x.p, "
      "run.restitution_seed\" }\nc = \"run.restitution_seeds\"\n[validate.v]\nset = "
      "\"contact.restitution_rule=seed\"\n";
  EXPECT_EQ(upgrade_scenario(old, "f").text,
            "sinew = \"0.1\"\n\n[contact]\nrestitution_rule = 'konyev'\n[output.result]\na = "
            "\"run.restitution_konyev\"\nb = { signal = \"body.x.p, run.restitution_konyev\" }\nc = "
            "\"run.restitution_seeds\"\n[validate.v]\nset = \"contact.restitution_rule=konyev\"\n");
}

TEST(Upgrade, of_an_older_version_that_is_given) {
  const Upgraded now = upgrade_scenario("title = \"x\"\nsinew = \"0.0\"  # old\n", "f");
  EXPECT_EQ(now.text, "title = \"x\"\nsinew = \"0.1\"  # old\n");
  EXPECT_THAT(now.changes, ElementsAre("f:2: sinew = \"0.1\""));
}

TEST(Upgrade, of_comments_alone_and_of_nothing) {
  EXPECT_EQ(upgrade_scenario("# only this", "f").text, "# only this\nsinew = \"0.1\"\n");
  EXPECT_EQ(upgrade_scenario("", "f").text, "sinew = \"0.1\"\n");
}

std::vector<std::string> refusal(std::string_view text) {
  try {
    upgrade_scenario(text, "f");
  } catch (const InputError& e) {
    return e.problems;
  }
  return {};
}

TEST(Upgrade, refuses_what_it_cannot_do) {
  EXPECT_THAT(refusal("l = \n"), ElementsAre(HasSubstr("f:1: not valid TOML")));
  EXPECT_THAT(refusal("sinew = \"9.9\"\n"), ElementsAre(HasSubstr("f:1: the file is written for sinew 9.9")));
  EXPECT_THAT(refusal("sinew = 9\n"), ElementsAre(HasSubstr("f:1: it is no version in quotes")));
  EXPECT_THAT(refusal(worm + "l = 1\nrad = 1\nlength = 1\n"),
              ElementsAre("f:4: robot.l is called robot.length now, which is given as well: remove one of them"));
  EXPECT_THAT(
      refusal("[robot]\nkind = \"rod-swimmer\"\nlam = 1\n[robot.wave]\nperiod = 2\n"),
      ElementsAre(HasSubstr("f:3: robot.lam is called robot.wave.wavelength now, but renaming it here would be no "
                            "TOML: move it by hand")));
  EXPECT_THAT(refusal("[contact]\nrestitution_rule = \"\\u0073eed\"\n"), ElementsAre(HasSubstr("rename it by hand")));
}

}  // namespace
}  // namespace sinew::text
