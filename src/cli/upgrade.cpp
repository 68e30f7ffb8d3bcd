#include "sinew/text/upgrade.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/terminal.h"
#include "sinew/files/file_writer.h"
#include "sinew/sim/scenario_version.h"
#include "sinew/text/document.h"
#include "sinew/text/renamed_keys.h"

namespace cli {
namespace {

struct UpgradeArguments {
  std::string file, out;
};

std::string read_plain_file(const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status) &&
      !std::filesystem::is_regular_file(status))
    throw sinew::FileError(fmt::format("{}: this is no plain file: name a .toml file", file));
  return sinew::text::read_text(file);
}

int upgrade(const UpgradeArguments& arguments) {
  const std::string& file = arguments.file;
  const std::string& out = arguments.out.empty() ? file : arguments.out;
  const std::string text = read_plain_file(file);
  const sinew::text::Upgraded upgraded = sinew::text::upgrade_scenario(text, file);
  const bool in_place = sinew::is_same_file(file, out);
  if (upgraded.changes.empty() && in_place) {
    write_out(fmt::format("{}: nothing to do: it is written for sinew {}\n", file, sinew::sim::scenario_version));
    return done;
  }
  // What is replaced must still be what was read; another name must be free.
  const std::string_view beginning = in_place ? std::string_view(text).substr(0, 32) : std::string_view();
  sinew::write_file(out, {in_place ? "file that was read" : "empty file", {beginning, ""}}, upgraded.text);
  std::string report;
  for (const std::string& change : upgraded.changes) report += change + "\n";
  const std::size_t n = upgraded.changes.size();
  report += fmt::format("{}: written for sinew {} now, {} change{}\n", out, sinew::sim::scenario_version, n,
                        n == 1 ? "" : "s");
  write_out(report);
  return done;
}

const char* const upgrade_examples = R"(Examples:
  sinew upgrade mine.toml                  the file itself is rewritten, and every change told
  sinew upgrade mine.toml --out new.toml   mine.toml stays as it is
  sinew check mine.toml                    what an old file has, without changing it

Keys, values and results that got another name since the file was written are renamed where they
stand: comments, order and layout stay. So are keys in the lists `set` of [validate.NAME]. A line
(sinew = "...") then says for which version the file is written. A file that is no TOML, or whose
old keys cannot be renamed where they stand, is left alone. docs/upgrade.md has all names.
Exit codes: 0 done or nothing to do, 2 the file is no scenario, 4 it cannot be read or written.)";

}  // namespace

Command add_upgrade(CLI::App& program) {
  CLI::App& command = sub_command(
      program, "upgrade", "Rewrite a scenario file of an earlier version: old names become new ones", upgrade_examples);
  const auto arguments = std::make_shared<UpgradeArguments>();
  argument(command, "FILE.toml", arguments->file, "A scenario file; its place is taken by the new one", true);
  value_option(command, "--out", arguments->out, "FILE.toml", "Write there instead of over the file");
  return {&command, [arguments] { return upgrade(*arguments); }};
}

}  // namespace cli
