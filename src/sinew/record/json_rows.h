// Numbers in JSON objects as columns over time. A number is called by its way through the object: `pose.position.x`, `positions[2]`; an element of
// a list that has a name is called by it: `joints.knee.position`.
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sinew/record/errors.h"

namespace sinew::record {

// Rows in the order of their times; NaN where a column has none.
struct TimedTable {
  std::vector<double> t;
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;  // of each name
};

class JsonRows {
 public:
  // All numbers of an object; those with the same time are a row. prefix: before the names, with a dot; may be empty.
  void add(double t, const std::string& prefix, const nlohmann::json& object);
  bool is_empty() const { return columns_.empty(); }
  TimedTable table() const;

 private:
  void walk(double t, const std::string& name, const nlohmann::json& value, int depth);

  std::vector<std::pair<std::string, std::vector<std::pair<double, double>>>> columns_;  // name; time and value
  std::map<std::string, std::size_t> place_;
};

// A log as JSON: the longest list of objects in it, a row each. time: the number of an object that is its time; rate: or so many rows a second, if it
// is above 0. Throws FileError; Error if there is no such list or time.
TimedTable read_json_log(const std::string& file, const std::string& time, double rate = 0.0);

// The bytes of a file. Throws FileError.
std::string bytes_of_file(const std::string& file);

}  // namespace sinew::record
