// Limb, alone: its root pinned at x0, y0 (docs/theory/softbot.md#limb).
#include "robots/softbot/soft_limb.h"

#include <fmt/format.h>

#include <algorithm>

#include "robots/catalog.h"
#include "sinew/control/properties.h"

namespace sinew::robots {
namespace {

template <std::size_t count>
void choose(Keys& keys, const Key& key, const std::array<std::string_view, count>& names, auto& value) {
  int chosen = int(value);
  keys.choice(key, names, chosen);
  value = static_cast<std::remove_reference_t<decltype(value)>>(chosen);
}

void describe_form(Keys& keys, Planform& form) {
  const PlanformKind before = form.kind;
  choose(keys, {"planform", "", "width along the limb"}, planform_names, form.kind);
  if (form.kind != before) form.sm = usual_widest_place(form.kind);
  keys.number({"w0", "m", "width of a rectangle", positive}, form.w0);
  keys.number({"wr", "m", "width at the root (diamond, petal)", positive}, form.wr);
  keys.number({"wm", "m", "width where it is widest (diamond, petal)", positive}, form.wm);
  keys.number({"wt", "m", "width at the tip (diamond)", not_negative}, form.wt);
  keys.number({"sm", "1", "where it is widest, in parts of the length", {.low = 1e-3, .high = 0.999}}, form.sm);
  keys.numbers({"table_s", "1", "planform table: places, in parts of the length, from 0 to 1; none: equally far apart",
                not_negative},
               {}, form.table_s);
  keys.numbers({"table_w", "m", "planform table: width at each place", not_negative}, {}, form.table_w);
  if (form.kind != PlanformKind::Table) return;
  if (form.table_s.empty())  // a list of widths alone: equally far apart
    for (std::size_t i = 0; i < form.table_w.size() && form.table_w.size() > 1; i++)
      form.table_s.push_back(double(i) / double(form.table_w.size() - 1));
  const std::vector<double>&s = form.table_s, &w = form.table_w;
  if (s.size() < 2 || s.size() != w.size())
    keys.reject("table_s", fmt::format("{} places and {} widths make no table", s.size(), w.size()),
                "give as many robot.table_s as table_w, at least two");
  else if (s.front() != 0.0 || s.back() != 1.0 || std::ranges::adjacent_find(s, std::greater_equal<>()) != s.end())
    keys.reject("table_s", "the places do not ascend from 0 to 1", "give ascending numbers, the first 0, the last 1");
  else if (!(w.front() > 0.0))
    keys.reject("table_w", "a limb without width at its root has no spring there", "make the first width positive");
  else if (std::adjacent_find(w.begin(), w.end(), [](double a, double b) { return a + b <= 0.0; }) != w.end())
    keys.reject("table_w", "the limb has no width between two places", "make one of the two widths positive");
  else
    return;
  form.table_s = {0.0, 1.0};
  form.table_w = {form.w0, form.w0};  // so that the rest can be read
}

// One number for all joints, one each, or none.
void list_for(Keys& keys, const Key& key, int n, bool or_one, std::vector<double>& values) {
  keys.numbers(key, {}, values);
  const auto size = values.size();
  if (size == 0 || size == std::size_t(n) || (or_one && size == 1)) return;
  keys.reject(key.name, fmt::format("{} numbers are given for {} links", size, n),
              fmt::format("give {}{}, or none", n, or_one && n > 1 ? " or one for all" : ""));
  values.clear();
}

}  // namespace

void describe(Keys& keys, SoftLimb& limb) {
  Sheet& sheet = limb.sheet;
  keys.integer({"n", "", "number of links", {.low = 1, .high = 200}}, sheet.n);
  keys.number({"length", "m", "of the limb", positive}, sheet.length);
  keys.numbers({"lengths", "m", "of the links, from the root; none: n equal ones", positive}, {}, sheet.lengths);
  if (!sheet.lengths.empty()) {
    const int count = int(sheet.lengths.size());
    if (keys.is_given("n") && sheet.n != count)
      keys.reject("lengths", fmt::format("robot.n is {}, but robot.lengths has {} links", sheet.n, count),
                  fmt::format("give {} lengths, or n = {}, or leave out one of them", sheet.n, count));
    sheet.n = count;  // so that what is shown can be read again
  }
  keys.number({"thickness", "m", "of the sheet", positive}, sheet.thickness);
  keys.number({"E", "Pa", "Young's modulus", not_negative}, sheet.E);
  keys.number({"density", "kg/m^3", "of the material", positive}, sheet.density);
  describe_form(keys, sheet.form);
  choose(keys, {"stiffness", "", "of a joint: half links in series, or E w t^3/(12 l) with the width at the joint"},
         stiffness_names, sheet.stiffness);
  keys.number(
      {"nu", "1", "Poisson's ratio of a wide sheet: stiffness over 1 - nu^2; 0: a beam", {.low = 0.0, .high = 0.5}},
      sheet.nu);
  choose(keys, {"damping", "", "of a joint: by zeta, or by the material's tau_v"}, damping_names, sheet.damping);
  keys.number({"zeta", "1", "damping ratio of each joint with the link it carries", not_negative}, sheet.zeta);
  keys.number({"tau_v", "s", "damping over stiffness of the material (Kelvin-Voigt)", not_negative}, sheet.tau_v);
  const int n = limb.count();
  list_for(keys, {"k", "N m/rad", "stiffness of the joints instead of the rule", not_negative}, n, true, sheet.k);
  list_for(keys, {"c", "N m s/rad", "damping of the joints instead of the rule", not_negative}, n, true, sheet.c);
  list_for(keys, {"rest", "rad", "angles between neighbours of a limb made curved", any_number, true}, n, false,
           limb.rest);
  list_for(keys, {"theta0", "rad", "angles of the links at the start, from the root", any_number, true}, n, false,
           limb.theta0);
  list_for(keys, {"rate0", "rad/s", "their rates at the start", any_number, true}, n, false, limb.rate0);
}

void add_limb(const SoftLimb& limb, const Root& root, Plan& plan) {
  const std::vector<SheetLink> links = links_of(limb.sheet);
  const auto at = [](const std::vector<double>& values, std::size_t i) { return values.empty() ? 0.0 : values[i]; };
  for (std::size_t i = 0; i < links.size(); i++) {
    const SheetLink& link = links[i];
    BodyPlan body;
    body.name = fmt::format("{}{}", root.prefix, i + 1);
    body.mass = link.m;
    body.com = Vec3d(root.side * link.lc, 0, 0);
    body.inertia = {link.I_long, 0.0, 0.0, link.I, 0.0, link.I_normal};
    body.plate_area = link.A;
    ShapePlan& tip = body.shapes.emplace_back();
    tip.name = "tip";
    tip.shape = {.kind = ShapeKind::Sphere, .radius = 0.0};
    tip.position = Vec3d(root.side * link.l, 0, 0);
    JointPlan joint;
    joint.name = fmt::format("{}{}", root.joint_prefix, i + 1);
    joint.parent = i == 0 ? root.body : plan.bodies.back().name;
    joint.child = body.name;
    joint.p_parent = i == 0 ? root.at : Vec3d(root.side * links[i - 1].l, 0, 0);
    joint.axis = Vec3d(0, -root.side, 0);  // x turns towards z on the right, -x on the left
    joint.position = {at(limb.theta0, i) - (i == 0 ? root.angle : at(limb.theta0, i - 1))};
    joint.velocity = {at(limb.rate0, i) - (i == 0 ? root.rate : at(limb.rate0, i - 1))};
    joint.stiffness = {link.k};
    joint.damping = {link.c};
    if (!limb.rest.empty()) joint.rest = {limb.rest[i]};
    plan.bodies.push_back(body);
    plan.joints.push_back(joint);
  }
}

std::string link_angle(const std::string& joint_prefix, int i, char what) {
  std::string sum;
  for (int k = 1; k <= i; k++) sum += fmt::format("{}joint.{}{}.{}", k > 1 ? " + " : "", joint_prefix, k, what);
  return sum;
}

std::vector<ResultPlan> energy_results() {
  return {{"T", "energy.kinetic"},
          {"V_spring", "energy.elastic"},
          {"V_grav", "energy.potential"},
          {"E_mech", "energy.kinetic + energy.elastic + energy.potential"},
          {"damper", "energy.dissipated_damping"},
          {"friction", "energy.dissipated_friction"},
          {"impact", "energy.dissipated_impact"},
          {"energy_residual", "energy.balance_error"}};
}

void add_numbers(const std::string& prefix, const SoftLimb& limb, std::vector<ResultPlan>& results) {
  const std::vector<SheetLink> links = links_of(limb.sheet);
  const auto add = [&](const char* name, const char* unit, double SheetLink::*field) {
    std::vector<double> values;
    for (const SheetLink& link : links) values.push_back(link.*field);
    results.push_back({.name = prefix + name, .signal = "", .known = std::move(values), .unit = unit});
  };
  add("l", "m", &SheetLink::l);
  std::vector<double> widths{links[0].w_a};
  for (const SheetLink& link : links) widths.push_back(link.w_b);
  results.push_back({.name = prefix + "w", .signal = "", .known = std::move(widths), .unit = "m"});
  add("A", "m^2", &SheetLink::A);
  add("m", "kg", &SheetLink::m);
  add("lc", "m", &SheetLink::lc);
  add("I", "kg m^2", &SheetLink::I);
  add("k", "N m/rad", &SheetLink::k);
  add("c", "N m s/rad", &SheetLink::c);
  std::vector<double> moments(links.size()), stiffness,
      density;  // a_i of docs/theory/softbot.md#limb; along the limb: E I, mass per length
  double mass = 0.0;
  for (std::size_t i = links.size(); i-- > 0; mass += links[i].m)
    moments[i] = links[i].m * links[i].lc + links[i].l * mass;
  results.push_back({.name = prefix + "a", .signal = "", .known = std::move(moments), .unit = "kg m"});
  const Sheet& sheet = limb.sheet;
  const double per_width =
      sheet.E * sheet.thickness * sheet.thickness * sheet.thickness / (12.0 * (1.0 - sheet.nu * sheet.nu));
  for (std::size_t i = 0; i <= links.size(); i++) {
    const double width = i == 0 ? links[0].w_a : links[i - 1].w_b;
    stiffness.push_back(per_width * width);
    density.push_back(sheet.density * sheet.thickness * width);
  }
  results.push_back({.name = prefix + "EI", .signal = "", .known = std::move(stiffness), .unit = "N m^2"});
  results.push_back({.name = prefix + "mass_per_length", .signal = "", .known = std::move(density), .unit = "kg/m"});
  results.push_back({.name = prefix + "mass_total", .signal = "", .known = {mass}, .unit = "kg"});
}

double fastest_vibration(const PlannedTree& moving) {
  Compiled flat = moving.compiled;
  if (flat.model->nu == 0) return 0.0;
  flat.params.gravity.kind = GravityKind::None;
  for (Servo<double>& servo : flat.params.servos) servo = {};
  for (const Link& link : flat.model->links)
    if (link.kind == JointKind::Revolute && !link.driven) flat.state.q[link.q] = flat.state.u[link.u] = 0.0;
  try {
    return frequencies_of({moving.plan, flat}).back();
  } catch (const PlanError&) {  // what is wrong with it is told where it is checked
    return 0.0;
  }
}

std::vector<std::string> notes_of(const std::string& title, const SoftLimb& limb) {
  std::vector<std::string> lines{
      title, fmt::format("{:>4} {:>10} {:>10} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}", "link", "l [m]", "w_a [m]",
                         "w_b [m]", "m [kg]", "l_c [m]", "I [kg m^2]", "k [N m/rad]", "c [N m s]")};
  int i = 1;
  for (const SheetLink& s : links_of(limb.sheet))
    lines.push_back(fmt::format("{:>4} {:>10.6g} {:>10.6g} {:>12.6g} {:>12.6g} {:>12.6g} {:>12.6g} {:>12.6g} {:>12.6g}",
                                i++, s.l, s.w_a, s.w_b, s.m, s.lc, s.I, s.k, s.c));
  return lines;
}

namespace {

struct PinnedLimb : Robot {
  SoftLimb limb;
  double x0 = 0.0, y0 = 0.0;

