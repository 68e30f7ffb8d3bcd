// Each gait as a product of shapes and functions of time where it has that form, so that tables of shapes are made once.
#include "sinew/rod/gaits.h"

#include <numbers>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/math/ramp.h"

namespace sinew::rod {
namespace {

constexpr double pi = std::numbers::pi;

std::function<Shape(double)> cosine(double k, double shift = 0.0) {
  return [=](double X) -> Shape { return {math::cos(k * X + shift), -k * math::sin(k * X + shift)}; };
}

// A product of two functions of time.
Amplitude times(const Amplitude& a, const Amplitude& b) {
  return {a.q * b.q, a.q_t * b.q + a.q * b.q_t, a.q_tt * b.q + 2.0 * a.q_t * b.q_t + a.q * b.q_tt};
}

// a cos(p(t)) and a sin(p(t))
Amplitude cos_of(double a, double p, double p_t, double p_tt) {
  const double c = a * math::cos(p), s = a * math::sin(p);
  return {c, -s * p_t, -s * p_tt - c * p_t * p_t};
}
Amplitude sin_of(double a, double p, double p_t, double p_tt) { return cos_of(a, p - 0.5 * pi, p_t, p_tt); }

template <class G>
constexpr int K_Z = G::n - 1;
constexpr int K_Y = 4;  // of Space

}  // namespace

// sin(k (phi - X)) = sin(k phi) cos(k X) - cos(k phi) sin(k X)
StrainLawPtr<Line> worm_law(const Grid& grid, const WormGait& gait) {
  SINEW_CHECK(gait.lam > 0.0, "worm_law: the wave length must be > 0");
  const double k = 2.0 * pi / gait.lam;
  const auto time = [=](double t, Amplitude* q) {
    const double p = k * gait.phi(t), p_t = k * (gait.c0 + gait.acc * t), p_tt = k * gait.acc;
    q[0] = sin_of(gait.eps, p, p_t, p_tt);
    q[1] = cos_of(-gait.eps, p, p_t, p_tt);
  };
  return std::make_shared<Modal<Line>>(grid, Line::straight(),
                                       std::vector<Modal<Line>::Mode>{{0, cosine(k)}, {0, cosine(k, -0.5 * pi)}}, time);
}

StrainLawPtr<Plane> inchworm_law(const Grid& grid, const InchwormGait& gait) {
  const double k = 2.0 * pi / grid.l;
  const auto time = [=](double t, Amplitude* q) {  // sin^2 = (1 - cos 2 om t) / 2
    const double a = -0.5 * gait.alpha * k;
    q[0] = cos_of(a, 2.0 * gait.om * t, 2.0 * gait.om, 0.0);
    q[0].q -= a;
  };
  return std::make_shared<Modal<Plane>>(grid, Plane::straight(),
                                        std::vector<Modal<Plane>::Mode>{{2, cosine(k, -k * grid.l)}}, time);
}

Bump bump(double u, double h) {
  SINEW_ASSERT(h > 0.0);
  if (std::abs(u) >= h) return {0.0, 0.0, 0.0};
  const double w = h * h - u * u, v = 1.0 / w, hv = 2.0 * h * h * v * v, d = -u * hv,
               dd = -hv * (1.0 + 4.0 * u * u * v);
  const double B = math::exp(-u * u * v);
  if (B == 0.0) return {0.0, 0.0, 0.0};  // at the edge: zero times infinity
  return {B, d * B, (dd + d * d) * B};
}

namespace {

// The cosines are modal; the bump is added where it is.
template <class G>
class SnakeLaw : public StrainLaw<G> {
 public:
  SnakeLaw(const Grid& grid, const SnakeGait& gait)
      : StrainLaw<G>(grid, true), gait_(gait), waves_(make_waves(grid, gait)) {
    centre_ = gait.s(gait.t_o + 0.5 * gait.T_o);
    h_ = gait.half_width();
  }

  Strain<G> at(double X, double t) const override {
    Strain<G> s = waves_.at(X, t);
    add(X, now(t), s);
    return s;
  }

  void probe(double t, Strain<G> (&out)[Grid::probes]) const override {
    waves_.probe(t, out);
    const Now at = now(t);
    for (int i = 0; i < Grid::probes; i++) add(this->grid.probe(i), at, out[i]);
  }

