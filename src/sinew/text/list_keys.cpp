#include "sinew/text/list_keys.h"

#include <fmt/format.h>

#include <cmath>

#include "sinew/sim/nearest.h"

namespace sinew::text {

// The shortest text that reads back as the same number.
std::string toml_number(double x) {
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  if (std::isnan(x)) return "nan";
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string toml_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n')
      quoted += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      quoted += c;
  }
  return quoted + "\"";
}

void KeyLister::add(const Key& key, std::string type, std::string value, bool holds_text) {
  entries.push_back({sim::join(path_, "."),
                     std::string(key.name),
                     std::string(key.unit),
                     std::string(key.doc),
                     std::move(type),
                     key.range.text(),
                     std::move(value),
                     holds_text,
                     key.degrees,
                     {},
                     key.live,
                     key.range});
}

void KeyLister::number(const Key& key, double& value) {
  add(key, "number", toml_number(value));
  entries.back().numbers = {value};
}
void KeyLister::integer(const Key& key, int& value) { add(key, "whole number", fmt::format("{}", value)); }
void KeyLister::flag(const Key& key, bool& value) { add(key, "true or false", value ? "true" : "false"); }
void KeyLister::text(const Key& key, std::string& value) { add(key, "text", toml_text(value), true); }

void KeyLister::choice(const Key& key, std::span<const std::string_view> allowed, int& chosen) {
  add(key, sim::join(std::vector<std::string>(allowed.begin(), allowed.end()), " | "), toml_text(allowed[chosen]),
      true);
}

void KeyLister::numbers(const Key& key, const Count& count, std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double x : values) texts.push_back(toml_number(x));
  const bool any_number = count.exactly < 0 && count.one_for_all;
  if (count.one_for_all && values.size() == 1) {
    add(key, any_number ? "number or numbers" : "number", texts[0]);
    entries.back().numbers = values;
    return;
  }
  std::string type = any_number          ? "number or numbers"
                     : count.exactly < 0 ? "numbers"
                                         : fmt::format("{} numbers", count.exactly);
  if (count.or_exactly >= 0) type = fmt::format("{} or {} numbers", count.exactly, count.or_exactly);
  add(key, type, "[" + sim::join(texts) + "]");
  entries.back().numbers = values;
  entries.back().is_array = true;
}

// Not marked as holding text: a value of --set is then read as an array where it is one, and else as a single text.
void KeyLister::texts(const Key& key, std::vector<std::string>& values) {
  std::vector<std::string> quoted;
  for (const std::string& value : values) quoted.push_back(toml_text(value));
  add(key, "texts", "[" + sim::join(quoted) + "]");
}

bool KeyLister::shorthand(const Key& key, std::span<const std::string_view> stands_for, double& value) {
  number(key, value);
  entries.back().stands_for.assign(stands_for.begin(), stands_for.end());
  return false;
}

void KeyLister::open(std::string_view name, std::string_view doc) {
  path_.emplace_back(name);
  tables.emplace_back(sim::join(path_, "."), doc);
}
void KeyLister::close() { path_.pop_back(); }

std::vector<std::string> KeyLister::names(std::span<const std::string> present, std::string_view shorthand) {
  if (!shorthand.empty()) open_ended.push_back(sim::join(path_, "."));
  return {present.begin(), present.end()};
}

}  // namespace sinew::text