  void describe(Keys& keys) override {
    robots::describe(keys, limb);
    keys.number({"x0", "m", "x of the pinned root"}, x0);
    keys.number({"y0", "m", "height of the pinned root"}, y0);
  }

  Plan plan() const override {
    Plan plan;
    Root root;
    root.prefix = "link";
    root.joint_prefix = "joint";
    root.at = Vec3d(x0, 0, y0);
    add_limb(limb, root, plan);
    plan.contact.options.between_bodies = false;
    return plan;
  }

  // The outer end of the limb. A link's end is as far behind its centre of mass as l is longer than l_c:
  // end_i = end_i-1 + (l/l_c) (com_i - end_i-1), which from the root on is a sum over all links.
  std::string tip(char axis, double root) const {
    const std::vector<SheetLink> links = links_of(limb.sheet);
    std::string sum;
    double rest = 1.0;  // what the links further out leave of a term
    for (std::size_t i = links.size(); i-- > 0;) {
      const double share = links[i].l / links[i].lc;
      sum += fmt::format("{}{} * body.link{}.p.{}", sum.empty() ? "" : " + ", rest * share, i + 1, axis);
      rest *= 1.0 - share;
    }
    return root == 0.0 ? sum : fmt::format("{} + {}", sum, rest * root);
  }

  std::vector<ResultPlan> results() const override {
    std::vector<ResultPlan> all = energy_results();
    std::string angles, rates;
    for (int i = 1; i <= limb.count(); i++) {
      angles += (i > 1 ? ", " : "") + link_angle("joint", i, 'q');
      rates += (i > 1 ? ", " : "") + link_angle("joint", i, 'u');
    }
    all.insert(all.begin(), {{"theta", angles}, {"theta_rate", rates}});
    all.push_back({"tip", tip('x', x0) + ", " + tip('z', y0)});
    add_numbers("", limb, all);
    return all;
  }

  double fastest(const PlannedTree& moving) const override { return fastest_vibration(moving); }
  std::vector<std::string> notes() const override {
    return notes_of("what follows from the planform; k, c of the joint at the inner end", limb);
  }
};

}  // namespace

std::unique_ptr<Robot> make_soft_limb() { return std::make_unique<PinnedLimb>(); }

}  // namespace sinew::robots
