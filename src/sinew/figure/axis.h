// Ranges and ticks of axes.
#pragma once
#include <string>
#include <vector>

namespace sinew::figure {

// Numbers that are drawn; all others are gaps. Beyond 1e300 differences would overflow.
bool is_drawn(double x);

// Smallest interval around all drawn numbers so far.
struct Extent {
  double low = 0.0, high = 0.0;
  bool empty = true;

  void add(double x);
  double span() const { return high - low; }
};

// The interval shown for what was added: room on both sides by this part of the span, and never of length zero.
// Changes below 1e-9 of the value are round-off and are not blown up. Nothing added: 0 to 1.
Extent shown(const Extent& data, double room);

struct Tick {
  double at;
  std::string text;
};

struct Ticks {
  std::vector<Tick> list;
  int exponent = 0;  // the texts are to be multiplied by 10^exponent; a multiple of three
};

// At most `most` ticks at 1, 2 or 5 times a power of ten.
Ticks ticks_of(const Extent& range, int most);

// The same where numbers are decadic logarithms: at 1, 2 and 5 times powers of ten, or at powers of ten alone.
Ticks decade_ticks(const Extent& range, int most);

}  // namespace sinew::figure
