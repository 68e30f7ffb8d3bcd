// What can be said of a robot on feet: how far its mass centre, and its zero-moment point, are from the edge of the feet that stand
// (docs/theory/hexapod.md#stability, docs/theory/biped.md#zero-moment-point). Feet are shapes that are called so: foot, a point, or sole, a box whose lower
// face stands.
#pragma once
#include "sinew/sim/quantities.h"

namespace sinew::sim {

bool has_support(const Model& model, int);  // three feet that are points, or a sole
bool has_soles(const Model& model, int);
double is_aloft(const Moment& moment, int, int);  // 1: nothing touches, and no foot is near the ground
double static_margin_of(const Moment& moment, int, int);
double zmp_of(const Moment& moment, int, int component);  // NaN: no foot carries
double zmp_moment_of(const Moment& moment, int, int);     // 0: no foot carries
double zmp_margin_of(const Moment& moment, int, int);     // minus infinity: no foot carries

}  // namespace sinew::sim
