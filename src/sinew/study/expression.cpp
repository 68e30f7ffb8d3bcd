// expression := term (('+' | '-') term)*;  term := power (('*' | '/') power)*;  power := sign ('^' power)?;
// sign := '-' power | atom;  atom := number | name | function '(' expression (',' expression)* ')' | '(' expression ')'
#include "sinew/study/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "sinew/math/elementary.h"
#include "sinew/sim/errors.h"

namespace sinew::study {

struct Expression::Node {
  enum class Kind { Number, Name, Call } kind = Kind::Number;
  double number = 0.0;
  std::string name = {};  // of a result, an operator or a function
  std::vector<std::unique_ptr<Node>> of = {};
};

namespace {

using Node = Expression::Node;
using Tree = std::unique_ptr<Node>;

struct NamedFunction {
  std::string_view name;
  std::size_t count;
};
constexpr std::array<NamedFunction, 6> named_functions{
    {{"abs", 1}, {"sqrt", 1}, {"exp", 1}, {"log", 1}, {"min", 2}, {"max", 2}}};

Tree call(std::string name, Tree a, Tree b = nullptr) {
  auto node = std::make_unique<Node>();
  node->kind = Node::Kind::Call;
  node->name = std::move(name);
  node->of.push_back(std::move(a));
  if (b) node->of.push_back(std::move(b));
  return node;
}

class Parser {
 public:
  Parser(const std::string& text, const std::string& place, std::vector<std::string>& names)
      : text_(text), place_(place), names_(names) {}

  Tree whole() {
    Tree tree = sum();
    if (peek() != '\0') fail(fmt::format("'{}' was not expected", text_.substr(at_)));
    return tree;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format(
        "{} {}: {}: write results by name, with + - * / ^ ( ) and abs, sqrt, exp, log, min, max", place_, text_, what));
  }
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') at_++;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    at_++;
    return true;
  }
  Tree sum() {
    if (++depth_ > 100) fail("too deep");
    Tree left = term();
    for (;;) {
      if (take('+'))
        left = call("+", std::move(left), term());
      else if (take('-'))
        left = call("-", std::move(left), term());
      else
        break;
    }
    depth_--;
    return left;
  }
  Tree term() {
    Tree left = sign();
    for (;;) {
      if (take('*'))
        left = call("*", std::move(left), sign());
      else if (take('/'))
        left = call("/", std::move(left), sign());
      else
        return left;
    }
  }
  Tree sign() {
    if (++depth_ > 100) fail("too deep");
    Tree out = take('-') ? call("minus", sign()) : power();
    depth_--;
    return out;
  }
  Tree power() {
    Tree base = atom();
    return take('^') ? call("^", std::move(base), sign()) : std::move(base);
  }
  Tree atom() {
    const char c = peek();
    if (take('(')) {
      Tree inside = sum();
      if (!take(')')) fail("a ) is missing");
      return inside;
    }
    if ((c >= '0' && c <= '9') || c == '.') return number();
    return name();
  }
  Tree number() {
    auto node = std::make_unique<Node>();
    const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), node->number);
    if (error != std::errc()) fail("a number cannot be read");
    at_ = std::size_t(stop - text_.data());
    return node;
  }
  Tree name() {
    const std::size_t first = at_;
    const auto is_part = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    };
    while (at_ < text_.size() && is_part(text_[at_])) at_++;
    if (at_ == first)
      fail(peek() == '\0' ? "something is missing at its end" : fmt::format("'{}' has no meaning", peek()));
    auto node = std::make_unique<Node>();
    node->name = text_.substr(first, at_ - first);
    const auto* function = std::ranges::find(named_functions, node->name, &NamedFunction::name);
    if (function == named_functions.end()) {
      node->kind = Node::Kind::Name;
      if (std::ranges::find(names_, node->name) == names_.end()) names_.push_back(node->name);
      return node;
    }
    node->kind = Node::Kind::Call;
    if (!take('(')) fail(fmt::format("a ( is missing after {}", node->name));
    do {
      node->of.push_back(sum());
    } while (take(','));
    if (!take(')')) fail("a ) is missing");
    if (node->of.size() != function->count) fail(fmt::format("{} takes {}", node->name, function->count));
    return node;
  }

  const std::string &text_, &place_;
  std::vector<std::string>& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

double evaluate_node(const Node& node, const NumberOf& number_of) {
  if (node.kind == Node::Kind::Number) return node.number;
  if (node.kind == Node::Kind::Name) return number_of(node.name);
  const double a = evaluate_node(*node.of[0], number_of);
  const double b = node.of.size() > 1 ? evaluate_node(*node.of[1], number_of) : 0.0;
  switch (node.name[0]) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '^':
      return math::pow(a, b);
    default:
      break;
  }
  if (node.name == "minus") return -a;
  if (node.name == "abs") return std::abs(a);
  if (node.name == "sqrt") return std::sqrt(a);
  if (node.name == "exp") return math::exp(a);
  if (node.name == "log") return math::log(a);
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  return node.name == "min" ? std::min(a, b) : std::max(a, b);
}

}  // namespace

Expression::Expression(const std::string& text, const std::string& place) : text_(text) {
  root_ = Parser(text_, place, names_).whole();
}
Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

double Expression::value(const NumberOf& number_of) const { return evaluate_node(*root_, number_of); }

Condition::Condition(const std::string& text, const std::string& place) : text_(text) {
  const auto at = text.find_first_of("<>");
  if (at == std::string::npos)
    throw InputError(fmt::format("{} {}: not a condition: write it with < or >, as 'max_torque < 8'", place, text));
  below_ = text[at] == '<';
  const std::size_t rest = at + 1 < text.size() && text[at + 1] == '=' ? at + 2 : at + 1;
  sides_.emplace_back(text.substr(0, at), place);
  sides_.emplace_back(text.substr(rest), place);
}

std::vector<std::string> Condition::names() const {
  std::vector<std::string> all = sides_[0].names();
  all.insert(all.end(), sides_[1].names().begin(), sides_[1].names().end());
  return all;
}

double Condition::missed_by(const NumberOf& number_of) const {
  const double difference = sides_[0].value(number_of) - sides_[1].value(number_of);
  const double missed = below_ ? difference : -difference;
  if (std::isnan(missed)) return std::numeric_limits<double>::infinity();
  return std::max(missed, 0.0);
}

}  // namespace sinew::study
