// A file that appears complete or not at all.
#pragma once
#include <string>
#include <string_view>

#include "sinew/files/place.h"

namespace sinew {

// Writes beside the file and takes its place at the end, if it may be there (place.h). What stood there before stays until then.
class FileWriter {
 public:
  FileWriter(const std::string& path, const FileKind& kind);  // throws FileError, as all of these
  ~FileWriter();                                              // not finished: as if it had never been
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::string_view text);
  void finish();

 private:
  [[noreturn]] void fail(int reason);
  const FileKind kind_;
  std::string path_, place_, beside_;  // as named; behind all links; where the text goes until the end
  int descriptor_ = -1;
};

void write_file(const std::string& path, const FileKind& kind, std::string_view content);

}  // namespace sinew
