// A model and a state of MuJoCo, made from MJCF text.
#pragma once
#include <mujoco/mujoco.h>

#include <memory>
#include <string>

namespace sinew::bench {

struct MujocoDelete {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};

struct MujocoModel {
  explicit MujocoModel(const std::string& mjcf);  // throws std::runtime_error
  std::unique_ptr<mjModel, MujocoDelete> model;
  std::unique_ptr<mjData, MujocoDelete> data;
};

}  // namespace sinew::bench
