#include "view/requests.h"

#include <gtest/gtest.h>

#include "sinew/sim/errors.h"

namespace sinew::view {
namespace requests_test {

using Kind = Request::Kind;

TEST(Requests, all_kinds_are_read) {
  EXPECT_EQ(parse_request(R"({"type": "play"})").kind, Kind::Play);
  EXPECT_EQ(parse_request(R"({"type": "pause"})").kind, Kind::Pause);
  EXPECT_EQ(parse_request(R"({"type": "step"})").kind, Kind::Step);
  EXPECT_EQ(parse_request(R"({"type": "reset"})").kind, Kind::Reset);
  EXPECT_EQ(parse_request(R"({"type": "release"})").kind, Kind::Release);
  EXPECT_EQ(parse_request(R"({"type": "speed", "value": 0})").value, 0.0);
  EXPECT_EQ(parse_request(R"({"type": "speed", "value": 0.1})").value, 0.1);
  const Request set = parse_request(R"({"type": "set", "key": "gait.Ah_deg", "value": 25})");
  EXPECT_EQ(set.kind, Kind::Set);
  EXPECT_EQ(set.name, "gait.Ah_deg");
  EXPECT_EQ(set.value, 25.0);
  const Request push =
      parse_request(R"({"type": "push", "body": "link3", "point": [1, 2, 3], "target": [0.5, 0, -1]})");
  EXPECT_EQ(push.kind, Kind::Push);
  EXPECT_EQ(push.name, "link3");
  EXPECT_EQ(push.point[2], 3.0);
  EXPECT_EQ(push.target[2], -1.0);
  EXPECT_EQ(parse_request(R"({"type": "load", "scenario": "basics/pendulum"})").name, "basics/pendulum");
}

TEST(Requests, garbage_is_refused) {
  std::vector<std::string> garbage{
      "",
      "null",
      "[]",
      "{",
      "{}",
      "play",
      "\xff\xfe\x00",
      R"({"type": 5})",
      R"({"type": "fly"})",
      R"({"type": null})",
      R"({"type": "play"} and more)",
      R"({"type": "speed"})",
      R"({"type": "speed", "value": "fast"})",
      R"({"type": "speed", "value": -1})",
      R"({"type": "speed", "value": 0.05})",
      R"({"type": "speed", "value": 21})",
      R"({"type": "speed", "value": NaN})",
      R"({"type": "speed", "value": 1e999})",
      R"({"type": "set", "key": "contact.mu"})",
      R"({"type": "set", "key": 3, "value": 3})",
      R"({"type": "set", "key": "contact.mu", "value": null})",
      R"({"type": "set", "key": "contact.mu", "value": "1"})",
      R"({"type": "set", "key": "contact.mu", "value": [1]})",
      R"({"type": "set", "key": "contact.mu", "value": 1e400})",
      R"({"type": "push", "body": "link1", "point": [0, 0], "target": [0, 0, 0]})",
      R"({"type": "push", "body": "link1", "point": [0, 0, "x"], "target": [0, 0, 0]})",
      R"({"type": "push", "body": "link1", "point": [0, 0, 0], "target": [0, 0, 1e300]})",
      R"({"type": "push", "body": ["link1"], "point": [0, 0, 0], "target": [0, 0, 0]})",
      R"({"type": "push", "body": "link1", "target": [0, 0, 0]})",
      R"({"type": "load", "scenario": {}})",
      R"({"type": "load", "scenario": ")" + std::string(300, 'x') + "\"}",
      std::string(60'000, '['),
      R"({"type": "play", "x": )" + std::string(30'000, '[') + std::string(30'000, ']') + "}",
      R"({"type": "play", "x": ")" + std::string(70'000, 'x') + "\"}",
  };
  for (const std::string& text : garbage) EXPECT_THROW(parse_request(text), InputError) << text.substr(0, 100);
}

}  // namespace requests_test
}  // namespace sinew::view
