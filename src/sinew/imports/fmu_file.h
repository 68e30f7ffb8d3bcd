// FMUs of other programs: an archive with a description and native code. It is looked at before anything of it is unpacked: paths that lead
// out of its folder, more bytes than an FMU can have, and parts that are missing are refused. Reading it runs nothing.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/files/zip.h"

namespace sinew::imports {

struct FmuScalar {
  std::string name, causality;
  std::uint32_t reference;
};

struct FmuFile {
  int version = 2;  // of FMI: 2 or 3
  std::string identifier, token;
  std::string library;               // in the archive
  std::vector<FmuScalar> variables;  // real numbers, one each; those of other types are left out
};

// Of an FMU for co-simulation with a library for Linux on x86-64. Throws InputError, "FILE: WHAT: HOW TO FIX".
FmuFile read_fmu(const std::string& file);

// Writes all that is in the archive below the folder. Throws InputError, FileError.
void unpack_fmu(const std::string& file, const std::string& folder);

}  // namespace sinew::imports
