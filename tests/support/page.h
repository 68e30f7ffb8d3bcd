// A page that only remembers what it was told.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>

#include "view/source.h"

namespace sinew::view::test {

using Json = nlohmann::json;

struct Row {
  std::uint32_t generation;
  std::vector<double> values;
};

class Page : public Listener {
 public:
  void text(const Text& message) override {
    const std::lock_guard lock(mutex_);
    const Json json = Json::parse(*message);
    if (json["type"] == "hello") {
      hello_ = json;
      n_signals_ = json["signals"].size();
      rows_.clear();
    }
    texts_.push_back(json);
    changed_.notify_all();
  }

  void rows(const Rows& message) override {
    const std::lock_guard lock(mutex_);
    std::uint32_t head[2];
    ASSERT_GE(message->size(), sizeof head);
    std::memcpy(head, message->data(), sizeof head);
    ASSERT_EQ(message->size(), sizeof head + head[1] * n_signals_ * sizeof(double));
    for (std::uint32_t i = 0; i < head[1]; i++) {
      Row row{head[0], std::vector<double>(n_signals_)};
      std::memcpy(row.values.data(), message->data() + sizeof head + i * n_signals_ * sizeof(double),
                  n_signals_ * sizeof(double));
      rows_.push_back(row);
    }
    changed_.notify_all();
  }

  // Waits until it is so; false: it has not come to that in a long time.
  template <class F>
  bool until(F is_so) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(10), [&] { return is_so(*this); });
  }
  template <class F>
  bool until_told(F is_meant) {
    return until([&](const Page& p) { return std::any_of(p.texts_.begin(), p.texts_.end(), is_meant); });
  }
  bool until_rows(std::size_t n) {
    return until([&](const Page& p) { return p.rows_.size() >= n; });
  }
  // A text of this type that comes after the first `after` ones.
  Json next(const std::string& type, std::size_t after = 0) {
    Json found;
    EXPECT_TRUE(until([&](const Page& p) {
      for (std::size_t i = after; i < p.texts_.size(); i++)
        if (p.texts_[i]["type"] == type) return found = p.texts_[i], true;
      return false;
    })) << "no "
        << type;
    return found;
  }

  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return texts_.size();
  }
  std::vector<Json> all() {
    const std::lock_guard lock(mutex_);
    return texts_;
  }
  std::vector<Row> seen() {
    const std::lock_guard lock(mutex_);
    return rows_;
  }
  Json hello() {
    next("hello");
    const std::lock_guard lock(mutex_);
    return hello_;
  }
  // Of the last hello.
  Json parameter(const std::string& key) {
    const Json all = hello();
    for (const Json& p : all["parameters"])
      if (p["key"] == key) return p;
    ADD_FAILURE() << "no parameter " << key;
    return {};
  }
  std::size_t column(const std::string& name) {
    const Json signals = hello()["signals"];
    for (std::size_t i = 0; i < signals.size(); i++)
      if (signals[i]["name"] == name) return i;
    ADD_FAILURE() << "no signal " << name;
    return 0;
  }
  std::vector<double> values(const std::string& name) {
    const std::size_t i = column(name);
    std::vector<double> out;
    for (const Row& row : seen()) out.push_back(row.values[i]);
    return out;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Json> texts_;
  std::vector<Row> rows_;  // since the last hello
  Json hello_;
  std::size_t n_signals_ = 0;
};

}  // namespace sinew::view::test
