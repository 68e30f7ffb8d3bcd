// Reads a recording: one that is finished, one that is still being written, or what a killed program has left.
#pragma once
#include <memory>
#include <vector>

#include "sinew/record/column.h"
#include "sinew/record/errors.h"

namespace sinew::record {

class Reader {
 public:
  // Throws FileError if the file cannot be read, Error if it is no recording.
  explicit Reader(const std::string& file);
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  const std::vector<Column>& columns() const;  // "t" first, the others as they were written
  std::size_t rows() const;                    // when the file was opened
  std::vector<double> read(std::size_t column) const;
  std::vector<double> read_all() const;  // rows x columns, row by row

  // Of the whole recording; empty if there is none of this name.
  std::string attribute(const std::string& name) const;

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

// Does it claim to be one? Throws FileError.
bool is_recording(const std::string& file);

}  // namespace sinew::record
