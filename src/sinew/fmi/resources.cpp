#include "sinew/fmi/resources.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "sinew/sim/errors.h"

namespace sinew::fmi {
namespace {

constexpr std::array<std::string_view, 3> part_names{"scenario", "robot", "controller"};
constexpr std::string_view head = "sinew fmu 1\n";

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == text.npos) throw InputError(fmt::format("{}: it is cut off: export the FMU again", part_resource));
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

}  // namespace

std::string write_part(const PartFile& part) {
  return fmt::format("{}{}\n{}\n{}\n", head, part_names[std::size_t(part.part)], part.seed, part.name);
}

PartFile read_part(std::string_view text) {
  if (!text.starts_with(head))
    throw InputError(fmt::format("{}: it is of another version of sinew: export the FMU again", part_resource));
  text.remove_prefix(head.size());
  PartFile out;
  const std::string_view kind = take_line(text), seed = take_line(text);
  out.name = take_line(text);
  const auto read = std::from_chars(seed.data(), seed.data() + seed.size(), out.seed);
  std::size_t i = 0;
  while (i < part_names.size() && part_names[i] != kind) i++;
  if (i == part_names.size() || read.ptr != seed.data() + seed.size())
    throw InputError(fmt::format("{}: it is damaged: export the FMU again", part_resource));
  out.part = Part(i);
  return out;
}

}  // namespace sinew::fmi
