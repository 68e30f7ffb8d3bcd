// Keys of a biped's body: dimensions, masses, limits of joints.
#pragma once
#include "sinew/control/legs/biped_body.h"
#include "sinew/model/keys.h"

namespace sinew::robots {

void describe_body(Keys& keys, legged::BipedBody& body);

}  // namespace sinew::robots
