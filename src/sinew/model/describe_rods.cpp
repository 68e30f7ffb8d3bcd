// Keys of rods and cables.
#include "sinew/model/describe.h"
#include "sinew/model/describe_tools.h"
#include "sinew/parts/device/torque_table.h"

namespace sinew {
namespace {

void describe_ends(Keys& keys, RodPlan& r) {
  keys.text({"parent", "", "body that holds the end X = 0, \"world\", or \"free\": nothing does"}, r.parent);
  keys.vector({"p_parent", "m", "place of the end X = 0 in the parent's axes"}, r.p_parent);
  keys.quaternion({"orientation", "1", "rod's axes there, x along the rod, in the parent's: quaternion w, x, y, z"},
                  r.orientation);
  normalise(keys, "orientation", r.orientation);
  keys.text({"tip_on", "", "body that the end X = l is fixed to, or \"world\"; empty: the end is free"}, r.child);
  keys.vector({"p_tip", "m", "place of the end X = l in the axes of that body"}, r.p_child);
  keys.quaternion({"tip_orientation", "1", "rod's axes there, in that body's"}, r.child_orientation);
  normalise(keys, "tip_orientation", r.child_orientation);
}

void describe_material(Keys& keys, RodPlan& r) {
  describe(keys, static_cast<RodSize&>(r));
  keys.number({"width", "m", "of a rectangular section, along the rod's y; 0: it is round", not_negative}, r.width);
  keys.number({"height", "m", "of a rectangular section, along the rod's z", not_negative}, r.height);
  describe(keys, static_cast<RodElasticity&>(r), !r.wave.on);
  keys.number(live({"shear_viscosity", "Pa s", "of shear and torsion, beside G; below 0: viscosity G / E"},
                   !r.wave.on && r.shear_viscosity >= 0.0),
              r.shear_viscosity);
  keys.vector({"rest_curvature", "rad/m", "of the relaxed rod: twist about x, curvature about y and z"},
              r.rest_curvature);
}

void describe_rod(Keys& keys, RodPlan& r) {
  describe_ends(keys, r);
  describe_material(keys, r);
  keys.integer({"segments",
                "",
                "parts that the rod is cut into: bodies NAME.0 to NAME.segments, see docs/rods.md",
                {.low = 1, .high = 10000}},
               r.segments);
  choose(
      keys,
      {"freedoms", "", "full: stretch, shear, bending, torsion; kirchhoff: bending, torsion; planar: bending about z"},
      rod_freedom_names, r.freedoms);
  keys.flag({"driven", "", "the curvature follows [..wave] exactly, all else is rigid; else the rod is elastic"},
            r.wave.on);
  choose(keys, {"shape", "", "with which it touches things: row of capsules, of spheres, of boxes, or none"},
         rod_shape_names, r.shape);
  keys.text({"material", "", "name that [contact.pair.NAME] refers to; mu_long acts along the rod"}, r.material);
  keys.number(live({"drag_along", "N s/m^2", "viscous drag on a metre that moves along itself", not_negative}),
              r.drag_along);
  keys.number(live({"drag_across", "N s/m^2", "viscous drag on a metre that moves across itself", not_negative}),
              r.drag_across);
  {
    const Table table(keys, "wave", rod_wave_doc);
    choose(keys, {"axis", "", "of the rod, about which it bends"}, rod_bend_names, r.wave.axis);
    describe(keys, static_cast<RodWave&>(r.wave));
  }
  if (keys.is_given("wave") && !keys.is_given("driven"))
    keys.reject("driven", "the wave of this rod is described but not switched on",
                "add driven = true (or false to keep the rod elastic)");
}

void describe_given(Keys& keys, CablePlan& c) {
  static constexpr std::string_view names[] = {"tension", "pull", "pressure", "pull"}, units[] = {"N", "m", "Pa", "m"},
                                    docs[] = {"what it pulls with; below 0: it pushes",
                                              "of a spring: length that a winch takes in", "of a chamber",
                                              "of a strut: by how much it wants to be shorter"};
  const int kind = int(c.kind);
  keys.number(live({names[kind], units[kind], docs[kind]}), c.value);
  for (int other = 0; other < 3; other++)
    if (names[other] != names[kind] && keys.is_given(names[other]))
      keys.reject(names[other],
                  fmt::format("{} belongs to cables of kind \"{}\", but this is one of kind \"{}\"", names[other],
                              cable_kind_names[other], cable_kind_names[kind]),
                  "remove it, or choose another kind");
  keys.number(
      live({"amplitude", units[kind], "of an oscillation about it, sin(2 pi frequency t + phase)"}, c.frequency != 0.0),
      c.amplitude);
  keys.number({"frequency", "Hz", "of the oscillation"}, c.frequency);
  keys.number({"phase", "rad", "of the oscillation at t = 0", any_number, true}, c.phase);
  keys.number({"ramp", "s", "time over which all this rises smoothly from 0", not_negative}, c.ramp);
}

void describe_cable(Keys& keys, CablePlan& c) {
  choose(keys,
         {"kind", "",
          "tension: it is given; spring: pulls where it is longer than length0; chamber: pushes; strut: a spring that "
          "also pushes, where it is shorter"},
         cable_kind_names, c.kind);
  keys.texts({"bodies", "", "over which it leads, or \"world\"; the same one may come again"}, c.bodies);
  keys.numbers({"points", "m", "x, y, z of its place in the axes of each of these bodies"}, {}, c.points);
  keys.text({"rod", "", "instead of bodies and points: along this rod, from X = 0"}, c.rod);
  keys.number({"offset_y", "m", "beside the axis of the rod, along its y"}, c.offset_y);
  keys.number({"offset_z", "m", "beside the axis of the rod, along its z"}, c.offset_z);
  keys.number({"end", "m", "abscissa at which it is tied to the rod; below 0: at the tip"}, c.end);
  describe_given(keys, c);
  const auto only = [&](CableKind kind, std::initializer_list<const char*> names) {
    if (c.kind == kind || (is_elastic(c.kind) && is_elastic(kind))) return true;
    for (const char* name : names)
      if (keys.is_given(name))
        keys.reject(name, fmt::format("{} belongs to cables of kind \"{}\"", name, cable_kind_names[int(kind)]),
                    "remove it, or choose another kind");
    return false;
  };
  if (only(CableKind::Chamber, {"area"}))
    keys.number({"area", "m^2", "of a chamber, on which the pressure acts", positive}, c.area);
  if (only(CableKind::Spring, {"stiffness", "damping", "length0"})) {
    keys.number(live({"stiffness", "N/m", "of a spring or strut", positive}), c.stiffness);
    keys.number(live({"damping", "N s/m", "of a spring, while it pulls; of a strut", not_negative}), c.damping);
    keys.number({"length0", "m", "of a spring or strut: at which it neither pulls nor pushes", not_negative},
                c.length0);
  }
}

// EI, as it is the same about all axes of a round section.
void describe_bending(Keys& keys, RodElasticity& e, bool is_live) {
  static constexpr std::array<std::string_view, 2> both{"EI_y", "EI_z"};
  double EI = 0.0;
  if (keys.shorthand({"EI", "N m^2", "stiffness of bending about y and z; 0: from the section", not_negative}, both,
                     EI) &&
      EI > 0.0) {
    e.EI_y = e.EI_z = EI;
    for (const std::string_view name : both)
      if (keys.is_given(name))
        keys.reject(name, fmt::format("EI and {} are both given, and EI already says what {} is", name, name),
                    "give EI alone, or EI_y and EI_z");
  }
  keys.number(
      live({"EI_y", "N m^2", "stiffness of bending about y; below 0: from the section"}, is_live && e.EI_y >= 0.0),
      e.EI_y);
  keys.number(
      live({"EI_z", "N m^2", "stiffness of bending about z; below 0: from the section"}, is_live && e.EI_z >= 0.0),
      e.EI_z);
}

}  // namespace

void describe(Keys& keys, RodSize& size) {
  keys.number({"length", "m", "of the rod", positive}, size.length);
  keys.number({"radius", "m", "of a round section", positive}, size.radius);
  keys.number({"density", "kg/m^3", "of the material", positive}, size.density);
}

void describe(Keys& keys, RodElasticity& e, bool is_live) {
  keys.number(live({"E", "Pa", "Young's modulus", positive}, is_live), e.E);
  keys.number(live({"nu", "1", "Poisson's ratio", {.low = -1.0, .high = 0.5, .above_low = true}}, is_live), e.nu);
  keys.number(live({"G", "Pa", "shear modulus; 0: E / (2 (1 + nu))", not_negative}, is_live && e.G > 0.0), e.G);
  keys.number(live({"shear_factor", "1", "by which shear is stiffer than G A", positive}, is_live), e.shear_factor);
  keys.number(live({"EA", "N", "stiffness of stretch; below 0: from the section"}, is_live && e.EA >= 0.0), e.EA);
  keys.number(live({"GA", "N", "stiffness of shear; below 0: from the section"}, is_live && e.GA >= 0.0), e.GA);
  keys.number(live({"GJ", "N m^2", "stiffness of torsion; below 0: from the section"}, is_live && e.GJ >= 0.0), e.GJ);
  describe_bending(keys, e, is_live);
  keys.number(live({"viscosity", "Pa s", "of stretch and bending, beside E", not_negative}, is_live), e.viscosity);
}

void describe(Keys& keys, RodWave& w) {
  keys.number({"amplitude", "rad/m", "at the end X = 0"}, w.amplitude);
  keys.number({"slope", "rad/m", "by which the amplitude is larger at the end X = l"}, w.slope);
  keys.number({"bias", "rad/m", "mean curvature: the robot turns"}, w.bias);
  keys.number({"wavelength", "m", "of the wave", positive}, w.wavelength);
  keys.number({"period", "s", "of the wave, which goes from X = 0 to X = l", positive}, w.period);
  keys.number({"phase", "rad", "of the wave at X = 0 and t = 0", any_number, true}, w.phase);
  keys.number({"ramp", "s", "time over which r rises smoothly from 0 to 1", not_negative}, w.ramp);
}

void describe_rods(Keys& keys, Plan& plan) {
  {
    const Table table(keys, "rod", "elastic or driven rods, parts of the robot like bodies and joints");
    static const RodPlan fresh;
    describe_named(keys, plan.rods, fresh, [&](RodPlan& r) { describe_rod(keys, r); });
  }
  const Table table(keys, "cable", "cables over points of bodies, and chambers");
  static const CablePlan fresh;
  describe_named(keys, plan.cables, fresh, [&](CablePlan& c) { describe_cable(keys, c); });
}

void describe_couplings(Keys& keys, Plan& plan) {
  const Table table(keys, "coupling", "equations beside those of joints: gears, joints that follow others, distances");
  describe_named(keys, plan.couplings, CouplingPlan{}, [&](CouplingPlan& c) {
    int kind = int(c.kind);
    keys.choice({"kind", "", "\"joints\": a sum over their coordinates; \"distance\": of two points"},
                coupling_kind_names, kind);
    c.kind = CouplingKind(kind);
    if (c.kind == CouplingKind::Distance) {
      keys.texts({"bodies", "", "two of them, or \"world\""}, c.bodies);
      keys.numbers({"points", "m", "x, y, z of a point of each, in its axes"}, {}, c.points);
      keys.number({"length", "m", "from one to the other", positive}, c.length);
      return;
    }
    keys.texts({"joints", "", "one for each term of the sum"}, c.joints);
    keys.numbers({"axes", "", "of each joint, which of its axes, from 0; none: the first"}, {}, c.axes);
    keys.numbers({"factors", "", "of their coordinates [rad or m]"}, {}, c.factors);
    keys.numbers({"squares", "", "factors of the squares of their coordinates; none: 0"}, {}, c.squares);
    keys.numbers({"cubes", "", "factors of their cubes; none: 0"}, {}, c.cubes);
    keys.numbers({"fourths", "", "factors of their fourth powers; none: 0"}, {}, c.fourths);
    keys.number({"sum", "", "what the terms add up to"}, c.sum);
  });
}

namespace {

// Straight lines between the times, or a spline; before the first time and after the last it stays.
void describe_load_table(Keys& keys, LoadPlan& load) {
  static constexpr std::array<std::string_view, 2> ways{"linear", "smooth"};
  std::vector<double> t, values;
  if (load.table) {
    t = load.table->t;
    values = load.table->value;
  }
  int smooth = load.table_smooth;
  keys.choice({"interpolate", "", "table: straight lines, or a spline"}, ways, smooth);
  load.table_smooth = smooth == 1;
  keys.numbers({"table_t", "s", "times of a table that is added to the factor"}, {}, t);
  keys.numbers({"table", "1", "its numbers; it stays before the first time and after the last"}, {}, values);
  const std::string wrong = table_problem(t, values, 1);
  if (!wrong.empty())
    keys.reject(values.size() == t.size() ? "table_t" : "table", wrong,
                "give times that increase, and for each one number");
  load.table = wrong.empty() && !t.empty() ? make_torque_table(t, values, load.table_smooth) : nullptr;
}

void describe_load(Keys& keys, LoadPlan& load) {
  keys.text({"body", "", "on which it acts"}, load.body);
  keys.vector({"point", "m", "where, in the body's axes"}, load.point);
  keys.text({"rod", "", "instead of a body: on which rod"}, load.rod);
  keys.number({"at", "m", "abscissa of the rod at which it acts; below 0: at the tip"}, load.at);
  keys.flag({"spread", "", "over the whole rod: force and couple are those of a metre"}, load.spread);
  keys.vector(live({"force", "N", "in world axes; spread: N/m"}), load.force);
  keys.vector(live({"couple", "N m", "in world axes; spread: N"}), load.couple);
  keys.flag({"follows", "", "force and couple turn with the body: they are in its axes"}, load.follows);
  if (keys.is_given("table") && !keys.is_given("factor")) load.factor = 0.0;
  keys.number({"factor", "1", "of force and couple over time: its constant part; with a table 0 if not given"},
              load.factor);
  keys.number({"amplitude", "1", "of an oscillation of the factor"}, load.amplitude);
  keys.number({"frequency", "Hz", "of the oscillation"}, load.frequency);
  keys.number({"phase", "rad", "of the oscillation at t = 0", any_number, true}, load.phase);
  keys.number({"ramp", "s", "time over which factor and oscillation rise smoothly from 0", not_negative}, load.ramp);
  keys.number({"start", "s", "time before which nothing acts", not_negative}, load.start);
  describe_load_table(keys, load);
}

}  // namespace

void describe_loads(Keys& keys, Plan& plan) {
  const Table table(keys, "load", "forces and couples over time on bodies and rods");
  static const LoadPlan fresh;
  describe_named(keys, plan.loads, fresh, [&](LoadPlan& load) { describe_load(keys, load); });
}

void describe_markers(Keys& keys, Plan& plan) {
  const Table table(keys, "marker", "points of bodies whose place and velocity are signals");
  describe_named(keys, plan.markers, MarkerPlan{}, [&](MarkerPlan& m) {
    keys.text({"body", "", "that carries the point"}, m.body);
    keys.vector({"position", "m", "of the point in the body's axes"}, m.position);
  });
}

}  // namespace sinew
