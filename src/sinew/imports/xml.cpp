#include "sinew/imports/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

std::string read_model_file(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw FileError(fmt::format("{}: no such file: check the path", file));
  if (std::filesystem::file_size(file, error) > max_xml_bytes)
    throw InputError(fmt::format("{}: larger than {} MB: this is no robot's file", file, max_xml_bytes >> 20));
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in.is_open() || in.bad())
    throw FileError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno ? errno : EIO)));
  return text.str();
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

void Notes::add(NoteKind kind, const std::string& file, int line, std::string what) {
  for (Note& n : list)
    if (n.kind == kind && n.what == what && n.file == file) {
      n.count++;
      return;
    }
  list.push_back({kind, file, line, std::move(what)});
}

std::string text_of(const Note& note, int number) {
  static constexpr const char* names[] = {"warning", "repair", "decision"};
  const std::string place = note.line > 0 ? fmt::format("{}:{}", note.file, note.line) : note.file;
  const std::string often = note.count > 1 ? fmt::format(" ({} times, here first)", note.count) : "";
  return fmt::format("{} {}: {}: {}{}", names[int(note.kind)], number, place, note.what, often);
}

XmlFile::XmlFile(const std::string& file) : XmlFile(read_model_file(file), file) {}

XmlFile::XmlFile(std::string text, std::string file) : file_(std::move(file)), text_(std::move(text)) {
  if (text_.size() > max_xml_bytes)
    throw InputError(fmt::format("{}: larger than {} MB: this is no robot's file", file_, max_xml_bytes >> 20));
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); i++)
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  const pugi::xml_parse_result result = document_.load_buffer(text_.data(), text_.size());
  if (!result) {
    const auto at = std::ranges::upper_bound(line_starts_, std::size_t(std::max<std::ptrdiff_t>(result.offset, 0)));
    throw InputError(fmt::format("{}:{}: not valid XML: {}", file_, at - line_starts_.begin(), result.description()));
  }
  if (!root()) throw InputError(fmt::format("{}:1: not valid XML: there is no element in it", file_));
  int count = 0;
  read(root(), 1, count);
}

// Recursion is bounded by the depth that it refuses.
void XmlFile::read(pugi::xml_node node, int depth, int& count) {
  if (depth > max_xml_depth)
    throw InputError(
        fmt::format("{}:{}: elements in elements, more than {} deep: no robot is", file_, line(node), max_xml_depth));
  if (++count > max_xml_elements)
    throw InputError(fmt::format("{}:{}: more than {} elements: split the model", file_, line(node), max_xml_elements));
  for (pugi::xml_node child : node.children())
    if (child.type() == pugi::node_element) read(child, depth + 1, count);
}

void XmlFile::remember(pugi::xml_node copy, pugi::xml_node original, const XmlFile& other) {
  origins_[copy.internal_object()] = {other.file_of(original), other.line(original)};
  pugi::xml_node from = original.first_child();
  for (pugi::xml_node to = copy.first_child(); to && from; to = to.next_sibling(), from = from.next_sibling())
    if (to.type() == pugi::node_element) remember(to, from, other);
}

pugi::xml_node XmlFile::insert_before(pugi::xml_node node, const XmlFile& other) {
  pugi::xml_node first;
  for (const pugi::xml_node child : other.root().children()) {
    if (child.type() != pugi::node_element) continue;
    const pugi::xml_node copy = node.parent().insert_copy_before(child, node);
    remember(copy, child, other);
    if (!first) first = copy;
  }
  return first;
}

const std::string& XmlFile::file_of(pugi::xml_node node) const {
  const auto origin = origins_.find(node.internal_object());
  return origin == origins_.end() ? file_ : origin->second.file;
}

