#include "sinew/bridge/authenticate.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string_view>

#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"
#include "tests/support/folder.h"

namespace sinew::bridge {
namespace authenticate_test {

std::string hex(const Digest& digest) {
  std::string out;
  for (const std::byte b : digest) {
    constexpr char digits[] = "0123456789abcdef";
    out += digits[std::to_integer<int>(b) >> 4];
    out += digits[std::to_integer<int>(b) & 15];
  }
  return out;
}
std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Sha256, has_the_digests_of_its_standard) {
  EXPECT_EQ(hex(sha256({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256(bytes_of("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256(bytes_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(bytes_of(std::string(1000000, 'a')))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// RFC 4231, cases 1, 2 and 6.
TEST(Hmac, has_the_codes_of_rfc_4231) {
  EXPECT_EQ(hex(hmac(bytes_of(std::string(20, '\x0b')), bytes_of("Hi There"))),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hex(hmac(bytes_of("Jefe"), bytes_of("what do ya want for nothing?"))),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(
      hex(hmac(bytes_of(std::string(131, '\xaa')), bytes_of("Test Using Larger Than Block-Size Key - Hash Key First"))),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Key, of_a_file_is_all_of_it_but_line_ends_and_not_too_short) {
  const test::Folder folder;
  const std::string file = folder / "key";
  std::ofstream(file) << "sixteen bytes ok\n";
  EXPECT_EQ(read_key(file), "sixteen bytes ok");
  std::ofstream(file) << "short\n";
  EXPECT_THROW(read_key(file), InputError);
  EXPECT_THROW(read_key(folder / "none"), FileError);
}

}  // namespace authenticate_test
}  // namespace sinew::bridge
