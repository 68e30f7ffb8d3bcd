#include "fmu/load.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "sinew/fmi/resources.h"
#include "sinew/sim/errors.h"
#include "sinew/text/document.h"
#include "sinew/text/load_meshes.h"
#include "sinew/text/load_policy.h"
#include "sinew/text/load_tables.h"
#include "sinew/text/read_keys.h"

namespace fmu {
namespace {

namespace sim = sinew::sim;
namespace text = sinew::text;
using sinew::InputError;

// As text/load_scenario.cpp does it, but for what makes files short, which a complete scenario has no more.
std::shared_ptr<const sim::Experiment> read_scenario(const std::string& folder, const std::string& content,
                                                     const fmi::PartFile& part) {
  text::Document document(content, fmi::scenario_resource);
  sim::Scenario scenario;
  text::KeyReader reader(document);
  describe(reader, scenario);
  reader.finish();
  std::vector<std::string> problems = reader.problems();
  scenario.given = document.keys();
  scenario.folder = folder;
  scenario.name = part.name;
  scenario.seed = part.seed;
  const sim::PlaceOf place_of = [&](std::string_view key) { return document.place(key); };
  text::load_meshes(scenario.plan, folder, place_of, problems);
  const std::string table_key = scenario.robot_keys ? scenario.robot_keys->table_key() : "";
  text::load_tables(scenario.plan, folder, table_key, place_of, problems);
  text::load_policy(scenario, place_of, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  return std::make_shared<const sim::Experiment>(std::move(scenario), place_of);
}

}  // namespace

Resources load_resources(const std::string& folder, const std::string& token) {
  const std::filesystem::path root(folder);
  const std::string scenario = text::read_text((root / fmi::scenario_resource).string());
  const std::string head = text::read_text((root / fmi::part_resource).string());
  if (!token.empty() && token != fmi::token_of(head + scenario))
    throw InputError(fmt::format(
        "{}: these resources are not those of the description (its token is {}): export it again", folder, token));
  const fmi::PartFile part = fmi::read_part(head);
  const auto experiment = read_scenario(folder, scenario, part);
  const double step = experiment->scenario.step;
  if (part.part == fmi::Part::Controller) return {make_controller_part(experiment), step};
  return {make_robot(experiment, part.part), step};
}

std::string path_of_uri(const std::string& uri) {
  std::string rest = uri;
  if (rest.starts_with("file:")) {
    rest.erase(0, 5);
    if (rest.starts_with("//")) {  // what stands before the next stroke is a machine: this one
      const std::size_t slash = rest.find('/', 2);
      const std::string host = rest.substr(2, slash == rest.npos ? rest.npos : slash - 2);
      if (slash == rest.npos || (!host.empty() && host != "localhost"))
        throw InputError(fmt::format("{}: not a folder of this machine: give file:///FOLDER", uri));
      rest.erase(0, slash);
    }
  } else if (rest.find("://") != rest.npos) {
    throw InputError(fmt::format("{}: not a folder: give file:///FOLDER", uri));
  } else {
    return rest;  // a plain path, which some importers give
  }
  std::string out;
  for (std::size_t i = 0; i < rest.size(); i++) {
    int code = 0;
    const char* digits = rest.data() + i + 1;
    if (rest[i] == '%' && i + 2 < rest.size() && std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      out += char(code);
      i += 2;
    } else {
      out += rest[i];
    }
  }
  return out;
}

}  // namespace fmu
