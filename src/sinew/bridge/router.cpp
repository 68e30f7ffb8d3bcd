#include "sinew/bridge/router.h"

#include <fmt/format.h>

#include "sinew/bridge/clock.h"
#include "sinew/model/glob.h"
#include "sinew/sim/errors.h"

namespace sinew::bridge {

struct Router::Other {
  Other(const Layout& layout, const Route& given)
      : route(given), measured(layout, Side::Measured), references(layout, Side::References) {}
  Route route;
  std::unique_ptr<Transport> transport;  // nullptr: a log
  std::unique_ptr<LogReader> log;
  std::vector<std::size_t> slots;    // measured, that it gives
  std::vector<std::size_t> devices;  // whose states are its own
  ProcessImage measured, references;
  std::vector<std::byte> image;  // of a log
};

namespace {

bool is_stopped(const std::atomic<bool>* interrupted) { return interrupted && interrupted->load(); }

// "joint.knee_L1.q" is of device "knee_L1"; so is "drive.knee_L1.position".
bool is_of_device(const std::string& slot, const std::string& device) {
  return slot.find("." + device + ".") != std::string::npos;
}

}  // namespace

Route read_route(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string target = equals == std::string::npos ? "" : text.substr(equals + 1);
  const bool known = target.starts_with("udp:") || target.starts_with("shm:") || target.starts_with("log:");
  if (equals == 0 || !known || target.size() == 4)
    throw InputError(
        fmt::format("--route {}: not a route: give SLOTS=TARGET, as 'joint.knee_*=udp:7001'; targets are udp:PORT, "
                    "shm:NAME, log:FILE",
                    text));
  return {text.substr(0, equals), target};
}

Router::Router(const Layout& layout, Transport& controller, const std::vector<Route>& routes, const OpenTarget& open,
               const std::atomic<bool>* interrupted, bool timed)
    : layout_(layout),
      controller_(controller),
      interrupted_(interrupted),
      timed_(timed),
      measured_(layout, Side::Measured),
      references_(layout, Side::References) {
  MonotonicClock clock;
  for (const Route& route : routes) {
    auto other = std::make_unique<Other>(layout, route);
    for (std::size_t i = 1; i < layout.measured.size(); i++)  // the time stays ours
      if (matches(route.slots, layout.measured[i].name)) other->slots.push_back(i);
    if (other->slots.empty())
      throw InputError(
          fmt::format("--route {}: no measured value has such a name: sinew bridge --header lists all", route.slots));
    if (route.target.starts_with("log:")) {
      other->log = std::make_unique<LogReader>(route.target.substr(4), layout);
    } else {
      for (std::size_t d = 0; d < layout.devices.size(); d++)
        for (const std::size_t i : other->slots)
          if (is_of_device(layout.measured[i].name, layout.devices[d])) {
            other->devices.push_back(d);
            break;
          }
      while (!other->transport && !is_stopped(interrupted)) {
        other->transport = open(route);
        if (!other->transport) clock.wait_until(clock.now() + glance);
      }
      if (other->transport) ask(*other);
    }
    others_.push_back(std::move(other));
  }
}

Router::~Router() {
  for (const auto& other : others_) {
    if (!other->transport) continue;
    other->references.header.status = status::bye;
    other->transport->exchange(other->references.seal(), {}, 0);
  }
}

// The next values of the other robot: lock-step waits for them, timed takes what is there.
void Router::ask(Other& other) {
  MonotonicClock clock;
  ProcessImage& references = other.references;
  const bool begins = other.measured.header.session == 0;
  references.header.status = begins ? std::uint32_t(status::hello) : 0u;
  std::span<const std::byte> send = references.seal();
  while (!is_stopped(interrupted_)) {
    const bool waits = begins || !timed_;
    const bool got = other.transport->exchange(send, other.measured.buffer(), waits ? clock.now() + glance : 0);
    if (!got && !waits) return;
    send = got ? std::span<const std::byte>() : references.seal();
    if (!got) continue;
    const Header h = header_of(other.measured.buffer());
    if (begins && h.status & (status::busy | status::wrong_layout))
      throw InputError(fmt::format("--route {}={}: {}", other.route.slots, other.route.target,
                                   h.status & status::busy
                                       ? "another controller is at work there: stop it first"
                                       : "the robot there has another layout: give it the same SCENARIO"));
    if (!begins && h.tick <= references.header.echo && h.session == references.header.session)
      continue;  // it repeats itself
    other.measured.unpack(other.measured.buffer());
    return;
  }
}

void Router::replace(const Other& other) {
  for (const std::size_t i : other.slots) measured_.numbers[i] = other.measured.numbers[i];
  const std::size_t n = layout_.devices.size();
  for (const std::size_t d : other.devices) {
    if (other.measured.words[n + d] == 0) continue;  // a fault there is a fault of the robot
    measured_.words[d] = other.measured.words[d];
    measured_.words[n + d] = other.measured.words[n + d];
  }
}

bool Router::exchange(std::span<const std::byte> out, std::span<std::byte> in, std::int64_t deadline) {
  if (!out.empty()) {
    const bool is_new = header_of(out).tick != measured_.header.tick;
    measured_.unpack(out);
    for (const auto& other : others_) {
      if (other->log && is_new)
        while (other->log->next(other->image))
          if (header_of(other->image).magic == measured_magic) {
            other->measured.unpack(other->image);
            break;
          }
      replace(*other);
    }
    if (measured_.header.status & status::stopped) answered_ = 0;
  }
  const bool got = controller_.exchange(out.empty() ? out : measured_.seal(), in, deadline);
  counts_ = controller_.counts();
  if (!got) return false;
  const Header h = header_of(in);
  if (h.status & (status::hello | status::bye) || h.echo == answered_) return true;
  if (!timed_ && h.echo != measured_.header.tick) return true;
  answered_ = h.echo;
  references_.unpack(in);
  for (const auto& other : others_) {
    if (!other->transport) continue;
    other->references.words = references_.words;
    other->references.numbers = references_.numbers;
    other->references.header.session = other->measured.header.session;
    other->references.header.echo = other->measured.header.tick;
    other->references.header.time = h.time;
    other->references.header.tick++;
    ask(*other);
  }
  return true;
}

}  // namespace sinew::bridge
