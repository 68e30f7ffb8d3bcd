#include "sinew/bridge/own_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/bridge/devices.h"
#include "sinew/sim/errors.h"

namespace sinew::bridge {

OwnController::OwnController(const Layout& layout, const sim::Experiment& experiment)
    : layout_(layout),
      controller_(experiment.make_controller()),
      measured_(layout, Side::Measured),
      references_(layout, Side::References) {
  if (!controller_)
    throw InputError(
        fmt::format("{}: this robot has no controller of its own: leave --as controller out and connect yours",
                    experiment.scenario.name));
  const World<double> world = experiment.world();
  const Model& model = experiment.model();
  memory_ = world.state.memory;
  rehearsal_ = memory_;
  input_ = world.input;
  rehearsed_ = input_;
  readings_.q.resize(std::size_t(model.n_coords));
  readings_.u.resize(std::size_t(model.n_axes));
  readings_.saturated.resize(model.sensors.size());
  readings_.lost.resize(model.sensors.size());
  if (!model.sensors.empty())
    readings_.sensor.resize(std::size_t(model.sensors.back().reading + model.sensors.back().n));
}

// By Slot::at: t, q, u, sensor, saturated, lost.
void OwnController::take_readings() {
  for (std::size_t i = 0; i < layout_.measured.size(); i++) {
    const std::size_t at = std::size_t(layout_.measured[i].at);
    (at == 0 ? readings_.t : *number_at(readings_, at - 1)) = measured_.numbers[i];
  }
}

void OwnController::give_references() {
  const bool runs = measured_.header.status & status::running;
  const Input<double>& input = runs ? input_ : rehearsed_;
  for (std::size_t i = 0; i < layout_.references.size(); i++) {
    references_.numbers[i] = command_at(input, std::size_t(layout_.references[i].at));
  }
  const std::size_t n = layout_.devices.size();
  for (std::size_t i = 0; i < n; i++)  // faults stand behind states
    references_.words[i] = state::operational | (measured_.words[n + i] != 0 ? control::reset : 0);
}

std::span<const std::byte> OwnController::answer(std::span<const std::byte> measured, std::int64_t now) {
  const Header before = measured_.header;
  measured_.unpack(measured);
  const Header& header = measured_.header;
  if (header.tick != before.tick || header.session != before.session) {
    take_readings();
    if (header.status & status::running) {
      controller_->update(readings_, memory_, input_);
    } else {
      std::ranges::copy(memory_, rehearsal_.begin());
      rehearsed_ = input_;
      controller_->update(readings_, rehearsal_, rehearsed_);
    }
    give_references();
    references_.header.tick++;
  }
  references_.header.session = header.session;
  references_.header.echo = header.tick;
  references_.header.time = std::uint64_t(now);
  references_.header.status = 0;
  return references_.seal();
}

std::span<const std::byte> OwnController::say(std::uint32_t word) {
  references_.header.status = word;
  return references_.seal();
}

namespace {

[[noreturn]] void refuse(const Transport& transport, std::uint32_t word) {
  throw InputError(
      word & status::busy
          ? fmt::format("{}: another controller is at work there: stop it first", transport.name())
          : fmt::format("{}: the robot there has another layout: give the same SCENARIO, --set and --cycle",
                        transport.name()));
}

// One connection, until it breaks; nothing: another is to be made.
std::optional<Served> serve_one(OwnController& controller, Transport& transport, const ServeOptions& options) {
  MonotonicClock clock;
  std::vector<std::byte> in(controller.seen().size());
  std::span<const std::byte> send = controller.say(status::hello);
  bool heard = false;
  while (!(options.interrupted && options.interrupted->load())) {
    const bool got = transport.exchange(send, in, clock.now() + glance);
    send = {};
    if (!got) {
      if (options.is_there && !options.is_there(transport)) return std::nullopt;
      if (!heard || !options.is_there) send = controller.say(status::hello);  // it may have come only now, or anew
      continue;
    }
    const std::uint32_t word = header_of(in).status;
    if (word & (status::busy | status::wrong_layout)) refuse(transport, word);
    if (word & status::stopped) return Served::Stopped;
    if (word & status::refused && !(word & status::timed)) return Served::Refused;
    if (!heard && options.tell) options.tell(fmt::format("connected: {}", transport.name()));
    heard = true;
    send = controller.answer(in, clock.now());
  }
  transport.exchange(controller.say(status::bye), {}, 0);
  return Served::Interrupted;
}

}  // namespace

Served serve(OwnController& controller, const Connect& connect, const ServeOptions& options) {
  MonotonicClock clock;
  bool told = false;
  for (;;) {
    if (options.interrupted && options.interrupted->load()) return Served::Interrupted;
    const std::unique_ptr<Transport> transport = connect();
    if (!transport) {
      if (!told && options.tell) options.tell("no robot there yet: waiting for it");
      told = true;
      clock.wait_until(clock.now() + glance);
      continue;
    }
    if (const std::optional<Served> served = serve_one(controller, *transport, options)) return *served;
    told = false;
  }
}

}  // namespace sinew::bridge
