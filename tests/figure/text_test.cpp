#include "sinew/figure/text.h"

#include <gtest/gtest.h>

namespace sinew::figure {
namespace text_test {

TEST(FigureText, what_is_shown_is_utf8_without_control_characters) {
  EXPECT_EQ(clean("plain_{x} µ ⁻³ 雪 😀"), "plain_{x} µ ⁻³ 雪 😀");
  EXPECT_EQ(clean("a\nb\tc\x01"), "a b c ");
  EXPECT_EQ(clean("a\xff"), "a\xef\xbf\xbd");
  EXPECT_EQ(clean("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");          // overlong
  EXPECT_EQ(clean("\xed\xa0\x80").find("\xed"), std::string::npos);  // half of a surrogate pair
  EXPECT_EQ(clean("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");          // cut off
}

TEST(FigureText, lines_are_broken_between_words_and_nothing_is_lost) {
  const std::string text = "one two three four five six seven";
  const auto lines = wrap(text, 10.0, 80.0);
  EXPECT_GT(lines.size(), 2u);
  std::string together;
  for (const std::string& line : lines) {
    EXPECT_LE(width_of(line, 10.0), 80.0);
    together += (together.empty() ? "" : " ") + line;
  }
  EXPECT_EQ(together, text);
}

TEST(FigureText, a_word_that_is_too_long_is_broken) {
  const auto lines = wrap(std::string(100, 'x'), 10.0, 80.0);
  std::size_t letters = 0;
  for (const std::string& line : lines) letters += line.size();
  EXPECT_EQ(letters, 100u);
  EXPECT_TRUE(wrap("", 10.0, 80.0).empty());
}

TEST(FigureText, axes_show_unit_and_power_of_ten) {
  EXPECT_EQ(axis_text("energy", "J", 0), "energy [J]");
  EXPECT_EQ(axis_text("energy", "J", -12), "energy [10⁻¹² J]");
  EXPECT_EQ(axis_text("count", "1", 3), "count [10³]");
  EXPECT_EQ(axis_text("count", "1", 0), "count");
  EXPECT_EQ(axis_text("", "m", 0), "[m]");
}

}  // namespace text_test
}  // namespace sinew::figure
