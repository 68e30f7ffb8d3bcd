#include "sinew/model/section_plant.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/model/state.h"

namespace sinew {
namespace {

struct SectionWorkspace : Scratch {
  std::unique_ptr<Scratch> own;
  std::vector<SectionMotion> sections;
};

const std::vector<PlantReading> no_readings;

}  // namespace

const std::vector<PlantReading>& Plant::readings() const { return no_readings; }
const std::vector<PlantReading>& SectionPlant::commands() const { return no_readings; }

bool PlantInput::is_on() const {
  const auto acts = [](const Wrench<double>& F) { return dot(F.n, F.n) + dot(F.f, F.f) != 0.0; };
  return std::ranges::any_of(command, [](double x) { return x != 0.0; }) || std::ranges::any_of(external, acts);
}

PlantInput plant_input(const Input<double>& input) {
  PlantInput out;
  if (PlantInput{.external = input.external}.is_on()) out.external = input.external;
  if (PlantInput{.command = input.torque}.is_on()) out.command = input.torque;
  return out;
}

std::unique_ptr<Scratch> SectionPlant::make_workspace(const Model&) const {
  auto workspace = std::make_unique<SectionWorkspace>();
  workspace->own = make_scratch();
  workspace->sections.resize(sections().size());
  return workspace;
}

void place_sections(const Model& model, State<double>& state, Scratch& workspace) {
  auto& ws = static_cast<SectionWorkspace&>(workspace);
  SINEW_ASSERT(model.plant && ws.own && ws.sections.size() == model.links.size());
  SINEW_ASSERT(int(state.plant.size()) == model.plant->state_size());
  model.plant->place(state.t, state.plant, ws.sections, *ws.own);
  for (int i = 0; i < model.link_count(); i++) {
    const SectionMotion& s = ws.sections[i];
    const Link& link = model.links[i];
    joint::Free::coordinates(s.X_WS, state.q.data() + link.q);
    const Vec3d w = transpose_times(s.X_WS.R, s.w);
    for (int k = 0; k < 3; k++) {
      state.u[link.u + k] = w[k];
      state.u[link.u + 3 + k] = s.v[k];
    }
  }
}

StepReport SectionPlant::step(const StepCall<double>& call, State<double>& state, Scratch& workspace) const {
  auto& ws = static_cast<SectionWorkspace&>(workspace);
  SINEW_ASSERT(ws.own && call.dt > 0.0 && call.method >= 0 && call.method < int(methods().size()));
  SINEW_ASSERT(int(state.plant.size()) == state_size());
  const PlantInput input = plant_input(call.input);
  if (!input.external.empty()) {
    const std::string why = push_refusal();
    SINEW_CHECK(why.empty(), "Input::external is not zero, and this robot cannot be pushed: ", why);
  }
  PlantPower work;
  StepReport report = advance({methods()[call.method], state.t, call.dt, input}, state.plant, work, *ws.own);
  state.t += call.dt;
  state.dt = call.dt;
  state.steps++;
  state.iterations = report.iterations;
  state.residual = report.residual;
  state.work.actuators += work.actuators;
  state.work.external += work.external;
  state.work.damping += work.damping;
  state.work.friction += work.friction;
  report.finite = report.finite && std::ranges::all_of(state.plant, [](double x) { return std::isfinite(x); });
  if (report.finite) place_sections(call.model, state, workspace);
  return report;
}

}  // namespace sinew
