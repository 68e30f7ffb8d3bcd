// POSIX shared memory: a slot for each direction, with a sequence counter that is odd while it is written. The reader copies and looks whether the
// counter has stayed the same: it never blocks the writer, and sees torn data as such. Who waits looks for as long as pays (Patience), then sleeps on the
// counter (futex), a millisecond at most, so that writers without futexes are heard as well.
//   byte 0    magic, version, layout, bytes measured, bytes references, connections (uint32 each), rest zero
//   byte 64   counter of measured values (uint32); byte 68: what their reader does (uint32); byte 128: their image
//   then      at the next multiple of 64: counter of references, their reader; 64 later: their image
// What a reader does: 0 it does not say, and every image is followed by a call of the kernel to wake it; 1 it is awake, and no call is needed;
// 2 it sleeps, or is about to. A controller of your own may leave that word alone.
// Record locks (fcntl) say who is there: byte 0 is the robot's, byte 1 the controller's. They go with their process, however it ends.
#pragma once
#include <memory>

#include "sinew/bridge/transport.h"

namespace sinew::bridge {

// For how long it pays to stay awake for an answer [ns]: twice as long as the last ones took. Who is woken by the kernel loses some ten
// microseconds, so answers that take less are waited for awake; where they take longer, waiting so would only take the processor from
// others, and the time for it becomes short.
class Patience {
 public:
  static constexpr std::int64_t least = 2'000, most = 100'000;
  std::int64_t awake() const { return awake_; }
  void learn(std::int64_t waited);

 private:
  std::int64_t awake_ = 20'000;
};

class SharedMemory : public Transport {
 public:
  // The robot makes the memory. A controller opens it: open_shared_memory(). Throws InputError: another robot has it, or a file of that name is
  // none of ours; FileError.
  SharedMemory(const Layout& layout, const std::string& name);
  ~SharedMemory() override;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  bool exchange(std::span<const std::byte> out, std::span<std::byte> in, std::int64_t deadline) override;
  std::uint32_t connections() override;
  std::string name() const override { return "shared memory " + name_; }
  bool is_robot_there() const;  // asked by a controller

  // nullptr: no robot has made it yet. Throws InputError: another controller has it, or it is of another robot; FileError.
  static std::unique_ptr<SharedMemory> open(const Layout& layout, const std::string& name);

 private:
  SharedMemory(const Layout& layout, const std::string& name, int descriptor, Side reads);
  void map();
  std::size_t slot_of(Side side) const;
  void sleep(std::uint32_t seen, std::int64_t longest);
  bool read(std::span<std::byte> in);
  void write(std::span<const std::byte> out);

  Layout layout_;
  std::string name_;
  int descriptor_ = -1;
  Side reads_;
  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
  std::uint32_t seen_ = 0;  // counter of the last image that was read
  Patience patience_;
};

}  // namespace sinew::bridge
