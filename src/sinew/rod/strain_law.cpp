// Tables from single places, for laws that have nothing faster; modal laws fill theirs from shapes.
#include "sinew/rod/strain_law.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/rod/inertia.h"

namespace sinew::rod {

template <class G>
void StrainLaw<G>::fill(double t, Table<G>& table) const {
  SINEW_ASSERT(int(table.xi.size()) == grid.stations() && int(table.gauss.size()) == grid.gauss());
  for (int i = 0; i < grid.stations(); i++) {
    const Strain<G> s = at(grid.station(i), t);
    table.xi[i] = s.xi;
    table.xi_t[i] = s.xi_t;
    table.xi_tt[i] = s.xi_tt;
  }
  for (int i = 0; i < grid.filled_gauss(); i++) table.gauss[i] = at(grid.gauss_point(i), t).xi;
}

template <class G>
void fill_gauss(const Grid& grid, Table<G>& table) {
  SINEW_ASSERT(grid.nodes == 5 && int(table.gauss.size()) == grid.gauss());
  for (int i = 0; i < grid.N; i++)
    for (int k = 1; k < 5; k++)
      for (int second = 0; second < 2; second++) {
        auto& xi = table.gauss[8 * i + 2 * (k - 1) + second];
        xi = G::Twist::zero();
        for (int j = 0; j < 5; j++) xi += table.xi[4 * i + j] * station_weight(j, station_gauss(k, second));
      }
}

template <class G>
void StrainLaw<G>::probe(double t, Strain<G> (&out)[Grid::probes]) const {
  for (int i = 0; i < Grid::probes; i++) out[i] = at(grid.probe(i), t);
}

namespace {

template <class G>
bool bends_only(const std::vector<typename Modal<G>::Mode>& modes) {
  return std::all_of(modes.begin(), modes.end(), [](const auto& m) { return m.component >= directions<G>; });
}

}  // namespace

template <class G>
Modal<G>::Modal(const Grid& grid, const typename G::Twist& base, std::vector<Mode> modes, Time time)
    : StrainLaw<G>(grid, bends_only<G>(modes)), base_(base), modes_(std::move(modes)), time_(std::move(time)) {
  SINEW_CHECK(int(modes_.size()) <= most, "Modal: ", modes_.size(), " modes of at most ", most);
  of_.resize(G::n);
  for (std::size_t j = 0; j < modes_.size(); j++) {
    SINEW_CHECK(modes_[j].component >= 0 && modes_[j].component < G::n, "Modal: component ", modes_[j].component,
                " of ", G::n);
    of_[modes_[j].component].push_back(int(j));
    stations_.emplace_back();
    gauss_.emplace_back();
    probes_.emplace_back();
    for (int i = 0; i < grid.stations(); i++) stations_[j].push_back(modes_[j].shape(grid.station(i)).value);
    for (int i = 0; i < grid.filled_gauss(); i++) gauss_[j].push_back(modes_[j].shape(grid.gauss_point(i)).value);
    for (int i = 0; i < Grid::probes; i++) probes_[j][i] = modes_[j].shape(grid.probe(i));
  }
}

namespace {

template <class G>
Strain<G> only(const typename G::Twist& xi) {
  return {xi, G::Twist::zero(), G::Twist::zero(), G::Twist::zero(), G::Twist::zero()};
}
template <class G>
void add(int c, const Shape& f, const Amplitude& q, Strain<G>& s) {
  SINEW_ASSERT(c >= 0 && c < G::n);
  s.xi[c] += f.value * q.q;
  s.xi_t[c] += f.value * q.q_t;
  s.xi_tt[c] += f.value * q.q_tt;
  s.xi_X[c] += f.slope * q.q;
  s.xi_tX[c] += f.slope * q.q_t;
}

}  // namespace

template <class G>
Strain<G> Modal<G>::at(double X, double t) const {
  Amplitude q[most];
  time_(t, q);
  Strain<G> s = only<G>(base_);
  for (std::size_t j = 0; j < modes_.size(); j++) add(modes_[j].component, modes_[j].shape(X), q[j], s);
  return s;
}

template <class G>
void Modal<G>::probe(double t, Strain<G> (&out)[Grid::probes]) const {
  Amplitude q[most];
  time_(t, q);
  for (int i = 0; i < Grid::probes; i++) {
    out[i] = only<G>(base_);
    for (std::size_t j = 0; j < modes_.size(); j++) add(modes_[j].component, probes_[j][i], q[j], out[i]);
  }
}

template <class G>
void Modal<G>::fill(double t, Table<G>& table) const {
  SINEW_ASSERT(int(table.xi.size()) == this->grid.stations() && int(table.gauss.size()) == this->grid.gauss());
  if (std::isnan(table.t)) {  // a new table: what no mode drives is written once
    for (auto& xi : table.xi) xi = base_;
    for (auto& xi : table.gauss) xi = base_;
  }
  Amplitude q[most];
  time_(t, q);
  const int stations = this->grid.stations(), gauss = this->grid.filled_gauss();
  for (int c = 0; c < G::n; c++) {
    const std::vector<int>& of = of_[c];
    for (std::size_t m = 0; m < of.size(); m += 2) {  // two at a time: waves are pairs
      const int j = of[m], k = m + 1 < of.size() ? of[m + 1] : j;
      const Amplitude &a = q[j], b = k == j ? Amplitude{0.0, 0.0, 0.0} : q[k];
      const double *f = stations_[j].data(), *g = stations_[k].data();
      const double *f_gauss = gauss_[j].data(), *g_gauss = gauss_[k].data();
      if (m == 0) {
        const double base = base_[c];
        for (int i = 0; i < stations; i++) {
          table.xi[i][c] = base + (f[i] * a.q + g[i] * b.q);
          table.xi_t[i][c] = f[i] * a.q_t + g[i] * b.q_t;
          table.xi_tt[i][c] = f[i] * a.q_tt + g[i] * b.q_tt;
        }
        for (int i = 0; i < gauss; i++) table.gauss[i][c] = base + (f_gauss[i] * a.q + g_gauss[i] * b.q);
      } else {
        for (int i = 0; i < stations; i++) {
          table.xi[i][c] += f[i] * a.q + g[i] * b.q;
          table.xi_t[i][c] += f[i] * a.q_t + g[i] * b.q_t;
          table.xi_tt[i][c] += f[i] * a.q_tt + g[i] * b.q_tt;
        }
        for (int i = 0; i < gauss; i++) table.gauss[i][c] += f_gauss[i] * a.q + g_gauss[i] * b.q;
      }
    }
  }
}

template <class G>
std::string check_class(const StrainLaw<G>& law, const bool (&driven)[G::n], double until) {
  constexpr const char* names[3][6] = {
      {"Gamma_X"}, {"Gamma_X", "Gamma_Y", "K_Z"}, {"Gamma_X", "Gamma_Y", "Gamma_Z", "K_X", "K_Y", "K_Z"}};
  const auto& name = names[G::n == 1 ? 0 : G::n == 3 ? 1 : 2];
  for (int k = 0; k <= 40; k++)
    for (int i = 0; i <= 20; i++) {
      const Strain<G> s = law.at(law.grid.l * i / 20.0, until * k / 40.0);
      for (int c = 0; c < G::n; c++)
        if (!driven[c] && (std::abs(s.xi[c] - G::straight()[c]) > 1e-12 || std::abs(s.xi_t[c]) > 1e-12))
          return std::string(name[c]) + " is held by this class of rod, and the strain law drives it";
    }
  return "";
}

#define SINEW_INSTANTIATE_STRAIN_LAW(G)                \
  template class StrainLaw<G>;                         \
  template class Modal<G>;                             \
  template void fill_gauss<G>(const Grid&, Table<G>&); \
  template std::string check_class<G>(const StrainLaw<G>&, const bool(&)[G::n], double);
SINEW_FOR_GROUPS(SINEW_INSTANTIATE_STRAIN_LAW)

}  // namespace sinew::rod
