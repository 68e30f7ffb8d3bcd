#include "cli/export_fmu.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "sinew/files/file_writer.h"
#include "sinew/report/export_fmu.h"
#include "sinew/sim/errors.h"
#include "sinew/text/document.h"
#include "sinew/text/library.h"
#include "sinew/text/load_scenario.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
namespace text = sinew::text;

// Archives that begin with the folder documentation/, empty, of 1980, as ours do: its head, up to the letters that are looked at. Another ZIP archive
// is not written over.
constexpr std::string_view fmu_head("PK\3\4\x14\0\0\0\0\0\0\0\x21\0\0\0\0\0\0\0\0\0\0\0\0\0\x0e\0\0\0do", 32);
constexpr sinew::FileKind fmu_file{"FMU that sinew export wrote", {fmu_head, ""}};

// In a build it is beside the program, installed in a folder of the libraries.
std::string fmu_library() {
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  if (!error)
    for (const char* place : {".", "../lib/sinew", "../lib/x86_64-linux-gnu/sinew"}) {
      const fs::path file = (binary.parent_path() / place / "sinew-fmu.so").lexically_normal();
      if (fs::exists(file, error)) return file.string();
    }
  throw sinew::FileError(
      "sinew export --fmu: the library of FMUs, sinew-fmu.so, is not built or installed: in a clone use ./sinew, which "
      "builds "
      "it, or build the target sinew_fmu");
}

sinew::fmi::Part part_of(const std::string& as) {
  if (as.empty()) return sinew::fmi::Part::Scenario;
  if (as == "robot") return sinew::fmi::Part::Robot;
  if (as == "controller") return sinew::fmi::Part::Controller;
  throw sinew::InputError(fmt::format("--as {}: not a part of a scenario: give robot or controller", as));
}

}  // namespace

void export_fmu(const FmuArguments& a) {
  sinew::report::FmuExport how;
  how.part = part_of(a.as);
  how.version = int(a.version.value_or(3));
  if (how.version != 2 && how.version != 3)
    throw sinew::InputError(fmt::format("--fmi {}: not a version that is written: give 2 or 3", *a.version));
  const auto found = text::find_scenario(a.scenario, scenario_folder());
  const std::string replaced = check_output("--fmu", a.file, fmu_file, {{found.file, "the scenario"}});
  const auto experiment = text::load_experiment(found.file, found.name, a.sets);
  how.library = text::read_text(fmu_library());
  sinew::write_file(a.file, fmu_file, sinew::report::export_fmu(experiment, how));
  std::fputs(replaced.c_str(), stderr);
}

}  // namespace cli
