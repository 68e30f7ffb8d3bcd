// What makes a scenario file short, taken out of it before its keys are read: include, [param] and [copies.NAME].
#pragma once
#include <span>
#include <string>
#include <vector>

#include "sinew/text/document.h"

namespace sinew::text {

// Files that the document names in `include`, and those that these name, are put under it. Paths start at the folder of the file
// that names them.
void take_includes(Document& document, std::vector<std::string>& problems);

// The --set texts that are left, once ground=FILE.toml has put the [ground] of that file in place of the document's, or ground={ ... } the
// table that it gives. Paths of FILE start at its folder.
std::vector<std::string> take_ground_sets(std::span<const std::string> sets, Document& document,
                                          std::vector<std::string>& problems);

// The --set texts that are left, once those of [param] have been put into the document: param.NAME=VALUE, or NAME=VALUE where no other
// key is called so.
std::vector<std::string> take_parameter_sets(std::span<const std::string> sets, Document& document,
                                             std::vector<std::string>& problems);

// [param] becomes numbers: Document::Content::parameters.
void take_parameters(Document& document, std::vector<std::string>& problems);

// Each [copies.NAME] becomes the parts that it stands for; see copies.cpp.
void take_copies(Document& document, std::vector<std::string>& problems);

}  // namespace sinew::text
