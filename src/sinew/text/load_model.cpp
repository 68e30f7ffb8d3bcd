#include "sinew/text/load_model.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "sinew/files/errors.h"
#include "sinew/imports/import.h"
#include "sinew/sim/errors.h"
#include "sinew/text/document_content.h"
#include "sinew/text/load_meshes.h"

namespace sinew::text {
namespace {

constexpr std::array<std::string_view, 6> model_keys{"robot.file",  "robot.base",         "robot.drive",
                                                     "robot.fixed", "robot.inertia_from", "robot.packages"};

std::string text_at(const Document& document, std::string_view key, const std::string& fallback) {
  const toml::node_view node = document.content().root.at_path(key);
  return node.value_or(std::string(fallback));
}

std::vector<std::string> packages_of(const Document& document, const std::string& folder) {
  std::vector<std::string> packages;
  const toml::node_view node = document.content().root.at_path("robot.packages");
  const auto add = [&](const toml::node& entry) {
    if (const auto text = entry.value<std::string>()) packages.push_back(path_beside(folder, *text));
  };
  if (const toml::array* array = node.as_array())
    for (const toml::node& entry : *array) add(entry);
  else if (node.node())
    add(*node.node());
  return packages;
}

bool is_choice(const Document& document, std::string_view key, std::string& value,
               std::initializer_list<std::string_view> allowed, std::vector<std::string>& problems) {
  value = text_at(document, key, std::string(*allowed.begin()));
  std::vector<std::string> names;
  for (const std::string_view name : allowed) {
    if (name == value) return true;
    names.emplace_back(name);
  }
  problems.push_back(
      fmt::format("{}: {}: \"{}\" is none of {}", document.place(key), key, value, fmt::join(names, ", ")));
  return false;
}

}  // namespace

std::string scenario_around(const std::string& model_file) {
  std::string name = std::filesystem::path(model_file).filename().string();
  std::string quoted;
  for (const char c : name) quoted += (c == '"' || c == '\\' ? std::string("\\") : std::string()) + c;
  return fmt::format("robot.file = \"{}\"\n", quoted);
}

std::vector<std::string> take_model_sets(std::span<const std::string> sets, Document& document) {
  std::vector<std::string> left;
  for (const std::string& set : sets) {
    const std::string key = set.substr(0, set.find('='));
    const bool ours = key.size() < set.size() && std::ranges::find(model_keys, key) != model_keys.end();
    if (ours)
      document.set(key, std::string_view(set).substr(key.size() + 1), key != "robot.packages", "--set " + set);
    else
      left.push_back(set);
  }
  return left;
}

std::vector<std::string> take_model(Document& document, const std::string& folder, const ModelOptions& options,
                                    std::vector<std::string>& problems) {
  const std::string file = text_at(document, "robot.file", "");
  if (file.empty()) return {};
  const std::string place = document.place("robot.file");
  if (const std::string kind = text_at(document, "robot.kind", "bodies"); kind != "bodies") {
    problems.push_back(fmt::format(
        "{}: robot.file: the robot \"{}\" brings its own bodies: remove robot.kind, or the file", place, kind));
    return {};
  }
  imports::ImportOptions how;
  std::string fixed;
  bool sound = is_choice(document, "robot.base", how.prepare.base, {"auto", "free", "fixed"}, problems);
  sound = is_choice(document, "robot.drive", how.prepare.drive, {"file", "none", "servo", "motion"}, problems) && sound;
  sound = is_choice(document, "robot.inertia_from", how.prepare.inertia, {"file", "shapes"}, problems) && sound;
  sound = is_choice(document, "robot.fixed", fixed, {"merge", "keep"}, problems) && sound;
  if (!sound) return {};
  how.prepare.keep_fixed = fixed == "keep";
  how.packages = packages_of(document, folder);
  how.without_meshes = options.without_meshes;
  how.folder = folder.empty() ? "." : folder;
  imports::Imported model;
  try {
    model = imports::import_model(path_beside(folder, file), how);
  } catch (const InputError& e) {
    problems.insert(problems.end(), e.problems.begin(), e.problems.end());
    return {};
  } catch (const FileError& e) {
    if (document.line("robot.file") == 0) throw;
    problems.push_back(fmt::format("{}: robot.file: {}", place, e.what()));
    return {};
  }
  if (options.strict)
    for (const std::string& warning : model.warnings) problems.push_back(warning + " (--strict)");
  if (!options.meshes_may_miss) problems.insert(problems.end(), model.missing.begin(), model.missing.end());
  for (const std::string_view key : model_keys) document.erase(key);
  document.put_under(Document(model.text, path_beside(folder, file)), model.places);
  return model.notes;
}

}  // namespace sinew::text
