#include "sinew/bridge/log.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "sinew/bridge/clock.h"
#include "sinew/files/place.h"
#include "sinew/sim/errors.h"

namespace sinew::bridge {
namespace {

constexpr std::string_view log_beginning = "sinew bridge log 1\n";
constexpr FileKind log_file{"log of sinew bridge", {"sinew bridge log ", ""}};

void compare(const Layout& layout, const ProcessImage& now, const ProcessImage& then, double t, Replayed& out) {
  out.compared++;
  for (std::size_t i = 0; i < now.numbers.size(); i++) {
    if (std::bit_cast<std::uint64_t>(now.numbers[i]) == std::bit_cast<std::uint64_t>(then.numbers[i])) continue;
    if (out.different++ == 0)
      out.first = fmt::format("{} at t = {:g} s: {}, the log has {}", layout.references[i].name, t, now.numbers[i],
                              then.numbers[i]);
    return;
  }
}

// What the controller of a log answered to, and what it has passed over, by ticks of the robot.
struct Answers {
  std::map<std::uint64_t, std::vector<std::byte>> by_tick;
  std::map<std::uint64_t, std::uint64_t> passed;  // first of some in a row, last
  std::int64_t unsure = 0;

  bool has_passed(std::uint64_t tick) const {
    const auto after = passed.upper_bound(tick);
    return after != passed.begin() && tick <= std::prev(after)->second;
  }
};

// Between two answers that it counts as a and b the controller has seen b - a images. It takes the newest that are there, so if these are less than
// the robot has sent, it has passed over those before; with more than one it is not sure where.
Answers read_answers(const std::string& file, const Layout& layout) {
  Answers out;
  Header last;
  std::vector<std::byte> bytes;
  for (LogReader reader(file, layout); reader.next(bytes);) {
    const Header h = header_of(bytes);
    if (h.magic != references_magic) continue;
    const bool goes_on = last.tick > 0 && h.tick > last.tick && h.echo > last.echo;
    const std::uint64_t seen = h.tick - last.tick, there = h.echo - last.echo;
    if (goes_on && seen < there) {
      out.passed[last.echo + 1] = h.echo - seen;
      if (seen > 1) out.unsure += std::int64_t(there - seen);
    }
    last = h;
    out.by_tick[h.echo] = bytes;
  }
  return out;
}

// The answer to this image; false: somebody wants to stop.
bool ask(Transport& transport, ProcessImage& measured, ProcessImage& answer, const std::atomic<bool>* interrupted) {
  MonotonicClock clock;
  std::span<const std::byte> send = measured.seal();
  for (int i = 1;; i++) {
    if (interrupted && interrupted->load()) return false;
    if (transport.exchange(send, answer.buffer(), clock.now() + glance)) {
      answer.unpack(answer.buffer());
      if (!(answer.header.status & (status::hello | status::bye)) && answer.header.echo == measured.header.tick &&
          answer.header.session == measured.header.session)
        return true;
      send = answer.header.status & status::hello ? measured.seal() : std::span<const std::byte>();
    } else {
      send = i % 4 == 0 ? measured.seal() : std::span<const std::byte>();
    }
  }
}

}  // namespace

LogReader::LogReader(const std::string& path, const Layout& layout) : layout_(layout), in_(path, std::ios::binary) {
  if (!in_) throw FileError(fmt::format("{}: cannot be read: {}: name a log", path, std::strerror(errno)));
  std::string beginning(log_beginning.size(), '\0');
  std::array<std::uint32_t, 3> head{};
  in_.read(beginning.data(), std::streamsize(beginning.size()));
  in_.read(reinterpret_cast<char*>(head.data()), sizeof head);
  if (!in_ || beginning != log_beginning)
    throw InputError(fmt::format("{}: not a log of sinew bridge: make one with --log FILE", path));
  if (head[0] != layout.hash || head[1] != layout.measured_bytes() || head[2] != layout.references_bytes())
    throw InputError(fmt::format(
        "{}: it is of a robot with another layout ({:08x}, ours is {:08x}): give the same SCENARIO, --set and "
        "--cycle",
        path, head[0], layout.hash));
}

bool LogReader::next(std::vector<std::byte>& image) {
  std::uint32_t magic = 0;
  if (!in_.read(reinterpret_cast<char*>(&magic), 4)) return false;
  if (magic != measured_magic && magic != references_magic) return false;
  const bool measured = magic == measured_magic;
  image.resize(measured ? layout_.measured_bytes() : layout_.references_bytes());
  std::memcpy(image.data(), &magic, 4);
  if (!in_.read(reinterpret_cast<char*>(image.data() + 4), std::streamsize(image.size() - 4))) return false;
  return check_frame(image, layout_, measured ? Side::Measured : Side::References) == Frame::Sound;
}

ImageLog::ImageLog(const std::string& file, const Layout& layout) : path_(file) {
  place_for(file, log_file);
  file_ = std::fopen(file.c_str(), "wb");
  if (!file_) throw FileError(fmt::format("--log {}: {}: name another file", file, std::strerror(errno)));
  const std::array<std::uint32_t, 3> head{layout.hash, std::uint32_t(layout.measured_bytes()),
                                          std::uint32_t(layout.references_bytes())};
  add(std::as_bytes(std::span(log_beginning)));
  add(std::as_bytes(std::span(head)));
}

ImageLog::~ImageLog() {
  if (file_) std::fclose(file_);
}

void ImageLog::add(std::span<const std::byte> image) {
  failed_ = failed_ || std::fwrite(image.data(), 1, image.size(), file_) != image.size();
}

void ImageLog::finish() {
  failed_ = std::fclose(file_) != 0 || failed_;
  file_ = nullptr;
  if (failed_) throw FileError(fmt::format("--log {}: not all could be written: is the disk full?", path_));
}

Replayed replay(const std::string& file, const Layout& layout, Transport& transport,
                const std::atomic<bool>* interrupted) {
  Replayed out;
  // An answer stands behind the measured values that it is for, in timed mode one or two images later.
  const Answers logged = read_answers(file, layout);
  out.unsure = logged.unsure;
  std::vector<std::byte> bytes;
  ProcessImage measured(layout, Side::Measured), answer(layout, Side::References), then(layout, Side::References);
  for (LogReader reader(file, layout); reader.next(bytes);) {
    const Header h = header_of(bytes);
    if (h.magic != measured_magic || logged.has_passed(h.tick)) continue;
    measured.unpack(bytes);
    if (measured.header.status & status::stopped) break;
    if (!ask(transport, measured, answer, interrupted)) {
      out.interrupted = true;
      break;
    }
    out.sent++;
    const auto found = logged.by_tick.find(h.tick);
    if (found == logged.by_tick.end()) continue;
    then.unpack(found->second);
    compare(layout, answer, then, measured.numbers[0], out);
  }
  measured.header.status |= status::stopped;
  measured.header.tick++;
  transport.exchange(measured.seal(), {}, 0);
  return out;
}

}  // namespace sinew::bridge
