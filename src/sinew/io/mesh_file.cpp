#include "sinew/io/mesh_file.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "sinew/io/document.h"
#include "sinew/io/errors.h"
#include "sinew/parts/shape/mesh.h"

namespace sinew::io {
namespace {

// Words of one line after another.
class Lines {
 public:
  Lines(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  bool next() {
    words.clear();
    while (!rest_.empty() && words.empty()) {
      number_++;
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      while (!line.empty()) {
        const std::size_t start = line.find_first_not_of(" \t\r");
        if (start == std::string_view::npos) break;
        line.remove_prefix(start);
        const std::size_t length = std::min(line.find_first_of(" \t\r"), line.size());
        words.push_back(line.substr(0, length));
        line.remove_prefix(length);
      }
    }
    return !words.empty();
  }
  [[noreturn]] void fail(const std::string& what, const std::string& fix) const {
    throw InputError(fmt::format("{}:{}: {}: {}", file_, number_, what, fix));
  }
  double number(std::size_t i) const {
    if (i >= words.size()) fail("a number is missing", "three numbers make a vertex");
    std::string_view word = words[i];
    if (word.starts_with('+')) word.remove_prefix(1);
    double x = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
    if (end != word.data() + word.size() || (error != std::errc() && error != std::errc::result_out_of_range))
      fail(fmt::format("\"{}\" is no number", words[i].substr(0, 40)), "three numbers make a vertex");
    if (error == std::errc::result_out_of_range || !std::isfinite(x))
      fail(fmt::format("the coordinate {} is not finite", words[i].substr(0, 40)), "correct it");
    return x;
  }
  Vec3d vertex(std::size_t first) const { return {number(first), number(first + 1), number(first + 2)}; }

  std::vector<std::string_view> words;

 private:
  std::string_view rest_;
  const std::string& file_;
  int number_ = 0;
};

// Index of a corner "v", "v/vt", "v//vn", "v/vt/vn": from 1, or from the end if negative.
int corner_of(const Lines& lines, std::string_view word, std::size_t count) {
  int i = 0;
  const std::string_view index = word.substr(0, word.find('/'));
  const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), i);
  if (error != std::errc() || end != index.data() + index.size())
    lines.fail(fmt::format("\"{}\" is no vertex", word.substr(0, 40)), "write f with the numbers of vertices");
  const int at = i < 0 ? int(count) + i : i - 1;
  if (i == 0 || at < 0 || at >= int(count))
    lines.fail(fmt::format("a face refers to vertex {}, but there are {} above it", i, count), "correct its indices");
  return at;
}

MeshData read_obj(std::string_view text, const std::string& file) {
  MeshData mesh;
  Lines lines(text, file);
  while (lines.next()) {
    if (lines.words[0] == "v") {
      mesh.vertices.push_back(lines.vertex(1));
    } else if (lines.words[0] == "f") {
      std::vector<int> loop;
      for (std::size_t i = 1; i < lines.words.size(); i++)
        loop.push_back(corner_of(lines, lines.words[i], mesh.vertices.size()));
      if (loop.size() < 3) lines.fail("a face has fewer than three corners", "give at least three");
      for (std::size_t i = 2; i < loop.size(); i++) {
        if (loop[0] == loop[i - 1] || loop[i - 1] == loop[i] || loop[i] == loop[0])
          lines.fail("a face has the same corner twice and no area", "remove it");
        mesh.triangles.push_back({loop[0], loop[i - 1], loop[i]});
      }
    }
  }
  return mesh;
}

MeshData read_stl_text(std::string_view text, const std::string& file) {
  MeshData mesh;
  Lines lines(text, file);
  std::size_t before = 0;
  while (lines.next()) {
    if (lines.words[0] == "vertex") mesh.vertices.push_back(lines.vertex(1));
    if (lines.words[0] != "endloop") continue;
    if (mesh.vertices.size() != before + 3)
      lines.fail(fmt::format("a facet has {} vertices", mesh.vertices.size() - before), "an STL file holds triangles");
    const int a = int(before);
    mesh.triangles.push_back({a, a + 1, a + 2});
    before += 3;
  }
  if (mesh.vertices.size() != before) lines.fail("the last facet is not complete", "write the file again");
  return mesh;
}

template <class T>
T little_endian(const char* bytes) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; i++) word |= std::uint32_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return std::bit_cast<T>(word);
}

// 80 bytes of any kind, the number of triangles, then 50 bytes each: normal, three vertices, two bytes unused.
bool is_binary_stl(std::string_view bytes) {
  return bytes.size() >= 84 && bytes.size() == 84 + 50 * std::uint64_t(little_endian<std::uint32_t>(bytes.data() + 80));
}

MeshData read_stl_binary(std::string_view bytes) {
  MeshData mesh;
  for (std::size_t at = 84; at < bytes.size(); at += 50) {
    const int first = int(mesh.vertices.size());
    for (int corner = 0; corner < 3; corner++) {
      Vec3d x;
      for (int i = 0; i < 3; i++) x[i] = double(little_endian<float>(bytes.data() + at + 12 + 12 * corner + 4 * i));
      mesh.vertices.push_back(x);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

std::string ending_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  for (char& c : ending) c = char(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

std::string read_bytes(const std::string& file) {
  if (!std::filesystem::is_regular_file(file))
    throw InputError(fmt::format("{}: no such file: check the path, which starts at the scenario's folder", file));
  try {
    return read_text(file);
  } catch (const FileError& e) {
    throw InputError(e.what());
  }
}

}  // namespace

MeshData read_mesh(const std::string& file) {
  const std::string ending = ending_of(file);
  if (ending != ".obj" && ending != ".stl")
    throw InputError(fmt::format("{}: neither STL nor OBJ: convert it to a file that ends in .stl or .obj", file));
  const std::string text = read_bytes(file);
  MeshData mesh;
  if (ending == ".obj")
    mesh = read_obj(text, file);
  else if (is_binary_stl(text))
    mesh = read_stl_binary(text);
  else if (text.starts_with("solid"))
    mesh = read_stl_text(text, file);
  else
    throw InputError(fmt::format("{}: no STL: its length does not fit its number of triangles: write it again", file));
  if (mesh.triangles.empty())
    throw InputError(fmt::format("{}: there are no triangles in it: write it again with a surface", file));
  if (int(mesh.vertices.size()) > 6 * max_mesh_vertices)  // STL names each vertex about six times
    throw InputError(fmt::format("{}: it has more than {} vertices: simplify it", file, max_mesh_vertices));
  weld(mesh.vertices, mesh.triangles);
  return mesh;
}

}  // namespace sinew::io
