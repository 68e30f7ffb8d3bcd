// What is in a file is not a recording. (One that cannot be read or written at all is a FileError.)
#pragma once
#include <stdexcept>

#include "sinew/files/errors.h"

namespace sinew::record {

// The text is "FILE: WHAT: HOW TO FIX".
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace sinew::record
