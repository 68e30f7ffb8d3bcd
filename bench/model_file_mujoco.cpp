// MuJoCo: the same file with what it includes, without looks and meshes, by each of its solvers; contacts as the file says.
#include <fmt/format.h>

#include <filesystem>
#include <pugixml.hpp>
#include <sstream>

#include "model_file.h"
#include "mujoco_model.h"

namespace sinew::bench {
namespace {

bool is_mesh(pugi::xml_node node) {
  const std::string_view name = node.name();
  return name == "mesh" || name == "keyframe" || (name == "geom" && node.attribute("mesh"));
}

void flatten(pugi::xml_node node, const std::filesystem::path& folder) {
  for (pugi::xml_node child = node.first_child(); child;) {
    const pugi::xml_node next = child.next_sibling();
    if (std::string_view(child.name()) == "include") {
      pugi::xml_document part;
      part.load_file((folder / child.attribute("file").value()).c_str());
      flatten(part.document_element(), folder);
      for (const pugi::xml_node inside : part.document_element().children()) node.insert_copy_before(inside, child);
      node.remove_child(child);
    } else if (is_mesh(child)) {
      node.remove_child(child);
    } else {
      flatten(child, folder);
    }
    child = next;
  }
}

// The keyframe that it starts from.
std::string start_of(pugi::xml_node node, const std::filesystem::path& folder) {
  for (const pugi::xml_node child : node.children()) {
    if (std::string_view(child.name()) == "key") return child.attribute("qpos").value();
    std::string found;
    if (std::string_view(child.name()) == "include") {
      pugi::xml_document part;
      part.load_file((folder / child.attribute("file").value()).c_str());
      found = start_of(part.document_element(), folder);
    } else {
      found = start_of(child, folder);
    }
    if (!found.empty()) return found;
  }
  return {};
}

struct Prepared {
  std::string text, start;
};
Prepared prepared(const char* solver, const char* cone) {
  const std::filesystem::path file = model_file();
  pugi::xml_document document;
  document.load_file(file.c_str());
  Prepared out;
  out.start = start_of(document.document_element(), file.parent_path());
  flatten(document.document_element(), file.parent_path());
  pugi::xml_node option = document.document_element().append_child("option");
  option.append_attribute("timestep") = model_step;
  option.append_attribute("solver") = solver;
  option.append_attribute("cone") = cone;
  std::ostringstream stream;
  document.save(stream);
  out.text = stream.str();
  return out;
}

class MujocoModelFile : public ModelPeer {
 public:
  MujocoModelFile(const char* solver, const char* cone, bool walks) : MujocoModelFile(prepared(solver, cone), walks) {}
  MujocoModelFile(const Prepared& how, bool walks) : mujoco_(how.text), walks_(walks) {
    std::istringstream start(how.start);
    for (int i = 0; i < mujoco_.model->nq; i++) start >> mujoco_.data->qpos[i];
    mj_forward(mujoco_.model.get(), mujoco_.data.get());
  }
  void step(double t) override {
    const mjModel* m = mujoco_.model.get();
    for (int i = 0; i < m->nu; i++)
      mujoco_.data->ctrl[i] = model_target(mj_id2name(m, mjOBJ_JOINT, m->actuator_trnid[2 * i]), t, walks_);
    mj_step(m, mujoco_.data.get());
  }
  double ahead() override { return mujoco_.data->xipos[3]; }
  double height() override { return mujoco_.data->xipos[5]; }

 private:
  MujocoModel mujoco_;
  bool walks_;
};

[[maybe_unused]] const bool mujoco_models_added = [] {
  struct Way {
    const char *name, *solver, *cone;
  };
  for (const Way& way : {Way{"mujoco_newton", "Newton", "elliptic"}, Way{"mujoco_pyramid", "Newton", "pyramidal"},
                         Way{"mujoco_cg", "CG", "elliptic"}, Way{"mujoco_pgs", "PGS", "elliptic"}})
    add_model_peer(way.name,
                   [way](bool walks) { return std::make_unique<MujocoModelFile>(way.solver, way.cone, walks); });
  return true;
}();

}  // namespace
}  // namespace sinew::bench
