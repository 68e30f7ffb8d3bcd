// MJCF, the files of MuJoCo (mujoco.readthedocs.io/en/stable/XMLreference.html): trees of bodies with their joints and geoms, default
// classes, includes, inertia from geoms, limits, springs, dampers, friction losses, armatures; position, velocity, motor and affine
// general actuators on joints; keyframes; exclusions, pairs and masks of contacts; connect and weld.
#pragma once
#include "sinew/imports/model_files.h"
#include "sinew/imports/robot.h"

namespace sinew::imports {

class XmlFile;

// Throws InputError with every problem found.
ImportedRobot read_mjcf(XmlFile& xml, const ModelFolders& folders);

}  // namespace sinew::imports
