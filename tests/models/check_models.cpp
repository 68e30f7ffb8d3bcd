// check_models DIR FOLDER: reads every robot below a folder, compares it with MuJoCo 3, which npm has installed in another one, and prints a table.
// MuJoCo gets a copy without looks, without geoms of bodies whose inertia is given and, of URDF, without shapes, of which it would make mass where a
// link has none. Files that are included are put into the copy. The exit code is 1 if one that MuJoCo reads differs by more than
// 1e-8, or if reading one takes more than 2 s.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <vector>

#include "sinew/imports/import.h"
#include "sinew/text/load_scenario.h"
#include "tests/models/mujoco3.h"
#include "tests/support/mujoco.h"

namespace {

namespace fs = std::filesystem;

// What masses and axes do not follow from. Geoms of bodies whose inertia is given are among it, and so are meshes that nothing else needs.
void strip(pugi::xml_node node, bool from_geoms) {
  static const std::set<std::string> left_out{"visual",  "collision", "keyframe", "sensor",   "actuator",
                                              "contact", "equality",  "texture",  "material", "site",
                                              "tendon",  "custom",    "skin",     "plugin",   "extension"};
  node.remove_attribute("material");
  const bool has_inertia = !from_geoms && node.child("inertial");
  for (pugi::xml_node child = node.first_child(); child;) {
    const pugi::xml_node next = child.next_sibling();
    const std::string name = child.name();
    if (left_out.contains(name) || (name == "geom" && has_inertia))
      node.remove_child(child);
    else
      strip(child, from_geoms);
    child = next;
  }
}

bool names_mesh(pugi::xml_node node, const std::string& mesh) {
  if (std::string_view(node.name()) == "geom" && node.attribute("mesh").value() == mesh) return true;
  return std::ranges::any_of(node.children(), [&](pugi::xml_node child) { return names_mesh(child, mesh); });
}

// The meshes of bodies without inertia, by their full paths; the others are not read.
void keep_meshes(pugi::xml_node root, const fs::path& folder) {
  fs::path below;
  for (pugi::xml_node compiler : root.children("compiler"))
    for (const char* key : {"assetdir", "meshdir"})
      if (compiler.attribute(key)) {
        below = compiler.attribute(key).value();
        compiler.remove_attribute(key);
      }
  for (pugi::xml_node asset : root.children("asset"))
    for (pugi::xml_node mesh = asset.first_child(); mesh;) {
      const pugi::xml_node next = mesh.next_sibling();
      const fs::path file = mesh.attribute("file").value();
      if (!mesh.attribute("name")) mesh.append_attribute("name") = file.stem().c_str();
      if (!names_mesh(root, mesh.attribute("name").value()))
        asset.remove_child(mesh);
      else if (!file.empty())
        mesh.attribute("file") = fs::absolute(folder / below / file).lexically_normal().c_str();
      mesh = next;
    }
}

// Links that are fixed to others stay bodies, so that no tensors are added up; those without mass have no inertia.
void keep_fixed_links(pugi::xml_node root) {
  if (std::string_view(root.name()) != "robot") return;
  pugi::xml_node extension = root.child("mujoco");
  if (!extension) extension = root.append_child("mujoco");
  pugi::xml_node compiler = extension.child("compiler");
  if (!compiler) compiler = extension.append_child("compiler");
  compiler.remove_attribute("fusestatic");
  compiler.append_attribute("fusestatic") = "false";
  for (pugi::xml_node link : root.children("link"))
    if (pugi::xml_node inertial = link.child("inertial");
        !(inertial.child("mass").attribute("value").as_double() > 0.0))
      link.remove_child(inertial);
}

void include_files(pugi::xml_node node, const fs::path& folder) {
  for (pugi::xml_node child = node.first_child(); child;) {
    const pugi::xml_node next = child.next_sibling();
    if (std::string_view(child.name()) == "include") {
      pugi::xml_document part;
      if (part.load_file((folder / child.attribute("file").value()).c_str())) {
        include_files(part.document_element(), folder);
        for (const pugi::xml_node inside : part.document_element().children()) node.insert_copy_before(inside, child);
      }
      node.remove_child(child);
    } else {
      include_files(child, folder);
    }
    child = next;
  }
}

struct Row {
  std::string file, outcome;
  double seconds = 0;
  bool is_wrong = false, is_read = false, is_compared = false, is_exact = false;
};

// What MuJoCo gets of a file.
void write_copy(const std::string& file, const fs::path& place) {
  pugi::xml_document document;
  document.load_file(file.c_str());
  const pugi::xml_node root = document.document_element();
  const fs::path folder = fs::absolute(file).parent_path();
  include_files(root, folder);
  strip(root, std::string_view(root.child("compiler").attribute("inertiafromgeom").value()) == "true");
  keep_meshes(root, folder);
  keep_fixed_links(root);
  document.save_file(place.c_str());
}

void compare(sinew::models::Mujoco3& mujoco, const sinew::sim::Experiment& experiment, Row& row) {
  const fs::path place = fs::temp_directory_path() / fmt::format("sinew-check-models-{}.xml", getpid());
  write_copy(row.file, place);
  std::string error;
  const auto model = mujoco.read(place.string(), error);
  fs::remove(place);
  sinew::support::MujocoErrors errors;
  errors.unread = "MuJoCo: " + error;
  if (model) errors = sinew::support::compare_with_model(experiment, *model, 1);
  row.is_compared = errors.unread.empty();
  const double worst = std::max({errors.mass, errors.place, errors.inertia, errors.bias});
  row.is_exact = row.is_compared && worst <= 1e-9;
  row.is_wrong = row.is_compared && worst > 1e-8;
  row.outcome = row.is_compared ? fmt::format("{} freedoms: mass {:.1e}, place {:.1e} m, M {:.1e}, bias {:.1e}",
                                              errors.freedoms, errors.mass, errors.place, errors.inertia, errors.bias)
                                : errors.unread.substr(0, 140);
}

Row check(sinew::models::Mujoco3& mujoco, const std::string& file) {
  Row row{.file = file, .outcome = {}};
  std::optional<sinew::sim::Experiment> experiment;
  const auto start = std::chrono::steady_clock::now();
  try {
    sinew::imports::ImportOptions options;
    options.without_meshes = true;
    options.prepare.base = "fixed";
    options.prepare.drive = "none";
    const auto model = sinew::imports::import_model(file, options);
    experiment.emplace(sinew::text::parse_experiment(model.text, file + ".toml"));
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  } catch (const std::exception& e) {
    row.outcome = std::string("not read: ") + e.what();
  }
  row.is_read = experiment.has_value();
  if (experiment) compare(mujoco, *experiment, row);
  row.is_wrong = row.is_wrong || row.seconds > 2.0;
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || !fs::is_directory(argv[1])) {
    std::fputs("usage: check_models DIR FOLDER_OF_MUJOCO\n", stderr);
    return 2;
  }
  sinew::models::Mujoco3 mujoco(argv[2]);
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(argv[1]))
    if (entry.is_regular_file() && sinew::imports::is_model_file(entry.path().string()))
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  int read = 0, compared = 0, exact = 0, wrong = 0;
  for (const std::string& file : files) {
    const Row row = check(mujoco, file);
    read += row.is_read;
    compared += row.is_compared;
    exact += row.is_exact;
    wrong += row.is_wrong;
    std::printf("%s %6.3f s  %-70s %s\n", row.is_wrong ? "!" : " ", row.seconds,
                fs::relative(file, argv[1]).string().c_str(), row.outcome.c_str());
    std::fflush(stdout);
  }
  std::printf(
      "%zu files, %d read, %d compared with MuJoCo: %d agree to 1e-9, %d differ by 1e-8 or take more than 2 s\n",
      files.size(), read, compared, exact, wrong);
  return wrong > 0 ? 1 : 0;
}
