#include "sinew/figure/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sinew/figure/figure.h"

namespace sinew::figure {
namespace {

namespace fs = std::filesystem;

// errno, or 0 if all is on disk.
int fill(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = write(descriptor, content.data(), content.size());
    if (n < 0 && errno != EINTR) return errno;
    if (n > 0) content.remove_prefix(std::size_t(n));
  }
  return fsync(descriptor) < 0 ? errno : 0;
}

[[noreturn]] void fail(const std::string& path, int reason) {
  throw Error(fmt::format("{}: cannot be written: {}", path, std::strerror(reason)));
}

// Where the content goes: behind all links. Devices and the like are not for us to replace.
fs::path place_of(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw Error(fmt::format("{}: this is a directory: name a file in it", path));
  if (!fs::exists(status)) return path;
  if (!fs::is_regular_file(status)) throw Error(fmt::format("{}: this is no plain file: choose another name", path));
  const fs::path real = fs::canonical(path, error);
  return error ? fs::path(path) : real;
}

}  // namespace

void write_file(const std::string& path, std::string_view content) {
  const fs::path place = place_of(path);
  const fs::path beside = place.parent_path() / fmt::format(".{}.{}", place.filename().string(), getpid());
  // a file that may not be written is not replaced either
  if (access(place.c_str(), F_OK) == 0 && access(place.c_str(), W_OK) < 0) fail(path, errno);
  const int descriptor = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(path, errno);
  int problem = fill(descriptor, content);
  if (close(descriptor) < 0 && !problem) problem = errno;
  if (!problem && rename(beside.c_str(), place.c_str()) < 0) problem = errno;
  if (!problem) return;
  unlink(beside.c_str());
  fail(path, problem);
}

}  // namespace sinew::figure
