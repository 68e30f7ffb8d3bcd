// The listeners of a source, from whatever threads they come and go. Everything is said by the source's own thread.
#pragma once
#include <atomic>
#include <functional>
#include <mutex>

#include "view/source.h"

namespace sinew::view {

class Audience {
 public:
  // From every thread. A listener hears nothing before it was greeted.
  void attach(Listener& listener);
  void detach(Listener& listener);  // once it returns, no call to the listener is under way
  bool is_empty() const { return count_ == 0; }
  bool has_new() const { return new_ > 0; }

  // From the source's thread. `welcome` is called for each listener that has not been greeted yet.
  void greet(const std::function<void(Listener&)>& welcome);
  void text(const Text& message);
  void rows(const Rows& message);

 private:
  struct Seat {
    Listener* listener;
    bool greeted;
  };
  std::mutex mutex_;  // held while a listener is called
  std::vector<Seat> seats_;
  std::atomic<int> count_ = 0, new_ = 0;
};

}  // namespace sinew::view
