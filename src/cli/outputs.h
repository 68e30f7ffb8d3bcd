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

// Throws InputError if `file`, which `option` names, is one of the others, and FileError if it may not be written; says on
// standard error if something is replaced, unless that is not wanted. An empty name is no file.
void check_output(const char* option, const std::string& file, const sinew::FileKind& kind,
                  std::initializer_list<OtherFile> others, bool quiet = false);

}  // namespace cli
