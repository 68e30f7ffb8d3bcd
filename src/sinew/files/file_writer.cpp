#include "sinew/files/file_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace sinew {

FileWriter::FileWriter(const std::string& path, const FileKind& kind)
    : kind_(kind), path_(path), place_(place_for(path, kind).file) {
  const std::filesystem::path place = place_;
  beside_ = (place.parent_path() / fmt::format(".{}.{}", place.filename().string(), getpid())).string();
  descriptor_ = open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
  struct stat before {};
  if (stat(place_.c_str(), &before) == 0) fchmod(descriptor_, before.st_mode & 07777);  // who may read it, still may
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
  place_for(path_, kind_);  // it may have become something else in the meantime
  if (fsync(descriptor_) < 0 || rename(beside_.c_str(), place_.c_str()) < 0) fail(errno);
  if (close(std::exchange(descriptor_, -1)) < 0) fail(errno);
}

void write_file(const std::string& path, const FileKind& kind, std::string_view content) {
  FileWriter file(path, kind);
  file.write(content);
  file.finish();
}

}  // namespace sinew
