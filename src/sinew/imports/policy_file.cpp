#include "sinew/imports/policy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

#include "sinew/imports/npz.h"
#include "sinew/sim/errors.h"

namespace sinew::imports {
namespace {

struct Named {
  const NumpyArray *W = nullptr, *b = nullptr;
};

[[noreturn]] void refuse_policy(const std::string& file, const std::string& what) {
  throw InputError(
      fmt::format("{}: {}: layers are arrays W0, b0, W1, b1, ... or NAME.0.weight, NAME.0.bias, ..., weights of the "
                  "shape (outputs, inputs)",
                  file, what));
}

}  // namespace

std::vector<PolicyLayer> read_policy(const std::string& file) {
  const std::vector<NumpyArray> arrays = read_npz(file);
  static const std::regex plain("([WwBb])([0-9]{1,4})"), torch("(?:.*\\.)?([0-9]{1,4})\\.(weight|bias)");
  std::map<int, Named> layers;
  for (const NumpyArray& a : arrays) {
    std::smatch found;
    bool is_weight = false;
    int number = 0;
    if (std::regex_match(a.name, found, plain)) {
      is_weight = found[1] == "W" || found[1] == "w";
      number = std::stoi(found[2]);
    } else if (std::regex_match(a.name, found, torch)) {
      is_weight = found[2] == "weight";
      number = std::stoi(found[1]);
    } else {
      refuse_policy(file, "array " + a.name + " is no part of a layer");
    }
    const NumpyArray*& place = is_weight ? layers[number].W : layers[number].b;
    if (place) refuse_policy(file, fmt::format("{} and {} are the same part of layer {}", place->name, a.name, number));
    if (a.shape.size() != (is_weight ? 2u : 1u))
      refuse_policy(file, fmt::format("{} has {} dimensions", a.name, a.shape.size()));
    place = &a;
  }
  std::vector<PolicyLayer> out;
  for (const auto& [number, part] : layers) {
    if (!part.W || !part.b) refuse_policy(file, fmt::format("layer {} has no {}", number, part.W ? "bias" : "weights"));
    out.push_back({int(part.W->shape[1]), int(part.W->shape[0]), part.W->values, part.b->values});
  }
  const std::string problem = problem_of(out);
  if (!problem.empty()) refuse_policy(file, problem);
  return out;
}

}  // namespace sinew::imports
