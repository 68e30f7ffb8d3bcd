// A recording is a table: one column per signal, one row per sampled moment. Column 0 is the time.
#pragma once
#include <cstdint>
#include <string>
#include <variant>

namespace sinew::record {

struct Column {
  std::string name, unit, description;
};

// Something about the whole recording.
struct Attribute {
  std::string name;
  std::variant<std::string, std::uint64_t> value;
};

// Parts of the file.
inline constexpr const char* samples_path = "/samples";  // the numbers; /signals/NAME are views of its columns
inline constexpr const char* index_path = "/index";      // names of the columns and attributes, as JSON in bytes
inline constexpr const char* summary_path = "/summary";  // attributes known at the end, likewise

}  // namespace sinew::record
