// Order of writes: the rows of a chunk, then the number of rows. A reader, or whoever opens the file of a killed program,
// never sees a row that is not there.
#include "sinew/record/writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "sinew/files/place.h"
#include "sinew/math/check.h"
#include "sinew/record/hdf5.h"

namespace sinew::record {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& file, const std::string& reason = system_reason()) {
  throw FileError(
      fmt::format("{}: the recording cannot be written: {}: choose another place with --out, or "
                  "--no-record",
                  file, reason.empty() ? "the HDF5 library gives no reason" : reason));
}

// data: as the type's numbers are in memory; for a text the address of its address
bool put_attribute(hid_t object, hid_t type, const Handle& scalar, const char* name, const void* data) {
  const Handle attribute(H5(H5Acreate2)(object, name, type, scalar, H5P_DEFAULT, H5P_DEFAULT), H5(H5Aclose));
  return attribute && H5(H5Awrite)(attribute, type, data) >= 0;
}

bool put_text(hid_t object, hid_t type, const Handle& scalar, const char* name, const std::string& value) {
  const char* text = value.c_str();
  return put_attribute(object, type, scalar, name, &text);
}

bool put_attributes(hid_t object, std::span<const Attribute> attributes) {
  const Handle type = text_type(), scalar(H5(H5Screate)(H5S_SCALAR), H5(H5Sclose));
  for (const Attribute& a : attributes) {
    const auto* text = std::get_if<std::string>(&a.value);
    const bool done =
        text ? put_text(object, type, scalar, a.name.c_str(), *text)
             : put_attribute(object, H5_ID(H5T_NATIVE_UINT64), scalar, a.name.c_str(), &std::get<1>(a.value));
    if (!done) return false;
  }
  return true;
}

nlohmann::json to_json(std::span<const Attribute> attributes) {
  auto json = nlohmann::json::object();
  for (const Attribute& a : attributes) std::visit([&](const auto& value) { json[a.name] = value; }, a.value);
  return json;
}

