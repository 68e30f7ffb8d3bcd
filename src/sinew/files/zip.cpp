#include "sinew/files/zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

namespace sinew {
namespace {

// Little-endian number of n bytes at a place.
std::uint64_t little(std::string_view bytes, std::size_t at, std::size_t n) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < n; i++) value |= std::uint64_t(std::uint8_t(bytes[at + i])) << (8 * i);
  return value;
}

std::uint32_t sum_of(std::string_view bytes) {
  return std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), uInt(bytes.size())));
}

// The list at the end of an archive. Sizes of more than 4 GiB have another form, which is not needed here.
std::vector<ZipEntry> entries_of(std::string_view bytes, const ZipLimits& limits) {
  constexpr std::size_t end_size = 22, most_comment = 65535;
  if (bytes.size() > limits.bytes) throw ZipError(fmt::format("it has more than {} bytes", limits.bytes));
  if (bytes.size() < end_size) throw ZipError("it is no ZIP archive");
  std::size_t end = bytes.size() - end_size;
  const std::size_t first = end > most_comment ? end - most_comment : 0;
  while (bytes.substr(end, 4) != "PK\5\6" && end > first) end--;
  if (bytes.substr(end, 4) != "PK\5\6") throw ZipError("it is no ZIP archive");
  const std::uint64_t count = little(bytes, end + 10, 2);
  std::uint64_t at = little(bytes, end + 16, 4), total = 0;
  if (count > limits.entries) throw ZipError(fmt::format("it has more than {} files", limits.entries));
  std::vector<ZipEntry> out;
  for (std::uint64_t i = 0; i < count; i++) {
    constexpr std::size_t head = 46;
    if (at > bytes.size() || bytes.size() - at < head || bytes.substr(at, 4) != "PK\1\2")
      throw ZipError("its list of files is damaged");
    const std::uint64_t name = little(bytes, at + 28, 2);
    const std::uint64_t skipped = little(bytes, at + 30, 2) + little(bytes, at + 32, 2);
    if (bytes.size() - at - head < name + skipped) throw ZipError("its list of files is damaged");
    if (little(bytes, at + 8, 2) & 1) throw ZipError("it is encrypted");
    out.push_back({std::string(bytes.substr(at + head, name)), little(bytes, at + 10, 2), little(bytes, at + 16, 4),
                   little(bytes, at + 20, 4), little(bytes, at + 24, 4), little(bytes, at + 42, 4)});
    total += out.back().size;
    if (total > limits.bytes) throw ZipError(fmt::format("it holds more than {} bytes", limits.bytes));
    at += head + name + skipped;
  }
  return out;
}

std::string inflated(const ZipEntry& e, std::string_view packed) {
  std::string out(e.size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw ZipError("there is no memory to unpack it");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = uInt(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = uInt(out.size());
  const int answer = inflate(&stream, Z_FINISH);
  const bool is_whole = answer == Z_STREAM_END && stream.total_out == e.size;
  inflateEnd(&stream);
  if (!is_whole) throw ZipError(e.name + " is damaged");
  return out;
}

std::string deflated(std::string_view content) {
  std::string out(compressBound(uLong(content.size())) + 16, '\0');
  z_stream stream{};
  constexpr int memory = 8;  // the library's usual
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw ZipError("there is no memory to pack it");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = uInt(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = uInt(out.size());
  const int answer = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (answer != Z_STREAM_END) throw ZipError("it cannot be packed");
  return out;
}

void put(std::string& out, std::uint64_t value, int n) {
  for (int i = 0; i < n; i++) out += char(value >> (8 * i) & 255);
}

// What the head of a file and its entry in the list have in common, from the version that is needed on.
void put_facts(std::string& out, const ZipEntry& e) {
  constexpr int first_of_january_1980 = 1 << 5 | 1;
  put(out, 20, 2);  // version 2.0: folders, deflate
  put(out, 0, 2);
  put(out, e.method, 2);
  put(out, 0, 2);
  put(out, first_of_january_1980, 2);
  put(out, e.crc, 4);
  put(out, e.packed, 4);
  put(out, e.size, 4);
  put(out, e.name.size(), 2);
  put(out, 0, 2);
}

}  // namespace

ZipArchive::ZipArchive(std::string bytes, const ZipLimits& limits)
    : bytes_(std::move(bytes)), entries_(entries_of(bytes_, limits)) {}

const ZipEntry* ZipArchive::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &ZipEntry::name);
  return found == entries_.end() ? nullptr : &*found;
}

std::string ZipArchive::content(const ZipEntry& e) const {
  constexpr std::size_t head = 30;
  const std::string_view bytes = bytes_;
  if (e.header > bytes.size() || bytes.size() - e.header < head || bytes.substr(e.header, 4) != "PK\3\4")
    throw ZipError(e.name + " is not where the list says");
  const std::uint64_t at = e.header + head + little(bytes, e.header + 26, 2) + little(bytes, e.header + 28, 2);
  if (at > bytes.size() || bytes.size() - at < e.packed) throw ZipError(e.name + " is cut off");
  const std::string_view packed = bytes.substr(at, e.packed);
  if (e.method != 0 && e.method != Z_DEFLATED) throw ZipError(e.name + " is packed in an unknown way");
  if (e.method == 0 && e.packed != e.size) throw ZipError(e.name + " is damaged");
  std::string out = e.method == 0 ? std::string(packed) : inflated(e, packed);
  if (sum_of(out) != e.crc) throw ZipError(e.name + " is damaged: its sum is wrong");
  return out;
}

std::string zip(std::span<const ZipFile> files) {
  std::string out, list;
  for (const ZipFile& file : files) {
    std::string packed = deflated(file.content);
    ZipEntry e{file.name, Z_DEFLATED, sum_of(file.content), packed.size(), file.content.size(), out.size()};
    if (packed.size() >= file.content.size()) {
      e.method = 0;
      e.packed = e.size;
      packed = file.content;
    }
    if (out.size() + packed.size() > 0xffffffffu - 0x10000u) throw ZipError("it is larger than 4 GiB");
    out += "PK\3\4";
    put_facts(out, e);
    out += e.name + packed;
    const bool is_folder = e.name.ends_with('/');
    list += "PK\1\2";
    put(list, 3 << 8 | 20, 2);  // made as on Unix
    put_facts(list, e);
    put(list, 0, 6);                                                  // comment, disk, kind of content
    put(list, std::uint64_t(is_folder ? 040755 : 0100644) << 16, 4);  // access
    put(list, e.header, 4);
    list += e.name;
  }
  const std::size_t start = out.size();
  out += list + "PK\5\6";
  put(out, 0, 4);
  put(out, files.size(), 2);
  put(out, files.size(), 2);
  put(out, list.size(), 4);
  put(out, start, 4);
  put(out, 0, 2);
  return out;
}

}  // namespace sinew
