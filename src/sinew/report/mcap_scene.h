// Shapes of a scene (report/scene.h) as entities of foxglove.SceneUpdate.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sinew::report {

// Frames of bodies are in their centres of mass; ground and obstacles stand in "world".
nlohmann::ordered_json scene_update(const nlohmann::ordered_json& scene, const nlohmann::ordered_json& time);

struct ForceArrow {
  double point[3], force[3];  // [m, N], world axes
};
// All of a moment as one entity, which replaces that of the moment before. scale: [m/N]
nlohmann::ordered_json force_update(const std::vector<ForceArrow>& arrows, double scale,
                                    const nlohmann::ordered_json& time);

}  // namespace sinew::report
