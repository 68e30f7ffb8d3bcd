// Both sides in one process: a function call. What is sent is answered at once; who receives gets the answer, so that in timed mode it acts one
// cycle later, as one from elsewhere.
#pragma once
#include <functional>

#include "sinew/bridge/transport.h"

namespace sinew::bridge {

class InProcess : public Transport {
 public:
  // answer: the bytes of the other side's image for those of ours; empty: none.
  using Answer = std::function<std::span<const std::byte>(std::span<const std::byte>)>;
  explicit InProcess(Answer answer) : answer_(std::move(answer)) {}

  bool exchange(std::span<const std::byte> out, std::span<std::byte> in, std::int64_t deadline) override;
  std::uint32_t connections() override { return 1; }
  std::string name() const override { return "in this process"; }

 private:
  Answer answer_;
  std::span<const std::byte> answered_;
};

}  // namespace sinew::bridge
