#include "sinew/study/load_plan.h"

#include <fmt/format.h>

#include <filesystem>

#include "sinew/sim/errors.h"
#include "sinew/text/document.h"
#include "sinew/text/library.h"
#include "sinew/text/load_scenario.h"
#include "sinew/text/read_keys.h"

namespace sinew::study {

bool is_plan_file(const std::string& file) {
  std::error_code error;
  if (!file.ends_with(".toml") || !std::filesystem::is_regular_file(file, error)) return false;
  try {
    return text::Document(text::read_text(file), file).contains("scenario");
  } catch (const InputError&) {
    return false;  // who reads it as a scenario says what is wrong
  }
}

void load_plan(const std::string& file, StudyPlan& plan, SearchPlan* search) {
  const text::Document document(text::read_text(file), file);
  text::KeyReader reader(document);
  describe(reader, plan);
  SearchPlan unused;
  describe(reader, search ? *search : unused);
  reader.finish();
  if (const auto problems = reader.problems(); !problems.empty()) throw InputError(problems);
  const std::filesystem::path named(plan.scenario);  // beside the plan, or a built-in one
  const auto beside = std::filesystem::path(file).parent_path() / named;
  std::error_code error;
  if (named.is_relative() && named.has_extension() && std::filesystem::exists(beside, error))
    plan.scenario = beside.string();
}

Source find_source(const std::string& scenario, const std::string& folder) {
  const text::ScenarioFile found = text::find_scenario(scenario, folder);
  return {found.name, found.file, text::scenario_text(found.file)};
}

}  // namespace sinew::study
