// Keys of contact: its laws, and how they are solved. Shapes and ground: describe_shapes.cpp.
#include "sinew/model/describe.h"
#include "sinew/model/describe_tools.h"

namespace sinew {
namespace {

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
  choose(
      keys,
      {"restitution_rule", "",
       "penalty: exact; konyev, the published approximation, which bounces too high; closed, a formula good to 0.014"},
      restitution_rule_names, p.rule);
  keys.number(live({"k", "N/m^exponent", "penalty: stiffness of a pair of shapes, shared by its points", positive}),
              p.stiffness);
  keys.number({"exponent", "1", "penalty: of the overlap; 1 linear, 1.5 Hertz", {.low = 1.0, .high = 4.0}}, p.exponent);
  keys.number({"damping_number", "1", "penalty: damping times impact speed; 0: as the restitution asks", not_negative},
              p.u);
  keys.number(
      {"v_floor", "m/s", "penalty: least impact speed for the damping; 0: critical damping at rest", not_negative},
      p.floor);
  keys.flag(
      {"compensate_load", "",
       "penalty: impacts under gravity end with the restitution that is asked for, to first order; slow ones do not"},
      p.compensate_load);
  keys.number({"x_cap", "m",
               "penalty: depth that counts at most where two overlap from the start; 0: 5 % of the smaller body's size",
               not_negative},
              p.cap);
  choose(keys,
         {"friction_law", "",
          "penalty: anchor, a spring to where it sticks; regularised, smooth: functions of the speed alone"},
         friction_rule_names, p.friction);
  keys.number(live({"k_t", "N/m", "penalty: stiffness of the anchor; 0: half of k", not_negative}), p.tangential);
  keys.number(live({"c_t", "N s/m", "penalty: damping of the anchor; 0: critical", not_negative}),
              p.tangential_damping);
  keys.number(live({"viscous", "N s/m", "penalty: friction that grows with the sliding speed", not_negative}),
              p.viscous);
  keys.number(
      {"v_th", "m/s",
       "penalty, regularised: speed below which friction is proportional to it; smooth: where it is largest", positive},
      p.threshold);
}

void describe_prox(Keys& keys, ProxSteps& prox) {
  keys.number({"r_N", "kg", "prox-fixed: step of normal impulses against their velocity", positive}, prox.r_N);
  keys.number({"r_T", "kg", "prox-fixed: step of friction", positive}, prox.r_T);
  keys.number({"r_V", "kg", "prox-fixed: step of rolling friction, as a force at the radius", positive}, prox.r_V);
  keys.integer({"max_iter", "", "prox-fixed: iterations after which a step is given up", {.low = 1}}, prox.max_iter);
}

void describe_materials(Keys& keys, std::vector<MaterialPlan>& materials) {
  const Table table(
      keys, "material",
      "surfaces by the name of their material: where two meet that no pair names, stiffnesses act in a row, "
      "restitution and friction are geometric means");
  describe_named(keys, materials, MaterialPlan{}, [&](MaterialPlan& m) {
    keys.number({"k", "N/m^exponent", "penalty: stiffness of this surface; 0: not given", not_negative}, m.stiffness);
    keys.number({"restitution", "1", "of this surface on itself; -1: not given", {.low = -1.0, .high = 1.0}},
                m.restitution);
    keys.number({"mu", "1", "friction of this surface on itself; -1: not given", {.low = -1.0}}, m.mu);
  });
}

}  // namespace

void describe(Keys& keys, ContactPlan& contact) {
  ContactOptions& o = contact.options;
  choose(
      keys,
      {"law", "",
       "rigid: impacts and Coulomb friction, solved exactly in every step; penalty: forces that grow with the overlap; "
       "impulse-propagation, impulse-simultaneous: impacts one by one or all at once; complementarity: friction "
       "pyramids"},
      response_names, o.response);
  choose(keys,
         {"impact_law", "",
          "newton-bounded: impacts give back their restitution of the normal speed, or less where friction would make "
          "energy of it; newton: always all of it"},
         impact_law_names, o.impact);
  describe_law(keys, contact.law);
  describe_penalty(keys, contact.penalty);
  choose(keys,
         {"solver", "",
          "auto takes recursion where every contact is with the ground, else newton, and for many rows sparse; sparse: "
          "piles of bodies, no loops; prox-fixed: the snake paper's; newton-normal: normal forces of the soft robots' "
          "thesis"},
         contact_solver_names, o.solver);
  keys.number({"tolerance", "m/s", "by which a solved step may miss the laws", positive}, o.tolerance);
  keys.number({"activation_gap", "m", "distance below which a contact counts as closed", not_negative},
              o.activation_gap);
  keys.number({"beta",
               "",
               "share of a penetration that one step takes out, by moving the bodies apart; 0: none",
               {.low = 0.0, .high = 1.0}},
              o.beta);
  keys.flag({"between_bodies", "", "bodies touch each other, not only the ground; neighbours at a joint never do"},
            o.between_bodies);
  keys.flag({"share_stiffness", "", "penalty: points of a pair share its k; false: each has all of it, to compare"},
            o.share_stiffness);
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
  describe_prox(keys, o.prox);
  describe(keys, contact.adhesion);
  describe_materials(keys, contact.materials);
  const Table pairs(keys, "pair", "laws between two materials; what a pair does not give is as in [contact]");
  PairPlan fresh;
  fresh.law = contact.law;
  fresh.penalty = contact.penalty;
  describe_named(keys, contact.pairs, fresh, [&](PairPlan& pair) {
    keys.text({"first", "", "a material; where two bodies touch, its shape orients the friction"}, pair.material1);
    keys.text({"second", "", "the other material, or the same"}, pair.material2);
    describe_law(keys, pair.law);
    describe_penalty(keys, pair.penalty);
  });
}

}  // namespace sinew
