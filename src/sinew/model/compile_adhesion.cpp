#include <algorithm>
#include <map>

#include "sinew/math/check.h"
#include "sinew/model/compile_contacts.h"
#include "sinew/model/glob.h"

namespace sinew {
namespace {

AdhesionLaw<double> law_of(const AdhesionPlan& a) {
  AdhesionLaw<double> l;
  l.cohesion = a.cohesion;
  l.bed_strength = a.bed_strength;
  l.shear_strength = a.shear_strength;
  l.charge_time = a.charge_time;
  l.discharge_time = a.discharge_time;
  l.peel_length = a.peel_length;
  if (a.kind != Adhesion::Electro) return l;
  law::ElectroSurface s = law::surface_of(law::electro_materials[a.surface]);
  const auto own = [](double given, double& value) { value = given < 0.0 ? value : given; };
  own(a.image_factor, s.image_factor);
  own(a.roughness, s.roughness);
  own(a.series_gap, s.series_gap);
  own(a.conformity, s.conformity);
  l.clean = law::electro_pressure(a.pad, s);
  l.grains = law::electro_pressure(a.pad, s, a.grain_layer);
  return l;
}

struct PadMaker {
  Model& model;
  Params<double>& params;

  int add(Pad pad, double area, double width) {
    SINEW_ASSERT(!(area < 0.0) && !(width < 0.0));
    model.pads.push_back(std::move(pad));
    params.pads.push_back({area, width});
    return int(model.pads.size()) - 1;
  }

  void add_pad(const PadPlan& plan, int group) {
    std::map<int, int> of_link;  // pads of this plan; one for all, or one a body
    for (std::size_t i = 0; i < model.shapes.size(); i++) {
      const ShapeInfo& s = model.shapes[i];
      const auto is_meant = [&](const std::string& pattern) { return matches(pattern, s.name); };
      if (s.link < 0 || std::ranges::none_of(plan.shapes, is_meant)) continue;
      const int owner = plan.per_body ? s.link : 0;
      auto found = of_link.find(owner);
      if (found == of_link.end()) {
        const std::string name = plan.per_body ? plan.name + "." + model.body_names[s.link] : plan.name;
        found = of_link.emplace(owner, add({name, group, plan.points, false}, plan.area, plan.width)).first;
      }
      model.pads_of[i].push_back(found->second);
    }
  }
};

}  // namespace

void compile_adhesion(const Plan& plan, Model& model, Params<double>& params) {
  const AdhesionPlan& a = plan.contact.adhesion;
  if (a.kind == Adhesion::None) return;
  params.adhesion = law_of(a);
  model.has_shear = a.shear_strength > 0.0;
  model.pad_groups = a.groups;
  model.pads_of.resize(model.shapes.size());
  PadMaker maker{model, params};
  for (const PadPlan& pad : a.pads) {
    const auto group = std::ranges::find(a.groups, pad.group, &PadGroupPlan::name);
    maker.add_pad(pad, group == a.groups.end() ? -1 : int(group - a.groups.begin()));
  }
  if (!(a.area > 0.0)) return;
  for (std::size_t i = 0; i < model.shapes.size(); i++)
    if (model.shapes[i].link >= 0 && model.pads_of[i].empty())
      model.pads_of[i].push_back(maker.add({model.shapes[i].name, -1, 1, true}, a.area, 0.0));
}

}  // namespace sinew
