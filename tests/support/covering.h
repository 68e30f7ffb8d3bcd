// Covering arrays: few rows of levels, one level for each factor, in which any two levels of two factors meet at least once.
#pragma once
#include <vector>

namespace sinew::support {

// levels: how many each factor has. The same rows on every machine: each begins with the first two levels that have not met; every
// other factor takes the level that meets the most new ones (Cohen, Dalal, Fredman and Patton 1997, without their random order).
std::vector<std::vector<int>> covering_pairs(const std::vector<int>& levels);

}  // namespace sinew::support
