// SDF: models, or a world of them -> a robot as plain data. Links, joints, shapes, friction and bounce, frames, includes; versions 1.2 to 1.9.
#pragma once
#include "sinew/imports/model_files.h"
#include "sinew/imports/robot.h"
#include "sinew/imports/xml.h"

namespace sinew::imports {

// Throws InputError with all that is wrong.
ImportedRobot read_sdf(XmlFile& xml, const ModelFolders& folders);

}  // namespace sinew::imports
