// Keys of shapes, ground and contact. A key that has no meaning for a kind of shape or ground is refused, with the kinds
// that know it.
#include "sinew/model/describe.h"
#include "sinew/model/describe_tools.h"

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

void describe_heights(Keys& keys, HeightField& field) {
  const Table table(keys, "heights", "heights over a regular grid; cells are two triangles each");
  const Range points{.low = 2, .high = 10000};
  keys.integer({"nx", "", "number of points along x", points}, field.nx);
  keys.integer({"ny", "", "number of points along y", points}, field.ny);
  keys.number({"x0", "m", "x of the first point"}, field.x0);
  keys.number({"y0", "m", "y of the first point"}, field.y0);
  keys.number({"dx", "m", "distance of the points along x", positive}, field.dx);
  keys.number({"dy", "m", "distance of the points along y", positive}, field.dy);
  keys.numbers({"z", "m", "nx ny heights, those of the first x first"}, {}, field.z);
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
}

// mu_backward follows mu_long unless it is given itself.
void describe_friction(Keys& keys, ContactLaw<double>& law) {
  static constexpr std::array<std::string_view, 3> three{"mu_long", "mu_trans", "mu_backward"};
  double mu = law.mu_forward;
  if (keys.shorthand(
          live({"mu", "1", "friction, the same in all directions: mu_long, mu_trans and mu_backward", not_negative}),
          three, mu)) {
    law.mu_forward = law.mu_trans = law.mu_backward = mu;
    for (const std::string_view name : three)
      if (keys.is_given(name))
        keys.reject(name, fmt::format("mu and {} are both given, and mu already says what {} is", name, name),
                    "give mu alone, or mu_long and mu_trans (and mu_backward) without it");
  }
  keys.number(live({"mu_long", "1", "friction against sliding along the body's axis `along`, forward", not_negative}),
              law.mu_forward);
  if (keys.is_given("mu_long") && !keys.is_given("mu_backward")) law.mu_backward = law.mu_forward;
  keys.number(live({"mu_trans", "1", "friction against sliding across it", not_negative}), law.mu_trans);
  keys.number(live({"mu_backward", "1", "friction against sliding backward along it; as mu_long if that is given alone",
                    not_negative}),
              law.mu_backward);
}

void describe_law(Keys& keys, ContactLaw<double>& law) {
  describe_friction(keys, law);
  keys.number(live({"static_ratio", "1", "friction at rest over friction in motion", {.low = 1.0}}), law.static_ratio);
  keys.number(
      live({"stribeck_speed", "m/s", "sliding speed at which most of that excess is gone; 0: no excess", not_negative}),
      law.stribeck_speed);
  keys.number(live({"rolling", "m", "rolling torque over normal force", not_negative}), law.rolling);
  keys.number(
      live({"mu_roll", "1", "rolling torque of spheres and capsules over normal force and radius; adds to rolling",
            not_negative}),
      law.mu_roll);
  keys.number(live({"drilling", "m", "torque about the normal over normal force", not_negative}), law.drilling);
  keys.number(
      live({"eps_N", "1/kg", "speed at which a contact gives way to a normal impulse, over that impulse; 0: rigid",
            not_negative}),
      law.eps_N);
  keys.number(live({"restitution", "1", "normal speed after over before an impact", {.low = 0.0, .high = 1.0}}),
              law.restitution);
}

void describe_penalty(Keys& keys, PenaltyLaw<double>& p) {
  choose(keys, {"restitution_rule", "", "penalty: exact, or the seed's approximation, which bounces too high"},
         restitution_rule_names, p.rule);
  keys.number(live({"stiffness", "N/m^exponent", "penalty: k of a pair of shapes, shared by its points", positive}),
              p.stiffness);
  keys.number({"exponent", "1", "penalty: of the overlap; 1 linear, 1.5 Hertz", {.low = 1.0, .high = 4.0}}, p.exponent);
  keys.number({"damping_number", "1", "penalty: damping times impact speed; 0: as the restitution asks", not_negative},
              p.u);
  keys.number(
      {"v_floor", "m/s", "penalty: least impact speed for the damping; 0: critical damping at rest", not_negative},
      p.floor);
  choose(keys,
         {"friction", "", "penalty: anchor, a spring to where it sticks; regularised, a function of the speed alone"},
         friction_rule_names, p.friction);
  keys.number(live({"k_t", "N/m", "penalty: stiffness of the anchor; 0: half of stiffness", not_negative}),
              p.tangential);
  keys.number(live({"c_t", "N s/m", "penalty: damping of the anchor; 0: critical", not_negative}),
              p.tangential_damping);
  keys.number(live({"viscous", "N s/m", "penalty: friction that grows with the sliding speed", not_negative}),
              p.viscous);
  keys.number({"v_th", "m/s", "penalty, regularised: speed below which friction is proportional to it", positive},
              p.threshold);
}

}  // namespace

