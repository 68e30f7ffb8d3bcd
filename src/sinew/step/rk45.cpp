// Runge-Kutta of orders 5 and 4 (Dormand and Prince) with steps of its own inside the step that is asked for: as small as
// integrator.tolerance wants, and ending where a penalty contact closes or opens, so that its damping is latched with the
// speed of the touch. Stages are displacements on the manifold, as in rk4.
// An event is found by Newton's method on the length of the step, with the speed at which the gap closes.
// Set-valued laws act once on the whole step, as in rk4. Not for batches: every robot would need steps of its own.
#include <algorithm>
#include <cmath>

#include "sinew/math/butcher.h"
#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/model/fits.h"
#include "sinew/step/methods.h"
#include "sinew/step/penalty.h"
#include "sinew/step/runge_kutta.h"
#include "sinew/step/smooth.h"

namespace sinew {
namespace {

constexpr auto& dp = butcher::dormand_prince;
constexpr int n_stages = dp.stages;
constexpr double closed_within = 1e-12;  // of an event [m]

constexpr double most_closed = 1e-3;  // of the velocities may loops take out of a step
constexpr int most_steps = 100000;    // inside one that is asked for

struct Trial {
  const Model& model;
  const Params<double>& params;
  const Input<double>& input;
  State<double>& state;
  Workspace<double>& ws;
  bool stalled = false;

  // From the state by h, into ws.q and ws.u; returns the error over what is allowed. Work of the step into `work`.
  double run(double h, double tolerance, Work<double>& work) {
    const Work<double> before = state.work;
    state.work = {};
    std::fill(ws.soft.fastest.begin(), ws.soft.fastest.end(), 0.0);
    for (int s = 0; s < n_stages; s++) {
      for (int i = 0; i < model.nu; i++) {
        double phi = 0.0, change = 0.0;
        for (int k = 0; k < s; k++) {
          phi += dp.a[s][k] * ws.k_q[k][i];
          change += dp.a[s][k] * ws.k_u[k][i];
        }
        ws.phi[i] = h * phi;
        ws.u[i] = state.u[i] + h * change;
      }
      ws.q = state.q;
      advance(model, ws.phi.data(), 1.0, ws.q.data());
      const StagePoint<double> at{s == 0 ? Stage::First : Stage::Later, state.t + dp.node[s] * h, ws.q.data(),
                                  ws.u.data(), dp.weight[s] * h};
      evaluate_stage(model, params, input, at, state, ws);
      ws.k_u[s] = ws.u_rate;
      local_rates(model, ws.phi.data(), ws.u.data(), ws.k_q[s].data());
    }
    work = state.work;
    state.work = before;
    double worst = 0.0, fastest = 0.0, closed = 0.0;
    for (int i = 0; i < model.nu; i++) {
      double e_q = 0.0, e_u = 0.0, change = 0.0;
      for (int s = 0; s < n_stages; s++) {
        e_q += butcher::dormand_prince_error[s] * ws.k_q[s][i];
        e_u += butcher::dormand_prince_error[s] * ws.k_u[s][i];
      }
      for (int s = 0; s < n_stages; s++) change += dp.weight[s] * ws.k_u[s][i];
      const double speed = std::max(std::abs(state.u[i]), std::abs(ws.u[i]));
      fastest = std::max(fastest, speed);
      closed = std::max(closed, std::abs(ws.u[i] - (state.u[i] + h * change)));
      worst = std::max({worst, std::abs(h * e_u) / (tolerance * (1e-3 + speed)),
                        std::abs(h * e_q) / (tolerance * (1e-3 + h * speed))});
    }
    // The estimate does not see what loops take out of the last stage. Near singular positions that is much more than round-off.
    if (model.has_rows()) worst = std::max(worst, closed / (std::max(tolerance, most_closed) * (1e-3 + fastest)));
    return worst;  // the last stage is the end: ws.q, ws.u, and its contacts in ws.rows
  }

  // Time from the first event in the step to its end, as far as distance and speed at the end tell; < 0: there is none.
  double beyond_event() const {
    double most = -1.0;
    for (int i = 0; i < ws.rows.n_soft; i++) {
      const ContactPoint<double>& p = ws.contacts.point[i];
      const bool known = p.old >= 0 && state.contact[std::size_t(p.old) * slot::size + slot::key] == p.key;
      if (!known && p.gap < 0.0) most = std::max(most, time_for(-p.gap, -ws.rows.contact[i].before[row::N]));
    }
    for (int k = 0; std::size_t(k) * slot::size < state.contact.size(); k++)
      if (has_opened(k)) most = std::max(most, since_opening(k));
    return most;
  }

  static double time_for(double distance, double speed) {
    return distance <= closed_within || !(speed > 0.0) ? 0.0 : distance / speed;
  }

