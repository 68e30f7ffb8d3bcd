#include "cli/outputs.h"

#include <fmt/format.h>

#include "sinew/sim/errors.h"

namespace cli {

std::string check_output(const char* option, const std::string& file, const sinew::FileKind& kind,
                         std::initializer_list<OtherFile> others) {
  if (file.empty()) return {};
  for (const OtherFile& other : others)
    if (sinew::is_same_file(file, other.file))
      throw sinew::InputError(
          fmt::format("{} {}: this is {} of the same command: choose another name", option, file, other.what));
  return sinew::place_for(file, kind).replaces ? fmt::format("note: {}: what stood there was replaced\n", file) : "";
}

}  // namespace cli
