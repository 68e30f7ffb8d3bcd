#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/terminal.h"
#include "sinew/files/errors.h"
#include "sinew/files/file_writer.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"
#include "sinew/text/document.h"
#include "sinew/text/library.h"
#include "sinew/text/load_scenario.h"

namespace cli {
namespace {

struct NewArguments {
  std::string name, out;
};

int make_new(const NewArguments& a) {
  const std::vector<sinew::text::ScenarioFile> files = sinew::text::built_in_scenarios(template_folder());
  if (files.empty())
    throw sinew::FileError(
        fmt::format("{}: no templates are found there: set SINEW_TEMPLATES to their folder", template_folder()));
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.name);
  if (a.name.empty()) {
    std::string text;
    for (const auto& file : files)
      text += fmt::format("{:<10} {}\n", file.name, sinew::text::read_header(file.file, file.name).title);
    write_out(text);
    return done;
  }
  const auto found = std::ranges::find(files, a.name, &sinew::text::ScenarioFile::name);
  if (found == files.end())
    throw sinew::InputError(fmt::format("{}: there is no such template: {}the templates are {}", a.name,
                                        sinew::sim::did_you_mean(a.name, names), sinew::sim::join(names)));
  const std::string text = sinew::text::read_text(found->file);
  if (a.out.empty()) {
    write_out(text);
  } else {
    sinew::write_file(a.out, {"empty file", {"", ""}}, text);
    write_out(fmt::format("{}: a {} to change; sinew run {} runs it\n", a.out, a.name, a.out));
  }
  return done;
}

const char* const new_examples = R"(Examples:
  sinew new                             the names of all templates
  sinew new walker > mine.toml          a commented scenario that runs, to change
  sinew new snake --out snake.toml      the same into a file
  sinew run mine.toml --set thigh=0.15  with another number of its [param]

docs/own.md says how robots are written in few lines.
Exit codes: 0 done, 2 there is no such template, 4 the file cannot be written.)";

}  // namespace

Command add_new(CLI::App& program) {
  CLI::App& command = sub_command(program, "new", "Start a scenario of your own from a template", new_examples);
  const auto arguments = std::make_shared<NewArguments>();
  argument(command, "TEMPLATE", arguments->name, "arm, crawler, snake, soft-arm, walker or wheels; none: list them",
           false);
  value_option(command, "-o,--out", arguments->out, "FILE.toml", "Write there instead of to standard output");
  return {&command, [arguments] { return make_new(*arguments); }};
}

}  // namespace cli
