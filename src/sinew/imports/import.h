// Robots of other programs: URDF, MJCF, SDF -> a scenario of ours (docs/import.md).
#pragma once
#include <map>
#include <string>
#include <vector>

#include "sinew/imports/notes.h"
#include "sinew/imports/prepare.h"

namespace sinew::imports {

struct ImportOptions {
  PrepareOptions prepare = {};
  std::vector<std::string> packages = {};  // folders in which package://NAME is looked for
  bool without_meshes = false;             // shapes made of mesh files are left out, and each is named
  std::string folder = {};                 // from which paths of meshes are written; empty: absolute
};

struct Imported {
  std::string text;                           // the scenario, as TOML
  std::map<std::string, std::string> places;  // dotted key -> "FILE:LINE"
  std::vector<std::string> notes;             // numbered, one line each
  std::vector<std::string> warnings;          // those of them that say that something was left out
  std::vector<std::string> missing;  // bodies that cannot run without a mesh that is missing: "FILE:LINE: WHAT: FIX"
};

// Does the name of a file end as those of robots do: .urdf, .xml, .mjcf, .sdf, .world?
bool is_model_file(const std::string& file);

// Throws InputError with every problem that is none of the above, FileError where a file cannot be read.
Imported import_model(const std::string& file, const ImportOptions& options = {});
// The same of a text, whose file would be called so.
Imported import_model_text(const std::string& text, const std::string& file, const ImportOptions& options = {});

}  // namespace sinew::imports
