// Lists keys: every key of a scenario with its present value written as TOML, unit and meaning.
#pragma once
#include <string>
#include <vector>

#include "sinew/model/keys.h"

namespace sinew::text {

struct KeyEntry {
  std::string table;  // dotted name of the table that holds the key; empty: the file itself
  std::string name;
  std::string unit, doc;
  std::string type;   // "number", "text", "3 numbers", ...; for a choice its values
  std::string range;  // "> 0"
  std::string value;  // as TOML
  bool holds_text = false, degrees = false;
  std::vector<std::string> stands_for = {};  // of a shorthand: the keys beside it that it sets
  bool live = false;                         // may be changed while a simulation runs
  Range allowed = {};
  std::vector<double> numbers = {};  // the value, where it is made of numbers [as unit]
  bool is_array = false;             // these are written in brackets

  std::string dotted() const { return table.empty() ? name : table + "." + name; }
};

class KeyLister : public Keys {
 public:
  void number(const Key& key, double& value) override;
  void integer(const Key& key, int& value) override;
  void flag(const Key& key, bool& value) override;
  void text(const Key& key, std::string& value) override;
  void choice(const Key& key, std::span<const std::string_view> allowed, int& chosen) override;
  void numbers(const Key& key, const Count& count, std::vector<double>& values) override;
  void texts(const Key& key, std::vector<std::string>& values) override;
  bool shorthand(const Key& key, std::span<const std::string_view> stands_for, double& value) override;
  void open(std::string_view name, std::string_view doc) override;
  void close() override;
  std::vector<std::string> names(std::span<const std::string> present, std::string_view shorthand) override;
  bool is_given(std::string_view) const override { return false; }
  void reject(std::string_view, std::string_view, std::string_view) override {}

  std::vector<KeyEntry> entries;
  std::vector<std::pair<std::string, std::string>> tables;  // name and meaning, in order
  std::vector<std::string> open_ended;                      // tables that take new entries as plain text

 private:
  void add(const Key& key, std::string type, std::string value, bool holds_text = false);
  std::vector<std::string> path_;
};

std::string toml_number(double x);
std::string toml_text(std::string_view text);

}  // namespace sinew::text
