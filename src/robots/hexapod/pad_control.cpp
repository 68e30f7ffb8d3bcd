#include "robots/hexapod/pad_control.h"

#include <fmt/format.h>

#include <algorithm>

#include "robots/hexapod/body_keys.h"
#include "sinew/math/check.h"

namespace sinew::robots {

using namespace legged;

void add_pads(const HexapodControl& control, const SegmentedBody& body, Plan& plan) {
  AdhesionPlan& adhesion = plan.contact.adhesion;
  if (!control.clings || adhesion.kind == Adhesion::None || adhesion.area > 0.0 || !adhesion.pads.empty()) return;
  for (int i = 0; i < body.legs(); i++) {
    PadPlan pad;
    pad.name = pad.group = leg_name(i, body.segments);
    pad.shapes = {fmt::format("tibia_{}.foot", pad.name)};
    pad.area = control.pad_area;
    const bool has_group = std::ranges::find(adhesion.groups, pad.name, &PadGroupPlan::name) != adhesion.groups.end();
    if (!has_group) adhesion.groups.push_back({.name = pad.name});
    adhesion.pads.push_back(std::move(pad));
  }
}

PadGuard::PadGuard(const LiftGuard& other, const GaitTable& table, LegSet lost, double release_ticks,
                   std::span<double> memory)
    : other_(other), table_(table), lost_(lost), ticks_(release_ticks), off_(memory) {
  SINEW_ASSERT(memory.empty() || memory.size() >= std::size_t(most_legs));
}

bool PadGuard::may_lift(int leg, LegSet airborne) const {
  if (!other_.may_lift(leg, airborne)) return false;
  if (off_.empty()) return true;
  const double off = off_[std::size_t(leg)];
  LegSet before = asked_ & ~leg_bit(leg);  // those that have waited for longer, or have asked first
  for (int j = 0; j < table_.legs; j++)
    if (off_[std::size_t(j)] > off) before |= leg_bit(j);
  before &= ~airborne;
  const LegSet others = (before | airborne) & ~lost_;
  if ((table_.neighbours[std::size_t(leg)] & before) != 0 || count_legs(others) >= table_.most_airborne) return false;
  asked_ |= leg_bit(leg);
  return off >= ticks_;
}

LegSet PadGuard::released() const {
  LegSet out = 0;
  for (std::size_t i = 0; i < std::min(off_.size(), std::size_t(most_legs)); i++)
    if (off_[i] > 0.0) out |= leg_bit(int(i));
  return out;
}

void PadGuard::switch_pads(const GaitGenerator& generator, const GaitState& gait, const HexapodWiring& wiring,
                           Input<double>& out) {
  if (off_.empty()) return;
  for (int i = 0; i < generator.legs(); i++) {
    const bool flies = gait.leg[std::size_t(i)].in_air != 0.0, lost = gait.leg[std::size_t(i)].lost != 0.0;
    const bool comes_down = flies && !lost && generator.phase_tag(gait, i) == StepPhase::BackDown;
    const bool is_off = flies ? !comes_down : has_leg(asked_, i);
    double& off = off_[std::size_t(i)];
    off = is_off ? off + 1.0 : 0.0;
    if (const int at = wiring.leg[std::size_t(i)].pad; at >= 0) out.drive[std::size_t(at)] = is_off ? 0.0 : 1.0;
  }
}

void add_pad_signals(int segments, std::vector<MemorySignal>& out) {
  for (int i = 0; i < 2 * segments; i++) {
    const std::string name = leg_name(i, segments);
    out.push_back({"walk." + name + ".pad_off", "1",
                   "ticks since the voltage was taken from the pad of leg " + name + "; 0: it is on",
                   hexapod_memory_size() + i});
  }
}

}  // namespace sinew::robots
