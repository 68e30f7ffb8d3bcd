#include <cstdlib>
#include <filesystem>

#include "cli/commands.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// `installed` below share/sinew, or `in_tree` of the sources.
std::string find_data(const char* installed, const char* in_tree) {
  // an installed tree may have been moved: look beside the binary before the place it was built for
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path beside = (binary.parent_path() / SINEW_INSTALL_DATA_RELDIR / installed).lexically_normal();
    if (is_there(beside)) return beside.string();
  }
  const fs::path source = fs::path(SINEW_SOURCE_DIR) / in_tree;
  if (is_there(source)) return source.string();
  return (fs::path(SINEW_INSTALL_DATA_DIR) / installed).string();
}

}  // namespace

std::string scenario_folder() {
  if (const char* wanted = std::getenv("SINEW_SCENARIOS"); wanted && *wanted) return wanted;
  return find_data("scenarios", "scenarios");
}

std::string template_folder() {
  if (const char* wanted = std::getenv("SINEW_TEMPLATES"); wanted && *wanted) return wanted;
  return find_data("templates", "templates");
}

ViewerFiles viewer_files() {
  if (const char* wanted = std::getenv("SINEW_VIEWER"); wanted && *wanted)
    return {(fs::path(wanted) / "index.html").string(), (fs::path(wanted) / "pictures").string()};
  return {find_data("viewer/index.html", "viewer/dist/index.html"), find_data("viewer/pictures", "viewer/pictures")};
}

}  // namespace cli
