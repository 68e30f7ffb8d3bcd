// Inside of Document; only for files of text/ that need TOML++.
#pragma once
#include <toml++/toml.h>

#include <map>

#include "sinew/text/document.h"

namespace sinew::text {

struct Document::Content {
  std::string file;
  toml::table root;
  std::map<std::string, std::string, std::less<>> set_by;  // dotted key -> "--set KEY=VALUE"
};

}  // namespace sinew::text