bool put_bytes(hid_t file, const char* path, const nlohmann::json& json) {
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const hsize_t size = text.size();
  const Handle space(H5(H5Screate_simple)(1, &size, nullptr), H5(H5Sclose));
  const Handle set(H5(H5Dcreate2)(file, path, H5_ID(H5T_STD_U8LE), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5(H5Dclose));
  return set && H5(H5Dwrite)(set, H5_ID(H5T_NATIVE_UCHAR), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0;
}

bool put_index(hid_t file, std::span<const Column> columns, std::span<const Attribute> attributes) {
  auto list = nlohmann::json::array();
  for (const Column& c : columns) list.push_back({c.name, c.unit, c.description});
  return put_bytes(file, index_path, {{"columns", list}, {"attributes", to_json(attributes)}});
}

Handle access() {
  Handle list(H5(H5Pcreate)(H5_ID(H5P_CLS_FILE_ACCESS_ID)), H5(H5Pclose));
  H5(H5Pset_libver_bounds)(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  return list;
}

// A name beside the file that nobody else uses.
std::string beside(const std::string& file) { return fmt::format("{}.{}.part", file, getpid()); }

}  // namespace

struct Writer::Own {
  std::string file, place, draft;  // as named; behind all links; its name until it takes its place, empty from then on
  hsize_t n_columns, chunk_rows;
  std::vector<double> chunk;                 // rows that are not on disk as a whole chunk yet
  hsize_t first = 0, rows = 0, on_disk = 0;  // of the chunk; in it; of them on disk
  Handle handle, samples;

  void make_samples();
  bool make_views(std::span<const Column> columns) const;
  void write_chunk();
  void take_place();
  void give_up();
  void keep_what_fitted();
};

// After a write that failed, the library would try again and again; on disk all is as after a kill.
void Writer::Own::give_up() {
  samples.forget();
  handle.forget();
  std::error_code ignored;
  if (!draft.empty()) fs::remove(draft, ignored);
  draft.clear();
}

void Writer::Own::take_place() {
  std::error_code error;
  try {
    place_for(file, recording_file);  // it may have become something else in the meantime
  } catch (const FileError&) {
    give_up();
    throw;
  }
  fs::rename(draft, place, error);
  if (error) {
    give_up();
    throw FileError(fmt::format("{}: {}: choose another place with --out", file, error.message()));
  }
  draft.clear();
}

// The first rows may be more than the disk takes: no flush has shown the file yet, but what is in it is worth having.
void Writer::Own::keep_what_fitted() {
  samples.forget();
  handle.forget();
  if (!draft.empty() && first + on_disk > 0) take_place();
  give_up();
}

void Writer::Own::make_samples() {
  const hsize_t size[2] = {0, n_columns}, limit[2] = {H5S_UNLIMITED, n_columns}, rows_of[2] = {chunk_rows, n_columns};
  const Handle space(H5(H5Screate_simple)(2, size, limit), H5(H5Sclose)),
      list(H5(H5Pcreate)(H5_ID(H5P_CLS_DATASET_CREATE_ID)), H5(H5Pclose));
  const double nan = std::nan("");
  H5(H5Pset_chunk)(list, 2, rows_of);
  H5(H5Pset_fill_value)(list, H5_ID(H5T_NATIVE_DOUBLE), &nan);
  samples = Handle(H5(H5Dcreate2)(handle, samples_path, H5_ID(H5T_IEEE_F64LE), space, H5P_DEFAULT, list, H5P_DEFAULT),
                   H5(H5Dclose));
}

bool Writer::Own::make_views(std::span<const Column> columns) const {
  const Handle group(H5(H5Gcreate2)(handle, "/signals", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5(H5Gclose));
  const hsize_t none = 0, one = 1, endless = H5S_UNLIMITED;
  const hsize_t size[2] = {0, n_columns}, limit[2] = {H5S_UNLIMITED, n_columns};
  const Handle view(H5(H5Screate_simple)(1, &none, &endless), H5(H5Sclose)),
      table(H5(H5Screate_simple)(2, size, limit), H5(H5Sclose));
  H5(H5Sselect_hyperslab)(view, H5S_SELECT_SET, &none, &one, &endless, &one);
  const Handle type = text_type(), scalar(H5(H5Screate)(H5S_SCALAR), H5(H5Sclose));
  for (hsize_t i = 0; i < n_columns; i++) {
    const hsize_t start[2] = {0, i}, step[2] = {1, 1}, count[2] = {H5S_UNLIMITED, 1};
    H5(H5Sselect_hyperslab)(table, H5S_SELECT_SET, start, step, count, step);
    const Handle list(H5(H5Pcreate)(H5_ID(H5P_CLS_DATASET_CREATE_ID)), H5(H5Pclose));
    if (H5(H5Pset_virtual)(list, view, ".", samples_path, table) < 0) return false;
    const Handle signal(
        H5(H5Dcreate2)(group, columns[i].name.c_str(), H5_ID(H5T_IEEE_F64LE), view, H5P_DEFAULT, list, H5P_DEFAULT),
        H5(H5Dclose));
    if (!signal || !put_text(signal, type, scalar, "unit", columns[i].unit) ||
        !put_text(signal, type, scalar, "description", columns[i].description))
      return false;
  }
  return bool(group);
}

// The chunk goes to disk as it is, past the library's cache; rows that are not there yet lie beyond the end.
void Writer::Own::write_chunk() {
  SINEW_ASSERT(rows <= chunk_rows && chunk.size() == n_columns * chunk_rows);
  const hsize_t at[2] = {first, 0}, size[2] = {first + rows, n_columns};
  if (H5(H5Dset_extent)(samples, size) < 0 ||
      H5(H5Dwrite_chunk)(samples, H5P_DEFAULT, 0, at, chunk.size() * sizeof(double), chunk.data()) < 0 ||
      H5(H5Dflush)(samples) < 0) {
    const std::string reason = system_reason();
    keep_what_fitted();
    fail(file, reason);
  }
  on_disk = rows;
  if (rows < chunk_rows) return;
  first += rows;
  rows = on_disk = 0;
}

Writer::Writer(const std::string& file, std::span<const Column> columns, std::span<const Attribute> attributes,
               int chunk_rows)
    : own_(std::make_unique<Own>()) {
  SINEW_CHECK(!columns.empty() && columns[0].name == "t", "Writer: the first of ", columns.size(),
              " columns must be the time t");
  SINEW_CHECK(chunk_rows >= 1, "Writer: chunks of ", chunk_rows, " rows");
  prepare_library();
  Own& o = *own_;
  o.file = file;
  o.n_columns = columns.size();
  o.chunk_rows = hsize_t(chunk_rows);
  o.chunk.assign(o.n_columns * o.chunk_rows, std::nan(""));
  o.place = place_for(file, recording_file).file;
  o.draft = beside(o.place);
  o.handle = Handle(H5(H5Fcreate)(o.draft.c_str(), H5F_ACC_TRUNC, whole_pages(), access()), H5(H5Fclose));
  if (o.handle) o.make_samples();
  const bool made = o.samples && put_attributes(o.handle, attributes) && put_index(o.handle, columns, attributes) &&
                    o.make_views(columns) && H5(H5Fstart_swmr_write)(o.handle) >= 0;
  if (made) return;
  o.give_up();
  fail(file);
}

Writer::~Writer() {
  if (!own_->draft.empty()) own_->give_up();  // nobody has seen it
}

void Writer::append(std::span<const double> row) {
  SINEW_CHECK(row.size() == own_->n_columns, "Writer: a row of ", row.size(), " numbers, the recording has ",
              own_->n_columns, " columns");
  Own& o = *own_;
  std::copy(row.begin(), row.end(), o.chunk.begin() + std::ptrdiff_t(o.rows * o.n_columns));
  if (++o.rows == o.chunk_rows) o.write_chunk();
}

void Writer::flush() {
  if (own_->rows > own_->on_disk) own_->write_chunk();
  if (!own_->draft.empty()) own_->take_place();
}

// In single-writer mode no attribute can be added, and while a file is open in the ordinary way a kill would spoil it; so
// they are added to a copy, which takes the place of the first in one move.
void Writer::finish(std::span<const Attribute> attributes) {
  Own& o = *own_;
  flush();
  if (!o.samples.close() || !o.handle.close()) fail(o.file);
  if (attributes.empty()) return;
  const std::string draft = beside(o.place);
  std::error_code error;
  fs::copy_file(o.place, draft, fs::copy_options::overwrite_existing, error);
  bool done = false;
  if (!error) {
    Handle copy(H5(H5Fopen)(draft.c_str(), H5F_ACC_RDWR, access()), H5(H5Fclose));
    done =
        copy && put_attributes(copy, attributes) && put_bytes(copy, summary_path, to_json(attributes)) && copy.close();
    if (!done) copy.forget();
  }
  if (done) fs::rename(draft, o.place, error);
  if (done && !error) return;
  const std::string reason = error ? error.message() : system_reason();
  std::error_code ignored;
  fs::remove(draft, ignored);
  throw FileError(
      fmt::format("{}: all signals are recorded, but not the summary: {}: free some space and "
                  "run again",
                  o.file, reason));
}

}  // namespace sinew::record
