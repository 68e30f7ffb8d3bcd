// Pads under the feet (docs/theory/hexapod.md#pads): when a leg is to lift, its share of the load goes over to the others, the voltage of its pad is
// taken away, and after a time in which it discharges the leg lifts, so that it comes off without a pull. On its way down the voltage comes back.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "robots/catalog.h"
#include "robots/hexapod/walk_control.h"
#include "sinew/control/legs/gait_generator.h"
#include "sinew/model/state.h"

namespace sinew::robots {

// Doubles alone; follows HexapodMemory in its block where `clings` is set.
struct PadMemory {
  std::array<double, legged::most_legs> off{};  // ticks since the voltage was taken away; 0: it is on
};
inline int pad_memory_size() { return int(sizeof(PadMemory) / sizeof(double)); }

// A pad and a group of its own for each foot, where pads are wanted ([contact] adhesion) and the file has none.
void add_pads(const HexapodControl& control, const legged::SegmentedBody& body, Plan& plan);

// May a leg lift: what another guard says, and its pad has been off for long enough. Whoever asks begins to wait, if those that wait already could
// be in the air together with it.
class PadGuard : public legged::LiftGuard {
 public:
  // memory: what follows HexapodMemory; empty: there are no pads.
  PadGuard(const legged::LiftGuard& other, const legged::GaitTable& table, legged::LegSet lost, double release_ticks,
           std::span<double> memory);
  bool may_lift(int leg, legged::LegSet airborne) const override;
  legged::LegSet released() const;  // their pads are off, or will be: they carry nothing
  // After the tick of the generator: pads of legs that asked stay off, those of feet that stand or come down are on.
  void switch_pads(const legged::GaitGenerator& generator, const legged::GaitState& gait, const HexapodWiring& wiring,
                   Input<double>& out);

 private:
  const legged::LiftGuard& other_;
  const legged::GaitTable& table_;
  legged::LegSet lost_;
  double ticks_;  // for which a pad is off before its leg lifts
  std::span<double> off_;
  mutable legged::LegSet asked_ = 0;
};

void add_pad_signals(int segments, std::vector<MemorySignal>& out);

}  // namespace sinew::robots
