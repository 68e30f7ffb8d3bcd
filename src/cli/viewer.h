// The page of the web view: where it is, what is served beside it, and as a file that needs no server.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "view/server.h"

namespace cli {

// The page, HTML with everything in it. Throws FileError: it is not built.
std::string read_page();

// The page, the built-in scenarios and their pictures.
sinew::view::Content viewer_content();

// Where to listen: --port, if it was given. Throws InputError.
sinew::view::Address address_of(const std::optional<std::int64_t>& port);

// Shows the address in the user's browser, if there is a display and stdout is a terminal.
void open_browser(const std::string& url);

// The page with the recording in it. Throws FileError.
void write_html(const std::string& recording, const std::string& file);

}  // namespace cli
