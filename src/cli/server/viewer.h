// What is served beside the page of the web view, where, and how the user gets to see it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "view/server.h"

namespace cli {

// The page, the built-in scenarios and their pictures.
sinew::view::Content viewer_content();

// Where to listen: --port, if it was given. Throws InputError.
sinew::view::Address address_of(const std::optional<std::int64_t>& port);

// Shows the address in the user's browser, if there is a display and stdout is a terminal.
void open_browser(const std::string& url);

}  // namespace cli
