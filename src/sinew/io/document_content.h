// Inside of Document; only for io/*.cpp files that need TOML++.
#pragma once
#include <toml++/toml.h>

#include <map>

#include "sinew/io/document.h"

namespace sinew::io {

struct Document::Content {
  std::string file;
  toml::table root;
  std::map<std::string, std::string, std::less<>> set_by;  // dotted key -> "--set KEY=VALUE"
};

}  // namespace sinew::io
