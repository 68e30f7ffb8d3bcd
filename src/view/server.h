// The server of the web view: pages, recordings and what is being computed, by HTTP and WebSocket as docs/view-protocol.md
// says. One thread of its own. Only the paths of that page exist; no part of a request ever becomes the name of a file.
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "view/source.h"

namespace sinew::view {

// What there is to look at.
struct Content {
  std::string page;                                              // HTML with everything in it
  std::string recording;                                         // path of the file behind /recording.h5; empty: none
  std::function<std::string()> study = {};                       // the JSON of /api/study; empty: there is none
  std::function<std::string()> scenarios = [] { return "[]"; };  // the JSON of /api/scenarios
  std::map<std::string, std::string> pictures;                   // "snake/sidewinding" -> path of its .webp
  Source* source = nullptr;                                      // what is being computed
  // Without a source: makes the one that a page asks for by `load`. Throws InputError, FileError.
  std::function<std::unique_ptr<Source>(const std::string& scenario)> open;
};

struct Address {
  std::string ip = "127.0.0.1";
  std::uint16_t port = 8420;   // 0: any that is free
  bool is_port_fixed = false;  // no: the next one if it is taken
  std::string token;           // every request must carry it; empty: none
};

struct Limits {
  std::size_t message_bytes = 64 * 1024;  // from a page
  int messages_per_second = 240;
  int clients = 16;      // WebSockets
  int connections = 64;  // all together
  std::size_t header_bytes = 8 * 1024;
  std::size_t waiting_texts = 256;             // to a page that does not read
  std::chrono::milliseconds patience{10'000};  // for a request, and for any progress of an answer
  std::chrono::milliseconds silence{30'000};   // of a page that is gone without a word; half of it, and we ask
};

class Server {
 public:
  // Serves from now on. Throws FileError where it cannot listen, InputError for an ip that is none. The source must live longer.
  Server(const Address& address, Content content, const Limits& limits = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string url() const;
  std::uint16_t port() const;

  // No one comes in any more; pages get what is waiting for them, then a goodbye. Returns when they are gone, or when it has
  // taken too long.
  void finish(std::chrono::milliseconds at_most);

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace sinew::view
