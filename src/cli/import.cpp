#include "sinew/imports/import.h"

#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/declare.h"
#include "cli/models.h"
#include "cli/terminal.h"
#include "sinew/files/file_writer.h"
#include "sinew/sim/errors.h"
#include "sinew/text/load_scenario.h"

namespace cli {
namespace {

struct ImportArguments {
  std::string file, out, base, drive, fixed, packages;
  sinew::text::ModelOptions model;
};

void check_word(const char* option, const std::string& word, std::initializer_list<const char*> allowed) {
  if (word.empty()) return;
  std::string names;
  for (const char* name : allowed) {
    if (word == name) return;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw sinew::InputError(fmt::format("{} {}: unknown: use one of {}", option, word, names));
}

int import(const ImportArguments& a) {
  check_word("--base", a.base, {"auto", "free", "fixed"});
  check_word("--drive", a.drive, {"file", "none", "servo", "motion"});
  check_word("--fixed", a.fixed, {"merge", "keep"});
  sinew::imports::ImportOptions options;
  if (!a.base.empty()) options.prepare.base = a.base;
  if (!a.drive.empty()) options.prepare.drive = a.drive;
  options.prepare.keep_fixed = a.fixed == "keep";
  if (!a.packages.empty()) options.packages = {a.packages};
  options.without_meshes = a.model.without_meshes;
  const auto slash = a.out.rfind('/');
  options.folder = slash == std::string::npos ? "." : a.out.substr(0, slash + 1);
  const sinew::imports::Imported model = sinew::imports::import_model(a.file, options);
  if (a.model.strict && !model.warnings.empty()) throw sinew::InputError(model.warnings);
  // what is written must also be right
  const std::string name = a.out.empty() ? "./imported.toml" : a.out;
  sinew::text::parse_experiment(model.text, name);
  if (a.out.empty()) {
    write_out(model.text);
  } else {
    sinew::write_file(a.out, {"empty file", {"", ""}}, model.text);
    write_out(fmt::format("{}: {} notes, which stand at its top\n", a.out, model.notes.size()));
  }
  print_notes(model.notes);
  return done;
}

const char* const import_examples = R"(Examples:
  sinew import robot.urdf --out robot.toml             a scenario with all its numbers, to change
  sinew import robot.urdf --drive servo > held.toml    joints held by servos as strong as <limit>
  sinew import scene.xml > scene.toml                  MJCF, with all that it includes
  sinew import arm.urdf --base fixed > arm.toml        its root does not float
  sinew import robot.urdf --strict                     ends with 2 if anything is not understood

MODEL is URDF, MJCF or SDF. Every element or attribute that is not understood, every repair and
every decision is a numbered line on standard error and a comment in the scenario. docs/import.md
has the rules.
Exit codes: 0 done, 2 the file is wrong, 4 it cannot be read or the scenario not written.)";

}  // namespace

Command add_import(CLI::App& program) {
  CLI::App& command =
      sub_command(program, "import", "Write a scenario from the file of a robot of other programs", import_examples);
  const auto arguments = std::make_shared<ImportArguments>();
  ImportArguments& a = *arguments;
  argument(command, "MODEL", a.file, "A URDF, MJCF or SDF file: .urdf, .xml, .sdf or .world", true);
  value_option(command, "-o,--out", a.out, "FILE.toml", "Write there instead of to standard output");
  value_option(command, "--base", a.base, "WORD", "What nothing holds: auto, free or fixed");
  value_option(command, "--drive", a.drive, "WORD", "Drives of joints: file, none, servo or motion");
  value_option(command, "--fixed", a.fixed, "WORD", "Parts fixed to each other: merge or keep");
  value_option(command, "--packages", a.packages, "FOLDER", "Where package://NAME is looked for");
  model_options(command, a.model);
  return {&command, [arguments] { return import(*arguments); }};
}

}  // namespace cli
