#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/web_view.h"
#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"

namespace cli {

void continue_in_view_program(char** argv) {
  const char* const name = "sinew-view";
  std::error_code error;
  const std::filesystem::path binary = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) execv((binary.parent_path() / name).c_str(), argv);
  if (error || errno == ENOENT) execvp(name, argv);
  if (errno != ENOENT)
    throw sinew::FileError(fmt::format("sinew view: the program {} cannot be started: {}", name, std::strerror(errno)));
  throw sinew::FileError(fmt::format(
      "sinew view: the program {} is not built or installed: in a clone use ./sinew, which builds it, or build the "
      "target sinew_view_program, which needs Boost (Debian: libboost-dev), and install it beside sinew",
      name));
}

}  // namespace cli
