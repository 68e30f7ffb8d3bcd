#include "sinew/imports/fmu_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>

#include "sinew/files/errors.h"
#include "sinew/imports/xml.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

namespace fs = std::filesystem;

constexpr ZipLimits fmu_limits{10000, std::size_t(1) << 30};
constexpr std::uint64_t most_ratio =
    200;  // of what a file is unpacked to what it is packed; deflate itself ends at 1032
constexpr std::uint64_t small_file = 1 << 20;  // of which it does not matter

[[noreturn]] void refuse_fmu(const std::string& file, const std::string& what) {
  throw InputError(
      fmt::format("{}: {}: give an FMU 2.0 or 3.0 for co-simulation, with a library for Linux on x86-64", file, what));
}

std::string bytes_of_fmu(const std::string& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  std::error_code error;
  if (!in || !fs::is_regular_file(file, error))
    throw InputError(fmt::format("{}: cannot be read: give the path of an .fmu file", file));
  const std::streamoff size = in.tellg();
  if (size < 0 || std::size_t(size) > fmu_limits.bytes)
    refuse_fmu(file, fmt::format("it has more than {} bytes", fmu_limits.bytes));
  std::string bytes(std::size_t(size), '\0');
  in.seekg(0);
  if (!in.read(bytes.data(), size)) throw InputError(fmt::format("{}: cannot be read to its end: try again", file));
  return bytes;
}

// A path that stays below the folder it is unpacked to, on any system.
bool leads_out(const std::string& name) {
  if (name.empty() || name[0] == '/' || name.find_first_of(std::string_view("\\:\0", 3)) != name.npos) return true;
  std::size_t begin = 0;
  while (begin <= name.size()) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    if (part == ".." || part == ".") return true;
    begin = end + 1;
  }
  return false;
}

ZipArchive open_fmu(const std::string& file) {
  ZipArchive archive(bytes_of_fmu(file), fmu_limits);
  std::set<std::string> names;
  for (const ZipEntry& e : archive.entries()) {
    if (leads_out(e.name)) refuse_fmu(file, fmt::format("the path \"{}\" leads out of the archive", e.name));
    if (!names.insert(e.name).second) refuse_fmu(file, fmt::format("{} is there twice", e.name));
    if (e.size > small_file && e.size / most_ratio > e.packed)
      refuse_fmu(file,
                 fmt::format("{} grows from {} to {} bytes, which no part of an FMU does", e.name, e.packed, e.size));
  }
  return archive;
}

bool is_identifier(const std::string& text) {
  const auto is_word = [](unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_'); };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) && std::ranges::all_of(text, is_word);
}

FmuScalar scalar_of(XmlFile& xml, pugi::xml_node node, const std::string& file) {
  FmuScalar out{xml.text(node, "name"), xml.text(node, "causality", "local"), 0};
  const std::string digits = xml.text(node, "valueReference");
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out.reference);
  if (out.name.empty() || digits.empty() || read.ec != std::errc() || read.ptr != digits.data() + digits.size())
    refuse_fmu(file,
               fmt::format("modelDescription.xml:{}: a variable without a name or a value reference", xml.line(node)));
  return out;
}

void read_variables(XmlFile& xml, const std::string& file, FmuFile& out) {
  const pugi::xml_node list = xml.child(xml.root(), "ModelVariables");
  if (out.version == 2) {
    for (const pugi::xml_node& node : xml.children(list, "ScalarVariable"))
      if (node.child("Real")) out.variables.push_back(scalar_of(xml, node, file));
  } else {
    for (const pugi::xml_node& node : xml.children(list, "Float64"))
      if (!node.child("Dimension")) out.variables.push_back(scalar_of(xml, node, file));
  }
}

FmuFile read_description(const std::string& file, std::string text) {
  XmlFile xml(std::move(text), file + "/modelDescription.xml");
  const pugi::xml_node root = xml.root();
  if (std::string(root.name()) != "fmiModelDescription")
    refuse_fmu(file, "modelDescription.xml is no description of an FMU");
  FmuFile out;
  const std::string version = xml.text(root, "fmiVersion");
  if (version != "2.0" && !version.starts_with("3."))
    refuse_fmu(file, fmt::format("it is of FMI {}", version.empty() ? "without a version" : version));
  out.version = version == "2.0" ? 2 : 3;
  const pugi::xml_node kind = xml.child(root, "CoSimulation");
  if (!kind) refuse_fmu(file, "it is not for co-simulation");
  if (xml.text(kind, "needsExecutionTool") == "true") refuse_fmu(file, "it needs the program that made it");
  out.identifier = xml.text(kind, "modelIdentifier");
  if (!is_identifier(out.identifier))
    refuse_fmu(file, fmt::format("its modelIdentifier \"{}\" is no name of a library", out.identifier));
  out.token = xml.text(root, out.version == 2 ? "guid" : "instantiationToken");
  out.library = fmt::format("binaries/{}/{}.so", out.version == 2 ? "linux64" : "x86_64-linux", out.identifier);
  read_variables(xml, file, out);
  return out;
}

}  // namespace

FmuFile read_fmu(const std::string& file) {
  try {
    const ZipArchive archive = open_fmu(file);
    const ZipEntry* description = archive.find("modelDescription.xml");
    if (!description) refuse_fmu(file, "it has no modelDescription.xml");
    if (description->size > max_xml_bytes) refuse_fmu(file, "its modelDescription.xml is too large");
    FmuFile out = read_description(file, archive.content(*description));
    if (!archive.find(out.library)) refuse_fmu(file, fmt::format("it has no {}", out.library));
    return out;
  } catch (const ZipError& e) {
    refuse_fmu(file, e.what());
  }
}

void unpack_fmu(const std::string& file, const std::string& folder) {
  try {
    const ZipArchive archive = open_fmu(file);
    for (const ZipEntry& e : archive.entries()) {
      const fs::path place = fs::path(folder) / e.name;
      if (e.name.ends_with('/')) {
        fs::create_directories(place);
        continue;
      }
      fs::create_directories(place.parent_path());
      const std::string content = archive.content(e);
      std::ofstream out(place, std::ios::binary);
      if (!out.write(content.data(), std::streamsize(content.size())).flush())
        throw FileError(
            fmt::format("{}: cannot be written: there must be room for the parts of {}", place.string(), file));
    }
  } catch (const ZipError& e) {
    refuse_fmu(file, e.what());
  } catch (const fs::filesystem_error& e) {
    throw FileError(fmt::format("{}: cannot be unpacked: {}", file, e.what()));
  }
}

}  // namespace sinew::imports
