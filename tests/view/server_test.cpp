#include "view/server.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"
#include "tests/support/folder.h"
#include "tests/support/raw_client.h"

namespace sinew::view {
namespace server_test {

using test::HttpAnswer;
using test::RawClient;

const Address any_port{.ip = "127.0.0.1", .port = 0, .is_port_fixed = true, .token = ""};

std::string get(const Server& server, const std::string& target, const std::string& more = "",
                const std::string& method = "GET") {
  return fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}\r\n", method, target, server.port(), more);
}

HttpAnswer ask(const Server& server, const std::string& request) {
  RawClient client(server.port());
  client.send(request);
  return client.answer();
}

bool has(const HttpAnswer& answer, const std::string& line) {
  return answer.head.find("\r\n" + line + "\r\n") != std::string::npos;
}

Content small_content() {
  Content content;
  content.page = "<html><body>page</body></html>";
  content.scenarios = [] { return R"([{"name":"snake/sidewinding"}])"; };
  return content;
}

TEST(Server, gives_the_page_and_what_it_asks_for) {
  Server server(any_port, small_content());
  const HttpAnswer page = ask(server, get(server, "/"));
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, "<html><body>page</body></html>");
  EXPECT_TRUE(has(page, "Content-Type: text/html; charset=utf-8"));
  const HttpAnswer source = ask(server, get(server, "/api/source"));
  EXPECT_EQ(source.body, R"({"kind":"none"})");
  EXPECT_TRUE(has(source, "Content-Type: application/json"));
  EXPECT_EQ(ask(server, get(server, "/api/scenarios?x=1")).body, R"([{"name":"snake/sidewinding"}])");
}

TEST(Server, every_answer_forbids_guessing_keeping_and_foreign_scripts) {
  Server server(any_port, small_content());
  for (const char* path : {"/", "/api/source", "/nothing"}) {
    const HttpAnswer answer = ask(server, get(server, path));
    EXPECT_TRUE(has(answer, "X-Content-Type-Options: nosniff")) << path;
    EXPECT_TRUE(has(answer, "Cache-Control: no-store")) << path;
    EXPECT_TRUE(has(answer, "Referrer-Policy: no-referrer")) << path;
    EXPECT_NE(answer.head.find("\r\nContent-Security-Policy: default-src 'none'"), std::string::npos) << path;
  }
}

TEST(Server, one_connection_serves_many_requests) {
  Server server(any_port, small_content());
  RawClient client(server.port());
  for (int i = 0; i < 3; i++) {
    client.send(get(server, "/api/source"));
    EXPECT_EQ(client.answer().status, 200);
  }
  client.send(get(server, "/") +
              get(server, "/nothing", "Connection: close\r\n"));  // the second before the first is answered
  EXPECT_EQ(client.answer().status, 200);
  EXPECT_EQ(client.answer().status, 404);
  EXPECT_EQ(client.rest(), "");
}

TEST(Server, head_has_the_length_but_no_body) {
  Server server(any_port, small_content());
  RawClient client(server.port());
  client.send(get(server, "/", "Connection: close\r\n", "HEAD"));
  const HttpAnswer answer = client.answer_to_head();
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(has(answer, "Content-Length: 30"));
  EXPECT_EQ(client.rest(), "");
}

