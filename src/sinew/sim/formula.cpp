#include "sinew/sim/formula.h"

#include <algorithm>
#include <charconv>

namespace sinew::sim {
namespace {

std::string_view stripped(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Takes what stands before the next " + " or " - " out of the text; the sign of what follows.
std::string_view take_term(std::string_view& text, double& next_sign) {
  const auto end = std::min(text.find(" + "), text.find(" - "));
  const std::string_view term = stripped(text.substr(0, end));
  next_sign = end != text.npos && text[end + 1] == '-' ? -1.0 : 1.0;
  text.remove_prefix(end == text.npos ? text.size() : end + 3);
  return term;
}

bool read_number(std::string_view text, double& factor) {
  double number = 0.0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return false;
  factor *= number;
  return true;
}

// "2.5 * name": multiplies the factor, leaves the name. What is no number is left in the name, to be found unknown.
std::string_view take_factor(std::string_view term, double& factor) {
  const auto star = term.find(" * ");
  if (star == term.npos || !read_number(stripped(term.substr(0, star)), factor)) return term;
  return stripped(term.substr(star + 3));
}

}  // namespace

SignalPositions positions_of(std::span<const Signal> signals) {
  SignalPositions positions;
  for (std::size_t i = 0; i < signals.size(); i++) positions.emplace(signals[i].name, int(i));
  return positions;
}

Formula parse_formula(std::span<const Signal> signals, std::string_view text) {
  return parse_formula(signals, positions_of(signals), text);
}

Formula parse_formula(std::span<const Signal> signals, const SignalPositions& positions, std::string_view text) {
  Formula formula;
  if (const std::vector<int> found = find_signals(signals, text); !found.empty()) {
    for (const int i : found) formula.components.push_back({{i, 1.0}});
    formula.is_vector = signals[found[0]].name != text;
    return formula;
  }
  formula.is_vector = text.find(',') != text.npos;
  for (bool more = true; more;) {
    const auto comma = text.find(',');
    std::string_view part = stripped(text.substr(0, comma));
    more = comma != text.npos;
    if (more) text.remove_prefix(comma + 1);
    double sign = 1.0, next = 1.0;
    if (part.starts_with("-")) {
      sign = -1.0;
      part = stripped(part.substr(1));
    }
    Sum sum;
    do {
      const std::string_view name = take_factor(take_term(part, next), sign);
      const auto found = positions.find(name);
      if (found != positions.end())
        sum.push_back({found->second, sign});
      else if (!sum.empty() && read_number(name, sign))
        sum.push_back({-1, sign});
      else
        return {{}, false, std::string(name)};
      sign = next;
    } while (!part.empty());
    formula.components.push_back(std::move(sum));
  }
  return formula;
}

double evaluate(const Sum& sum, std::span<const Signal> signals, const World<double>& world,
                const Observation<double>& seen) {
  double value = sum[0].factor * evaluate(signals[sum[0].signal], world, seen);
  for (std::size_t i = 1; i < sum.size(); i++)
    value += sum[i].signal < 0 ? sum[i].factor : sum[i].factor * evaluate(signals[sum[i].signal], world, seen);
  return value;
}

}  // namespace sinew::sim
