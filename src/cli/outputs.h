// Files that a command writes, looked at before it begins to work.
#pragma once
#include <initializer_list>
#include <string>

#include "sinew/files/place.h"

namespace cli {

// Another file of the same command, and what it is: "the scenario".
struct OtherFile {
  std::string file;  // empty: there is none
  const char* what;
};

// Throws InputError if `file`, which `option` names, is one of the others, and FileError if it may not be written. Gives the line for
// standard error that says what was replaced, once it is written; empty: nothing was, or an empty name, which is no file.
std::string check_output(const char* option, const std::string& file, const sinew::FileKind& kind,
                         std::initializer_list<OtherFile> others);

}  // namespace cli
