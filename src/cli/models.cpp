#include "cli/models.h"

#include <cstdio>

namespace cli {

void model_options(CLI::App& command, sinew::text::ModelOptions& options) {
  flag(command, "--strict", options.strict, "Of a robot's file: what is not understood in it is an error");
  flag(command, "--without-meshes", options.without_meshes,
       "Of a robot's file: leave out shapes that are mesh files; each is named");
}

void trust_option(CLI::App& command, sinew::text::ModelOptions& options) {
  flag(command, "--trust", options.trust,
       "Run native code that the scenario names: an FMU as its controller ([control] fmu)");
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::fprintf(stderr, "%s\n", note.c_str());
}

}  // namespace cli