  void fill(double t, Table<G>& table) const override {
    waves_.fill(t, table);
    if (gait_.b == 0.0 && gait_.b_y == 0.0) return;
    if (gait_.a_y == 0.0) clear(table);
    const Now at = now(t);
    const Grid& grid = this->grid;
    const int first = grid.stretch(-h_ - at.shift), last = grid.stretch(h_ - at.shift) + 1;
    if (grid.station(last) + at.shift <= -h_ || grid.station(first) + at.shift >= h_) return;
    for (int i = first; i <= last; i++) {
      const Bump f = bump(grid.station(i) + at.shift, h_);
      const double rate = at.V * f.B_u, second = at.V_t * f.B_u + at.V * at.V * f.B_uu;
      each([&](int c, double b) {
        table.xi[i][c] += b * f.B;
        table.xi_t[i][c] += b * rate;
        table.xi_tt[i][c] += b * second;
      });
    }
    for (int i = 2 * first; i < 2 * last && grid.nodes == 3; i++) {
      const double u = grid.gauss_point(i) + at.shift, w = h_ * h_ - u * u;
      if (w <= 0.0) continue;
      const double B = math::exp(-u * u / w);
      each([&](int c, double b) { table.gauss[i][c] += b * B; });
    }
  }

 private:
  static Modal<G> make_waves(const Grid& grid, const SnakeGait& gait) {
    std::vector<typename Modal<G>::Mode> modes;
    const auto wave = [&modes](int component, double lam) {
      modes.push_back({component, cosine(2.0 * pi / lam)});
      modes.push_back({component, cosine(2.0 * pi / lam, -0.5 * pi)});
    };
    wave(K_Z<G>, gait.lam);
    const bool both = G::n == 6 && gait.a_y != 0.0;
    if (both) wave(K_Y, gait.lam_y);
    // cos(k (X + s)) = cos(k X) cos(k s) - sin(k X) sin(k s)
    const auto time = [gait, both = both](double t, Amplitude* q) {
      const double s = gait.s(t), V = gait.V(t), V_t = gait.V_t(t);
      const auto set = [&](double a, double lam, Amplitude* out) {
        const double k = 2.0 * pi / lam;
        out[0] = cos_of(a, k * s, k * V, k * V_t);
        out[1] = sin_of(-a, k * s, k * V, k * V_t);
      };
      set(gait.a, gait.lam, q);
      if (both) set(gait.a_y, gait.lam_y, q + 2);
    };
    return Modal<G>(grid, G::straight(), std::move(modes), time);
  }

  // K_Y without a wave: no mode has written it anew.
  static void clear(Table<G>& table) {
    if constexpr (G::n == 6) {
      for (std::size_t i = 0; i < table.xi.size(); i++)
        table.xi[i][K_Y] = table.xi_t[i][K_Y] = table.xi_tt[i][K_Y] = 0.0;
      for (auto& xi : table.gauss) xi[K_Y] = 0.0;
    }
  }

  // Of the gait at a time: the bump is at -shift.
  struct Now {
    double shift, V, V_t;
  };
  Now now(double t) const { return {gait_.s(t) - centre_, gait_.V(t), gait_.V_t(t)}; }

  // The components that have a bump, with its height.
  template <class Put>
  void each(const Put& put) const {
    put(K_Z<G>, gait_.b);
    if constexpr (G::n == 6) put(K_Y, gait_.b_y);
  }

  void add(double X, const Now& at, Strain<G>& s) const {
    const double V = at.V;
    const Bump f = bump(X + at.shift, h_);
    each([&](int c, double b) {
      s.xi[c] += b * f.B;
      s.xi_t[c] += b * V * f.B_u;
      s.xi_tt[c] += b * (at.V_t * f.B_u + V * V * f.B_uu);
      s.xi_X[c] += b * f.B_u;
      s.xi_tX[c] += b * V * f.B_uu;
    });
  }

