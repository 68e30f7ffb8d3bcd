#include "sinew/bridge/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "sinew/bridge/crc.h"
#include "sinew/math/counter_random.h"
#include "sinew/sim/errors.h"
#include "tests/bridge/robots.h"

namespace sinew::bridge {
namespace image_test {

using ::testing::HasSubstr;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Crc32, has_the_check_value_of_its_definition_in_one_piece_or_in_two) {
  const auto bytes = bytes_of("123456789");
  EXPECT_EQ(crc32(bytes), 0xcbf43926u);
  for (std::size_t cut = 0; cut <= bytes.size(); cut++)
    EXPECT_EQ(crc32(bytes.subspan(cut), crc32(bytes.first(cut))), 0xcbf43926u) << cut;
  EXPECT_EQ(crc32({}), 0u);
}

class Image : public ::testing::Test {
 protected:
  const sim::Experiment experiment_ = test::load("hexapod/tripod-real");
  const Layout layout_ = layout_of(experiment_, 1e-3);
};

TEST_F(Image, comes_back_as_it_was_sealed) {
  ProcessImage sent(layout_, Side::References), got(layout_, Side::References);
  for (std::size_t i = 0; i < sent.words.size(); i++) sent.words[i] = std::uint16_t(3 * i + 1);
  for (std::size_t i = 0; i < sent.numbers.size(); i++) sent.numbers[i] = 0.1 * double(i) - 3.0;
  sent.header.tick = 77;
  const auto bytes = sent.seal();
  ASSERT_EQ(check_frame(bytes, layout_, Side::References), Frame::Sound);
  got.unpack(bytes);
  EXPECT_EQ(got.words, sent.words);
  EXPECT_EQ(got.numbers, sent.numbers);
  EXPECT_EQ(got.header.tick, 77u);
  EXPECT_EQ(check_frame(bytes, layout_, Side::Measured), Frame::Garbage) << "it is of the other side";
}

TEST_F(Image, with_any_bit_turned_is_garbage) {
  ProcessImage image(layout_, Side::References);
  const auto sealed = image.seal();
  std::vector<std::byte> bytes(sealed.begin(), sealed.end());
  for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += bit < 400 ? 1 : 37) {
    bytes[bit / 8] ^= std::byte(1u << bit % 8);
    ASSERT_EQ(check_frame(bytes, layout_, Side::References), Frame::Garbage) << bit;
    bytes[bit / 8] ^= std::byte(1u << bit % 8);
  }
  EXPECT_EQ(check_frame(bytes, layout_, Side::References), Frame::Sound);
}

TEST_F(Image, of_another_robot_cycle_or_length_is_refused_as_such) {
  const Layout slower = layout_of(experiment_, 2e-3);
  const Layout other = layout_of(test::load("biped/stand"), 1e-3);
  EXPECT_NE(slower.hash, layout_.hash);
  EXPECT_NE(other.hash, layout_.hash);
  ProcessImage image(slower, Side::References), foreign(other, Side::References);
  EXPECT_EQ(check_frame(image.seal(), layout_, Side::References), Frame::WrongLayout);
  EXPECT_EQ(check_frame(foreign.seal(), layout_, Side::References), Frame::WrongLayout);
}

TEST_F(Image, of_a_million_random_ones_none_is_taken) {
  std::vector<std::byte> bytes(layout_.references_bytes());
  const std::size_t longest = 96;  // most of a long one is never looked at before it is refused
  int sound = 0;
  for (std::uint64_t n = 0; n < 1'000'000; n++) {
    const std::size_t size = math::random_bits({1, 0, 0, n})[0] % longest;
    for (std::size_t i = 0; i < size; i += 16) {
      const auto bits = math::random_bits({1, 1, std::uint32_t(i), n});
      std::memcpy(bytes.data() + i, bits.data(), std::min<std::size_t>(16, bytes.size() - i));
    }
    // every other one begins as it should
    if (n % 2 == 0) std::memcpy(bytes.data(), &references_magic, 4);
    if (n % 4 == 0) std::memcpy(bytes.data() + 4, &layout_.hash, 4);
    const std::size_t length = n % 1000 == 0 ? bytes.size() : size;
    sound += check_frame(std::span(bytes).first(length), layout_, Side::References) == Frame::Sound;
  }
  EXPECT_EQ(sound, 0);
}

