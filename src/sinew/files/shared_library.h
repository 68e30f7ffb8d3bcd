// A shared library that is loaded when something of it is called for the first time. Some are needed rarely and bring many others with
// them: HDF5 can read from the web, and with that loads forty, which takes longer than all else at the start of a run.
#pragma once

namespace sinew {

class SharedLibrary {
 public:
  explicit SharedLibrary(const char* name) : name_(name) {}
  void* symbol(const char* name) const;  // throws FileError

 private:
  const char* name_;
};

}  // namespace sinew
