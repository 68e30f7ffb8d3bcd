#include "tests/support/allocations.h"

#include <cstddef>
#include <cstdlib>

namespace {
thread_local long taken = 0;
}

#if !defined(SINEW_SANITIZED) && defined(__GLIBC__)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

// Replace the C library's functions in the whole test program; operator new ends here as well.
void* malloc(std::size_t size) { return taken++, __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return taken++, __libc_calloc(count, size); }
void* realloc(void* old, std::size_t size) { return taken++, __libc_realloc(old, size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return taken++, __libc_memalign(alignment, size); }
}
bool sinew::test::are_allocations_counted() { return true; }
#else
bool sinew::test::are_allocations_counted() { return false; }
#endif

long sinew::test::allocations() { return taken; }
