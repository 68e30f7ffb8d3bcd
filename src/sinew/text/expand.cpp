#include "sinew/text/expand.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"
#include "sinew/text/document_content.h"
#include "sinew/text/load_meshes.h"
#include "sinew/text/set_keys.h"

namespace sinew::text {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t deepest_include = 16;

std::string folder_of_file(const std::string& file) { return fs::path(file).parent_path().string(); }

// The names that stand in `include`; nothing if it is wrong.
std::vector<std::string> included_names(const Document& document, std::vector<std::string>& problems) {
  const toml::node* node = document.content().root.get("include");
  std::vector<std::string> names;
  if (!node) return names;
  bool sound = true;
  const auto add = [&](const toml::node& entry) {
    const auto text = entry.value_exact<std::string>();
    sound = sound && text && !text->empty();
    if (text) names.push_back(*text);
  };
  if (const toml::array* array = node->as_array())
    for (const toml::node& entry : *array) add(entry);
  else
    add(*node);
  if (sound) return names;
  problems.push_back(
      fmt::format("{}: include: it needs names of files: write include = \"legs.toml\", or an array of them",
                  document.place("include")));
  return {};
}

std::map<std::string, std::string> places_of(const Document& document) {
  std::map<std::string, std::string> places;
  for (const std::string& key : document.keys()) places.emplace(key, document.place(key));
  return places;
}

// above: files that are being read, to which nothing may lead back.
void include_into(Document& document, std::vector<fs::path>& above, std::vector<std::string>& problems) {
  const std::string at = document.place("include");
  for (const std::string& name : included_names(document, problems)) {
    const std::string file = path_beside(folder_of_file(document.file()), name);
    std::error_code error;
    const fs::path real = fs::weakly_canonical(file, error);
    if (std::ranges::find(above, real) != above.end()) {
      problems.push_back(fmt::format("{}: include: {} leads back to itself: remove one of them", at, name));
      continue;
    }
    if (above.size() > deepest_include) {
      problems.push_back(fmt::format("{}: include: more than {} files inside of each other", at, deepest_include));
      continue;
    }
    try {
      Document other(read_text(file), file);
      above.push_back(real);
      include_into(other, above, problems);
      above.pop_back();
      document.put_under(other, places_of(other));
    } catch (const FileError& e) {
      problems.push_back(fmt::format("{}: include: {}", at, e.what()));
    } catch (const InputError& e) {
      problems.insert(problems.end(), e.problems.begin(), e.problems.end());
    }
  }
  document.erase("include");
}

// A table in braces, or a file with a [ground] and the parameters that it uses.
void put_ground(Document& document, const std::string& value, const std::string& place,
                std::vector<std::string>& problems) {
  const bool is_table = value.starts_with("{");
  Document other(is_table ? fmt::format("ground = {}\n", value) : read_text(value), is_table ? place : value);
  if (!is_table) take_includes(other, problems);
  toml::table& root = other.content().root;
  toml::table* ground = root["ground"].as_table();
  if (!ground) {
    problems.push_back(fmt::format("{}: {} has no [ground]: name a file that has one", place, value));
    return;
  }
  toml::node_view file = (*ground)["mesh"]["file"];
  if (const auto name = file.value<std::string>(); name && !is_table)
    *file.as_string() = fs::absolute(path_beside(folder_of_file(value), *name)).string();
  for (const std::string& key : other.keys())
    if (key.find('.') == key.npos && key != "ground" && key != "param") other.erase(key);
  document.erase("ground");
  document.put_under(other, places_of(other));
}

// Parameters may name each other in any order: those whose text can be worked out are, until nothing changes.
void evaluate_all(const Document& document, const toml::table& table, Parameters& parameters,
                  std::vector<std::string>& problems) {
  std::map<std::string, std::string> wrong;
  for (std::size_t before = ~std::size_t(0); before != parameters.size();) {
    before = parameters.size();
    wrong.clear();
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (parameters.contains(name)) continue;
      std::string problem;
      if (const auto value = number_in(node, parameters, problem))
        parameters.emplace(name, *value);
      else
        wrong.emplace(name, problem);
    }
  }
  for (const auto& [name, problem] : wrong) {
    const std::string key = "param." + name;
    problems.push_back(fmt::format("{}: {}: it needs a number{}", document.place(key), key, problem));
  }
}

}  // namespace

void take_includes(Document& document, std::vector<std::string>& problems) {
  std::error_code error;
  std::vector<fs::path> above{fs::weakly_canonical(document.file(), error)};
  include_into(document, above, problems);
}

std::vector<std::string> take_ground_sets(std::span<const std::string> sets, Document& document,
                                          std::vector<std::string>& problems) {
  constexpr std::string_view key = "ground=";
  std::vector<std::string> left;
  for (const std::string& set : sets) {
    if (!set.starts_with(key)) {
      left.push_back(set);
      continue;
    }
    try {
      put_ground(document, set.substr(key.size()), "--set " + set, problems);
    } catch (const FileError& e) {
      problems.push_back(fmt::format("--set {}: {}", set, e.what()));
    } catch (const InputError& e) {
      problems.insert(problems.end(), e.problems.begin(), e.problems.end());
    }
  }
  return left;
}

std::vector<std::string> take_parameter_sets(std::span<const std::string> sets, Document& document,
                                             std::vector<std::string>& problems) {
  const toml::table* table = document.content().root["param"].as_table();
  std::vector<std::string> left;
  for (const std::string& set : sets) {
    const std::string key = set.substr(0, set.find('='));
    const bool dotted = key.starts_with("param.");
    const std::string name = dotted ? key.substr(6) : key;
    const bool known = table && table->contains(name);
    if (key.size() == set.size() || (!dotted && !known)) {
      left.push_back(set);
      continue;
    }
    if (!known) {
      std::vector<std::string> names;
      if (table)
        for (const auto& [other, node] : *table) names.push_back("param." + std::string(other.str()));
      problems.push_back(fmt::format("--set {}: there is no {}: {}", set, key,
                                     names.empty() ? "the file has no [param]" : "there are " + sim::join(names)));
      continue;
    }
    if (!dotted) {
      const std::string other = key_called(document, name);
      if (other == name) {  // a key at the top of the file
        left.push_back(set);
        continue;
      }
      if (!other.empty()) {
        problems.push_back(fmt::format("--set {}: two keys end in {}: write param.{} or {}", set, name, name, other));
        continue;
      }
    }
    document.set("param." + name, std::string_view(set).substr(key.size() + 1), false, "--set " + set);
  }
  return left;
}

void take_parameters(Document& document, std::vector<std::string>& problems) {
  const toml::node* node = document.content().root.get("param");
  if (!node) return;
  const toml::table* table = node->as_table();
  if (!table) {
    problems.push_back(fmt::format("{}: param: it must be a table: write [param] on a line and NAME = NUMBER below",
                                   document.place("param")));
    return;
  }
  for (const auto& [key, value] : *table)
    if (!is_parameter_name(key.str()))
      problems.push_back(
          fmt::format("{}: param.{}: names of parameters are made of letters, digits and _, and are not pi",
                      document.place("param." + std::string(key.str())), key.str()));
  Parameters parameters;
  evaluate_all(document, *table, parameters, problems);
  document.content().parameters = std::move(parameters);
  document.erase("param");
}

}  // namespace sinew::text
