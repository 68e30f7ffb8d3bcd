#include "view/guard.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>

#include "sinew/files/errors.h"

namespace sinew::view {
namespace {

// "[::1]:8420" -> "::1"; "localhost:8420" -> "localhost"; nothing if the port is not the one.
std::optional<std::string> name_with_port(std::string_view host, std::uint16_t port) {
  const std::string ending = fmt::format(":{}", port);
  if (host.ends_with(ending))
    host.remove_suffix(ending.size());
  else if (port != 80)  // which browsers leave out
    return std::nullopt;
  if (host.starts_with('[') && host.ends_with(']')) return std::string(host.substr(1, host.size() - 2));
  if (host.find(':') != std::string_view::npos) return std::nullopt;
  return std::string(host);
}

bool is_number(const std::string& name) {
  std::array<unsigned char, sizeof(in6_addr)> bytes;
  return inet_pton(AF_INET, name.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1;
}

bool is_any(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

std::string machine_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 && name[0] ? name.data() : "localhost";
}

}  // namespace

bool is_loopback(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

std::string make_token() {
  std::array<unsigned char, 24> bytes;
  if (getentropy(bytes.data(), bytes.size()) != 0)
    throw FileError("--listen: the system gives no random numbers for a token: leave --listen out");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::string url_of(const Guard& guard) {
  std::string name = is_any(guard.address) ? machine_name() : guard.address;
  if (name.find(':') != std::string::npos) name = "[" + name + "]";
  return fmt::format("http://{}:{}/{}", name, guard.port, guard.token.empty() ? "" : "?token=" + guard.token);
}

bool host_is_ours(const Guard& guard, std::string_view host) {
  const auto name = name_with_port(host, guard.port);
  if (!name) return false;
  const auto is_same = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? a + 32 : a) == (b >= 'A' && b <= 'Z' ? b + 32 : b);
  };
  const auto is_called = [&](const std::string& one) { return std::ranges::equal(*name, one, is_same); };
  if (is_called(guard.address)) return !is_any(guard.address);
  if (is_any(guard.address)) return is_number(*name) || is_called("localhost") || is_called(machine_name());
  return is_loopback(guard.address) && is_called("localhost");
}

bool origin_is_ours(std::string_view origin, std::string_view host) { return origin == fmt::format("http://{}", host); }

bool token_is_right(const Guard& guard, std::string_view target) {
  if (guard.token.empty()) return true;
  const std::size_t start = target.find('?');
  std::string_view query = start == std::string_view::npos ? "" : target.substr(start + 1);
  while (!query.empty() && !query.starts_with("token=")) {
    const std::size_t end = query.find('&');
    query = end == std::string_view::npos ? "" : query.substr(end + 1);
  }
  if (query.empty()) return false;
  query.remove_prefix(std::string_view("token=").size());
  query = query.substr(0, query.find('&'));
  if (query.size() != guard.token.size()) return false;
  unsigned different = 0;
  for (std::size_t i = 0; i < query.size(); i++)
    different |= unsigned(static_cast<unsigned char>(query[i]) ^ static_cast<unsigned char>(guard.token[i]));
  return different == 0;
}

}  // namespace sinew::view
