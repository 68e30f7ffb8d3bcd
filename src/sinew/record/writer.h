// Writes a recording that can be read at any moment, also after the program was killed (HDF5's single-writer,
// multiple-readers mode).
//   /samples          all numbers, rows x columns, in chunks of some rows
//   /signals/NAME     column NAME as a dataset of its own, with the attributes unit and description: a view of /samples
//   /index, /summary  names and attributes once more, for our own reader
// Why views: a row then costs one write whatever the number of signals; as datasets of their own, 600 signals cost some
// 100 us each and block. Why the index: HDF5 1.10 crashes on damaged views and texts, which no checksum guards; our
// reader takes only what is guarded, or plain bytes.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "sinew/record/column.h"
#include "sinew/record/errors.h"

namespace sinew::record {

class Writer {
 public:
  // Makes the file under another name beside; the first flush puts it in its place, where an earlier one stays until then.
  // Throws FileError.
  Writer(const std::string& file, std::span<const Column> columns, std::span<const Attribute> attributes,
         int chunk_rows);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Another row; on disk after the next flush, or at once when it fills a chunk.
  void append(std::span<const double> row);
  void flush();

  // The last rows, then attributes that were not known before. The file is an ordinary one from here on.
  void finish(std::span<const Attribute> attributes);

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace sinew::record
