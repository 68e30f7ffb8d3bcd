// Who may talk to the server. It listens on this machine only unless told otherwise, but every page of every browser can
// reach it there, under any name that its owner's DNS gives us: so the Host must be ours, and the Origin, if there is one, too.
// On other addresses the URL carries a token as well.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sinew::view {

struct Guard {
  std::string address = "127.0.0.1";  // listened to; 0.0.0.0 and :: are all of the machine's
  std::uint16_t port = 0;
  std::string token;  // empty: none is asked for
};

bool is_loopback(const std::string& address);  // 127.x.x.x, ::1

// 192 bits of the system's randomness, as hexadecimal digits. Throws FileError.
std::string make_token();

// What a person types; with the machine's name where the server listens on all addresses.
std::string url_of(const Guard& guard);

// The Host of a request: the address, or a name of this machine, with our port. Where the server listens on all addresses
// any number will do: DNS has no part in one.
bool host_is_ours(const Guard& guard, std::string_view host);

// `host` has passed host_is_ours().
bool origin_is_ours(std::string_view origin, std::string_view host);

// The token in "/path?token=...". Takes as long for a wrong one as for the right one.
bool token_is_right(const Guard& guard, std::string_view target);

}  // namespace sinew::view
