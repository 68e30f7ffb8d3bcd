#include "sinew/figure/text.h"

#include <fmt/format.h>

#include <cstdint>

namespace sinew::figure {
namespace {

struct Glyph {
  std::uint32_t code;
  int bytes;  // 0: not valid here
};

// The first character of a text that is not empty. Overlong forms, surrogates and what XML forbids are not valid.
Glyph first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const int bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < std::size_t(bytes)) return {0, 0};
  std::uint32_t code = lead & (0xff >> (bytes + 1));
  for (int i = 1; i < bytes; i++) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (overlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff)
    return {0, 0};
  return {code, bytes};
}

// Widths in parts of the font size, those of DejaVu Sans, which is wider than most.
double width_of(std::uint32_t code) {
  if (code >= 0x1100) return code >= 0x2000 && code < 0x2e80 ? 0.84 : 1.0;
  if (code >= 0x80) return 0.70;
  const std::string_view narrow = "ijl.,:;|'!fItr ()[]/-", wide = "mwMW@%";
  if (wide.find(char(code)) != wide.npos) return 0.98;
  if (narrow.find(char(code)) != narrow.npos) return 0.42;
  return code >= 'A' && code <= 'Z' ? 0.73 : 0.64;
}

std::string raised(int number) {
  static constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : fmt::format("{}", number)) text += c == '-' ? "⁻" : digits[c - '0'];
  return text;
}

}  // namespace

std::string clean(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Glyph glyph = first_of(text);
    const bool control = glyph.bytes && (glyph.code < 0x20 || (glyph.code >= 0x7f && glyph.code < 0xa0));
    if (!glyph.bytes)
      out += "\xef\xbf\xbd";
    else
      out += control ? " " : text.substr(0, glyph.bytes);
    text.remove_prefix(glyph.bytes ? glyph.bytes : 1);
  }
  return out;
}

double width_of(std::string_view text, double size) {
  double width = 0.0;
  while (!text.empty()) {
    const Glyph glyph = first_of(text);
    width += width_of(glyph.code) * size;
    text.remove_prefix(glyph.bytes ? glyph.bytes : 1);
  }
  return width;
}

std::vector<std::string> wrap(std::string_view text, double size, double width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    double used = 0.0;
    std::size_t end = 0, space = 0;
    while (end < text.size()) {
      const Glyph glyph = first_of(text.substr(end));
      used += width_of(glyph.code) * size;
      if (used > width && end > 0) break;
      if (glyph.code == ' ') space = end;
      end += glyph.bytes ? glyph.bytes : 1;
    }
    if (end < text.size() && space > 0) end = space;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  return lines;
}

std::string axis_text(std::string_view label, std::string_view unit, int exponent) {
  std::string scale = exponent ? "10" + raised(exponent) : "";
  if (!unit.empty() && unit != "1") scale += fmt::format("{}{}", scale.empty() ? "" : " ", unit);
  if (scale.empty()) return std::string(label);
  return fmt::format("{}{}[{}]", label, label.empty() ? "" : " ", scale);
}

}  // namespace sinew::figure