TEST(Server, a_recording_arrives_bit_by_bit) {
  const test::Folder folder;
  std::string bytes(3'000'001, '\0');
  std::minstd_rand random(1);
  std::ranges::generate(bytes, [&] { return char(random()); });
  std::ofstream(folder / "swing.h5", std::ios::binary) << bytes;
  Content content = small_content();
  content.recording = folder / "swing.h5";
  Server server(any_port, content);
  EXPECT_EQ(ask(server, get(server, "/api/source")).body,
            R"({"kind":"recording","name":"swing.h5","url":"/recording.h5"})");
  const HttpAnswer answer = ask(server, get(server, "/recording.h5"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(has(answer, "Content-Type: application/x-hdf5"));
  EXPECT_TRUE(answer.body == bytes);
  std::filesystem::remove(folder / "swing.h5");
  EXPECT_EQ(ask(server, get(server, "/recording.h5")).status, 404);
}

TEST(Server, pictures_are_those_of_the_list_and_no_other_file) {
  const test::Folder folder;
  std::filesystem::create_directory(folder / "snake");
  std::ofstream(folder / "snake/known.webp") << "picture";
  std::ofstream(folder / "snake/other.webp") << "secret";
  Content content = small_content();
  content.pictures["snake/known"] = folder / "snake/known.webp";
  Server server(any_port, content);
  const HttpAnswer known = ask(server, get(server, "/pictures/snake/known.webp"));
  EXPECT_EQ(known.body, "picture");
  EXPECT_TRUE(has(known, "Content-Type: image/webp"));
  for (const char* path :
       {"/pictures/snake/other.webp", "/pictures/snake/../snake/known.webp", "/pictures/", "/pictures/.webp",
        "/pictures/snake%2fknown.webp", "/pictures//etc/passwd", "//pictures/snake/known.webp"})
    EXPECT_EQ(ask(server, get(server, path)).status, 404) << path;
}

TEST(Server, nothing_else_exists) {
  Server server(any_port, small_content());
  for (const char* path : {"/index.html", "/recording.h5", "/api", "/api/source/", "/..", "/../etc/passwd",
                           "/%2e%2e/etc/passwd", "http://127.0.0.1/", "*", "/live/", "/LIVE"})
    EXPECT_EQ(ask(server, get(server, path)).status, 404) << path;
  EXPECT_EQ(ask(server, get(server, "/live")).status, 426);
}

TEST(Server, methods_that_change_things_are_refused) {
  Server server(any_port, small_content());
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"}) {
    const HttpAnswer answer = ask(server, get(server, "/", "Content-Length: 0\r\n", method));
    EXPECT_EQ(answer.status, 405) << method;
    EXPECT_TRUE(has(answer, "Allow: GET, HEAD"));
  }
  RawClient client(server.port());
  client.send(get(server, "/", "Content-Length: 1000000\r\n", "POST") + std::string(1'000'000, 'x'));
  EXPECT_EQ(client.answer().status, 405);
  EXPECT_EQ(client.rest(), "");
}

TEST(Server, other_hosts_and_other_origins_are_refused) {
  Server server(any_port, small_content());
  const auto with_host = [&](const std::string& lines) {
    return ask(server, "GET / HTTP/1.1\r\n" + lines + "\r\n").status;
  };
  const std::string port = std::to_string(server.port());
  EXPECT_EQ(with_host("Host: localhost:" + port + "\r\n"), 200);
  EXPECT_EQ(with_host("Host: localhost:" + port + "\r\nOrigin: http://localhost:" + port + "\r\n"), 200);
  EXPECT_EQ(with_host(""), 403);
  EXPECT_EQ(with_host("Host: evil.example:" + port + "\r\n"), 403);
  EXPECT_EQ(with_host("Host: localhost:1\r\n"), 403);
  EXPECT_EQ(with_host("Host: localhost:" + port + "\r\nHost: localhost:" + port + "\r\n"), 403);
  EXPECT_EQ(with_host("Host: localhost:" + port + "\r\nOrigin: http://evil.example\r\n"), 403);
  EXPECT_EQ(with_host("Host: localhost:" + port + "\r\nOrigin: null\r\n"), 403);
}

TEST(Server, with_a_token_nothing_is_given_without_it) {
  Address address = any_port;
  address.token = "0123456789abcdef0123456789abcdef";
  Server server(address, small_content());
  EXPECT_EQ(server.url(), fmt::format("http://127.0.0.1:{}/?token={}", server.port(), address.token));
  for (const char* path : {"/", "/api/source", "/nothing", "/live"}) {
    EXPECT_EQ(ask(server, get(server, path)).status, 403) << path;
    EXPECT_EQ(ask(server, get(server, path + std::string("?token=0123456789abcdef0123456789abcdee"))).status, 403)
        << path;
  }
  EXPECT_EQ(ask(server, get(server, "/?token=" + address.token)).status, 200);
}

TEST(Server, bytes_that_are_no_request_are_refused_and_the_next_one_is_served) {
  Server server(any_port, small_content());
  for (const std::string& bytes :
       {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15), std::string("GET\r\n\r\n"),
        std::string("GET / HTTP/9.9\r\n\r\n"), std::string("GET / HTTP/1.1\r\nNo colon\r\n\r\n")})
    EXPECT_EQ(ask(server, bytes).status, 400) << bytes;
  EXPECT_EQ(ask(server, "GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x')).status, 431);
  EXPECT_EQ(ask(server, get(server, "/")).status, 200);
}

TEST(Server, who_does_not_finish_a_request_is_left) {
  Limits limits;
  limits.patience = std::chrono::milliseconds(100);
  Server server(any_port, small_content(), limits);
  RawClient silent(server.port()), slow(server.port());
  slow.send("GET / HT");
  EXPECT_EQ(silent.rest(), "");
  EXPECT_EQ(slow.rest(), "");
}

TEST(Server, connections_are_counted) {
  Limits limits;
  limits.connections = 2;
  Server server(any_port, small_content(), limits);
  RawClient one(server.port()), two(server.port());
  one.send(get(server, "/"));  // answered: both are in
  EXPECT_EQ(one.answer().status, 200);
  two.send(get(server, "/"));
  EXPECT_EQ(two.answer().status, 200);
  RawClient three(server.port());
  EXPECT_EQ(three.rest(), "");
}

TEST(Server, takes_the_next_port_if_it_may_choose) {
  Server first(any_port, small_content());
  Address same{.ip = "127.0.0.1", .port = first.port(), .is_port_fixed = false, .token = ""};
  Server second(same, small_content());
  EXPECT_GT(second.port(), first.port());
  EXPECT_EQ(ask(second, get(second, "/")).status, 200);
  same.is_port_fixed = true;
  try {
    Server third(same, small_content());
    FAIL() << "it listens twice";
  } catch (const FileError& e) {
    EXPECT_NE(std::string(e.what()).find(fmt::format("port {}: taken", first.port())), std::string::npos) << e.what();
  }
}

TEST(Server, an_address_that_is_none_is_bad_input) {
  Address address = any_port;
  address.ip = "my.machine";
  EXPECT_THROW(Server(address, small_content()), InputError);
  address.ip = "192.0.2.1";  // nobody's: for documents
  EXPECT_THROW(Server(address, small_content()), FileError);
}

}  // namespace server_test
}  // namespace sinew::view
