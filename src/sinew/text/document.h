// A scenario file as TOML, with the values that --set put over it, and the place where each key was written.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "sinew/model/keys.h"

namespace sinew::text {

class Document {
 public:
  // Throws InputError with file:line where the text is no TOML.
  Document(std::string_view text, std::string file);
  Document(Document&&) noexcept;
  ~Document();

  // Puts a value, written as TOML, over the key. What is not TOML is taken as a string, as is everything for a key that
  // holds text. Problems with the key are then said to be at `place`.
  void set(const std::string& key, std::string_view value, bool holds_text, const std::string& place);

  // Takes what `other` has and this has not, table by table; where this has a [ground] or [gravity], it has all of it. Parts that both have
  // stand where `other` has them, which is before those of this alone. places: dotted key -> where problems with it are said to be.
  void put_under(const Document& other, const std::map<std::string, std::string>& places);

  void erase(std::string_view key);  // nothing happens if it is not there
  bool contains(std::string_view key) const;
  std::set<std::string> keys() const;  // dotted, of all tables and values

  // "file:line" of a dotted key or of the nearest table around it; "--set KEY=VALUE" where that gave the value.
  std::string place(std::string_view key) const;
  unsigned line(std::string_view key) const;       // 0: not from the file
  std::uint64_t rank(std::string_view key) const;  // parts are in this order; what --set made comes last
  const std::string& file() const;

  struct Content;  // TOML++ stays inside the .cpp files
  const Content& content() const { return *content_; }
  Content& content() { return *content_; }

 private:
  std::unique_ptr<Content> content_;
};

// The whole text of a file. Throws FileError.
std::string read_text(const std::string& file);

}  // namespace sinew::text
