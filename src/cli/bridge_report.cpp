#include "cli/bridge_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

using Json = nlohmann::ordered_json;
namespace bridge = sinew::bridge;

// Times in seconds; bins that are not empty, by their lower ends.
Json json_of(const bridge::Histogram& h) {
  Json out{{"count", h.count()},
           {"min", double(h.least()) * 1e-9},
           {"median", double(h.share(0.5)) * 1e-9},
           {"p99", double(h.share(0.99)) * 1e-9},
           {"max", double(h.most()) * 1e-9},
           {"mean", h.mean() * 1e-9},
           {"bin", double(h.width()) * 1e-9}};
  Json bins = Json::array();
  for (int i = 0; i < bridge::Histogram::bins; i++)
    if (h.at(i) > 0) bins.push_back({double(h.from(i)) * 1e-9, h.at(i)});
  out["histogram"] = std::move(bins);
  return out;
}

std::string line_of(const char* name, const bridge::Histogram& h) {
  if (h.count() == 0) return {};
  const auto us = [](std::int64_t t) { return double(t) * 1e-3; };
  return fmt::format("  {:<22} {:9.1f} us median, {:.1f} to {:.1f} us, 99 % below {:.1f} us\n", name, us(h.share(0.5)),
                     us(h.least()), us(h.most()), us(h.share(0.99)));
}

}  // namespace

std::string with_bridge(const std::string& run_json, const bridge::Layout& layout, const bridge::Remote& remote,
                        const bridge::Transport& transport) {
  Json out = Json::parse(run_json);
  const bridge::RemoteReport& r = remote.report();
  const bridge::TransportCounts& c = transport.counts();
  out["bridge"] = {{"transport", transport.name()},
                   {"layout", fmt::format("{:08x}", layout.hash)},
                   {"cycle", layout.cycle},
                   {"devices", layout.devices.size()},
                   {"cycles", r.cycles},
                   {"references_hash", fmt::format("{:016x}", r.hash)},
                   {"missed", r.missed},
                   {"lost", r.lost},
                   {"late", r.late_packets},
                   {"gaps", r.gaps},
                   {"overruns", r.overruns},
                   {"safe_states", r.falls},
                   {"safe_from", r.safe_from < 0.0 ? Json() : Json(r.safe_from)},
                   {"refused", r.refused},
                   {"refusal", r.refusal},
                   {"stale", r.stale},
                   {"garbage", c.garbage},
                   {"wrong_layout", c.wrong_layout},
                   {"other_controllers", c.second},
                   {"forged", c.forged},
                   {"age", json_of(r.age)},
                   {"dead_time", json_of(r.dead)},
                   {"lateness", json_of(r.late)},
                   {"round_trip", json_of(r.round_trip)}};
  return out.dump(2) + "\n";
}

std::string bridge_summary(const bridge::Remote& remote, const bridge::Transport& transport, bool timed) {
  const bridge::RemoteReport& r = remote.report();
  const bridge::TransportCounts& c = transport.counts();
  std::string out = fmt::format("bridge: {}, {}\n", transport.name(), timed ? "timed" : "lock-step");
  out += fmt::format("  {:<22} {} (references {:016x})\n", "cycles", r.cycles, r.hash);
  out += line_of("round trip", r.round_trip) + line_of("age of data when used", r.age) +
         line_of("sample to actuation", r.dead) + line_of("cycles begin late by", r.late);
  if (timed)
    out += fmt::format(
        "  {:<22} {} overruns, {} without references ({} lost, {} late on purpose), {} times safe; {} images of the "
        "controller lost or overtaken on their way\n",
        "", r.overruns, r.missed, r.lost, r.late_packets, r.falls, r.gaps);
  if (r.refused + c.garbage + c.wrong_layout + c.second + c.forged + r.stale > 0)
    out += fmt::format(
        "  {:<22} {} with bad references, {} of other controllers, {} of other robots, {} without the key, {} stale, "
        "{} "
        "garbage\n",
        "images refused", r.refused, c.second, c.wrong_layout, c.forged, r.stale, c.garbage);
  return out;
}

}  // namespace cli
