#include <cstdlib>
#include <filesystem>

#include "cli/commands.h"

namespace cli {
namespace fs = std::filesystem;

std::string scenario_folder() {
  if (const char* wanted = std::getenv("SINEW_SCENARIOS"); wanted && *wanted) return wanted;
  std::error_code error;
#ifdef SINEW_INSTALL_SCENARIO_RELDIR
  // an installed tree may have been moved: look beside the binary before the place it was built for
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path beside = (binary.parent_path() / SINEW_INSTALL_SCENARIO_RELDIR).lexically_normal();
    if (fs::is_directory(beside, error)) return beside.string();
  }
#endif
  if (fs::is_directory(SINEW_SCENARIO_DIR, error)) return SINEW_SCENARIO_DIR;
  return SINEW_INSTALL_SCENARIO_DIR;
}

}  // namespace cli
