// Pieces of command lines that several commands share, so that they read the same everywhere.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace cli {

// SCENARIO, a word without a dash.
CLI::Option* scenario_argument(CLI::App& command, std::string& scenario);

// RECORDING, a file.
CLI::Option* recording_argument(CLI::App& command, std::string& recording);

// --set KEY=VALUE, as often as wanted.
CLI::Option* set_option(CLI::App& command, std::vector<std::string>& sets);

// An option with one value; `unit_or_kind` is what stands for it in the help: SECONDS, N, FILE.h5.
template <class T>
CLI::Option* value_option(CLI::App& command, const std::string& name, T& value, const std::string& unit_or_kind,
                          const std::string& help) {
  return command.add_option(name, value, help)->option_text(unit_or_kind);
}

// Help texts: descriptions are broken into lines, positionals stand without ornament. Sub-commands inherit it.
void use_our_help(CLI::App& program);

}  // namespace cli
