#include "sinew/record/hdf5.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "sinew/files/errors.h"

namespace sinew::record {
namespace {

thread_local std::string reason;

// The library puts the system's words at the end of a longer text: "..., errno = 28, error message = 'No space left on
// device', buf = ...".
herr_t find_reason(unsigned, const H5E_error2_t* entry, void*) {
  static constexpr std::string_view mark = "error message = '";
  const std::string_view text = entry->desc ? entry->desc : "";
  const std::size_t from = text.find(mark);
  if (from == std::string_view::npos) return 0;
  const std::string_view rest = text.substr(from + mark.size());
  reason = rest.substr(0, rest.find('\''));
  return 1;
}

// Called when a call of the library fails: later calls, such as those that close handles, forget why.
herr_t remember_reason(hid_t stack, void*) {
  H5(H5Ewalk2)(stack, H5E_WALK_UPWARD, find_reason, nullptr);
  return 0;
}

}  // namespace

const SharedLibrary& library() {
  static const SharedLibrary hdf5(SINEW_HDF5_LIBRARY);
  return hdf5;
}

hid_t number_of(const char* variable) {
  H5(H5open)();  // sets it
  return *static_cast<const hid_t*>(library().symbol(variable));
}

void prepare_library() {
  static const bool once = [] {
    H5(H5dont_atexit)();
    return true;
  }();
  (void)once;
  H5(H5Eset_auto2)(H5E_DEFAULT, remember_reason, nullptr);
}

std::string system_reason() { return std::exchange(reason, {}); }

Handle whole_pages() {
  constexpr hsize_t page = 4096;  // bytes; a multiple of it is a page's border too where pages are larger
  Handle list(H5(H5Pcreate)(H5_ID(H5P_CLS_FILE_CREATE_ID)), H5(H5Pclose));
  H5(H5Pset_file_space_strategy)(list, H5F_FSPACE_STRATEGY_PAGE, false, 1);
  H5(H5Pset_file_space_page_size)(list, page);
  return list;
}

Handle open_to_read(const std::string& file, std::string& why) {
  // The library's own messages say neither of these in words.
  if (std::ifstream probe(file, std::ios::binary); !probe || (probe.peek(), probe.bad()))
    throw FileError(fmt::format("{}: cannot be opened: {}: give the path of a file in HDF5", file,
                                std::strerror(errno ? errno : EISDIR)));
  if (H5(H5Fis_hdf5)(file.c_str()) <= 0) {
    why = "not an HDF5 file";
    return {};
  }
  // Plainly, if it was finished; else as one that somebody may still be writing. Then a piece that does not match its checksum
  // may just have been written by half and is read again; a hundred times, by default, which takes seconds if it is damaged.
  const Handle access(H5(H5Pcreate)(H5_ID(H5P_CLS_FILE_ACCESS_ID)), H5(H5Pclose));
  H5(H5Pset_metadata_read_attempts)(access, 16);
  for (const unsigned flags : {H5F_ACC_RDONLY, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ})
    if (Handle handle(H5(H5Fopen)(file.c_str(), flags, access), H5(H5Fclose)); handle) return handle;
  why = "it is damaged";
  return {};
}

Handle open_dataset(hid_t file, const char* path) {
  H5L_info_t link;
  if (H5(H5Lexists)(file, path, H5P_DEFAULT) <= 0 || H5(H5Lget_info)(file, path, &link, H5P_DEFAULT) < 0) return {};
  if (link.type != H5L_TYPE_HARD) return {};
  return {H5(H5Dopen2)(file, path, H5P_DEFAULT), H5(H5Dclose)};
}

Handle text_type() {
  Handle type(H5(H5Tcopy)(H5_ID(H5T_C_S1)), H5(H5Tclose));
  H5(H5Tset_size)(type, H5T_VARIABLE);
  H5(H5Tset_cset)(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace sinew::record
