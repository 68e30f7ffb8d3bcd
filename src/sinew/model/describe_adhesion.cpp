// Keys of adhesion in [contact], its pads and the groups in which they are switched.
#include "sinew/model/describe.h"
#include "sinew/model/describe_tools.h"

namespace sinew {
namespace {

// Names and numbers of the surface. A number of its own replaces the table's.
void describe_surface(Keys& keys, AdhesionPlan& a) {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const law::ElectroMaterial& m : law::electro_materials) all.push_back(m.name);
    return all;
  }();
  keys.choice({"adhesion_surface", "",
               "electro: what the pads lie on; sets image_factor, roughness, series_gap and conformity"},
              names, a.surface);
  const law::ElectroSurface table = law::surface_of(law::electro_materials[a.surface]);
  const auto own = [&](const Key& key, double of_table, double& value) {
    double number = value < 0.0 ? of_table : value;
    keys.number(key, number);
    if (keys.is_given(key.name)) value = number;
  };
  own(live(
          {"image_factor", "1", "electro: kappa, 1 for conductors, (eps - 1)/(eps + 1) for dielectrics", not_negative}),
      table.image_factor, a.image_factor);
  own(live({"roughness", "m", "electro: rms roughness of the surface", not_negative}), table.roughness, a.roughness);
  own(live(
          {"series_gap", "m", "electro: thickness of a dielectric on the surface over its permittivity", not_negative}),
      table.series_gap, a.series_gap);
  own(live({"conformity", "1", "electro: pressure over that of the ideal gap, calibrated", not_negative}),
      table.conformity, a.conformity);
}

void describe_group(Keys& keys, PadGroupPlan& g) {
  keys.numbers(
      {"on", "s", "times at which the group is switched on, off, on, ...; without any and without a period: always on"},
      {.exactly = -1}, g.on);
  keys.number({"period", "s", "on for a part of each period; 0: as `on` says", not_negative}, g.period);
  keys.number({"phase", "s", "time at which a period begins"}, g.phase);
  keys.number({"duty", "1", "part of a period for which it is on", {.low = 0.0, .high = 1.0}}, g.duty);
}

}  // namespace

void describe(Keys& keys, AdhesionPlan& a) {
  choose(keys,
         {"adhesion", "",
          "what pulls closed contacts together: none; cohesion; electro: cohesion and electrodes under voltage"},
         adhesion_names, a.kind);
  keys.number(live({"cohesion", "Pa", "adhesion: pressure that needs no voltage", not_negative}), a.cohesion);
  keys.number({"adhesion_area", "m^2", "adhesion: of each contact point whose shape is part of no pad", not_negative},
              a.area);
  keys.number({"shear_strength", "Pa", "adhesion: that an area holds against sliding besides friction", not_negative},
              a.shear_strength);
  keys.number(live({"bed_strength",
                    "Pa",
                    "adhesion: beyond which a bed of grains breaks and not the bond; inf: solid ground",
                    {.low = 0.0, .above_low = true, .may_be_infinite = true}}),
              a.bed_strength);
  keys.number(live({"grain_layer", "m", "electro: gap of the grains that a broken bed leaves on a pad", not_negative}),
              a.grain_layer);
  keys.number(live({"voltage", "V", "electro: between neighbouring electrodes", not_negative}), a.pad.voltage);
  keys.number(live({"electrode_fraction", "1", "electro: share of a pad that is electrode", {.low = 0.0, .high = 1.0}}),
              a.pad.electrode_fraction);
  keys.number(live({"film_thickness", "m", "electro: of the film over the electrodes", positive}),
              a.pad.film_thickness);
  keys.number(live({"film_permittivity", "1", "electro: of that film, relative", {.low = 1.0}}),
              a.pad.film_permittivity);
  describe_surface(keys, a);
  keys.number(live({"charge_time", "s", "electro: time constant of switching on; 0: at once", not_negative}),
              a.charge_time);
  keys.number(live({"discharge_time", "s", "electro: of switching off", not_negative}), a.discharge_time);
  keys.number(
      live({"peel_length", "m", "adhesion: of a pad that lies on by an edge, the length that pulls", not_negative}),
      a.peel_length);
  {
    const Table pads(keys, "pad", "shapes that adhere as one area");
    describe_named(keys, a.pads, PadPlan{}, [&](PadPlan& pad) {
      keys.texts({"shapes", "", "\"BODY.SHAPE\", names may hold * and ?"}, pad.shapes);
      keys.number({"area", "m^2", "of the pad, shared by its closed contact points", not_negative}, pad.area);
      keys.number({"width", "m", "of the edge by which it peels", not_negative}, pad.width);
      keys.integer({"points", "", "closed contact points without which it does not lie on", {.low = 1}}, pad.points);
      keys.flag({"per_body", "", "each body that has such shapes gets a pad of its own, of this area"}, pad.per_body);
      keys.text({"group", "", "group with which it is switched; empty: always on"}, pad.group);
    });
  }
  const Table groups(keys, "pad_group", "electro: pads that are switched together");
  describe_named(keys, a.groups, PadGroupPlan{}, [&](PadGroupPlan& group) { describe_group(keys, group); });
}

}  // namespace sinew
