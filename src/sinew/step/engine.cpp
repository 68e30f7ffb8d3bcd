#include "sinew/step/engine.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/step/workspace.h"

namespace sinew {
namespace {

// Only names and what is said about them: the engine has the equations.
constexpr Stepper engine_stepper(std::string_view name, std::string_view summary, int order, Forces forces) {
  return {name, summary, order, forces, Laws::InStep, false, nullptr, nullptr};
}
constexpr std::array engine_steppers{
    engine_stepper("rk4", "Runge-Kutta-Munthe-Kaas of order 4", 4, Forces::AtStart),
    engine_stepper("rk45", "Runge-Kutta-Munthe-Kaas of order 5 with steps as small as needed", 5, Forces::AtStart),
    engine_stepper("euler", "linearly implicit, for stiff loads", 1, Forces::AtEnd),
    engine_stepper("generalized-alpha", "implicit, of order 2, for stiff rods", 2, Forces::AtEnd)};

}  // namespace

const Stepper* find_engine_stepper(std::string_view name) {
  const auto found = std::ranges::find(engine_steppers, name, &Stepper::name);
  return found == engine_steppers.end() ? nullptr : found;
}

void place_sections(const Model& model, State<double>& state, Workspace<double>& ws) {
  SINEW_ASSERT(model.engine && ws.scratch && ws.sections.size() == model.links.size());
  SINEW_ASSERT(int(state.engine.size()) == model.engine->state_size());
  model.engine->place(state.t, state.engine, ws.sections, *ws.scratch);
  for (int i = 0; i < model.link_count(); i++) {
    const rod::SectionMotion& s = ws.sections[i];
    const Link& link = model.links[i];
    joint::Free::coordinates(s.X_WS, state.q.data() + link.q);
    const Vec3d w = transpose_times(s.X_WS.R, s.w);
    for (int k = 0; k < 3; k++) state.u[link.u + k] = w[k], state.u[link.u + 3 + k] = s.v[k];
  }
}

StepReport step_engine(const Model& model, std::string_view method, double dt, State<double>& state,
                       Workspace<double>& ws) {
  SINEW_ASSERT(model.engine && ws.scratch && dt > 0.0);
  SINEW_ASSERT(int(state.engine.size()) == model.engine->state_size());
  rod::EnginePower work;
  const rod::EngineReport made = model.engine->step(method, state.t, dt, state.engine, work, *ws.scratch);
  state.t += dt;
  state.dt = dt;
  state.steps++;
  state.iterations = made.iterations, state.residual = made.residual;
  state.work.actuators += work.actuators, state.work.external += work.external;
  state.work.damping += work.damping, state.work.friction += work.friction;
  StepReport report;
  report.finite = made.finite && std::ranges::all_of(state.engine, [](double x) { return std::isfinite(x); });
  report.converged = made.converged, report.iterations = made.iterations, report.residual = made.residual;
  report.torque = made.torque;
  if (report.finite) place_sections(model, state, ws);
  return report;
}

}  // namespace sinew