void describe(Keys& keys, ShapePlan& s) {
  Shape& shape = s.shape;
  choose(keys, {"kind", "", "sphere (radius 0: a point), capsule along its z axis, or box"}, shape_names, shape.kind);
  const bool capsule = shape.kind == ShapeKind::Capsule, box = shape.kind == ShapeKind::Box;
  const std::string has = box ? "a box" : capsule ? "a capsule" : "a sphere";
  keys.vector({"position", "m", "of the shape's centre in the body's axes"}, s.position);
  keys.quaternion({"orientation", "1", "shape's axes in the body's: quaternion w, x, y, z"}, s.orientation);
  normalise(keys, "orientation", s.orientation);
  if (box)
    refuse(keys, {"radius"}, has, "spheres and capsules");
  else
    keys.number({"radius", "m", "of a sphere (0: a point) or capsule", capsule ? positive : not_negative},
                shape.radius);
  if (capsule) {
    double length = 2.0 * shape.half_length;
    keys.number({"length", "m", "of a capsule: between the centres of its two ends", positive}, length);
    shape.half_length = 0.5 * length;
  } else {
    refuse(keys, {"length"}, has, "capsules");
  }
  if (box) {
    std::vector<double> size{2.0 * shape.half[0], 2.0 * shape.half[1], 2.0 * shape.half[2]};
    keys.numbers({"size", "m", "of a box: its edges along x, y, z", positive}, {.exactly = 3}, size);
    shape.half = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
  } else {
    refuse(keys, {"size"}, has, "boxes");
  }
  keys.vector({"along", "1", "the body's axis along which mu_long acts"}, s.along);
  keys.text({"material", "", "name that [contact.pair.NAME] refers to"}, s.material);
}

void describe(Keys& keys, GroundPlan& ground) {
  Terrain& t = ground.terrain;
  choose(keys, {"kind", "", "none, a plane, stairs on a plane, or a field of heights"}, terrain_names, t.kind);
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
    describe_heights(keys, t.field);
  else
    refuse(keys, {"heights"}, has, "kind = \"heights\"");
  describe_obstacles(keys, ground);
}

void describe(Keys& keys, ContactPlan& contact) {
  ContactOptions& o = contact.options;
  choose(
      keys,
      {"law", "",
       "rigid: impacts and Coulomb friction, solved exactly in every step; penalty: forces that grow with the overlap; "
       "impulse-propagation, impulse-simultaneous: impacts one by one or all at once; complementarity: friction "
       "pyramids"},
      response_names, o.response);
  describe_law(keys, contact.law);
  describe_penalty(keys, contact.penalty);
  choose(keys,
         {"solver", "",
          "auto takes recursion where every contact is with the ground, else newton; prox-fixed: the snake paper's"},
         contact_solver_names, o.solver);
  keys.number({"tolerance", "m/s", "by which a solved step may miss the laws", positive}, o.tolerance);
  keys.number({"activation_gap", "m", "distance below which a contact counts as closed", not_negative},
              o.activation_gap);
  keys.flag({"between_bodies", "", "bodies touch each other, not only the ground; neighbours at a joint never do"},
            o.between_bodies);
  choose(keys,
         {"culling", "",
          "how pairs that may touch are found: all against all, sweep along an axis, or grid; auto: all where pairs "
          "are few"},
         culling_names, o.culling);
  keys.integer({"capacity",
                "",
                "contact points that fit where pairs are found by sweep or grid; 0: by the shapes",
                {.low = 0, .high = 10000000}},
               o.capacity);
  keys.texts({"ignore", "", "pairs of bodies that never touch: \"BODY:BODY\", names may hold * and ?"}, contact.ignore);
  keys.number({"r_N", "kg", "prox-fixed: step of normal impulses against their velocity", positive}, o.prox.r_N);
  keys.number({"r_T", "kg", "prox-fixed: step of friction", positive}, o.prox.r_T);
  keys.number({"r_V", "kg", "prox-fixed: step of rolling friction, as a force at the radius", positive}, o.prox.r_V);
  keys.integer({"max_iter", "", "prox-fixed: iterations after which a step is given up", {.low = 1}}, o.prox.max_iter);
  const Table pairs(keys, "pair", "laws between two materials; what a pair does not give is as in [contact]");
  PairPlan fresh;
  fresh.law = contact.law, fresh.penalty = contact.penalty;
  describe_named(keys, contact.pairs, fresh, [&](PairPlan& pair) {
    keys.text({"first", "", "a material; where two bodies touch, its shape orients the friction"}, pair.material1);
    keys.text({"second", "", "the other material, or the same"}, pair.material2);
    describe_law(keys, pair.law);
    describe_penalty(keys, pair.penalty);
  });
}

}  // namespace sinew
