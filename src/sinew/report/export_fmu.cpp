#include "sinew/report/export_fmu.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/files/zip.h"
#include "sinew/fmi/model_description.h"
#include "sinew/fmi/packed.h"
#include "sinew/fmi/resources.h"
#include "sinew/imports/mesh_file.h"
#include "sinew/sim/errors.h"
#include "sinew/text/document.h"
#include "sinew/text/load_meshes.h"
#include "sinew/text/show.h"

namespace sinew::report {
namespace {

// The files that a scenario names, packed; its keys then name these.
class PackedFiles {
 public:
  explicit PackedFiles(sim::Scenario& scenario) : scenario_(scenario) {
    for (BodyPlan& body : scenario.plan.bodies)
      for (ShapePlan& shape : body.shapes) add_mesh(shape.file);
    add_mesh(scenario.plan.ground.mesh.file);
    for (JointPlan& joint : scenario.plan.joints) add_table(joint.table_file);
    if (scenario.robot_keys)
      for (std::string* file : scenario.robot_keys->files()) add_table(*file);
    if (!scenario.policy.file.empty()) scenario.policy.file = add("policy", "npz", fmi::pack(*scenario.policy.layers));
  }

  std::vector<ZipFile> files;

 private:
  std::string place_of(const std::string& file) const { return text::path_beside(scenario_.folder, file); }
  std::string add(const char* what, const char* ending, std::string content) {
    const std::string name = fmt::format("{}_{}.{}", what, files.size(), ending);
    files.push_back({"resources/" + name, std::move(content)});
    return name;
  }
  void add_mesh(std::string& file) {
    if (!file.empty()) file = add("mesh", "stl", fmi::pack(imports::read_mesh(place_of(file))));
  }
  void add_table(std::string& file) {
    if (!file.empty()) file = add("table", "csv", text::read_text(place_of(file)));
  }

  const sim::Scenario& scenario_;
};

std::string documentation(const fmi::Description& d) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title>\n<h1>{0}</h1>\n<p>{1}</p>\n"
      "<p>Exported by sinew. The simulation makes steps of {2} s: choose communication steps that are multiples of it. "
      "Commands and pushes are inputs, what sensors say and the signals of the scenario are outputs, numbers that may "
      "be changed "
      "while it runs are parameters; 1e308 stands for no limit. resources/scenario.toml is the complete "
      "scenario.</p>\n</html>\n",
      fmi::xml_text(d.name), fmi::xml_text(d.title), d.step);
}

}  // namespace

std::string export_fmu(const sim::Experiment& experiment, const FmuExport& how) {
  const sim::Scenario& scenario = experiment.scenario;
  if (scenario.control_kind == ControlKind::Fmu)
    throw InputError(
        fmt::format("{}: its controller is an FMU itself, which cannot be put into another: give control.kind "
                    "another value, or export with the controller left out of the scenario",
                    scenario.name));
  const std::vector<fmi::Variable> variables = fmi::variables_of(experiment, how.part);
  sim::Scenario stored = scenario;
  PackedFiles packed(stored);
  const std::string toml = text::show(stored);
  const std::string part = fmi::write_part({how.part, scenario.seed, scenario.name});

  fmi::Description d;
  d.version = how.version;
  d.name = scenario.name;
  d.title = scenario.title;
  d.token = fmi::token_of(part + toml);
  d.step = scenario.step;
  d.duration = scenario.duration;
  d.cycle = std::max(scenario.step, how.part == fmi::Part::Controller ? scenario.schedule.period : scenario.step);
  const std::string platform = how.version == 2 ? "linux64" : "x86_64-linux";
  std::vector<ZipFile> files{{"documentation/", ""},  // first: by it our archives are known
                             {"documentation/index.html", documentation(d)},
                             {"modelDescription.xml", fmi::model_description(d, variables)},
                             {fmt::format("binaries/{}/{}.so", platform, fmi::identifier_of(d.name)), how.library},
                             {fmt::format("resources/{}", fmi::part_resource), part},
                             {fmt::format("resources/{}", fmi::scenario_resource), toml}};
  files.insert(files.end(), packed.files.begin(), packed.files.end());
  return zip(files);
}

}  // namespace sinew::report