TEST_F(Image, references_that_are_no_numbers_or_out_of_range_are_refused_by_name) {
  std::vector<double> numbers;
  for (const Slot& s : layout_.references) numbers.push_back(s.may_be_none ? drive::command::none : 0.0);
  EXPECT_EQ(find_refused(layout_, numbers), -1);
  const double bad[] = {std::nan(""), std::numeric_limits<double>::infinity(), -1e300, 1e7};
  for (std::size_t i = 0; i < numbers.size(); i += 7)
    for (const double x : bad) {
      const double before = std::exchange(numbers[i], x);
      ASSERT_EQ(find_refused(layout_, numbers), int(i)) << layout_.references[i].name << " " << x;
      EXPECT_THAT(refusal_of(layout_, int(i), x), HasSubstr(layout_.references[i].name));
      numbers[i] = before;
    }
  EXPECT_THAT(refusal_of(layout_, 0, std::nan("")), HasSubstr("joint.hinge"));
}

TEST(Layout, has_a_device_for_each_axis_that_can_be_told_something) {
  EXPECT_EQ(layout_of(test::load("hexapod/tripod"), 1e-3).devices.size(), 24u);
  EXPECT_EQ(layout_of(test::load("hexapod/tripod-real"), 1e-3).devices.size(), 24u) << "drives belong to their axes";
  EXPECT_EQ(layout_of(test::load("biped/stand"), 1e-3).devices.size(), 12u);
  for (const Slot& s : layout_of(test::load("biped/stand"), 1e-3).references)
    EXPECT_EQ(s.unit, "N m") << s.name << ": nothing pushes a free base";
}

TEST(Layout, has_the_pads_that_a_controller_switches) {
  const Layout layout = layout_of(test::load("hexapod/wall"), 1e-3);
  EXPECT_EQ(layout.devices.size(), 30u) << "24 axes, six feet";
  const Slot& last = layout.references.back();
  EXPECT_THAT(last.name, HasSubstr("pad_group."));
  EXPECT_EQ(layout.devices.size(), layout.drive_of.size());
  std::vector<double> numbers(layout.references.size(), 0.0);
  numbers.back() = drive::command::none;
  EXPECT_EQ(find_refused(layout, numbers), -1);
  numbers.back() = 2.0;
  EXPECT_EQ(find_refused(layout, numbers), int(numbers.size()) - 1);
}

TEST(Layout, of_the_pendulum_is_as_its_header_says) {
  const Layout layout = layout_of(test::pendulum(), 1e-3);
  ASSERT_EQ(layout.measured.size(), 3u);
  EXPECT_EQ(layout.measured[1].name, "joint.pivot.q");
  ASSERT_EQ(layout.references.size(), 1u);
  EXPECT_EQ(layout.measured_bytes(), 48u + 8u + 24u);
  EXPECT_EQ(layout.references_bytes(), 48u + 8u + 8u);
  EXPECT_THAT(c_header(layout),
              HasSubstr("double joint_pivot_torque; /* joint.pivot.torque [N m], -1e+06 to 1e+06 */"));
  EXPECT_THAT(python_module(layout), HasSubstr("(\"joint_pivot_q\", ctypes.c_double),  # joint.pivot.q [rad]"));
}

TEST(Layout, of_a_robot_that_follows_given_motions_alone_is_refused) {
  try {
    layout_of(test::load("basics/pendulum", {"joint.pivot.drive=motion"}), 1e-3);
    FAIL() << "no error";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("nothing of this robot can be told anything"));
  }
}

}  // namespace image_test
}  // namespace sinew::bridge
