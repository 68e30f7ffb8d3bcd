#include "cli/declare.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

namespace cli {
namespace {

constexpr std::size_t name_column = 26, text_width = 74;  // 100 columns in all

// Words as they come, a new line before the one that would not fit.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string result, word;
  std::size_t used = 0;
  while (words >> word) {
    const bool fits = used + 1 + word.size() <= text_width;
    if (!result.empty()) result += fits ? ' ' : '\n';
    used = result.empty() || !fits ? word.size() : used + 1 + word.size();
    result += word;
  }
  return result;
}

class Formatter : public CLI::Formatter {
 public:
  Formatter() { column_width(name_column); }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_positional() ? "" : CLI::Formatter::make_option_opts(option);
  }
  std::string make_option_desc(const CLI::Option* option) const override { return wrapped(option->get_description()); }
};

}  // namespace

CLI::App& sub_command(CLI::App& program, const std::string& name, const std::string& purpose,
                      const std::string& examples) {
  CLI::App* command = program.add_subcommand(name, purpose);
  command->footer(examples);
  return *command;
}

void argument(CLI::App& command, const std::string& name, std::string& value, const std::string& help, bool required) {
  command.add_option(name, value, help)->required(required);
}

void scenario_argument(CLI::App& command, std::string& scenario) {
  argument(
      command, "SCENARIO", scenario,
      "A built-in name (basics/pendulum), its last part (pendulum), or the path of a .toml, .urdf, .xml or .sdf file",
      false);
}

void recording_argument(CLI::App& command, std::string& recording) {
  argument(command, "RECORDING", recording, "A file made by `sinew run`; it may still be growing", true);
}

void set_option(CLI::App& command, std::vector<std::string>& sets) {
  command
      .add_option("--set", sets,
                  "Change a key: its dotted name as in `sinew show`, or the last part where that is unique; the value "
                  "as in TOML. May be given several times")
      ->allow_extra_args(false)
      ->option_text("KEY=VALUE");
}

void value_option(CLI::App& command, const std::string& name, std::string& value, const std::string& unit_or_kind,
                  const std::string& help, Need need) {
  command.add_option(name, value, help)->option_text(unit_or_kind)->required(need == Need::Required);
}

void value_option(CLI::App& command, const std::string& name, std::optional<double>& value,
                  const std::string& unit_or_kind, const std::string& help) {
  command.add_option(name, value, help)->option_text(unit_or_kind);
}

void value_option(CLI::App& command, const std::string& name, std::optional<std::int64_t>& value,
                  const std::string& unit_or_kind, const std::string& help) {
  command.add_option(name, value, help)->option_text(unit_or_kind);
}

void list_option(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                 const std::string& unit_or_kind, const std::string& help) {
  command.add_option(name, values, help)->allow_extra_args(false)->option_text(unit_or_kind);
}

void words_option(CLI::App& command, const std::string& name, std::vector<std::string>& words, int count,
                  const std::string& kinds, const std::string& help) {
  command.add_option(name, words, help)->expected(count)->option_text(kinds);
}

void pass_on_the_rest(CLI::App& command, std::vector<std::string>& words) {
  command.prefix_command();
  command.callback([&command, &words] { words = command.remaining(); });
}

void flag(CLI::App& command, const std::string& name, bool& value, const std::string& help) {
  command.add_flag(name, value, help);
}

void use_our_help(CLI::App& program) {
  program.formatter(std::make_shared<Formatter>());
  program.set_help_flag("-h,--help", "Print this help");
}

}  // namespace cli
