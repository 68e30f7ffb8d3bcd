// ZIP archives, stored or deflated (PKWARE's APPNOTE.TXT 6.3). Of those that are read nothing is believed: sizes are bounded before anything
// is unpacked, and what is unpacked has the size and the sum that the archive's list says.
#pragma once
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

class ZipError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ZipEntry {
  std::string name;
  std::uint64_t method, crc, packed, size, header;
};

struct ZipLimits {
  std::size_t entries = 1000;
  std::size_t bytes = std::size_t(256) << 20;  // of the archive, and of all that is in it
};

class ZipArchive {
 public:
  explicit ZipArchive(std::string bytes, const ZipLimits& limits = {});  // throws ZipError, as content()
  const std::vector<ZipEntry>& entries() const { return entries_; }
  const ZipEntry* find(std::string_view name) const;  // nullptr: there is none
  std::string content(const ZipEntry& entry) const;

 private:
  std::string bytes_;
  std::vector<ZipEntry> entries_;
};

struct ZipFile {
  std::string name, content;  // a name that ends with / is a folder
};

// The same files give the same bytes: all are of 1 January 1980.
std::string zip(std::span<const ZipFile> files);

}  // namespace sinew
