#include "sinew/math/trig.h"

#include <algorithm>

namespace sinew {

void sincos_all(const double* angles, int n, SinCos<double>* out) {
  for (int first = 0; first < n; first += lane_count) {
    const int count = std::min(lane_count, n - first);
    Lanes x = 0.0, s, c;
    for (int i = 0; i < count; i++) x.set(i, angles[first + i]);
    sincos(x, s, c);
    for (int i = 0; i < count; i++) out[first + i] = {s[i], c[i]};
  }
}

void sincos_all(const Lanes* angles, int n, SinCos<Lanes>* out) {
  for (int i = 0; i < n; i++) sincos(angles[i], out[i].sin, out[i].cos);
}

}  // namespace sinew
