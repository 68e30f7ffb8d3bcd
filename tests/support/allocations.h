// Memory that is taken from the heap by this thread. malloc itself is watched, so that containers and C code are both seen.
// The sanitizers bring their own malloc, and only glibc has the names used; elsewhere nothing is counted.
#pragma once

namespace sinew::test {

bool are_allocations_counted();
long allocations();  // so far

template <class F>
long count_allocations(F&& f) {
  const long before = allocations();
  f();
  return allocations() - before;
}

}  // namespace sinew::test
