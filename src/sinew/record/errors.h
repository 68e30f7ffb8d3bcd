// What can go wrong with a recording.
#pragma once
#include <stdexcept>
#include <string>

namespace sinew::record {

enum class Fault {
  Device,  // cannot be opened, read or written: no such file, full disk, no permission
  Content  // what is in it is not a recording
};

// The text is "FILE: WHAT: HOW TO FIX".
class Error : public std::runtime_error {
 public:
  Error(Fault f, const std::string& text) : std::runtime_error(text), fault(f) {}
  Fault fault;
};

}  // namespace sinew::record
