#include "sinew/imports/model_files.h"

#include <filesystem>

namespace sinew::imports {
namespace {

namespace fs = std::filesystem;

constexpr int most_levels = 8;  // upwards, in search of packages

fs::path real(const fs::path& path) {
  std::error_code error;
  const fs::path found = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : found;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  const fs::path from = path.lexically_relative(folder);
  return !from.empty() && *from.begin() != "..";
}

// The file, if it is inside of `within` with all links followed.
FoundFile look(const fs::path& path, const fs::path& within) {
  const fs::path at = real(path);
  if (!lies_in(at, real(within))) return {.path = {}, .outside = true};
  std::error_code error;
  return {.path = fs::is_regular_file(at, error) ? at.string() : "", .outside = false};
}

FoundFile find_in_packages(const ModelFolders& folders, const std::string& name_and_path) {
  const fs::path inside(name_and_path);
  const auto slash = name_and_path.find('/');
  const std::string package = name_and_path.substr(0, slash);
  const fs::path rest = slash == std::string::npos ? fs::path{} : fs::path(name_and_path.substr(slash + 1));
  FoundFile last;
  const auto take = [&](const fs::path& path, const fs::path& within) {
    const FoundFile found = look(path, within);
    if (found.outside) last = found;
    return found;
  };
  std::vector<fs::path> bases(folders.packages.begin(), folders.packages.end());
  fs::path above = real(folders.folder.empty() ? "." : folders.folder);
  for (int level = 0; level < most_levels && above.has_relative_path(); level++, above = above.parent_path())
    bases.push_back(above);
  if (rest.is_absolute() || package.empty() || package == "." || package == "..") return {.path = {}, .outside = true};
  for (const fs::path& base : bases) {
    // beside other packages, or in the package itself, whatever its folder is called here
    if (const FoundFile found = take(base / package / rest, base / package); !found.path.empty()) return found;
    if (const FoundFile found = take(base / rest, base); !found.path.empty()) return found;
  }
  return last;
}

}  // namespace

ModelFolders model_folders(const std::string& file, const std::vector<std::string>& packages) {
  ModelFolders folders;
  const fs::path folder = fs::path(file).parent_path();
  folders.folder = folder.string();
  folders.packages = packages;
  const fs::path start = real(folder.empty() ? "." : folder);
  fs::path root = start.has_parent_path() && start.has_relative_path() ? start.parent_path() : start;
  fs::path above = start;
  std::error_code error;
  for (int level = 0; level < most_levels && above.has_relative_path(); level++, above = above.parent_path())
    if (fs::exists(above / "package.xml", error)) {
      root = above;
      break;
    }
  folders.root = root.string();
  return folders;
}

FoundFile find_model_file(const ModelFolders& folders, const std::string& written, const std::string& below) {
  for (const std::string& scheme : {std::string("package://"), std::string("model://")})
    if (written.starts_with(scheme)) return find_in_packages(folders, written.substr(scheme.size()));
  const bool is_url = written.starts_with("file://");
  const fs::path path(is_url ? written.substr(7) : written);
  const fs::path folder = folders.folder.empty() ? fs::path(".") : fs::path(folders.folder);
  const fs::path full = path.is_absolute() ? path : folder / below / path;
  const FoundFile found = look(full, folders.root);
  if (!found.outside) return found;
  for (const std::string& package : folders.packages)
    if (const FoundFile other = look(full, package); !other.outside) return other;
  return found;
}

}  // namespace sinew::imports
