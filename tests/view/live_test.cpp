// Pages that look at what is being computed.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "sinew/sim/errors.h"
#include "tests/support/fake_source.h"
#include "tests/support/raw_client.h"
#include "view/server.h"

namespace sinew::view {
namespace live_test {

using test::FakeSource;
using test::Frame;
using test::RawClient;

// A server with a fake source; clients begin with its hello.
struct Live : testing::Test {
  FakeSource source;
  Limits limits;
  std::unique_ptr<Server> server;

  void start(Content content = {}) {
    const Address any_port{.ip = "127.0.0.1", .port = 0, .is_port_fixed = true, .token = ""};
    server = std::make_unique<Server>(any_port, std::move(content), limits);
  }
  void start_with_source() {
    Content content;
    content.source = &source;
    start(std::move(content));
  }
  std::string origin() const { return fmt::format("http://127.0.0.1:{}", server->port()); }

  std::unique_ptr<RawClient> look(int receive_buffer = 0) {
    auto client = std::make_unique<RawClient>(server->port(), receive_buffer);
    EXPECT_EQ(client->upgrade(origin()).status, 101);
    EXPECT_EQ(client->frame()->payload, R"({"type":"hello"})");
    return client;
  }

  // The close code that ends what the server has to say; then the client hangs up.
  static int close_code(std::unique_ptr<RawClient> client) {
    while (const auto frame = client->frame())
      if (frame->opcode == 8) return frame->close_code();
    return 0;
  }

