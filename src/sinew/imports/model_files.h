// Files that a robot's file names: found beside it, or by package:// in folders of packages. Nothing outside of these folders is read.
#pragma once
#include <string>
#include <vector>

namespace sinew::imports {

struct ModelFolders {
  std::string folder;  // of the robot's file
  std::string root;    // nothing above it is read: the folder with package.xml, else the one above `folder`
  std::vector<std::string> packages;  // where to look for package://NAME, beside the folders above `folder`
};

// Of a robot's file; packages: folders that the user gives.
ModelFolders model_folders(const std::string& file, const std::vector<std::string>& packages);

struct FoundFile {
  std::string path;      // empty: there is none
  bool outside = false;  // it points out of the model's folders
};

// `written` as in the file: package://NAME/PATH, model://NAME/PATH, file://PATH, or a path from the robot's file. `below`: a folder
// beside the robot's file in which it is (MJCF's meshdir).
FoundFile find_model_file(const ModelFolders& folders, const std::string& written, const std::string& below = {});

}  // namespace sinew::imports
