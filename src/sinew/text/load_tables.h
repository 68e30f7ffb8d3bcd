// Reads the CSV files that motions of joints name, and puts their columns into the plan as tables.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sinew/model/plan.h"

namespace sinew::text {

// A file of numbers: on each line a time and as many columns, parted by commas; a first line of names and lines that are empty or
// begin with # are left out.
struct TableFile {
  std::vector<double> t;
  std::vector<std::vector<double>> columns;
};
// Throws InputError, "FILE:LINE: WHAT: HOW TO FIX".
TableFile read_table(const std::string& file);

// Paths start at `folder`. Every problem is added, said to be at place_of(key): the joint's, or `robot_key` if the robot was given
// the file.
void load_tables(Plan& plan, const std::string& folder, const std::string& robot_key,
                 const std::function<std::string(std::string_view)>& place_of, std::vector<std::string>& problems);

}  // namespace sinew::text
