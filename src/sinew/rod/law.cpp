#include "sinew/rod/law.h"

#include <cmath>
#include <stdexcept>

namespace sinew::rod {

template <class G>
void Law<G>::fill(double t, Table<G>& table) const {
  for (int i = 0; i < grid.stations(); i++) {
    const Strain<G> s = at(grid.station(i), t);
    table.xi[i] = s.xi, table.xi_t[i] = s.xi_t, table.xi_tt[i] = s.xi_tt;
  }
  for (int i = 0; i < grid.gauss(); i++) table.gauss[i] = at(grid.gauss_point(i), t).xi;
}

template <class G>
Modal<G>::Modal(const Grid& grid, const typename G::Twist& base, std::vector<Mode> modes, Time time)
    : Law<G>(grid), base_(base), modes_(std::move(modes)), time_(std::move(time)) {
  if (int(modes_.size()) > most) throw std::invalid_argument("a modal law has at most 32 modes");
  for (std::size_t j = 0; j < modes_.size(); j++) {
    bool first = true;
    for (std::size_t i = 0; i < j; i++) first = first && modes_[i].component != modes_[j].component;
    first_.push_back(first);
    stations_.emplace_back(), gauss_.emplace_back();
    for (int i = 0; i < grid.stations(); i++) stations_[j].push_back(modes_[j].shape(grid.station(i)).value);
    for (int i = 0; i < grid.gauss(); i++) gauss_[j].push_back(modes_[j].shape(grid.gauss_point(i)).value);
  }
}

template <class G>
Strain<G> Modal<G>::at(double X, double t) const {
  Amplitude q[most];
  time_(t, q);
  Strain<G> s{base_, G::Twist::zero(), G::Twist::zero(), G::Twist::zero(), G::Twist::zero()};
  for (std::size_t j = 0; j < modes_.size(); j++) {
    const int c = modes_[j].component;
    const Shape f = modes_[j].shape(X);
    s.xi[c] += f.value * q[j].q, s.xi_t[c] += f.value * q[j].q_t, s.xi_tt[c] += f.value * q[j].q_tt;
    s.xi_X[c] += f.slope * q[j].q, s.xi_tX[c] += f.slope * q[j].q_t;
  }
  return s;
}

template <class G>
void Modal<G>::fill(double t, Table<G>& table) const {
  if (std::isnan(table.t)) {  // a new table: what no mode drives is written once
    for (auto& xi : table.xi) xi = base_;
    for (auto& xi : table.gauss) xi = base_;
  }
  Amplitude q[most];
  time_(t, q);
  for (std::size_t j = 0; j < modes_.size(); j++) {
    const int c = modes_[j].component;
    const double *f = stations_[j].data(), *g = gauss_[j].data();
    const double from = first_[j] ? 0.0 : 1.0, b = first_[j] ? base_[c] : 0.0;
    for (int i = 0; i < this->grid.stations(); i++) {
      table.xi[i][c] = (from * table.xi[i][c] + b) + f[i] * q[j].q;
      table.xi_t[i][c] = from * table.xi_t[i][c] + f[i] * q[j].q_t;
      table.xi_tt[i][c] = from * table.xi_tt[i][c] + f[i] * q[j].q_tt;
    }
    for (int i = 0; i < this->grid.gauss(); i++) table.gauss[i][c] = (from * table.gauss[i][c] + b) + g[i] * q[j].q;
  }
}

template <class G>
std::string check_class(const Law<G>& law, const bool (&driven)[G::n], double until) {
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

template class Law<Line>;
template class Law<Plane>;
template class Law<Space>;
template class Modal<Line>;
template class Modal<Plane>;
template class Modal<Space>;
template std::string check_class<Line>(const Law<Line>&, const bool (&)[1], double);
template std::string check_class<Plane>(const Law<Plane>&, const bool (&)[3], double);
template std::string check_class<Space>(const Law<Space>&, const bool (&)[6], double);

}  // namespace sinew::rod
