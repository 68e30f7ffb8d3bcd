#include "sinew/figure/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew::figure {
namespace {

double power_of_ten(int n) { return n < 0 ? 1.0 / std::pow(10.0, -n) : std::pow(10.0, n); }

std::string tick_text(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", std::abs(value), decimals);
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return value < 0.0 && !zero ? "−" + text : text;  // a true minus sign, as wide as a digit
}

}  // namespace

bool is_drawn(double x) { return std::abs(x) <= 1e300; }  // false for NaN

void Extent::add(double x) {
  if (!is_drawn(x)) return;
  low = empty ? x : std::min(low, x);
  high = empty ? x : std::max(high, x);
  empty = false;
}

Extent shown(const Extent& data, double room) {
  if (data.empty) return {0.0, 1.0, false};
  const double largest = std::max(std::abs(data.low), std::abs(data.high));
  if (largest < 1e-290) return {-1.0, 1.0, false};
  if (data.span() < 1e-9 * largest) return {data.low - 0.05 * largest, data.high + 0.05 * largest, false};
  return {data.low - room * data.span(), data.high + room * data.span(), false};
}

Ticks ticks_of(const Extent& range, int most) {
  const double rough = range.span() / std::max(most, 2);
  int power = int(std::floor(std::log10(rough)));
  int digit = 1;
  for (const int next : {2, 5, 10}) {
    if (digit * power_of_ten(power) >= rough * (1 - 1e-9)) break;
    digit = next;
  }
  if (digit == 10) {
    digit = 1;
    power++;
  }
  const double step = digit * power_of_ten(power);

  Ticks ticks;
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  if (largest >= 1e5 || largest < 1e-2) ticks.exponent = 3 * int(std::floor(std::log10(largest) / 3.0));
  const int decimals = std::max(0, ticks.exponent - power);
  const double scale = power_of_ten(ticks.exponent), edge = 1e-9 * range.span();
  for (double k = std::ceil((range.low - edge) / step); k * step <= range.high + edge; k++)
    ticks.list.push_back({k * step, tick_text(k * step / scale, decimals)});
  return ticks;
}

Ticks decade_ticks(const Extent& range, int most) {
  Ticks all, tens;
  const double edge = 1e-9 * range.span();
  for (int power = int(std::floor(range.low)); power <= int(std::ceil(range.high)); power++)
    for (const int digit : {1, 2, 5}) {
      const double at = power + std::log10(double(digit));
      if (at < range.low - edge || at > range.high + edge) continue;
      const Tick tick{at, fmt::format("{:g}", digit * power_of_ten(power))};
      all.list.push_back(tick);
      if (digit == 1) tens.list.push_back(tick);
    }
  return int(all.list.size()) <= 2 * most || tens.list.size() < 2 ? all : tens;
}

}  // namespace sinew::figure
