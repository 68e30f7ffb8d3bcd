// A log of images, in the order in which a robot sent and received them; and its replay: measured values to a controller, whose answers are
// compared with those of the log, bit by bit.
//   "sinew bridge log 1\n", layout hash, bytes measured, bytes references (uint32 each), then images one after the other; their magic tells them apart
#pragma once
#include <atomic>
#include <cstdio>
#include <fstream>
#include <string>

#include "sinew/bridge/transport.h"

namespace sinew::bridge {

class ImageLog {
 public:
  ImageLog(const std::string& file,
           const Layout& layout);  // throws FileError: it cannot be written, or is something else
  ~ImageLog();
  ImageLog(const ImageLog&) = delete;
  ImageLog& operator=(const ImageLog&) = delete;

  void add(std::span<const std::byte> image);
  void finish();  // throws FileError if something was not written

 private:
  std::string path_;
  std::FILE* file_;
  bool failed_ = false;
};

class LogReader {
 public:
  LogReader(const std::string& path,
            const Layout& layout);           // throws InputError: no log, or of another robot; FileError
  bool next(std::vector<std::byte>& image);  // false: it ends; also amid an image, where its writer was killed

 private:
  const Layout& layout_;
  std::ifstream in_;
};

struct Replayed {
  std::int64_t sent = 0, compared = 0, different = 0;
  std::int64_t unsure = 0;  // images of which the log does not tell whether its controller saw them
  std::string first;        // difference: "joint.knee.torque at t = 0.25 s: 0.5, the log has 0.4"
  bool interrupted = false;
};

// A controller of timed mode that was late has passed images over, and what it remembers does not know of them: it is not sent these again. Its
// count of answers says how many there were. Throws InputError: no log, or of another robot; FileError.
Replayed replay(const std::string& file, const Layout& layout, Transport& transport,
                const std::atomic<bool>* interrupted);

}  // namespace sinew::bridge
