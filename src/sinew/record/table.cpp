#include "sinew/record/table.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "sinew/files/place.h"
#include "sinew/math/check.h"
#include "sinew/record/hdf5.h"

namespace sinew::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* table_path = "/table";
constexpr const char* about_path = "/about";
constexpr hsize_t chunk_of_table = 32;  // rows
constexpr hsize_t most_bytes_of_row = 1 << 20, most_bytes_about = 256 << 20;

[[noreturn]] void table_cannot_be_written(const std::string& file, const std::string& reason) {
  throw FileError(fmt::format("{}: the table cannot be written: {}: choose another place with --out", file,
                              reason.empty() ? "the HDF5 library gives no reason" : reason));
}

[[noreturn]] void is_no_table(const std::string& file, const std::string& what) {
  throw Error(fmt::format("{}: this is no study of sinew that can be read: {}: make one with sinew sweep", file, what));
}

std::size_t bytes_of(const Field& field) { return field.kind == FieldKind::Text ? std::size_t(field.size) : 8; }

std::size_t bytes_of_row(std::span<const Field> fields) {
  std::size_t sum = 0;
  for (const Field& f : fields) sum += bytes_of(f);
  return sum;
}

Handle type_of_row(std::span<const Field> fields) {
  Handle type(H5(H5Tcreate)(H5T_COMPOUND, bytes_of_row(fields)), H5(H5Tclose));
  std::size_t at = 0;
  for (const Field& f : fields) {
    Handle text(H5(H5Tcopy)(H5_ID(H5T_C_S1)), H5(H5Tclose));
    H5(H5Tset_size)(text, bytes_of(f));
    H5(H5Tset_cset)(text, H5T_CSET_UTF8);
    H5(H5Tset_strpad)(text, H5T_STR_NULLPAD);
    const hid_t member = f.kind == FieldKind::Number  ? H5_ID(H5T_IEEE_F64LE)
                         : f.kind == FieldKind::Count ? H5_ID(H5T_STD_U64LE)
                                                      : hid_t(text);
    if (H5(H5Tinsert)(type, f.name.c_str(), at, member) < 0) return {};
    at += bytes_of(f);
  }
  return type;
}

// At most so many bytes, and no half of a letter of UTF-8.
std::string_view cut(const std::string& text, std::size_t most) {
  std::size_t n = std::min(text.size(), most);
  if (n < text.size())
    while (n > 0 && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) n--;
  return std::string_view(text).substr(0, n);
}

void pack(std::span<const Field> fields, const TableRow& row, char* to) {
  for (std::size_t i = 0; i < fields.size(); i++) {
    const std::size_t n = bytes_of(fields[i]);
    std::memset(to, 0, n);
    if (fields[i].kind == FieldKind::Text) {
      const std::string_view text = cut(std::get<std::string>(row[i]), n);
      std::memcpy(to, text.data(), text.size());
    } else if (fields[i].kind == FieldKind::Count) {
      std::memcpy(to, &std::get<std::uint64_t>(row[i]), n);
    } else {
      std::memcpy(to, &std::get<double>(row[i]), n);
    }
    to += n;
  }
}

TableRow unpack(std::span<const Field> fields, const char* from) {
  TableRow row;
  for (const Field& f : fields) {
    const std::size_t n = bytes_of(f);
    if (f.kind == FieldKind::Text) {
      row.emplace_back(std::string(from, strnlen(from, n)));
    } else if (f.kind == FieldKind::Count) {
      std::uint64_t x;
      std::memcpy(&x, from, n);
      row.emplace_back(x);
    } else {
      double x;
      std::memcpy(&x, from, n);
      row.emplace_back(x);
    }
    from += n;
  }
  return row;
}

