// One declaration, two readers: what KeyLister writes, KeyReader reads back.
#include <gtest/gtest.h>

#include <array>

#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"
#include "sinew/text/document.h"
#include "sinew/text/list_keys.h"
#include "sinew/text/read_keys.h"

namespace sinew::text {
namespace keys_test {

struct Sample {
  double number = 1.5;
  int count = 3;
  bool flag = false;
  std::string text = "plain";
  int choice = 0;
  std::vector<double> list{1.0, 2.0};
  Vec3d vector = Vec3d(0, 0, 1);
  double angle = 0.0;
  std::vector<std::string> words{"one", "two"};
};

void describe(Keys& keys, Sample& s) {
  static constexpr std::array<std::string_view, 2> choices{"red", "green"};
  keys.number({"number", "kg", "a mass", positive}, s.number);
  keys.integer({"count", "", "how many", {.low = 1, .high = 10}}, s.count);
  keys.flag({"flag", "", "on or off"}, s.flag);
  keys.text({"text", "", "any text"}, s.text);
  keys.choice({"choice", "", "a colour"}, choices, s.choice);
  const Table table(keys, "inner", "a table");
  keys.numbers({"list", "s", "times"}, {}, s.list);
  keys.vector({"vector", "m", "a place"}, s.vector);
  keys.number({"angle", "rad", "an angle", any_number, true}, s.angle);
  keys.texts({"words", "", "some words"}, s.words);
}

struct Reading {
  Sample sample;
  std::vector<std::string> problems;
};

Reading read(const Document& document) {
  Reading r;
  KeyReader reader(document);
  describe(reader, r.sample);
  reader.finish();
  r.problems = reader.problems();
  return r;
}

Reading read(std::string_view text) { return read(Document(text, "file")); }

TEST(Keys, an_empty_file_leaves_every_default) {
  const Reading r = read("");
  EXPECT_TRUE(r.problems.empty());
  EXPECT_EQ(r.sample.number, 1.5);
  EXPECT_EQ(r.sample.list.size(), 2u);
  EXPECT_EQ(r.sample.words.size(), 2u);
}

TEST(Keys, every_type_is_read) {
  const Reading r = read(R"(
number = 2
count = 4
flag = true
text = "a b"
choice = "green"
[inner]
list = [1, 2.5, 3]
vector = [1, 2, 3]
angle_deg = 180
words = ["a, b", "c"]
)");
  EXPECT_TRUE(r.problems.empty());
  EXPECT_EQ(r.sample.number, 2.0);
  EXPECT_EQ(r.sample.count, 4);
  EXPECT_TRUE(r.sample.flag);
  EXPECT_EQ(r.sample.text, "a b");
  EXPECT_EQ(r.sample.choice, 1);
  EXPECT_EQ(r.sample.list, (std::vector<double>{1, 2.5, 3}));
  EXPECT_EQ(r.sample.vector[1], 2.0);
  EXPECT_DOUBLE_EQ(r.sample.angle, 3.141592653589793);
  EXPECT_EQ(r.sample.words, (std::vector<std::string>{"a, b", "c"}));
}

// A range is that of the number as it is used, in radians.
TEST(Keys, a_range_holds_for_angles_in_degrees_as_well) {
  double angle = 0.0;
  std::vector<double> angles;
  const auto problems = [&](std::string_view text) {
    const Document document(text, "file");
    KeyReader reader(document);
    reader.number({"angle", "rad", "an angle", {.low = 0.0, .high = 1.6}, true}, angle);
    reader.numbers({"angles", "rad", "some", {.low = 0.0, .high = 1.6}, true}, {}, angles);
    reader.finish();
    return reader.problems().size();
  };
  EXPECT_EQ(problems("angle_deg = 90\nangles_deg = [0, 45, 90]"), 0u);
  EXPECT_DOUBLE_EQ(angle, 1.5707963267948966);
  EXPECT_EQ(angles.size(), 3u);
  EXPECT_EQ(problems("angle_deg = 92"), 1u);
  EXPECT_EQ(problems("angles_deg = [0, 92]"), 1u);
}

TEST(Keys, what_the_lister_writes_the_reader_reads) {
  Sample odd{0.1 + 0.2,
             7,
             true,
             "quote \" backslash \\ line\nbell \a",
             1,
             {1e-300, -0.0, 1.0 / 3.0},
             Vec3d(1e22, 5, -7),
             1.0,
             {"", "a \"b\"", "c\td"}};
  KeyLister lister;
  describe(lister, odd);
  std::string text, table;
  for (const KeyEntry& e : lister.entries) {
    if (e.table != table) text += "[" + (table = e.table) + "]\n";
    text += e.name + " = " + e.value + "\n";
  }
  const Reading r = read(text);
  EXPECT_TRUE(r.problems.empty()) << text;
  EXPECT_EQ(r.sample.number, odd.number);
  EXPECT_EQ(r.sample.count, odd.count);
  EXPECT_EQ(r.sample.flag, odd.flag);
  EXPECT_EQ(r.sample.text, odd.text);
  EXPECT_EQ(r.sample.choice, odd.choice);
  EXPECT_EQ(r.sample.list, odd.list);
  EXPECT_EQ(r.sample.vector[0], odd.vector[0]);
  EXPECT_EQ(r.sample.angle, odd.angle);
  EXPECT_EQ(r.sample.words, odd.words);
}

TEST(Keys, problems_come_in_order_with_lines_and_leave_the_default) {
  const Reading r =
      read("zzz = 1\nnumber = 0\ncount = 2.5\nchoice = \"blue\"\n[inner]\nvector = [1, 2]\nangle = true\n");
  ASSERT_EQ(r.problems.size(), 6u);
  for (std::size_t i = 0; i < 4; i++) EXPECT_EQ(r.problems[i].substr(0, 6), "file:" + std::to_string(i + 1));
  EXPECT_EQ(r.problems[4].substr(0, 6), "file:6");
  EXPECT_EQ(r.sample.number, 1.5);
  EXPECT_EQ(r.sample.count, 3);
}

TEST(Keys, a_single_text_is_a_list_of_one_and_an_empty_array_a_list_of_none) {
  EXPECT_EQ(read("inner.words = \"a\"").sample.words, std::vector<std::string>{"a"});
  EXPECT_TRUE(read("inner.words = []").sample.words.empty());
}

TEST(Keys, texts_that_are_none_are_a_problem) {
  for (const char* wrong : {"inner.words = 3", "inner.words = [\"a\", 3]", "inner.words = {}"}) {
    const Reading r = read(wrong);
    ASSERT_EQ(r.problems.size(), 1u) << wrong;
    EXPECT_NE(r.problems[0].find("an array of texts"), std::string::npos) << r.problems[0];
    EXPECT_EQ(r.sample.words.size(), 2u);
  }
}

TEST(Keys, texts_are_set_as_an_array_or_as_one_word) {
  Document d("", "file");
  Sample sample;
  KeyLister lister;
  describe(lister, sample);
  const KeyEntry& entry = lister.entries.back();
  ASSERT_EQ(entry.dotted(), "inner.words");
  EXPECT_EQ(entry.type, "texts");
  EXPECT_EQ(entry.value, "[\"one\", \"two\"]");
  d.set("inner.words", "[\"x\", \"y.z\"]", entry.holds_text, "--set");
  EXPECT_EQ(read(d).sample.words, (std::vector<std::string>{"x", "y.z"}));
  d.set("inner.words", "body.bob.p", entry.holds_text, "--set");
  EXPECT_EQ(read(d).sample.words, std::vector<std::string>{"body.bob.p"});
}

TEST(Keys, ranges) {
  EXPECT_TRUE(positive.contains(1e-300));
  EXPECT_FALSE(positive.contains(0.0));
  EXPECT_TRUE(not_negative.contains(0.0));
  EXPECT_FALSE(any_number.contains(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(any_number.contains(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(positive.text(), "> 0");
  EXPECT_EQ((Range{.low = 1, .high = 5}).text(), ">= 1 and <= 5");
  EXPECT_EQ(any_number.text(), "");
}

TEST(Keys, the_lister_knows_numbers_and_which_may_change_during_a_run) {
  double mass = 2.0, length = 3.0;
  Vec3d g(0, 0, -9.81);
  KeyLister lister;
  lister.number(live({"mass", "kg", "mass", {.low = 0.0, .high = 5.0}}), mass);
  lister.number({"length", "m", "length"}, length);
  lister.vector(live({"g", "m/s^2", "field"}), g);
  ASSERT_EQ(lister.entries.size(), 3u);
  EXPECT_TRUE(lister.entries[0].live);
  EXPECT_EQ(lister.entries[0].numbers, std::vector<double>{2.0});
  EXPECT_EQ(lister.entries[0].allowed.high, 5.0);
  EXPECT_FALSE(lister.entries[0].is_array);
  EXPECT_FALSE(lister.entries[1].live);
  EXPECT_TRUE(lister.entries[2].live);
  EXPECT_TRUE(lister.entries[2].is_array);
  EXPECT_EQ(lister.entries[2].numbers, (std::vector<double>{0.0, 0.0, -9.81}));
}

TEST(Document, places_are_lines_of_keys_or_of_the_table_around_them) {
  const Document d("a = 1\n[t.u]\nb = 2\n", "file");
  EXPECT_EQ(d.place("a"), "file:1");
  EXPECT_EQ(d.place("t.u.b"), "file:3");
  EXPECT_EQ(d.place("t.u.missing"), "file:2");
  EXPECT_EQ(d.place("missing"), "file:1");
}

TEST(Document, a_set_value_is_its_own_place) {
  Document d("a = 1\n", "file");
  d.set("t.u.b", "2", false, "--set b=2");
  EXPECT_EQ(d.place("t.u.b"), "--set b=2");
  EXPECT_EQ(d.place("a"), "file:1");
}

TEST(Document, no_toml_is_an_input_error) {
  EXPECT_THROW(Document("a = ", "file"), InputError);
  EXPECT_THROW(Document("a = 1\na = 2", "file"), InputError);
  EXPECT_THROW(read_text("/no/such/file"), FileError);
  EXPECT_THROW(read_text("/"), FileError);
}

}  // namespace keys_test
}  // namespace sinew::text
