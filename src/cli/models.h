// What commands share that read robots of other programs: options, and notes for people.
#pragma once
#include <string>
#include <vector>

#include "cli/declare.h"
#include "sinew/text/load_model.h"

namespace cli {

// --strict and --without-meshes.
void model_options(CLI::App& command, sinew::text::ModelOptions& options);

// --trust.
void trust_option(CLI::App& command, sinew::text::ModelOptions& options);

// On standard error, a line each.
void print_notes(const std::vector<std::string>& notes);

}  // namespace cli
