// Where a file may be written: a name that is free, or a file of the same kind, which is replaced. One rule for all commands.
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "sinew/files/errors.h"

namespace sinew {

// Known by its first bytes, because a name can be mistyped.
struct FileKind {
  std::string_view name;
  std::array<std::string_view, 2> beginnings;  // either of them; an empty one counts not
};
inline constexpr FileKind recording_file{"recording", {"\x89HDF\r\n\x1a\n", ""}};
inline constexpr FileKind fclib_file{"contact problem", {"\x89HDF\r\n\x1a\n", ""}};
inline constexpr FileKind siconos_file{"contact problem in Siconos' text", {"3\n", "3\r\n"}};
inline constexpr FileKind checkpoint_file{"checkpoint", {"sinew checkpoint ", ""}};
inline constexpr FileKind csv_file{"table that sinew export wrote", {"t,", "t\n"}};
inline constexpr FileKind svg_file{"SVG picture", {"<?xml", "<svg"}};
inline constexpr FileKind png_file{"PNG picture", {"\x89PNG\r\n\x1a\n", ""}};
inline constexpr FileKind mcap_file{"MCAP file",
                                    {"\x89"
                                     "MCAP0\r\n",
                                     ""}};
inline constexpr FileKind html_file{"HTML page", {"<!doctype html", "<!DOCTYPE html"}};

struct Place {
  std::string file;       // behind all links, which stay
  bool replaces = false;  // something is lost when it is written
};

// A free name, an empty file, or a file of this kind. Throws FileError for all else: other files, folders, devices, pipes, files
// that may not be written. Touches nothing.
Place place_for(const std::string& path, const FileKind& kind);

// The same file under two names, or under one; a file that is not there yet counts by its name.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace sinew
