// The numbers among the keys of a scenario: listed, and changed one at a time, without a file. A choice that is live is the number of the
// word in its list.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "sinew/model/keys.h"

namespace sinew::sim {

struct NumberKey {
  std::string table, name;  // dotted name of the table that holds it
  std::string unit, doc;
  Range range;
  bool degrees = false, live = false;
  std::vector<double> numbers;          // [as unit]
  bool is_array = false;                // written in brackets
  std::vector<std::string> stands_for;  // of a shorthand: the keys beside it that it sets

  std::string dotted() const { return table.empty() ? name : table + "." + name; }
  std::string written() const { return dotted() + (degrees ? "_deg" : ""); }  // as people write it
};

// Walks through tables; what all visitors of numbers share.
class NumberVisitor : public Keys {
 public:
  void integer(const Key&, int&) override {}
  void flag(const Key&, bool&) override {}
  void text(const Key&, std::string&) override {}
  void choice(const Key&, std::span<const std::string_view>, int&) override {}
  void texts(const Key&, std::vector<std::string>&) override {}
  void open(std::string_view name, std::string_view) override;
  void close() override;
  std::vector<std::string> names(std::span<const std::string> present, std::string_view) override {
    return {present.begin(), present.end()};
  }

 protected:
  std::string dotted(std::string_view name) const;
  const std::string& table() const { return table_; }

 private:
  std::string table_;
};

class NumberLister : public NumberVisitor {
 public:
  void number(const Key& key, double& value) override;
  void numbers(const Key& key, const Count& count, std::vector<double>& values) override;
  void choice(const Key& key, std::span<const std::string_view> allowed, int& chosen) override;
  bool shorthand(const Key& key, std::span<const std::string_view> stands_for, double& value) override;
  bool is_given(std::string_view) const override { return false; }
  void reject(std::string_view, std::string_view, std::string_view) override {}

  std::vector<NumberKey> keys;
};

struct NumberChange {
  std::string key;     // dotted
  int component = -1;  // of an array
  double value = 0.0;  // [as unit]
};

// given: keys and tables that the file has, with the changed one.
class NumberSetter : public NumberVisitor {
 public:
  NumberSetter(NumberChange change, const std::set<std::string>& given) : change_(std::move(change)), given_(given) {}

  void number(const Key& key, double& value) override;
  void numbers(const Key& key, const Count& count, std::vector<double>& values) override;
  void choice(const Key& key, std::span<const std::string_view> allowed, int& chosen) override;
  bool shorthand(const Key& key, std::span<const std::string_view> stands_for, double& value) override;
  bool is_given(std::string_view name) const override { return given_.contains(dotted(name)); }
  void reject(std::string_view name, std::string_view what, std::string_view fix) override;

  std::vector<std::string> problems;
  bool met = false;  // the scenario has this number

 private:
  bool is_meant(const Key& key) const { return dotted(key.name) == change_.key; }
  void put(const Key& key, double& value);

  NumberChange change_;
  const std::set<std::string>& given_;
};

}  // namespace sinew::sim
