// The first pass writes values down in the order in which they are declared, the second reads them in the same order: which keys
// there are depends on nothing but the values of those before.
#include "sinew/sim/copy_keys.h"

#include <variant>

namespace sinew::sim {
namespace {

using Value = std::variant<double, int, bool, std::string, std::vector<double>, std::vector<std::string>>;

class Tape : public Keys {
 public:
  void number(const Key&, double& value) override { pass(value); }
  void integer(const Key&, int& value) override { pass(value); }
  void flag(const Key&, bool& value) override { pass(value); }
  void text(const Key&, std::string& value) override { pass(value); }
  void choice(const Key&, std::span<const std::string_view>, int& chosen) override { pass(chosen); }
  void numbers(const Key&, const Count&, std::vector<double>& values) override { pass(values); }
  void texts(const Key&, std::vector<std::string>& values) override { pass(values); }
  bool shorthand(const Key&, std::span<const std::string_view>, double&) override { return false; }
  void open(std::string_view, std::string_view) override {}
  void close() override {}
  std::vector<std::string> names(std::span<const std::string> present, std::string_view) override {
    std::vector<std::string> names(present.begin(), present.end());
    pass(names);
    return names;
  }
  bool is_given(std::string_view) const override { return false; }
  void reject(std::string_view, std::string_view, std::string_view) override {}

  bool reads = false;

 private:
  template <class T>
  void pass(T& value) {
    if (reads)
      value = std::get<T>(values_.at(next_++));
    else
      values_.emplace_back(value);
  }

  std::vector<Value> values_;
  std::size_t next_ = 0;
};

}  // namespace

void copy_keys(const DeclareKeys& from, const DeclareKeys& to) {
  Tape tape;
  from(tape);
  tape.reads = true;
  to(tape);
}

}  // namespace sinew::sim
