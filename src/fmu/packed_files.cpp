// Files that a scenario names, as an FMU has them: fmi/packed.h. In the place of imports/, which reads those of other programs by libraries
// that an FMU must not need.
#include <fmt/format.h>

#include "sinew/files/errors.h"
#include "sinew/fmi/bytes.h"
#include "sinew/fmi/packed.h"
#include "sinew/imports/mesh_file.h"
#include "sinew/imports/policy_file.h"
#include "sinew/sim/errors.h"
#include "sinew/text/document.h"

namespace sinew::imports {
namespace {

template <class Unpack>
auto unpacked(const std::string& file, Unpack unpack) {
  try {
    return unpack(text::read_text(file));
  } catch (const fmi::BytesError& e) {
    throw InputError(fmt::format("{}: {}: export the FMU again", file, e.what()));
  } catch (const FileError& e) {
    throw InputError(fmt::format("{}: export the FMU again", e.what()));
  }
}

}  // namespace

MeshData read_mesh(const std::string& file) {
  return unpacked(file, [](const std::string& bytes) { return fmi::unpack_mesh(bytes); });
}
std::vector<PolicyLayer> read_policy(const std::string& file) {
  return unpacked(file, [](const std::string& bytes) { return fmi::unpack_policy(bytes); });
}

}  // namespace sinew::imports
