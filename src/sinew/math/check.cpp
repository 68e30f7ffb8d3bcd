#include "sinew/math/check.h"

#include <cstdio>
#include <cstdlib>

namespace sinew::promise {

void broken(const char* file, int line, const char* condition) noexcept {
  std::fprintf(stderr, "%s:%d: this must hold: %s\n", file, line, condition);
  std::abort();
}

void refuse(const std::string& message) { throw CallError(message); }

}  // namespace sinew::promise
