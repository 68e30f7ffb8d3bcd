#include "sinew/files/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "sinew/files/errors.h"

namespace sinew {

// Loaded again it is the same one: the system counts, and nobody gives it back before the program ends.
void* SharedLibrary::symbol(const char* name) const {
  // A program that is itself linked with the library may have a copy of its variables, which the library then uses as well.
  if (void* found = dlsym(RTLD_DEFAULT, name)) return found;
  void* library = dlopen(name_, RTLD_NOW | RTLD_LOCAL);
  void* found = library ? dlsym(library, name) : nullptr;
  if (!found) throw FileError(fmt::format("{}: cannot be used: {}: install it", name_, dlerror()));
  return found;
}

}  // namespace sinew