int XmlFile::line(pugi::xml_node node) const {
  if (const auto origin = origins_.find(node.internal_object()); origin != origins_.end()) return origin->second.line;
  const std::ptrdiff_t offset = node.offset_debug();
  if (offset < 0) return 0;
  return int(std::ranges::upper_bound(line_starts_, std::size_t(offset)) - line_starts_.begin());
}

pugi::xml_node XmlFile::child(pugi::xml_node of, const char* name) {
  const pugi::xml_node found = of.child(name);
  if (found) use(found);
  return found;
}

std::vector<pugi::xml_node> XmlFile::children(pugi::xml_node of, const char* name) {
  std::vector<pugi::xml_node> found;
  for (pugi::xml_node node : of.children(name)) {
    use(node);
    found.push_back(node);
  }
  return found;
}

std::string XmlFile::text(pugi::xml_node of, const char* attribute, const std::string& fallback) {
  const pugi::xml_attribute found = of.attribute(attribute);
  if (!found) return fallback;
  used_.insert(found.internal_object());
  return found.value();
}

void XmlFile::use_all(pugi::xml_node node) {
  use(node);
  for (pugi::xml_attribute a : node.attributes()) used_.insert(a.internal_object());
  for (pugi::xml_node child : node.children())
    if (child.type() == pugi::node_element) use_all(child);
}

std::optional<std::vector<double>> XmlFile::parse_numbers(std::string_view text) const {
  std::vector<double> values;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    while (at < end && is_space(*at)) at++;
    if (at == end) return values;
    if (*at == '+') at++;
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error == std::errc::result_out_of_range) value = 0;  // too small to matter, or refused below
    if (error == std::errc::invalid_argument || !std::isfinite(value) || (next < end && !is_space(*next))) return {};
    values.push_back(value);
    at = next;
  }
}

std::vector<double> XmlFile::numbers(pugi::xml_node of, const char* attribute) {
  const std::string written = text(of, attribute);
  const auto values = parse_numbers(written);
  if (values) return *values;
  fail(of, fmt::format("{}=\"{}\" of <{}>: give finite numbers, separated by spaces", attribute, written, of.name()));
  return {};
}

double XmlFile::number(pugi::xml_node of, const char* attribute, double fallback) {
  if (!has(of, attribute)) return fallback;
  const std::size_t before = problems.size();
  const auto values = numbers(of, attribute);
  if (values.size() == 1) return values[0];
  if (problems.size() == before)
    fail(of, fmt::format("{} of <{}> has {} numbers: give one", attribute, of.name(), values.size()));
  return fallback;
}

Vec3d XmlFile::vector(pugi::xml_node of, const char* attribute, const Vec3d& fallback) {
  if (!has(of, attribute)) return fallback;
  const std::size_t before = problems.size();
  const auto values = numbers(of, attribute);
  if (values.size() == 3) return {values[0], values[1], values[2]};
  if (problems.size() == before)
    fail(of, fmt::format("{} of <{}> has {} numbers: give three", attribute, of.name(), values.size()));
  return fallback;
}

void XmlFile::fail(pugi::xml_node at, const std::string& what) {
  problems.push_back(fmt::format("{}:{}: {}", file_of(at), line(at), what));
}

void XmlFile::warn(pugi::xml_node at, const std::string& what, NoteKind kind) {
  notes.add(kind, file_of(at), line(at), what);
}

void XmlFile::report(pugi::xml_node node) {
  for (pugi::xml_attribute a : node.attributes())
    if (!used_.contains(a.internal_object()) && std::string_view(a.name()).substr(0, 5) != "xmlns")
      warn(node, fmt::format("{} of <{}> is not understood and left out", a.name(), node.name()));
  for (pugi::xml_node child : node.children()) {
    if (child.type() != pugi::node_element) continue;
    if (used_.contains(child.internal_object()))
      report(child);
    else
      warn(child, fmt::format("<{}> in <{}> is not understood and left out", child.name(), node.name()));
  }
}

void XmlFile::report_unread() { report(root()); }

}  // namespace sinew::imports