std::string about_text(std::span<const Field> fields, const std::string& about) {
  json list = json::array();
  for (const Field& f : fields) list.push_back({f.name, f.unit, f.description, int(f.kind), f.size});
  return json{{"fields", list}, {"about", about}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool put_about(hid_t file, const std::string& text) {
  const hsize_t size = text.size();
  const Handle space(H5(H5Screate_simple)(1, &size, nullptr), H5(H5Sclose));
  const Handle set(H5(H5Dcreate2)(file, about_path, H5_ID(H5T_STD_U8LE), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5(H5Dclose));
  return set && H5(H5Dwrite)(set, H5_ID(H5T_NATIVE_UCHAR), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0;
}

}  // namespace

struct TableWriter::Own {
  std::string file, place, draft;
  std::vector<Field> fields;
  std::size_t row_bytes = 0;
  std::vector<char> chunk;
  hsize_t first = 0, rows = 0, on_disk = 0;  // of the chunk; in it; of them on disk
  Handle handle, set;
  int descriptor = -1;  // for fsync
  std::chrono::steady_clock::time_point synced{};

  bool make(const std::string& about);
  void write_chunk();
  void take_place();
  void give_up();
};

bool TableWriter::Own::make(const std::string& about) {
  const Handle list(H5(H5Pcreate)(H5_ID(H5P_CLS_FILE_ACCESS_ID)), H5(H5Pclose));
  H5(H5Pset_libver_bounds)(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  handle = Handle(H5(H5Fcreate)(draft.c_str(), H5F_ACC_TRUNC, whole_pages(), list), H5(H5Fclose));
  if (!handle || !put_about(handle, about_text(fields, about))) return false;
  const Handle type = type_of_row(fields);
  const hsize_t none = 0, endless = H5S_UNLIMITED;
  const Handle space(H5(H5Screate_simple)(1, &none, &endless), H5(H5Sclose)),
      made(H5(H5Pcreate)(H5_ID(H5P_CLS_DATASET_CREATE_ID)), H5(H5Pclose));
  H5(H5Pset_chunk)(made, 1, &chunk_of_table);
  if (!type) return false;
  set = Handle(H5(H5Dcreate2)(handle, table_path, type, space, H5P_DEFAULT, made, H5P_DEFAULT), H5(H5Dclose));
  return set && H5(H5Fstart_swmr_write)(handle) >= 0;
}

void TableWriter::Own::give_up() {
  set.forget();
  handle.forget();
  std::error_code ignored;
  if (!draft.empty()) fs::remove(draft, ignored);
  draft.clear();
}

void TableWriter::Own::write_chunk() {
  const hsize_t size = first + rows;
  if (H5(H5Dset_extent)(set, &size) < 0 ||
      H5(H5Dwrite_chunk)(set, H5P_DEFAULT, 0, &first, chunk.size(), chunk.data()) < 0 || H5(H5Dflush)(set) < 0) {
    const std::string reason = system_reason();
    give_up();
    table_cannot_be_written(file, reason);
  }
  on_disk = rows;
  if (rows < chunk_of_table) return;
  first += rows;
  rows = on_disk = 0;
  std::ranges::fill(chunk, '\0');
}

void TableWriter::Own::take_place() {
  std::error_code error;
  place_for(file, recording_file);  // it may have become something else in the meantime
  descriptor = ::open(draft.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) fsync(descriptor);
  fs::rename(draft, place, error);
  if (error) {
    give_up();
    table_cannot_be_written(file, error.message());
  }
  draft.clear();
}

TableWriter::TableWriter(const std::string& file, std::span<const Field> fields, const std::string& about)
    : own_(std::make_unique<Own>()) {
  SINEW_CHECK(!fields.empty(), "TableWriter: ", fields.size(), " columns");
  prepare_library();
  Own& o = *own_;
  o.file = file;
  o.fields.assign(fields.begin(), fields.end());
  o.row_bytes = bytes_of_row(fields);
  o.chunk.assign(o.row_bytes * chunk_of_table, '\0');
  o.place = place_for(file, recording_file).file;
  o.draft = fmt::format("{}.{}.part", o.place, getpid());
  if (o.make(about)) return;
  const std::string reason = system_reason();
  o.give_up();
  table_cannot_be_written(file, reason);
}

TableWriter::~TableWriter() {
  if (own_->descriptor >= 0) close(own_->descriptor);
  if (!own_->draft.empty()) own_->give_up();  // nobody has seen it
}

void TableWriter::append(const TableRow& row) {
  Own& o = *own_;
  SINEW_CHECK(row.size() == o.fields.size(), "TableWriter: a row of ", row.size(), " cells, the table has ",
              o.fields.size(), " columns");
  prepare_library();
  pack(o.fields, row, o.chunk.data() + o.rows * o.row_bytes);
  if (++o.rows == chunk_of_table) o.write_chunk();
}

void TableWriter::flush() {
  Own& o = *own_;
  prepare_library();
  if (o.rows > o.on_disk) o.write_chunk();
  if (!o.draft.empty()) o.take_place();
  const auto now = std::chrono::steady_clock::now();
  if (now - o.synced < std::chrono::seconds(1)) return;
  o.synced = now;
  if (o.descriptor >= 0) fsync(o.descriptor);
}

void TableWriter::finish() {
  Own& o = *own_;
  flush();
  if (!o.set.close() || !o.handle.close()) table_cannot_be_written(o.file, system_reason());
  if (o.descriptor >= 0) fsync(o.descriptor);
}

namespace {

Handle open_table_file(const std::string& file) {
  if (std::ifstream probe(file, std::ios::binary); !probe || (probe.peek(), probe.bad()))
    throw FileError(
        fmt::format("{}: cannot be opened: {}: give the path of a study", file, std::strerror(errno ? errno : EISDIR)));
  if (H5(H5Fis_hdf5)(file.c_str()) <= 0) is_no_table(file, "not an HDF5 file");
  const Handle access(H5(H5Pcreate)(H5_ID(H5P_CLS_FILE_ACCESS_ID)), H5(H5Pclose));
  H5(H5Pset_metadata_read_attempts)(access, 16);
  for (const unsigned flags : {H5F_ACC_RDONLY, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ})
    if (Handle handle(H5(H5Fopen)(file.c_str(), flags, access), H5(H5Fclose)); handle) return handle;
  is_no_table(file, "it is damaged");
}

Handle open_set(hid_t file, const char* path, hsize_t& size) {
  H5L_info_t link;
  if (H5(H5Lexists)(file, path, H5P_DEFAULT) <= 0 || H5(H5Lget_info)(file, path, &link, H5P_DEFAULT) < 0) return {};
  if (link.type != H5L_TYPE_HARD) return {};
  Handle set(H5(H5Dopen2)(file, path, H5P_DEFAULT), H5(H5Dclose));
  const Handle space(set ? H5(H5Dget_space)(set) : hid_t(-1), H5(H5Sclose));
  if (!space || H5(H5Sget_simple_extent_ndims)(space) != 1 || H5(H5Sget_simple_extent_dims)(space, &size, nullptr) != 1)
    return {};
  return set;
}

bool read_fields(const json& index, Table& table) {
  if (!index.is_object() || !index.contains("fields") || !index["fields"].is_array() || !index.contains("about") ||
      !index["about"].is_string())
    return false;
  std::set<std::string> names;
  for (const json& f : index["fields"]) {
    if (!f.is_array() || f.size() != 5 || !f[0].is_string() || !f[1].is_string() || !f[2].is_string() ||
        !f[3].is_number_integer() || !f[4].is_number_integer())
      return false;
    const int kind = f[3], size = f[4];
    if (kind < 0 || kind > 2 || size < 1 || size > 4096 || !names.insert(f[0]).second) return false;
    table.fields.push_back({f[0], f[1], f[2], FieldKind(kind), size});
  }
  table.about = index["about"];
  return !table.fields.empty() && bytes_of_row(table.fields) <= most_bytes_of_row;
}

}  // namespace

bool is_table(const std::string& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  prepare_library();
  try {
    hsize_t size = 0;
    const Handle handle = open_table_file(file);
    return bool(open_set(handle, table_path, size)) && bool(open_set(handle, about_path, size));
  } catch (const std::exception&) {
    return false;
  }
}

Table read_table(const std::string& file) {
  prepare_library();
  const Handle handle = open_table_file(file);
  hsize_t about_size = 0, n = 0;
  const Handle about = open_set(handle, about_path, about_size), set = open_set(handle, table_path, n);
  if (!about || !set) is_no_table(file, "it has no table");
  if (about_size > most_bytes_about || H5(H5Dget_storage_size)(about) < about_size) is_no_table(file, "it is damaged");
  std::string text(about_size, '\0');
  if (H5(H5Dread)(about, H5_ID(H5T_NATIVE_UCHAR), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0)
    is_no_table(file, "its columns cannot be read");
  Table table;
  if (!read_fields(json::parse(text, nullptr, false), table)) is_no_table(file, "its columns have no names");
  const Handle type = type_of_row(table.fields), stored(H5(H5Dget_type)(set), H5(H5Tclose));
  if (!type || !stored || H5(H5Tequal)(type, stored) <= 0) is_no_table(file, "its columns do not fit its rows");
  const std::size_t bytes = bytes_of_row(table.fields);
  if (double(n) * double(bytes) > double(H5(H5Dget_storage_size)(set))) is_no_table(file, "rows are missing in it");
  std::vector<char> raw(n * bytes);
  if (n > 0 && H5(H5Dread)(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw.data()) < 0)
    is_no_table(file, "its rows cannot be read");
  for (hsize_t i = 0; i < n; i++) table.rows.push_back(unpack(table.fields, raw.data() + i * bytes));
  return table;
}

}  // namespace sinew::record
