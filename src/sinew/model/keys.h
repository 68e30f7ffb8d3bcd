// Keys: one declaration per scenario key, for reading, showing, checking and documenting it.
//   void describe(Keys& keys, BodyPlan& body) { keys.number({"mass", "kg", "mass", not_negative}, body.mass); ... }
// A reader of files overwrites the values, a lister only looks at them; describe() does not know which one it serves.
// The value a field has when describe() is called is its default.
#pragma once
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/math/rotation.h"

namespace sinew {

// Admissible numbers. NaN never is.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool above_low = false;  // strictly
  bool may_be_infinite = false;

  bool contains(double x) const;
  std::string text() const;  // "> 0", ">= 0", "0 to 1"; empty: any finite number
};
inline constexpr Range any_number{};
inline constexpr Range positive{.low = 0.0, .above_low = true};
inline constexpr Range not_negative{.low = 0.0};

struct Key {
  std::string_view name, unit, doc;
  Range range = any_number;
  bool degrees = false;  // NAME_deg is read as well
  bool live = false;     // may be changed while a simulation runs
};

// For numbers that do not change what a robot is made of or how it starts.
constexpr Key live(Key key, bool is = true) { return key.live = is, key; }

// How many numbers an array may hold.
struct Count {
  int exactly = -1;          // -1: any number of them
  int or_exactly = -1;       // a second possibility
  bool one_for_all = false;  // a single number stands for `exactly` equal ones; for a list of one if that is -1
};

class Keys {
 public:
  virtual ~Keys() = default;

  virtual void number(const Key& key, double& value) = 0;
  virtual void integer(const Key& key, int& value) = 0;
  virtual void flag(const Key& key, bool& value) = 0;
  virtual void text(const Key& key, std::string& value) = 0;
  virtual void choice(const Key& key, std::span<const std::string_view> allowed, int& chosen) = 0;
  virtual void numbers(const Key& key, const Count& count, std::vector<double>& values) = 0;
  virtual void texts(const Key& key, std::vector<std::string>& values) = 0;  // a single text is a list of one

  // A key that stands for several others of the table, which are declared as well: true if it is given. Not shown,
  // because the others are.
  virtual bool shorthand(const Key& key, std::span<const std::string_view> stands_for, double& value) = 0;

  // A table [name] inside the present one. Close every table that was opened; see Table.
  virtual void open(std::string_view name, std::string_view doc) = 0;
  virtual void close() = 0;

  // Names of the entries of the open table, in the file's order; a lister returns `present`. An entry that is no table
  // but a plain value stands for the table { shorthand = value }, where a shorthand is given.
  virtual std::vector<std::string> names(std::span<const std::string> present, std::string_view shorthand = {}) = 0;

  // For rules that join several keys of the open table.
  virtual bool is_given(std::string_view name) const = 0;
  virtual void reject(std::string_view name, std::string_view what, std::string_view fix) = 0;

  // Built on the above.
  void vector(const Key& key, Vec3d& value);
  void quaternion(const Key& key, Quatd& value);
};

// Opens a table for the length of a scope.
class Table {
 public:
  Table(Keys& keys, std::string_view name, std::string_view doc = {}) : keys_(keys) { keys_.open(name, doc); }
  ~Table() { keys_.close(); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

 private:
  Keys& keys_;
};

}  // namespace sinew
