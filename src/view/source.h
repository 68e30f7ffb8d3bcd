// What a page looks at while it is computed: an interactive session (session.h) or a run that is only watched (watch.h). The server
// (server.h) knows no more of it than this.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::view {

using Text = std::shared_ptr<const std::string>;             // a JSON message
using Rows = std::shared_ptr<const std::vector<std::byte>>;  // a binary message

// Called from the source's own thread; must not wait.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void text(const Text& message) = 0;  // must arrive, in order
  virtual void rows(const Rows& message) = 0;  // may be left out for a page that is slow
};

class Source {
 public:
  virtual ~Source() = default;

  // From now on the listener is told everything, beginning with a hello. Safe from every thread; after detach() returns, no call to
  // it is under way.
  virtual void attach(Listener& listener) = 0;
  virtual void detach(Listener& listener) = 0;

  // A page's request (docs/view-protocol.md). Safe from every thread; never waits for a step. Returns an `error` message for the page that
  // asked, or nothing.
  virtual std::string request(std::string_view json) = 0;
};

}  // namespace sinew::view
