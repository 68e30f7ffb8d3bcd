// A leg that pushes while the others stand (docs/theory/hexapod.md#press). The body shifts until they carry it, the foot goes to where it begins, and its
// aim moves along d until its sensor says that it pushes with the force that was asked for:
//   x_aim' = k (F - f),   |x_aim'| <= v;   F force asked for, f measured along d [N], k [m/(N s)]
// What it meets pushes back with -f d at p: the others carry W' = W + f d_z and act about
//   x' = (W x_com - f (d_x p_z - d_z p_x)) / W'      and y' alike, heights over the plane of the feet
#pragma once
#include <span>

#include "robots/hexapod/servo_level.h"
#include "sinew/control/legs/margin_guard.h"

namespace sinew::robots {

enum class PressState { Off, Shift, Go, Push, Back, Down };

class LegPresser {
 public:
  LegPresser(const HexapodControl& control, const legged::SegmentedBody& body, double period)
      : c_(control), body_(body), period_(period) {}

  bool is_asked(const HexapodMemory& m) const;
  bool is_busy(const HexapodMemory& m) const { return m.press.state != 0.0 || is_asked(m); }
  // Before the guard is made: what the foot pushes, and where the load is then.
  void feel(HexapodMemory& m, Sight& see) const;
  // The guard keeps the body where it stands without the leg; the foot of the leg is where it should be, in G.
  void step(const legged::MarginGuard& guard, const Sight& see, HexapodMemory& m, std::span<Vec3d> feet) const;

 private:
  void next(HexapodMemory& m, PressState state) const;
  void begin(HexapodMemory& m) const;
  void push(HexapodMemory& m) const;
  Vec3d on_way(const PressMemory& p) const;
  double way_time(const PressMemory& p) const;

  HexapodControl c_;
  legged::SegmentedBody body_;
  double period_;
};

std::vector<std::string> press_remarks(const HexapodMemory& m, int segments);

}  // namespace sinew::robots