  // Did what slot k remembers touch at the start, and does it no more?
  bool has_opened(int k) const {
    SINEW_ASSERT(k >= 0 && std::size_t(k + 1) * slot::size <= state.contact.size());
    const double* old = state.contact.data() + std::size_t(k) * slot::size;
    if (!(old[slot::key] > 0.0)) return false;
    for (int i = 0; i < ws.rows.n_soft; i++) {
      const ContactPoint<double>& p = ws.contacts.point[i];
      if (p.old == k && p.key == old[slot::key]) return false;
    }
    return true;
  }

  // The point is looked for with a margin.
  double since_opening(int k) const {
    detect(model, ws.frames, state.contact, 1e-2, ws.near);
    for (const ContactPoint<double>& p : ws.near) {
      if (p.old != k) continue;
      const int l2 = model.shapes[p.shape2].link, l1 = p.shape1 < 0 ? world_body : model.shapes[p.shape1].link;
      Twist<double> rel = shift_to_child(ws.frames.link[l2].V, p.p - ws.frames.link[l2].X.p);
      if (l1 >= 0) rel = rel - shift_to_child(ws.frames.link[l1].V, p.p - ws.frames.link[l1].X.p);
      return time_for(p.gap, dot(p.n, rel.v));
    }
    return 0.0;
  }

  // Shrinks a step of length h until its error is allowed.
  double shrink(double h, double least, Work<double>& work, double& error) {
    for (int tries = 0; tries < 60; tries++) {
      error = run(h, model.adaptive_tolerance, work);
      if (error <= 1.0) break;
      if (h <= least) {
        stalled = true;
        break;
      }
      h *= std::isfinite(error) ? std::clamp(0.9 * math::pow(error, -0.2), 0.1, 0.9) : 0.1;
    }
    return h;
  }

  // The longest step in which nothing can pass the thinnest shape unseen (A10).
  double until_passed() {
    if (!(model.thinnest > 0.0)) return INFINITY;
    prescribe(model, params, state.t, ws.driven);
    evaluate_frames(model, params, state.q.data(), state.u.data(), ws.driven, ws.frames);
    return 0.5 * model.thinnest / std::max(fastest_shape(model, ws.frames), 1e-300);
  }

  // One accepted step, at most `rest` long, at first h; h becomes the proposal for the next. The first event in the step lies
  // between `good`, which has none, and `length`; Newton's method from the end, halves where that leaves the bracket.
  void advance_once(double& h, double rest) {
    const double least = 1e-15 * std::max(1e-3, state.t);
    Work<double> work;
    double error, good = 0.0;
    double length = shrink(std::min({h, rest, until_passed()}), least, work, error);
    h = length * std::clamp(0.9 * math::pow(std::max(error, 1e-10), -0.2), 0.5, 5.0);
    if (model.contact.response == Response::Penalty)
      for (int tries = 0; tries < 100; tries++) {
        const double beyond = beyond_event();
        if (tries == 0 && beyond < 0.0) break;
        if (beyond == 0.0 || length - good <= least) break;
        double next = length - beyond;
        if (!(next > good && next < length)) next = 0.5 * (good + length);
        run(next, model.adaptive_tolerance, work);
        if (beyond_event() < 0.0) {  // too short: the event is after it
          good = next;
          run(length, model.adaptive_tolerance, work);
        } else {
          length = next;
        }
      }
    accept(length, work);
  }

  void accept(double length, const Work<double>& work) {
    state.q = ws.q;
    state.u = ws.u;
    state.work.add(work, 1.0);
    if (model.contact.response == Response::Penalty) {
      commit_soft(model, params, input, length, state, ws);
      state.dt = length;
    }
    state.t += length;
  }
};

}  // namespace

template <>
StepReport step_rk45(const Model& model, const Params<double>& params, const Input<double>& input, double dt,
                     State<double>& state, Workspace<double>& ws) {
  SINEW_ASSERT(dt > 0.0 && fits(model, params) && fits(model, input) && fits(model, state));
  SINEW_ASSERT(model.adaptive_tolerance > 0.0);
  const double start = state.t, end = start + dt;
  ws.start_q = state.q;
  ws.start_u = state.u;
  Trial trial{model, params, input, state, ws};
  double h = dt;
  int count = 0;
  const auto is_short = [&] { return end - state.t > 1e-14 * std::max(1.0, std::abs(end)); };
  for (; is_short() && count < most_steps && !trial.stalled; count++) trial.advance_once(h, end - state.t);
  const bool stalled = trial.stalled || is_short();
  state.t = start;  // the world counts the time
  SolveReport solved;
  if (!model.axis_rows.empty() || (model.n_slots > 0 && model.contact.response != Response::Penalty)) {
    ws.u = ws.start_u;
    ws.q = ws.start_q;
    solved = apply_all_laws(model, params, input, dt, state, ws);
  }
  double gap = 0.0;
  if (model.has_rows()) gap = close_loops(model, params, input, end, state, ws);
  StepReport report = report_of(model, state, dt, gap, solved, ws);
  report.iterations = std::max(report.iterations, count);
  report.stalled = stalled;
  return report;
}

}  // namespace sinew
