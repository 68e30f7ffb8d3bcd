// Expressions of the results of a run, by name:
//   com_speed / (1 + 0.1 * max_torque)        + - * / ^, parentheses, abs sqrt exp log min max
//   max_torque < 8                            of a condition: < <= > >=
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sinew::study {

using NumberOf = std::function<double(const std::string& name)>;

class Expression {
 public:
  // Throws InputError. place: what the message begins with, "--maximize".
  Expression(const std::string& text, const std::string& place);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  const std::string& text() const { return text_; }
  const std::vector<std::string>& names() const { return names_; }  // of results, each once
  double value(const NumberOf& number_of) const;

  struct Node;

 private:
  std::string text_;
  std::vector<std::string> names_;
  std::unique_ptr<Node> root_;
};

// left < right, as what is missing: left - right where it is not below, else 0. NaN counts as missed without end.
class Condition {
 public:
  Condition(const std::string& text, const std::string& place);  // throws InputError
  const std::string& text() const { return text_; }
  std::vector<std::string> names() const;
  double missed_by(const NumberOf& number_of) const;

 private:
  std::string text_;
  bool below_ = true;
  std::vector<Expression> sides_;
};

}  // namespace sinew::study
