#include "mujoco_model.h"

#include <cstring>
#include <stdexcept>

namespace sinew::bench {

MujocoModel::MujocoModel(const std::string& mjcf) {
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "robot.xml", int(mjcf.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), "robot.xml")], mjcf.data(), mjcf.size());
  char error[1000] = "";
  model.reset(mj_loadXML("robot.xml", files.get(), error, sizeof error));
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(error);
  data.reset(mj_makeData(model.get()));
}

}  // namespace sinew::bench
