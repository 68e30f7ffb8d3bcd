#include "view/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/sim/errors.h"

namespace sinew::view {
namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_request = 64 << 10;
constexpr int most_brackets = 16;       // a request needs three; deep nesting is no request
constexpr double farthest = 1e6;        // of a push [m]
constexpr std::size_t most_name = 200;  // letters

constexpr std::array<std::string_view, 9> kind_names{"play", "pause", "step",    "reset", "speed",
                                                     "set",  "push",  "release", "load"};

Json parse(std::string_view text) {
  if (text.size() > longest_request) throw InputError("request: it is longer than 64 KiB: send less");
  const auto opens = [](char c) { return c == '[' || c == '{'; };
  if (std::ranges::count_if(text, opens) > most_brackets)
    throw InputError("request: it has too many brackets: send one object of plain fields");
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("type") || !json["type"].is_string())
    throw InputError("request: it is no JSON object with a type: see docs/view-protocol.md");
  return json;
}

const Json& field(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end())
    throw InputError(
        fmt::format("request {}: {} is missing: add it", json["type"].get_ref<const std::string&>(), name));
  return *found;
}

double number(const Json& json, const std::string& name) {
  if (!json.is_number() || !std::isfinite(json.get<double>()))
    throw InputError(fmt::format("request: {} is no finite number: give one", name));
  return json.get<double>();
}

std::string text(const Json& json, const char* name) {
  const Json& value = field(json, name);
  if (!value.is_string() || value.get_ref<const std::string&>().size() > most_name)
    throw InputError(fmt::format("request: {} is no name: give a text of at most {} letters", name, most_name));
  return value;
}

Vec3d place(const Json& json, const char* name) {
  const Json& value = field(json, name);
  if (!value.is_array() || value.size() != 3)
    throw InputError(fmt::format("request: {} is no place: give [x, y, z] in m", name));
  Vec3d out;
  for (int i = 0; i < 3; i++) {
    out[i] = number(value[i], name);
    if (std::abs(out[i]) > farthest)
      throw InputError(fmt::format("request: {} is {} m away: stay within {} m", name, out[i], farthest));
  }
  return out;
}

}  // namespace

Request parse_request(std::string_view given) {
  using Kind = Request::Kind;
  const Json json = parse(given);
  const std::string& type = json["type"].get_ref<const std::string&>();
  const auto known = std::ranges::find(kind_names, type);
  if (known == kind_names.end())
    throw InputError(fmt::format("request: \"{}\" is no type: see docs/view-protocol.md", type.substr(0, most_name)));
  Request request{.kind = Kind(known - kind_names.begin())};
  if (request.kind == Kind::Speed) {
    request.value = number(field(json, "value"), "value");
    if (request.value != 0.0 && !(request.value >= 0.1 && request.value <= 20.0))
      throw InputError(
          fmt::format("request: the speed {} is none: give 0.1 to 20, or 0: as fast as it goes", request.value));
  } else if (request.kind == Kind::Set) {
    request.name = text(json, "key");
    request.value = number(field(json, "value"), "value");
  } else if (request.kind == Kind::Push) {
    request.name = text(json, "body");
    request.point = place(json, "point");
    request.target = place(json, "target");
  } else if (request.kind == Kind::Load) {
    request.name = text(json, "scenario");
  }
  return request;
}

}  // namespace sinew::view
