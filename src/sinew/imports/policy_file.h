// The layers of a network from an .npz file. Weights are arrays (outputs, inputs), each with a bias (outputs), in the order of the
// numbers in their names: W0, b0, W1, b1, ..., or as PyTorch names them: actor.0.weight, actor.0.bias, actor.2.weight, ...
#pragma once
#include <string>
#include <vector>

#include "sinew/control/policy.h"

namespace sinew::imports {

// Throws InputError, "FILE: WHAT: HOW TO FIX".
std::vector<PolicyLayer> read_policy(const std::string& file);

}  // namespace sinew::imports
