// The other end of a server, byte by byte, so that it can misbehave.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace sinew::test {

struct Frame {
  int opcode;           // 1 text, 2 binary, 8 close, 9 ping, 10 pong
  std::string payload;  // of a close: two bytes of code, then words
  int close_code() const {
    return opcode == 8 && payload.size() >= 2 ? std::uint8_t(payload[0]) << 8 | std::uint8_t(payload[1]) : 0;
  }
};

struct HttpAnswer {
  int status = 0;  // 0: the connection was closed without an answer
  std::string head, body;
};

// Nothing waits longer than 20 s: then a test has failed, and says so by an exception.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port, int receive_buffer = 0);  // bytes; 0: the system's choice
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void send(const std::string& bytes);  // what a closed connection does not take is lost
  HttpAnswer answer();                  // of one request; its body by Content-Length
  HttpAnswer answer_to_head();
  std::string rest();  // until the other side closes

  // A WebSocket from here on; the answer to the handshake.
  HttpAnswer upgrade(const std::string& origin, const std::string& target = "/live");
  void send_frame(int opcode, const std::string& payload);
  std::optional<Frame> frame();  // nothing: closed

 private:
  bool fill();  // more bytes; no: closed
  bool fill_to(std::size_t size);
  int socket_ = -1;
  std::uint16_t port_;
  std::string buffer_;
};

}  // namespace sinew::test
