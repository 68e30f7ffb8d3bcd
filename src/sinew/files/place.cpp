#include "sinew/files/place.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Also of a link that leads to nothing yet: what it names is made then, and the link stays.
fs::path behind_links(const std::string& path) {
  fs::path place = path;
  std::error_code error;
  for (int n = 0; n < 40; n++) {  // as many as Linux follows
    if (!fs::is_symlink(fs::symlink_status(place, error))) return place;
    const fs::path next = fs::read_symlink(place, error);
    if (error) break;
    place = place.parent_path() / next;  // an absolute path stays as it is
  }
  throw FileError(fmt::format("{}: this link cannot be followed: choose another name", path));
}

bool is_of(const FileKind& kind, const std::string& head) {
  return std::ranges::any_of(kind.beginnings, [&](std::string_view b) { return !b.empty() && head.starts_with(b); });
}

}  // namespace

Place place_for(const std::string& path, const FileKind& kind) {
  const std::string file = behind_links(path).string();
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return {file, false};  // what else is wrong with it shows when it is made
  if (fs::is_directory(status)) throw FileError(fmt::format("{}: this is a directory: name a file in it", path));
  if (!fs::is_regular_file(status))
    throw FileError(fmt::format("{}: this is no plain file: choose another name", path));
  if (access(file.c_str(), W_OK) < 0)
    throw FileError(fmt::format("{}: cannot be written: {}: choose another place", path, std::strerror(errno)));
  std::ifstream stream(file, std::ios::binary);
  std::string head(32, '\0');
  stream.read(head.data(), std::streamsize(head.size()));
  head.resize(std::size_t(stream.gcount()));
  if (head.empty() && stream.eof()) return {file, false};
  if (!is_of(kind, head))
    throw FileError(fmt::format("{}: what stands there is no {} and is not replaced: choose another name, or remove it",
                                path, kind.name));
  return {file, true};
}

bool is_same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  const fs::path one = fs::weakly_canonical(a, error), two = fs::weakly_canonical(b, error);
  return !error && one == two;
}

}  // namespace sinew
