#include "sinew/model/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace sinew {
namespace glob_test {

TEST(Glob, a_star_is_any_text_and_a_question_mark_one_letter) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("body.*", "body.bob.p.x"));
  EXPECT_TRUE(matches("*.p.x", "body.bob.p.x"));
  EXPECT_TRUE(matches("b*b*x", "body.bob.p.x"));
  EXPECT_TRUE(matches("q.?", "q.0"));
  EXPECT_FALSE(matches("q.?", "q.10"));
  EXPECT_FALSE(matches("*.p.x", "body.bob.p.y"));
  EXPECT_FALSE(matches("body", "body.bob"));
  EXPECT_FALSE(matches("", "a"));
}

TEST(Glob, many_stars_take_no_time) {
  std::string pattern;
  for (int i = 0; i < 50; i++) pattern += "*a";
  EXPECT_FALSE(matches(pattern + "b", std::string(2000, 'a')));
}

}  // namespace glob_test
}  // namespace sinew
