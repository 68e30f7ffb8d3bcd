#include "sinew/files/png.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/grey_png.h"

namespace sinew {
namespace png_test {

std::vector<int> hills(int width, int height) {
  std::vector<int> pixels;
  for (int i = 0; i < width * height; i++) pixels.push_back((i * 37 + i * i * 11) % 256);
  return pixels;
}

TEST(Png, grey_values_come_back_through_all_predictions) {
  const std::vector<int> pixels = hills(7, 11);
  const GreyImage image = read_grey_png(test::grey_png(7, 11, pixels));
  ASSERT_EQ(image.width, 7);
  ASSERT_EQ(image.height, 11);
  for (std::size_t i = 0; i < pixels.size(); i++) EXPECT_EQ(image.grey[i], pixels[i] / 255.0) << i;
}

TEST(Png, that_is_damaged_cut_or_too_large_is_refused) {
  const std::string whole = test::grey_png(7, 11, hills(7, 11));
  for (std::size_t length = 0; length < whole.size(); length += 3)
    EXPECT_THROW(read_grey_png(whole.substr(0, length)), PngError) << length;
  std::string huge = whole;
  for (const std::size_t i : {16, 17, 20, 21}) huge[i] = '\x7f';
  EXPECT_THROW(read_grey_png(huge), PngError);
  std::string interlaced = whole;
  interlaced[28] = 1;
  EXPECT_THROW(read_grey_png(interlaced), PngError);
  for (std::size_t i = 8; i < whole.size(); i++) {  // whatever a byte says, it ends, with an image or an error
    std::string other = whole;
    other[i] = char(~other[i]);
    try {
      EXPECT_LE(read_grey_png(other).grey.size(), max_png_pixels);
    } catch (const PngError&) {
    }
  }
}

}  // namespace png_test
}  // namespace sinew