  template <class Condition>
  static bool comes_true(const Condition& condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(10);
    while (!condition())
      if (std::chrono::steady_clock::now() > until)
        return false;
      else
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return true;
  }
};

TEST_F(Live, requests_reach_the_source_and_only_who_asked_hears_of_errors) {
  start_with_source();
  const auto one = look(), two = look();
  one->send_frame(1, R"({"type":"pause"})");
  one->send_frame(1, "wrong");
  EXPECT_EQ(one->frame()->payload, R"({"type":"error","what":"wrong"})");
  EXPECT_EQ(source.requests(), (std::vector<std::string>{R"({"type":"pause"})", "wrong"}));
  source.say("for all");
  EXPECT_EQ(two->frame()->payload, "for all");
  source.row(7.0, 16);
  const Frame row = *two->frame();
  EXPECT_EQ(row.opcode, 2);
  double number = 0.0;
  std::memcpy(&number, row.payload.data() + 8, sizeof number);
  EXPECT_EQ(number, 7.0);
}

TEST_F(Live, a_page_that_leaves_is_forgotten) {
  start_with_source();
  auto polite = look(), rude = look();
  polite->send_frame(8, "\x03\xe8");
  EXPECT_EQ(close_code(std::move(polite)), 1000);
  rude.reset();
  EXPECT_TRUE(comes_true([&] { return source.listeners() == 0; }));
}

TEST_F(Live, a_page_that_leaves_lets_go_of_the_robot) {
  start_with_source();
  const auto stays = look();
  auto pushes = look(), has_released = look();
  const std::string push = R"({"type":"push"})", release = R"({"type":"release"})";
  pushes->send_frame(1, push);
  EXPECT_TRUE(comes_true([&] { return source.requests().size() == 1; }));
  pushes.reset();
  EXPECT_TRUE(comes_true([&] { return source.requests() == std::vector{push, release}; }));
  has_released->send_frame(1, push);
  has_released->send_frame(1, release);
  EXPECT_TRUE(comes_true([&] { return source.requests().size() == 4; }));
  has_released.reset();
  EXPECT_TRUE(comes_true([&] { return source.listeners() == 1; }));
  EXPECT_EQ(source.requests().size(), 4u);
}

TEST_F(Live, other_origins_and_none_are_refused) {
  start_with_source();
  for (const std::string& other :
       {std::string(), std::string("http://evil.example"), std::string("null"), origin() + "0"}) {
    RawClient client(server->port());
    EXPECT_EQ(client.upgrade(other).status, 403) << other;
  }
  EXPECT_EQ(source.listeners(), 0u);
}

TEST_F(Live, only_its_own_path_is_a_websocket) {
  start_with_source();
  RawClient client(server->port());
  EXPECT_EQ(client.upgrade(origin(), "/").status, 200);
}

TEST_F(Live, a_message_that_is_too_long_ends_the_connection) {
  start_with_source();
  auto client = look();
  client->send_frame(1, std::string(64 * 1024, 'x'));  // just right
  EXPECT_TRUE(comes_true([&] { return source.requests().size() == 1; }));
  client->send_frame(1, std::string(64 * 1024 + 1, 'x'));
  EXPECT_EQ(close_code(std::move(client)), 1009);
  EXPECT_TRUE(comes_true([&] { return source.listeners() == 0; }));
  EXPECT_EQ(source.requests().size(), 1u);
}

TEST_F(Live, a_flood_ends_the_connection) {
  for (const int opcode : {1, 9}) {  // words; pings
    start_with_source();
    auto client = look();
    for (int i = 0; i < 2000; i++) client->send_frame(opcode, "x");
    EXPECT_EQ(close_code(std::move(client)), 1008);
    EXPECT_TRUE(comes_true([&] { return source.listeners() == 0; }));
    EXPECT_LT(source.requests().size(), 2000u);
    server.reset();
  }
}

TEST_F(Live, what_is_not_text_is_refused) {
  start_with_source();
  auto binary = look();
  binary->send_frame(2, "bytes");
  EXPECT_EQ(close_code(std::move(binary)), 1003);
  auto not_utf8 = look();
  not_utf8->send_frame(1, "\xff\xfe");
  EXPECT_EQ(close_code(std::move(not_utf8)), 1007);
  EXPECT_TRUE(comes_true([&] { return source.listeners() == 0; }));
  EXPECT_TRUE(source.requests().empty());
}

TEST_F(Live, garbage_ends_its_own_connection_only) {
  start_with_source();
  const auto other = look();
  for (const std::string& bytes : {std::string("\x81\x05hello"),  // not masked
                                   std::string(100, '\xff'),      // reserved bits, unknown kind
                                   std::string("GET / HTTP/1.1\r\n\r\n"), std::string(1000, '\0')}) {
    auto client = look();
    client->send(bytes);
    EXPECT_EQ(close_code(std::move(client)), 1002);
  }
  EXPECT_TRUE(comes_true([&] { return source.listeners() == 1; }));
  source.say("still here");
  EXPECT_EQ(other->frame()->payload, "still here");
}

TEST_F(Live, pages_are_counted) {
  limits.clients = 2;
  start_with_source();
  auto one = look();
  const auto two = look();
  RawClient three(server->port());
  EXPECT_EQ(three.upgrade(origin()).status, 503);
  one.reset();
  EXPECT_TRUE(comes_true([&] { return source.listeners() == 1; }));
  one = look();
}

TEST_F(Live, a_page_that_is_gone_without_a_word_is_left) {
  limits.silence = std::chrono::milliseconds(100);
  start_with_source();
  const auto silent = look();  // it does not answer pings
  EXPECT_TRUE(comes_true([&] { return source.listeners() == 0; }));
}

TEST_F(Live, a_slow_page_misses_rows_but_the_last_and_holds_up_nobody) {
  start_with_source();
  const auto slow = look(4096), quick = look();
  constexpr int rows = 300;
  constexpr std::size_t size = 200'000;  // 60 MB: more than any buffer on the way
  double seen = -1.0;
  for (int i = 0; i < rows; i++) {
    source.row(i, size);  // returns at once: nobody reads the slow one
    while (seen < i) std::memcpy(&seen, quick->frame()->payload.data() + 8, sizeof seen);
  }
  int received = 0;
  for (double last = -1.0; last < rows - 1; received++) {
    const Frame frame = *slow->frame();
    ASSERT_EQ(frame.payload.size(), size);
    std::memcpy(&last, frame.payload.data() + 8, sizeof last);
  }
  EXPECT_LT(received, rows);
  source.say(R"({"type":"state","t":3.0,"dropped":1})");
  const auto state = nlohmann::json::parse(slow->frame()->payload);
  EXPECT_EQ(state["dropped"], rows - received + 1);
  EXPECT_EQ(state["t"], 3.0);
  EXPECT_EQ(quick->frame()->payload, R"({"type":"state","t":3.0,"dropped":1})");
}

TEST_F(Live, a_page_that_never_reads_is_left_before_words_pile_up) {
  limits.waiting_texts = 8;
  start_with_source();
  const auto client = look(4096);
  const std::string words(1'000'000, 'x');
  for (int i = 0; i < 200 && source.listeners() > 0; i++) source.say(words);
  EXPECT_TRUE(comes_true([&] { return source.listeners() == 0; }));
}

TEST_F(Live, finish_delivers_what_is_waiting_and_says_goodbye) {
  start_with_source();
  auto client = look();
  source.say("last words");
  source.row(1.0, 16);
  std::thread program([&] { server->finish(std::chrono::minutes(10)); });
  EXPECT_EQ(client->frame()->payload, "last words");
  EXPECT_EQ(client->frame()->opcode, 2);
  const Frame goodbye = *client->frame();
  EXPECT_EQ(goodbye.close_code(), 1001);
  client->send_frame(8, goodbye.payload);
  client.reset();
  program.join();
  EXPECT_EQ(source.listeners(), 0u);
  EXPECT_THROW(RawClient(server->port()), std::runtime_error);
}

TEST_F(Live, a_server_that_goes_away_leaves_its_source_alone) {
  start_with_source();
  const auto client = look();
  server.reset();
  EXPECT_EQ(source.listeners(), 0u);
  source.say("nobody listens");
}

TEST_F(Live, the_first_scenario_is_opened_when_a_page_asks_for_it) {
  Content content;
  content.open = [](const std::string& name) -> std::unique_ptr<Source> {
    if (name != "snake/sidewinding") throw InputError(name + ": no such scenario: see the list");
    return std::make_unique<FakeSource>();
  };
  start(std::move(content));
  RawClient one(server->port()), two(server->port());
  EXPECT_EQ(one.upgrade(origin()).status, 101);
  EXPECT_EQ(two.upgrade(origin()).status, 101);
  one.send_frame(1, R"({"type":"play"})");
  EXPECT_EQ(nlohmann::json::parse(one.frame()->payload)["type"], "error");
  one.send_frame(1, R"({"type":"load","scenario":"/etc/passwd"})");
  EXPECT_EQ(nlohmann::json::parse(one.frame()->payload)["what"], "/etc/passwd: no such scenario: see the list");
  for (const char* nonsense :
       {"", "{", "[]", R"({"type":7})", R"({"type":"load"})", R"({"type":"load","scenario":[1]})"}) {
    one.send_frame(1, nonsense);
    EXPECT_EQ(nlohmann::json::parse(one.frame()->payload)["type"], "error") << nonsense;
  }
  one.send_frame(1, R"({"type":"load","scenario":"snake/sidewinding"})");
  EXPECT_EQ(one.frame()->payload, R"({"type":"hello"})");
  EXPECT_EQ(two.frame()->payload, R"({"type":"hello"})");
}

}  // namespace live_test
}  // namespace sinew::view
