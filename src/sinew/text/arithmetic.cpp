#include "sinew/text/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/math/elementary.h"
#include "sinew/sim/nearest.h"

namespace sinew::text {
namespace {

constexpr int most_nested = 100;

struct Function {
  std::string_view name;
  std::size_t n;
  double (*value)(const double* x);
};
constexpr std::array functions{
    Function{"sqrt", 1, [](const double* x) { return std::sqrt(x[0]); }},
    Function{"abs", 1, [](const double* x) { return std::abs(x[0]); }},
    Function{"sin", 1, [](const double* x) { return math::sin(x[0]); }},
    Function{"cos", 1, [](const double* x) { return math::cos(x[0]); }},
    Function{"tan", 1, [](const double* x) { return math::tan(x[0]); }},
    Function{"asin", 1, [](const double* x) { return math::asin(x[0]); }},
    Function{"acos", 1, [](const double* x) { return math::acos(x[0]); }},
    Function{"atan", 1, [](const double* x) { return math::atan(x[0]); }},
    Function{"atan2", 2, [](const double* x) { return math::atan2(x[0], x[1]); }},
    Function{"exp", 1, [](const double* x) { return math::exp(x[0]); }},
    Function{"log", 1, [](const double* x) { return math::log(x[0]); }},
    Function{"floor", 1, [](const double* x) { return std::floor(x[0]); }},
    Function{"min", 2, [](const double* x) { return std::min(x[0], x[1]); }},
    Function{"max", 2, [](const double* x) { return std::max(x[0], x[1]); }},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Parser {
  std::string_view text;
  const Parameters& parameters;
  std::size_t at = 0;
  int depth = 0;
  std::string problem = {};

  double fail(std::string what) {
    if (problem.empty()) problem = std::move(what);
    at = text.size();
    return 0.0;
  }

  void skip() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) at++;
  }
  bool take(char c) {
    skip();
    if (at >= text.size() || text[at] != c) return false;
    at++;
    return true;
  }

  double sum() {
    if (++depth > most_nested) return fail("it is nested too deeply");
    double value = product();
    while (problem.empty()) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        break;
    }
    depth--;
    return value;
  }

  double product() {
    double value = power();
    while (problem.empty()) {
      if (take('*'))
        value *= power();
      else if (take('/'))
        value /= power();
      else
        break;
    }
    return value;
  }

  double power() {
    if (++depth > most_nested) return fail("it is nested too deeply");
    double value;
    if (take('-')) {
      value = -power();
    } else {
      value = atom();
      if (take('^')) value = math::pow(value, power());
    }
    depth--;
    return value;
  }

  double atom() {
    skip();
    if (at >= text.size()) return fail("a number is missing at its end");
    if (take('(')) {
      const double value = sum();
      return take(')') ? value : fail("a ) is missing");
    }
    const char c = text[at];
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return named();
    return fail(fmt::format("\"{}\" is not expected there", c));
  }

  double number() {
    double value = 0.0;
    const auto read = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (read.ec != std::errc()) return fail("it holds something that is no number");
    at = std::size_t(read.ptr - text.data());
    return value;
  }

  double named() {
    const std::size_t start = at;
    while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) at++;
    const std::string_view name = text.substr(start, at - start);
    if (take('(')) return call(name);
    if (name == "pi") return std::numbers::pi;
    const auto found = parameters.find(name);
    return found != parameters.end() ? found->second : fail(unknown(name));
  }

  double call(std::string_view name) {
    const auto function = std::ranges::find(functions, name, &Function::name);
    if (function == functions.end()) {
      std::vector<std::string> names;
      for (const Function& f : functions) names.emplace_back(f.name);
      return fail(fmt::format("there is no function {}: the functions are {}", name, sim::join(names)));
    }
    double x[2] = {0.0, 0.0};
    for (std::size_t i = 0; i < function->n; i++) {
      if (i > 0 && !take(',')) return fail(fmt::format("{} takes {} numbers", name, function->n));
      x[i] = sum();
    }
    return take(')') ? function->value(x) : fail(fmt::format("a ) is missing after {}(", name));
  }

  std::string unknown(std::string_view name) const {
    std::vector<std::string> names;
    for (const auto& [known, value] : parameters) names.push_back(known);
    return fmt::format("there is no parameter {}: {}", name,
                       names.empty() ? "[param] is empty" : "[param] has " + sim::join(names));
  }
};

}  // namespace

Evaluated evaluate(std::string_view text, const Parameters& parameters) {
  Parser parser{text, parameters};
  const double value = parser.sum();
  parser.skip();
  if (parser.problem.empty() && parser.at < text.size())
    parser.fail(fmt::format("\"{}\" is not expected there", text[parser.at]));
  if (parser.problem.empty() && !std::isfinite(value)) parser.fail("it is no finite number");
  return {value, parser.problem};
}

bool is_parameter_name(std::string_view name) {
  if (name.empty() || !is_letter(name[0]) || name == "pi") return false;
  return std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace sinew::text
