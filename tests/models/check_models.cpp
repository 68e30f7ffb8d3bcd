// check_models DIR: reads every robot below a folder, compares it with MuJoCo where that reads it too, and prints a table. Both get it
// without meshes: MuJoCo a copy without looks, without geoms made of mesh files and, of URDF, without shapes, of which it would make mass
// where a link has none. Files that are included are put into the copy, and tensors are turned to their principal axes: MuJoCo 2 finds those to some 1e-6
// only, as it still must where it makes one body of links that are fixed to each other. The exit code is 1 if one that MuJoCo reads differs by more than 2e-6, or if
// reading one takes more than 2 s.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <filesystem>
#include <iterator>
#include <pugixml.hpp>
#include <sstream>
#include <string>
#include <vector>

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
  node.remove_attribute("material");
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

std::vector<double> numbers_in(const char* text) {
  std::istringstream in(text);
  return {std::istream_iterator<double>(in), {}};
}

// Principal moments and axes of a tensor, the axes right-handed.
Eigen::Matrix3d principal_axes(const Eigen::Matrix3d& I, Eigen::Vector3d& moments) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(I);
  moments = solver.eigenvalues();
  Eigen::Matrix3d R = solver.eigenvectors();
  if (R.determinant() < 0.0) R.col(0) = -R.col(0);
  return R;
}

// <inertial fullinertia="xx yy zz xy xz yz"> of MJCF.
void turn_mjcf(pugi::xml_node inertial) {
  const std::vector<double> f = numbers_in(inertial.attribute("fullinertia").value());
  if (f.size() != 6) return;
  Eigen::Matrix3d I;
  I << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
  Eigen::Vector3d m;
  const Eigen::Quaterniond q(principal_axes(I, m));
  inertial.remove_attribute("fullinertia");
  inertial.append_attribute("quat") = fmt::format("{} {} {} {}", q.w(), q.x(), q.y(), q.z()).c_str();
  inertial.append_attribute("diaginertia") = fmt::format("{} {} {}", m[0], m[1], m[2]).c_str();
}

// <inertial><origin rpy/><inertia ixx .../> of URDF; R = Rz(yaw) Ry(pitch) Rx(roll).
void turn_urdf(pugi::xml_node inertial) {
  pugi::xml_node inertia = inertial.child("inertia"), origin = inertial.child("origin");
  if (!inertia) return;
  const auto at = [&](const char* name) { return inertia.attribute(name).as_double(); };
  Eigen::Matrix3d I;
  I << at("ixx"), at("ixy"), at("ixz"), at("ixy"), at("iyy"), at("iyz"), at("ixz"), at("iyz"), at("izz");
  const std::vector<double> rpy = numbers_in(origin.attribute("rpy").value());
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  if (rpy.size() == 3)
    R = (Eigen::AngleAxisd(rpy[2], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Eigen::Vector3d::UnitY()) *
         Eigen::AngleAxisd(rpy[0], Eigen::Vector3d::UnitX()))
            .toRotationMatrix();
  Eigen::Vector3d m;
  const Eigen::Matrix3d axes = R * principal_axes(I, m);
  // in the order in which the first points least up or down, where yaw and roll would be one
  int first = 0;
  for (int i = 1; i < 3; i++)
    if (std::abs(axes(2, i)) < std::abs(axes(2, first))) first = i;
  const Eigen::Vector3d moments = m;
  for (int i = 0; i < 3; i++) {
    R.col(i) = axes.col((first + i) % 3);
    m[i] = moments[(first + i) % 3];
  }
  if (!origin) origin = inertial.append_child("origin");
  origin.remove_attribute("rpy");
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)));
  origin.append_attribute("rpy") =
      fmt::format("{} {} {}", std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))).c_str();
  for (const char* name : {"ixy", "ixz", "iyz"}) inertia.attribute(name) = "0";
  const char* names[] = {"ixx", "iyy", "izz"};
  for (int i = 0; i < 3; i++) inertia.attribute(names[i]) = fmt::format("{}", m[i]).c_str();
}

void turn_tensors(pugi::xml_node node) {
  for (const pugi::xml_node child : node.children()) {
    if (std::string_view(child.name()) != "inertial") {
      turn_tensors(child);
      continue;
    }
    turn_mjcf(child);
    turn_urdf(child);
  }
}

struct Row {
  std::string file, outcome;
  double seconds = 0;
  bool is_wrong = false, is_read = false, is_compared = false, is_exact = false;
};

void compare(const std::string& file, const sinew::sim::Experiment& experiment, Row& row) {
  pugi::xml_document document;
  document.load_file(file.c_str());
  include_files(document, fs::path(file).parent_path());
  strip(document);
  turn_tensors(document);
  const fs::path place = fs::temp_directory_path() / "sinew-check-models.xml";
  document.save_file(place.c_str());
  const auto errors = sinew::support::compare_with_mujoco(experiment, place.string(), 1);
  fs::remove(place);
  row.is_compared = errors.unread.empty();
  const double worst = std::max({errors.place, errors.inertia, errors.bias});
  row.is_exact = row.is_compared && worst <= 1e-9;
  row.is_wrong = row.is_compared && worst > 2e-6;
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
  int read = 0, compared = 0, exact = 0, wrong = 0;
  for (const std::string& file : files) {
    const Row row = check(file);
    read += row.is_read;
    compared += row.is_compared;
    exact += row.is_exact;
    wrong += row.is_wrong;
    std::printf("%s %6.3f s  %-70s %s\n", row.is_wrong ? "!" : " ", row.seconds,
                fs::relative(file, argv[1]).string().c_str(), row.outcome.c_str());
    std::fflush(stdout);
  }
  std::printf(
      "%zu files, %d read, %d compared with MuJoCo: %d agree to 1e-9, %d differ by 2e-6 or take more than 2 s\n",
      files.size(), read, compared, exact, wrong);
  return wrong > 0 ? 1 : 0;
}
