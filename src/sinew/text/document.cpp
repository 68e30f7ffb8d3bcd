#include "sinew/text/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"
#include "sinew/text/document_content.h"

namespace sinew::text {
namespace {

toml::table parse(std::string_view text, const std::string& file) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& e) {
    throw InputError(fmt::format("{}:{}: not valid TOML: {}", file, e.source().begin.line, e.description()));
  }
}

// "a.b.c" -> "a", leaving "b.c"
std::string_view take_part(std::string_view& rest) {
  const auto dot = rest.find('.');
  const auto part = rest.substr(0, dot);
  rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
  return part;
}

}  // namespace

Document::Document(std::string_view text, std::string file) : content_(std::make_unique<Content>()) {
  content_->root = parse(text, file);
  content_->file = std::move(file);
}
Document::Document(Document&&) noexcept = default;
Document::~Document() = default;

const std::string& Document::file() const { return content_->file; }

void Document::set(const std::string& key, std::string_view value, bool holds_text, const std::string& place) {
  toml::table parsed;
  try {
    parsed = toml::parse(fmt::format("value = {}\n", value));
  } catch (const toml::parse_error&) {  // a word without quotes, or nonsense: the reader of the key will tell
  }
  const bool is_one_value = parsed.size() == 1 && parsed.contains("value");
  const bool is_text = is_one_value && (parsed["value"].is_string() || parsed["value"].is_table());
  if (!is_one_value || (holds_text && !is_text)) parsed = toml::table{{"value", std::string(value)}};
  toml::table* table = &content_->root;
  std::string_view rest = key;
  std::string_view part = take_part(rest);
  while (!rest.empty()) {
    toml::node* next = table->get(part);
    if (!next || !next->is_table()) {
      // a shorthand value makes room for its table
      table->insert_or_assign(part, toml::table{});
      next = table->get(part);
    }
    table = next->as_table();
    part = take_part(rest);
  }
  // an angle given in the other unit is replaced, not doubled
  const bool degrees = part.ends_with("_deg");
  table->erase(degrees ? std::string(part.substr(0, part.size() - 4)) : std::string(part) + "_deg");
  table->insert_or_assign(part, *parsed.get("value"));
  content_->set_by[key] = place;
}

void Document::put_under(const Document& other, const std::map<std::string, std::string>& places) {
  const auto register_places = [&](const std::string& key) {
    content_->set_by.try_emplace(key, other.file());
    for (auto at = places.lower_bound(key); at != places.end() && at->first.starts_with(key); ++at)
      if (at->first.size() == key.size() || at->first[key.size()] == '.')
        content_->set_by.insert_or_assign(at->first, at->second);
  };
  const auto place_above = [&](std::string_view key) {
    while (!places.contains(std::string(key)) && key.find('.') != std::string_view::npos)
      key = key.substr(0, key.rfind('.'));
    const auto found = places.find(std::string(key));
    return found == places.end() ? other.file() : found->second;
  };
  const auto add = [&](const auto& self, const toml::table& from, toml::table& to, const std::string& prefix) -> void {
    for (const auto& [key, node] : from) {
      const std::string dotted = prefix + std::string(key.str());
      toml::node* present = to.get(key.str());
      const bool whole = prefix.empty() && (dotted == "ground" || dotted == "gravity");
      if (present && present->is_table() && node.is_table() && !whole) {
        self(self, *node.as_table(), *present->as_table(), dotted + ".");
      } else if (!present && !to.get(std::string(key.str()) + "_deg")) {
        to.insert(key, node);
        content_->set_by.try_emplace(dotted, place_above(dotted));
        register_places(dotted);
      }
    }
  };
  add(add, other.content_->root, content_->root, "");
  std::vector<std::pair<std::uint64_t, std::string>> ranked;
  for (const std::string& key : other.keys()) ranked.emplace_back(other.rank(key), key);
  std::ranges::sort(ranked);
  std::uint64_t next = content_->order.size();
  for (auto& [rank, key] : ranked) content_->order.try_emplace(std::move(key), next++);
}

std::uint64_t Document::rank(std::string_view key) const {
  if (const auto found = content_->order.find(key); found != content_->order.end()) return found->second;
  const unsigned at = line(key);
  return at > 0 ? own_parts + at : ~std::uint64_t(0);
}

void Document::erase(std::string_view key) {
  const auto dot = key.rfind('.');
  toml::table* table = &content_->root;
  std::string_view rest = dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
  while (table && !rest.empty()) {
    toml::node* next = table->get(take_part(rest));
    table = next ? next->as_table() : nullptr;
  }
  if (table) table->erase(dot == std::string_view::npos ? key : key.substr(dot + 1));
}

bool Document::contains(std::string_view key) const {
  const toml::node* node = &content_->root;
  while (node && !key.empty()) {
    const toml::table* table = node->as_table();
    node = table ? table->get(take_part(key)) : nullptr;
  }
  return node != nullptr;
}

std::set<std::string> Document::keys() const {
  std::set<std::string> keys;
  const auto add = [&](const auto& self, const toml::table& table, const std::string& prefix) -> void {
    for (const auto& [key, node] : table) {
      const std::string dotted = prefix + std::string(key.str());
      keys.insert(dotted);
      if (const toml::table* inner = node.as_table()) self(self, *inner, dotted + ".");
    }
  };
  add(add, content_->root, "");
  return keys;
}

std::string Document::place(std::string_view key) const {
  std::string_view shorter = key;
  while (true) {
    auto found = content_->set_by.find(shorter);
    if (found == content_->set_by.end()) found = content_->set_by.find(std::string(shorter) + "_deg");
    if (found != content_->set_by.end()) return found->second;
    const auto dot = shorter.rfind('.');
    if (dot == std::string_view::npos) break;
    shorter = shorter.substr(0, dot);
  }
  return fmt::format("{}:{}", content_->file, std::max(line(key), 1u));
}

unsigned Document::line(std::string_view key) const {
  unsigned line = 0;
  const toml::table* table = &content_->root;
  std::string_view rest = key;
  while (table && !rest.empty()) {
    const std::string_view part = take_part(rest);
    auto entry = table->find(part);
    if (entry == table->end()) entry = table->find(std::string(part) + "_deg");  // an angle in degrees
    if (entry == table->end()) break;
    if (entry->first.source().begin.line) line = entry->first.source().begin.line;
    table = entry->second.as_table();
  }
  return line;
}

std::optional<double> number_in(const toml::node& node, const Parameters& parameters, std::string& problem) {
  if (node.is_number()) return node.value<double>();
  const toml::value<std::string>* text = node.as_string();
  if (!text) return {};
  const Evaluated evaluated = evaluate(text->get(), parameters);
  if (evaluated.problem.empty()) return evaluated.value;
  problem = fmt::format(", or arithmetic: {}", evaluated.problem);
  return {};
}

std::string read_text(const std::string& file) {
  if (std::filesystem::is_directory(file))
    throw FileError(fmt::format("{}: this is a directory: name a .toml file in it", file));
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in.is_open() || in.bad() || (text.str().empty() && errno))
    throw FileError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno ? errno : EIO)));
  return text.str();
}

}  // namespace sinew::text
