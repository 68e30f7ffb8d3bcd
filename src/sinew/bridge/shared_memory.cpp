#include "sinew/bridge/shared_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>

#include "sinew/bridge/clock.h"
#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"

namespace sinew::bridge {
namespace {

constexpr std::uint32_t memory_magic = 0x4d574e53, memory_version = 1;  // "SNWM"
constexpr std::size_t connections_at = 20, measured_at = 64, image_after = 64;

std::size_t round_up(std::size_t n) { return (n + 63) / 64 * 64; }
std::size_t references_at(const Layout& layout) {
  return measured_at + image_after + round_up(layout.measured_bytes());
}
std::size_t memory_size(const Layout& layout) {
  return references_at(layout) + image_after + round_up(layout.references_bytes());
}

std::atomic_ref<std::uint32_t> word_at(std::byte* memory, std::size_t at) {
  return std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(memory + at));
}

// Images are copied by eights: so no reader sees half a number, and no compiler moves the copies past the counter.
void copy_in(std::byte* to, std::span<const std::byte> from) {
  for (std::size_t i = 0; i + 8 <= from.size(); i += 8) {
    std::uint64_t x;
    std::memcpy(&x, from.data() + i, 8);
    std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(to + i)).store(x, std::memory_order_relaxed);
  }
}
void copy_out(std::span<std::byte> to, std::byte* from) {
  for (std::size_t i = 0; i + 8 <= to.size(); i += 8) {
    const std::uint64_t x =
        std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(from + i)).load(std::memory_order_relaxed);
    std::memcpy(to.data() + i, &x, 8);
  }
}

// What the reader of a slot does, in the word behind the slot's counter.
constexpr std::size_t reader_after = 4;
namespace reader {
enum : std::uint32_t { silent = 0, awake = 1, asleep = 2 };
}

// Between two looks: leaves the core to the other thread on it.
void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// A reader tells before it looks at the counter for the last time, a writer counts before it looks at the reader: one of them sees the other.
void wake(std::byte* memory, std::size_t at) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (word_at(memory, at + reader_after).load(std::memory_order_relaxed) == reader::awake) return;
  syscall(SYS_futex, memory + at, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

struct flock lock_of(Side reads, short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = reads == Side::References ? 0 : 1;  // the robot reads references
  lock.l_len = 1;
  return lock;
}
bool take_lock(int descriptor, Side reads) {
  struct flock lock = lock_of(reads, F_WRLCK);
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0;
}
bool is_locked(int descriptor, Side reads) {
  struct flock lock = lock_of(reads, F_WRLCK);
  return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

// Without the slash that some write before it.
std::string plain_name(const std::string& name) {
  const std::string plain = name.starts_with("/") ? name.substr(1) : name;
  const auto is_good = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-';
  };
  if (plain.empty() || plain.size() > 100 || plain.starts_with(".") || !std::ranges::all_of(plain, is_good))
    throw InputError(
        fmt::format("--shm {}: not a name for shared memory: use up to 100 letters, digits, dots, _ and -", name));
  return plain;
}

[[noreturn]] void fail_file(const std::string& name, const char* what) {
  throw FileError(fmt::format("/dev/shm/{}: {}: {}: give --shm another name", name, what, std::strerror(errno)));
}

}  // namespace

SharedMemory::SharedMemory(const Layout& layout, const std::string& name)
    : SharedMemory(layout, plain_name(name),
                   shm_open(("/" + plain_name(name)).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600), Side::References) {
  if (descriptor_ < 0) fail_file(name_, "cannot be made");
  struct stat found {};
  if (fstat(descriptor_, &found) != 0) fail_file(name_, "cannot be read");
  std::uint32_t first = 0;
  if (found.st_size > 0 && (pread(descriptor_, &first, 4, 0) != 4 || first != memory_magic)) {
    close(descriptor_);
    throw InputError(fmt::format("--shm {}: something else has this shared memory: give another name", name_));
  }
  if (!take_lock(descriptor_, reads_)) {
    close(descriptor_);
    throw InputError(fmt::format("--shm {}: another robot waits there already: stop it, or give another name", name_));
  }
  // Never shorter: a controller of the last run may still look at it.
  size_ = std::max(memory_size(layout_), std::size_t(found.st_size));
  if (ftruncate(descriptor_, off_t(size_)) != 0) fail_file(name_, "there is no room for it");
  map();
  const std::array<std::uint32_t, 5> head{memory_magic, memory_version, layout_.hash,
                                          std::uint32_t(layout_.measured_bytes()),
                                          std::uint32_t(layout_.references_bytes())};
  for (std::size_t i = 1; i < head.size(); i++) word_at(memory_, 4 * i).store(head[i]);
  word_at(memory_, 0).store(head[0]);  // the last: now it is ours
  seen_ = word_at(memory_, references_at(layout_)).load() & ~1u;
  word_at(memory_, measured_at + reader_after).store(reader::silent);  // until it says something
  word_at(memory_, slot_of(reads_) + reader_after).store(reader::awake);
}

SharedMemory::SharedMemory(const Layout& layout, const std::string& name, int descriptor, Side reads)
    : layout_(layout), name_(name), descriptor_(descriptor), reads_(reads) {}