  SnakeGait gait_;
  Modal<G> waves_;
  double centre_, h_;
};

}  // namespace

template <class G>
StrainLawPtr<G> snake_law(const Grid& grid, const SnakeGait& gait) {
  return std::make_shared<SnakeLaw<G>>(grid, gait);
}
template StrainLawPtr<Plane> snake_law<Plane>(const Grid&, const SnakeGait&);
template StrainLawPtr<Space> snake_law<Space>(const Grid&, const SnakeGait&);

template <class G>
StrainLawPtr<G> constant_law(const Grid& grid, const typename G::Twist& xi) {
  return std::make_shared<Modal<G>>(grid, xi, std::vector<typename Modal<G>::Mode>{}, [](double, Amplitude*) {});
}
template StrainLawPtr<Line> constant_law<Line>(const Grid&, const Vec<1>&);
template StrainLawPtr<Plane> constant_law<Plane>(const Grid&, const Vec<3>&);
template StrainLawPtr<Space> constant_law<Space>(const Grid&, const Vec<6>&);

StrainLawPtr<Space> arm_law(const Grid& grid, const std::vector<ArmMode>& modes) {
  std::vector<Modal<Space>::Mode> shapes;
  const double l = grid.l;
  for (const ArmMode& mode : modes) {
    std::function<Shape(double)> shape = [](double) -> Shape { return {1.0, 0.0}; };
    if (mode.shape == 1) shape = [l](double X) -> Shape { return {X / l, 1.0 / l}; };
    if (mode.shape == 2) shape = [l](double X) -> Shape { return {1.0 - X / l, -1.0 / l}; };
    if (mode.shape == 3) shape = cosine(pi / l, -0.5 * pi);
    shapes.push_back({mode.component, shape});
  }
  const auto time = [modes](double t, Amplitude* q) {
    for (std::size_t j = 0; j < modes.size(); j++)
      q[j] = sin_of(modes[j].amplitude, modes[j].omega * t + modes[j].phase, modes[j].omega, 0.0);
  };
  return std::make_shared<Modal<Space>>(grid, Space::straight(), std::move(shapes), time);
}

// cos(k X - w t + p) = cos(k X) cos(w t - p) + sin(k X) sin(w t - p); three modes for each component.
template <class G>
StrainLawPtr<G> wave_law(const Grid& grid, const typename G::Twist& base, const WaveGait& gait) {
  std::vector<typename Modal<G>::Mode> modes;
  const double k = 2.0 * pi / gait.lam, w = 2.0 * pi / gait.T, l = grid.l;
  const auto add = [&](int component, double a0, double a1) {
    const auto shape = [=](double shift) {
      return [=](double X) -> Shape {
        const double a = a0 + a1 * X / l, c = math::cos(k * X + shift), s = math::sin(k * X + shift);
        return {a * c, a1 / l * c - a * k * s};
      };
    };
    modes.push_back({component, shape(0.0)});
    modes.push_back({component, shape(-0.5 * pi)});
    modes.push_back({component, [](double) -> Shape { return {1.0, 0.0}; }});
  };
  add(K_Z<G>, gait.a0, gait.a1);
  const bool both = G::n == 6 && (gait.a0_y != 0.0 || gait.a1_y != 0.0 || gait.bias_y != 0.0);
  if (both) add(K_Y, gait.a0_y, gait.a1_y);
  const auto time = [=](double t, Amplitude* q) {
    const Ramp<double> ramp = ramp_at(t, gait.Tr);
    const Amplitude r{ramp.value, ramp.rate, ramp.accel};
    const auto set = [&](double phase, double bias, Amplitude* out) {
      out[0] = times(r, cos_of(1.0, w * t - phase, w, 0.0));
      out[1] = times(r, sin_of(1.0, w * t - phase, w, 0.0));
      out[2] = times(r, {bias, 0.0, 0.0});
    };
    set(gait.phase, gait.bias, q);
    if (both) set(gait.phase_y, gait.bias_y, q + 3);
  };
  return std::make_shared<Modal<G>>(grid, base, std::move(modes), time);
}
template StrainLawPtr<Plane> wave_law<Plane>(const Grid&, const Vec<3>&, const WaveGait&);
template StrainLawPtr<Space> wave_law<Space>(const Grid&, const Vec<6>&, const WaveGait&);

}  // namespace sinew::rod
