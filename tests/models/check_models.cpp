// check_models DIR: reads every robot below a folder, compares it with MuJoCo where that reads it too, and prints a table. Both get it
// without meshes: MuJoCo a copy without looks, without geoms made of mesh files and, of URDF, without shapes, of which it would make mass
// where a link has none. The exit code is 1 if one that MuJoCo reads differs by more
// than 2e-6, which seems to be how well it finds principal axes, or if reading one takes more than 2 s.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <pugixml.hpp>

#include "sinew/imports/import.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/mujoco.h"

namespace {

namespace fs = std::filesystem;

bool is_mesh_geom(pugi::xml_node node) {
  return std::string_view(node.name()) == "geom" &&
         (node.attribute("mesh") || std::string_view(node.attribute("type").value()) == "mesh");
}

void strip(pugi::xml_node node) {
  for (pugi::xml_node child = node.first_child(); child;) {
    const pugi::xml_node next = child.next_sibling();
    const std::string name = child.name();
    if (name == "visual" || name == "collision" || name == "asset" || name == "keyframe" || is_mesh_geom(child))
      node.remove_child(child);
    else
      strip(child);
    child = next;
  }
}

struct Row {
  std::string file, outcome;
  double seconds = 0;
  bool is_wrong = false, is_read = false, is_compared = false;
};

void compare(const std::string& file, const sinew::sim::Experiment& experiment, Row& row) {
  pugi::xml_document document;
  document.load_file(file.c_str());
  strip(document);
  const fs::path place = fs::temp_directory_path() / "sinew-check-models.xml";
  document.save_file(place.c_str());
  const auto errors = sinew::support::compare_with_mujoco(experiment, place.string(), 1);
  fs::remove(place);
  row.is_compared = errors.unread.empty();
  row.is_wrong = std::max({errors.place, errors.inertia, errors.bias}) > 2e-6;
  row.outcome = row.is_compared ? fmt::format("{} freedoms: place {:.1e} m, M {:.1e}, bias {:.1e}", errors.freedoms,
                                              errors.place, errors.inertia, errors.bias)
                                : errors.unread.substr(0, errors.unread.find('\n')).substr(0, 90);
}

Row check(const std::string& file) {
  Row row{.file = file, .outcome = {}};
  const auto start = std::chrono::steady_clock::now();
  try {
    sinew::imports::ImportOptions options;
    options.without_meshes = true;
    options.prepare.base = "fixed";
    options.prepare.drive = "none";
    const auto model = sinew::imports::import_model(file, options);
    const auto experiment = sinew::text::parse_experiment(model.text, file + ".toml");
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    row.is_read = true;
    compare(file, experiment, row);
  } catch (const std::exception& e) {
    row.outcome = std::string("not read: ") + e.what();
  }
  row.is_wrong = row.is_wrong || row.seconds > 2.0;
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || !fs::is_directory(argv[1])) {
    std::fputs("usage: check_models DIR\n", stderr);
    return 2;
  }
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(argv[1]))
    if (entry.is_regular_file() && sinew::imports::is_model_file(entry.path().string()))
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  int read = 0, compared = 0, wrong = 0;
  for (const std::string& file : files) {
    const Row row = check(file);
    read += row.is_read;
    compared += row.is_compared;
    wrong += row.is_wrong;
    std::printf("%s %6.3f s  %-70s %s\n", row.is_wrong ? "!" : " ", row.seconds,
                fs::relative(file, argv[1]).string().c_str(), row.outcome.c_str());
    std::fflush(stdout);
  }
  std::printf("%zu files, %d read, %d compared with MuJoCo, %d differ or take more than 2 s\n", files.size(), read,
              compared, wrong);
  return wrong > 0 ? 1 : 0;
}
