// Columns of a study's table by name, as numbers: for plots, tables and expressions.
#pragma once
#include "sinew/study/expression.h"
#include "sinew/study/study_file.h"

namespace sinew::study {

struct NumberColumn {
  std::string name, unit;
  std::vector<double> values;  // a row each; NaN: it has none
};

// A column, or an expression of columns. place: what a message begins with. Throws InputError.
NumberColumn column_of(const StudyFile& study, const std::string& text, const std::string& place);

std::vector<std::string> axis_names(const StudyFile& study);
std::vector<std::string> result_names(const StudyFile& study);
std::vector<bool> good_rows(const StudyFile& study);  // done or stopped

// The rows as text for people: keys, status and the first results; of more than `most` rows the first ones.
std::string text_table(const StudyFile& study, std::size_t most);

// All columns, comma-separated; empty: no number.
std::string csv_table(const StudyFile& study);

// A database with the table `study`; a file that stood there is replaced. By libsqlite3, which is loaded then. Throws FileError.
void write_sqlite(const StudyFile& study, const std::string& file);

}  // namespace sinew::study
