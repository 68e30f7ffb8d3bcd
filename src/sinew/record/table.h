// A table whose rows come one by one and stay, whatever happens to the program: a study's file.
//   /table   one row each, a compound type: h5py reads it as a structured array, pandas as a frame
//   /about   JSON in bytes: names, units and descriptions of the columns, and what the owner says of the whole
// Written as recordings are (record/writer.h): rows, then their number, in HDF5's single-writer mode, so that the file of a killed program
// has every row that was flushed and no part of another.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sinew/record/errors.h"

namespace sinew::record {

enum class FieldKind { Number, Count, Text };

struct Field {
  std::string name, unit, description;
  FieldKind kind = FieldKind::Number;
  int size = 8;  // of a text: its most bytes; longer ones are cut
};

using Cell = std::variant<double, std::uint64_t, std::string>;  // as FieldKind
using TableRow = std::vector<Cell>;

struct Table {
  std::vector<Field> fields;
  std::string about;  // JSON
  std::vector<TableRow> rows;
};

class TableWriter {
 public:
  // Makes the file under another name beside it; the first flush puts it in its place, where an earlier one stays until then. about: JSON.
  // Throws FileError.
  TableWriter(const std::string& file, std::span<const Field> fields, const std::string& about);
  ~TableWriter();
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;

  void append(const TableRow& row);  // safe from a kill after the next flush
  void flush();                      // and from a loss of power within a second
  void finish();                     // closes it: an ordinary file from here on

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

// Is there such a table in the file? False also if there is no file.
bool is_table(const std::string& file);

// All rows that are there, also while somebody writes. Throws FileError if it cannot be read, Error if it is no table.
Table read_table(const std::string& file);

}  // namespace sinew::record
