// Cells end wherever something jumps or acts, so that no quadrature runs across it.
#include "sinew/rod/soft_model.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/math/gauss.h"

namespace sinew::rod {
namespace {

int padded(int n) { return (n + 3) / 4 * 4; }

std::vector<double> breaks_of(const SoftPlan& plan) {
  std::vector<double> at{0.0, plan.length};
  for (const SoftMode& m : plan.modes) at.insert(at.end(), {m.begin, m.peak, m.end});
  for (const SoftPoint& p : plan.points) at.push_back(p.X);
  for (const SoftCable& c : plan.cables) at.push_back(c.end);
  for (const double X : plan.X_profile) at.push_back(X);
  std::ranges::sort(at);
  std::vector<double> kept;
  for (const double X : at)
    if (X >= 0.0 && X <= plan.length && (kept.empty() || X - kept.back() > 1e-9 * plan.length)) kept.push_back(X);
  kept.back() = plan.length;
  return kept;
}

template <class G>
void place_cells(SoftModel<G>& m) {
  const std::vector<double> at = breaks_of(m.plan);
  const double wanted = m.plan.length / m.plan.cells;
  for (std::size_t i = 0; i + 1 < at.size(); i++) {
    const double L = at[i + 1] - at[i];
    const int count = std::max(1, int(std::ceil(L / wanted - 1e-6)));
    for (int k = 0; k < count; k++) {
      m.x.push_back(at[i] + L * k / count);
      m.h.push_back(L / count);
    }
  }
  m.cells = int(m.x.size());
  m.stations = 2 * m.cells + 1;
  m.gauss = 4 * m.cells;
  m.local = 3 * m.cells;
  m.gauss_stride = padded(m.gauss);
  m.local_stride = padded(m.local);
  m.w_station.assign(m.stations, 0.0);
  m.X_station.resize(m.stations);
  constexpr double s = 0.28867513459481287;  // sqrt(3) / 6
  for (int c = 0; c < m.cells; c++) {
    const double x = m.x[c], h = m.h[c];
    for (int k = 0; k < 3; k++) {
      m.X_station[2 * c + k] = x + 0.5 * k * h;
      m.w_station[2 * c + k] += (k == 1 ? 4.0 : 1.0) * h / 6.0;
    }
    for (int k = 0; k < 4; k++) {
      const int half = k / 2;  // of the cell, before the point
      m.X_gauss.push_back(x + 0.5 * h * half + 0.5 * h * (k % 2 ? 0.5 + s : 0.5 - s));
      m.w_gauss.push_back(0.25 * h);
    }
  }
  m.X_station.back() = m.plan.length;
}

// Value of a mode in a cell: at the cell's ends the limit from inside.
double value_inside(const SoftMode& mode, double x, double h, double X) {
  const double middle = x + 0.5 * h;
  return middle < mode.begin || middle > mode.end ? 0.0 : mode_value(mode, std::clamp(X, mode.begin, mode.end));
}

template <class G>
void tabulate(SoftModel<G>& m) {
  m.phi_gauss.assign(std::size_t(m.nq) * m.gauss_stride, 0.0);
  m.phi_local.assign(std::size_t(m.nq) * m.local_stride, 0.0);
  for (int i = 0; i < m.nq; i++)
    for (int c = 0; c < m.cells; c++) {
      const double x = m.x[c], h = m.h[c];
      for (int k = 0; k < 4; k++)
        m.phi_gauss[std::size_t(i) * m.gauss_stride + 4 * c + k] =
            value_inside(m.plan.modes[i], x, h, m.X_gauss[4 * c + k]);
      for (int k = 0; k < 3; k++)
        m.phi_local[std::size_t(i) * m.local_stride + 3 * c + k] = value_inside(m.plan.modes[i], x, h, x + 0.5 * k * h);
    }
}

// Powers of the radius: strains of the axis go with the area, those of turning with the second moment.
double tapered(const SoftPlan& plan, int component, double X) {
  const double s = 1.0 + (plan.taper - 1.0) * X / plan.length;
  return component < 3 ? s * s : s * s * s * s;
}

template <class G>
void integrate_stiffness(SoftModel<G>& m) {
  static const GaussRule<16> rule;
  m.K.assign(std::size_t(m.nq) * m.nq, 0.0);
  m.D = m.K;
  const std::vector<double> at = breaks_of(m.plan);
  std::vector<double> phi(m.nq);
  for (std::size_t s = 0; s + 1 < at.size(); s++) {
    const double h = at[s + 1] - at[s];
    for (std::size_t k = 0; k < rule.x.size(); k++) {
      const double X = at[s] + 0.5 * h * (1.0 + rule.x[k]), w = 0.5 * h * rule.w[k];
      for (int i = 0; i < m.nq; i++) phi[i] = value_inside(m.plan.modes[i], at[s], h, X);
      for (int c = 0; c < G::n; c++) {
        const int six = components_of<G>[c];
        const double f = w * tapered(m.plan, six, X);
        for (int i = m.first[c]; i < m.first[c + 1]; i++)
          for (int j = m.first[c]; j < m.first[c + 1]; j++) {
            m.K[std::size_t(i) * m.nq + j] += f * m.plan.stiffness[six] * phi[i] * phi[j];
            m.D[std::size_t(i) * m.nq + j] += f * m.plan.viscosity[six] * phi[i] * phi[j];
          }
      }
    }
  }
  if (m.plan.law) {
    m.K.assign(m.K.size(), 0.0);
    m.D = m.K;
  }
}

template <class G>
int station_at(const SoftModel<G>& m, double X) {
  int best = 0;
  for (int s = 0; s < m.stations; s++)
    if (std::abs(m.X_station[s] - X) < std::abs(m.X_station[best] - X)) best = s;
  return best;
}

template <class G>
void place_loads(SoftModel<G>& m) {
  const SoftPlan& plan = m.plan;
  for (const SoftPoint& p : plan.points)
    m.points.push_back({station_at(m, p.X), from_six<G>(p.dead), from_six<G>(p.follower), p.scale});
  for (const SoftCable& cable : plan.cables) {
    typename SoftModel<G>::Cable made;
    made.slope = (cable.d_tip - cable.d) * (1.0 / plan.length);
    made.tension = cable.tension;
    made.gauss = 0;
    for (int g = 0; g < m.gauss && m.X_gauss[g] < cable.end; g++, made.gauss++)
      made.d.push_back(cable.d + made.slope * m.X_gauss[g]);
    m.cables.push_back(made);
  }
  for (const double X : plan.X_profile) m.profile.push_back(station_at(m, X));
  m.has_gauss_forces = !plan.cables.empty() || plan.servo.is_on || plan.law;
  for (const double c : plan.friction) m.has_friction = m.has_friction || c != 0.0;
}

Line group_of(const Line&, const Posed& X) { return {X.p[0]}; }
Plane group_of(const Plane&, const Posed& X) {
  const double c = X.R(0, 0), s = X.R(1, 0), r = math::hypot(c, s);
  return {c / r, s / r, X.p[0], X.p[1]};
}
Space group_of(const Space&, const Posed& X) { return Space(X); }

}  // namespace

template <class G>
SoftModel<G> build_soft_model(const SoftPlan& plan) {
  SINEW_CHECK(plan.length > 0.0 && plan.cells >= 1, "soft rod: needs a length > 0 and cells, not ", plan.cells);
  SoftModel<G> m;
  m.plan = plan;
  m.plan.modes.clear();
  for (int c = 0; c < G::n; c++) {  // component by component, as the passes want them
    for (const SoftMode& mode : plan.modes)
      if (mode.component == components_of<G>[c]) m.plan.modes.push_back(mode);
    m.first[c + 1] = int(m.plan.modes.size());
  }
  m.nq = int(m.plan.modes.size());
  m.nb = plan.floating ? G::n : 0;
  m.nv = m.nb + m.nq;
  m.row = padded(m.nv);
  SINEW_CHECK(plan.q.empty() || int(plan.q.size()) == m.nq, "soft rod: ", plan.q.size(), " coordinates for ", m.nq,
              " modes");
  SINEW_CHECK(plan.q_rate.empty() || int(plan.q_rate.size()) == m.nq, "soft rod: ", plan.q_rate.size(), " rates for ",
              m.nq, " modes");
  for (const SoftImposed& i : plan.imposed)
    SINEW_CHECK(i.mode >= 0 && i.mode < m.nq, "soft rod: mode ", i.mode, " of ", m.nq, " is imposed");
  m.plan.q.resize(m.nq, 0.0);
  m.plan.q_rate.resize(m.nq, 0.0);
  place_cells(m);
  tabulate(m);
  integrate_stiffness(m);
  for (const double X : m.X_station) {
    Six inertia = plan.inertia;
    for (int i = 0; i < 6; i++) inertia[i] *= tapered(plan, i, X);
    m.inertia.push_back(from_six<G>(inertia));
    m.friction.push_back(from_six<G>(plan.friction));
  }
  m.xi_star = from_six<G>(plan.xi_star);
  m.gravity = from_six<G>({plan.gravity[0], plan.gravity[1], plan.gravity[2], 0, 0, 0});
  m.base = group_of(G{}, plan.base);
  place_loads(m);
  for (int i = 0; i < m.nb; i++) m.scale.push_back(components_of<G>[i] < 3 ? plan.length : 1.0);
  for (int i = 0; i < m.nq; i++) m.scale.push_back(m.plan.modes[i].component < 3 ? 1.0 : 1.0 / plan.length);
  return m;
}

template SoftModel<Line> build_soft_model(const SoftPlan&);
template SoftModel<Plane> build_soft_model(const SoftPlan&);
template SoftModel<Space> build_soft_model(const SoftPlan&);

}  // namespace sinew::rod
