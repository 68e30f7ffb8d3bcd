#include "view/guard.h"

#include <gtest/gtest.h>

namespace sinew::view {
namespace guard_test {

TEST(Guard, on_this_machine_the_address_and_localhost_are_ours_with_our_port_only) {
  const Guard guard{"127.0.0.1", 8420, ""};
  for (const char* host : {"127.0.0.1:8420", "localhost:8420", "LocalHost:8420"})
    EXPECT_TRUE(host_is_ours(guard, host)) << host;
  for (const char* host :
       {"", "127.0.0.1", "localhost", "127.0.0.1:8421", "evil.example:8420", "localhost.evil.example:8420",
        "127.0.0.1:8420.evil.example", "127.0.0.2:8420", "localhost:08420", "localhost:8420 ", "[127.0.0.1:8420",
        "a:127.0.0.1:8420", "192.168.1.7:8420", ":8420"})
    EXPECT_FALSE(host_is_ours(guard, host)) << host;
}

TEST(Guard, addresses_of_six_parts_stand_in_brackets) {
  const Guard guard{"::1", 8420, ""};
  EXPECT_EQ(url_of(guard), "http://[::1]:8420/");
  EXPECT_TRUE(host_is_ours(guard, "[::1]:8420"));
  EXPECT_TRUE(host_is_ours(guard, "localhost:8420"));
  EXPECT_FALSE(host_is_ours(guard, "::1:8420"));
}

TEST(Guard, the_port_that_browsers_leave_out_may_be_left_out) {
  EXPECT_TRUE(host_is_ours({"127.0.0.1", 80, ""}, "localhost"));
  EXPECT_FALSE(host_is_ours({"127.0.0.1", 80, ""}, "evil.example"));
}

TEST(Guard, on_another_address_localhost_is_not_ours) {
  const Guard guard{"192.168.1.7", 8420, "abc"};
  EXPECT_TRUE(host_is_ours(guard, "192.168.1.7:8420"));
  EXPECT_FALSE(host_is_ours(guard, "localhost:8420"));
  EXPECT_EQ(url_of(guard), "http://192.168.1.7:8420/?token=abc");
}

TEST(Guard, on_all_addresses_numbers_are_ours_and_names_of_others_are_not) {
  const Guard guard{"0.0.0.0", 8420, "abc"};
  for (const char* host : {"192.168.1.7:8420", "[fe80::1]:8420", "localhost:8420"})
    EXPECT_TRUE(host_is_ours(guard, host)) << host;
  EXPECT_FALSE(host_is_ours(guard, "0.0.0.0:8420"));
  EXPECT_FALSE(host_is_ours(guard, "evil.example:8420"));
  EXPECT_FALSE(host_is_ours(guard, "192.168.1.7.evil.example:8420"));
}

TEST(Guard, an_origin_is_ours_only_as_the_same_host_without_encryption) {
  EXPECT_TRUE(origin_is_ours("http://localhost:8420", "localhost:8420"));
  for (const char* origin : {"", "null", "https://localhost:8420", "http://localhost", "http://127.0.0.1:8420",
                             "http://localhost:8420.evil.example", "http://evil.example"})
    EXPECT_FALSE(origin_is_ours(origin, "localhost:8420")) << origin;
}

TEST(Guard, a_token_is_found_anywhere_in_the_query_and_compared_as_a_whole) {
  const Guard guard{"0.0.0.0", 8420, "0123456789abcdef"};
  for (const char* target :
       {"/?token=0123456789abcdef", "/live?a=b&token=0123456789abcdef&c", "/?xtoken=1&token=0123456789abcdef"})
    EXPECT_TRUE(token_is_right(guard, target)) << target;
  for (const char* target : {"", "/", "/?", "/?token", "/?token=", "/?token=0123456789abcde",
                             "/?token=0123456789abcdef0", "/?token=0123456789ABCDEF", "/?xtoken=0123456789abcdef",
                             "/token=0123456789abcdef", "/?token=wrong&token=0123456789abcdef"})
    EXPECT_FALSE(token_is_right(guard, target)) << target;
  EXPECT_TRUE(token_is_right({"127.0.0.1", 8420, ""}, "/"));
}

TEST(Guard, tokens_are_long_and_never_the_same) {
  const std::string token = make_token();
  EXPECT_EQ(token.size(), 48u);
  EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(token, make_token());
}

}  // namespace guard_test
}  // namespace sinew::view
