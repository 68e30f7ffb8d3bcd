// A file or device that cannot be read or written. The text is "FILE: WHAT: HOW TO FIX".
#pragma once
#include <stdexcept>

namespace sinew {

class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace sinew
