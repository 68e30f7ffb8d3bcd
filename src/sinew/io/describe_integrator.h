// The keys of [integrator].
#pragma once
#include "sinew/io/scenario.h"

namespace sinew::io {

void describe_integrator(Keys& keys, Scenario& scenario);

}  // namespace sinew::io
