// What the connections of one server share. Only its thread looks at it.
#pragma once
#include <atomic>
#include <set>

#include "view/guard.h"
#include "view/server.h"

namespace sinew::view {

class Client;

struct Hub {
  Content content;
  Guard guard;
  Limits limits;
  std::unique_ptr<Source> opened;  // by a page's wish
  std::set<Client*> clients;
  std::atomic<int> client_count = 0;  // the same, for other threads
  int connections = 0;
  bool is_ending = false;

  Source* source() const { return content.source ? content.source : opened.get(); }
};

}  // namespace sinew::view
