// The page of the web view: as it was built, and as a file that needs no server.
#pragma once
#include <string>

namespace cli {

// The page, HTML with everything in it. Throws FileError: it is not built.
std::string read_page();

// The page with the recording in it. Throws FileError.
void write_html(const std::string& recording, const std::string& file);

}  // namespace cli
