#include "tests/support/random_problems.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/dice.h"

namespace sinew::support {
namespace {

struct Body {
  double inverse_mass;
  Vec3d inverse_inertia;  // about the axes of the world
  Vec3d at, v, w;         // v, w: motion if nothing touched it
};

struct Touch {
  int body1, body2;  // the normal points from 1 (-1: the ground) to 2
  Vec3d at, n;
};

struct Row {  // d: a push along it, or a turn about it
  int touch;
  Vec3d d;
  bool turns;
};

struct Assembly {
  std::vector<Body> bodies;
  std::vector<Touch> touches;
};

Body body(Dice& dice, double mass, double size, const Vec3d& at) {
  const double i = 1.0 / (mass * size * size);
  const auto factor = [&] { return dice.between(3.0, 12.0); };
  const double x = factor(), y = factor();
  return {1.0 / mass, {i * x, i * y, i * factor()}, at, Vec3d::zero(), Vec3d::zero()};
}

double any_mass(Dice& dice) { return std::pow(10.0, dice.between(-2.0, 2.0)); }

Assembly scatter(Dice& dice, int contacts) {
  Assembly a;
  const int n = 1 + dice.below(1 + contacts / 2);
  for (int i = 0; i < n; i++) a.bodies.push_back(body(dice, any_mass(dice), 0.3, dice.vector(2.0)));
  for (int k = 0; k < contacts; k++) {
    const int b = dice.below(n), other = dice.chance(0.4) ? -1 : dice.below(n);
    const Vec3d at = a.bodies[b].at + dice.vector(0.3);
    a.touches.push_back({other == b ? -1 : other, b, at, dice.direction()});
  }
  return a;
}

Assembly table(Dice& dice, int contacts) {
  Assembly a;
  a.bodies.push_back(body(dice, any_mass(dice), 0.5, {0.0, 0.0, 0.4}));
  for (int k = 0; k < contacts; k++) {
    const double x = dice.between(-0.5, 0.5);
    a.touches.push_back({-1, 0, {x, dice.between(-0.5, 0.5), 0.0}, {0.0, 0.0, 1.0}});
  }
  return a;
}

Assembly stack(Dice& dice, int contacts) {
  Assembly a;
  for (int k = 0; k < std::max(1, contacts / 4); k++) {
    a.bodies.push_back(body(dice, any_mass(dice), 0.4, {0.0, 0.0, 0.2 + 0.4 * k}));
    for (int corner = 0; corner < 4; corner++) {
      const Vec3d at{corner & 1 ? 0.2 : -0.2, corner & 2 ? 0.2 : -0.2, 0.4 * k};
      a.touches.push_back({k - 1, k, at, {0.0, 0.0, 1.0}});
    }
  }
  return a;
}

Assembly chain(Dice& dice, int contacts) {
  Assembly a;
  for (int k = 0; k < (contacts + 1) / 2; k++) {
    a.bodies.push_back(body(dice, dice.between(0.5, 2.0), 0.1, {0.2 * k, 0.0, 0.1}));
    a.touches.push_back({-1, k, {0.2 * k, dice.between(-0.05, 0.05), 0.0}, {0.0, 0.0, 1.0}});
    if (k > 0 && int(a.touches.size()) < contacts)
      a.touches.push_back({k - 1, k, {0.2 * k - 0.1, 0.0, dice.between(0.05, 0.15)}, {1.0, 0.0, 0.0}});
  }
  return a;
}

Assembly pile(Dice& dice, int contacts) {
  Assembly a;
  const int n = std::max(1, contacts / 3);
  for (int i = 0; i < n; i++) a.bodies.push_back(body(dice, dice.between(0.1, 10.0), 0.2, {0.35 * i, 0.0, 0.3}));
  for (int k = 0; k < contacts; k++) {
    const int b = k % n, other = k < n ? -1 : dice.below(n);
    Vec3d normal = dice.direction();
    normal[2] = std::abs(normal[2]);
    a.touches.push_back({other == b ? -1 : other, b, a.bodies[b].at - normal * 0.2, normal});
  }
  return a;
}

// What moves the bodies: a step's weight, mostly with some motion, sometimes with a blow.
void set_moving(Dice& dice, Assembly& a) {
  const double speed = dice.chance(0.3) ? 0.0 : std::pow(10.0, dice.between(-3.0, 1.0));
  const bool together = dice.chance(0.5);
  const Vec3d drift = dice.vector(speed);
  for (Body& b : a.bodies) {
    b.v = (together ? drift : dice.vector(speed)) + Vec3d{0.0, 0.0, -9.81 * 0.002};
    if (!together) b.w = dice.vector(3.0 * speed);
  }
}

ContactLaw<double> any_law(Dice& dice, Friction friction, double common) {
  ContactLaw<double> l;
  const auto mu = [&] { return common >= 0.0 ? common : dice.chance(0.1) ? 0.0 : dice.between(0.0, 2.0); };
  l.mu_forward = l.mu_backward = l.mu_trans = mu();
  if (friction == Friction::Isotropic) return l;
  l.mu_trans = dice.chance(0.1) ? 0.0 : l.mu_forward * dice.between(0.1, 4.0);
  if (friction == Friction::Directional) l.mu_backward = l.mu_forward * dice.between(0.1, 4.0);
  if (friction == Friction::Full) {
    l.drilling = dice.chance(0.2) ? 0.0 : dice.between(0.0, 0.05);
    l.rolling = dice.chance(0.2) ? 0.0 : dice.between(0.0, 0.05);
  }
  return l;
}

std::vector<Row> rows_of(Dice& dice, const Assembly& a, Friction friction, double common, DenseProblem& p) {
  std::vector<Row> rows;
  for (int i = 0; i < int(a.touches.size()); i++) {
    const Vec3d n = a.touches[i].n;
    const Vec3d side = std::abs(n[0]) < 0.6 ? Vec3d{1.0, 0.0, 0.0} : Vec3d{0.0, 1.0, 0.0};
    const Vec3d a1 = normalized(cross(n, side)), a2 = cross(n, a1);
    const double turn = dice.between(0.0, 2.0 * std::numbers::pi);
    const Vec3d t1 = a1 * std::cos(turn) + a2 * std::sin(turn), t2 = cross(n, t1);
    DenseContact c{int(rows.size()),
                   true,
                   friction == Friction::Full,
                   friction == Friction::Full,
                   any_law(dice, friction, common),
                   0.0};
    p.contacts.push_back(c);
    for (const Vec3d& d : {n, t1, t2}) rows.push_back({i, d, false});
    if (friction != Friction::Full) continue;
    for (const Vec3d& d : {n, t1, t2}) rows.push_back({i, d, true});
  }
  return rows;
}

// Turn of a body for a unit impulse on the row, before its inertia.
Vec3d lever(const Body& b, const Touch& t, const Row& r) { return r.turns ? r.d : cross(t.at - b.at, r.d); }

double coupling(const Assembly& a, const Row& r, const Row& s) {
  double sum = 0.0;
  const Touch &t = a.touches[r.touch], &u = a.touches[s.touch];
  for (const int i : {t.body1, t.body2})
    for (const int j : {u.body1, u.body2}) {
      if (i < 0 || i != j) continue;
      const Body& b = a.bodies[i];
      const Vec3d x = lever(b, t, r), y = lever(b, u, s);
      double both = r.turns || s.turns ? 0.0 : dot(r.d, s.d) * b.inverse_mass;
      for (int k = 0; k < 3; k++) both += x[k] * b.inverse_inertia[k] * y[k];
      sum += (i == t.body1) == (j == u.body1) ? both : -both;
    }
  return sum;
}

double free_velocity(const Assembly& a, const Row& r) {
  double sum = 0.0;
  const Touch& t = a.touches[r.touch];
  for (const int i : {t.body1, t.body2}) {
    if (i < 0) continue;
    const Body& b = a.bodies[i];
    const double v = (r.turns ? 0.0 : dot(r.d, b.v)) + dot(lever(b, t, r), b.w);
    sum += i == t.body2 ? v : -v;
  }
  return sum;
}

}  // namespace

RandomProblem random_problem(std::uint64_t seed, Friction friction, int contacts) {
  return random_problem(seed, friction, contacts, Scene(seed % std::uint64_t(Scene::count)));
}

RandomProblem random_problem(std::uint64_t seed, Friction friction, int contacts, Scene scene) {
  Dice dice(seed);
  Assembly a = scene == Scene::Scatter ? scatter(dice, contacts)
               : scene == Scene::Table ? table(dice, contacts)
               : scene == Scene::Stack ? stack(dice, contacts)
               : scene == Scene::Chain ? chain(dice, contacts)
                                       : pile(dice, contacts);
  set_moving(dice, a);
  RandomProblem out{scene, friction, 0.0, {}};
  for (const Body& b : a.bodies) out.total_mass += 1.0 / b.inverse_mass;
  DenseProblem& p = out.problem;
  const double common = dice.chance(0.5) ? (dice.chance(0.15) ? 0.0 : dice.between(0.0, 2.0)) : -1.0;
  const std::vector<Row> rows = rows_of(dice, a, friction, common, p);
  const std::size_t n = rows.size();
  p.n = int(n);
  p.c.resize(n), p.P.assign(n, 0.0), p.gamma.assign(n, 0.0), p.G.resize(n * n);
  for (std::size_t i = 0; i < n; i++) {
    p.c[i] = free_velocity(a, rows[i]);
    for (std::size_t j = 0; j <= i; j++) p.G[i * n + j] = p.G[j * n + i] = coupling(a, rows[i], rows[j]);
  }
  // a third of them bounce
  const bool bounces = dice.chance(1.0 / 3.0) && (scene == Scene::Table || scene == Scene::Stack);
  for (DenseContact& c : p.contacts)
    if (bounces) c.bias = 0.5 * std::min(0.0, p.c[c.first]);
  p.soft_N = 1e-4 / out.total_mass, p.soft = 1e-7 / out.total_mass;
  return out;
}

DenseProblem reordered(const DenseProblem& p, const std::vector<int>& order) {
  DenseProblem q = p;
  std::vector<int> row;  // of p, for each row of q
  for (std::size_t i = 0; i < order.size(); i++) {
    q.contacts[i] = p.contacts[order[i]];
    q.contacts[i].first = int(row.size());
    for (int k = 0; k < q.contacts[i].n_rows(); k++) row.push_back(p.contacts[order[i]].first + k);
  }
  for (DenseAxis& a : q.axes) row.push_back(a.first), a.first = int(row.size()) - 1;
  for (int i = 0; i < p.n; i++) {
    q.c[i] = p.c[row[i]], q.P[i] = p.P[row[i]];
    for (int j = 0; j < p.n; j++) q.G[std::size_t(j) * p.n + i] = p.G[std::size_t(row[j]) * p.n + row[i]];
  }
  return q;
}

double certificate(const DenseProblem& p, const std::vector<double>& impulses) {
  const std::size_t n = p.n;
  const auto velocity = [&](int i) {
    long double sum = p.c[i];
    for (std::size_t j = 0; j < n; j++) sum += (long double)p.G[j * n + i] * impulses[j];
    return double(sum);
  };
  double worst = 0.0;
  for (const DenseContact& c : p.contacts) {
    double P[row::count] = {}, gamma[row::count] = {};
    for (int r = 0; r < row::count; r++)
      if (c.row_of(r) >= 0) P[r] = impulses[c.row_of(r)], gamma[r] = velocity(c.row_of(r));
    const double r = law_residual(c.law, c.bias, 1.0 / p.G[std::size_t(c.first) * n + c.first], P, gamma);
    if (!(r <= worst)) worst = r;
  }
  for (const DenseAxis& a : p.axes) {
    const double m = 1.0 / (p.G[std::size_t(a.first) * n + a.first] + a.law.compliance), P = impulses[a.first];
    const double r = std::abs(P - a.law.project(P - m * (velocity(a.first) + a.law.compliance * P + a.law.bias))) / m;
    if (!(r <= worst)) worst = r;
  }
  return worst;
}

}  // namespace sinew::support
