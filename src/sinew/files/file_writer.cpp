#include "sinew/files/file_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Where the content goes: behind all links. Devices and the like are not for us to replace.
fs::path place_of(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw FileError(fmt::format("{}: this is a directory: name a file in it", path));
  if (!fs::exists(status)) return path;
  if (!fs::is_regular_file(status))
    throw FileError(fmt::format("{}: this is no plain file: choose another name", path));
  const fs::path real = fs::canonical(path, error);
  return error ? fs::path(path) : real;
}

}  // namespace

FileWriter::FileWriter(const std::string& path) : path_(path) {
  const fs::path place = place_of(path);
  place_ = place.string();
  beside_ = (place.parent_path() / fmt::format(".{}.{}", place.filename().string(), getpid())).string();
  // a file that may not be written is not replaced either
  if (access(place_.c_str(), F_OK) == 0 && access(place_.c_str(), W_OK) < 0) fail(errno);
  descriptor_ = open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
}

FileWriter::~FileWriter() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(beside_.c_str());
}

void FileWriter::fail(int reason) {
  throw FileError(fmt::format("{}: cannot be written: {}: choose another place", path_, std::strerror(reason)));
}

void FileWriter::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor_, text.data(), text.size());
    if (n < 0 && errno != EINTR) fail(errno);
    if (n > 0) text.remove_prefix(std::size_t(n));
  }
}

void FileWriter::finish() {
  if (fsync(descriptor_) < 0 || rename(beside_.c_str(), place_.c_str()) < 0) fail(errno);
  if (close(std::exchange(descriptor_, -1)) < 0) fail(errno);
}

void write_file(const std::string& path, std::string_view content) {
  FileWriter file(path);
  file.write(content);
  file.finish();
}

}  // namespace sinew
