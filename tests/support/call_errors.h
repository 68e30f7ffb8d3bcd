// What a call is refused with.
#pragma once
#include <string>

#include "sinew/math/check.h"

namespace sinew::test {

// The text of the CallError that the call throws; empty: none.
template <class Call>
std::string call_error(Call call) {
  try {
    call();
  } catch (const CallError& e) {
    return e.what();
  }
  return {};
}

}  // namespace sinew::test
