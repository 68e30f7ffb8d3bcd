// A file that appears complete or not at all.
#pragma once
#include <string>
#include <string_view>

namespace sinew::figure {

// Writes beside the file and then takes its place; a link stays a link. Throws Error and leaves nothing behind.
void write_file(const std::string& path, std::string_view content);

}  // namespace sinew::figure
