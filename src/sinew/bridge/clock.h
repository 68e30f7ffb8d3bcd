// Clock: what paces the robot. Monotonic: a clock that is set does not move it. Virtual: time passes when somebody waits for it.
#pragma once
#include <cstdint>

namespace sinew::bridge {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t now() = 0;               // [ns]
  virtual void wait_until(std::int64_t t) = 0;  // in the past: not at all
};

// CLOCK_MONOTONIC. It sleeps until shortly before and looks at the clock from then on: a sleeper wakes up some ten microseconds late.
class MonotonicClock : public Clock {
 public:
  std::int64_t now() override;
  void wait_until(std::int64_t t) override;
};

class VirtualClock : public Clock {
 public:
  std::int64_t now() override { return now_; }
  void wait_until(std::int64_t t) override { now_ = t > now_ ? t : now_; }
  void pass(std::int64_t dt) { now_ += dt; }

 private:
  std::int64_t now_ = 0;
};

}  // namespace sinew::bridge
