// Meshes and networks of policies in one form, that in which an exported FMU carries them: its library needs no reader of other
// people's formats. The same numbers, bit for bit.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sinew/control/policy.h"
#include "sinew/imports/mesh_file.h"

namespace sinew::fmi {

std::string pack(const imports::MeshData& mesh);
std::string pack(const std::vector<PolicyLayer>& layers);

// Throw BytesError.
imports::MeshData unpack_mesh(std::string_view bytes);
std::vector<PolicyLayer> unpack_policy(std::string_view bytes);

}  // namespace sinew::fmi
