#include "sinew/text/load_scenario.h"

#include <fmt/format.h>

#include <filesystem>

#include "sinew/imports/import.h"
#include "sinew/sim/errors.h"
#include "sinew/text/document.h"
#include "sinew/text/expand.h"
#include "sinew/text/fill_bodies.h"
#include "sinew/text/load_fmu.h"
#include "sinew/text/load_meshes.h"
#include "sinew/text/load_policy.h"
#include "sinew/text/load_tables.h"
#include "sinew/text/read_keys.h"
#include "sinew/text/set_keys.h"

namespace sinew::text {
namespace {

std::string folder_of(const std::string& file) { return std::filesystem::path(file).parent_path().string(); }

// What makes files short is taken out of them: include, --set ground, [param], [copies]. The --set texts that are left.
std::vector<std::string> expand(Document& document, std::span<const std::string> sets,
                                std::vector<std::string>& problems) {
  take_includes(document, problems);
  const std::vector<std::string> other_sets = take_ground_sets(sets, document, problems);
  std::vector<std::string> left = take_parameter_sets(other_sets, document, problems);
  take_parameters(document, problems);
  take_copies(document, problems);
  return left;
}

sim::Scenario read(const Document& document, std::vector<std::string>& problems) {
  sim::Scenario scenario;
  KeyReader reader(document);
  describe(reader, scenario);
  describe(reader, scenario.cases);
  reader.finish();
  const std::vector<std::string> found = reader.problems();
  problems.insert(problems.end(), found.begin(), found.end());
  scenario.given = document.keys();
  return scenario;
}

}  // namespace

std::string scenario_text(const std::string& file) {
  return imports::is_model_file(file) ? scenario_around(file) : read_text(file);
}

sim::Experiment parse_experiment(std::string_view text, const std::string& file, std::span<const std::string> sets,
                                 const LoadOptions& options) {
  Document document(text, file);
  std::vector<std::string> problems;
  const std::vector<std::string> own_sets = expand(document, sets, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  const std::vector<std::string> other_sets = take_model_sets(own_sets, document);
  const std::vector<std::string> notes = take_model(document, folder_of(file), options.model, problems);
  if (options.notes) *options.notes = notes;
  if (!problems.empty()) throw InputError(std::move(problems));
  problems = apply_sets(other_sets, document);
  sim::Scenario scenario = read(document, problems);
  if (scenario.duration / scenario.step > 1e12)
    problems.push_back(fmt::format("{}: {} s in steps of {} s would never end: make the step larger",
                                   document.place("integrator.step"), scenario.duration, scenario.step));
  scenario.folder = folder_of(file);
  scenario.name = file;
  const sim::PlaceOf place_of = [&](std::string_view key) { return document.place(key); };
  load_meshes(scenario.plan, scenario.folder, place_of, problems);
  fill_bodies(scenario.plan, place_of, problems);
  const std::string table_key = scenario.robot_keys ? scenario.robot_keys->table_key() : "";
  load_tables(scenario.plan, scenario.folder, table_key, place_of, problems);
  load_policy(scenario, place_of, problems);
  load_fmu(scenario, options.model.trust, place_of, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  return sim::Experiment(std::move(scenario), place_of);
}

sim::Experiment load_experiment(const std::string& file, const std::string& name, std::span<const std::string> sets,
                                const LoadOptions& options) {
  sim::Experiment experiment = parse_experiment(scenario_text(file), file, sets, options);
  experiment.scenario.name = name;
  return experiment;
}

sim::Scenario load_scenario(const std::string& file, const std::string& name, std::span<const std::string> sets) {
  return load_experiment(file, name, sets).scenario;
}

sim::Scenario parse_scenario(std::string_view text, const std::string& file, std::span<const std::string> sets) {
  return parse_experiment(text, file, sets).scenario;
}

sim::Scenario read_header(const std::string& file, const std::string& name) {
  sim::Scenario scenario = parse_header(scenario_text(file), file);
  scenario.name = name;
  return scenario;
}

sim::Scenario parse_header(std::string_view text, const std::string& file) {
  std::vector<std::string> problems;
  Document document(text, file);
  expand(document, {}, problems);
  sim::Scenario scenario = read(document, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  scenario.folder = folder_of(file);
  return scenario;
}

}  // namespace sinew::text
