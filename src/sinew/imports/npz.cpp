#include "sinew/imports/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <regex>
#include <string_view>

#include "sinew/files/zip.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

constexpr std::size_t most_bytes = std::size_t(256) << 20;  // of a file, and of all arrays in it
constexpr std::size_t most_arrays = 1000;

[[noreturn]] void refuse_npz(const std::string& file, const std::string& what) {
  throw InputError(fmt::format("{}: {}: give an archive of numpy.savez with arrays of numbers", file, what));
}

std::string read_bytes(const std::string& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) throw InputError(fmt::format("{}: cannot be read: give the path of an .npz file", file));
  const std::streamoff size = in.tellg();
  if (size < 0 || std::size_t(size) > most_bytes)
    refuse_npz(file, fmt::format("it has more than {} bytes", most_bytes));
  std::string bytes(std::size_t(size), '\0');
  in.seekg(0);
  if (!in.read(bytes.data(), size)) throw InputError(fmt::format("{}: cannot be read to its end: try again", file));
  return bytes;
}

// Little-endian number of n bytes at a place.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t n) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < n; i++) value |= std::uint64_t(std::uint8_t(bytes[at + i])) << (8 * i);
  return value;
}

template <class T>
double value_at(const char* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return double(value);
}

double (*reader_of(const std::string& type))(const char*) {
  if (type == "<f8") return value_at<double>;
  if (type == "<f4") return value_at<float>;
  if (type == "<i8") return value_at<std::int64_t>;
  if (type == "<i4") return value_at<std::int32_t>;
  return nullptr;
}

// The head of an .npy file: a dictionary of Python with type, order and shape.
struct NpyHead {
  std::string type;
  bool columns_first;
  std::vector<std::size_t> shape;
  std::size_t data;  // where the numbers begin
};
NpyHead npy_head_of(const std::string& file, const std::string& name, const std::string& npy) {
  const bool is_npy = npy.size() >= 12 && npy.compare(0, 6, "\x93NUMPY") == 0;
  if (!is_npy) refuse_npz(file, name + " is no array of numpy");
  const bool is_old = npy[6] == 1;
  const std::size_t start = is_old ? 10 : 12, length = number_at(npy, 8, is_old ? 2 : 4);
  if (npy.size() - start < length || length > 10000) refuse_npz(file, name + " has a damaged head");
  const std::string text = npy.substr(start, length);
  static const std::regex form(
      R"(\{\s*'descr':\s*'([^']+)',\s*'fortran_order':\s*(True|False),\s*'shape':\s*\(([0-9, ]*)\),?\s*\}\s*)");
  std::smatch found;
  if (!std::regex_match(text, found, form)) refuse_npz(file, name + " holds no plain numbers");
  NpyHead head{found[1], found[2] == "True", {}, start + length};
  static const std::regex digits("[0-9]{1,9}");
  const std::string shape = found[3];
  for (std::sregex_iterator i(shape.begin(), shape.end(), digits), end; i != end; ++i)
    head.shape.push_back(std::stoul(i->str()));
  return head;
}

NumpyArray array_of(const std::string& file, const std::string& entry, const std::string& npy) {
  NumpyArray a;
  a.name = entry.ends_with(".npy") ? entry.substr(0, entry.size() - 4) : entry;
  NpyHead head = npy_head_of(file, a.name, npy);
  const auto read = reader_of(head.type);
  if (!read)
    refuse_npz(file, fmt::format("{} is of type {}: only <f4, <f8, <i4 and <i8 are read{}", a.name, head.type,
                                 head.type.find('O') == std::string::npos ? "" : ", objects could run programs"));
  const std::size_t width = head.type.back() == '8' ? 8 : 4;
  std::size_t n = 1;
  for (const std::size_t k : head.shape) {
    if (k > 0 && n > most_bytes / k) refuse_npz(file, a.name + " is too large");
    n *= k;
  }
  if (npy.size() - head.data != n * width)
    refuse_npz(file, a.name + " does not hold as many numbers as its shape says");
  const bool turned = head.columns_first && head.shape.size() == 2;
  if (head.columns_first && head.shape.size() > 2) refuse_npz(file, a.name + " has more than two dimensions");
  a.values.resize(n);
  for (std::size_t i = 0; i < n; i++) {
    const std::size_t from = turned ? i % head.shape[1] * head.shape[0] + i / head.shape[1] : i;
    a.values[i] = read(npy.data() + head.data + from * width);
  }
  a.shape = std::move(head.shape);
  return a;
}

}  // namespace

std::vector<NumpyArray> read_npz(const std::string& file) {
  std::vector<NumpyArray> out;
  try {
    const ZipArchive archive(read_bytes(file), {most_arrays, most_bytes});
    for (const ZipEntry& e : archive.entries()) out.push_back(array_of(file, e.name, archive.content(e)));
  } catch (const ZipError& e) {
    refuse_npz(file, e.what());
  }
  return out;
}

}  // namespace sinew::imports
