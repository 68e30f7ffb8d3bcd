// Keys of shapes and ground. A key that has no meaning for a kind of shape or ground is refused, with the kinds that know it.
#include "sinew/model/describe.h"
#include "sinew/model/describe_tools.h"
#include "sinew/parts/terrain/rough.h"

namespace sinew {
namespace {

// The names, if given, belong to another kind.
void refuse(Keys& keys, std::initializer_list<const char*> names, std::string_view has, std::string_view belongs_to) {
  for (const char* name : names)
    if (keys.is_given(name))
      keys.reject(name, fmt::format("{} belongs to {}, but this is {}", name, belongs_to, has),
                  "remove it, or choose another kind");
}

void describe_steps(Keys& keys, Steps& steps) {
  const Table table(keys, "steps", "stairs that go up along +x from the plane z = height");
  keys.integer({"count", "", "number of steps", {.low = 1, .high = 1000}}, steps.count);
  keys.number({"start", "m", "x of the first riser"}, steps.start);
  keys.number({"rise", "m", "height of a step", positive}, steps.rise);
  keys.number({"run", "m", "depth of a step", positive}, steps.run);
  keys.number({"width", "m", "extent in y, centred at 0", positive}, steps.width);
}

// Heights that are made are not given, and not shown. Keys of waves are those of a field that has some.
void describe_roughness(Keys& keys, Roughness& rough, HeightField& field) {
  keys.number({"rough", "m", "waves instead of z: root of their mean square height; 0: none", not_negative}, rough.rms);
  if (!(rough.rms > 0.0)) {
    for (const char* name : {"rough_length", "rough_seed", "level"})
      if (keys.is_given(name))
        keys.reject(name, fmt::format("{} is given, but there are no waves", name), "give rough as well, or remove it");
    return;
  }
  keys.number({"rough_length", "m", "length of these waves, which are from 2/3 to twice as long", positive},
              rough.length);
  keys.integer({"rough_seed", "", "of their random directions and phases", {.low = 0, .high = 1000000000}}, rough.seed);
  keys.number({"level", "m", "level around the origin up to this distance, waves in full two lengths farther out",
               not_negative},
              rough.level);
  if (keys.is_given("z"))
    keys.reject("z", "z and rough are both given, and waves take the place of z", "remove one of them");
  const double points = double(field.nx) * double(field.ny);
  if (points > 1e6)
    keys.reject("nx", fmt::format("{} x {} points are too many for waves", field.nx, field.ny),
                "take at most a million points");
  else if (field.nx >= 2 && field.ny >= 2 && field.dx > 0.0 && field.dy > 0.0 && rough.length > 0.0)
    field.z = rough_heights(field, rough);
}

void describe_heights(Keys& keys, HeightField& field, Roughness& rough) {
  const Table table(keys, "heights", "heights over a regular grid; cells are two triangles each");
  const Range points{.low = 2, .high = 10000};
  keys.integer({"nx", "", "number of points along x", points}, field.nx);
  keys.integer({"ny", "", "number of points along y", points}, field.ny);
  keys.number({"x0", "m", "x of the first point"}, field.x0);
  keys.number({"y0", "m", "y of the first point"}, field.y0);
  keys.number({"dx", "m", "distance of the points along x", positive}, field.dx);
  keys.number({"dy", "m", "distance of the points along y", positive}, field.dy);
  describe_roughness(keys, rough, field);
  if (!(rough.rms > 0.0)) keys.numbers({"z", "m", "nx ny heights, those of the first x first"}, {}, field.z);
}

// The floor beside the pieces is as high as the lowest of them.
void describe_profile(Keys& keys, Terrain& t) {
  const Table table(keys, "profile", "level pieces along x with upright faces between them: plates, ditches, stairs");
  Profile& p = t.profile;
  keys.numbers({"x", "m", "of the faces, ascending"}, {}, p.x);
  keys.numbers({"z", "m", "heights of the pieces: before the first face, between faces, behind the last one"}, {}, p.z);
  keys.number({"width", "m", "extent in y, centred at 0", positive}, p.width);
  keys.number({"beyond", "m", "length of the first and of the last piece", positive}, p.beyond);
  if (!p.z.empty()) t.height = std::ranges::min(p.z);
}

void describe_patch(Keys& keys, PatchPlan& p) {
  keys.numbers({"x", "m", "from, to; not given: without limits"}, {.exactly = 2, .or_exactly = 0}, p.x);
  keys.numbers({"y", "m", "from, to; not given: without limits"}, {.exactly = 2, .or_exactly = 0}, p.y);
  keys.numbers({"center", "m", "of a disc: x, y"}, {.exactly = 2, .or_exactly = 0}, p.center);
  keys.number({"radius", "m", "of a disc; 0: no disc", not_negative}, p.radius);
  keys.text({"material", "", "name that [contact.pair.NAME] refers to; \"\": the ground's"}, p.material);
  keys.number(live({"stiffness", "N/m", "of soft ground: load of a shape over the way that it sinks in; 0: hard ground",
                    not_negative}),
              p.stiffness);
  keys.number(live({"damping", "N s/m", "of soft ground: force over the speed of sinking", not_negative}), p.damping);
  keys.number(live({"mu", "1", "friction, the same in all directions; -1: that of the materials", {.low = -1.0}}),
              p.mu);
  keys.number(live({"restitution", "1", "of hard ground; -1: that of the materials", {.low = -1.0, .high = 1.0}}),
              p.restitution);
}

void describe_mesh(Keys& keys, GroundMeshPlan& mesh) {
  const Table table(keys, "mesh", "triangles, anticlockwise as seen from outside the ground; may be open");
  keys.text({"file", "", "STL, OBJ, PLY or DAE, beside the scenario; or give vertices and triangles"}, mesh.file);
  keys.number({"scale", "1", "length of the file's unit in metres", positive}, mesh.scale);
  keys.numbers({"vertices", "m", "without a file: x, y, z of each vertex"}, {}, mesh.vertices);
  keys.numbers({"triangles", "", "without a file: three vertices each, counted from 0", not_negative}, {},
               mesh.triangles);
  keys.vector({"position", "m", "of the mesh's origin"}, mesh.position);
  if (mesh.file.empty() == (mesh.vertices.empty() || mesh.triangles.empty()))
    keys.reject("file", mesh.file.empty() ? "the ground has no mesh" : "file and vertices are both given",
                "give file, or vertices and triangles");
}

// A peg stands on the ground and has no z of its own.
void describe_obstacle(Keys& keys, ObstaclePlan& o) {
  choose(keys, {"kind", "", "peg: stands upright on the ground, with a round top; box: a wall or block; sphere"},
         obstacle_names, o.kind);
  const bool peg = o.kind == ObstacleKind::Peg, box = o.kind == ObstacleKind::Box;
  const std::string has = fmt::format("an obstacle of kind \"{}\"", obstacle_names[int(o.kind)]);
  std::vector<double> place{o.position[0], o.position[1], o.position[2]};
  place.resize(peg ? 2 : 3);
  keys.numbers({"position", "m", "of a peg: x and y of its axis; of a box or sphere: x, y, z of its centre"},
               {.exactly = peg ? 2 : 3}, place);
  place.resize(3, 0.0);
  o.position = {place[0], place[1], place[2]};
  if (box) {
    refuse(keys, {"radius"}, has, "pegs and spheres");
    std::vector<double> size{o.size[0], o.size[1], o.size[2]};
    keys.numbers({"size", "m", "of a box: its edges along x, y, z", positive}, {.exactly = 3}, size);
    if (!keys.is_given("size")) keys.reject("size", "a box needs its three edges", "give size = [x, y, z]");
    o.size = {size[0], size[1], size[2]};
    keys.number({"yaw", "rad", "of a box: its turn about z", any_number, true}, o.yaw);
  } else {
    refuse(keys, {"size", "yaw", "yaw_deg"}, has, "boxes");
    keys.number({"radius", "m", "of a peg or sphere", positive}, o.radius);
  }
  if (peg)
    keys.number({"height", "m", "of a peg, above the ground at its place", positive}, o.height);
  else
    refuse(keys, {"height"}, has, "pegs");
  keys.text({"material", "", "name that [contact.pair.NAME] refers to"}, o.material);
}

void describe_obstacles(Keys& keys, GroundPlan& ground) {
  {
    const Table table(keys, "obstacle", "things on the ground that do not move");
    describe_named(keys, ground.obstacles, ObstaclePlan{}, [&](ObstaclePlan& o) { describe_obstacle(keys, o); });
  }
  const Table table(keys, "pegs", "many equal pegs");
  PegsPlan& pegs = ground.pegs;
  keys.numbers({"x", "m", "of the axes of the pegs"}, {}, pegs.x);
  keys.numbers({"y", "m", "of the axes of the pegs, as many as x"}, {}, pegs.y);
  keys.number({"radius", "m", "of each peg", positive}, pegs.radius);
  keys.number({"height", "m", "of each peg, above the ground at its place", positive}, pegs.height);
  keys.text({"material", "", "name that [contact.pair.NAME] refers to"}, pegs.material);
  // said here and not only where the plan is checked, because a rod takes the pegs while the plan is still being made
  if (pegs.x.size() != pegs.y.size())
    keys.reject("y",
                fmt::format("every peg has an x and a y, but there are {} x and {} y", pegs.x.size(), pegs.y.size()),
                "give as many y as x");
}

std::string name_of(ShapeKind kind) { return fmt::format("a {}", shape_names[int(kind)]); }

void describe_sizes(Keys& keys, Shape& shape) {
  const ShapeKind kind = shape.kind;
  const bool sphere = kind == ShapeKind::Sphere, box = kind == ShapeKind::Box;
  const bool long_one = kind == ShapeKind::Capsule || kind == ShapeKind::Cylinder;
  const std::string has = name_of(kind);
  if (sphere || long_one)
    keys.number({"radius", "m", "of a sphere (0: a point), capsule or cylinder", sphere ? not_negative : positive},
                shape.radius);
  else
    refuse(keys, {"radius"}, has, "spheres, capsules and cylinders");
  if (long_one) {
    double length = 2.0 * shape.half_length;
    keys.number(
        {"length", "m", "of a capsule: between the centres of its two ends; of a cylinder: all of it", positive},
        length);
    shape.half_length = 0.5 * length;
  } else {
    refuse(keys, {"length"}, has, "capsules and cylinders");
  }
  if (box) {
    std::vector<double> size{2.0 * shape.half[0], 2.0 * shape.half[1], 2.0 * shape.half[2]};
    keys.numbers({"size", "m", "of a box: its edges along x, y, z", positive}, {.exactly = 3}, size);
    shape.half = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
  } else {
    refuse(keys, {"size"}, has, "boxes");
  }
}

void describe_source(Keys& keys, ShapePlan& s) {
  const bool hull = s.shape.kind == ShapeKind::Hull, mesh = s.shape.kind == ShapeKind::Mesh;
  const std::string has = name_of(s.shape.kind);
  if (!hull && !mesh) return refuse(keys, {"file", "scale", "points"}, has, "hulls and meshes");
  keys.text({"file", "", "of a hull or mesh: STL, OBJ, PLY or DAE, beside the scenario"}, s.file);
  keys.number({"scale", "1", "of a hull or mesh: length of the file's unit in metres", positive}, s.scale);
  if (hull)
    keys.numbers({"points", "m", "of a hull without a file: x, y, z of each point"}, {}, s.points);
  else
    refuse(keys, {"points"}, has, "hulls");
  if (hull && s.file.empty() == s.points.empty())
    keys.reject("file", s.file.empty() ? "a hull needs points" : "file and points are both given",
                "give file, or points");
  if (mesh && s.file.empty()) keys.reject("file", "a mesh needs a file", "give file = \"NAME.obj\" or \"NAME.stl\"");
}

}  // namespace

void describe(Keys& keys, ShapePlan& s) {
  Shape& shape = s.shape;
  choose(keys,
         {"kind", "",
          "sphere (radius 0: a point), capsule or cylinder along its z axis, box, convex hull, or closed mesh"},
         shape_names, shape.kind);
  keys.vector({"position", "m", "of the shape's centre in the body's axes"}, s.position);
  keys.quaternion({"orientation", "1", "shape's axes in the body's: quaternion w, x, y, z"}, s.orientation);
  normalise(keys, "orientation", s.orientation);
  describe_sizes(keys, shape);
  describe_source(keys, s);
  keys.vector({"along", "1", "the body's axis along which mu_long acts"}, s.along);
  keys.text({"material", "", "name that [contact.pair.NAME] refers to"}, s.material);
}

void describe(Keys& keys, GroundPlan& ground) {
  Terrain& t = ground.terrain;
  choose(keys, {"kind", "", "none, a plane, stairs on a plane, a field of heights, a mesh, or a profile along x"},
         terrain_names, t.kind);
  const std::string has = fmt::format("ground of kind \"{}\"", terrain_names[int(t.kind)]);
  if (t.kind == TerrainKind::Plane) {
    keys.vector({"normal", "1", "of a plane: direction out of the ground"}, t.normal);
    const double n = norm(t.normal);
    if (!(n > 0.0))
      keys.reject("normal", "the normal of the ground is zero", "give a direction, such as [0, 0, 1]");
    else if (std::abs(n - 1.0) > 1e-12)
      t.normal = t.normal * (1.0 / n);
  } else {
    refuse(keys, {"normal"}, has, "kind = \"plane\"");
  }
  if (t.kind == TerrainKind::Plane || t.kind == TerrainKind::Steps)
    keys.number({"height", "m", "of the plane above the origin, along its normal"}, t.height);
  else
    refuse(keys, {"height"}, has, "kind = \"plane\" and \"steps\"");
  keys.text({"material", "", "name that [contact.pair.NAME] refers to"}, ground.material);
  if (t.kind == TerrainKind::Steps)
    describe_steps(keys, t.steps);
  else
    refuse(keys, {"steps"}, has, "kind = \"steps\"");
  if (t.kind == TerrainKind::Heights)
    describe_heights(keys, t.field, t.rough);
  else
    refuse(keys, {"heights"}, has, "kind = \"heights\"");
  if (t.kind == TerrainKind::Profile)
    describe_profile(keys, t);
  else
    refuse(keys, {"profile"}, has, "kind = \"profile\"");
  if (t.kind == TerrainKind::Mesh)
    describe_mesh(keys, ground.mesh);
  else
    refuse(keys, {"mesh"}, has, "kind = \"mesh\"");
  {
    const Table table(keys, "patch", "parts of the ground, as seen from above, with a surface of their own");
    describe_named(keys, ground.patches, PatchPlan{}, [&](PatchPlan& p) { describe_patch(keys, p); });
  }
  describe_obstacles(keys, ground);
}

}  // namespace sinew