std::unique_ptr<SharedMemory> SharedMemory::open(const Layout& layout, const std::string& given) {
  const std::string name = plain_name(given);
  const int descriptor = shm_open(("/" + name).c_str(), O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0 && errno == ENOENT) return nullptr;
  if (descriptor < 0) fail_file(name, "cannot be opened");
  std::unique_ptr<SharedMemory> out(new SharedMemory(layout, name, descriptor, Side::Measured));
  std::array<std::uint32_t, 5> head{};
  struct stat found {};
  if (fstat(descriptor, &found) != 0 || pread(descriptor, head.data(), sizeof head, 0) != ssize_t(sizeof head) ||
      head[0] != memory_magic || !is_locked(descriptor, Side::References))
    return nullptr;  // not yet, or no longer
  if (head[1] != memory_version || head[2] != layout.hash || found.st_size < off_t(memory_size(layout)))
    throw InputError(fmt::format(
        "--shm {}: the robot there has another layout ({:08x}, ours is {:08x}): give the same SCENARIO, --set "
        "and --cycle",
        name, head[2], layout.hash));
  if (!take_lock(descriptor, Side::Measured))
    throw InputError(fmt::format("--shm {}: another controller is at work there: stop it first", name));
  out->size_ = std::size_t(found.st_size);
  out->map();
  word_at(out->memory_, connections_at).fetch_add(1);
  out->seen_ = word_at(out->memory_, measured_at).load() & ~1u;
  word_at(out->memory_, measured_at + reader_after).store(reader::awake);
  return out;
}

SharedMemory::~SharedMemory() {
  if (memory_) {
    word_at(memory_, slot_of(reads_) + reader_after).store(reader::silent);  // the next one may not say what it does
    if (reads_ == Side::References) shm_unlink(("/" + name_).c_str());
    munmap(memory_, size_);
  }
  if (descriptor_ >= 0) close(descriptor_);
}

void SharedMemory::map() {
  void* at = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (at == MAP_FAILED) fail_file(name_, "cannot be mapped");
  memory_ = static_cast<std::byte*>(at);
}

std::uint32_t SharedMemory::connections() { return word_at(memory_, connections_at).load(); }
bool SharedMemory::is_robot_there() const { return is_locked(descriptor_, Side::References); }

std::size_t SharedMemory::slot_of(Side side) const {
  return side == Side::References ? references_at(layout_) : measured_at;
}

void SharedMemory::write(std::span<const std::byte> out) {
  const std::size_t at = slot_of(reads_ == Side::References ? Side::Measured : Side::References);
  const auto counter = word_at(memory_, at);
  const std::uint32_t odd = counter.load(std::memory_order_relaxed) | 1u;  // as well after a writer that died amid
  counter.store(odd, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  copy_in(memory_ + at + image_after, out);
  counter.store(odd + 1, std::memory_order_release);
  wake(memory_, at);
}

// False: nothing new, or it is being written.
bool SharedMemory::read(std::span<std::byte> in) {
  const std::size_t at = slot_of(reads_);
  const auto counter = word_at(memory_, at);
  const std::uint32_t before = counter.load(std::memory_order_acquire);
  if (before == seen_ || before % 2 == 1) return false;
  copy_out(in, memory_ + at + image_after);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (counter.load(std::memory_order_relaxed) != before) return false;
  seen_ = before;
  return true;
}

// While the counter is `seen`, for a millisecond at most.
void SharedMemory::sleep(std::uint32_t seen, std::int64_t longest) {
  const std::size_t at = slot_of(reads_);
  const auto says = word_at(memory_, at + reader_after);
  const timespec t{.tv_sec = 0, .tv_nsec = std::clamp<std::int64_t>(longest, 1, 1'000'000)};
  says.store(reader::asleep, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  syscall(SYS_futex, memory_ + at, FUTEX_WAIT, seen, &t, nullptr, 0);  // returns at once if it has changed
  says.store(reader::awake, std::memory_order_relaxed);
}

void Patience::learn(std::int64_t waited) {
  const std::int64_t wanted = waited > most ? awake_ / 2 : std::max(2 * waited, awake_ - awake_ / 8);
  awake_ = std::clamp(wanted, least, most);
}

bool SharedMemory::exchange(std::span<const std::byte> out, std::span<std::byte> in, std::int64_t deadline) {
  if (!out.empty()) write(out);
  if (in.empty()) return false;
  const std::size_t at = slot_of(reads_);
  constexpr std::uint64_t looks = 32;  // between two looks at the clock, which takes as long as many at the counter
  MonotonicClock clock;
  std::int64_t from = 0;
  for (std::uint64_t i = 0;; i++) {
    if (read(in)) {
      const Frame frame = check_frame(in, layout_, reads_);
      if (frame == Frame::Sound) {
        counts_.received++;
        if (i > 0) patience_.learn(clock.now() - from);
        return true;
      }
      (frame == Frame::Garbage ? counts_.garbage : counts_.wrong_layout)++;
    }
    if (i % looks == 0) {
      const std::int64_t now = clock.now(), left = deadline - now;
      if (left <= 0) return false;
      if (i == 0) from = now;
      const std::uint32_t count = word_at(memory_, at).load(std::memory_order_relaxed);
      if (now - from >= patience_.awake() && (count == seen_ || count % 2 == 1)) sleep(count, left);
    }
    relax();
  }
}

}  // namespace sinew::bridge
