// Strain laws: the motion that a strain-driven rod is given. At any X and t: xi = (Gamma, K), its first and second rate, its
// slope along the rod (docs/theory/rods.md#equations). A pass along the rod reads them from a table that the law fills at once.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/math/check.h"
#include "sinew/rod/group.h"

namespace sinew::rod {

template <class G>
struct Strain {
  typename G::Twist xi, xi_t, xi_tt, xi_X, xi_tX;  // _X: slope along the rod
};

// Places of a pass with N equal cells: stations at the nodes of each cell, which are its ends, its middle and, of five, two more
// (Lobatto's), and two Gauss points between a station and the next.
struct Grid {
  double l = 1.0;
  int N = 100;
  int nodes = 3;  // or 5

  // Of a cell of length 1.
  static constexpr double node(int nodes, int k) {
    constexpr double three[3] = {0.0, 0.5, 1.0};
    constexpr double five[5] = {0.0, 0.17267316464601143, 0.5, 0.82732683535398857, 1.0};
    return nodes == 5 ? five[k] : three[k];
  }
  double cell() const { return l / N; }
  int stretches() const { return (nodes - 1) * N; }  // from station to station
  int stations() const { return stretches() + 1; }
  int gauss() const { return 2 * stretches(); }
  double station(int i) const {
    SINEW_ASSERT(i >= 0 && i < stations());
    const int c = i / (nodes - 1);
    return cell() * (c + node(nodes, i - c * (nodes - 1)));
  }
  int filled_gauss() const { return nodes == 3 ? gauss() : 0; }  // by a law
  double gauss_point(int i) const {
    constexpr double s = 0.28867513459481288;  // sqrt(3) / 6
    const double a = station(i / 2), b = station(i / 2 + 1);
    return a + (b - a) * (i % 2 ? 0.5 + s : 0.5 - s);
  }
  // The station at or before X that has another behind it.
  int stretch(double X) const {
    SINEW_ASSERT(N >= 1 && l > 0.0 && (nodes == 3 || nodes == 5));
    const int c = std::min(std::max(int(X / cell()), 0), N - 1);
    const double z = X / cell() - c;
    int k = 0;
    while (k + 2 < nodes && node(nodes, k + 1) <= z) k++;
    return c * (nodes - 1) + k;
  }
  // A few places whose strains stand for the whole rod's: the nose, then those of the golden ratio, where no wave has all its crests.
  static constexpr int probes = 11;
  double probe(int i) const {
    const double z = 0.61803398874989485 * i;
    return l * (z - std::floor(z));
  }
};

// Components that a law does not drive keep what they have: the straight rod. Of cells with five stations a law fills the stations
// only: their polynomial gives the strain between them.
template <class G>
struct Table {
  using Twist = typename G::Twist;
  double t = std::numeric_limits<double>::quiet_NaN();  // nothing yet
  double t_gauss = t;                                   // of five stations: when Gauss points were filled
  std::vector<Twist> xi, xi_t, xi_tt;                   // at stations
  std::vector<Twist> gauss;                             // xi
  explicit Table(const Grid& grid)
      : xi(grid.stations(), G::straight()),
        xi_t(grid.stations(), Twist::zero()),
        xi_tt(grid.stations(), Twist::zero()),
        gauss(grid.gauss(), G::straight()) {}
};

// Weights of five stations for the strain at z of a cell of length 1.
constexpr double station_weight(int k, double z) {
  double w = 1.0;
  for (int j = 0; j < 5; j++)
    if (j != k) w *= (z - Grid::node(5, j)) / (Grid::node(5, k) - Grid::node(5, j));
  return w;
}
// Where the two Gauss points before station k are, first and second.
constexpr double station_gauss(int k, bool second) {
  constexpr double s = 0.28867513459481288;  // sqrt(3) / 6
  const double a = Grid::node(5, k - 1), b = Grid::node(5, k);
  return a + (b - a) * (second ? 0.5 + s : 0.5 - s);
}
// Gauss points of cells with five stations, from the stations.
template <class G>
void fill_gauss(const Grid& grid, Table<G>& table);

template <class G>
class StrainLaw {
 public:
  explicit StrainLaw(const Grid& grid, bool bends = false) : grid(grid), bends(bends) {
    SINEW_CHECK(grid.l > 0.0 && grid.N >= 1 && (grid.nodes == 3 || grid.nodes == 5),
                "StrainLaw: a rod needs a length > 0, ", grid.N, " cells and ", grid.nodes,
                " stations a cell are given");
  }
  virtual ~StrainLaw() = default;
  virtual Strain<G> at(double X, double t) const = 0;
  virtual void fill(double t, Table<G>& table) const;  // the same numbers, for all places at once
  virtual void probe(double t, Strain<G> (&out)[Grid::probes]) const;
  const Grid grid;
  const bool
      bends;  // only curvatures and twist ever change: stretch and shear are the same everywhere and at all times
};

// A coordinate of a modal law and its two rates.
struct Amplitude {
  double q, q_t, q_tt;
};

// A function of X with its slope.
struct Shape {
  double value, slope;
};

// xi = base + sum over j of shape_j(X) q_j(t) e_component(j). Shapes at the table's places are computed once.
template <class G>
class Modal : public StrainLaw<G> {
 public:
  struct Mode {
    int component;
    std::function<Shape(double)> shape;
  };
  using Time = std::function<void(double t, Amplitude* q)>;  // one for each mode

  Modal(const Grid& grid, const typename G::Twist& base, std::vector<Mode> modes, Time time);
  Strain<G> at(double X, double t) const override;
  void fill(double t, Table<G>& table) const override;
  void probe(double t, Strain<G> (&out)[Grid::probes]) const override;

 private:
  static constexpr int most = 32;
  typename G::Twist base_;
  std::vector<Mode> modes_;
  Time time_;
  std::vector<std::vector<int>> of_;  // modes of a component
  std::vector<std::vector<double>> stations_, gauss_;
  std::vector<std::array<Shape, Grid::probes>> probes_;
};

// Classes of rods in space (Boyer et al. 2012, table I) and the components that their actuators may move.
inline constexpr std::array<std::string_view, 5> class_names{"timoshenko", "extensible", "kirchhoff", "universal",
                                                             "planar"};
inline constexpr bool class_drives[5][6] = {{true, true, true, true, true, true},
                                            {true, false, false, true, true, true},
                                            {false, false, false, true, true, true},
                                            {false, false, false, false, true, true},
                                            {false, false, false, false, false, true}};

// Which components a law may drive (that table); "" or a sentence about the first that moves without leave.
template <class G>
std::string check_class(const StrainLaw<G>& law, const bool (&driven)[G::n], double until);

}  // namespace sinew::rod
