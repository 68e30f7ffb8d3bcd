#include "cli/outputs.h"

#include <fmt/format.h>

#include <cstdio>

#include "sinew/io/errors.h"

namespace cli {

void check_output(const char* option, const std::string& file, const sinew::FileKind& kind,
                  std::initializer_list<OtherFile> others, bool quiet) {
  if (file.empty()) return;
  for (const OtherFile& other : others)
    if (sinew::is_same_file(file, other.file))
      throw sinew::io::InputError(
          fmt::format("{} {}: this is {} of the same command: choose another name", option, file, other.what));
  const sinew::Place place = sinew::place_for(file, kind);
  if (place.replaces && !quiet)
    std::fputs(fmt::format("note: {}: the {} that stands there is replaced\n", file, kind.name).c_str(), stderr);
}

}  // namespace cli
