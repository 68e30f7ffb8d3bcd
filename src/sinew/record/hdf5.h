// The little of HDF5's C interface that both reader and writer need: handles that close themselves, errors as values.
#pragma once
#include <hdf5.h>

#include <string>
#include <utility>

#include "sinew/files/shared_library.h"

// The library is loaded by the first call, and each of its functions is looked up once: H5(H5Fopen)(...). H5_ID: one of its numbers,
// such as those of types.
#define H5(function) SINEW_H5_EXPANDED(function)  // some names stand for others, by version
#define SINEW_H5_EXPANDED(function)                                                                              \
  ([] {                                                                                                          \
    static const auto found = reinterpret_cast<decltype(&function)>(sinew::record::library().symbol(#function)); \
    return found;                                                                                                \
  }())
#undef H5CHECK  // flags of files call these before they are numbers
#undef H5OPEN
#define H5CHECK
#define H5OPEN
#define H5_ID(number) sinew::record::number_of(#number "_g")

namespace sinew::record {

const SharedLibrary& library();
hid_t number_of(const char* variable);

// An open object of the library; closed at the end of its life.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }

  // False: what was still to be written could not be.
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }
  void forget() { id_ = -1; }  // leave it open: after a failed write the library cannot close it
  explicit operator bool() const { return id_ >= 0; }
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): every call of the library takes one

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// To be called in each thread before anything else of the library: no messages on stderr, and no attempt to flush what
// cannot be flushed when the program ends.
void prepare_library();

// What the last failure in this thread was due to, in the system's words ("No space left on device"); empty: not the
// system.
std::string system_reason();

// How a file that may be killed at any moment is made: no object of up to 4 KiB lies across a page of the system's cache.
// A write that does can be cut in the middle by a kill, and a chunk index whose checksum is wrong makes every row
// unreadable. The index's blocks stay below that up to 8180 chunks (0.5 GB of a recording).
Handle whole_pages();

// A file to be read, plainly or as one that somebody may still be writing. Throws FileError if it cannot be read; none, and why, if it is not
// HDF5 or damaged.
Handle open_to_read(const std::string& file, std::string& why);

// A dataset that is in this file itself, not behind a link to elsewhere.
Handle open_dataset(hid_t file, const char* path);

// The type of texts: any length, UTF-8.
Handle text_type();

}  // namespace sinew::record
