// Text in figures: what may be shown, how much room it takes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sinew::figure {

// Valid UTF-8 on one line: bytes that are no UTF-8 become U+FFFD, control characters become spaces.
std::string clean(std::string_view text);

// An estimate on the wide side for common sans-serif fonts [px]; size: of the font [px].
double width_of(std::string_view text, double size);

// Lines not wider than `width`, broken between words, or inside one that is too long.
std::vector<std::string> wrap(std::string_view text, double size, double width);

// "label [unit]", "label [10^3 unit]" with a raised exponent, "label".
std::string axis_text(std::string_view label, std::string_view unit, int exponent);

}  // namespace sinew::figure
