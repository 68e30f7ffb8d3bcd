// Keys of [control].
#pragma once
#include "sinew/io/scenario.h"

namespace sinew::io {

void describe_control(Keys& keys, Scenario& scenario);

}  // namespace sinew::io
