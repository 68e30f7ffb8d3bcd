#include "sinew/text/fill_bodies.h"

#include <fmt/format.h>

#include "sinew/parts/shape/solid.h"

namespace sinew::text {

void fill_bodies(Plan& plan, const std::function<std::string(std::string_view)>& place_of,
                 std::vector<std::string>& problems) {
  for (BodyPlan& body : plan.bodies) {
    const bool wanted = body.mass_of_shapes || body.inertia_of_shapes;
    if (!wanted || body.shapes.empty()) continue;
    MassSum filled;  // with a density of one
    for (const ShapePlan& shape : body.shapes) {
      const bool is_missing =
          (shape.shape.kind == ShapeKind::Hull || shape.shape.kind == ShapeKind::Mesh) && !shape.shape.mesh;
      if (is_missing) continue;  // told where it was read
      const Solid solid = solid_of(shape.shape);
      const Posed X{to_matrix(shape.orientation), shape.position};
      if (solid.volume > 0.0) filled.add(X, solid.volume, solid.centre, solid.inertia);
    }
    if (filled.mass > 0.0) {
      if (body.mass_of_shapes) body.mass = body.density * filled.mass;
      if (body.com_of_shapes) body.com = filled.com();
      if (body.inertia_of_shapes) {
        const Sym3d I = filled.inertia_about_com();
        const double k = body.mass / filled.mass;
        body.inertia = {k * I.xx, k * I.xy, k * I.xz, k * I.yy, k * I.yz, k * I.zz};
      }
    } else if (body.mass_of_shapes) {
      const std::string key = "body." + body.name + ".density";
      problems.push_back(
          fmt::format("{}: {}: the shapes of the body enclose no volume: give mass and inertia", place_of(key), key));
    }
    // what was found is the body's own from here on
    body.density = 0.0;
    body.mass_of_shapes = body.com_of_shapes = body.inertia_of_shapes = false;
  }
}

}  // namespace sinew::text
