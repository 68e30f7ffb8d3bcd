// How commands declare themselves on the command line, so that they read the same everywhere. CLI11 does the work, in
// declare.cpp and main.cpp only: its header takes ten seconds to compile.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cli {

// A sub-command with its purpose in one line, and what stands below its help: examples and exit codes.
CLI::App& sub_command(CLI::App& program, const std::string& name, const std::string& purpose,
                      const std::string& examples);

// A word without a dash.
void argument(CLI::App& command, const std::string& name, std::string& value, const std::string& help, bool required);
void scenario_argument(CLI::App& command, std::string& scenario);    // SCENARIO; may be left out
void recording_argument(CLI::App& command, std::string& recording);  // RECORDING

// --set KEY=VALUE, as often as wanted.
void set_option(CLI::App& command, std::vector<std::string>& sets);

// An option with one value; `unit_or_kind` is what stands for it in the help: SECONDS, N, FILE.h5.
enum class Need { Optional, Required };
void value_option(CLI::App& command, const std::string& name, std::string& value, const std::string& unit_or_kind,
                  const std::string& help, Need need = Need::Optional);
void value_option(CLI::App& command, const std::string& name, std::optional<double>& value,
                  const std::string& unit_or_kind, const std::string& help);
void value_option(CLI::App& command, const std::string& name, std::optional<std::int64_t>& value,
                  const std::string& unit_or_kind, const std::string& help);

// An option with one value that may be given several times.
void list_option(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                 const std::string& unit_or_kind, const std::string& help);

// An option with so many words behind it.
void words_option(CLI::App& command, const std::string& name, std::vector<std::string>& words, int count,
                  const std::string& kinds, const std::string& help);

void flag(CLI::App& command, const std::string& name, bool& value, const std::string& help);

// All words behind the command, as they stand; only a help that comes first is the command's own.
void pass_on_the_rest(CLI::App& command, std::vector<std::string>& words);

// Help texts: descriptions are broken into lines, positionals stand without ornament. Sub-commands inherit it.
void use_our_help(CLI::App& program);

}  // namespace cli
