// Many loose bodies: spheres, boxes and capsules in turn, at the knots of a grid, each a little out of place so that nothing
// stands on a needle's point. They fall, meet and settle.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "robots/catalog.h"

namespace sinew::robots {
namespace {

// Numbers from -1 to 1, the same on every machine (a linear congruence modulo 2^64).
struct Jitter {
  std::uint64_t state;
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return double(state >> 11) * (2.0 / 9007199254740992.0) - 1.0;
  }
};

struct Pile : Robot {
  int spheres = 100, boxes = 0, capsules = 0;
  int columns = 5, rows = 5;  // along x and y; layers follow
  double radius = 0.05, density = 1000.0, spacing = 0.11, jitter = 0.005, height = 0.06;
  int seed = 1;

  void describe(Keys& keys) override {
    const Range many{.low = 0, .high = 100000}, some{.low = 1, .high = 10000};
    keys.integer({"spheres", "", "number of spheres", many}, spheres);
    keys.integer({"boxes", "", "number of boxes", many}, boxes);
    keys.integer({"capsules", "", "number of capsules", many}, capsules);
    keys.integer({"columns", "", "bodies side by side along x", some}, columns);
    keys.integer({"rows", "", "bodies side by side along y", some}, rows);
    keys.number({"radius", "m", "of spheres; boxes have edges of 1.1, capsules a radius of half of it", positive},
                radius);
    keys.number({"density", "kg/m^3", "of all bodies", positive}, density);
    keys.number({"spacing", "m", "between the centres of neighbours at the start", positive}, spacing);
    keys.number({"jitter", "m", "by which each body is out of its place, at most", not_negative}, jitter);
    keys.number({"height", "m", "of the lowest centres above z = 0"}, height);
    keys.integer({"seed", "", "of the jitter", {.low = 0}}, seed);
    if (spheres + boxes + capsules < 1)
      keys.reject("spheres", "there is no body at all", "give a number of spheres, boxes or capsules");
    if (spacing < 2.0 * (radius + jitter))
      keys.reject(
          "spacing",
          fmt::format("neighbours overlap at the start: their centres may be {:.4g} m apart, and they need {:.4g} m",
                      spacing - 2.0 * jitter, 2.0 * radius),
          "make spacing at least 2 (radius + jitter)");
  }

  static ShapePlan skin(ShapeKind kind) {
    ShapePlan s;
    s.name = "skin";
    s.shape.kind = kind;
    return s;
  }

  BodyPlan sphere() const {
    BodyPlan b;
    b.mass = density * 4.18879020478639 * radius * radius * radius;
    b.inertia = Sym3d::diagonal(0.4 * b.mass * radius * radius);
    b.shapes.push_back(skin(ShapeKind::Sphere));
    b.shapes.back().shape.radius = radius;
    return b;
  }
  BodyPlan box() const {  // its half diagonal is less than the radius of a sphere would ask for
    BodyPlan b;
    const double edge = 1.1 * radius;
    b.mass = density * edge * edge * edge;
    b.inertia = Sym3d::diagonal(b.mass * edge * edge / 6.0);
    b.shapes.push_back(skin(ShapeKind::Box));
    b.shapes.back().shape.half = Vec3d(edge / 2, edge / 2, edge / 2);
    return b;
  }
  BodyPlan capsule() const {
    BodyPlan b;
    const double r = 0.5 * radius, h = 0.5 * radius, pi = 3.141592653589793;  // r, half of the length
    const double m_c = density * 2.0 * pi * r * r * h, m_s = density * 4.0 / 3.0 * pi * r * r * r;
    b.mass = m_c + m_s;
    const double axial = 0.5 * m_c * r * r + 0.4 * m_s * r * r;
    const double across = m_c * (r * r / 4.0 + h * h / 3.0) + m_s * (0.4 * r * r + h * h + 0.75 * h * r);
    b.inertia = {across, 0.0, 0.0, across, 0.0, axial};
    b.shapes.push_back(skin(ShapeKind::Capsule));
    b.shapes.back().shape.radius = r;
    b.shapes.back().shape.half_length = h;
    return b;
  }

  Plan plan() const override {
    Plan plan;
    Jitter random{std::uint64_t(seed) * 2654435761u + 12345u};
    int left[3] = {spheres, boxes, capsules}, made[3] = {0, 0, 0};
    static constexpr const char* names[3] = {"sphere", "box", "capsule"};
    const int n = spheres + boxes + capsules;
    for (int i = 0, kind = 0; i < n; i++, kind = (kind + 1) % 3) {
      while (left[kind] == 0) kind = (kind + 1) % 3;
      left[kind]--;
      BodyPlan body = kind == 0 ? sphere() : kind == 1 ? box() : capsule();
      body.name = fmt::format("{}{}", names[kind], ++made[kind]);
      JointPlan air;
      air.name = "air_" + body.name;
      air.kind = JointKind::Free;
      air.child = body.name;
      const int column = i % columns, row = i / columns % rows, layer = i / (columns * rows);
      const double x = (column - 0.5 * (columns - 1)) * spacing + jitter * random.next();
      const double y = (row - 0.5 * (rows - 1)) * spacing + jitter * random.next();
      const double z = height + layer * spacing + jitter * random.next();
      const Quatd turn = kind == 0
                             ? Quatd::identity()
                             : normalized(Quatd{1.0, 0.3 * random.next(), 0.3 * random.next(), 0.3 * random.next()});
      air.position = {x, y, z, turn.w, turn.x, turn.y, turn.z};
      plan.bodies.push_back(body);
      plan.joints.push_back(air);
    }
    return plan;
  }

  std::vector<ResultPlan> results() const override {
    return {{"com_height", "com.p.z"},
            {"kinetic", "energy.kinetic"},
            {"penetration", "contacts.penetration"},
            {"normal_sum", "contacts.normal"},
            {"contacts", "contacts.count"}};
  }
};

}  // namespace

std::unique_ptr<Robot> make_pile() { return std::make_unique<Pile>(); }

}  // namespace sinew::robots
