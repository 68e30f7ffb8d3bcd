// Rough ground: a sum of plane waves of equal height a, with random directions d, lengths and phases,
//   z(x, y) = a sum_k cos(2 pi d_k . (x, y) / length_k + phase_k),   a = rms sqrt(2 / n),   n = 64 waves
// so that the mean square of z is rms^2, the same in all directions. The wave numbers 1 / length_k are spread evenly from
// 1/2 to 3/2 of 1 / length. The numbers follow from the seed alone (math/counter_random.h) and not from the grid.
#pragma once
#include "sinew/parts/terrain/terrain.h"

namespace sinew {

// Heights at the points of the grid, in the order of HeightField::z.
std::vector<double> rough_heights(const HeightField& grid, const Roughness& rough);

}  // namespace sinew
