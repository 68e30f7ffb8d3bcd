// What stands in a <link> of URDF: where things are, inertia, and shapes with which it touches.
#pragma once
#include "sinew/imports/model_files.h"
#include "sinew/imports/robot.h"
#include "sinew/imports/xml.h"

namespace sinew::imports {

// Fixed axes x, y, z one after the other: R = Rz(yaw) Ry(pitch) Rx(roll).
Mat3d rotation_of_rpy(const Vec3d& rpy);

Posed urdf_origin(XmlFile& xml, pugi::xml_node node);

void read_urdf_inertial(XmlFile& xml, pugi::xml_node link, RobotBody& body);

// false: there is nothing that touches
bool read_urdf_geometry(XmlFile& xml, const ModelFolders& folders, pugi::xml_node collision, RobotShape& shape);

}  // namespace sinew::imports
