// How often compile() has worked in this program: for tests of those who should ask it once.
#pragma once
#include <cstdint>

namespace sinew {

std::int64_t compile_count();

}  // namespace sinew
