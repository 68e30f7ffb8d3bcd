// sinew python: Debian's Python in the place of this program, with the module on its path.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/declare.h"
#include "sinew/files/errors.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* debian_python = "/usr/bin/python3";

// The folder that holds the package `sinew`: beside a binary of a build, or installed with it. Empty: there is none.
std::string module_folder() {
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  for (const char* place : {"python", "../lib/python3/dist-packages"}) {
    const fs::path folder = (binary.parent_path() / place).lexically_normal();
    if (fs::exists(folder / "sinew/__init__.py", error)) return folder.string();
  }
  return {};
}

int start_python(const std::vector<std::string>& words) {
  const std::string folder = module_folder();
  if (folder.empty())
    throw sinew::FileError(
        "sinew python: the module is not built or installed: in a clone use ./sinew, which builds it, or build the "
        "target "
        "sinew_python, which needs what scripts/setup python installs");
  const char* const before = std::getenv("PYTHONPATH");
  setenv("PYTHONPATH", (before && *before ? folder + ":" + before : folder).c_str(), 1);
  std::string program = debian_python;
  std::vector<std::string> copies = words;
  std::vector<char*> arguments{program.data()};
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(debian_python, arguments.data());
  throw sinew::FileError(fmt::format("{}: it cannot be started ({}): install python3 and python3-numpy", debian_python,
                                     std::strerror(errno)));
}

const char* const python_examples = R"help(Examples:
  sinew python -c "import sinew; print(sinew.run('pendulum')['result'])"
  sinew python -c "import sinew; help(sinew.World)"
  sinew python -m pydoc sinew                      what there is, with units

It is Debian's own python3, with its numpy, in the place of this program: words that follow are its
own; without any it asks for lines to run. docs/python.md shows how to use the module.
Exit codes: those of Python; 4 the module or Python is not there.)help";

}  // namespace

Command add_python(CLI::App& program) {
  CLI::App& command = sub_command(program, "python", "Start Python with the module sinew on its path", python_examples);
  const auto words = std::make_shared<std::vector<std::string>>();
  pass_on_the_rest(command, *words);
  return {&command, [words] { return start_python(*words); }};
}

}  // namespace cli
