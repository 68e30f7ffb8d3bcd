// URDF (wiki.ros.org/urdf/XML): links, joints, inertia, shapes, limits, dynamics, mimic, transmissions, and of Gazebo's extensions
// friction with its direction, stiffness of contacts and self-collision.
#pragma once
#include "sinew/imports/model_files.h"
#include "sinew/imports/robot.h"

namespace sinew::imports {

class XmlFile;

// Throws InputError with every problem found. The root link is the first body; its parent is the world and it has no joint yet.
ImportedRobot read_urdf(XmlFile& xml, const ModelFolders& folders);

}  // namespace sinew::imports
