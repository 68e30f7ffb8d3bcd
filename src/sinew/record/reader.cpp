// A file is not trusted: every size and type is looked at before it is used, and links and views, which may lead into other
// files, are not followed.
#include "sinew/record/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "sinew/math/check.h"
#include "sinew/record/hdf5.h"

namespace sinew::record {
namespace {

using Json = nlohmann::json;

constexpr hsize_t max_columns = 1'000'000;
constexpr hsize_t max_text = 64 << 20;  // [bytes]

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw Error(
      fmt::format("{}: this is no recording of sinew that can be read: {}: make one with sinew run SCENARIO --out "
                  "FILE.h5",
                  file, what));
}

Handle open(const std::string& file) {
  std::string why;
  Handle handle = open_to_read(file, why);
  if (!handle) refuse(file, why);
  return handle;
}

// JSON that was stored as bytes; discarded if there is none.
Json read_json(hid_t file, const char* path) {
  const Json none(Json::value_t::discarded);
  const Handle set = open_dataset(file, path);
  if (!set) return none;
  const Handle type(H5(H5Dget_type)(set), H5(H5Tclose)), space(H5(H5Dget_space)(set), H5(H5Sclose)),
      list(H5(H5Dget_create_plist)(set), H5(H5Pclose));
  hsize_t size = 0;
  if (!type || H5(H5Tequal)(type, H5_ID(H5T_STD_U8LE)) <= 0 || !space || H5(H5Sget_simple_extent_ndims)(space) != 1 ||
      H5(H5Sget_simple_extent_dims)(space, &size, nullptr) != 1 || size > max_text || !list ||
      H5(H5Pget_layout)(list) != H5D_CONTIGUOUS || H5(H5Pget_external_count)(list) != 0 ||
      H5(H5Dget_storage_size)(set) < size)
    return none;
  std::string text(size, '\0');
  if (H5(H5Dread)(set, H5_ID(H5T_NATIVE_UCHAR), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return none;
  return Json::parse(text, nullptr, false);
}

}  // namespace

struct Reader::Own {
  std::string file;
  Handle handle, samples;
  std::vector<Column> columns;
  Json attributes;
  hsize_t n_rows = 0;

  void open_samples();
  void read_index();
};

void Reader::Own::open_samples() {
  samples = open_dataset(handle, samples_path);
  if (!samples) refuse(file, "it has no dataset /samples");
  const Handle type(H5(H5Dget_type)(samples), H5(H5Tclose)), space(H5(H5Dget_space)(samples), H5(H5Sclose));
  const Handle list(H5(H5Dget_create_plist)(samples), H5(H5Pclose));
  hsize_t size[2] = {};
  if (!type || H5(H5Tget_class)(type) != H5T_FLOAT || H5(H5Tget_size)(type) != sizeof(double))
    refuse(file, "/samples does not hold numbers of eight bytes");
  if (!space || H5(H5Sget_simple_extent_ndims)(space) != 2 || H5(H5Sget_simple_extent_dims)(space, size, nullptr) != 2)
    refuse(file, "/samples is not a table");
  if (!list || H5(H5Pget_layout)(list) != H5D_CHUNKED) refuse(file, "/samples is not stored in chunks");
  // What is there must be in the file; no compression shrinks more than 1032 to 1.
  const double stored = double(H5(H5Dget_storage_size)(samples));
  if (size[0] > 0 && stored == 0.0) refuse(file, "the index of its chunks is damaged");
  if (size[1] == 0 || size[1] > max_columns || double(size[0]) * double(size[1]) * sizeof(double) > 1032.0 * stored)
    refuse(file, fmt::format("/samples claims {} x {} numbers", size[0], size[1]));
  n_rows = size[0];
  columns.resize(size[1]);
}

void Reader::Own::read_index() {
  const Json index = read_json(handle, index_path);
  if (!index.is_object() || !index.contains("columns") || !index["columns"].is_array() ||
      index["columns"].size() != columns.size() || !index.contains("attributes") || !index["attributes"].is_object())
    refuse(file, "its index does not fit its numbers");
  std::set<std::string> names;
  for (std::size_t i = 0; i < columns.size(); i++) {
    const Json& entry = index["columns"][i];
    if (!entry.is_array() || entry.size() != 3 ||
        !std::ranges::all_of(entry, [](const Json& j) { return j.is_string(); }))
      refuse(file, fmt::format("column {} has no name", i));
    columns[i] = {entry[0], entry[1], entry[2]};
    if (!names.insert(columns[i].name).second) refuse(file, fmt::format("two columns are called {}", columns[i].name));
  }
  if (columns[0].name != "t") refuse(file, "its first column is not the time");
  attributes = index["attributes"];
  const Json summary = read_json(handle, summary_path);
  if (summary.is_object()) attributes.update(summary);
}

Reader::Reader(const std::string& file) : own_(std::make_unique<Own>()) {
  prepare_library();
  own_->file = file;
  own_->handle = open(file);
  own_->open_samples();
  own_->read_index();
}

Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

bool is_recording(const std::string& file) {
  prepare_library();
  std::string why;
  const Handle handle = open_to_read(file, why);
  return handle && open_dataset(handle, samples_path);
}

const std::vector<Column>& Reader::columns() const { return own_->columns; }
std::size_t Reader::rows() const { return own_->n_rows; }

std::vector<double> Reader::read(std::size_t column) const {
  SINEW_CHECK(column < own_->columns.size(), "Reader: column ", column, " of ", own_->columns.size());
  std::vector<double> out(own_->n_rows);
  if (out.empty()) return out;
  const hsize_t start[2] = {0, column}, count[2] = {own_->n_rows, 1};
  const Handle space(H5(H5Dget_space)(own_->samples), H5(H5Sclose)),
      memory(H5(H5Screate_simple)(1, count, nullptr), H5(H5Sclose));
  H5(H5Sselect_hyperslab)(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  if (H5(H5Dread)(own_->samples, H5_ID(H5T_NATIVE_DOUBLE), memory, space, H5P_DEFAULT, out.data()) < 0)
    refuse(own_->file, fmt::format("the numbers of {} cannot be read", own_->columns[column].name));
  return out;
}

std::vector<double> Reader::read_all() const {
  const hsize_t start[2] = {0, 0}, count[2] = {own_->n_rows, own_->columns.size()};
  std::vector<double> out(own_->n_rows * own_->columns.size());
  if (out.empty()) return out;
  const Handle space(H5(H5Dget_space)(own_->samples), H5(H5Sclose)),
      memory(H5(H5Screate_simple)(2, count, nullptr), H5(H5Sclose));
  H5(H5Sselect_hyperslab)(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  if (H5(H5Dread)(own_->samples, H5_ID(H5T_NATIVE_DOUBLE), memory, space, H5P_DEFAULT, out.data()) < 0)
    refuse(own_->file, "the numbers cannot be read");
  return out;
}

std::string Reader::attribute(const std::string& name) const {
  const auto found = own_->attributes.find(name);
  if (found == own_->attributes.end()) return {};
  if (found->is_string()) return *found;
  return found->is_number_unsigned() ? std::to_string(found->get<std::uint64_t>()) : std::string();
}

}  // namespace sinew::record
