// A source that says what a test wants, and remembers what it was asked.
#pragma once
#include <algorithm>
#include <cstring>
#include <mutex>

#include "view/source.h"

namespace sinew::test {

class FakeSource : public view::Source {
 public:
  void attach(view::Listener& listener) override {
    const std::lock_guard lock(mutex_);
    listeners_.push_back(&listener);
    listener.text(std::make_shared<const std::string>(R"({"type":"hello"})"));
  }
  void detach(view::Listener& listener) override {
    const std::lock_guard lock(mutex_);
    std::erase(listeners_, &listener);
  }
  std::string request(std::string_view json) override {
    const std::lock_guard lock(mutex_);
    requests_.emplace_back(json);
    return json == "wrong" ? R"({"type":"error","what":"wrong"})" : "";
  }

  void say(const std::string& text) {
    const std::lock_guard lock(mutex_);
    for (view::Listener* listener : listeners_) listener->text(std::make_shared<const std::string>(text));
  }
  // A message of one row whose only number of interest is `number`, filled up to `size` bytes.
  void row(double number, std::size_t size) {
    std::vector<std::byte> bytes(size);
    const std::uint32_t head[2] = {1, 1};
    std::memcpy(bytes.data(), head, sizeof head);
    std::memcpy(bytes.data() + 8, &number, sizeof number);
    const auto message = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    const std::lock_guard lock(mutex_);
    for (view::Listener* listener : listeners_) listener->rows(message);
  }

  std::size_t listeners() {
    const std::lock_guard lock(mutex_);
    return listeners_.size();
  }
  std::vector<std::string> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  std::mutex mutex_;
  std::vector<view::Listener*> listeners_;
  std::vector<std::string> requests_;
};

}  // namespace sinew::test
