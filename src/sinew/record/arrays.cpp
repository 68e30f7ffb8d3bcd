// A file is not trusted: sizes are looked at before they are used, and links and views, which may lead into other files, are not followed.
#include "sinew/record/arrays.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/record/hdf5.h"

namespace sinew::record {
namespace {

constexpr std::size_t most_arrays = 10'000;
constexpr hsize_t most_numbers = 100'000'000, most_columns = 1000;
constexpr int deepest_group = 8;  // groups may lead round in circles

struct FoundArray {
  std::string name;
  std::size_t rows = 0, columns = 0;
  bool is_table = false;
  std::vector<double> values;  // row by row
};

[[noreturn]] void refuse_arrays(const std::string& file, const std::string& what) {
  throw Error(
      fmt::format("{}: {}: give a recording, or a file with an array of times and arrays as long as it", file, what));
}

// No numbers, or none that can be believed: false.
bool read_array(hid_t set, FoundArray& out) {
  const Handle type(H5(H5Dget_type)(set), H5(H5Tclose)), space(H5(H5Dget_space)(set), H5(H5Sclose)),
      list(H5(H5Dget_create_plist)(set), H5(H5Pclose));
  if (!type || !space || !list) return false;
  const H5T_class_t kind = H5(H5Tget_class)(type);
  const int dimensions = H5(H5Sget_simple_extent_ndims)(space);
  hsize_t size[2] = {0, 1};
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || dimensions < 1 || dimensions > 2 ||
      H5(H5Sget_simple_extent_dims)(space, size, nullptr) != dimensions)
    return false;
  const H5D_layout_t layout = H5(H5Pget_layout)(list);
  const bool is_own = layout == H5D_CHUNKED || layout == H5D_COMPACT || layout == H5D_CONTIGUOUS;
  // What is there must be in the file; no compression shrinks more than 1032 to 1.
  const double stored = double(H5(H5Dget_storage_size)(set));
  if (!is_own || (layout == H5D_CONTIGUOUS && H5(H5Pget_external_count)(list) != 0) || size[0] == 0 || size[1] == 0 ||
      size[1] > most_columns || size[0] > most_numbers / size[1] || double(size[0]) * double(size[1]) > 1032.0 * stored)
    return false;
  out.rows = size[0];
  out.columns = size[1];
  out.is_table = dimensions == 2;
  out.values.resize(out.rows * out.columns);
  return H5(H5Dread)(set, H5_ID(H5T_NATIVE_DOUBLE), H5S_ALL, H5S_ALL, H5P_DEFAULT, out.values.data()) >= 0;
}

struct Listed {
  std::vector<std::string> names;
};

herr_t list_name(hid_t, const char* name, const H5L_info_t* info, void* into) {
  auto& names = static_cast<Listed*>(into)->names;
  if (info->type == H5L_TYPE_HARD && names.size() < most_arrays) names.emplace_back(name);
  return 0;
}

void read_group(hid_t group, const std::string& prefix, int depth, std::vector<FoundArray>& out) {
  Listed listed;
  H5(H5Literate)(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, list_name, &listed);
  for (const std::string& name : listed.names) {
    if (out.size() >= most_arrays) return;
    const Handle object(H5(H5Oopen)(group, name.c_str(), H5P_DEFAULT), H5(H5Oclose));
    if (!object) continue;
    const H5I_type_t kind = H5(H5Iget_type)(object);
    if (kind == H5I_GROUP && depth < deepest_group) read_group(object, prefix + name + ".", depth + 1, out);
    FoundArray array{prefix + name, 0, 0, false, {}};
    if (kind == H5I_DATASET && read_array(object, array)) out.push_back(std::move(array));
  }
}

}  // namespace

TimedTable read_arrays(const std::string& file, const std::string& time, double rate) {
  prepare_library();
  std::string why;
  const Handle handle = open_to_read(file, why);
  if (!handle) refuse_arrays(file, why);
  std::vector<FoundArray> arrays;
  read_group(handle, "", 0, arrays);
  if (arrays.empty()) refuse_arrays(file, "it has no arrays of numbers");
  std::size_t rows = 0;
  TimedTable out;
  if (rate > 0.0) {
    for (const FoundArray& a : arrays) rows = std::max(rows, a.rows);
    for (std::size_t i = 0; i < rows; i++) out.t.push_back(double(i) / rate);
  } else {
    const auto at = std::ranges::find(arrays, time, &FoundArray::name);
    if (at == arrays.end() || at->columns != 1) {
      std::string names;
      for (const FoundArray& a : arrays) names += (names.empty() ? "" : ", ") + a.name;
      refuse_arrays(
          file,
          fmt::format("no array {}: name the one of the times with --time, or give --rate; there are {}", time, names));
    }
    rows = at->rows;
    out.t = at->values;
  }
  for (const FoundArray& a : arrays) {
    for (std::size_t c = 0; c < a.columns && a.rows == rows; c++) {
      out.names.push_back(a.is_table ? fmt::format("{}.{}", a.name, c) : a.name);
      out.values.emplace_back(rows);
      for (std::size_t i = 0; i < rows; i++) out.values.back()[i] = a.values[i * a.columns + c];
    }
  }
  return out;
}

}  // namespace sinew::record
